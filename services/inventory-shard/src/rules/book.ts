/** Booking a hold or labels, and unbooking. bookingRef names the booking: repeating one is harmless (I5). */
import type { Caller, Command } from '@parterre/shared/commands';
import { refuse } from '@parterre/shared/errors';
import type { Line } from '@parterre/shared/records';
import { byOf, type Decision, salesClosed } from './decision.ts';
import { isFree, unitsOfLines } from './hold.ts';
import { conflictOver, labelsOf, linesFor, unitsOf } from './select.ts';
import { type EventState, type Hold, isOnSale, ownedLines } from './state.ts';

/** Books a hold, or the named part of it. All or nothing: every label in the way is told. */
export function book(state: EventState, command: Command & { type: 'book' }, caller: Caller): Decision<'book'> {
  const answered = firstAnswer(state, command.bookingRef, command.callId);
  if (answered) return { ok: true, records: [], answer: { booked: answered } };
  const hold = state.holds.get(command.holdId);
  if (!hold) return refuse('hold_not_found', 'There is no such hold on this event.');
  const wanted = wantedUnits(state, hold, command.labels);
  if (!wanted.ok) return wanted;
  const ref = command.bookingRef;
  const refSlot = state.bookings.get(ref)?.slot ?? -1;
  const open = wanted.value.filter((unit) => state.slotOf[unit] !== refSlot);
  // Of an ended hold nothing may be left, where its seats went with a chart: that is no booking.
  const isBooked = wanted.value.length > 0 || hold.bookingRef === ref;
  if (open.length === 0 && isBooked) return { ok: true, records: [], answer: { booked: [] } };
  const inTheWay = open.filter((unit) => state.slotOf[unit] !== hold.slot || hold.status !== 'active');
  if (inTheWay.length > 0 || !isBooked) {
    const reason = hold.status === 'expired' ? 'hold_expired' : undefined;
    return { ok: false, refusal: conflictOver(state, inTheWay, reason) };
  }
  const chosen = new Set(open);
  const lines = ownedLines(state, hold).filter((line) => chosen.has(line.unit));
  return booked(state, command, hold, lines, caller);
}

function wantedUnits(state: EventState, hold: Hold, labels: string[] | undefined): ReturnType<typeof unitsOf> {
  if (labels) return unitsOf(state.plan, labels);
  const lines = hold.status === 'active' ? ownedLines(state, hold) : hold.lines;
  return { ok: true, value: unitsOfLines(lines) };
}

/** Books labels without a hold. Units that this reference has already are left as they are. */
export function bookDirect(
  state: EventState,
  command: Command & { type: 'book-direct' },
  caller: Caller,
  now: number,
): Decision<'book-direct'> {
  const answered = firstAnswer(state, command.bookingRef, command.callId);
  if (answered) return { ok: true, records: [], answer: { booked: answered } };
  const booking = state.bookings.get(command.bookingRef);
  const refSlot = booking?.slot ?? -1;
  const had = new Set<number>();
  const open = command.selections.filter(({ label }) => {
    const unit = state.plan.labels.unitOf(label);
    if (unit === undefined || state.slotOf[unit] !== refSlot) return true;
    had.add(unit);
    return false;
  });
  if (open.length === 0) return { ok: true, records: [], answer: { booked: [] } };
  if (!isOnSale(state)) return salesClosed;
  const hadLines = had.size === 0 ? [] : booking!.lines.filter(({ unit }) => had.has(unit));
  const lines = linesFor(state, open, (unit) => isFree(state, unit), { caller, now, had: hadLines });
  if (!lines.ok) return lines;
  return booked(state, command, null, lines.value, caller);
}

/** The labels that this very call was answered with before, or null when it is new. */
function firstAnswer(state: EventState, bookingRef: string, callId: string): string[] | null {
  const last = state.bookings.get(bookingRef)?.lastCall;
  return last?.callId === callId ? labelsOf(state.plan, last.units) : null;
}

function booked(
  state: EventState,
  { bookingRef, callId }: { bookingRef: string; callId: string },
  hold: Hold | null,
  lines: Line[],
  caller: Caller,
): Extract<Decision<'book'>, { ok: true }> {
  const accessSource = hold?.accessSource ?? caller.accessSource;
  const holdId = hold?.id ?? null;
  return {
    ok: true,
    records: [{ type: 'booked', bookingRef, callId, holdId, accessSource, lines, by: byOf(caller) }],
    answer: { booked: labelsOf(state.plan, unitsOfLines(lines)) },
  };
}

/** Frees a booking, or the named part of it; only under the reference that owns the seats. */
export function unbook(state: EventState, command: Command & { type: 'unbook' }, caller: Caller): Decision<'unbook'> {
  const booking = state.bookings.get(command.bookingRef);
  if (!booking) return refuse('booking_not_found', 'There is no such booking on this event.');
  if (state.config.ownership !== 'platform') {
    return refuse('not_platform_owned', 'Only events owned by a platform can be unbooked through this call.');
  }
  const answered = firstAnswer(state, command.bookingRef, command.callId);
  if (answered) return { ok: true, records: [], answer: { unbooked: answered } };
  let units = unitsOfLines(booking.lines);
  if (command.labels) {
    const named = unitsOf(state.plan, command.labels);
    if (!named.ok) return named;
    const foreign = named.value.filter((unit) => state.slotOf[unit] !== booking.slot && !isFree(state, unit));
    if (foreign.length > 0) {
      return { ok: false, refusal: conflictOver(state, foreign, 'not_owned_by_booking_ref') };
    }
    units = named.value.filter((unit) => state.slotOf[unit] === booking.slot);
  }
  if (units.length === 0) return { ok: true, records: [], answer: { unbooked: [] } };
  return {
    ok: true,
    records: [{ type: 'unbooked', bookingRef: booking.ref, callId: command.callId, units, by: byOf(caller) }],
    answer: { unbooked: labelsOf(state.plan, units) },
  };
}
