/**
 * The events of one partition. Loaded events are actors. An event that is asleep has only its next deadline in memory.
 *
 * From `open()` on, each event with a journal is in exactly one of these states at any time, so that no deadline is
 * lost (the invariant of this file):
 *   unvisited   listed when the partition was opened, not looked at since
 *   behind, due waits to be loaded in the background: it changed after its snapshot, or its deadline has come
 *   asleep      settled in the journal; `asleep` holds its timer, which stands at its next deadline
 *   at rest     like asleep, without a deadline; nothing is kept
 *   an actor    loading → ready; its timer stands at its next deadline
 * Only `get` and the background loader make actors. An event that becomes an actor leaves every other state. From then
 * on, earlier reads of the event (the list, the head of a snapshot) no longer count.
 *
 * Opening lists the events, then reads the head of each event's snapshot. If the list fails (awaits the stream), the
 * pool asks again after a pause until it is closed. If the read of a head fails (awaits the object store), the event
 * counts as changed. The journal is never cut. A snapshot is therefore current if and only if it has folded as many
 * groups as the stream has messages of the event. The deadline in a current head is the event's deadline. Any other
 * event is loaded in the background, also an event whose time stands in the future, and is to be set back.
 *
 * Loading awaits the journal, the object store and the catalog. If one of them fails, the actor is dropped, and the
 * event is in trouble (troubled-events.ts): its callers ask again or get 503. The end of a growing pause loads the event
 * again, since it may have holds that end by themselves. An event without a journal is not kept, so that unknown
 * keys do not fill the memory. A `create` command in the actor's mailbox makes the event, once the event's plan is
 * here.
 *
 * Passivation removes a settled actor without work from memory: ready → leaving, while its snapshot is stored (unless
 * it is stored already) and its timer stays armed → asleep or at rest. The actor stays if a command or its deadline
 * comes meanwhile, or if the snapshot cannot be stored. Snapshots only save time: the journal can always be folded.
 */
import { type Clock, pause } from '@parterre/shared/clock';
import type { Answer } from '@parterre/shared/commands';
import type { Logger } from '@parterre/shared/log';
import type { PlanSource } from '@parterre/shared/plans/plans';
import { createTurns } from '@parterre/shared/turns';
import {
  type EventLoader,
  type FrozenSnapshot,
  freeze,
  type JournaledEvent,
  type SnapshotStore,
  snapshotWritesAtOnce,
} from '../journal/journal.ts';
import { isInFuture } from '../rules/turn/turn.ts';
import { type Actor, creationIn, isIdle, isSettled, newActor, type PendingReply, replyOf, wakeAt } from './actor.ts';
import { backgroundActivationsAtOnce, reloadPauseMs, snapshotReadsAtOnce } from './bounds.ts';
import type { EventMemory, Passivation } from './event-memory.ts';

export type PoolPorts = {
  clock: Clock;
  log: Logger;
  plans: PlanSource;
  loader: EventLoader;
  snapshots: SnapshotStore;
  /** Shared by all pools of the process. */
  memory: EventMemory;
  reply(pending: PendingReply): void;
};

export class ActorPool {
  readonly #ports: PoolPorts;
  readonly #actors = new Map<string, Actor>();
  /** By event: its groups in the journal when the partition was opened. */
  readonly #unvisited = new Map<string, number>();
  readonly #due = new Set<string>();
  readonly #behind = new Set<string>();
  readonly #asleep = new Map<string, () => void>();
  /** Called when an actor may have work. */
  readonly #onWork: (actor: Actor) => void;
  readonly #leave = (actor: Actor): Promise<Passivation> => this.#passivate(actor);
  #loadersAtWork = 0;
  #closed = false;

  constructor(ports: PoolPorts, onWork: (actor: Actor) => void) {
    this.#ports = ports;
    this.#onWork = onWork;
  }

  /**
   * Call this behind the partition's fence. From here on the pool watches every deadline of its events. The survey of
   * the events runs on in the background.
   */
  open(): void {
    void this.#survey();
  }

  /** The event's actor; a new one starts loading. */
  get(eventKey: string): Actor {
    const known = this.#actors.get(eventKey);
    if (known) {
      this.#use(known);
      return known;
    }
    const actor = this.#newActor(eventKey);
    void this.#ports.memory.asked(() => this.#load(actor));
    return actor;
  }

  /** False for an actor that was dropped. */
  has(actor: Actor): boolean {
    return this.#actors.get(actor.eventKey) === actor;
  }

