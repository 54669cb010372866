/** The request body of an exchange. */
import { bestAvailableQtyMax, gaCapacityMax, labelsPerSaleMax } from '@parterre/shared/limits';
import { z } from 'zod';
import { fitsTogether, query, tickets } from '../best-available/best-available.ts';
import { access, bookingRef, saleSelection, saysWhy, saysWhyMessage, soldLabels } from '../inventory/inventory.ts';
import { id, unitLabel as label, optional } from '../records/records.ts';

const part = z.object({ label, quantity: optional(z.int().min(1).max(gaCapacityMax)) });

/** A larger party is not clamped here: it would lose seats. */
const qty = z.int().min(1).max(bestAvailableQtyMax).describe('As many places as `from` gives up.');

const to = z
  .object({
    labels: optional(soldLabels),
    selections: optional(z.array(saleSelection).min(1).max(labelsPerSaleMax)),
    bestAvailable: optional(z.object({ ...query, ...tickets, qty }).superRefine(fitsTogether)),
    holdId: optional(id),
  })
  .refine(namesOneTarget, {
    message: 'Send exactly one of labels, selections, bestAvailable and holdId. Only a hold takes labels beside it.',
  });

type To = { labels?: unknown; selections?: unknown; bestAvailable?: unknown; holdId?: unknown };

function namesOneTarget({ labels, selections, bestAvailable, holdId }: To): boolean {
  const named = [holdId === undefined ? labels : undefined, selections, bestAvailable, holdId];
  return named.filter((each) => each !== undefined).length === 1;
}

export const exchangeBody = z
  .object({
    bookingRef,
    from: z
      .array(z.union([label.transform((named) => ({ label: named })), part]))
      .min(1)
      .max(labelsPerSaleMax)
      .describe(
        'Units of the booking. The label of an area stands for all places that the booking has there, with a ' +
          '`quantity` for as many of them.',
      ),
    to,
    ...access,
  })
  .refine(saysWhy, saysWhyMessage);
