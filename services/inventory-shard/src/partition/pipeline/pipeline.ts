/**
 * The pipeline of one partition, between its actors and its journal. It decides which actor is cut next, and ends the
 * commits in flight (commits.ts). Only `reconcile` awaits: the partition runs it behind a fence, and cuts nothing.
 *
 * A group is staged: decided, applied to the actor's state, and added to the open commit as a part. `pump` appends the
 * open commit before it returns. Later each part is settled (its change is published, its callers are answered) or
 * undone (its callers are answered `moved`, its actor is dropped with every group built on it).
 *
 * If the journal breaks while a commit is open, the commit is never sent, and its parts are undone behind the fence. If
 * the append throws, all its callers get `internal_error`. If a part cannot be encoded, only the callers of its event
 * get `internal_error`: the other parts of the commit go on.
 *
 * The partitions of a process share the turn of its event loop (loop-turn.ts). When the turn is over, the actors in
 * line keep their places for the next turn.
 *
 * A caller that archives an event is answered only after the event's snapshot is stored as well. No other caller waits
 * for the snapshot. A copy of the call that comes meanwhile finds the first call under way. If the store fails, the
 * event is archived all the same: the caller is answered `moved` and asks again under the same name, and the snapshot
 * is tried again when no group of the event is in flight.
 */

import type { Answer } from '@parterre/shared/protocol/commands';
import type { FeedChange } from '@parterre/shared/protocol/feed-change';
import { encodePart, linkAfter } from '@parterre/shared/protocol/journal/messages';
import { appendWindow } from '@parterre/shared/protocol/limits';
import type { Part } from '@parterre/shared/protocol/records';
import { type FrozenSnapshot, freeze, type Journal } from '../../journal/journal.ts';
import type { Readers } from '../../readers/event-readers.ts';
import { Readings } from '../../readers/readings.ts';
import { closeGroup, feedChangeOf, isDue, movesChart } from '../../rules/turn/turn.ts';
import { type Actor, type Cut, cut, isToChange, type PendingReply, type RuleFault } from '../actor.ts';
import type { ActorPool, PoolPorts } from '../actor-pool.ts';
import { appendWindowPerEvent, mailboxCommandsMax } from '../bounds.ts';
import { type CertainAnswers, StoredAnswers } from '../certain-answers.ts';
import { endAppend } from '../command-spans.ts';
import { type Figures, placesIn } from '../figures.ts';
import type { Pledges } from '../intake/pledges.ts';
import { isSnapshotDue } from '../snapshot-need.ts';
import { Commits, type PendingCommit, type PendingPart, repliesOf } from './commits.ts';
import { FaultyActors, internalError } from './faulty-actors.ts';

/** The pipeline's needs from outside. */
export type PipelinePorts = Pick<PoolPorts, 'clock' | 'log' | 'memory' | 'reply' | 'shared' | 'turn'> & {
  publishChange(eventKey: string, change: FeedChange): void;
  readers: Pick<Readers, 'read'>;
  /** As in bounds.ts, unless it is set. */
  sharedCommitsInFlightMax?: number;
};

export type PipelineParts = {
  journal: Journal;
  pool: ActorPool;
  answers: CertainAnswers;
  pledges: Pick<Pledges, 'pledge'>;
  figures: Figures;
  /** Whether the partition may cut groups now. */
  mayCut(): boolean;
};

/**
 * The actors of one partition with work, in the order in which they are cut. Events that change in steps have a line of
 * their own (actor.ts). Only the first event of that line takes steps: a change may need as much memory as the event.
 * Its steps and the cuts of other events take turns.
 */
class ActorLine {
  readonly #ready: Actor[] = [];
  /** Actors that are changing or will be, one after the other. They count as queued. */
  readonly #changing: Actor[] = [];
  #stepIsNext = false;

  get size(): number {
    return this.#ready.length + this.#changing.length;
  }

  /** Adds an actor that is ready, changing, or has an anchor, unless it stands in line. */
  add(actor: Actor): void {
    if (actor.queued || (actor.phase !== 'ready' && actor.phase !== 'changing' && !actor.anchor)) return;
    actor.queued = true;
    this.#ready.push(actor);
  }

  /** An actor whose change goes on. The actor that took a step stays the first. */
  addChanging(actor: Actor, isFirst: boolean): void {
    actor.queued = true;
    if (isFirst) this.#changing.unshift(actor);
    else this.#changing.push(actor);
  }

