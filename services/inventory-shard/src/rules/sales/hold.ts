/** Holding, extending and releasing. */
import type { HeldAnswer } from '@parterre/shared/answers';
import { labelsOf } from '@parterre/shared/chart/plan';
import type { Caller, Command } from '@parterre/shared/commands';
import { refuse } from '@parterre/shared/errors';
import { holdExtendsMax, holdTtlMsDefault, holdTtlMsMax } from '@parterre/shared/limits';
import { type LineFacts, lineItemsOf } from '@parterre/shared/line-items';
import { type JournalRecord, type Line, unitStatus } from '@parterre/shared/records';
import { isHiddenFrom, passedBy } from '../availability/availability.ts';
import { currencyOf } from '../pricing/currencies.ts';
import { unpackReach } from '../reach/hold-reach.ts';
import { holdFor, noteGrant } from '../reach/reach.ts';
import { listingIsWhole } from '../selection/conflicts.ts';
import { oneByOne, placesAmong, unitsNamed } from '../selection/labels.ts';
import { linesFor, type MayTake } from '../selection/selection.ts';
import { byOf, type Decision, keyReused, salesClosed } from '../state/decision.ts';
import { isOffered, leftBehind, listedAmong } from '../state/listings.ts';
import { type EventState, type Hold, isOnSale, knownHold, ownedLines, owns } from '../state/state.ts';
import { tooMany } from './session-use.ts';

type HoldCommand = Command & { type: 'hold' };

export function hold(state: EventState, command: HoldCommand, caller: Caller, now: number): Decision<'hold'> {
  const known = knownHold(state, command.holdId, now);
  if (known) return firstHeldAnswer(state, known, command.fingerprint);
  if (!isOnSale(state)) return salesClosed;
  const { replaceHoldId } = command;
  const replaced = replaceHoldId === undefined ? undefined : holdFor(state, replaceHoldId, caller, now);
  const mine = replaced?.status === 'active' ? replaced.slot : -1;
  const mayTake: MayTake = (unit) => isFree(state, unit) || state.slotOf[unit] === mine || isOffered(state, unit, mine);
  const lines = linesFor(state, oneByOne(state.plan, command.selections), mayTake, {
    caller,
    now,
    replaced: mine === -1 ? undefined : replaced,
  });
  if (!lines.ok) return lines;
  const excess = tooMany(state, caller, lines.value, now, mine === -1 ? undefined : replaced);
  if (excess) return excess;
  const decision = held(state, command, lines.value, caller, now);
  if (replaced?.status === 'active') {
    const units = unitsOfLines(ownedLines(state, replaced));
    const record: JournalRecord = { type: 'released', holdId: replaced.id, units, by: byOf(caller) };
    const taken = new Set(unitsOfLines(lines.value));
    const kept = units.filter((unit) => taken.has(unit) || state.listingOf.has(unit));
    if (kept.length > 0) record.kept = kept;
    carryGrant(state, decision.records[0] as JournalRecord & { type: 'held' }, replaced, caller);
    decision.records.unshift(record);
  }
  return decision;
}

/** A server that changes a buyer's hold, without a right of its own, leaves it that buyer's. */
function carryGrant(
  { channels }: EventState,
  record: JournalRecord & { type: 'held' },
  { reach, sessionId, partnerRef, buyerRef }: Readonly<Hold>,
  caller: Caller,
): void {
  if (caller.source === 'buyer' || caller.reach || caller.override) return;
  if (reach !== null) record.reach = unpackReach(channels, reach);
  if (sessionId !== null) record.sessionId = sessionId;
  if (partnerRef !== null) record.partnerRef = partnerRef;
  if (buyerRef !== null) record.buyerRef = buyerRef;
}

/** These lines in a hold of their own. */
export function held(
  state: EventState,
  { holdId, ttlMs, fingerprint }: { holdId: string; ttlMs?: number; fingerprint?: string },
  lines: Line[],
  caller: Caller,
  now: number,
): Extract<Decision<'hold'>, { ok: true }> {
  const { accessSource } = caller;
  const expiresAt = now + ttlOf(state, ttlMs);
  const record: JournalRecord & { type: 'held' } = {
    type: 'held',
    holdId,
    expiresAt,
    accessSource,
    lines,
    by: byOf(caller),
  };
  const passed = passedBy(state, lines);
  if (passed) record.passed = passed;
  noteGrant(state, record, caller, lines);
  if (fingerprint !== undefined) record.fingerprint = fingerprint;
  const facts = { currency: state.config.currency, accessSource };
  return { ok: true, records: [record], answer: heldAnswer(state, holdId, expiresAt, lines, facts) };
}