  /** Forgets an actor. Its callers ask again, or learn that the event is in trouble. */
  drop(actor: Actor): void {
    this.#forget(actor);
    actor.phase = 'loading';
    this.#answerAll(actor, this.#ports.memory.troubles.answer(actor.eventKey) ?? { kind: 'moved' });
  }

  /**
   * Drops an actor whose state cannot be trusted and brings the event back from its journal, at once or after the pause
   * of an event in trouble. No group of the actor may be in flight: the fold would miss it.
   */
  reload(actor: Actor): void {
    const { eventKey } = actor;
    this.drop(actor);
    const waitMs = this.#ports.memory.troubles.waitMs(eventKey);
    if (waitMs > 0) this.#ports.clock.after(waitMs, () => this.#loadAgain(eventKey));
    else this.get(eventKey);
  }

  /** Drops all actors for good. */
  close(): void {
    this.#closed = true;
    this.#ports.memory.troubles.clearOf(this);
    for (const actor of [...this.#actors.values()]) this.drop(actor);
    for (const eventKey of [...this.#asleep.keys()]) this.#rouse(eventKey);
    this.#unvisited.clear();
    this.#due.clear();
    this.#behind.clear();
  }

  /**
   * Sets an actor's timer to its next deadline. Call this after every change of the actor's state, and after its timer
   * fired too early.
   */
  arm(actor: Actor): void {
    actor.cancelTimer?.();
    const { clock } = this.#ports;
    const at = wakeAt(actor);
    actor.cancelTimer = at === null ? null : clock.after(at - clock.now(), () => this.#wake(actor));
    this.#use(actor);
  }

  /** Stores a frozen snapshot of an actor. False when the store failed. */
  async store(actor: Actor, snapshot: FrozenSnapshot): Promise<boolean> {
    const isStored = await this.#ports.snapshots.store(snapshot);
    if (isStored) actor.storedVersion = Math.max(actor.storedVersion, snapshot.sequence);
    return isStored;
  }

  /** Stores a snapshot of every settled event that has changed since its last snapshot. */
  async storeAll(): Promise<void> {
    const turns = createTurns(snapshotWritesAtOnce);
    await Promise.all(
      [...this.#actors.values()].map((actor) =>
        turns(async () => {
          if (this.has(actor) && isSettled(actor) && hasChanged(actor)) await this.store(actor, freeze(actor.state!));
        }),
      ),
    );
  }

  /** The event becomes an actor and leaves every other state. */
  #newActor(eventKey: string): Actor {
    this.#unvisited.delete(eventKey);
    this.#due.delete(eventKey);
    this.#behind.delete(eventKey);
    this.#rouse(eventKey);
    const actor = newActor(eventKey);
    this.#actors.set(eventKey, actor);
    return actor;
  }

  #use(actor: Actor): void {
    actor.leaving = false;
    this.#ports.memory.used(actor, this.#leave);
  }

  #forget(actor: Actor): void {
    if (this.has(actor)) this.#actors.delete(actor.eventKey);
    this.#ports.memory.gone(actor);
    actor.cancelTimer?.();
    actor.cancelTimer = null;
  }

  #wake(actor: Actor): void {
    actor.cancelTimer = null;
    if (!this.has(actor)) return;
    actor.leaving = false;
    this.#onWork(actor);
  }

  async #passivate(actor: Actor): Promise<Passivation> {
    if (!this.has(actor) || !isIdle(actor)) return 'stays';
    actor.leaving = true;
    if (hasChanged(actor) && !(await this.store(actor, freeze(actor.state!)))) {
      actor.leaving = false;
      return 'failed';
    }
    if (!actor.leaving || !this.has(actor) || !isIdle(actor)) return 'stays';
    const at = wakeAt(actor);
    this.#forget(actor);
    this.#ports.memory.passivations++;
    if (at !== null) this.#sleepUntil(actor.eventKey, at);
    return 'gone';
  }

