/**
 * Request bodies of buyers' browsers. They never have a price: line items come from the inventory. The bodies of sales are
 * compiled (inventory/bodies.ts).
 */
import { idLengthMax, labelsPerSaleMax, referralLengthMax } from '@parterre/shared/limits';
import { z } from 'zod';
import { fitsTogether, query, tickets } from '../best-available/best-available.ts';
import {
  expectedTotal,
  labels,
  namesUnitsOnce,
  namesUnitsOnceMessage,
  soldLabels,
  ttlMs,
} from '../inventory/inventory.ts';
import { id, unitLabel as label, optional } from '../records/records.ts';

const selection = z.object({
  label,
  tierId: optional(z.string().max(idLengthMax).nullable()),
  quantity: optional(z.int().min(1).max(labelsPerSaleMax)),
});

export const buyerHoldBody = z.compile(
  z
    .object({
      labels: optional(soldLabels),
      selections: optional(z.array(selection).min(1).max(labelsPerSaleMax)),
      ttlMs: optional(ttlMs),
      replaceHoldId: optional(id),
      expectedTotal,
      referral: optional(z.string().max(referralLengthMax).nullable()),
    })
    .refine(namesUnitsOnce, namesUnitsOnceMessage),
);

export const buyerBestAvailableBody = z
  .object({ ...query, ...tickets, ttlMs: optional(ttlMs), replaceHoldId: optional(id) })
  .superRefine(fitsTogether);
export const resumeBody = z.object({ holdId: id });
export const buyerExtendBody = z.object({ holdId: id, ttlMs: optional(ttlMs) });
export const buyerReleaseBody = z.compile(z.object({ holdId: id, labels: optional(labels(labelsPerSaleMax)) }));

/** Without a credential the address answers as if it did not exist. */
const credential = optional(z.string().max(200).nullable());
export const bootstrapBody = z.object({ publicKey: credential });
export const redeemBody = z.object({ capability: credential });
