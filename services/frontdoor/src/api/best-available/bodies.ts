/** Request bodies of best available. */
import { accessibilityKinds } from '@parterre/shared/chart/accessibility';
import {
  bestAvailableCategoriesMax,
  bestAvailableQtyMax,
  idLengthMax,
  labelsPerSaleMax,
} from '@parterre/shared/limits';
import { z } from 'zod';
import { access, bookingRef, labels, saysWhy, saysWhyMessage, ttlMs } from '../inventory/inventory.ts';
import { id, moment, optional, reason } from '../records/records.ts';

const kind = z.enum(accessibilityKinds);
/** As in a chart: true means a wheelchair place. */
const accessible = z
  .union([z.boolean(), kind, z.array(kind).max(accessibilityKinds.length)], {
    error: `Must be true, a kind or a list of kinds: ${accessibilityKinds.join(', ')}.`,
  })
  .transform((asked) => {
    if (asked === true) return ['wheelchair' as const];
    if (asked === false) return [];
    return typeof asked === 'string' ? [asked] : asked;
  });

/** The search. The answer says so where `qty` is more than one call gives. */
export const query = {
  qty: z
    .int()
    .min(1)
    .describe(`The number of seats; more than ${bestAvailableQtyMax} counts as ${bestAvailableQtyMax}.`),
  categoryKey: optional(id),
  categoryKeys: optional(
    z.array(id).min(1).max(bestAvailableCategoriesMax).describe('Several categories, in place of `categoryKey`.'),
  ),
  zoneId: optional(id),
  accessible: optional(accessible),
  accessibleSeats: optional(
    z.int().min(1).describe('The number of places of the kinds that `accessible` names. Without the field: 1.'),
  ),
  preventOrphans: optional(
    z.boolean().describe('False: a choice may leave a single free seat beside it. Without the field: true.'),
  ),
  near: optional(labels(labelsPerSaleMax).describe('The choice is as near to these units as it can be.')),
};

/** The tiers of a sale. A block has no prices. */
export const tickets = {
  tickets: optional(
    z
      .array(
        z.object({
          tierId: z.string().min(1).max(idLengthMax).nullable().describe('Null is the default tier of each seat.'),
          qty: z.int().min(1),
        }),
      )
      .min(1)
      .max(bestAvailableQtyMax)
      .describe('The tiers of the seats. The quantities add up to `qty`.'),
  ),
};

type Query = {
  qty: number;
  categoryKey?: string;
  categoryKeys?: string[];
  accessible?: string[];
  accessibleSeats?: number;
  tickets?: { qty: number }[];
};

/** Names every field that does not fit the others. */
export function fitsTogether(
  { qty, categoryKey, categoryKeys, accessible = [], accessibleSeats, tickets: asked }: Query,
  { addIssue }: Pick<z.RefinementCtx, 'addIssue'>,
): void {
  const report = (field: string, message: string): void => addIssue({ code: 'custom', path: [field], message });
  if (categoryKey !== undefined && categoryKeys) {
    report('categoryKeys', 'Send categoryKey or categoryKeys, not both.');
  }
  if (accessibleSeats !== undefined && accessible.length === 0) {
    report('accessibleSeats', 'Send accessible too: it names the kinds of these places.');
  }
  if (accessibleSeats !== undefined && accessibleSeats > Math.min(qty, bestAvailableQtyMax)) {
    report('accessibleSeats', `Must be at most qty, and at most ${bestAvailableQtyMax}.`);
  }
  if (!asked) return;
  const sum = asked.reduce((total, ticket) => total + ticket.qty, 0);
  if (sum !== qty) report('tickets', `The quantities add up to ${sum}, and qty is ${qty}. Make them equal.`);
  else if (sum > bestAvailableQtyMax) report('tickets', `One call gives at most ${bestAvailableQtyMax} seats.`);
}

export const bestAvailableBody = z
  .object({ ...query, ...tickets, ttlMs: optional(ttlMs), replaceHoldId: optional(id), ...access })
  .superRefine(fitsTogether)
  .refine(saysWhy, saysWhyMessage);
export const bestAvailableBlockBody = z
  .object({ ...query, ...access, releaseAt: optional(moment.nullable()), reason: optional(reason.nullable()) })
  .superRefine(fitsTogether)
  .refine(saysWhy, saysWhyMessage);
export const bestAvailableBookBody = z
  .object({ ...query, ...tickets, bookingRef, ...access })
  .superRefine(fitsTogether)
  .refine(saysWhy, saysWhyMessage);
