/** The bodies of the best-available routes (wire contract 5). */
import { accessibilityKinds } from '@parterre/shared/chart/plan';
import { bestAvailableQtyMax } from '@parterre/shared/limits';
import { z } from 'zod';
import { access, bookingRef, saysWhy, saysWhyMessage, ttlMs } from '../inventory/bodies.ts';
import { epochMs, id, optional, reason } from '../records/body-parts.ts';

/** Where they are named. More seats than one call gives are asked for as that many by the event's actor. */
export const query = {
  qty: z
    .int()
    .min(1)
    .describe(`How many seats; more than ${bestAvailableQtyMax} are asked for as ${bestAvailableQtyMax}.`),
  categoryKey: optional(id),
  zoneId: optional(id),
};

const kind = z.enum(accessibilityKinds);
/** As a chart has it: true is a wheelchair's place. */
export const accessible = z
  .union([z.boolean(), kind, z.array(kind).max(accessibilityKinds.length)], {
    error: `true, a kind or a list of kinds: ${accessibilityKinds.join(', ')}.`,
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
  .object({ ...query, ...access, releaseAt: optional(epochMs.nullable()), reason: optional(reason.nullable()) })
  .refine(saysWhy, saysWhyMessage);
export const bestAvailableBookBody = z.object({ ...query, bookingRef, ...access }).refine(saysWhy, saysWhyMessage);
