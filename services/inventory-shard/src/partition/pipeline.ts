/**
 * The pipeline of one partition, between its actors and its journal. It decides which actor is cut next, keeps the
 * groups in flight, and ends each of them. Everything is synchronous except `reconcile`, which the partition runs
 * behind a fence while nothing may be cut.
 *
 * A group is staged: decided, applied to the actor's state, and appended. Later it is settled (its change is published,
 * its callers are answered) or undone (its callers are answered `moved`, its actor is dropped with every group built on
 * it).
 *
 * The partitions of a process share the turn of its event loop (loop-turn.ts). When the turn is over, the actors in line
 * keep their places for the next turn.
 *
 * A change of chart takes many steps (actor.ts). Events that change their chart have a line of their own. Only the first
 * event of the line takes steps, since a change may need as much memory as the event. Its steps and the cuts of other
 * events take turns.
 *
 * Reads that left the mailbox are made by readers, off this way (readers/readings.ts).
 *
 * A caller that archives an event is answered only after the event's snapshot is stored as well. No other caller waits
 * for the snapshot. A copy of the call that comes meanwhile finds the first call under way. If the store fails, the
 * event is archived all the same: the caller is answered `moved` and asks again under the same name, and the snapshot
 * is tried again when no group of the event is in flight.
 */
import type { Answer } from '@parterre/shared/commands';
import { refuse } from '@parterre/shared/errors';
import type { FeedChange } from '@parterre/shared/feed-change';
import { appendWindow } from '@parterre/shared/limits';
import { type FrozenSnapshot, freeze, type Journal } from '../journal/journal.ts';
import { type Readers, Readings } from '../readers/readers.ts';
import { closeGroup, feedChangeOf, isDue, movesChart } from '../rules/turn/turn.ts';
import { type Actor, type Cut, cut, isToChange, type PendingReply, type RuleFault, replyOf } from './actor.ts';
import type { ActorPool, PoolPorts } from './actor-pool.ts';
import { appendWindowPerEvent, mailboxCommandsMax } from './bounds.ts';
import { type CertainAnswers, type Decided, findIn } from './certain-answers.ts';
import type { LoopTurn } from './loop-turn.ts';
import { isSnapshotDue } from './snapshot-need.ts';

export type PendingGroup = {
  epoch: number;
  n: number;
  sequence: number;
  actor: Actor;
  /** Replies to the commands whose records are in the group. */
  replies: PendingReply[];
  /** Reads and refusals that were decided on the state after the group. */
  behind: Decided[];
  /** Null if no front door watches the event. */
  change: FeedChange | null;
  snapshot: FrozenSnapshot | null;
  /** The last reply waits for the snapshot. */
  archives: boolean;
};

/** The pipeline's needs from outside. */
export type PipelinePorts = Pick<PoolPorts, 'clock' | 'log' | 'memory' | 'reply'> & {
  /** Shared by all partitions of the process, as `readers` are. */
  turn: LoopTurn;
  publishChange(eventKey: string, change: FeedChange): void;
  readers: Pick<Readers, 'read'>;
};

export type PipelineParts = {
  journal: Journal;
  pool: ActorPool;
  answers: CertainAnswers;
  /** Whether the partition may cut groups now. */
  mayCut(): boolean;
};

const { refusal: internalError } = refuse(
  'internal_error',
  'The server has a fault. The fault is in the log of the inventory shard.',
);

export class Pipeline {
  readonly #ports: PipelinePorts;
  readonly #parts: PipelineParts;
  readonly #ready: Actor[] = [];
  /** Actors that are changing or will be, one after the other. They count as queued. */
  readonly #changing: Actor[] = [];
  #stepIsNext = false;
  #pending: PendingGroup[] = [];
  /** Actors with a group whose append may be half done. They are reloaded behind the next fence. */
  readonly #faulty = new Set<Actor>();
  /** Answers that wait until a snapshot is stored. */
  readonly #storing = new Set<{ actor: Actor; pending: PendingReply }>();
  readonly #readings: Readings<Actor, PendingGroup>;
  readonly #goOn = (): void => this.pump();
  readonly #isTurnOver = (): boolean => this.#ports.turn.isOver();
  readonly #isClockConfirmed = (): boolean => this.#ports.clock.isConfirmed?.() === true;

