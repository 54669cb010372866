/**
 * An event's actor. Only the actor changes the event, one command at a time, in the order of the mailbox.
 *
 * The way of a command: mailbox → due → decide → apply → commit group. `cut` takes the commands that wait in the
 * mailbox, up to the bounds of a group (I8), since a NATS message has a largest size. It decides each command on the
 * state that the commands before it left. That state is speculative: none of it is durable yet. `cut` returns the
 * records of all commands as one commit group, with the replies that wait for the group (I2). A command's records are
 * never split between groups (I4). Nothing awaits in this file: between two cuts an actor is plain data.
 *
 * Some reads leave the mailbox for `reads` and are answered behind the group (readers/readings.ts): large reads, which
 * would take too long here, and reads behind records whose answer names the event's version. A group gets its version
 * after its cut, so these reads would show the new state under the old version.
 *
 * Phases: loading → ready, or loading → creating → ready. A ready or changing actor becomes faulty when its state can
 * no longer be trusted: a rule threw, and may have changed a part of the state. `cut` then throws a `RuleFault` with
 * the command that the rule performed, and leaves every command in the mailbox. actor-pool.ts loads, creates and
 * forgets actors.
 *
 * Ready → changing → ready: the event moves to another chart, a command names many units, or event time is set back, in
 * steps (rules/turn/long-turns.ts). The command of a change begins when nothing is due and it comes first. Each cut
 * takes one step, and other actors are cut between two steps (pipeline.ts). Mailbox and reads wait; the command stays
 * first, so that its copies find it under way. The state stays as it was until the last step, whose cut has the group.
 * The group has the time of the first step. Deadlines that come due meanwhile are due at the next cut. While the
 * partition may cut nothing, the steps wait. They are given up when the actor is dropped (the owner is lost, or an
 * earlier group is undone), when a rule throws, and when the command's deadline passes.
 */
import type { Plan } from '@parterre/shared/charts/plan';
import type { Answer, Command, CommandType, Envelope, Reply } from '@parterre/shared/protocol/commands';
import { type Link, linkOf } from '@parterre/shared/protocol/journal/links';
import {
  commandRecordsBytesMax,
  commandsPerGroupMax,
  groupBytesMax,
  requestDeadlineMs,
  unitsPerGroupMax,
} from '@parterre/shared/protocol/limits';
import type { JournalRecord, Part } from '@parterre/shared/protocol/records';
import type { Steps } from '../rules/packed/packed.ts';
import { isLargeRead, isVersionedRead } from '../rules/reads/event-reads.ts';
import { byOf, type EventState, newState } from '../rules/state/state.ts';
import {
  apply,
  applyConsequences,
  applyDue,
  bytesOfRecord,
  bytesOfRecords,
  decide,
  isDue,
  isInFuture,
  nextDeadline,
  type Performed,
  performInSteps,
  setClock,
  success,
  takesSteps,
  tooLong,
  withNames,
} from '../rules/turn/turn.ts';
import type { CommandSpan } from './command-spans.ts';
import type { SnapshotTail } from './snapshot-need.ts';

/** A command, the subject of its answer, the time when it came (`Clock.elapsed`), and the plan that it names. */
export type Job = {
  envelope: Envelope;
  replyTo: string;
  receivedAt: number;
  plan?: Plan;
  /** Of a traced command. */
  traced?: CommandSpan;
};
/**
 * `command` is the type of the answered command: some refusals get a pledge, and some commands end pledges
 * (intake/pledges.ts).
 */
export type PendingReply = {
  replyTo: string;
  reply: Reply;
  command?: CommandType;
  traced?: CommandSpan | undefined;
};

/** The reply to this copy of a command. */
export function replyOf({ id, copy }: Pick<Envelope, 'id' | 'copy'>, answer: Answer): Reply {
  return copy === undefined ? { id, ...answer } : { id, copy, ...answer };
}

/** The front door that asked, as its reply subject without the number of the batch. */
export function frontDoorOf(replyTo: string): string {
  return replyTo.slice(0, replyTo.lastIndexOf('.'));
}

