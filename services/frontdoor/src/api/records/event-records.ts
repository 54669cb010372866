/** Events and the statuses of their units, as answers show them. A field that a schema lacks does not compile. */
import type { Counts } from '@parterre/shared/answers';
import type { eventMeta as metaOf } from '@parterre/shared/event-meta';
import { statusNames } from '@parterre/shared/records';
import { z } from 'zod';
import type { buyerEventOf } from './buyer-event.ts';
import { count, currency, epochMs, idOf, mode, optional, region, text, textOrNull } from './parts.ts';

export const counts = z
  .object({ free: count, held: count, booked: count, blocked: count })
  .describe('Units by their true status.') satisfies z.ZodType<Counts>;

export const eventMeta = z.object({
  id: idOf('evt'),
  key: text.describe('The inventory key, which every call about the event names.'),
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
  counts: optional(counts.describe('Absent with counts=0, or if the inventory did not answer in time.')),
});

export const selectionRules = z
  .object({
    preventOrphans: optional(z.literal(true)),
    categoryLimits: optional(z.record(text, count)),
    tierLimits: optional(z.record(text, count)),
  })
  .nullable()
  .describe(
    'Rules for the seats that a buyer chooses in one hold; null without a rule. `preventOrphans`: the choice leaves no ' +
      'single free seat beside it. `categoryLimits` and `tierLimits`: the most places of a category, and tickets of a tier.',
  );

const bound = count.nullable();

export const publicSale = z
  .object({
    maxPerHold: optional(bound.describe('The places of one hold.')),
    maxHeldPerSession: optional(bound.describe('The places in all holds of a session.')),
    maxHeldPerAddress: optional(
      bound.describe('The places in all holds from an address. An IPv6 network of 64 bits counts as one address.'),
    ),
  })
  .nullable()
  .describe(
    'The places that one visitor may hold at one time with a publishable key, or with a session that the key opened. ' +
      'A bound of null is lifted, and an absent one is inherited: by an event from its organisation, by an ' +
      'organisation from the deployment. Null inherits all.',
  );

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
  selectionRules,
}) satisfies z.ZodType<ReturnType<typeof buyerEventOf>>;

const trueStatus = z.enum(statusNames);

export const buyerStatus = z.enum(['free', 'held', 'booked', 'not_for_sale']);

export const freePlaces = z.record(text, z.object({ free: count })).describe('By area.');

export const operatorObjects = z.object({
  seats: z.record(text, trueStatus.exclude(['free'])).describe('By label, all units that are not free.'),
  hidden: z.array(text),
  closed: z.array(text),
  snapshotVersion: count,
  updatedAt: epochMs,
});

export const buyerObjects = z.object({
  default: buyerStatus.describe(
    'The status of every unit that `seats` does not name; `not_for_sale` while units are hidden from this buyer.',
  ),
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
  protocols: z.array(text).describe('Offer these as Sec-WebSocket-Protocol, unchanged.'),
});