  constructor(ports: PipelinePorts, parts: PipelineParts) {
    this.#ports = ports;
    this.#parts = parts;
    this.#readings = new Readings(ports, parts.answers, (actor) => this.wake(actor));
  }

  isBusy(): boolean {
    return this.#pending.length + this.#ready.length + this.#changing.length + this.#readings.size > 0;
  }

  /** Searches the answers that wait for this actor's groups and snapshots. */
  find(actor: Actor, matches: (pending: PendingReply) => boolean): PendingReply | undefined {
    for (const group of this.#pending) {
      if (group.actor !== actor) continue;
      const found = group.replies.find(matches) ?? findIn(group.behind, matches);
      if (found) return found;
    }
    for (const { actor: other, pending } of this.#storing) if (other === actor && matches(pending)) return pending;
    return this.#readings.find(actor, matches);
  }

  wake(actor: Actor): void {
    this.enqueue(actor);
    this.pump();
  }

  /** Puts a ready or changing actor in line. */
  enqueue(actor: Actor): void {
    if (actor.queued || (actor.phase !== 'ready' && actor.phase !== 'changing')) return;
    actor.queued = true;
    this.#ready.push(actor);
  }

  /** Cuts and appends groups while the window has room and the turn is not over. */
  pump(): void {
    const { turn } = this.#ports;
    while (this.#ready.length + this.#changing.length > 0 && this.#mayCut()) {
      if (turn.isOver()) {
        turn.goOn(this.#goOn);
        break;
      }
      const isStep = this.#changing.length > 0 && (this.#stepIsNext || this.#ready.length === 0);
      this.#stepIsNext = !isStep;
      const actor = (isStep ? this.#changing : this.#ready).shift()!;
      if (!isStep && isToChange(actor)) this.#changing.push(actor);
      else this.#cut(actor, isStep);
    }
  }

  #cut(actor: Actor, isFirst: boolean): void {
    actor.queued = false;
    if (!this.#parts.pool.has(actor)) return;
    if (actor.groupsInFlight >= appendWindowPerEvent) {
      actor.gathering = true;
      return;
    }
    this.#perform(actor);
    if (actor.phase === 'changing') {
      actor.queued = true;
      if (isFirst) this.#changing.unshift(actor);
      else this.#changing.push(actor);
    } else if (actor.mailbox.length > 0) this.enqueue(actor);
  }

  #mayCut(): boolean {
    return (
      this.#parts.mayCut() &&
      this.#parts.journal.isOpen &&
      this.#parts.journal.inFlight < appendWindow &&
      this.#parts.answers.size < mailboxCommandsMax
    );
  }

  #perform(actor: Actor): void {
    const decidedAt = this.#ports.clock.elapsed();
    let made: Cut;
    try {
      made = cut(actor, this.#ports.clock.now(), decidedAt, this.#isTurnOver, this.#isClockConfirmed);
    } catch (error) {
      this.#onRuleFault(actor, error as RuleFault);
      return;
    }
    if (actor.phase === 'changing') return;
    this.#ports.memory.troubles.clear(actor.eventKey);
    try {
      this.#stage(actor, made, decidedAt);
    } catch (error) {
      // An append may be half done, so the journal is fenced.
      const why = 'a commit group could not be appended';
      this.#ports.log.error({ err: error, eventKey: actor.eventKey }, why);
      this.#fenceOff(actor, made.replies, { kind: 'refused', refusal: internalError }, why);
    }
    if (actor.reads.length > 0) this.#read(actor, decidedAt);
  }

  #read(actor: Actor, decidedAt: number): void {
    // The reload of a faulty actor answers its reads.
    if (actor.phase !== 'ready' || !actor.state) return;
    if (isDue(actor.state, Math.max(actor.state.at, this.#ports.clock.now()))) this.enqueue(actor);
    else this.#readings.read(actor, decidedAt, this.#lastGroupOf(actor));
  }

  /**
   * A bug in a rule must not leave a state that the journal does not have (I2). Nothing of this cut was appended. The
   * caller of the faulty command gets `internal_error`. The actor waits for its groups in flight; then the event is
   * folded anew, and the callers of its other commands ask again. No other event is touched.
   */
  #onRuleFault(actor: Actor, { job, message, cause }: RuleFault): void {
    const { log, reply } = this.#ports;
    log.error({ err: cause, eventKey: actor.eventKey, command: job?.envelope.command.type ?? null }, message);
    actor.phase = 'faulty';
    if (job) {
      actor.mailbox.splice(actor.mailbox.indexOf(job), 1);
      reply({ replyTo: job.replyTo, reply: replyOf(job.envelope, { kind: 'refused', refusal: internalError }) });
    } else {
      // No command is to blame, and the same changes are due after the reload: the event waits between two tries.
      this.#ports.memory.troubles.note(actor.eventKey, this.#parts.pool, cause);
    }
    if (actor.groupsInFlight === 0) this.#parts.pool.reload(actor);
  }

  /** The group of these replies is dropped. Behind the fence the event is folded anew, and its other callers ask again. */
  #fenceOff(actor: Actor, replies: PendingReply[], answer: Answer, why: string): void {
    for (const { replyTo, reply } of replies) this.#ports.reply({ replyTo, reply: replyOf(reply, answer) });
    actor.phase = 'faulty';
    this.#faulty.add(actor);
    this.#parts.journal.breakOff(why);
  }

  #stage(actor: Actor, made: Cut, decidedAt: number): void {
    const { at, records, replies, archives } = made;
    if (records.length === 0) {
      // The timer fired early, or the clock was set back before the cut. The deadline still stands.
      if (actor.state && !actor.cancelTimer) this.#parts.pool.arm(actor);
      this.#answer(actor, made, decidedAt);
      return;
    }
    const state = actor.state!;
    this.#ports.memory.troubles.tellClockSet(actor.eventKey, records[0]!, at);
    if (state.version >= this.#parts.journal.nextSequence) {
      this.#fenceOff(actor, replies, { kind: 'moved' }, 'the log has groups of another owner');
      return;
    }
    const { epoch, n } = this.#parts.journal.nextGroup();
    const group = { v: 1 as const, epoch, n, at, plan: state.plan.hash, records };
    const sequence = this.#parts.journal.append(actor.eventKey, group);
    const isWatched = decidedAt < actor.watchedUntil;
    const change = isWatched ? feedChangeOf(state, records, { from: state.version, to: sequence, at }) : null;
    closeGroup(state, sequence);
    actor.groupsInFlight++;
    actor.tail.groups++;
    actor.tail.bytes += this.#parts.journal.lastAppendBytes;
    const snapshot = this.#snapshotIfDue(actor, at, archives || movesChart(records));
    // The fields are written one by one: V8 takes almost a microsecond for each field after a spread.
    this.#pending.push({ epoch, n, sequence, actor, replies, behind: [], change, snapshot, archives });
    this.#parts.pool.arm(actor);
  }

  /** Answers commands without records: reads, refusals, and repeated calls. */
  #answer(actor: Actor, { replies, archives }: Cut, decidedAt: number): void {
    const last = this.#lastGroupOf(actor);
    if (archives && (last || actor.storedVersion !== actor.state!.version)) {
      const stored = last ? Promise.resolve(false) : this.#parts.pool.store(actor, freeze(actor.state!));
      void this.#replyWhenStored(actor, replies.pop()!, stored);
    }
    if (replies.length === 0) return;
    if (last) last.behind.push({ decidedAt, replies });
    else this.#parts.answers.send(replies, decidedAt);
  }

