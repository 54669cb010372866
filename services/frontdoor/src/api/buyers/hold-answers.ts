/** Answers of buyers' holds. */
import { z } from 'zod';
import { choice, kept } from '../best-available/best-available.ts';
import { count, epochMs, idOf, lineItem, ok, textOrNull } from '../records/records.ts';

const labels = z.array(z.string());

export const held = z.object({
  ok,
  holdId: idOf('hld'),
  expiresAt: epochMs,
  labels,
  items: z.array(lineItem),
  seats: z.array(z.object({ label: z.string(), tierId: textOrNull })),
});

export const bestHeld = held.extend({ ...choice, kept });

export const resumeBuyerHoldAnswer = z.object({
  holdId: idOf('hld'),
  expiresAt: epochMs,
  items: z.array(lineItem),
  labels,
});

export const extendBuyerHoldAnswer = z.object({ holdId: idOf('hld'), expiresAt: epochMs, extends: count });

export const releaseBuyerHoldAnswer = z.object({ ok, released: labels });
