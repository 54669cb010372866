/** The query of the list of units. */
import { z } from 'zod';
import { text } from '../calls/query.ts';

export const unitsQuery = z.object({
  id: text("A snapshot's `u`. Where it is the present list's, the answer may be kept for ever."),
});
