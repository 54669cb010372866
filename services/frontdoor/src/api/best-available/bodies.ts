/** Request bodies of best available. */
import { accessibilityKinds } from '@parterre/shared/chart/accessibility';
import { bestAvailableQtyMax } from '@parterre/shared/limits';
import { z } from 'zod';
import { access, bookingRef, saysWhy, saysWhyMessage, ttlMs } from '../inventory/inventory.ts';
import { id, moment, optional, reason } from '../records/records.ts';

/** The search. The event's actor reduces a larger `qty` to the most that one call gives. */
export const query = {
  qty: z
    .int()
    .min(1)
    .describe(`The number of seats; more than ${bestAvailableQtyMax} counts as ${bestAvailableQtyMax}.`),
  categoryKey: optional(id),
  zoneId: optional(id),
};

const kind = z.enum(accessibilityKinds);
/** As in a chart: true means a wheelchair place. */
export const accessible = z
  .union([z.boolean(), kind, z.array(kind).max(accessibilityKinds.length)], {
    error: `Must be true, a kind or a list of kinds: ${accessibilityKinds.join(', ')}.`,
  })
  .transform((asked) => {
    if (asked === true) return ['wheelchair' as const];
    if (asked === false) return [];
    return typeof asked === 'string' ? [asked] : asked;
  });

export const bestAvailableBody = z
  .object({ ...query, ttlMs: optional(ttlMs), accessible: optional(accessible), ...access })
  .refine(saysWhy, saysWhyMessage);
export const bestAvailableBlockBody = z
  .object({ ...query, ...access, releaseAt: optional(moment.nullable()), reason: optional(reason.nullable()) })
  .refine(saysWhy, saysWhyMessage);
export const bestAvailableBookBody = z.object({ ...query, bookingRef, ...access }).refine(saysWhy, saysWhyMessage);
