/**
 * The events of one partition: those in memory as actors, and those asleep, of which only the next deadline is kept.
 *
 * Of each event with a journal, one of these holds at any time from `open()` on, so that no deadline is lost (the
 * invariant of this file):
 *   unvisited   listed when the partition was opened, and not looked at since
 *   behind, due waits to be loaded in the background: it has changed since its snapshot, or its deadline has come
 *   asleep      settled in the journal; its timer stands at its next deadline, `asleep` holds the timer's end
 *   at rest     like asleep, without a deadline: kept nowhere
 *   an actor    loading → ready; its timer stands at its next deadline
 * Only `get` makes actors, and what it makes an actor of is nothing else any more; from then on what was read of it
 * before (a list, a snapshot's head) is not believed.
 *
 * Opening: lists the events (awaits the stream; failing, asks again after a pause until the pool is closed), then reads
 * what the snapshot of each says of itself (awaits the store; failing, the event counts as changed). The journal is
 * never cut, so a snapshot is current if and only if it has folded in as many groups as the stream has messages of the
 * event; then the deadline it names is the event's. Any other event is loaded in the background to find out.
 *
 * Loading awaits the journal, the object store and the catalog; if one fails, the commands that wait are told `moved`
 * (nothing was done, ask again), the actor is dropped, and loaded again by the next command or after a pause: the event
 * may have holds to end without being asked. An event without a journal is
 * not kept, so that unknown keys do not fill the memory; a `create` among its commands makes it, once the plan is here.
 *
 * Passivation, of a settled actor that nothing waits for: ready → leaving, while its snapshot is stored (unless it is
 * stored already), with its timer still armed → asleep or at rest. A command, or its deadline, meanwhile: it stays. A
 * snapshot that cannot be stored: it stays too. The snapshot is a matter of speed alone: what was not stored is folded
 * from the journal.
 */
