import { z } from 'zod';
import { logEntry } from '../history/answers.ts';
import { count, counts, currency, epochMs, eventMeta, taken, text } from '../records/records.ts';

export const room = z.object({
  event: eventMeta,
  currency,
  totals: counts,
  bookedValue: z.object({
    gross: taken,
    bySection: z.array(
      z.object({ sectionId: text, sectionLabel: text, total: count, booked: count, bookedValue: taken }),
    ),
  }),
  velocity: z.object({
    windowMinutes: z.int(),
    since: epochMs.describe('Where the window begins; later in an event that sold more than is looked through.'),
    bySection: z
      .array(
        z.object({
          sectionId: text,
          netBooked: z.int().describe('Units booked less those unbooked.'),
          trend: z
            .enum(['rising', 'steady', 'cooling'])
            .describe('Whether the second half of the window had more of them than the first, as many, or fewer.'),
          bookedValue: taken.describe(
            'Of what was booked in the window. Null for a manage session without event:reports.',
          ),
        }),
      )
      .describe('Sections in which anything was booked or unbooked.'),
  }),
  presence: z.object({ shoppingSessions: count, activeHolds: count }),
  activity: z.array(logEntry).describe('The last 20 entries of the log, newest first, each with its first labels.'),
});
