/**
 * The actions on parts: bookings and extensions. A member is pinned first. Then the home decides, and the members
 * follow. A command that follows a decision cannot fail by a rule, so a pin makes all the checks.
 */
import type { Caller, Command } from '@parterre/shared/protocol/commands';
import { refuse } from '@parterre/shared/protocol/errors';
import type { PartStanding } from '@parterre/shared/protocol/operations/operation';
import { extendLimit, otherEvents } from '@parterre/shared/protocol/operations/operation-refusals';
import { holdExtendsMax, holdTtlMsMax } from '@parterre/shared/protocol/page-limits';
import type { JournalRecord } from '@parterre/shared/protocol/records';
import { afterUnpin, type EventPart, isRefusedByUnpin, knownPart, tagOf, withRefused } from '../parts/parts.ts';
import { booked } from '../sales/sales.ts';
import { byOf, heldLines, type ReadState, unitsOfLines } from '../state/state.ts';
import { actionReused, isHome, noPart, otherAction, over, tooLate, viewOf } from './part-answers.ts';

type PartDecision = { ok: true; records: JournalRecord[]; answer: PartStanding } | ReturnType<typeof refuse>;

const notPinned = refuse('conflict', 'This part is not pinned for the action.', { reason: 'not_pinned' });
const actionTaken = refuse(
  'conflict',
  'This action books another operation. Name each booking by an action of its own.',
  { reason: 'action_taken' },
);
const actionRefused = refuse(
  'conflict',
  'This action was given up, and does nothing any more. Choose a new name for the action.',
  { reason: 'action_refused' },
);
const actionDone = refuse('conflict', 'This action has been carried out.', { reason: 'action_done' });

export function pinPart(
  state: ReadState,
  { id, action, actsUntil, eventKeys }: Command & { type: 'pin-part' },
  caller: Caller,
  now: number,
): PartDecision {
  const part = knownPart(state.parts, id, now);
  if (!part) return noPart;
  if (eventKeys && !hasEvents(part, eventKeys)) return otherEvents;
  const isOwn = part.action?.id === action.id;
  if (part.state === 'pinned' || part.state === 'booked') {
    if (isOwn) return part.action!.bookingRef === action.bookingRef ? unchanged(part) : actionReused;
    return part.state === 'booked' ? over('booked') : otherAction;
  }
  if (part.state !== 'held') return over(part.state);
  if (action.kind === 'extend' && part.lastExtend === action.id) return unchanged(part);
  if (part.refused.includes(action.id)) return actionRefused;
  if (action.kind === 'book' && state.parts.booksAnother(part, action.id)) return actionTaken;
  if (now > actsUntil) return tooLate;
  const holdId = part.holdId!;
  const record: JournalRecord = {
    type: 'part-pinned',
    id,
    holdId,
    action,
    units: unitsOf(state, part),
    by: byOf(caller),
  };
  return { ok: true, records: [record], answer: viewOf({ ...part, state: 'pinned', action }) };
}

export function unpinPart(
  state: ReadState,
  { id, actionId }: Command & { type: 'unpin-part' },
  caller: Caller,
  now: number,
): PartDecision {
  const part = knownPart(state.parts, id, now);
  if (!part) return noPart;
  if (!isPinnedFor(part, actionId)) return unchanged(part);
  const isRefused = isRefusedByUnpin(part);
  const answer = viewOf({ ...part, ...afterUnpin(part, isRefused) });
  const record = unpinned(state, part, actionId, caller);
  return { ok: true, records: [isRefused ? { ...record, refused: true } : record], answer };
}

export function bookPart(
  state: ReadState,
  { id, actionId, bookingRef }: Command & { type: 'book-part' },
  caller: Caller,
  now: number,
): PartDecision {
  const part = knownPart(state.parts, id, now);
  if (!part) return noPart;
  if (part.state === 'booked' && part.action?.id === actionId) {
    return part.action.bookingRef === bookingRef ? unchanged(part) : actionReused;
  }
  const refusal = whyNot(state, part, actionId);
  if (refusal) return refusal;
  if (isHome(state, part) && state.parts.booksAnother(part, actionId)) return actionTaken;
  const hold = state.holds.get(part.holdId!)!;
  const lines = heldLines(state, hold);
  const { records } = booked(state, { bookingRef, callId: `${id}.${actionId}` }, hold, lines, caller);
  for (const record of records) if (record.type === 'booked') record.operation = tagOf(part, actionId);
  const action = { id: actionId, kind: 'book', bookingRef } as const;
  return { ok: true, records, answer: viewOf({ ...part, state: 'booked', endedAt: now, action }) };
}

