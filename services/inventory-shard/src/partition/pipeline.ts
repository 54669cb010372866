/**
 * The pipeline of one partition, between its actors and its journal: who is cut next, which groups are in flight, and what
 * becomes of them. Synchronous but for `reconcile`, which its partition runs behind a fence while nothing may be cut.
 *
 * A group is staged (decided, applied to the actor's state, appended) and then settled (its change told, its callers
 * answered) or undone (callers told `moved`, its actor dropped with all that was built on it).
 *
 * A change of chart takes longer than other commands, and after a publish many come at once: between two of them the loop
 * is given up, so that other events, beats and timers have theirs. Events that wait for it keep their place in line.
 *
 * Who archives an event is answered once its snapshot is stored too, and nobody else waits for that; a copy of his call
 * meanwhile finds that it is under way. That the store fails changes nothing: the event is archived, its caller is told
 * `moved`, asks again under the same name, and the snapshot is tried again, once no group of the event is in flight.
 */
import { refuse } from '@parterre/shared/errors';
import { appendWindow } from '@parterre/shared/limits';
import type { FeedChange, JournalRecord } from '@parterre/shared/records';
import type { Journal } from '../journal/journal.ts';
import { type FrozenSnapshot, freeze } from '../journal/snapshots.ts';
import { changedScopes } from '../rules/availability/availability.ts';
import { changesChart } from '../rules/chart/chart-update.ts';
import {
  appendWindowPerEvent,
  mailboxCommandsMax,
  snapshotEveryGroups,
  snapshotEveryMs,
} from '../rules/state/bounds.ts';
import { offeredAmong } from '../rules/state/listings.ts';
import { advance } from '../rules/state/state.ts';
import { changedUnits } from '../rules/turn/apply.ts';
import { type Actor, type Cut, cut, type PendingReply, replyOf } from './actor.ts';
import type { ActorPool } from './actor-pool.ts';
import { type CertainAnswers, type Decided, findIn } from './certain-answers.ts';
import type { PartitionPorts } from './partition.ts';

export type PendingGroup = {
  epoch: number;
  n: number;
  sequence: number;
  actor: Actor;
  /** Of the commands whose records are in the group. */
  replies: PendingReply[];
  /** Reads and refusals that have seen the group. */
  behind: Decided[];
  change: FeedChange;
  snapshot: FrozenSnapshot | null;
  /** The last reply waits for the snapshot. */
  archives: boolean;
};

export type PipelineParts = {
  journal: Journal;
  pool: ActorPool;
  answers: CertainAnswers;
  /** Whether the partition may do anything just now. */
  mayCut(): boolean;
};

const { refusal: internalError } = refuse('internal_error', 'Something went wrong here. It has been logged.');

export class Pipeline {
  readonly #ports: PartitionPorts;
  readonly #parts: PipelineParts;
  readonly #ready: Actor[] = [];
  #pending: PendingGroup[] = [];
  /** Whose state is ahead of the journal: reloaded behind the next fence, not before, when appends may still land. */
  readonly #faulty = new Set<Actor>();
  /** Answers that wait for a snapshot. */
  readonly #storing = new Set<{ actor: Actor; pending: PendingReply }>();
  /** A chart was changed in this turn of the loop. */
  #chartTurnIsTaken = false;

  constructor(ports: PartitionPorts, parts: PipelineParts) {
    this.#ports = ports;
    this.#parts = parts;
  }

  isBusy(): boolean {
    return this.#pending.length > 0 || this.#ready.length > 0;
  }

