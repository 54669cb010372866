/**
 * Holds, blocks and books the best seats left. The event chooses the seats; the rest of the work is the same as for
 * named seats.
 */
import { labelsOf } from '@parterre/shared/charts/plan';
import type { Caller, Command } from '@parterre/shared/protocol/commands';
import { refuse } from '@parterre/shared/protocol/errors';
import { lineItemsOf } from '@parterre/shared/protocol/line-items';
import type { AccessSource, Line } from '@parterre/shared/protocol/records';
import type { SeatQuery } from '@parterre/shared/protocol/seat-query';
import { holdFor } from '../reach/reach.ts';
import {
  beyondBuyerLimit,
  blocked,
  blockedAgain,
  booked,
  firstHeldAnswer,
  heldInPlace,
  isInTheFuture,
  notOnSale,
} from '../sales/sales.ts';
import { withinLimits } from '../selection-rules/limited-search.ts';
import { partedBroken, rulesTold } from '../selection-rules/selection-rules.ts';
import {
  type Booking,
  type CallRules,
  type Chosen,
  type Decision,
  isOnSale,
  knownBooking,
  knownCall,
  knownHold,
  type ReadState,
  type Rules,
  salesClosed,
  unitsOfLines,
} from '../state/state.ts';
import { fingerprintOf, searchOf } from './asked-seats.ts';
import { chosenLines, chosenUnits } from './choosing.ts';
import { isNoBetter, kept, keptAgain } from './keeping.ts';
import { partLabels } from './parts.ts';

export const bestAvailableRules: Rules<'hold-best' | 'book-best'> = { 'hold-best': holdBest, 'book-best': bookBest };

/** Choices write nothing. */
export const bestAvailableReads: Rules<'choose-best'> = { 'choose-best': chooseBest };

export const bestAvailableCalls: CallRules<'block-best'> = {
  'block-best': {
    decide: blockBest,
    again: (state, noted) => ({ ...blockedAgain(state, noted), parts: partLabels(state.plan, noted.units ?? []) }),
  },
};

type BestCommand<T extends 'choose-best' | 'hold-best' | 'block-best' | 'book-best'> = Command & { type: T };

/**
 * Each further choice is the event's choice after the choices before it were sold. Fewer than `count` choices are no
 * fault.
 */
function chooseBest(
  state: ReadState,
  { query, count, replaceHoldId }: BestCommand<'choose-best'>,
  caller: Caller,
  now: number,
): Decision<'choose-best'> {
  if (!isOnSale(state)) return salesClosed;
  const named = replaceHoldId === undefined ? undefined : holdFor(state, replaceHoldId, caller, now);
  const replaced = named?.status === 'active' ? named : undefined;
  const { currency } = state.config;
  const { accessSource } = caller;
  const taken = new Set<number>();
  const alternatives: Extract<Decision<'choose-best'>, { ok: true }>['answer']['alternatives'] = [];
  while (alternatives.length < count) {
    const others = taken.size === 0 ? null : taken;
    const search = (asked: SeatQuery) => chosenLines(state, asked, { caller, now, replaced }, others);
    const choice = withinLimits(state, caller, query, search);
    if (!choice.ok && alternatives.length === 0) return choice;
    if (!choice.ok) break;
    const { lines } = choice.value;
    const units = unitsOfLines(lines);
    const items = lineItemsOf(state.plan, lines, { currency, accessSource });
    alternatives.push({ labels: labelsOf(state.plan, units), items, parts: partLabels(state.plan, units) });
    for (const unit of units) taken.add(unit);
  }
  return { ok: true, records: [], answer: { alternatives, currency } };
}

/** Without better units the hold that would be replaced stays as it is. So it does if the call is refused. */
function holdBest(
  state: ReadState,
  command: BestCommand<'hold-best'>,
  caller: Caller,
  now: number,
): Decision<'hold-best'> {
  const { holdId, replaceHoldId } = command;
  const known = knownHold(state, holdId, now);
  if (known) return withParts(state, firstHeldAnswer(state, known, command.fingerprint, caller), known.lines);
  const noted = knownCall(state, holdId, now);
  if (noted) return keptAgain(state, command, noted);
  const closed = notOnSale(state, caller, now);
  if (closed) return closed;
  const named = replaceHoldId === undefined ? undefined : holdFor(state, replaceHoldId, caller, now);
  const replaced = named?.status === 'active' ? named : undefined;
  const search = (query: SeatQuery) => chosenLines(state, query, { caller, now, replaced });
  const choice = withinLimits(state, caller, command.query, search);
  if (!choice.ok) return choice;
  const { query, lines } = choice.value;
  if (replaced && isNoBetter(state, query, replaced, lines)) return kept(state, command, replaced, caller);
  const apart = partedBroken(state, caller, lines);
  if (apart) return apart;
  const decision = heldInPlace(state, command, lines, caller, now, replaced);
  if (decision.ok) Object.assign(decision.answer, rulesTold(state, caller, lines, replaced));
  return withParts(state, decision, lines);
}

function withParts({ plan }: ReadState, decision: Decision<'hold'>, lines: readonly Line[]): Decision<'hold-best'> {
  if (!decision.ok) return decision;
  return { ...decision, answer: { ...decision.answer, parts: partLabels(plan, unitsOfLines(lines)) } };
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
  const units = chosenUnits(state, command.query, { caller, now });
  if (!units.ok) return units;
  const decision = blocked(state, command, units.value, caller);
  if (!decision.ok) return decision;
  return { ...decision, answer: { ...decision.answer, parts: partLabels(state.plan, units.value) } };
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
  const valid = searchOf(state.plan, command.query);
  if (!valid.ok) return valid;
  if (known?.chosen) {
    const why = 'This bookingRef has seats that the event chose for another request. Use another bookingRef.';
    return refuse('conflict', why, { reason: 'booking_ref_in_use' });
  }
  if (!isOnSale(state)) return salesClosed;
  const lines = chosenLines(state, command.query, { caller, now });
  if (!lines.ok) return lines;
  const overLimit = beyondBuyerLimit(state, caller.buyerRef, lines.value);
  if (overLimit) return overLimit;
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
  { plan, config: { currency } }: ReadState,
  lines: Line[],
  accessSource: AccessSource,
): Extract<Decision<'book-best'>, { ok: true }>['answer'] {
  const units = unitsOfLines(lines);
  const items = lineItemsOf(plan, lines, { currency, accessSource });
  return { labels: labelsOf(plan, units), items, parts: partLabels(plan, units) };
}
