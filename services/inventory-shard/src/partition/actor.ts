/**
 * An event's actor: the only code that changes the event, one command at a time, in the order of its mailbox.
 *
 * The way of a command: mailbox → due → decide → apply → a group. `cut` takes what waits in the mailbox, up to the
 * bounds of a group (a message has a largest size), decides each command on the state as the ones before left it (speculatively: nothing
 * of it is durable yet) and gives back the records of all as one commit group with the replies that wait for it (I2). No await in here:
 * between two cuts an actor is plain data.
 *
 * Phases: loading → ready, or → creating → ready; ready → faulty when its state can be trusted no more.
 * Loading, creating and leaving memory are in actor-pool.ts.
 */
import type { Plan } from '@parterre/shared/chart/plan';
import type { Answer, Command, Envelope, Reply } from '@parterre/shared/commands';
import { refuse } from '@parterre/shared/errors';
import {
  commandRecordsBytesMax,
  commandsPerGroupMax,
  groupBytesMax,
  requestDeadlineMs,
  unitsPerGroupMax,
} from '@parterre/shared/limits';
import type { JournalRecord } from '@parterre/shared/records';
import { changesChart } from '../rules/chart/chart-update.ts';
import { byOf } from '../rules/state/decision.ts';
import { type EventState, newState } from '../rules/state/state.ts';
import { apply } from '../rules/turn/apply.ts';
import { applyConsequences } from '../rules/turn/consequences.ts';
import { decide } from '../rules/turn/decide.ts';
import { applyDue, isDue, nextDeadline } from '../rules/turn/due.ts';
import { bytesOfRecord, bytesOfRecords } from '../rules/turn/record-bytes.ts';

/** A command, where its answer goes, when it came (`Clock.elapsed`), and the plan that it names. */
export type Job = { envelope: Envelope; replyTo: string; receivedAt: number; plan?: Plan };
export type PendingReply = { replyTo: string; reply: Reply };

/** The reply to this copy of a command. */
export function replyOf({ id, attempt }: Pick<Envelope, 'id' | 'attempt'>, answer: Answer): Reply {
  return attempt === undefined ? { id, ...answer } : { id, attempt, ...answer };
}

/** The front door that asked: its reply subject without the number of the batch. */
export function frontDoorOf(replyTo: string): string {
  return replyTo.slice(0, replyTo.lastIndexOf('.'));
}

export type Actor = {
  readonly eventKey: string;
  phase: 'loading' | 'creating' | 'ready' | 'faulty';
  mailbox: Job[];
  state: EventState | null;
  /** The plan of a `create` that waits in the mailbox. */
  planToCreate: Plan | null;
  /** Groups appended and not yet durable. */
  groupsInFlight: number;
  groupsSinceSnapshot: number;
  snapshotAt: number;
  /** The version that a stored snapshot holds, 0 without one. */
  storedVersion: number;
  /** Whether the partition has this actor in its queue of those with work. */
  queued: boolean;
  /** It has work, but enough groups in flight: what comes meanwhile goes into its next one. */
  gathering: boolean;
  /** Its snapshot is being stored, then it is forgotten, unless it is used before. */
  leaving: boolean;
  cancelTimer: (() => void) | null;
};

export function newActor(eventKey: string): Actor {
  return {
    eventKey,
    phase: 'loading',
    mailbox: [],
    state: null,
    planToCreate: null,
    groupsInFlight: 0,
    groupsSinceSnapshot: 0,
    snapshotAt: 0,
    storedVersion: 0,
    queued: false,
    gathering: false,
    leaving: false,
    cancelTimer: null,
  };
}

/** `archives`: the last reply is to a call that archived the event, now or when it came for the first time. */
export type Cut = { at: number; records: JournalRecord[]; replies: PendingReply[]; archives: boolean };