  /** The next actor; null when it has moved to the line of changes. Call this only with actors in line. */
  next(): { actor: Actor; isStep: boolean } | null {
    const isStep = this.#changing.length > 0 && (this.#stepIsNext || this.#ready.length === 0);
    this.#stepIsNext = !isStep;
    const actor = (isStep ? this.#changing : this.#ready).shift()!;
    if (isStep || !isToChange(actor)) return { actor, isStep };
    this.#changing.push(actor);
    return null;
  }

  clear(): void {
    this.#ready.length = 0;
    this.#changing.length = 0;
  }
}

export class Pipeline {
  readonly #ports: PipelinePorts;
  readonly #parts: PipelineParts;
  readonly #line = new ActorLine();
  readonly #commits: Commits;
  readonly #faulty: FaultyActors;
  readonly #storing: StoredAnswers<Actor>;
  readonly #readings: Readings<Actor, PendingPart>;
  readonly #goOn = (): void => this.pump();
  readonly #isTurnOver = (): boolean => this.#ports.turn.isOver();
  readonly #isClockConfirmed = (): boolean => this.#ports.clock.isConfirmed?.() === true;

  constructor(ports: PipelinePorts, parts: PipelineParts) {
    this.#ports = ports;
    this.#parts = parts;
    this.#faulty = new FaultyActors(ports, parts);
    this.#commits = new Commits(parts.journal, ports.sharedCommitsInFlightMax);
    this.#storing = new StoredAnswers(ports.reply);
    this.#readings = new Readings(ports, parts.answers, (actor) => this.wake(actor));
  }

  isBusy(): boolean {
    return this.#line.size + this.#readings.size > 0 || this.#commits.oldest !== undefined;
  }

  /** Searches the answers that wait for this actor's groups and snapshots. */
  find(actor: Actor, matches: (pending: PendingReply) => boolean): PendingReply | undefined {
    return (
      this.#commits.find(actor, matches) ?? this.#storing.find(actor, matches) ?? this.#readings.find(actor, matches)
    );
  }

  wake(actor: Actor): void {
    this.enqueue(actor);
    this.pump();
  }

  /** Puts a ready or changing actor in line. */
  enqueue(actor: Actor): void {
    this.#line.add(actor);
  }

  /** Cuts groups and appends commits while the window has room and the turn is not over. */
  pump(): void {
    const { turn } = this.#ports;
    while (this.#line.size > 0 && this.#mayCut()) {
      if (turn.isOver()) {
        turn.goOn(this.#goOn);
        break;
      }
      const next = this.#line.next();
      if (next) this.#cut(next.actor, next.isStep);
    }
    this.#appendOpen();
  }

  #cut(actor: Actor, isStep: boolean): void {
    actor.queued = false;
    if (!this.#parts.pool.has(actor)) return;
    if (actor.anchor) {
      this.#addAnchor(actor, actor.anchor);
      return;
    }
    if (actor.groupsInFlight >= appendWindowPerEvent) {
      actor.gathering = true;
      return;
    }
    this.#perform(actor);
    if (actor.phase === 'changing') this.#line.addChanging(actor, isStep);
    else if (actor.mailbox.length > 0) this.enqueue(actor);
  }

  #mayCut(): boolean {
    return (
      this.#parts.mayCut() &&
      this.#parts.journal.isOpen &&
      this.#commits.hasRoom &&
      this.#parts.answers.size < mailboxCommandsMax
    );
  }

  #perform(actor: Actor): void {
    const decidedAt = this.#ports.clock.elapsed();
    const { mailbox } = actor;
    if (mailbox.length > 0) this.#parts.figures.waits.note(decidedAt - mailbox[0]!.receivedAt);
    let made: Cut;
    try {
      made = cut(actor, this.#ports.clock.now(), decidedAt, this.#isTurnOver, this.#isClockConfirmed);
    } catch (error) {
      this.#faulty.onRuleFault(actor, error as RuleFault);
      return;
    }
    if (actor.phase === 'changing') return;
    this.#parts.figures.noteAnswers(made);
    this.#parts.pledges.pledge(actor, made.replies, decidedAt);
    this.#ports.memory.troubles.clear(actor.eventKey);
    if (made.records.length > 0) this.#addPart(actor, made, decidedAt);
    else this.#endWithoutRecords(actor, made, decidedAt);
    if (actor.reads.length > 0) this.#read(actor, decidedAt);
  }

