/** The queries of an event's bookings and of its log. */
import { bookingStates } from '@parterre/shared/catalog/history';
import { z } from 'zod';
import { before, choice, cursor, limit, text } from '../calls/calls.ts';

const entries = limit({ usual: 50, most: 200 }, z.int().default(50), 'At most 200.');

export const bookingsQuery = z.object({
  q: text(
    'Only bookings whose bookingRef contains this text, in any case. The booking that now has the seat with exactly ' +
      'this label comes first.',
  ),
  state: choice('Only bookings in this state.', bookingStates, 'There is no such state of a booking.'),
  cursor,
  limit: entries,
});

export const logQuery = z.object({
  limit: entries,
  before: before("The previous page's nextBefore: only entries with lower ids."),
});
