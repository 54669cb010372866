/**
 * The pipeline of one partition, between its actors and its journal. It decides which actor is cut next, keeps the
 * groups in flight, and ends each of them. Everything is synchronous except `reconcile`, which the partition runs
 * behind a fence while nothing may be cut.
 *
 * A group is staged: decided, applied to the actor's state, and appended. Later it is settled (its change is published,
 * its callers are answered) or undone (its callers are answered `moved`, its actor is dropped with every group built on
 * it).
 *
 * A change of chart takes longer than other commands, and after a chart is published many changes come at once. The
 * pipeline therefore performs one change of chart in each turn of the event loop, so that other events, beats and
 * timers are not delayed. Events that wait for a change of chart keep their place in line.
 *
 * A caller that archives an event is answered only after the event's snapshot is stored as well. No other caller waits
 * for the snapshot. A copy of the call that comes meanwhile finds the first call under way. If the store fails, the
 * event is archived all the same: the caller is answered `moved` and asks again under the same name, and the snapshot
 * is tried again when no group of the event is in flight.
 */
import { refuse } from '@parterre/shared/errors';
import { appendWindow } from '@parterre/shared/limits';
import type { FeedChange } from '@parterre/shared/records';
import { type FrozenSnapshot, freeze, type Journal } from '../journal/journal.ts';
import { changesChart } from '../rules/chart/chart.ts';
import { closeGroup, feedChangeOf } from '../rules/turn/turn.ts';
import { type Actor, type Cut, cut, type PendingReply, replyOf } from './actor.ts';
import type { ActorPool, PoolPorts } from './actor-pool.ts';
import { appendWindowPerEvent, mailboxCommandsMax, snapshotEveryGroups, snapshotEveryMs } from './bounds.ts';
import { type CertainAnswers, type Decided, findIn } from './certain-answers.ts';

export type PendingGroup = {
  epoch: number;
  n: number;
  sequence: number;
  actor: Actor;
  /** Replies to the commands whose records are in the group. */
  replies: PendingReply[];
  /** Reads and refusals that were decided on the state after the group. */
  behind: Decided[];
  change: FeedChange;
  snapshot: FrozenSnapshot | null;
  /** The last reply waits for the snapshot. */
  archives: boolean;
};

/** The pipeline's needs from outside. */
export type PipelinePorts = Pick<PoolPorts, 'clock' | 'log' | 'reply'> & {
  publishChange(eventKey: string, change: FeedChange): void;
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
  'The server failed to perform the call. The failure is in its log.',
);

export class Pipeline {
  readonly #ports: PipelinePorts;
  readonly #parts: PipelineParts;
  readonly #ready: Actor[] = [];
  #pending: PendingGroup[] = [];
  /**
   * Actors whose state is ahead of the journal. They are reloaded behind the next fence: before it, appends may still
   * land.
   */
  readonly #faulty = new Set<Actor>();
  /** Answers that wait until a snapshot is stored. */
  readonly #storing = new Set<{ actor: Actor; pending: PendingReply }>();
  /** True once the current turn of the event loop has changed a chart. */
  #chartTurnIsTaken = false;

  constructor(ports: PipelinePorts, parts: PipelineParts) {
    this.#ports = ports;
    this.#parts = parts;
  }

  isBusy(): boolean {
    return this.#pending.length > 0 || this.#ready.length > 0;
  }