/** A repeated hold gets what it got, whatever has become of the hold since (I5). */
export function firstHeldAnswer(state: EventState, known: Hold, fingerprint: string | undefined): Decision<'hold'> {
  if (known.fingerprint !== (fingerprint ?? null)) return keyReused;
  const facts = { currency: currencyOf(state, known), accessSource: known.accessSource };
  const answer = heldAnswer(state, known.id, known.firstExpiresAt, known.lines, facts);
  return { ok: true, records: [], answer };
}

function heldAnswer(state: EventState, holdId: string, expiresAt: number, lines: Line[], facts: LineFacts): HeldAnswer {
  const items = lineItemsOf(state.plan, lines, facts);
  return { holdId, expiresAt, items, labels: labelsOf(state.plan, unitsOfLines(lines)), currency: facts.currency };
}

/** Explicit, then the event's, then the default; never above an hour. */
function ttlOf(state: EventState, ttlMs: number | undefined): number {
  return Math.min(ttlMs ?? state.holdTtlMs ?? holdTtlMsDefault, holdTtlMsMax);
}

export function extend(
  state: EventState,
  command: Command & { type: 'extend' },
  caller: Caller,
  now: number,
): Decision<'extend'> {
  const found = holdFor(state, command.holdId, caller, now);
  if (!found) return caller.source === 'buyer' ? noHold : cannotExtend('not_found');
  const items = itemsOf(state, found);
  const { id: holdId } = found;
  // A repeated call gets its first answer, though the hold may have ended before the repetition came (I5).
  if (found.lastExtend === command.callId) {
    return { ok: true, records: [], answer: { holdId, expiresAt: found.expiresAt, extends: found.extends, items } };
  }
  if (found.status === 'expired') return cannotExtend('expired');
  if (found.status !== 'active') return cannotExtend('not_active');
  if (found.extends >= holdExtendsMax) return cannotExtend('extend_limit');
  const renewed = Math.max(found.expiresAt, now + ttlOf(state, command.ttlMs));
  const expiresAt = Math.min(renewed, found.createdAt + holdTtlMsMax);
  const units = unitsOfLines(ownedLines(state, found));
  return {
    ok: true,
    records: [{ type: 'extended', holdId, callId: command.callId, expiresAt, units, by: byOf(caller) }],
    answer: { holdId, expiresAt, extends: found.extends + 1, items },
  };
}

const noHold = refuse('hold_not_found', 'There is no such hold on this event.');

const whyNotExtended = {
  not_found: 'There is no such hold.',
  expired: 'This hold has expired.',
  not_active: 'This hold has been booked or released.',
  extend_limit: `A hold can be extended ${holdExtendsMax} times.`,
};

function cannotExtend(reason: keyof typeof whyNotExtended): Decision<'extend'> {
  return refuse('cannot_extend', whyNotExtended[reason], { reason });
}

/** Frees what of the named labels (all of them without) the hold still has; nothing left to free is no error. */
export function release(
  state: EventState,
  command: Command & { type: 'release' },
  caller: Caller,
  now: number,
): Decision<'release'> {
  const found = holdFor(state, command.holdId, caller, now);
  if (!found) return noHold;
  const { callId } = command;
  if (found.lastRelease?.callId === callId) {
    return { ok: true, records: [], answer: { released: labelsOf(state.plan, found.lastRelease.units) } };
  }
  let units = unitsOfLines(ownedLines(state, found));
  if (command.labels) {
    const has = units;
    const had = new Set(unitsOfLines(found.lines));
    const isTold = (unit: number): boolean =>
      had.has(unit) || !isHiddenFrom(caller, state, state.plan.objectOfUnit[unit]!);
    const places = placesAmong(state.plan, () => has);
    const named = unitsNamed(state.plan, command.labels, places, isTold);
    if (!named.ok) return named;
    units = named.value.units.filter((unit) => owns(state, found, unit));
    const left = leftBehind(state, units);
    if (left.length > 0) return listingIsWhole(state, left, caller);
  }
  const answer = { released: labelsOf(state.plan, units) };
  if (units.length === 0) return { ok: true, records: [], answer };
  const record: JournalRecord = { type: 'released', holdId: found.id, callId, units, by: byOf(caller) };
  const kept = listedAmong(state, units);
  if (kept) record.kept = kept;
  return { ok: true, records: [record], answer };
}

export function isFree(state: EventState, unit: number): boolean {
  return state.statuses[unit] === unitStatus.free;
}

export function unitsOfLines(lines: readonly Line[]): number[] {
  return lines.map((line) => line.unit);
}

/**
 * What an active hold has still; what of a booked one was booked; what one that was released or expired as a whole had
 * at its end.
 */
export function itemsOf(state: EventState, found: Hold): ReturnType<typeof lineItemsOf> {
  const { parted } = found;
  const left = new Set(parted && [...parted.released, ...parted.expired]);
  const lines =
    found.status === 'active' ? ownedLines(state, found) : found.lines.filter(({ unit }) => !left.has(unit));
  return lineItemsOf(state.plan, lines, { currency: currencyOf(state, found), accessSource: found.accessSource });
}
