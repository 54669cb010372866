/**
 * The events of one partition. Loaded events are actors: loading → ready, with a timer at the next deadline. The watch
 * (watch/watch.ts) has all other events, and tells which of them are to be loaded in the background. Only `get` and the
 * background loader make actors.
 *
 * Loading awaits the journal, the object store and the catalog. If one of them fails, the actor is dropped, and the
 * event is in trouble (troubled-events.ts): its callers ask again or get 503. The end of a growing pause loads the
 * event again, since it may have holds that end by themselves. An event without a journal is not kept, so that unknown
 * keys do not fill the memory. A `create` command in the actor's mailbox makes the event, once the event's plan is
 * here.
 *
 * Passivation removes a settled actor without work from memory: ready → leaving, while its snapshot is stored (unless
 * it is stored already) and its timer stays armed → asleep or at rest. The actor stays if a command or its deadline
 * comes meanwhile, or if the snapshot cannot be stored. Snapshots only save time: the journal can always be folded.
 *
 * The roster tells the next owner the deadlines of the partition as they stood behind the last committed group. An
 * actor with groups in flight may show a state that never comes to be, so its deadline counts as unknown. The deadline
 * of an actor without a state counts as unknown too. An event that changes later is found behind the roster's sequence.
 * A roster is therefore true for ever, also the roster of an owner that was replaced unnoticed.
 */

import type { PlanSource } from '@parterre/shared/charts/plans/plans';
import type { Answer } from '@parterre/shared/protocol/commands';
import type { Clock } from '@parterre/shared/runtime/clock';
import { feedWatchedMs } from '@parterre/shared/runtime/feed-watch';
import { createLimiter } from '@parterre/shared/runtime/limiter';
import type { Logger } from '@parterre/shared/runtime/log';
import {
  type EventLoader,
  type FrozenSnapshot,
  freeze,
  type Remembered,
  type Roster,
  type RosterEntry,
  type RosterStore,
  type SharedParts,
  type SnapshotStore,
  snapshotWritesAtOnce,
} from '../journal/journal.ts';
import { RosterKeeper } from '../watch/roster-keeper.ts';
import { atOnce, Watch } from '../watch/watch.ts';
import {
  type Actor,
  creationIn,
  isIdle,
  isSettled,
  type Job,
  newActor,
  type PendingReply,
  replyOf,
  wakeAt,
} from './actor.ts';
import { backgroundActivationsAtOnce } from './bounds.ts';
import type { EventMemory, Passivation } from './event-memory.ts';
import { IndexKeeper } from './index-keeper.ts';
import type { LoopTurn } from './loop-turn.ts';
import { StaleViews } from './stale-views.ts';
import { halted } from './troubled-events.ts';

export type PoolPorts = {
  clock: Clock;
  log: Logger;
  plans: PlanSource;
  loader: EventLoader;
  snapshots: SnapshotStore;
  rosters: RosterStore;
  /** Evidence of this process that the journal has lost records (I9). */
  remembered: Remembered;
  /** Of this partition, as the loader has it. */
  shared: SharedParts;
  /** Both are shared by all pools of the process. */
  memory: EventMemory;
  turn: LoopTurn;
  reply(pending: PendingReply): void;
};

export class ActorPool {
  readonly #ports: PoolPorts;
  readonly #actors = new Map<string, Actor>();
  readonly #watch: Watch;
  readonly #roster: RosterKeeper;
  readonly index: IndexKeeper;
  readonly #staleViews: StaleViews;
  /** Called when an actor may have work. */
  readonly #onWork: (actor: Actor) => void;
  readonly #leave = (actor: Actor): Promise<Passivation> => this.#passivate(actor);
  #loadersAtWork = 0;
  #closed = false;
  /** The sequence of the last committed group, or of the fence. */
  #committed = 0;

