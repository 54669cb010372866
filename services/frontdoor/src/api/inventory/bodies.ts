/** The bodies of the inventory routes (wire contract 5). */
import {
  bookingRefLengthMax,
  channelsPerEventMax,
  gaCapacityMax,
  idLengthMax,
  labelsPerBulkMax,
  labelsPerSaleMax,
  noteLengthMax,
} from '@parterre/shared/limits';
import { z } from 'zod';
import { epochMs, id, unitLabel as label, optional, reason } from '../records/body-parts.ts';

/** Clamped by the event's actor. */
export const ttlMs = z.int().min(1).describe('Milliseconds from now; more than an hour means an hour.');
/** Of what is sold: a unit that is named twice is meant once, an area as often as it stands there, which only the event can tell. */
export const soldLabels = z.array(label).min(1).max(labelsPerSaleMax);

/** Naming twice means once. */
export function labels(most: number) {
  return z
    .array(label)
    .min(1)
    .max(most)
    .transform((named) => (named.length === 1 ? named : [...new Set(named)]));
}

const selection = z.object({
  label,
  tierId: optional(z.string().max(idLengthMax).nullable()),
  quantity: optional(z.int().min(1).max(gaCapacityMax)),
});
const selections = z.array(selection).min(1).max(labelsPerSaleMax);

export const access = {
  channelIds: optional(
    z
      .array(id)
      .max(channelsPerEventMax)
      .describe('Channels whose seats may be had beside those of public sale, and in whose name they are sold.'),
  ),
  ignoreChannelRestrictions: optional(z.boolean()),
  reason: optional(reason),
};

/** An override of channels is written to the audit log, and needs something to write there. */
export const saysWhy = (body: { ignoreChannelRestrictions?: boolean; reason?: string | null }): boolean =>
  body.ignoreChannelRestrictions !== true || typeof body.reason === 'string';
export const saysWhyMessage = { message: 'Send a reason with ignoreChannelRestrictions.', path: ['reason'] };

export const bookingRef = z
  .string()
  .trim()
  .min(1)
  .max(bookingRefLengthMax)
  .describe("The order's name at the caller, which owns what is booked; trimmed.");

type Named = { labels?: string[]; selections?: z.output<typeof selections> };
export const namesUnitsOnce = (body: Named) => (body.labels === undefined) !== (body.selections === undefined);
export const namesUnitsOnceMessage = { message: 'Send exactly one of labels and selections.', path: ['labels'] };

export const holdBody = z
  .object({
    labels: optional(soldLabels),
    selections: optional(selections),
    ttlMs: optional(ttlMs),
    replaceHoldId: optional(id),
    ...access,
  })
  .refine(saysWhy, saysWhyMessage)
  .refine(namesUnitsOnce, namesUnitsOnceMessage);

export const extendBody = z.object({ holdId: id, ttlMs: optional(ttlMs), ...access }).refine(saysWhy, saysWhyMessage);
export const releaseBody = z.object({ holdId: id, labels: optional(labels(labelsPerSaleMax)) });

export const bookBody = z
  .object({
    holdId: optional(id),
    labels: optional(soldLabels),
    selections: optional(selections),
    bookingRef,
    ...access,
  })
  .refine(saysWhy, saysWhyMessage)
  .refine((body) => body.holdId !== undefined || namesUnitsOnce(body), {
    message: 'Send holdId, or exactly one of labels and selections.',
    path: ['holdId'],
  })
  .refine((body) => body.holdId === undefined || body.selections === undefined, {
    message: 'A hold has its selections already; narrow it with labels.',
    path: ['selections'],
  });

export const boxBookBody = z.object({ labels: soldLabels, bookingRef, ...access }).refine(saysWhy, saysWhyMessage);
export const boxOfficeSaleBody = z
  .object({
    selections,
    bookingRef,
    releaseId: optional(id.nullable()),
    note: optional(z.string().trim().max(noteLengthMax).nullable()),
    ...access,
  })
  .refine(saysWhy, saysWhyMessage);

export const unbookBody = z.object({ bookingRef, labels: optional(labels(labelsPerSaleMax)) });
export const blockBody = z.object({
  labels: labels(labelsPerBulkMax),
  releaseAt: optional(epochMs.nullable()),
  reason: optional(reason.nullable()),
});
export const unblockBody = z.object({ labels: labels(labelsPerBulkMax) });
export const holdTtlBody = z.object({
  holdTtlMs: z.int().nullable().describe('Milliseconds, clamped to 1 to 60 minutes; null is the default.'),
});
