/** Answers of best available. */
import { z } from 'zod';
import { epochMs, idOf, lineItem, ok, optional } from '../records/records.ts';

const labels = z.array(z.string());

const zoneId = z.string().optional();

/** How the choice came out. */
export const choice = {
  together: z.boolean().describe('Whether all units are one part.'),
  parts: z.array(labels).describe('The units in parts: neighbours, places of one area, or a whole table.'),
  clamped: optional(ok.describe('The call asked for more than one call gives, and got the most.')),
};

export const kept = optional(
  ok.describe('Nothing better than the hold of `replaceHoldId` was free. The answer tells of this hold, unchanged.'),
);

export const holdBestAvailableAnswer = z.object({
  ok,
  holdId: idOf('hld'),
  expiresAt: epochMs,
  items: z.array(lineItem),
  labels,
  currency: z.string(),
  zoneId,
  ...choice,
  kept,
});

export const blockBestAvailableAnswer = z.object({ ok, labels, blocked: labels, ...choice });

export const bookBestAvailableAnswer = z.object({
  ok,
  labels,
  items: z.array(lineItem),
  bookingRef: z.string(),
  zoneId,
  ...choice,
});