/**
 * The change under way: its time, and the steps left. `job` is the first command of the mailbox, null for a change that
 * no command makes.
 */
type Change = { job: Job | null; at: number; steps: Steps<Performed> };

export type Actor = {
  readonly eventKey: string;
  phase: 'loading' | 'creating' | 'ready' | 'changing' | 'faulty';
  mailbox: Job[];
  /** Reads from the mailbox that wait for a reader (readers/readings.ts). */
  reads: Job[];
  state: EventState | null;
  /** The event's link behind its last part, in flight or not (I9). */
  link: Link;
  /** The event's last part that the journal acknowledged; null without one. */
  acknowledged: { sequence: number; link: Link } | null;
  /** The plan of a `create` command that waits in the mailbox. */
  planToCreate: Plan | null;
  /** In the phase `changing`. */
  change: Change | null;
  /** The part to append before the load: an anchor (index-keeper.ts), or an accepted loss (acceptance.ts). */
  anchor: Part | null;
  /** An operator's decision has the event: it is loaded when the decision has ended. */
  isHeld: boolean;
  /** Commands and reads that left the mailbox since the load. */
  commands: number;
  /** Groups that are appended and not yet durable. */
  groupsInFlight: number;
  tail: SnapshotTail;
  /** The version of the stored snapshot, 0 without one. */
  storedVersion: number;
  /** Whether the actor stands in the partition's queue of actors with work. */
  queued: boolean;
  /** The actor has work, but enough groups are in flight. Commands that come meanwhile go into its next group. */
  gathering: boolean;
  /** Whether the memory of the event is estimated, or due for a new estimate (event-memory.ts). */
  memory: 'none' | 'estimated' | 'due';
  /** The actor's snapshot is being stored. The pool then forgets the actor, unless it is used before. */
  leaving: boolean;
  /** Until this time (`Clock.elapsed`) the event's changes are published (shared/src/runtime/feed-watch.ts). */
  watchedUntil: number;
  cancelTimer: (() => void) | null;
};

export function newActor(eventKey: string, watchedUntil = 0): Actor {
  return {
    eventKey,
    phase: 'loading',
    mailbox: [],
    reads: [],
    state: null,
    link: linkOf(eventKey),
    acknowledged: null,
    planToCreate: null,
    change: null,
    anchor: null,
    isHeld: false,
    commands: 0,
    groupsInFlight: 0,
    tail: { groups: 0, bytes: 0, since: 0 },
    storedVersion: 0,
    queued: false,
    gathering: false,
    memory: 'none',
    leaving: false,
    watchedUntil,
    cancelTimer: null,
  };
}

/**
 * `archives`: the last reply answers a call that archives the event, whether for the first time or as a repetition.
 * `inSteps`: the type of a command that was carried out in steps, whose reply names none.
 */
export type Cut = {
  at: number;
  records: JournalRecord[];
  replies: PendingReply[];
  archives: boolean;
  inSteps?: CommandType;
};

/**
 * A rule has a bug. `job` is the command that it performed, null for changes that time makes. The cause is the rule's
 * exception.
 */
export class RuleFault extends Error {
  readonly job: Job | null;

  constructor(job: Job | null, cause: unknown) {
    super(`a rule failed on ${job?.envelope.command.type ?? 'due changes'}`, { cause });
    this.job = job;
  }
}

/**
 * `now` is in epoch milliseconds, `elapsed` comes from the same clock. A group's time never goes back, even if the
 * clock does. Only a `clock-set` record sets event time back, where it stands in the future and the clock is confirmed.
 * After the first command the group ends as soon as `isTurnOver` says so. The cut of a changing actor is
 * one step of the change, and empty until the last. Throws a `RuleFault` if a rule throws.
 */
