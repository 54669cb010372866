/** The queries of the operator's surface. */
import { z } from 'zod';
import { cursor, isOne, limit } from '../calls/calls.ts';

export const pageQuery = z.object({
  limit: limit({ usual: 100, most: 200 }, z.string(), 'Entries on one page: 1 to 200, 100 if absent. Clamped.'),
  cursor,
});

export const endOfMinterQuery = z.object({
  endSessions: isOne('1 also ends what the key or user gave to others: sessions and links end, webhooks are paused.'),
});