  #sleepUntil(eventKey: string, at: number): void {
    const { clock, memory } = this.#ports;
    // The event may be asleep already: it was loaded and left again before the partition's events were listed.
    this.#rouse(eventKey);
    const cancel = clock.after(at - clock.now(), () => {
      this.#rouse(eventKey);
      // A timer has a longest delay, and the clock may have been set back.
      if (clock.now() < at) return this.#sleepUntil(eventKey, at);
      this.#due.add(eventKey);
      this.#loadWaiting();
    });
    this.#asleep.set(eventKey, cancel);
    memory.asleep++;
  }

  #rouse(eventKey: string): void {
    this.#asleep.get(eventKey)?.();
    if (this.#asleep.delete(eventKey)) this.#ports.memory.asleep--;
  }

  async #survey(): Promise<void> {
    for (const { eventKey, groups } of await this.#listed()) {
      if (!this.#actors.has(eventKey)) this.#unvisited.set(eventKey, groups);
    }
    const events = this.#unvisited.entries();
    await Promise.all(Array.from({ length: snapshotReadsAtOnce }, () => this.#visit(events)));
  }

  async #listed(): Promise<JournaledEvent[]> {
    while (!this.#closed) {
      try {
        return await this.#ports.loader.events();
      } catch (error) {
        this.#ports.log.warn({ err: error }, 'the events of the partition cannot be listed yet');
        await pause(this.#ports.clock, reloadPauseMs);
      }
    }
    return [];
  }

  async #visit(events: Iterator<[string, number]>): Promise<void> {
    for (let next = events.next(); !next.done; next = events.next()) {
      const [eventKey, groups] = next.value;
      const head = await this.#ports.memory.reading(() => this.#ports.snapshots.head(eventKey)).catch(() => null);
      // A command asked for the event meanwhile, or the pool was closed.
      if (!this.#unvisited.delete(eventKey)) continue;
      if (head?.groups !== groups || isInFuture(head.at ?? 0, this.#ports.clock.now())) {
        this.#behind.add(eventKey);
        this.#loadWaiting();
      } else if (head.wakeAt !== null) this.#sleepUntil(eventKey, head.wakeAt);
    }
  }

  #loadWaiting(): void {
    while (this.#loadersAtWork < Math.min(backgroundActivationsAtOnce, this.#due.size + this.#behind.size)) {
      this.#loadersAtWork++;
      void this.#loadInBackground();
    }
  }

  /**
   * Events with a deadline come first. Over the memory bound, each loaded event leaves before the next event is loaded.
   */
  async #loadInBackground(): Promise<void> {
    const { memory } = this.#ports;
    while (this.#due.size + this.#behind.size > 0) {
      await memory.inBackground(async () => {
        const [eventKey] = this.#due.size > 0 ? this.#due : this.#behind;
        // A command asked for the event while this loader waited for its turn.
        if (eventKey === undefined) return;
        const actor = this.#newActor(eventKey);
        await this.#load(actor);
        if (memory.isOver) await this.#passivate(actor);
      });
    }
    this.#loadersAtWork--;
  }

  async #load(actor: Actor): Promise<void> {
    const { clock, loader, memory } = this.#ports;
    // The actor was dropped while it waited for its turn.
    if (!this.has(actor)) return;
    try {
      const loaded = await loader.load(actor.eventKey);
      if (!this.has(actor)) return;
      if (!loaded) {
        await this.#createOrForget(actor);
        return;
      }
      actor.state = loaded.state;
      actor.storedVersion = loaded.storedVersion;
      actor.tail = { groups: loaded.replayed.groups, bytes: loaded.replayed.bytes, since: clock.now() };
      actor.phase = 'ready';
      memory.activations++;
      this.arm(actor);
      this.#onWork(actor);
    } catch (error) {
      if (!this.has(actor)) return;
      memory.troubles.note(actor.eventKey, this, error);
      this.reload(actor);
    }
  }

  /** A command may have loaded the event meanwhile, in vain: then the event waits for its next try. */
  #loadAgain(eventKey: string): void {
    if (this.#closed || this.#actors.has(eventKey)) return;
    const { clock, memory } = this.#ports;
    const waitMs = memory.troubles.retryWaitMs(eventKey);
    if (waitMs > 0) {
      clock.after(waitMs, () => this.#loadAgain(eventKey));
      return;
    }
    this.#due.add(eventKey);
    this.#loadWaiting();
  }

  async #createOrForget(actor: Actor): Promise<void> {
    const creation = creationIn(actor);
    if (!creation) {
      this.#ports.memory.troubles.clear(actor.eventKey);
      this.#actors.delete(actor.eventKey);
      this.#answerAll(actor, { kind: 'absent' });
      return;
    }
    actor.phase = 'creating';
    actor.planToCreate = await this.#ports.plans(creation.config.planHash);
    if (!this.has(actor)) return;
    actor.tail.since = this.#ports.clock.now();
    actor.phase = 'ready';
    this.#onWork(actor);
  }

  #answerAll(actor: Actor, answer: Answer): void {
    for (const { envelope, replyTo } of [...actor.mailbox.splice(0), ...actor.reads.splice(0)]) {
      this.#ports.reply({ replyTo, reply: replyOf(envelope, answer) });
    }
  }
}

function hasChanged(actor: Actor): boolean {
  return actor.state!.version !== actor.storedVersion;
}
