/** Answers of an operator's changes of one event's chart. */
import { z } from 'zod';
import { ok, text } from '../records/records.ts';

export const droppedAdjustments = z
  .array(
    z.object({
      reason: z.enum([
        'unknown_label',
        'unknown_category',
        'part_of_area',
        'unknown_table',
        'occupancy',
        'not_sellable',
      ]),
      count: z.int().min(0).describe('The number of changes.'),
      names: z.array(text).describe('Labels, or ids of tables; the first thousand.'),
    }),
  )
  .describe("Changes of the event's own chart that do not fit the new version and were dropped.");

export const assignCategoryAnswer = z.object({ ok, labels: z.array(text) });

export const setTableBookingAnswer = z.object({ ok, tableIds: z.array(text) });
