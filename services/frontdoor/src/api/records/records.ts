/** The records that answers show, as named schemas of the description; a field that one of them lacks does not compile. */
import type { Counts, InventoryReport, LineItem } from '@parterre/shared/answers';
import type { ChartMeta, Panorama } from '@parterre/shared/catalog/charts';
import { accessibilityKinds } from '@parterre/shared/chart/plan';
import { type Issue, statusByCode } from '@parterre/shared/errors';
import type { eventMeta as metaOf } from '@parterre/shared/event-meta';
import { missingLabelsMax } from '@parterre/shared/limits';
import { statusNames } from '@parterre/shared/records';
import { regions } from '@parterre/shared/vocabulary';
import { z } from 'zod';
import type { buyerEvent as buyerEventOf } from './buyer-event.ts';

export const optional = z.exactOptional;
export const epochMs = z.int().min(0).describe('Epoch milliseconds.');
export const count = z.int().min(0);
export const durationMs = z.int().min(0).describe('A time span in milliseconds.');
export const holdTtlMs = durationMs
  .nullable()
  .describe('How long a hold lasts that names no ttlMs, in milliseconds; null means the default of 15 minutes.');
export const text = z.string();
export const textOrNull = text.nullable();
export const mode = z.enum(['live', 'test']);
export const currency = z.string().regex(/^[A-Z]{3}$/);
export const price = z.int().min(0).describe('Major units of the currency.');

/** `prefix`, `_` and 20 or more letters and digits. */
export function idOf(prefix: string) {
  return z.string().regex(new RegExp(`^${prefix}_[0-9A-Za-z]{20,}$`));
}

export const ok = z.literal(true);
/** The catalog's records type these as texts; the description lists the words. */
const accessibilityKind: z.ZodType<string> = z.enum(accessibilityKinds);
export const region: z.ZodType<string> = z.enum(regions);
export const callSource: z.ZodType<string> = z.enum(['server', 'buyer', 'operator', 'timer']);
export const nextCursor = optional(text.describe('Asks for the next page; absent at the end.'));

export const counts = z
  .object({ free: count, held: count, booked: count, blocked: count })
  .describe('Units by their true status.') satisfies z.ZodType<Counts>;

export const chartMeta = z.object({
  id: idOf('cht'),
  chartId: idOf('cht').describe('The same as id.'),
  name: text,
  status: z.enum(['draft', 'published', 'archived']),
  workspaceId: idOf('ws'),
  externalRef: textOrNull,
  seatTotal: count,
  publishedVersion: z.int().nullable(),
  publishedAt: epochMs.nullable(),
  createdAt: epochMs,
  updatedAt: epochMs.describe(
    'The last-update marker, strictly increasing for each chart; what expectedUpdatedAt means.',
  ),
}) satisfies z.ZodType<ChartMeta>;

export const panorama = z.object({
  id: text,
  url: text,
  rowId: optional(text),
  sectionId: optional(text),
  seatIds: optional(z.array(text)),
}) satisfies z.ZodType<Panorama>;

export const eventMeta = z.object({
  id: idOf('evt'),
  key: text.describe('The inventory key; every call about the event names it.'),
  slug: textOrNull,
  name: text,
  chartId: idOf('cht'),
  status: z.enum(['active', 'closed', 'archived', 'deleted']),
  salesPaused: z.boolean(),
  seatTotal: count,
  mode,
  workspaceId: idOf('ws'),
  externalRef: textOrNull,
  currency,
  region,
  ownership: z.enum(['platform', 'managed']),
  sold: count,
  inventoryModelVersion: z.literal(2),
  startsAt: epochMs.nullable(),
  endsAt: epochMs.nullable(),
  venue: textOrNull,
  description: textOrNull,
  timezone: textOrNull.describe('An IANA zone name.'),
  locale: textOrNull.describe('A BCP-47 tag.'),
  posterAssetId: textOrNull,
  posterUrl: textOrNull,
  createdAt: epochMs,
  updatedAt: epochMs,
}) satisfies z.ZodType<ReturnType<typeof metaOf>>;

export const eventListItem = eventMeta.extend({
  counts: optional(counts.describe('Absent with counts=0, and where the inventory did not answer in time.')),
});

export const accessSource = z.enum(['public', 'promoter', 'partner', 'hosted_link', 'staff_override']);

export const lineItem = z.object({
  label: text,
  objectId: text,
  objectType: z.enum(['seat', 'booth', 'ga', 'table']),
  categoryKey: text,
  tierId: textOrNull,
  unitPrice: price.describe('Major units of the currency; per guest for a table that is sold as a whole.'),
  currency,
  quantity: optional(count),
  labels: optional(z.array(text).describe('The places of one line with a quantity.')),
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

/** What was paid. */
export const taken = price
  .nullable()
  .describe('Major units of the currency. Null for a manage session without event:reports.');

/** What a place is held for, or was sold for. */
export const soldFor = taken.describe(
  'Major units of the currency; per guest for a table that is sold as a whole. Null for a manage session without event:reports once the hold is booked.',
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
      'By the channel that each was held or sold in, whose seat it may not be any more; null is public sale. Empty for a manage ' +
        'session without event:channels:view.',
    ),
  byRelease: z
    .array(z.object({ releaseId: text, name: text, held: count, booked: count, bookedValue: taken }))
    .describe('Ticket releases in their order, then those that are out of the list and have units still.'),
  byAccessibility: z.array(z.object({ type: accessibilityKind, label: text, ...totals })),
}) satisfies z.ZodType<Untold<Omit<InventoryReport, 'planHash'>>>;

