/** The queries of buyers' reads. */
import { z } from 'zod';
import { isOne, text } from '../calls/calls.ts';

export const mapQuery = z.object({
  compact: isOne('1 makes the most common status the default; otherwise the default is free.'),
});

export const summaryQuery = z.object({
  live: isOne('1 asks the inventory now; otherwise the answer is up to a second old.'),
});

export const ownQuery = summaryQuery.extend({
  holdId: text('A hold of the caller from before its present session. `heldByOthers` leaves it out.'),
});
