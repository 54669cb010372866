/** Answers of holds, bookings and blocks. */
import { z } from 'zod';
import { count, currency, epochMs, hold, holdTtlMs, idOf, lineItem, ok, price, soldFor } from '../records/records.ts';

const labels = z.array(z.string());

export const holdSeatsAnswer = z.object({
  ok,
  holdId: idOf('hld'),
  expiresAt: epochMs,
  items: z.array(lineItem),
  labels,
  currency: z.string(),
});

export const extendHoldAnswer = z.object({
  ok,
  holdId: idOf('hld'),
  expiresAt: epochMs,
  extends: count,
  items: z.array(lineItem),
});

export const releaseHoldAnswer = z.object({ ok, released: labels });

export const getHoldAnswer = hold.extend({ items: z.array(lineItem.extend({ unitPrice: soldFor })) });

export const bookSeatsAnswer = z.object({ ok, booked: labels });

export const unbookSeatsAnswer = z.object({ ok, unbooked: labels });

export const blockSeatsAnswer = z.object({ ok, blocked: labels });

export const unblockSeatsAnswer = z.object({ ok, unblocked: labels });

export const unblockAllSeatsAnswer = z.object({ ok, freed: labels });

export const bookAtBoxOfficeAnswer = z.object({ ok, booked: labels });

export const sellAtBoxOfficeAnswer = z.object({
  ok,
  booked: labels,
  items: z.array(lineItem),
  total: price,
  currency,
});

export const getHoldTtlAnswer = z.object({ holdTtlMs });

export const setHoldTtlAnswer = z.object({ ok, holdTtlMs });
