/**
 * One partition: the actors of its events, the journal they share, and the pipeline between them.
 *
 * States: opening → serving ⇄ recovering, and from each → released. Commands are taken in all but released; they wait
 * in the mailboxes meanwhile.
 *
 * Serving: actors with work stand in `ready`; `pump` cuts a group from the first while the append window has room, so
 * that while appends are in flight commands gather and the next group takes what is there (natural batching, no timer).
 * `pending` mirrors the journal's appends in flight, oldest first; replies leave when their group is durable (I2). A
 * cut without records (reads, refusals) rests on what was decided before it, so its replies leave with the event's
 * last group in flight.
 *
 * Recovering, when an append's end is unknown: nothing is cut. The journal fences again (awaits the stream, retried
 * for ever); then what stands in the stream was committed and is answered as such; actors with groups that did not land
 * are dropped with their speculative state and loaded anew, and those callers are told `moved`: nothing was done, ask
 * again. If another owner's epoch stands there (I3), everything is answered `moved` and the partition is released.
 */
import { pause } from '@parterre/shared/clock';
import { type Refusal, refuse } from '@parterre/shared/errors';
import {
  appendWindow,
  appendWindowPerEvent,
  mailboxCommandsMax,
  retryPauseMs,
  snapshotEveryGroups,
  snapshotEveryMs,
} from '@parterre/shared/limits';
import type { FeedChange, JournalRecord } from '@parterre/shared/records';
import { type Actor, type Cut, cut, frontDoorOf, type Job, type PendingReply } from './actor.ts';
import { ActorPool, type PoolPorts } from './actor-pool.ts';
import type { Journal, JournalEvents } from './outbound/journal.ts';
import { type FrozenSnapshot, freeze } from './outbound/snapshots.ts';
import { changedUnits } from './rules/apply.ts';
import { advance } from './rules/state.ts';

/** What a partition needs of the world. */
export type PartitionPorts = PoolPorts & {
  openJournal(events: JournalEvents): Journal;
  publishChange(eventKey: string, change: FeedChange): void;
  /** Another owner has the partition: no further command should come here. */
  released(): void;
  /** Resolves when the NATS connection stands. */
  connected(): Promise<void>;
};

type PendingGroup = {
  epoch: number;
  n: number;
  sequence: number;
  actor: Actor;
  replies: PendingReply[];
  change: FeedChange;
  snapshot: FrozenSnapshot | null;
};

const overloaded = refuse('overloaded', `More than ${mailboxCommandsMax} commands wait for this event. Try again.`, {
  retryable: true,
});
const internalError = refuse('internal_error', 'Something went wrong here. It has been logged.');

export class Partition {
  readonly #ports: PartitionPorts;
  readonly #journal: Journal;
  readonly #pool: ActorPool;
  readonly #ready: Actor[] = [];
  #pending: PendingGroup[] = [];
  /** Whose state is ahead of the journal: reloaded behind the next fence, not before, when appends may still land. */
  readonly #faulty = new Set<Actor>();
  #state: 'opening' | 'serving' | 'recovering' | 'released' = 'opening';