/** `now` in epoch milliseconds, `elapsed` of the same clock; a group's time never goes back, whatever the clock does. */
export function cut(actor: Actor, now: number, elapsed: number): Cut {
  const at = Math.max(now, actor.state?.at ?? 0);
  const records = actor.state ? applyDue(actor.state, at) : [];
  const replies: PendingReply[] = [];
  // More is due than one group may say: that comes first, so that no command sees what should have ended.
  if (actor.state && isDue(actor.state, at)) return { at, records, replies, archives: false };
  const group: GroupInMaking = { at, records, counted: 0, units: 0, bytes: 0 };
  let archives = false;
  while (replies.length < actor.mailbox.length && replies.length < commandsPerGroupMax) {
    count(group);
    if (group.units >= unitsPerGroupMax) break;
    const job = actor.mailbox[replies.length]!;
    const { envelope, replyTo, receivedAt } = job;
    // Records before it speak of the old chart's units, and a group names one plan.
    if (changesChart(envelope.command) && records.length > 0) break;
    // Whoever asked has been told 503 by now: done after all, it would stand in the way of his next try.
    const isTooLate = elapsed - receivedAt >= requestDeadlineMs;
    const answer: Answer | null = isTooLate ? { kind: 'moved' } : perform(actor, job, group);
    if (!answer) break;
    replies.push({ replyTo, reply: replyOf(envelope, answer) });
    // What follows is on another chart, or is not in the snapshot that an archived event is kept as.
    archives = answer.kind === 'ok' && envelope.command.type === 'move' && envelope.command.move === 'archive';
    if (archives || records.at(-1)?.type === 'chart-updated') break;
  }
  actor.mailbox.splice(0, replies.length);
  return { at, records, replies, archives };
}

/** `units` and `bytes` (estimated) are those of the first `counted` records: of each once, since this is on the way of every hold. */
type GroupInMaking = { at: number; records: JournalRecord[]; counted: number; units: number; bytes: number };

function count(group: GroupInMaking): void {
  for (; group.counted < group.records.length; group.counted++) {
    const record = group.records[group.counted]!;
    group.units += unitsIn(record);
    group.bytes += bytesOfRecord(record);
  }
}

function unitsIn(record: JournalRecord): number {
  if ('lines' in record) return record.lines.length;
  return 'units' in record ? record.units.length : 0;
}

const tooLong = refuse(
  'payload_too_large',
  'What this asks for is more than can be stored at once. Ask for it in parts.',
);

/** Null for a command whose records do not fit into this group: it stays for the next. */
function perform(actor: Actor, { envelope, plan }: Job, group: GroupInMaking): Answer | null {
  const { at, records } = group;
  const { command, caller } = envelope;
  if (!actor.state) {
    const created = create(actor, envelope, at);
    if (!created) return { kind: 'absent' };
    records.push(created);
    count(group);
  }
  const decision = decide(actor.state!, command, caller, at, plan);
  if (!decision.ok) return { kind: 'refused', refusal: decision.refusal };
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
  if (records.at(-1)?.type !== 'chart-updated') applyConsequences(actor.state!, at, records);
  return { kind: 'ok', value: decision.answer };
}

/** The first record of an event's life, or null when this command is not the one that makes it. */
function create(actor: Actor, { command, caller }: Envelope, at: number): JournalRecord | null {
  if (command.type !== 'create' || !actor.planToCreate) return null;
  actor.state = newState(command.config, actor.planToCreate);
  actor.state.at = at;
  return { type: 'created', config: command.config, by: byOf(caller) };
}

export function creationIn(actor: Actor): (Command & { type: 'create' }) | null {
  for (const { envelope } of actor.mailbox) {
    if (envelope.command.type === 'create') return envelope.command;
  }
  return null;
}

/** Its state is what the journal says: nothing speculative in it. */
export function isSettled(actor: Actor): boolean {
  return actor.phase === 'ready' && actor.state !== null && actor.groupsInFlight === 0;
}

/** Settled, and nothing waits for it. */
export function isIdle(actor: Actor): boolean {
  return isSettled(actor) && actor.mailbox.length === 0 && !actor.queued && !actor.gathering;
}

/** When the actor has to act without being asked, epoch milliseconds, or null. */
export function wakeAt(actor: Actor): number | null {
  return actor.state ? nextDeadline(actor.state) : null;
}