  #read(actor: Actor, decidedAt: number): void {
    // The reload of a faulty actor answers its reads.
    if (actor.phase !== 'ready' || !actor.state) return;
    if (isDue(actor.state, Math.max(actor.state.at, this.#ports.clock.now()))) this.enqueue(actor);
    else this.#readings.read(actor, decidedAt, this.#commits.lastOf(actor));
  }

  #endWithoutRecords(actor: Actor, made: Cut, decidedAt: number): void {
    // The timer fired early, or the clock was set back before the cut. The deadline still stands.
    if (actor.state && !actor.cancelTimer) this.#parts.pool.arm(actor);
    this.#answer(actor, made, decidedAt);
    if (this.#ports.shared.due !== actor.eventKey) return;
    // A part without records leaves the event's time as it is.
    this.#addPart(actor, { at: actor.state!.at, records: [], replies: [], archives: false }, decidedAt);
  }

  #addPart(actor: Actor, { at, records, replies, archives }: Cut, decidedAt: number): void {
    const { eventKey } = actor;
    const state = actor.state!;
    const from = state.version;
    const data = this.#encode(
      { event: eventKey, from, at, plan: state.plan.hash, link: actor.link, records },
      actor,
      replies,
    );
    if (!data) return;
    if (records[0]) this.#ports.memory.troubles.tellClockSet(eventKey, records[0], at);
    const isAnchor = this.#ports.shared.due === eventKey;
    const isAlone = isAnchor || records[0]?.type === 'created';
    if (this.#commits.isFullFor(actor, data, isAlone)) this.#appendOpen();
    const sequence = this.#faulty.nextSequence(actor, from, replies);
    if (sequence === null) return;
    const isWatched = decidedAt < actor.watchedUntil;
    const change = isWatched ? feedChangeOf(state, records, { from, to: sequence, at }) : null;
    closeGroup(state, sequence);
    actor.link = linkAfter(data);
    actor.groupsInFlight++;
    actor.tail.groups++;
    actor.tail.bytes += data.length;
    const snapshot = this.#snapshotIfDue(actor, at, archives || movesChart(records));
    if (isAnchor) this.#ports.shared.anchoring(eventKey, sequence);
    // The fields are written one by one: V8 takes almost a microsecond for each field after a spread.
    const { link } = actor;
    const places = placesIn(records);
    this.#commits.add({
      eventKey,
      data,
      link,
      actor,
      replies,
      behind: [],
      change,
      snapshot,
      archives,
      isAlone,
      places,
    });
    this.#parts.pool.arm(actor);
    if (this.#commits.isComplete) this.#appendOpen();
  }

  /**
   * Appends commits without a part while nobody else has work, up to this sequence. True when they have been sent: the
   * next sequence is higher.
   */
  fill(to: number): boolean {
    const { journal, mayCut } = this.#parts;
    while (journal.nextSequence <= to) {
      if (this.#line.size > 0 || !mayCut() || !journal.isOpen || journal.inFlight >= appendWindow) return false;
      this.#appendCommit([]);
    }
    return true;
  }

  /** The event is not loaded. It is brought back behind the anchor, or behind the part that reopens the event. */
  #addAnchor(actor: Actor, anchor: Part): void {
    const { eventKey } = actor;
    actor.anchor = null;
    actor.phase = 'faulty';
    const data = this.#encode(anchor, actor, []);
    if (!data) return;
    this.#appendOpen();
    const sequence = this.#faulty.nextSequence(actor, anchor.from, []);
    if (sequence === null) return;
    actor.groupsInFlight++;
    if (anchor.records.length === 0) this.#ports.shared.anchoring(eventKey, sequence);
    const change = { from: anchor.from, to: sequence, at: anchor.at, units: [], statuses: [] };
    const part = { eventKey, data, link: linkAfter(data), actor, replies: [], behind: [], change, snapshot: null };
    this.#commits.add({ ...part, archives: false, isAlone: true, places: null });
    this.#appendOpen();
  }

  /** Null for a part that cannot be encoded. Its event is folded anew behind its parts in flight. */
  #encode(part: Part, actor: Actor, replies: PendingReply[]): Uint8Array | null {
    try {
      return encodePart(part);
    } catch (error) {
      this.#ports.log.error({ err: error, eventKey: actor.eventKey }, 'a commit group could not be encoded');
      this.#faulty.answerAll(replies, internalError);
      actor.phase = 'faulty';
      this.#faulty.reload(actor);
      return null;
    }
  }