  constructor(ports: PartitionPorts) {
    this.#ports = ports;
    this.#pool = new ActorPool(ports, (actor) => {
      this.#enqueue(actor);
      this.pump();
    });
    this.#journal = ports.openJournal({
      onCommitted: (sequence) => this.#committed(sequence),
      onBroken: (why) => void this.#recover(why),
    });
  }

  get state(): string {
    return this.#state;
  }

  /** Takes the partition over and starts loading the events that may have something to do by themselves. */
  async open(): Promise<void> {
    await this.#fence();
    this.#state = 'serving';
    if (!this.#journal.isOpen) await this.#recover('lost while the partition was taken over');
    this.#pool.open();
    this.pump();
  }

  /** Queues a command for its event. `pump()` must follow once the batch it came in is queued. */
  submit({ envelope, replyTo }: Omit<Job, 'receivedAt'>): void {
    const job = { envelope, replyTo, receivedAt: this.#ports.clock.now() };
    if (this.#state === 'released') {
      this.#answerMoved(job);
      return;
    }
    const actor = this.#pool.get(job.envelope.eventKey);
    if (job.envelope.again && this.#isUnderWay(actor, job)) return;
    if (actor.mailbox.length >= mailboxCommandsMax) {
      this.#answerRefused(job.envelope.id, job.replyTo, overloaded);
      return;
    }
    actor.mailbox.push(job);
    this.#enqueue(actor);
  }

  /**
   * Whether the first copy of a command that was sent again still waits here, or its answer does. Then that one counts:
   * what another caller did between two copies, the second must not undo, nor do what the first was refused (I5).
   */
  #isUnderWay(actor: Actor, { envelope, replyTo }: Job): boolean {
    const frontDoor = frontDoorOf(replyTo);
    const isTwin = (id: number, to: string): boolean => id === envelope.id && frontDoorOf(to) === frontDoor;
    if (actor.mailbox.some((job) => isTwin(job.envelope.id, job.replyTo))) return true;
    const groups = this.#pending.filter((group) => group.actor === actor);
    return groups.some(({ replies }) => replies.some(({ reply, replyTo: to }) => isTwin(reply.id, to)));
  }

  /** Nothing waits and nothing is in flight. */
  isIdle(): boolean {
    return this.#pending.length === 0 && this.#ready.length === 0;
  }

  /** The connection was lost: what is in flight has an unknown end. */
  connectionLost(): void {
    this.#journal.breakOff('the NATS connection was lost');
  }

  /** Stores a snapshot of every settled event that has changed since its last one; for a graceful stop. */
  snapshotAll(): Promise<void> {
    return this.#pool.storeAll();
  }

  #enqueue(actor: Actor): void {
    if (actor.queued || actor.phase !== 'ready') return;
    actor.queued = true;
    this.#ready.push(actor);
  }

  /** Cuts and appends groups while the window has room. */
  pump(): void {
    while (this.#state === 'serving' && this.#journal.isOpen && this.#journal.inFlight < appendWindow) {
      const actor = this.#ready.shift();
      if (!actor) return;
      actor.queued = false;
      if (!this.#pool.has(actor)) continue;
      if (actor.groupsInFlight >= appendWindowPerEvent) {
        actor.gathering = true;
        continue;
      }
      this.#perform(actor);
      if (actor.mailbox.length > 0) this.#enqueue(actor);
    }
  }

  /**
   * A bug in here must not leave a state that the journal knows nothing of (I2), nor end up in whoever called. Who waits
   * is told of it, and the journal is fenced, since an append may be half done; behind the fence the event is reloaded.
   */
  #perform(actor: Actor): void {
    let replies: PendingReply[] = [];
    try {
      const made = cut(actor, this.#ports.clock.now());
      replies = made.replies;
      this.#stage(actor, made);
    } catch (error) {
      this.#ports.log.error({ err: error, eventKey: actor.eventKey }, 'a group could not be made');
      for (const { replyTo, reply } of replies) this.#answerRefused(reply.id, replyTo, internalError);
      for (const { replyTo, envelope } of actor.mailbox.splice(0)) {
        this.#answerRefused(envelope.id, replyTo, internalError);
      }
      actor.phase = 'faulty';
      this.#faulty.add(actor);
      this.#journal.breakOff('a group could not be made');
    }
  }

  #stage(actor: Actor, { at, records, replies }: Cut): void {
    if (records.length === 0) {
      const last = this.#pending.findLast((group) => group.actor === actor);
      if (last) last.replies.push(...replies);
      else for (const reply of replies) this.#ports.reply(reply);
      return;
    }
    const state = actor.state!;
    const name = this.#journal.nextGroup();
    const group = { v: 1 as const, ...name, at, plan: state.plan.hash, records };
    const sequence = this.#journal.append(actor.eventKey, group);
    const change = changeOf(actor, records, state.version, sequence, at);
    advance(state, sequence);
    actor.groupsInFlight++;
    actor.groupsSinceSnapshot++;
    this.#pending.push({ ...name, sequence, actor, replies, change, snapshot: this.#snapshotIfDue(actor, at) });
    this.#pool.arm(actor);
  }

  #snapshotIfDue(actor: Actor, at: number): FrozenSnapshot | null {
    const due = actor.groupsSinceSnapshot >= snapshotEveryGroups || at - actor.snapshotAt >= snapshotEveryMs;
    if (!due) return null;
    actor.groupsSinceSnapshot = 0;
    actor.snapshotAt = at;
    return freeze(actor.state!);
  }

  #committed(sequence: number): void {
    const group = this.#pending.shift()!;
    if (group.sequence !== sequence) throw new Error(`commit of ${sequence} where ${group.sequence} was due`);
    this.#settle(group);
    this.pump();
  }

  #settle(group: PendingGroup): void {
    const { actor } = group;
    actor.groupsInFlight--;
    if (actor.gathering) {
      actor.gathering = false;
      this.#enqueue(actor);
    }
    // The change first: whoever reads the map right after his answer finds his own hold on it.
    this.#ports.publishChange(actor.eventKey, group.change);
    for (const reply of group.replies) this.#ports.reply(reply);
    if (group.snapshot) void this.#pool.store(actor, group.snapshot);
  }

  async #recover(why: string): Promise<void> {
    if (this.#state !== 'serving') return;
    this.#state = 'recovering';
    this.#ports.log.warn({ why, groups: this.#pending.length }, 'journal broken, reconciling with the stream');
    do {
      const owned = await this.#fence();
      await this.#settlePending();
      if (!owned) {
        this.#release();
        return;
      }
      // The connection may have been lost again meanwhile.
    } while (!this.#journal.isOpen);
    this.#state = 'serving';
    this.#ports.log.info('journal reconciled');
    this.pump();
  }

  /** Behind a fence: what landed was committed, and after the first that did not none did. */
  async #settlePending(): Promise<void> {
    const unsettled = this.#pending;
    this.#pending = [];
    let landed = true;
    for (const group of unsettled) {
      landed &&= await this.#untilReached('the end of an append cannot be read yet', () => this.#journal.landed(group));
      if (landed) this.#settle(group);
      else this.#undo(group);
    }
    for (const actor of this.#faulty) if (this.#pool.has(actor)) this.#pool.reload(actor);
    this.#faulty.clear();
  }

  /** False when another owner has taken the partition. */
  async #fence(): Promise<boolean> {
    const opened = await this.#untilReached('partition cannot be fenced yet', () => this.#journal.open());
    return opened !== null;
  }

  /** Tries again until the stream can be reached. */
  async #untilReached<T>(failure: string, ask: () => Promise<T>): Promise<T> {
    for (;;) {
      await this.#ports.connected();
      try {
        return await ask();
      } catch (error) {
        this.#ports.log.warn({ err: error }, failure);
        await pause(this.#ports.clock, retryPauseMs);
      }
    }
  }

  #undo(group: PendingGroup): void {
    for (const { replyTo, reply } of group.replies) {
      this.#ports.reply({ replyTo, reply: { id: reply.id, kind: 'moved' } });
    }
    if (this.#pool.has(group.actor)) this.#pool.reload(group.actor);
  }

  #release(): void {
    this.#state = 'released';
    this.#ports.log.warn('another owner has taken this partition');
    this.#pool.close();
    this.#ready.length = 0;
    this.#ports.released();
  }

  #answerMoved({ envelope, replyTo }: Job): void {
    this.#ports.reply({ replyTo, reply: { id: envelope.id, kind: 'moved' } });
  }

  #answerRefused(id: number, replyTo: string, { refusal }: { refusal: Refusal }): void {
    this.#ports.reply({ replyTo, reply: { id, kind: 'refused', refusal } });
  }
}

function changeOf(actor: Actor, records: JournalRecord[], from: number, to: number, at: number): FeedChange {
  const change: FeedChange = { from, to, at, ...changedUnits(actor.state!, records) };
  const turned = records.findLast((record) => record.type === 'status-set');
  if (turned) change.eventStatus = turned.status;
  return change;
}