import { type Clock, pause } from '@parterre/shared/clock';
import type { Logger } from '@parterre/shared/log';
import type { PlanSource } from '@parterre/shared/plans';
import { createTurns } from '@parterre/shared/turns';
import type { EventLoader, JournaledEvent } from '../journal/recovery.ts';
import { type FrozenSnapshot, freeze, type SnapshotStore } from '../journal/snapshots.ts';
import {
  backgroundActivationsAtOnce,
  reloadPauseMs,
  snapshotReadsAtOnce,
  snapshotWritesAtOnce,
} from '../rules/state/bounds.ts';
import type { PendingReply } from './actor.ts';
import { type Actor, creationIn, isIdle, isSettled, type Job, newActor, replyOf, wakeAt } from './actor.ts';
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
  /** Groups in the journal when the partition was opened, by event. */
  readonly #unvisited = new Map<string, number>();
  readonly #due = new Set<string>();
  readonly #behind = new Set<string>();
  readonly #asleep = new Map<string, () => void>();
  /** Called when an actor may have something to do. */
  readonly #onWork: (actor: Actor) => void;
  readonly #leave = (actor: Actor): Promise<Passivation> => this.#passivate(actor);
  #loadersAtWork = 0;
  #closed = false;

  constructor(ports: PoolPorts, onWork: (actor: Actor) => void) {
    this.#ports = ports;
    this.#onWork = onWork;
  }

  /** Behind the partition's fence: from here on every deadline of its events is watched. Goes on by itself. */
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

  /** Forgets an actor. Who waits in its mailbox is told to ask again. */
  drop(actor: Actor): void {
    this.#forget(actor);
    actor.phase = 'loading';
    this.#answerAll(actor, 'moved');
  }

  /** Drops an actor whose state cannot be trusted and brings the event back from its journal. */
  reload(actor: Actor): void {
    this.drop(actor);
    this.get(actor.eventKey);
  }

  /** Drops all, for good. */
  close(): void {
    this.#closed = true;
    for (const actor of [...this.#actors.values()]) this.drop(actor);
    for (const eventKey of [...this.#asleep.keys()]) this.#rouse(eventKey);
    this.#unvisited.clear();
    this.#due.clear();
    this.#behind.clear();
  }

  /** After every change of an actor's state, and when its timer has fired for nothing: sets it to its next deadline. */
  arm(actor: Actor): void {
    actor.cancelTimer?.();
    const { clock } = this.#ports;
    const at = wakeAt(actor);
    actor.cancelTimer = at === null ? null : clock.after(at - clock.now(), () => this.#wake(actor));
    this.#use(actor);
  }

  /** Stores what was frozen of an actor. False when it could not be. */
  async store(actor: Actor, snapshot: FrozenSnapshot): Promise<boolean> {
    const isStored = await this.#ports.snapshots.store(snapshot);
    if (isStored) actor.storedVersion = Math.max(actor.storedVersion, snapshot.sequence);
    return isStored;
  }

  /** Stores a snapshot of every settled event that has changed since its last one. */
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

  /** An actor is all that the event is from here on. */
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
    // It may sleep already: loaded, and gone again, before the partition's events were listed.
    this.#rouse(eventKey);
    const cancel = clock.after(at - clock.now(), () => {
      this.#rouse(eventKey);
      // Timers have a longest time, and the clock may have been set back.
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
      // Asked for meanwhile, or the pool was closed.
      if (!this.#unvisited.delete(eventKey)) continue;
      if (head?.groups !== groups) {
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

  /** Those with a deadline first. Each event that is loaded over the memory bound leaves again before the next comes. */
  async #loadInBackground(): Promise<void> {
    const { memory } = this.#ports;
    while (this.#due.size + this.#behind.size > 0) {
      await memory.inBackground(async () => {
        const [eventKey] = this.#due.size > 0 ? this.#due : this.#behind;
        // Asked for while the turn was waited for.
        if (eventKey === undefined) return;
        const actor = this.#newActor(eventKey);
        await this.#load(actor);
        if (memory.isOver) await this.#passivate(actor);
      });
    }
    this.#loadersAtWork--;
  }

  async #load(actor: Actor): Promise<void> {
    const { clock, loader, log, memory } = this.#ports;
    // Dropped while it waited for its turn.
    if (!this.has(actor)) return;
    try {
      const loaded = await loader.load(actor.eventKey);
      if (!this.has(actor)) return;
      if (!loaded) {
        await this.#leaveAbsence(actor);
        return;
      }
      actor.state = loaded.state;
      actor.storedVersion = loaded.storedVersion;
      actor.snapshotAt = clock.now();
      actor.phase = 'ready';
      memory.activations++;
      this.arm(actor);
      this.#onWork(actor);
    } catch (error) {
      log.error({ err: error, eventKey: actor.eventKey }, 'event could not be loaded');
      if (!this.has(actor)) return;
      this.drop(actor);
      clock.after(reloadPauseMs, () => this.#loadAgain(actor.eventKey));
    }
  }

  #loadAgain(eventKey: string): void {
    if (this.#closed || this.#actors.has(eventKey)) return;
    this.#due.add(eventKey);
    this.#loadWaiting();
  }

  async #leaveAbsence(actor: Actor): Promise<void> {
    const creation = creationIn(actor);
    if (!creation) {
      this.#actors.delete(actor.eventKey);
      this.#answerAll(actor, 'absent');
      return;
    }
    actor.phase = 'creating';
    actor.planToCreate = await this.#ports.plans(creation.config.planHash);
    if (!this.has(actor)) return;
    actor.snapshotAt = this.#ports.clock.now();
    actor.phase = 'ready';
    this.#onWork(actor);
  }

  #answerAll(actor: Actor, kind: 'moved' | 'absent'): void {
    for (const job of actor.mailbox.splice(0)) this.#ports.reply(answer(job, kind));
  }
}

function hasChanged(actor: Actor): boolean {
  return actor.state!.version !== actor.storedVersion;
}

function answer({ envelope, replyTo }: Job, kind: 'moved' | 'absent'): PendingReply {
  return { replyTo, reply: replyOf(envelope, { kind }) };
}