  constructor(ports: PoolPorts, onWork: (actor: Actor) => void) {
    this.#ports = ports;
    this.#onWork = onWork;
    const { memory } = ports;
    this.#watch = new Watch({
      ...ports,
      count: memory,
      reading: (read) => memory.reading(read),
      isActor: (eventKey) => this.#actors.has(eventKey),
      onWaiting: () => this.#loadWaiting(),
    });
    this.#roster = new RosterKeeper(ports, () => this.#composeRoster());
    this.#staleViews = new StaleViews(ports);
    this.index = new IndexKeeper(ports, {
      isOver: () => this.#closed,
      find: (eventKey) => this.#actors.get(eventKey),
      occupy: (eventKey) => this.occupy(eventKey),
      reload: (actor) => this.reload(actor),
      onWork,
    });
  }

  /**
   * Call this behind the partition's fence, whose sequence is `last`. From here on the pool watches every deadline of
   * its events. The survey of the events runs on in the background, after a rest. Prepared events are loaded without a
   * command.
   */
  open(last: number, surveyRestMs = 0): void {
    this.#committed = last;
    this.#watch.open(last, surveyRestMs);
    this.#roster.noteChange();
    for (const eventKey of this.#ports.loader.prepared()) this.get(eventKey);
  }

  /** The group at this sequence is durable. */
  noteCommitted(sequence: number): void {
    this.#committed = sequence;
    this.#roster.noteChange();
  }

  /** The event's actor; a new one starts loading. */
  get(eventKey: string): Actor {
    const known = this.#actors.get(eventKey);
    if (known) {
      this.#use(known);
      return known;
    }
    const actor = this.#newActor(eventKey);
    void this.#loadAsked(actor);
    return actor;
  }

  /** Takes no turn before the load can go on: other partitions share the turns. */
  async #loadAsked(actor: Actor): Promise<void> {
    await this.#ports.shared.known;
    await this.#ports.memory.asked(() => this.#load(actor));
  }

  /** When the oldest command that waits in a mailbox came (`Clock.elapsed`). Walks over all actors. */
  oldestCommandAt(): number | null {
    let oldest = Number.POSITIVE_INFINITY;
    for (const { mailbox, reads } of this.#actors.values()) {
      if (mailbox.length > 0) oldest = Math.min(oldest, mailbox[0]!.receivedAt);
      if (reads.length > 0) oldest = Math.min(oldest, reads[0]!.receivedAt);
    }
    return oldest === Number.POSITIVE_INFINITY ? null : oldest;
  }

  /** The event's actor, or undefined. Loads nothing. */
  find(eventKey: string): Actor | undefined {
    return this.#actors.get(eventKey);
  }

  /**
   * Takes the place of the event's actor without a load: nobody else loads the event or appends for it. An actor that
   * stands there must have no group in flight.
   */
  occupy(eventKey: string): Actor {
    const known = this.#actors.get(eventKey);
    if (known) this.drop(known);
    return this.#newActor(eventKey);
  }

  /** False for an actor that was dropped. */
  has(actor: Actor): boolean {
    return this.#actors.get(actor.eventKey) === actor;
  }

  /** The keys of at most `count` loaded events, the most recently used first. */
  inUse(count: number): string[] {
    return this.#ports.memory.recent((actor) => this.has(actor), count).map(({ eventKey }) => eventKey);
  }

  /** Forgets an actor. Its callers ask again, or learn that the event is in trouble. */
  drop(actor: Actor): void {
    this.#forget(actor);
    actor.phase = 'loading';
    this.#answerAll(actor, this.#ports.memory.troubles.answer(actor.eventKey) ?? { kind: 'moved' });
  }

  /** The acknowledged parts of all actors become evidence. */
  remember(): void {
    for (const actor of this.#actors.values()) this.#remember(actor);
  }

  #remember({ eventKey, acknowledged }: Actor): void {
    if (acknowledged) this.#ports.remembered.note(eventKey, { source: 'memory', ...acknowledged });
  }

  /**
   * Loads every event anew, to be judged by the evidence. A settled state is stored first: a snapshot is evidence that
   * outlives this process, and a restore reads it. No group may be in flight.
   */
  reloadAll(): void {
    for (const actor of [...this.#actors.values()]) {
      if (isSettled(actor) && hasChanged(actor)) void this.store(actor, freeze(actor.state!, actor.link));
      this.reload(actor);
    }
  }

  /**
   * Drops an actor whose state cannot be trusted and brings the event back from its journal, at once or after the pause
   * of an event in trouble. The actor's last acknowledged part is evidence for that load. No group of the actor may be
   * in flight: the fold would miss it.
   */
  reload(actor: Actor): void {
    const { eventKey } = actor;
    this.#remember(actor);
    this.drop(actor);
    const waitMs = this.#ports.memory.troubles.waitMs(eventKey);
    if (waitMs > 0) this.#loadAfter(waitMs, eventKey);
    else this.get(eventKey);
  }

  /** Drops all actors for good. */
  close(): void {
    this.#closed = true;
    this.#ports.memory.troubles.clearOf(this);
    for (const actor of [...this.#actors.values()]) this.drop(actor);
    this.#watch.close();
    this.#roster.close();
    this.#ports.shared.close();
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

  /** Stores a snapshot of every settled event that has changed since its last snapshot, and then the roster. */
  async storeAll(): Promise<void> {
    const limit = createLimiter(snapshotWritesAtOnce);
    await Promise.all(
      [...this.#actors.values()].map((actor) =>
        limit(async () => {
          if (this.has(actor) && isSettled(actor) && hasChanged(actor))
            await this.store(actor, freeze(actor.state!, actor.link));
        }),
      ),
    );
    await this.#roster.store();
  }

  #composeRoster(): Roster | null {
    const events = this.#watch.deadlines();
    if (!events) return null;
    for (const actor of this.#actors.values()) {
      const entry = rosterEntryOf(actor);
      if (entry) events.push(entry);
    }
    return { upTo: this.#committed, events };
  }

  /** The event becomes an actor and leaves every other state. */
  #newActor(eventKey: string): Actor {
    this.#watch.leave(eventKey);
    const actor = newActor(eventKey, this.#ports.clock.elapsed() + feedWatchedMs);
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
    if (hasChanged(actor) && !(await this.store(actor, freeze(actor.state!, actor.link)))) {
      actor.leaving = false;
      return 'failed';
    }
    if (!actor.leaving || !this.has(actor) || !isIdle(actor)) return 'stays';
    const at = wakeAt(actor);
    this.#forget(actor);
    this.#ports.memory.passivations++;
    if (at !== null) this.#watch.sleepUntil(actor.eventKey, at, actor.state!.at);
    return 'gone';
  }

  #loadWaiting(): void {
    while (this.#loadersAtWork < Math.min(backgroundActivationsAtOnce, this.#watch.waiting)) {
      this.#loadersAtWork++;
      void this.#loadInBackground();
    }
  }

  /**
   * Events with a deadline come first. Over the memory bound, each loaded event leaves before the next event is loaded.
   */
  async #loadInBackground(): Promise<void> {
    const { memory, shared } = this.#ports;
    await shared.known;
    while (this.#watch.waiting > 0) {
      await memory.inBackground(async () => {
        const eventKey = this.#watch.next();
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
    const { clock, loader, memory, remembered } = this.#ports;
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
      actor.link = loaded.link;
      actor.acknowledged = { sequence: loaded.state.version, link: loaded.link };
      actor.storedVersion = loaded.storedVersion;
      actor.tail = { groups: loaded.replayed.groups, bytes: loaded.replayed.bytes, since: clock.now() };
      actor.phase = 'ready';
      remembered.forget(actor.eventKey);
      memory.troubles.restored(actor.eventKey);
      memory.activations++;
      this.arm(actor);
      this.#onWork(actor);
    } catch (error) {
      if (!this.has(actor)) return;
      memory.troubles.note(actor.eventKey, this, error);
      this.reload(actor);
    }
  }

  #loadAfter(waitMs: number, eventKey: string): void {
    this.#watch.noteTrouble(eventKey);
    this.#ports.clock.after(waitMs, () => this.#loadAgain(eventKey));
  }

  /** A command may have loaded the event meanwhile, in vain: then the event waits for its next try. */
  #loadAgain(eventKey: string): void {
    if (this.#closed || this.#actors.has(eventKey)) return;
    const waitMs = this.#ports.memory.troubles.retryWaitMs(eventKey);
    if (waitMs > 0) this.#loadAfter(waitMs, eventKey);
    else this.#watch.wake(eventKey);
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
    for (const job of [...actor.mailbox.splice(0), ...actor.reads.splice(0)]) this.answer(job, answer);
  }

  /** Answers a command that no actor carries out. The map of a halted event is read from a snapshot. */
  answer({ envelope, replyTo }: Omit<Job, 'receivedAt'>, answer: Answer): void {
    const { reply } = this.#ports;
    if (answer !== halted || envelope.command.type !== 'view') reply({ replyTo, reply: replyOf(envelope, answer) });
    else {
      const view = this.#staleViews.of(envelope.eventKey);
      void view.then((stale) => reply({ replyTo, reply: replyOf(envelope, stale) }));
    }
  }
}

/** Null for an event without a deadline, and for a key without an event. */
function rosterEntryOf(actor: Actor): RosterEntry | null {
  const { eventKey, phase, state } = actor;
  if (phase === 'creating') return null;
  if (!isSettled(actor) || !state) return [eventKey, atOnce, 0];
  const at = wakeAt(actor);
  return at === null ? null : [eventKey, at, state.at];
}

function hasChanged(actor: Actor): boolean {
  return actor.state!.version !== actor.storedVersion;
}
