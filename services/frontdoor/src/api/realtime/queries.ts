/** The query of the list of units. */
import { z } from 'zod';
import { text } from '../calls/calls.ts';

export const unitsQuery = z.object({
  id: text("A snapshot's `u`. If the current list has this id, the answer may be kept for ever."),
});
