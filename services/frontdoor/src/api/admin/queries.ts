/** The queries of lists of the operator's surface. */
import { z } from 'zod';
import { cursor, limit } from '../calls/calls.ts';

export const pageQuery = z.object({
  limit: limit({ usual: 100, most: 200 }, z.string(), 'Entries on one page: 1 to 200, 100 if absent. Clamped.'),
  cursor,
});
