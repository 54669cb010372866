/** Cancels units that an operation booked here. */
import { labelsOf } from '@parterre/shared/charts/plan';
import type { Caller, Command } from '@parterre/shared/protocol/commands';
import { refuse } from '@parterre/shared/protocol/errors';
import { labelsOfCall, removalsBefore } from '../sales/sales.ts';
import { placesAmong, unitsNamed } from '../selection/selection.ts';
import { byOf, type Decision, knownBooking, type ReadState, unitsOfLines } from '../state/state.ts';

/** Units that the booking does not have any more are passed over, so that a repetition is harmless (I5). */
export function unbookPart(
  state: ReadState,
  { operation, callId, bookingRef, labels }: Command & { type: 'unbook-part' },
  caller: Caller,
  now: number,
): Decision<'unbook-part'> {
  const booking = knownBooking(state, bookingRef, now);
  if (!booking) return refuse('booking_not_found', 'The event has no booking with this bookingRef.');
  const answered = labelsOfCall(booking, state, callId);
  if (answered) return { ok: true, records: [], answer: { unbooked: answered } };
  const has = unitsOfLines(booking.lines);
  const places = placesAmong(state.plan, () => has);
  const named = unitsNamed(state.plan, labels, places);
  if (!named.ok) return named;
  const units = named.value.units.filter((unit) => state.slotOf[unit] === booking.slot);
  if (units.length === 0) return { ok: true, records: [], answer: { unbooked: [] } };
  const removals = removalsBefore(state, units, callId, caller);
  if (!removals.ok) return removals;
  return {
    ok: true,
    records: [...removals.records, { type: 'unbooked', bookingRef, callId, units, operation, by: byOf(caller) }],
    answer: { unbooked: labelsOf(state.plan, units) },
  };
}
