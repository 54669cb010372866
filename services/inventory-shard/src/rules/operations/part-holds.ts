/** Begins and ends parts: the hold of a part, the abort of an operation, the release, the inspection. */
import type { HeldPart, PartDetail } from '@parterre/shared/protocol/answers';
import type { Caller, Command } from '@parterre/shared/protocol/commands';
import { refuse } from '@parterre/shared/protocol/errors';
import { partHoldId } from '@parterre/shared/protocol/operations/operation';
import type { JournalRecord } from '@parterre/shared/protocol/records';
import { knownPart, lockIdOf, newPart, tagOf } from '../parts/parts.ts';
import {
  atOtherPrice,
  beforeOwnStart,
  beginningOf,
  beyondBuyerLimit,
  beyondPublicSale,
  held,
  notOnSale,
  tooMany,
} from '../sales/sales.ts';
import { linesFor, oneByOne } from '../selection/selection.ts';
import { rulesBroken } from '../selection-rules/selection-rules.ts';
import {
  byOf,
  type Decision,
  eventAheadMsMax,
  freedOf,
  heldLines,
  isFree,
  type ReadState,
  unitsOfLines,
} from '../state/state.ts';
import { buyerFields, detailOf, notLocked, over, tooLate, viewOf } from './part-answers.ts';

const otherContent = refuse('conflict', 'This operationId was used for other seats. Choose a new operationId.', {
  reason: 'operation_id_reused',
});
const stands = refuse('conflict', 'The operation was held before, so it cannot be given up.', {
  reason: 'operation_stands',
});
const forgotten = refuse('conflict', 'The operation is too old: its home may have forgotten its decision.', {
  reason: 'operation_forgotten',
});

type PartToHold = Command & { type: 'hold-part' | 'look-part' };

/** Writes nothing, and promises nothing. */
export function lookAtPart(state: ReadState, command: PartToHold, caller: Caller, now: number): Decision<'look-part'> {
  const told = holdPart(state, command, caller, now);
  if (!told.ok || told.records.length === 0) return told;
  return { ok: true, records: [], answer: { ...told.answer, wouldHold: true } };
}

/** A part takes free units alone: a resale listing belongs to the buyer who offers it. */
export function holdPart(
  state: ReadState,
  { head, selections, expiresAt, actsUntil, fingerprint, expectedTotal }: PartToHold,
  caller: Caller,
  now: number,
): Decision<'hold-part'> {
  const known = knownPart(state.parts, head.id, now);
  if (known?.state === 'aborted') return over('aborted');
  if (known && known.fingerprint !== fingerprint) return otherContent;
  if (known?.state === 'released' || known?.state === 'expired') return over(known.state);
  if (known) return { ok: true, records: [], answer: detailOf(state, known) };
  if (now > actsUntil || expiresAt <= now) return tooLate;
  const lock = state.parts.locks.get(lockIdOf(head.owner));
  if (!lock || lock.isDraining) return notLocked;
  const closed = notOnSale(state, caller, now);
  if (closed) return closed;
  const lines = linesFor(state, oneByOne(state.plan, selections), (unit) => isFree(state, unit), { caller, now });
  if (!lines.ok) return lines;
  const times = { beganAt: beginningOf(state, caller, lines.value, now), expiresAt, now };
  const refused =
    tooMany(state, caller, lines.value, now) ??
    beforeOwnStart(state, caller, lines.value, now) ??
    beyondPublicSale(state, caller, lines.value, times) ??
    beyondBuyerLimit(state, caller.buyerRef, lines.value) ??
    rulesBroken(state, caller, lines.value);
  if (refused) return refused;
  const holdId = partHoldId(head.id, state.config.eventKey);
  const { records, answer } = held(state, { holdId }, lines.value, caller, times);
  const changed = atOtherPrice(state, lines.value, answer, expectedTotal);
  if (changed) return changed;
  const record = records[0] as JournalRecord & { type: 'held' };
  record.operation = tagOf({ head });
  const part = newPart(head, { state: 'held', holdId, fingerprint, createdAt: now, expiresAt, endedAt: null });
  const { items, currency } = answer;
  const detail: HeldPart = { ...viewOf(part), items, currency, ...buyerFields(record) };
  return {
    ok: true,
    records: [record, { type: 'part-held', head, holdId, fingerprint, by: byOf(caller) }],
    answer: detail,
  };
}

export function abortOperation(
  state: ReadState,
  { head, createdAt }: Command & { type: 'abort-operation' },
  caller: Caller,
  now: number,
): Decision<'abort-operation'> {
  const known = knownPart(state.parts, head.id, now);
  if (known) return known.state === 'aborted' ? { ok: true, records: [], answer: viewOf(known) } : stands;
  // Clocks of events differ, so an operation that is about as old as a forgotten one may have been forgotten too.
  if (createdAt <= state.parts.forgottenUntil + eventAheadMsMax) return forgotten;
  const part = newPart(head, abortedAt(createdAt, now));
  return {
    ok: true,
    records: [{ type: 'operation-aborted', head, createdAt, by: byOf(caller) }],
    answer: viewOf(part),
  };
}

/** The facts of an aborted part. */
export function abortedAt(createdAt: number, at: number) {
  return { state: 'aborted', holdId: null, fingerprint: null, createdAt, expiresAt: at, endedAt: at } as const;
}

export function releasePart(
  state: ReadState,
  { id }: Command & { type: 'release-part' },
  caller: Caller,
  now: number,
): Decision<'release-part'> {
  const part = knownPart(state.parts, id, now);
  if (!part) return { ok: true, records: [], answer: { part: null } };
  if (part.state === 'booked') return over('booked');
  if (part.state !== 'held' && part.state !== 'pinned') {
    return { ok: true, records: [], answer: { part: viewOf(part) } };
  }
  const holdId = part.holdId!;
  const hold = state.holds.get(holdId)!;
  const units = unitsOfLines(heldLines(state, hold));
  const freed = freedOf(hold, units);
  const callId = `release.${id}`;
  return {
    ok: true,
    records: [
      { type: 'released', holdId, callId, units, operation: tagOf(part), ...(freed && { freed }), by: byOf(caller) },
    ],
    answer: { part: viewOf({ ...part, state: 'released', endedAt: now }) },
  };
}

export function inspectOperation(
  state: ReadState,
  { id }: Command & { type: 'inspect-operation' },
  now: number,
): { part: PartDetail | null } {
  const part = knownPart(state.parts, id, now);
  return { part: part ? { head: part.head, ...detailOf(state, part) } : null };
}
