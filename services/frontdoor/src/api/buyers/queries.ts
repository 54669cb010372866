/** The queries of buyers' reads. */
import { z } from 'zod';
import { isOne } from '../calls/query.ts';

export const mapQuery = z.object({
  compact: isOne('1 makes the commonest status the default; else it is free.'),
});

export const summaryQuery = z.object({
  live: isOne('1 asks the inventory at this moment; else the answer is up to a second old.'),
});
