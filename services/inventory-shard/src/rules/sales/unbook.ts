/** Cancels bookings. The reference names the booking: a repeated call is harmless (I5). */
import { labelsOf } from '@parterre/shared/charts/plan';
import type { Caller, Command } from '@parterre/shared/protocol/commands';
import { refuse } from '@parterre/shared/protocol/errors';
import { conflictOver, placesAmong, unitsNamed } from '../selection/selection.ts';
import { byOf, type Decision, freedOf, isFree, knownBooking, type ReadState, unitsOfLines } from '../state/state.ts';
import { labelsOfCall } from './book.ts';
import { removalsBefore } from './resale.ts';

export const noSuchBooking = refuse(
  'booking_not_found',
  'The event has no booking with this bookingRef. Check the bookingRef.',
);

/** Cancels a booking or the named part of it. The call must name the reference that has the seats. */
export function unbook(
  state: ReadState,
  command: Command & { type: 'unbook' },
  caller: Caller,
  now: number,
): Decision<'unbook'> {
  if (state.config.ownership !== 'platform') {
    return refuse(
      'not_platform_owned',
      'This call unbooks only events whose ownership is "platform". This event is managed: its dashboard cancels bookings.',
    );
  }
  const booking = knownBooking(state, command.bookingRef, now);
  if (!booking) return noSuchBooking;
  const answered = labelsOfCall(booking, state, command.callId);
  if (answered) return { ok: true, records: [], answer: { unbooked: answered } };
  let units = unitsOfLines(booking.lines);
  if (command.labels) {
    const has = units;
    const named = unitsNamed(
      state.plan,
      command.labels,
      placesAmong(state.plan, () => has),
    );
    if (!named.ok) return named;
    const foreign = named.value.units.filter((unit) => state.slotOf[unit] !== booking.slot && !isFree(state, unit));
    if (foreign.length > 0) return conflictOver(state, foreign, 'not_owned_by_booking_ref');
    units = named.value.units.filter((unit) => state.slotOf[unit] === booking.slot);
  }
  if (units.length === 0) return { ok: true, records: [], answer: { unbooked: [] } };
  const removals = removalsBefore(state, units, command.callId, caller);
  if (!removals.ok) return removals;
  return {
    ok: true,
    records: [
      ...removals.records,
      {
        type: 'unbooked',
        bookingRef: booking.ref,
        callId: command.callId,
        units,
        freed: freedOf(booking, units)!,
        by: byOf(caller),
      },
    ],
    answer: { unbooked: labelsOf(state.plan, units) },
  };
}