  /** Searches the answers that wait for this actor's groups and snapshots. */
  find(actor: Actor, matches: (pending: PendingReply) => boolean): PendingReply | undefined {
    for (const group of this.#pending) {
      if (group.actor !== actor) continue;
      const found = group.replies.find(matches) ?? findIn(group.behind, matches);
      if (found) return found;
    }
    for (const { actor: other, pending } of this.#storing) if (other === actor && matches(pending)) return pending;
    return undefined;
  }

  wake(actor: Actor): void {
    this.enqueue(actor);
    this.pump();
  }

  /** Puts a ready actor in line. */
  enqueue(actor: Actor): void {
    if (actor.queued || actor.phase !== 'ready') return;
    actor.queued = true;
    this.#ready.push(actor);
  }

  /** Cuts and appends groups while the window has room. */
  pump(): void {
    const nextTurn: Actor[] = [];
    while (this.#mayCut()) {
      const actor = this.#ready.shift();
      if (!actor) break;
      if (this.#chartTurnIsTaken && changesChartNext(actor)) {
        nextTurn.push(actor);
        continue;
      }
      actor.queued = false;
      if (!this.#parts.pool.has(actor)) continue;
      if (actor.groupsInFlight >= appendWindowPerEvent) {
        actor.gathering = true;
        continue;
      }
      this.#perform(actor);
      if (actor.mailbox.length > 0) this.enqueue(actor);
    }
    this.#ready.unshift(...nextTurn);
  }

  #takeChartTurn(): void {
    this.#chartTurnIsTaken = true;
    this.#ports.clock.after(0, () => {
      this.#chartTurnIsTaken = false;
      this.pump();
    });
  }

  #mayCut(): boolean {
    return (
      this.#parts.mayCut() &&
      this.#parts.journal.isOpen &&
      this.#parts.journal.inFlight < appendWindow &&
      this.#parts.answers.size < mailboxCommandsMax
    );
  }

  /**
   * A bug in a rule must not leave a state that the journal does not have (I2), and must not throw into the pump's
   * caller. Waiting callers get `internal_error`. The journal is fenced, since an append may be half done, and behind
   * the fence the event is reloaded.
   */
  #perform(actor: Actor): void {
    let replies: PendingReply[] = [];
    try {
      const decidedAt = this.#ports.clock.elapsed();
      const made = cut(actor, this.#ports.clock.now(), decidedAt);
      replies = made.replies;
      this.#stage(actor, made, decidedAt);
    } catch (error) {
      this.#ports.log.error({ err: error, eventKey: actor.eventKey }, 'a commit group could not be made');
      for (const { replyTo, reply } of replies) {
        this.#ports.reply({ replyTo, reply: replyOf(reply, { kind: 'refused', refusal: internalError }) });
      }
      for (const { replyTo, envelope } of actor.mailbox.splice(0)) {
        this.#ports.reply({ replyTo, reply: replyOf(envelope, { kind: 'refused', refusal: internalError }) });
      }
      actor.phase = 'faulty';
      this.#faulty.add(actor);
      this.#parts.journal.breakOff('a commit group could not be made');
    }
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
    const { epoch, n } = this.#parts.journal.nextGroup();
    const group = { v: 1 as const, epoch, n, at, plan: state.plan.hash, records };
    const sequence = this.#parts.journal.append(actor.eventKey, group);
    const change = feedChangeOf(state, records, { from: state.version, to: sequence, at });
    closeGroup(state, sequence);
    actor.groupsInFlight++;
    actor.groupsSinceSnapshot++;
    const snapshot = this.#snapshotIfDue(actor, at, archives || change.plan !== undefined);
    if (change.plan !== undefined) this.#takeChartTurn();
    // The fields are written one by one: V8 takes almost a microsecond for each field after a spread.
    this.#pending.push({ epoch, n, sequence, actor, replies, behind: [], change, snapshot, archives });
    this.#parts.pool.arm(actor);
  }

  /** Answers commands without records: reads, refusals, and repeated calls. */
  #answer(actor: Actor, { replies, archives }: Cut, decidedAt: number): void {
    const last = this.#pending.findLast((group) => group.actor === actor);
    if (archives && (last || actor.storedVersion !== actor.state!.version)) {
      const stored = last ? Promise.resolve(false) : this.#parts.pool.store(actor, freeze(actor.state!));
      void this.#replyWhenStored(actor, replies.pop()!, stored);
    }
    if (replies.length === 0) return;
    if (last) last.behind.push({ decidedAt, replies });
    else this.#parts.answers.send(replies, decidedAt);
  }

  #snapshotIfDue(actor: Actor, at: number, isRequired: boolean): FrozenSnapshot | null {
    const due =
      isRequired || actor.groupsSinceSnapshot >= snapshotEveryGroups || at - actor.snapshotAt >= snapshotEveryMs;
    if (!due) return null;
    actor.groupsSinceSnapshot = 0;
    actor.snapshotAt = at;
    return freeze(actor.state!);
  }

  onCommitted(sequence: number): void {
    const group = this.#pending.shift()!;
    if (group.sequence !== sequence) throw new Error(`commit of ${sequence} where ${group.sequence} was due`);
    this.#settle(group);
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
    this.#ports.publishChange(actor.eventKey, group.change);
    const stored = group.snapshot && this.#parts.pool.store(actor, group.snapshot);
    if (stored && group.archives) void this.#replyWhenStored(actor, group.replies.pop()!, stored);
    for (const reply of group.replies) this.#ports.reply(reply);
    for (const { replies, decidedAt } of group.behind) this.#parts.answers.send(replies, decidedAt);
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
    if (this.#parts.pool.has(group.actor)) this.#parts.pool.reload(group.actor);
  }

  close(): void {
    this.#ready.length = 0;
  }
}

function changesChartNext({ mailbox }: Actor): boolean {
  return mailbox[0] !== undefined && changesChart(mailbox[0].envelope.command);
}
