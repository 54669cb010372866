/** The queries of an event's bookings and of its log. */
import { bookingStates } from '@parterre/shared/catalog/history';
import { z } from 'zod';
import { before, choice, cursor, limit, text } from '../calls/query.ts';

const entries = limit({ usual: 50, most: 200 }, z.int().default(50), 'At most 200.');

export const bookingsQuery = z.object({
  q: text(
    'Only those whose bookingRef has this in it, in either case; and first, beside them, the booking that has the seat of this very label just now.',
  ),
  state: choice('Only those in this state.', bookingStates, 'There is no such state of a booking.'),
  cursor,
  limit: entries,
});

export const logQuery = z.object({
  limit: entries,
  before: before('The nextBefore of the page before: only entries with lower ids.'),
});
