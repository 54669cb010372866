/** Holds, line items and reports, as answers show them. A field that a schema lacks does not compile. */
import type { InventoryReport, LineItem } from '@parterre/shared/answers';
import { z } from 'zod';
import {
  accessibilityKind,
  accessSource,
  count,
  currency,
  epochMs,
  idOf,
  mode,
  optional,
  price,
  text,
  textOrNull,
} from './parts.ts';

export const lineItem = z.object({
  label: text,
  objectId: text,
  objectType: z.enum(['seat', 'booth', 'ga', 'table']),
  categoryKey: text,
  tierId: textOrNull,
  unitPrice: price.describe('Major units of the currency; per guest for a table that is sold as a whole.'),
  currency,
  quantity: optional(count),
  labels: optional(z.array(text).describe('The places of a line with a quantity.')),
  bookingMode: z.enum(['individual', 'whole', 'variable']),
  capacity: optional(count),
  minOccupancy: optional(count),
  maxOccupancy: optional(count),
  channelId: textOrNull,
  accessSource,
  releaseId: textOrNull,
}) satisfies z.ZodType<LineItem>;

export const hold = z.object({
  holdId: idOf('hld'),
  status: z.enum(['active', 'booked', 'released', 'expired']),
  items: z.array(lineItem),
  expiresAt: epochMs,
  currency,
  extends: count,
  bookingRef: textOrNull,
  eventKey: text,
  mode,
  externalRef: textOrNull,
  workspaceId: idOf('ws'),
  accessSource,
  buyerRef: textOrNull,
  partnerRef: textOrNull,
});

const shares = { free: count, held: count, booked: count, not_for_sale: count };

const totals = { total: count, ...shares };

/** Revenue. */
export const taken = price
  .nullable()
  .describe('Major units of the currency. Null for a manage session without event:reports.');

/** The price at which a unit is held or was sold. */
export const soldFor = taken.describe(
  'Major units of the currency; per guest for a table that is sold as a whole. Null for a manage session without ' +
    'event:reports once the hold is booked.',
);

export const report = z.object({
  byStatus: z.object(shares),
  byCategory: z.array(z.object({ category: text, ...totals, bookedValue: taken })),
  bySection: z.array(
    z.object({ sectionId: text, sectionLabel: text, zoneId: textOrNull, ...totals, bookedValue: taken }),
  ),
  byChannel: z
    .array(z.object({ channelId: textOrNull, name: text, held: count, booked: count, bookedValue: taken }))
    .describe(
      'By the channel in which a unit was held or sold, which may no longer have the unit; null is public sale. ' +
        'Empty for a manage session without event:channels:view.',
    ),
  byRelease: z
    .array(z.object({ releaseId: text, name: text, held: count, booked: count, bookedValue: taken }))
    .describe('Ticket releases in their order, then removed ticket releases that still have units.'),
  byAccessibility: z.array(z.object({ type: accessibilityKind, label: text, ...totals })),
}) satisfies z.ZodType<Untold<Omit<InventoryReport, 'planHash'>>>;

/** The type for readers who may not see revenue. */
type Untold<T> = { [Name in keyof T]: Name extends 'bookedValue' ? T[Name] | null : Untold<T[Name]> };

export const reportCategory = z.object({
  key: text,
  label: text,
  color: text,
  price: price.describe(
    'Major units of the currency, from the chart. For a category with tiers it is the price of the default tier for ' +
      'a plain seat: the first without a restriction.',
  ),
});
