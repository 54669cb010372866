/** Holding, blocking and booking the best seats that are left: the event chooses them, the rest is as with named ones. */
import { labelsOf } from '@parterre/shared/chart/plan';
import type { Caller, Command, SeatQuery, Selection } from '@parterre/shared/commands';
import { type Outcome, type Refusal, refuse } from '@parterre/shared/errors';
import { lineItemsOf } from '@parterre/shared/line-items';
import type { AccessSource, Line } from '@parterre/shared/records';
import { choosingPoolOf, nothingLeftOf, withoutOverride } from '../reach/reach.ts';
import { blocked, isInTheFuture } from '../sales/block.ts';
import { booked } from '../sales/book.ts';
import { firstHeldAnswer, held, isFree, unitsOfLines } from '../sales/hold.ts';
import { tooMany } from '../sales/session-use.ts';
import { linesFor, type Terms } from '../selection/selection.ts';
import { type Decision, salesClosed } from '../state/decision.ts';
import { type Booking, type Chosen, type EventState, isOnSale, knownHold } from '../state/state.ts';
import { bestAvailable } from './best-units.ts';
import { checkedQuery, fingerprintOf } from './seat-query.ts';
import { seatRowsOf } from './seat-rows.ts';

type BestCommand<T extends 'hold-best' | 'block-best' | 'book-best'> = Command & { type: T };

export function holdBest(
  state: EventState,
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

/** What nobody may buy just now is not chosen here either, though a block names no price. */
export function blockBest(
  state: EventState,
  command: BestCommand<'block-best'>,
  caller: Caller,
  now: number,
): Decision<'block-best'> {
  const inTime = isInTheFuture(command.releaseAt, now);
  if (!inTime.ok) return inTime;
  const units = bestUnits(state, command.query, caller);
  return units.ok ? blocked(state, command, units.value, caller) : units;
}

/** A reference has one choice: a repetition is known by it and what it asks for, and gets what is left of the first (I5). */
export function bookBest(
  state: EventState,
  command: BestCommand<'book-best'>,
  caller: Caller,
  now: number,
): Decision<'book-best'> {
  const fingerprint = fingerprintOf(command.query, caller.reach);
  const known = state.bookings.get(command.bookingRef);
  // First of all: another chart may not have any more what the first call asked for.
  if (known?.chosen?.fingerprint === fingerprint) return firstChoice(state, known, known.chosen);
  const valid = checkedQuery(state.plan, command.query);
  if (!valid.ok) return valid;
  if (known?.chosen) {
    const why = 'This bookingRef has booked seats that the event chose for another request.';
    return refuse('conflict', why, { reason: 'booking_ref_in_use' });
  }
  if (!isOnSale(state)) return salesClosed;
  const lines = bestLines(state, command, { caller, now });
  if (!lines.ok) return lines;
  const { records } = booked(state, { ...command, fingerprint }, null, lines.value, caller);
  return { ok: true, records, answer: bookedAnswer(state, lines.value, caller.accessSource) };
}

function firstChoice(state: EventState, booking: Booking, { units }: Chosen): Decision<'book-best'> {
  if (units.length === 0) {
    const why = 'What this call booked has been cancelled; another bookingRef books anew.';
    return refuse('conflict', why, { reason: 'booking_cancelled' });
  }
  const still = new Set(units);
  const lines = booking.lines.filter(({ unit }) => still.has(unit));
  return { ok: true, records: [], answer: bookedAnswer(state, lines, booking.accessSource) };
}

function bookedAnswer(
  state: EventState,
  lines: Line[],
  accessSource: AccessSource,
): { labels: string[]; items: ReturnType<typeof lineItemsOf> } {
  const items = lineItemsOf(state.plan, lines, { currency: state.config.currency, accessSource });
  return { labels: labelsOf(state.plan, unitsOfLines(lines)), items };
}

function bestLines(state: EventState, { query }: { query: SeatQuery }, terms: Terms): Outcome<Line[]> {
  const units = bestUnits(state, query, terms.caller);
  if (!units.ok) return units;
  return linesFor(state, selectionsOf(state, units.value), (unit) => isFree(state, unit), terms);
}

function bestUnits(state: EventState, query: SeatQuery, caller: Caller): Outcome<number[]> {
  if (caller.override) {
    const units = bestUnits(state, query, withoutOverride(caller));
    if (units.ok || !isTooFew(units.refusal)) return units;
  }
  const pool = choosingPoolOf(state, caller);
  if (!pool.ok) return pool;
  const units = bestAvailable(state, query, pool.value);
  const isNone = !units.ok && units.refusal.reason === 'sold_out';
  return (isNone && nothingLeftOf(state, caller)) || units;
}

function isTooFew({ reason, code }: Refusal): boolean {
  return reason === 'sold_out' || reason === 'not_enough_together' || code === 'channel_paused';
}

/** As a caller would name them: seats by their labels, the lowest places of an area by its own and how many. */
function selectionsOf({ plan }: EventState, units: readonly number[]): Selection[] {
  const { isMixed } = seatRowsOf(plan);
  const selections: Selection[] = [];
  const quantities = new Map<number, number>();
  for (const unit of units) {
    const index = plan.objectOfUnit[unit]!;
    const { type, label } = plan.objects[index]!;
    // An area that shares its label with a unit can only be named by its places, as can one that has places for companions.
    const isNamed = plan.areaByLabel.get(label) === index && !plan.labels.has(label);
    if (type === 'gaArea' && isNamed && isMixed[index] === 0) quantities.set(index, (quantities.get(index) ?? 0) + 1);
    else selections.push({ label: plan.labels.at(unit) });
  }
  for (const [index, quantity] of quantities) selections.push({ label: plan.objects[index]!.label, quantity });
  return selections;
}