  /** Among the answers that wait for this actor's groups. */
  find(actor: Actor, isIt: (pending: PendingReply) => boolean): PendingReply | undefined {
    for (const group of this.#pending) {
      if (group.actor !== actor) continue;
      const found = group.replies.find(isIt) ?? findIn(group.behind, isIt);
      if (found) return found;
    }
    for (const { actor: whose, pending } of this.#storing) if (whose === actor && isIt(pending)) return pending;
    return undefined;
  }

  wake(actor: Actor): void {
    this.enqueue(actor);
    this.pump();
  }

  /** Puts an actor that can work in line. */
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
   * A bug in here must not leave a state that the journal knows nothing of (I2), nor end up in whoever called. Who waits
   * is told of it, and the journal is fenced, since an append may be half done; behind the fence the event is reloaded.
   */
  #perform(actor: Actor): void {
    let replies: PendingReply[] = [];
    try {
      const decidedAt = this.#ports.clock.elapsed();
      const made = cut(actor, this.#ports.clock.now(), decidedAt);
      replies = made.replies;
      this.#stage(actor, made, decidedAt);
    } catch (error) {
      this.#ports.log.error({ err: error, eventKey: actor.eventKey }, 'a group could not be made');
      for (const { replyTo, reply } of replies) {
        this.#ports.reply({ replyTo, reply: replyOf(reply, { kind: 'refused', refusal: internalError }) });
      }
      for (const { replyTo, envelope } of actor.mailbox.splice(0)) {
        this.#ports.reply({ replyTo, reply: replyOf(envelope, { kind: 'refused', refusal: internalError }) });
      }
      actor.phase = 'faulty';
      this.#faulty.add(actor);
      this.#parts.journal.breakOff('a group could not be made');
    }
  }

  #stage(actor: Actor, made: Cut, decidedAt: number): void {
    const { at, records, replies, archives } = made;
    if (records.length === 0) {
      // Its timer fired early, or the clock was set back before it could be cut: the deadline still stands.
      if (actor.state && !actor.cancelTimer) this.#parts.pool.arm(actor);
      this.#answer(actor, made, decidedAt);
      return;
    }
    const state = actor.state!;
    const { epoch, n } = this.#parts.journal.nextGroup();
    const group = { v: 1 as const, epoch, n, at, plan: state.plan.hash, records };
    const sequence = this.#parts.journal.append(actor.eventKey, group);
    const change = changeOf(actor, records, state.version, sequence, at);
    advance(state, sequence);
    actor.groupsInFlight++;
    actor.groupsSinceSnapshot++;
    const snapshot = this.#snapshotIfDue(actor, at, archives || change.plan !== undefined);
    if (change.plan !== undefined) this.#takeChartTurn();
    // Field by field: V8 takes the better part of a microsecond for each field behind a spread.
    this.#pending.push({ epoch, n, sequence, actor, replies, behind: [], change, snapshot, archives });
    this.#parts.pool.arm(actor);
  }

  /** What has left no record: reads, refusals, calls that were done before. */
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

  #snapshotIfDue(actor: Actor, at: number, isTurn: boolean): FrozenSnapshot | null {
    const due = isTurn || actor.groupsSinceSnapshot >= snapshotEveryGroups || at - actor.snapshotAt >= snapshotEveryMs;
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
   * Behind a fence: what landed was committed, and after the first that did not none did. `hasLanded` resolves with null
   * when the tenure is over: nobody can tell any more.
   */
  async reconcile(hasLanded: (group: PendingGroup) => Promise<boolean | null>): Promise<void> {
    let landed: boolean | null = true;
    for (let group = this.#pending[0]; group; group = this.#pending[0]) {
      landed &&= await hasLanded(group);
      if (landed === null) return;
      // Until here a copy of one of its commands finds that it is under way.
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

function changeOf(actor: Actor, records: JournalRecord[], from: number, to: number, at: number): FeedChange {
  const state = actor.state!;
  const activeHolds = state.holds.active.size;
  const change: FeedChange = { from, to, at, ...changedUnits(state, records), activeHolds };
  const offered = offeredAmong(state, change.units);
  if (offered) change.offered = offered;
  const turned = records.findLast((record) => record.type === 'status-set');
  if (turned) {
    change.eventStatus = turned.status;
    change.salesPaused = turned.salesPaused ?? false;
  }
  const scopes = changedScopes(state, records);
  if (scopes) change.scopes = scopes;
  if (records.some(changesReach)) change.allocation = state.channels.version;
  if (records[0]!.type === 'chart-updated') change.plan = state.plan.hash;
  return change;
}

/** Whether others may select some units than before. */
function changesReach(record: JournalRecord): boolean {
  if (record.type === 'channels-assigned') return record.units.length > 0;
  return record.type === 'channel-state-set' || record.type === 'channel-archived';
}
