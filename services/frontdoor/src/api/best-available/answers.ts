/** Answers of best available. */
import { z } from 'zod';
import { epochMs, idOf, lineItem, ok } from '../records/records.ts';

const labels = z.array(z.string());

const zoneId = z.string().optional();

export const holdBestAvailableAnswer = z.object({
  ok,
  holdId: idOf('hld'),
  expiresAt: epochMs,
  items: z.array(lineItem),
  labels,
  currency: z.string(),
  zoneId,
});

export const blockBestAvailableAnswer = z.object({ ok, labels, blocked: labels });

export const bookBestAvailableAnswer = z.object({
  ok,
  labels,
  items: z.array(lineItem),
  bookingRef: z.string(),
  zoneId,
});