  #appendOpen(): void {
    const parts = this.#commits.takeOpen();
    if (parts.length > 0) this.#appendCommit(parts);
  }

  #appendCommit(parts: PendingPart[]): void {
    const { journal } = this.#parts;
    try {
      if (journal.isOpen) this.#commits.append(parts);
      else this.#dropAll(parts, { kind: 'moved' }, 'the journal broke in the turn');
    } catch (error) {
      // The append may be half done, so the journal is fenced.
      const why = 'a commit could not be appended';
      this.#ports.log.error({ err: error, events: parts.map(({ eventKey }) => eventKey) }, why);
      this.#dropAll(parts, internalError, why);
    }
  }

  #dropAll(parts: readonly PendingPart[], answer: Answer, why: string): void {
    for (const part of parts) {
      this.#faulty.fenceOff(part.actor, repliesOf(part), answer, why);
      this.#readings.onUndone(part.actor, part);
      // The part may have landed. Then it is settled behind the fence, without answers.
      part.replies = [];
      part.behind = [];
      part.archives = false;
    }
  }

  /** Answers commands without records: reads, refusals, and repeated calls. */
  #answer(actor: Actor, { replies, archives }: Cut, decidedAt: number): void {
    const last = this.#commits.lastOf(actor);
    if (archives && (last || actor.storedVersion !== actor.state!.version)) {
      const stored = last ? Promise.resolve(false) : this.#parts.pool.store(actor, freeze(actor.state!, actor.link));
      void this.#storing.send(actor, replies.pop()!, stored);
    }
    if (replies.length === 0) return;
    if (last) last.behind.push({ decidedAt, replies });
    else this.#parts.answers.send(replies, decidedAt);
  }

  #snapshotIfDue(actor: Actor, at: number, isRequired: boolean): FrozenSnapshot | null {
    if (!isRequired && !isSnapshotDue(actor.tail, actor.state!, at)) return null;
    actor.tail = { groups: 0, bytes: 0, since: at };
    return freeze(actor.state!, actor.link);
  }

  onCommitted(sequence: number): void {
    const commit = this.#commits.shift()!;
    if (commit.sequence !== sequence) throw new Error(`commit of ${sequence} where ${commit.sequence} was due`);
    this.#settle(commit);
    this.#parts.pool.noteCommitted(sequence);
    this.#parts.answers.onConfirmed();
    this.#parts.pool.index.rouseDue();
    this.pump();
  }

  #settle({ sequence, parts, traced }: PendingCommit): void {
    if (traced) endAppend(traced);
    this.#ports.shared.add(sequence, parts);
    for (const part of parts) this.#settlePart(part, sequence);
  }

  #settlePart(part: PendingPart, sequence: number): void {
    const { actor } = part;
    actor.groupsInFlight--;
    actor.acknowledged = { sequence, link: part.link };
    if (part.places !== null) this.#parts.figures.notePlaces(part.places);
    if (actor.gathering) {
      actor.gathering = false;
      this.enqueue(actor);
    }
    if (part.change) this.#ports.publishChange(actor.eventKey, part.change);
    const stored = part.snapshot && this.#parts.pool.store(actor, part.snapshot);
    if (stored && part.archives) void this.#storing.send(actor, part.replies.pop()!, stored);
    for (const pending of part.replies) {
      pending.reply.version = sequence;
      this.#ports.reply(pending);
    }
    for (const { replies, decidedAt } of part.behind) this.#parts.answers.send(replies, decidedAt);
    this.#readings.onSettled(actor, part);
    this.#faulty.reload(actor);
  }

  /**
   * Ends all commits in flight, behind a fence. Commits that landed are settled. After the first commit that did not
   * land, no commit did. `hasLanded` resolves with null when the owner's term is over and the log can no longer tell.
   */
  async reconcile(hasLanded: (commit: PendingCommit) => Promise<boolean | null>): Promise<void> {
    let landed: boolean | null = true;
    for (let commit = this.#commits.oldest; commit; commit = this.#commits.oldest) {
      landed &&= await hasLanded(commit);
      if (landed === null) return;
      // Until here, a copy of one of the commit's commands finds the command under way.
      this.#commits.shift();
      if (landed) this.#settle(commit);
      else this.#undoCommit(commit);
    }
    this.#faulty.reloadAll();
  }

  #undoCommit({ parts, traced }: PendingCommit): void {
    if (traced) endAppend(traced, 'the append did not land');
    for (const part of parts) this.#undo(part);
  }

  #undo(part: PendingPart): void {
    this.#faulty.answerAll(repliesOf(part), { kind: 'moved' });
    this.#readings.onUndone(part.actor, part);
    if (this.#parts.pool.has(part.actor)) this.#parts.pool.reload(part.actor);
  }

  close(): void {
    this.#readings.giveUp();
    this.#line.clear();
  }
}