/** As somebody reads it who is not told what was taken. */
type Untold<T> = { [Name in keyof T]: Name extends 'bookedValue' ? T[Name] | null : Untold<T[Name]> };

export const reportCategory = z.object({
  key: text,
  label: text,
  color: text,
  price: price.describe(
    'Major units of the currency, by the chart; of a category with tiers that of its default tier for a plain seat: the first without a restriction.',
  ),
});

export const buyerEvent = z.object({
  key: text,
  name: text,
  status: z.enum(['active', 'closed', 'archived']),
  salesClosed: z.boolean(),
  venue: textOrNull,
  startsAt: epochMs.nullable(),
  endsAt: epochMs.nullable(),
  timezone: textOrNull,
  locale: textOrNull,
  posterUrl: textOrNull,
  currency,
  mode,
  inventoryModelVersion: z.literal(2),
}) satisfies z.ZodType<ReturnType<typeof buyerEventOf>>;

const trueStatus = z.enum(statusNames);
export const buyerStatus = z.enum(['free', 'held', 'booked', 'not_for_sale']);
export const freePlaces = z.record(text, z.object({ free: count })).describe('By area.');

export const operatorObjects = z.object({
  seats: z.record(text, trueStatus.exclude(['free'])).describe('By label, all that is not free.'),
  hidden: z.array(text),
  closed: z.array(text),
  snapshotVersion: count,
  updatedAt: epochMs,
});

export const buyerObjects = z.object({
  default: buyerStatus.describe('The status of every unit that `seats` does not name.'),
  seats: z.record(text, buyerStatus).describe('By label.'),
  hidden: z.array(text),
  closed: z.array(text),
  ga: freePlaces,
  snapshotVersion: count,
  updatedAt: epochMs,
});

export const ticket = z.object({
  ticket: text,
  expiresAt: epochMs,
  protocols: z.array(text).describe('What to offer as Sec-WebSocket-Protocol, as it is.'),
});

export const issue = z.object({
  path: text.describe('Names joined by dots; elements of a chart by their id or key.'),
  message: text,
  objectId: optional(text.describe('The object of the chart that it is about.')),
}) satisfies z.ZodType<Issue>;

const code = z.enum(Object.keys(statusByCode) as [string, ...string[]]);

/** Of a chart that lacks seats of channels. */
export const droppedAssignments = z
  .array(z.object({ channelId: text, count, labels: z.array(text).max(missingLabelsMax) }))
  .describe('Seats of channels that the new chart has not: how many of each, and the first labels of all.');

/** Every field that any refusal carries. */
export const errorBody = z.object({
  error: code,
  code: code.describe('The same as error.'),
  message: text,
  requestId: text,
  reason: optional(text.describe('On every 409 and 422: the finer cause where there is one, else the code.')),
  retryable: optional(ok.describe('Repeating the same request unchanged is safe and may succeed.')),
  issues: optional(z.array(issue)),
  conflicts: optional(
    z
      .array(
        z.object({
          label: text,
          status: text,
          available: optional(count),
          listingId: optional(text.describe('Of what is listed for resale already.')),
        }),
      )
      .describe('Every label in the way.'),
  ),
  labels: optional(z.array(text)),
  tableIds: optional(z.array(text)),
  capability: optional(text.describe('The one that a manage session lacks.')),
  version: optional(count.describe('The version of the availability rules that stands, on a stale one.')),
  updatedAt: optional(epochMs.describe('The last-update marker that stands, on a stale expectedUpdatedAt.')),
  status: optional(text.describe('The status of an event that a move does not fit.')),
  retryAfterSeconds: optional(count),
  missingLabels: optional(z.array(text).max(missingLabelsMax).describe('The first of them, where there are more.')),
  missingCount: optional(count.describe('How many labels are missing in all.')),
  channelIds: optional(z.array(text).describe('Channels that the event has not, or that are archived.')),
  maxQuantity: optional(count.describe('What the session may have in all.')),
  used: optional(count.describe('What it has of that already.')),
  pricingVersion: optional(count.describe('The version that stands, on a stale one.')),
  assignmentVersion: optional(count.describe('The version that stands, on a stale one.')),
  details: optional(
    z
      .object({ heldUnits: count, latestHoldExpiresAt: epochMs, retryAfterMs: durationMs })
      .describe('What of a channel is in checkout, and until when.'),
  ),
  droppedAssignments: optional(droppedAssignments),
});

/** A 429 says less on some routes: server holds send no code, the readiness check the error alone. */
export const rateLimited = z.object({
  error: z.literal('rate_limited'),
  code: optional(z.literal('rate_limited')),
  message: optional(text),
  requestId: optional(text),
  retryAfterSeconds: optional(count),
});
