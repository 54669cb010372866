/**
 * A booking without units is cancelled. A day later it is forgotten: callers find no such booking (`knownBooking`), and
 * its reference books as if for the first time. The catalog keeps its history.
 *
 * A forgotten booking leaves memory with the next records, a few with each, so that no record takes long (I8). Nobody
 * sees whether it has left. Records and their times alone decide (I6). The last cancelled booking of an event stays:
 * an event with bookings never changes its currency.
 */
import { cancelledBookingKeepMs } from '@parterre/shared/protocol/limits';
import type { EventState } from '../state/state.ts';

const forgottenPerRecord = 4;

/** Call this in the fold of a record of time `at`. */
export function forgetCancelled({ cancelled, bookings }: EventState, at: number): void {
  if (cancelled.firstAt > at - cancelledBookingKeepMs) return;
  for (let left = forgottenPerRecord; left > 0 && cancelled.size > 1; left--) {
    if (cancelled.firstAt > at - cancelledBookingKeepMs) return;
    bookings.delete(cancelled.forgetFirst());
  }
}
