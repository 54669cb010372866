/**
 * A hold that asked for better seats and keeps its own. Nothing about the hold changes: not its seats, its prices, its
 * expiry or its id. The call is remembered by its name, since a late copy must not move the hold after its caller has
 * heard that the hold stays (I5).
 */
import { isCompanionsPlace } from '@parterre/shared/charts/companions';
import { labelsOf, type Plan } from '@parterre/shared/charts/plan';
import type { Caller, Command } from '@parterre/shared/protocol/commands';
import { refuse } from '@parterre/shared/protocol/errors';
import { lineItemsOf } from '@parterre/shared/protocol/line-items';
import type { JournalRecord, Line } from '@parterre/shared/protocol/records';
import type { SeatQuery } from '@parterre/shared/protocol/seat-query';
import { currencyOf } from '../pricing/pricing.ts';
import { isAtAisle } from '../seat-search/run-search.ts';
import { kindsOf, type Search } from '../seat-search/search.ts';
import { isWithin as isInDivisions } from '../seat-search/search-order.ts';
import { focusIn, seatRowsOf } from '../seat-search/seat-rows.ts';
import {
  answerNoted,
  byOf,
  type Decision,
  type EventCall,
  type EventState,
  type Folds,
  type Hold,
  heldLines,
  keyReused,
  type NamedCall,
  noteCall,
  noteNamedCall,
  type ReadState,
  unitsOfLines,
} from '../state/state.ts';
import { searchOf } from './asked-seats.ts';
import { partLabels, partsOf } from './parts.ts';
import { meetsTerms } from './places-asked.ts';

type HoldBest = Command & { type: 'hold-best' };

/**
 * Whether the hold has these units already, at the tiers of the query, or other units that suit the query and are no
 * worse: no more people alone, then no more parts, then no farther from their focal points.
 */
export function isNoBetter(
  state: ReadState,
  query: HoldBest['query'],
  hold: Readonly<Hold>,
  lines: readonly Line[],
): boolean {
  const own = heldLines(state, hold);
  if (own.length !== lines.length) return false;
  const ownByUnit = new Map(own.map((line) => [line.unit, line]));
  if (lines.every(({ unit }) => ownByUnit.has(unit))) {
    return !query.tickets || lines.every(({ unit, tierId }) => ownByUnit.get(unit)!.tierId === tierId);
  }
  const search = searchOf(state.plan, query);
  if (!search.ok || query.tickets || !suits(state, query, search.value, own)) return false;
  const before = rankOf(state, search.value, unitsOfLines(own));
  const after = rankOf(state, search.value, unitsOfLines(lines));
  const at = before.findIndex((value, n) => value !== after[n]);
  return at < 0 || before[at]! < after[at]!;
}

function suits({ plan }: ReadState, query: SeatQuery, search: Search, lines: readonly Line[]): boolean {
  const kinds = kindsOf(query);
  const { categoryKeys, accessibleSeats = 1, aisle } = search;
  const named = lines.filter(({ unit }) => (plan.accessibilityOfUnit[unit]! & kinds) !== 0);
  const isWithin = ({ unit }: Line): boolean =>
    (categoryKeys === undefined || categoryKeys.includes(plan.categories[plan.categoryOfUnit[unit]!]!.key)) &&
    isInDivisions(plan, plan.objects[plan.objectOfUnit[unit]!]!, search);
  if (!lines.every((line) => meetsTerms(plan, query, line))) return false;
  if (aisle && !partsOf(plan, unitsOfLines(lines)).every((part) => isPartAtAisle(plan, part))) return false;
  return lines.every(isWithin) && (kinds === 0 || named.length === accessibleSeats);
}

/** A companion's place may stand apart from the party's aisle. */
function isPartAtAisle(plan: Plan, units: readonly number[]): boolean {
  const rows = seatRowsOf(plan);
  return units.some((unit) => {
    const isCompanions = isCompanionsPlace(plan, unit);
    return isCompanions || isAtAisle(plan, rows, rows.rowOf[plan.objectOfUnit[unit]!]!, unit, 1);
  });
}

/** The lower the better, the first number first. */
function rankOf({ plan }: ReadState, { near }: Search, units: readonly number[]): number[] {
  const rows = seatRowsOf(plan);
  const parts = partsOf(plan, units);
  const isAlone = (part: readonly number[]): boolean => part.length === 1 && units.length > 1;
  const middle = near && { x: meanOf(near, (unit) => plan.x[unit]!), y: meanOf(near, (unit) => plan.y[unit]!) };
  const distance = meanOf(units, (unit) => {
    const { x, y } = middle ?? focusIn(rows, plan.objectOfUnit[unit]!);
    return Math.hypot(plan.x[unit]! - x, plan.y[unit]! - y);
  });
  // As in the search, a rounding error must not decide.
  return [parts.filter(isAlone).length, parts.length, Math.round(distance / rows.grain)];
}

function meanOf(units: readonly number[], value: (unit: number) => number): number {
  return units.reduce((sum, unit) => sum + value(unit), 0) / units.length;
}

/** The part of the answer that the units do not tell. */
type Note = { holdId: string; expiresAt: number };

export function kept(
  state: ReadState,
  { holdId: callId, fingerprint }: HoldBest,
  hold: Readonly<Hold>,
  caller: Caller,
): Decision<'hold-best'> {
  const { id: holdId, expiresAt } = hold;
  const lines = heldLines(state, hold);
  const record: JournalRecord = {
    type: 'hold-kept',
    holdId,
    callId,
    expiresAt,
    units: unitsOfLines(lines),
    by: byOf(caller),
  };
  if (fingerprint !== undefined) record.fingerprint = fingerprint;
  return { ok: true, records: [record], answer: keptAnswer(state, hold, expiresAt, lines) };
}

/** A repeated call gets its first answer, even after the hold has changed or ended (I5). */
export function keptAgain(
  state: ReadState,
  { fingerprint }: HoldBest,
  noted: EventCall | NamedCall,
): Decision<'hold-best'> {
  if (('fingerprint' in noted ? noted.fingerprint : undefined) !== fingerprint) return keyReused;
  const { holdId, expiresAt } = answerNoted(noted) as Note;
  const hold = state.holds.get(holdId);
  if (!hold) return refuse('hold_not_found', 'The hold that this call kept ended long ago. Hold the seats again.');
  const units = new Set(noted.units);
  const lines = hold.lines.filter(({ unit }) => units.has(unit));
  return { ok: true, records: [], answer: keptAnswer(state, hold, expiresAt, lines) };
}

function keptAnswer(
  state: ReadState,
  hold: Readonly<Hold>,
  expiresAt: number,
  lines: Line[],
): Extract<Decision<'hold-best'>, { ok: true }>['answer'] {
  const { plan } = state;
  const units = unitsOfLines(lines);
  const currency = currencyOf(state, hold);
  const items = lineItemsOf(plan, lines, { currency, accessSource: hold.accessSource });
  const parts = partLabels(plan, units);
  return { holdId: hold.id, expiresAt, items, labels: labelsOf(plan, units), currency, parts, kept: true };
}

export const keptFolds: Folds<'hold-kept'> = { 'hold-kept': foldKept };

function foldKept(state: EventState, record: JournalRecord & { type: 'hold-kept' }, at: number): void {
  const { holdId, callId, expiresAt, units, fingerprint } = record;
  const answer: Note = { holdId, expiresAt };
  if (fingerprint === undefined) noteCall(state, callId, { units, answer });
  else noteNamedCall(state, callId, { units, fingerprint, at, answer });
}
