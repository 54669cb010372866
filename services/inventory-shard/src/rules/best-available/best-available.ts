/**
 * Holds, blocks and books the best seats left. The event chooses the seats; the rest of the work is the same as for
 * named seats.
 */
import { labelsOf } from '@parterre/shared/chart/plan';
import type { Caller, Command, SeatQuery, Selection } from '@parterre/shared/commands';
import { type Outcome, type Refusal, refuse } from '@parterre/shared/errors';
import { lineItemsOf } from '@parterre/shared/line-items';
import type { AccessSource, Line } from '@parterre/shared/records';
import { choosingMaskOf, nothingLeftOf, withoutOverride } from '../reach/reach.ts';
import { blocked, blockedAgain, booked, firstHeldAnswer, held, isInTheFuture, tooMany } from '../sales/sales.ts';
import { linesFor, type Terms } from '../selection/selection.ts';
import {
  type Booking,
  type CallRules,
  type Chosen,
  type Decision,
  isFree,
  isOnSale,
  knownBooking,
  knownHold,
  type ReadState,
  type Rules,
  salesClosed,
  unitsOfLines,
} from '../state/state.ts';
import { bestAvailable } from './best-units.ts';
import { checkedQuery, fingerprintOf } from './seat-query.ts';
import { seatRowsOf } from './seat-rows.ts';

export const bestAvailableRules: Rules<'hold-best' | 'book-best'> = { 'hold-best': holdBest, 'book-best': bookBest };

export const bestAvailableCalls: CallRules<'block-best'> = {
  'block-best': { decide: blockBest, again: blockedAgain },
};

type BestCommand<T extends 'hold-best' | 'block-best' | 'book-best'> = Command & { type: T };

function holdBest(
  state: ReadState,
  command: BestCommand<'hold-best'>,
  caller: Caller,
  now: number,
): Decision<'hold-best'> {
  const known = knownHold(state, command.holdId, now);
  if (known) return firstHeldAnswer(state, known, command.fingerprint);
  if (!isOnSale(state)) return salesClosed;
  const lines = bestLines(state, command, { caller, now });
  if (!lines.ok) return lines;
  return tooMany(state, caller, lines.value, now) ?? held(state, command, lines.value, caller, now);
}

/** Seats that nobody may buy now are not chosen, although a block needs no price. */
function blockBest(
  state: ReadState,
  command: BestCommand<'block-best'>,
  caller: Caller,
  now: number,
): Decision<'block-best'> {
  const inTime = isInTheFuture(command.releaseAt, now);
  if (!inTime.ok) return inTime;
  const units = bestUnits(state, command.query, caller);
  return units.ok ? blocked(state, command, units.value, caller) : units;
}

/**
 * A booking reference has at most one choice of seats. A repetition has the same reference and the same query, and gets
 * the seats of the first call that are still booked (I5).
 */
function bookBest(
  state: ReadState,
  command: BestCommand<'book-best'>,
  caller: Caller,
  now: number,
): Decision<'book-best'> {
  const fingerprint = fingerprintOf(command.query, caller.reach);
  const known = knownBooking(state, command.bookingRef, now);
  // This check comes first: the chart may have changed and may lack the category or zone of the first call.
  if (known?.chosen?.fingerprint === fingerprint) return firstChoice(state, known, known.chosen);
  const valid = checkedQuery(state.plan, command.query);
  if (!valid.ok) return valid;
  if (known?.chosen) {
    const why = 'This bookingRef has seats that the event chose for another request. Use another bookingRef.';
    return refuse('conflict', why, { reason: 'booking_ref_in_use' });
  }
  if (!isOnSale(state)) return salesClosed;
  const lines = bestLines(state, command, { caller, now });
  if (!lines.ok) return lines;
  const { records } = booked(state, { ...command, fingerprint }, null, lines.value, caller);
  return { ok: true, records, answer: bookedAnswer(state, lines.value, caller.accessSource) };
}

function firstChoice(state: ReadState, booking: Readonly<Booking>, { units }: Chosen): Decision<'book-best'> {
  if (units.length === 0) {
    const why = 'The seats that this call booked have been cancelled. Use another bookingRef to book again.';
    return refuse('conflict', why, { reason: 'booking_cancelled' });
  }
  const still = new Set(units);
  const lines = booking.lines.filter(({ unit }) => still.has(unit));
  return { ok: true, records: [], answer: bookedAnswer(state, lines, booking.accessSource) };
}

function bookedAnswer(
  state: ReadState,
  lines: Line[],
  accessSource: AccessSource,
): { labels: string[]; items: ReturnType<typeof lineItemsOf> } {
  const items = lineItemsOf(state.plan, lines, { currency: state.config.currency, accessSource });
  return { labels: labelsOf(state.plan, unitsOfLines(lines)), items };
}

/** The lines of the seats that the event chooses. */
export function bestLines(state: ReadState, { query }: { query: SeatQuery }, terms: Terms): Outcome<Line[]> {
  const units = bestUnits(state, query, terms.caller);
  if (!units.ok) return units;
  return linesFor(state, selectionsOf(state, units.value), (unit) => isFree(state, unit), terms);
}

function bestUnits(state: ReadState, query: SeatQuery, caller: Caller): Outcome<number[]> {
  if (caller.override) {
    const units = bestUnits(state, query, withoutOverride(caller));
    if (units.ok || !isTooFew(units.refusal)) return units;
  }
  const mask = choosingMaskOf(state, caller);
  if (!mask.ok) return mask;
  const units = bestAvailable(state, query, mask.value);
  const isNone = !units.ok && units.refusal.reason === 'sold_out';
  return (isNone && nothingLeftOf(state, caller)) || units;
}

function isTooFew({ reason, code }: Refusal): boolean {
  return reason === 'sold_out' || reason === 'not_enough_together' || code === 'channel_paused';
}

/**
 * The selections that a caller would make: seats by their labels, the lowest places of an area by the area's label and
 * a quantity.
 */
function selectionsOf({ plan }: ReadState, units: readonly number[]): Selection[] {
  const { isMixed } = seatRowsOf(plan);
  const selections: Selection[] = [];
  const quantities = new Map<number, number>();
  for (const unit of units) {
    const index = plan.objectOfUnit[unit]!;
    const { type, label } = plan.objects[index]!;
    // An area that shares its label with a unit, or that has places for companions, can only be named place by place.
    const isNamed = plan.areaByLabel.get(label) === index && !plan.labels.has(label);
    if (type === 'gaArea' && isNamed && isMixed[index] === 0) quantities.set(index, (quantities.get(index) ?? 0) + 1);
    else selections.push({ label: plan.labels.at(unit) });
  }
  for (const [index, quantity] of quantities) selections.push({ label: plan.objects[index]!.label, quantity });
  return selections;
}
