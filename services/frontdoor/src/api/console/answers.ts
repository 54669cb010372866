/** Answers of an operator's console. */
import { z } from 'zod';
import { logEntry } from '../history/history.ts';
import { count, counts, currency, epochMs, eventMeta, taken, text } from '../records/records.ts';

export const controlRoomAnswer = z.object({
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
    since: epochMs.describe(
      'The beginning of the window; later if the window has more log entries than one call reads.',
    ),
    bySection: z
      .array(
        z.object({
          sectionId: text,
          netBooked: z.int().describe('Units booked minus units unbooked.'),
          trend: z
            .enum(['rising', 'steady', 'cooling'])
            .describe('Whether the second half of the window had more net bookings than the first, as many, or fewer.'),
          bookedValue: taken.describe(
            'The value of the bookings in the window. Null for a manage session without event:reports.',
          ),
        }),
      )
      .describe('Sections with a booking or cancellation in the window.'),
  }),
  presence: z.object({ shoppingSessions: count, activeHolds: count }),
  activity: z.array(logEntry).describe('The last 20 entries of the log, newest first, each with its first labels.'),
});