/** The home chooses the end. A member takes the end of the home. */
export function extendPart(
  state: ReadState,
  { id, actionId, expiresAt }: Command & { type: 'extend-part' },
  caller: Caller,
  now: number,
): PartDecision {
  const part = knownPart(state.parts, id, now);
  if (!part) return noPart;
  if (part.lastExtend === actionId) return unchanged(part);
  const refusal = whyNot(state, part, actionId);
  if (refusal) return refusal;
  const isDecision = isHome(state, part);
  if (isDecision && part.extends >= holdExtendsMax) return extendLimit;
  const { createdAt } = state.holds.get(part.holdId!)!;
  const end = isDecision ? Math.min(Math.max(part.expiresAt, expiresAt), createdAt + holdTtlMsMax) : expiresAt;
  const extended: JournalRecord = {
    type: 'extended',
    holdId: part.holdId!,
    callId: actionId,
    expiresAt: end,
    units: unitsOf(state, part),
    operation: tagOf(part),
    by: byOf(caller),
  };
  const isPinned = part.state === 'pinned';
  const after = {
    state: 'held',
    action: null,
    expiresAt: end,
    extends: part.extends + 1,
    lastExtend: actionId,
  } as const;
  return {
    ok: true,
    records: isPinned ? [unpinned(state, part, actionId, caller), extended] : [extended],
    answer: viewOf({ ...part, ...after }),
  };
}

/**
 * An action that the home can never do any more needs no record. An action that has booked another operation here books
 * no other one: `bookPart` refuses it for as long as the event knows the booked part, and no command acts so late.
 */
export function refuseAction(
  state: ReadState,
  { id, actionId }: Command & { type: 'refuse-action' },
  caller: Caller,
  now: number,
): PartDecision {
  const part = knownPart(state.parts, id, now);
  if (!part) return noPart;
  if (part.lastExtend === actionId || (part.state === 'booked' && part.action?.id === actionId)) return actionDone;
  if (part.state !== 'held' || part.refused.includes(actionId)) return unchanged(part);
  if (state.parts.hasBookedAnother(part, actionId)) return unchanged(part);
  return {
    ok: true,
    records: [{ type: 'action-refused', id, actionId, by: byOf(caller) }],
    answer: viewOf({ ...part, refused: withRefused(part.refused, actionId) }),
  };
}

/** The refusal of an action on a part, at the home and at a member. */
function whyNot(state: ReadState, part: EventPart, actionId: string): ReturnType<typeof refuse> | null {
  if (part.state !== 'held' && part.state !== 'pinned') return over(part.state);
  if (!isHome(state, part)) return isPinnedFor(part, actionId) ? null : notPinned;
  return part.refused.includes(actionId) ? actionRefused : null;
}

function hasEvents({ head }: EventPart, eventKeys: readonly string[]): boolean {
  return head.eventKeys.length === eventKeys.length && head.eventKeys.every((key, at) => key === eventKeys[at]);
}

function isPinnedFor({ state, action }: EventPart, actionId: string): boolean {
  return state === 'pinned' && action?.id === actionId;
}

function unpinned(
  state: ReadState,
  part: EventPart,
  actionId: string,
  caller: Caller,
): JournalRecord & { type: 'part-unpinned' } {
  const { head, holdId, expiresAt } = part;
  const units = unitsOf(state, part);
  return { type: 'part-unpinned', id: head.id, holdId: holdId!, actionId, expiresAt, units, by: byOf(caller) };
}

function unitsOf(state: ReadState, { holdId }: EventPart): number[] {
  return unitsOfLines(heldLines(state, state.holds.get(holdId!)!));
}

function unchanged(part: EventPart): PartDecision {
  return { ok: true, records: [], answer: viewOf(part) };
}