  #lastGroupOf(actor: Actor): PendingGroup | null {
    return this.#pending.findLast((group) => group.actor === actor) ?? null;
  }

  #snapshotIfDue(actor: Actor, at: number, isRequired: boolean): FrozenSnapshot | null {
    if (!isRequired && !isSnapshotDue(actor.tail, actor.state!, at)) return null;
    actor.tail = { groups: 0, bytes: 0, since: at };
    return freeze(actor.state!);
  }

  onCommitted(sequence: number): void {
    const group = this.#pending.shift()!;
    if (group.sequence !== sequence) throw new Error(`commit of ${sequence} where ${group.sequence} was due`);
    this.#settle(group);
    this.#parts.pool.noteCommitted(sequence);
    this.#parts.answers.onConfirmed();
    this.pump();
  }

  #settle(group: PendingGroup): void {
    const { actor } = group;
    actor.groupsInFlight--;
    if (actor.gathering) {
      actor.gathering = false;
      this.enqueue(actor);
    }
    if (group.change) this.#ports.publishChange(actor.eventKey, group.change);
    const stored = group.snapshot && this.#parts.pool.store(actor, group.snapshot);
    if (stored && group.archives) void this.#replyWhenStored(actor, group.replies.pop()!, stored);
    for (const pending of group.replies) {
      pending.reply.version = group.sequence;
      this.#ports.reply(pending);
    }
    for (const { replies, decidedAt } of group.behind) this.#parts.answers.send(replies, decidedAt);
    this.#readings.onSettled(actor, group);
    this.#reloadFaulty(actor);
  }

  /** A faulty actor is reloaded once no group of it is in flight. */
  #reloadFaulty(actor: Actor): void {
    if (actor.phase !== 'faulty' || actor.groupsInFlight > 0 || this.#faulty.has(actor)) return;
    if (this.#parts.pool.has(actor)) this.#parts.pool.reload(actor);
  }

  async #replyWhenStored(actor: Actor, pending: PendingReply, stored: Promise<boolean>): Promise<void> {
    const waiting = { actor, pending };
    this.#storing.add(waiting);
    const isStored = await stored;
    this.#storing.delete(waiting);
    const { replyTo, reply } = pending;
    this.#ports.reply(isStored ? pending : { replyTo, reply: replyOf(reply, { kind: 'moved' }) });
  }

  /**
   * Ends all groups in flight, behind a fence. Groups that landed are committed. After the first group that did not
   * land, no group did. `hasLanded` resolves with null when the owner's term is over and the log can no longer tell.
   */
  async reconcile(hasLanded: (group: PendingGroup) => Promise<boolean | null>): Promise<void> {
    let landed: boolean | null = true;
    for (let group = this.#pending[0]; group; group = this.#pending[0]) {
      landed &&= await hasLanded(group);
      if (landed === null) return;
      // Until here, a copy of one of the group's commands finds the command under way.
      this.#pending.shift();
      if (landed) this.#settle(group);
      else this.#undo(group);
    }
    for (const actor of this.#faulty) if (this.#parts.pool.has(actor)) this.#parts.pool.reload(actor);
    this.#faulty.clear();
  }

  #undo(group: PendingGroup): void {
    for (const replies of [group.replies, ...group.behind.map((each) => each.replies)]) {
      for (const { replyTo, reply } of replies)
        this.#ports.reply({ replyTo, reply: replyOf(reply, { kind: 'moved' }) });
    }
    this.#readings.onUndone(group.actor, group);
    if (this.#parts.pool.has(group.actor)) this.#parts.pool.reload(group.actor);
  }

  close(): void {
    this.#readings.giveUp();
    this.#ready.length = 0;
    this.#changing.length = 0;
  }
}