export function cut(
  actor: Actor,
  now: number,
  elapsed: number,
  isTurnOver: () => boolean,
  isClockConfirmed: () => boolean = () => false,
): Cut {
  if (actor.change) return stepOn(actor, actor.change, elapsed);
  if (actor.state && isInFuture(actor.state.at, now) && isClockConfirmed()) {
    return stepOn(actor, begin(actor, null, now, setClock(actor.state, now)), elapsed);
  }
  const at = Math.max(now, actor.state?.at ?? 0);
  const { records, isMoreDue } = actor.state ? dueOf(actor.state, at) : nothingDue();
  const replies: PendingReply[] = [];
  // More is due than one group may hold. Due changes come first: no command may see a hold that should have ended.
  if (isMoreDue) return { at, records, replies, archives: false };
  const group: GroupInMaking = { at, records, counted: 0, units: 0, bytes: 0 };
  let archives = false;
  let reads: Job[] | null = null;
  let taken = 0;
  while (taken < actor.mailbox.length && taken < commandsPerGroupMax) {
    countRecords(group);
    if (group.units >= unitsPerGroupMax || (taken > 0 && isTurnOver())) break;
    const job = actor.mailbox[taken]!;
    const { envelope, replyTo, receivedAt } = job;
    // The caller got 503 by now. If the command took effect after all, it would stand in the way of the caller's next
    // try.
    const isTooLate = elapsed - receivedAt >= requestDeadlineMs;
    if (!isTooLate && actor.state !== null && takesSteps(actor.state, envelope.command)) {
      // The command is alone in its group: the records before it may name units of the old chart, and a group names one
      // plan.
      if (taken > 0 || records.length > 0) break;
      const steps = performInSteps(actor.state, envelope.command, envelope.caller, at, job.plan);
      return stepOn(actor, begin(actor, job, at, steps), elapsed);
    }
    if (!isTooLate && actor.state !== null && isForReader(envelope.command, records)) {
      reads ??= [];
      reads.push(job);
      taken++;
      continue;
    }
    if (job.traced) job.traced.from = records.length;
    const answer: Answer | null = isTooLate ? { kind: 'moved' } : tryPerform(actor, job, group);
    if (!answer) break;
    if (job.traced) job.traced.to = records.length;
    replies.push({ replyTo, reply: replyOf(envelope, answer), command: envelope.command.type, traced: job.traced });
    taken++;
    // The commands that follow would be missing in the archived event's snapshot.
    archives = answer.kind === 'ok' && envelope.command.type === 'move' && envelope.command.move === 'archive';
    if (archives) break;
  }
  actor.mailbox.splice(0, taken);
  actor.commands += taken;
  if (reads) actor.reads.push(...reads);
  return { at, records, replies, archives };
}

function begin(actor: Actor, job: Job | null, at: number, steps: Steps<Performed>): Change {
  actor.phase = 'changing';
  actor.change = { job, at, steps };
  return actor.change;
}

/** Takes a step of the change. The last step, and a change that is given up, leave the actor ready. */
function stepOn(actor: Actor, { job, at, steps }: Change, elapsed: number): Cut {
  const made: Cut = { at, records: [], replies: [], archives: false };
  // The partition has forgotten the command, or its deadline has passed: the caller got 503.
  const isForgotten = job !== null && actor.mailbox[0] !== job;
  const isTooLate = job !== null && elapsed - job.receivedAt >= requestDeadlineMs;
  const step = isForgotten || isTooLate ? null : tryStep(job, steps);
  if (step && !step.done) return made;
  actor.phase = 'ready';
  actor.change = null;
  if (step) made.records = step.value.records;
  if (job === null || isForgotten) return made;
  actor.mailbox.shift();
  actor.commands++;
  made.inSteps = job.envelope.command.type;
  const { replyTo, traced } = job;
  if (traced) traced.to = made.records.length;
  made.replies.push({ replyTo, reply: replyOf(job.envelope, step?.value.answer ?? { kind: 'moved' }), traced });
  return made;
}

function tryStep(job: Job | null, steps: Steps<Performed>): IteratorResult<void, Performed> {
  try {
    return steps.next();
  } catch (error) {
    throw new RuleFault(job, error);
  }
}

function isForReader(command: Command, records: readonly JournalRecord[]): boolean {
  return isLargeRead(command) || (records.length > 0 && isVersionedRead(command));
}

