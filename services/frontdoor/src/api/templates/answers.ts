/** Answers of templates. */
import { z } from 'zod';
import { count } from '../records/records.ts';

const size = z.object({
  name: z.string().describe('The name of the size in `sizes` of a new chart.'),
  label: z.string().describe('A name for people, in English.'),
  min: count,
  max: count,
  default: count.describe('The size where a new chart names none.'),
});

export const listTemplatesAnswer = z.object({
  templates: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      description: z.string(),
      sizes: z.array(size),
      seatTotal: count.describe('The units of a chart in usual sizes. A table that is sold as a whole is one unit.'),
    }),
  ),
});