/**
 * `units` and `bytes` (estimated) count the first `counted` records. Each record is counted once, since every hold
 * passes here.
 */
type GroupInMaking = { at: number; records: JournalRecord[]; counted: number; units: number; bytes: number };

function countRecords(group: GroupInMaking): void {
  for (; group.counted < group.records.length; group.counted++) {
    const record = group.records[group.counted]!;
    group.units += unitsIn(record);
    group.bytes += bytesOfRecord(record);
  }
}

function unitsIn(record: JournalRecord): number {
  if (record.type === 'exchanged' || record.type === 'exchanged-with') return record.units.length + record.lines.length;
  if ('lines' in record) return record.lines.length;
  return 'units' in record ? record.units.length : 0;
}

type Due = { records: JournalRecord[]; isMoreDue: boolean };

const nothingDue = (): Due => ({ records: [], isMoreDue: false });

function dueOf(state: EventState, at: number): Due {
  try {
    return { records: applyDue(state, at), isMoreDue: isDue(state, at) };
  } catch (error) {
    throw new RuleFault(null, error);
  }
}

function tryPerform(actor: Actor, job: Job, group: GroupInMaking): Answer | null {
  try {
    return perform(actor, job, group);
  } catch (error) {
    throw new RuleFault(job, error);
  }
}

/** Null for a command whose records do not fit into this group. The command stays for the next group. */
function perform(actor: Actor, { envelope, plan }: Job, group: GroupInMaking): Answer | null {
  const { at, records } = group;
  const { command, caller } = envelope;
  const isNew = !actor.state;
  if (isNew) {
    const created = create(actor, envelope, at);
    if (!created) return { kind: 'absent' };
    records.push(created);
    countRecords(group);
  }
  const decision = decide(actor.state!, command, caller, at, plan);
  if (!decision.ok) return { kind: 'refused', refusal: withNames(actor.state!, caller, decision.refusal) };
  const bytes = bytesOfRecords(decision.records);
  if (bytes > commandRecordsBytesMax) return { kind: 'refused', refusal: tooLong.refusal };
  if (records.length > 0 && group.bytes + bytes > groupBytesMax) return null;
  group.bytes += bytes;
  for (const record of decision.records) {
    apply(actor.state!, record, at, plan);
    records.push(record);
    group.units += unitsIn(record);
  }
  group.counted = records.length;
  applyConsequences(actor.state!, at, records);
  return success(decision.answer, isNew ? records : decision.records);
}

/** The first record of an event, or null when this command does not create the event. */
function create(actor: Actor, { command, caller }: Envelope, at: number): JournalRecord | null {
  if (command.type !== 'create' || !actor.planToCreate) return null;
  const record: JournalRecord = { type: 'created', config: command.config, by: byOf(caller) };
  const state = newState(command.config, actor.planToCreate);
  apply(state, record, at);
  actor.state = state;
  return record;
}

export function creationIn(actor: Actor): (Command & { type: 'create' }) | null {
  for (const { envelope } of actor.mailbox) {
    if (envelope.command.type === 'create') return envelope.command;
  }
  return null;
}

/** The state equals the journal: it holds nothing speculative. */
export function isSettled(actor: Actor): boolean {
  return actor.phase === 'ready' && actor.state !== null && actor.groupsInFlight === 0;
}

/** Whether the next cut is a step of a change, or begins a change that a command makes. */
export function isToChange({ change, mailbox, state }: Actor): boolean {
  return (
    change !== null || (mailbox[0] !== undefined && state !== null && takesSteps(state, mailbox[0].envelope.command))
  );
}

/** Settled, and without work. */
export function isIdle(actor: Actor): boolean {
  return isSettled(actor) && actor.mailbox.length + actor.reads.length === 0 && !actor.queued && !actor.gathering;
}

/** The time of the actor's next deadline in epoch milliseconds, or null. */
export function wakeAt(actor: Actor): number | null {
  return actor.state ? nextDeadline(actor.state) : null;
}
