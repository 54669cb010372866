/** Schemas and parts of bodies and answers that several rooms share. */

import { accessibilityKinds } from '@parterre/shared/charts/accessibility';
import { chartDocument } from '@parterre/shared/charts/document';
import type { PlaceWords } from '@parterre/shared/charts/place-names';
import type { Counts, InventoryReport } from '@parterre/shared/protocol/answers';
import type { KeyInfo, Organisation, User } from '@parterre/shared/protocol/catalog/accounts';
import type { ChartMeta, Panorama } from '@parterre/shared/protocol/catalog/charts';
import type { EventRecord } from '@parterre/shared/protocol/catalog/events';
import { roles } from '@parterre/shared/protocol/catalog/scope';
import type { WebhookBacklog, WebhookSub } from '@parterre/shared/protocol/catalog/webhooks';
import type { Workspace } from '@parterre/shared/protocol/catalog/workspaces';
import { isCurrency } from '@parterre/shared/protocol/currencies';
import { type Issue, statusByCode } from '@parterre/shared/protocol/errors';
import {
  type eventMeta as eventMetaOf,
  inventoryModelVersion,
  posterUrlOf,
} from '@parterre/shared/protocol/event-meta';
import {
  idLengthMax,
  missingLabelsMax,
  publicSaleBoundMax,
  timeMax,
  unitLabelLengthMax,
} from '@parterre/shared/protocol/limits';
import type { WordedItem } from '@parterre/shared/protocol/line-items';
import { priceUnits, unitOf } from '@parterre/shared/protocol/money';
import { minorPriceMax } from '@parterre/shared/protocol/page-limits';
import { type Channel, type PublicSale, statusNames } from '@parterre/shared/protocol/records';
import { regions, webhookEvents } from '@parterre/shared/protocol/vocabulary';
import { z } from 'zod';
import type { SaleSummary } from '../summaries/rules/sale-summary.ts';
import { visibleText } from './rules/visible-text.ts';

export const text = z.string();

export const textOrNull = text.nullable();

const region: z.ZodType<string> = z.enum(regions);

/** The records of organisations, as named schemas of the description. */
export const workspace = z.object({
  id: idOf('ws'),
  name: text,
  status: z.enum(['active', 'disabled']),
  isDefault: z.boolean(),
  externalRef: textOrNull,
  defaultRegion: region,
}) satisfies z.ZodType<Workspace>;

const part = z.enum(['ok', 'down']);

export const readinessChecks = z.object({
  nats: part,
  catalog: part,
  store: part,
  disk: z.enum(['ok', 'filling', 'low', 'full']),
});

/** `prefix`, `_` and 20 or more letters and digits. */
export function idOf(prefix: string) {
  return z.string().regex(new RegExp(`^${prefix}_[0-9A-Za-z]{20,}$`));
}

export const currency = z.string().regex(/^[A-Z]{3}$/);

/** Beside every field of money, or in the object around it. */
export const priceUnit = z
  .enum(priceUnits)
  .describe(
    'The unit of all integers of money beside it and inside: whole units of the currency, or its minor units of ISO 4217.',
  );

/** docs/webhooks.md, "Personal data". */
export const keptForGood = 'It is kept for good and cannot be erased: send an id of yours, and no personal data.';

export const epochMs = z.int().min(0).describe('Epoch milliseconds.');

export const optional = z.exactOptional;

export const count = z.int().min(0);

const publicSaleBound = count.nullable();

export const publicSale = z
  .object({
    maxPerHold: optional(publicSaleBound.describe('The places of one hold.')),
    maxHeldPerSession: optional(publicSaleBound.describe('The places in all holds of a session.')),
    maxHeldPerAddress: optional(
      publicSaleBound.describe(
        'The places in all holds from an address. An IPv6 network of 64 bits counts as one address.',
      ),
    ),
  })
  .nullable()
  .describe(
    'The places that one visitor may hold at one time with a publishable key, or with a session that the key opened. ' +
      'A bound of null is lifted, and an absent one is inherited: by an event from its organisation, by an ' +
      'organisation from the deployment. Null inherits all.',
  );

/** The settings of an event's sale, as answers tell them. */
export const saleSettings = {
  salesStartAt: epochMs
    .nullable()
    .describe('Buyers hold no place before this time. The time of a channel goes before it. Null: no beginning.'),
  salesEndAt: epochMs.nullable().describe('Buyers hold no place from this time on. Null: no end.'),
  companionsUntil: epochMs
    .nullable()
    .describe(
      'From this time on a companion place is for everybody once its wheelchair place is sold. Null: companion places ' +
        'are kept.',
    ),
  buyerLimit: z
    .object({ perBuyer: count.describe('The active places of one `buyerRef` in the event.') })
    .nullable()
    .describe('Null: no limit.'),
};

export const organisation = z.object({
  id: text,
  name: text,
  currency,
  credits: z.int(),
  createdAt: epochMs,
  publicSale,
  suspendedAt: epochMs.nullable().describe('Since then its keys and users are refused. Null: it is not suspended.'),
}) satisfies z.ZodType<Organisation>;

export const mode = z.enum(['live', 'test']);

const requests = z.int().min(1).nullable().exactOptional();

const keyBudgets = z
  .object({
    serverHolds: requests,
    seasons: requests,
    buyerHolds: requests,
    buyerReads: requests,
    buyerCalls: requests,
  })
  .describe("The key's own limits of request budgets, instead of the deployment's; null lifts a budget.");

export const keyInfo = z.object({
  id: text,
  prefix: text.describe('The beginning of the key: enough to recognise it, too little to use it.'),
  kind: z.enum(['secret', 'publishable']),
  mode,
  environment: textOrNull,
  workspaceId: textOrNull,
  origins: z.array(text),
  budgets: keyBudgets.exactOptional(),
  createdAt: epochMs,
  revokedAt: epochMs.nullable(),
}) satisfies z.ZodType<KeyInfo>;

export const user = z.object({
  id: idOf('usr'),
  email: text.describe('In lower case; no two users of a deployment have the same email.'),
  role: z.enum(roles),
  createdAt: epochMs,
}) satisfies z.ZodType<User>;

const webhookEvent: z.ZodType<string> = z.enum(webhookEvents);

export const webhookSub = z.object({
  id: idOf('whk'),
  url: text,
  events: z.array(webhookEvent),
  disabled: z.boolean(),
  pausedReason: z
    .enum(['operator', 'gone', 'failing'])
    .nullable()
    .describe(
      'The reason of the pause: by an operator, because the receiver answered 410, or because every attempt failed ' +
        'for five days. Null while active.',
    ),
  lastStatus: z.int().nullable(),
  lastAt: epochMs.nullable(),
  createdAt: epochMs,
  mode: mode.nullable(),
  environment: textOrNull,
  workspaceId: idOf('ws')
    .nullable()
    .describe('Set by a key that is bound to a workspace: the subscription gets only events of this workspace.'),
  uptime7d: z.number().nullable(),
  lastDroppedAt: epochMs
    .nullable()
    .describe(
      'When a full queue last dropped deliveries; null: never. The list of deliveries tells how many, and why.',
    ),
  backlog: z
    .object({
      count: count.describe('Deliveries that wait for their first attempt or for a retry.'),
      bytes: count,
      oldestAt: epochMs.nullable().describe('When the one that waits longest was made.'),
    })
    .nullable()
    .describe('What waits for this receiver. Null while no notifier answers.'),
}) satisfies z.ZodType<WebhookSub & { backlog: WebhookBacklog | null }>;

export const id = z.string().min(1).max(idLengthMax);

export const unitLabel = z.string().min(1).max(unitLabelLengthMax);

const epochWords = 'epoch milliseconds, such as 1798761600000 for 2027-01-01T00:00:00Z';

/** A time that a caller sends. Callers who know other APIs send ISO dates. */
export const moment = z
  .int({
    error: ({ input }) =>
      input === undefined ? `This field is missing. It must be ${epochWords}.` : `Must be ${epochWords}.`,
  })
  .min(0);

export const reason = z.string().min(1).max(500);

export const externalRef = z.string().max(128);

export const name = visibleText.min(1).max(200);

export const currencyCode = z
  .string()
  .regex(/^[A-Z]{3}$/, { error: 'Must be a currency code of three capital letters.', abort: true })
  .refine(isCurrency, 'Must be a currency of ISO 4217.');

/** The environment tag of a key and of the records that it creates. */
export const environment = z.string().regex(/^[A-Za-z0-9._-]{1,64}$/, 'Must be 1 to 64 letters, digits, dots, _ or -.');

export const emptyBody = z.object({});

const bound = optional(z.int().min(1).max(publicSaleBoundMax).nullable());

/**
 * The bounds of public sale. A misspelt bound is refused, since it would bind nobody. Without a bound the value is
 * null.
 */
export const publicSaleBody = z
  .strictObject({ maxPerHold: bound, maxHeldPerSession: bound, maxHeldPerAddress: bound })
  .nullable()
  .transform((bounds): PublicSale | null => (bounds && Object.keys(bounds).length > 0 ? bounds : null));

export const saleTime = optional(moment.max(timeMax, 'Must be a time before the year 10000.').nullable());

/** The settings of an event's sale, as callers send them. */
export const saleSettingsBody = {
  salesStartAt: saleTime,
  salesEndAt: saleTime,
  companionsUntil: saleTime,
  buyerLimit: optional(z.strictObject({ perBuyer: z.int().min(1).max(publicSaleBoundMax) }).nullable()),
};

/**
 * A record by ids: of divisions, or of the things that `message` names. zod would drop a field `__proto__` silently.
 * This function refuses the field, as the event's actor refuses any other unknown id.
 */
export function recordById<Value extends z.ZodType>(value: Value, message = 'The chart has no such section or zone.') {
  return z.preprocess(
    (body, { issues }) => {
      if (typeof body === 'object' && body !== null && Object.hasOwn(body, '__proto__')) {
        issues.push({ code: 'custom', input: body, path: ['__proto__'], message });
      }
      return body;
    },
    z.record(id, value),
  );
}

type LiveFacts = Pick<EventRecord, 'status' | 'salesPaused'>;

/** The part of an event's record that a buyer's browser gets, with fresher facts from the event's actor. Pure. */
export function buyerEventOf(
  record: EventRecord,
  { status, salesPaused }: LiveFacts = record,
  sale: Pick<SaleSummary, 'state' | 'opensAt' | 'salesStartAt' | 'salesEndAt' | 'companionsUntil'> | null = null,
) {
  return {
    state: sale?.state ?? null,
    opensAt: sale?.opensAt ?? null,
    salesStartAt: sale?.salesStartAt ?? null,
    salesEndAt: sale?.salesEndAt ?? null,
    companionsUntil: sale?.companionsUntil ?? null,
    key: record.key,
    name: record.name,
    // A deleted event has no readers: admission refuses its key.
    status: status as Exclude<typeof status, 'deleted'>,
    salesClosed: status !== 'active' || salesPaused,
    venue: record.venue,
    startsAt: record.startsAt,
    endsAt: record.endsAt,
    timezone: record.timezone,
    locale: record.locale,
    posterUrl: posterUrlOf(record),
    currency: record.currency,
    priceUnit: unitOf(record),
    mode: record.mode,
    inventoryModelVersion,
    selectionRules: record.selectionRules ?? null,
  };
}

/** The list is sparse: a category or tier without an entry has its usual price. */
const priceOverride = z.object({
  categoryKey: text,
  tierId: textOrNull.describe('Null in a category without tiers.'),
  price: count.describe('In units of `priceUnit`.'),
});

/** The records of channels, for the descriptions of all rooms. */
export const droppedPrices = z
  .array(z.object({ channelId: idOf('chn'), priceOverrides: z.array(priceOverride) }))
  .describe('Prices of channels for categories or tiers that the new chart lacks.');

export const channel = z.object({
  id: idOf('chn'),
  name: text,
  color: textOrNull,
  marker: textOrNull,
  externalRef: textOrNull,
  state: z.enum(['active', 'paused', 'archived']),
  archiveDestination: textOrNull.describe(
    'Where the units of the archived channel went: the id of a channel, or public.',
  ),
  accessIntent: z.enum(['none', 'internal', 'server', 'hosted_link']),
  salesStartAt: optional(
    epochMs.nullable().describe("When the sale to the channel's buyers begins. Null: with the event's `salesStartAt`."),
  ),
  priceOverrides: z.array(priceOverride),
  pricingVersion: count.describe('Grows with each change of the price overrides.'),
  createdAt: epochMs,
  updatedAt: epochMs,
  archivedAt: epochMs.nullable(),
}) satisfies z.ZodType<Channel>;

export const assignmentVersion = count.describe(
  'Grows with every change of the seats that a buyer may select: an assignment, a pause, an archive.',
);

/** How a sale reaches the seats of channels, and its refusals. */
export const aboutAccess =
  "A call that names a channel in `channelIds` may sell the channel's seats, at its prices and in its name, beside " +
  'the seats of public sale. A call with `ignoreChannelRestrictions` and a `reason` may sell seats of all ' +
  'channels; the audit of channels shows the reason. Otherwise seats of channels are refused: ' +
  '`channel_access_denied` with their `labels`, or `channel_paused`.';

export const ofAccess = ['channel_access_denied', 'channel_paused', 'invalid_channel_scope'] as const;

/** Charts, as answers show them. A field that a schema lacks does not compile. */
export const chartMeta = z.object({
  id: idOf('cht'),
  chartId: idOf('cht').describe('The same as id.'),
  name: text,
  status: z.enum(['draft', 'published', 'archived']),
  workspaceId: idOf('ws'),
  externalRef: textOrNull,
  seatTotal: count,
  priceUnit,
  publishedVersion: z.int().nullable(),
  publishedAt: epochMs.nullable(),
  createdAt: epochMs,
  updatedAt: epochMs.describe(
    'The last-update marker, strictly increasing for each chart. expectedUpdatedAt refers to it.',
  ),
}) satisfies z.ZodType<ChartMeta>;

export const saves = z.array(z.object({ at: epochMs, by: textOrNull }));

export const panorama = z.object({
  id: text,
  url: text,
  rowId: optional(text),
  sectionId: optional(text),
  seatIds: optional(z.array(text)),
}) satisfies z.ZodType<Panorama>;

/** Events and the statuses of their units, as answers show them. A field that a schema lacks does not compile. */
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
  priceUnit,
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
}) satisfies z.ZodType<ReturnType<typeof eventMetaOf>>;

export const eventListItem = eventMeta.extend({
  counts: optional(counts.describe('Absent with counts=0, or if the inventory did not answer in time.')),
});

export const selectionRules = z
  .object({
    preventOrphans: optional(z.literal(true)),
    categoryLimits: optional(z.record(text, count)),
    tierLimits: optional(z.record(text, count)),
    min: optional(count),
    exact: optional(count),
    consecutive: optional(z.literal(true)),
    highlightOnly: optional(z.literal(true)),
  })
  .nullable()
  .describe(
    'Rules for the seats that a buyer chooses in one hold; null without a rule. `preventOrphans`: the choice leaves no ' +
      'single free seat beside it. `categoryLimits` and `tierLimits`: the most places of a category, and tickets of a ' +
      'tier. `min` and `exact`: the number of places. `consecutive`: the seats stand side by side. `highlightOnly`: a ' +
      'broken rule refuses nothing, and the answer tells it in `brokenRules`.',
  );

/** A rule that a choice breaks, in refusals and answers. */
export const brokenRule = z.object({
  rule: z.enum(['orphan_seat', 'category_limit', 'tier_limit', 'min_places', 'exact_places', 'not_consecutive']),
  labels: z.array(text).describe('The seats that would be left single, or the places that count.'),
  categoryKey: optional(text),
  tierId: optional(text),
  max: optional(count),
  min: optional(count),
  exact: optional(count),
  asked: optional(count),
});

export const saleState = z.enum(['on-sale', 'low', 'sold-out', 'presale', 'closed']);

export const buyerEvent = z.object({
  state: saleState.nullable().describe('As `GET …/availability` tells it; null while the inventory does not tell it.'),
  opensAt: epochMs.nullable().describe('As `GET …/availability` tells it.'),
  salesStartAt: epochMs.nullable().describe('As `GET …/availability` tells it.'),
  salesEndAt: epochMs.nullable().describe('As `GET …/availability` tells it.'),
  companionsUntil: epochMs.nullable().describe('As `GET …/availability` tells it.'),
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
  priceUnit,
  mode,
  inventoryModelVersion: z.literal(2),
  selectionRules,
}) satisfies z.ZodType<ReturnType<typeof buyerEventOf>>;

export const buyerStatus = z.enum(['free', 'held', 'booked', 'not_for_sale']);

export const freePlaces = z.record(text, z.object({ free: count })).describe('By area.');

const trueStatus = z.enum(statusNames);

export const stale = optional(z.literal(true)).describe(
  'Set while the event is halted, because its journal has lost records: this is the last known state, and nothing is sold.',
);

export const operatorObjects = z.object({
  seats: z.record(text, trueStatus.exclude(['free'])).describe('By label, all units that are not free.'),
  hidden: z.array(text),
  closed: z.array(text),
  reservations: optional(z.record(text, z.object({ id: idOf('rsv'), name: text }))).describe(
    'By label, the reservation that has a blocked unit. Absent without any.',
  ),
  snapshotVersion: count,
  updatedAt: epochMs,
  stale,
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
  stale,
});

export const ticket = z.object({
  ticket: text,
  expiresAt: epochMs,
  protocols: z.array(text).describe('Offer these as Sec-WebSocket-Protocol, unchanged.'),
});

const code = z.enum(Object.keys(statusByCode) as [string, ...string[]]);

export const ok = z.literal(true);

export const issue = z.object({
  path: text.describe('Field names joined by dots; elements of a chart by their id or key.'),
  message: text,
  objectId: optional(text.describe("The chart's object with the fault.")),
  code: optional(text.describe('Of events that cannot be sold together: the kind of the issue.')),
  field: optional(text.describe('The same as path.')),
  eventId: optional(text.describe("The event's id, or its key where there is no such event.")),
  eventKey: optional(text),
  contractId: optional(text.describe('The contract that cannot be offered.')),
  sourcePerformanceGroupKey: optional(text),
  expected: optional(z.unknown()),
  actual: optional(z.unknown()),
  remediation: optional(text),
}) satisfies z.ZodType<Issue>;

/** Every answer with money says these once, beside the money or above it. */
export const inMoney = { currency, priceUnit };

export function moneyOf(event: Pick<EventRecord, 'currency' | 'priceUnit'>): z.output<z.ZodObject<typeof inMoney>> {
  return { currency: event.currency, priceUnit: unitOf(event) };
}

/** An amount that a caller names. The event's actor knows the unit, and the highest price in it. */
export const amount = z
  .int({
    error: ({ input }) =>
      typeof input === 'number' && Number.isFinite(input)
        ? 'Must be a whole number. An event with `priceUnit: "minor"` has prices such as 12.50, written as 1250.'
        : undefined,
  })
  .min(0)
  .max(minorPriceMax);

export const price = z.int().min(0).describe('In units of `priceUnit`.');

export const fee = z.object({ name: text, amount: price });

export const accessSource = z.enum(['public', 'promoter', 'partner', 'hosted_link', 'staff_override']);

/** Holds, line items and reports, as answers show them. A field that a schema lacks does not compile. */
export const placeWords = z
  .object({
    floor: textOrNull,
    section: textOrNull,
    row: textOrNull,
    seat: textOrNull.describe('Of a seat in a row or at a table.'),
    area: textOrNull,
    table: textOrNull,
    entrance: textOrNull.describe('Of the row, table or area, else of its section.'),
    name: text.describe("As in “Row C, seat 3”: in the language of the event's locale, or in English."),
  })
  .describe(
    'The words of the place as a ticket prints them: display labels, without the label of the section before that of ' +
      'its row. A place that the chart no longer has is known by its label alone.',
  ) satisfies z.ZodType<PlaceWords>;

export const lineItem = z.object({
  label: text,
  place: placeWords,
  objectId: text,
  objectType: z.enum(['seat', 'booth', 'ga', 'table']),
  categoryKey: text,
  categoryLabel: text,
  tierId: textOrNull,
  tierName: textOrNull,
  unitPrice: price.describe(
    'In units of `priceUnit`, without fees on top; per guest for a table that is sold as a whole.',
  ),
  fees: z
    .array(fee)
    .describe('Of each place, or of each guest of a table that is sold as a whole. Empty without a fee.'),
  allIn: z.boolean().describe('true: `unitPrice` has the fees in it. Else they come on top.'),
  total: price.describe('What the buyer pays for the item: all its places or guests, with all fees.'),
  currency,
  priceUnit,
  quantity: optional(count),
  labels: optional(z.array(text).describe('The places of a line with a quantity.')),
  bookingMode: z.enum(['individual', 'whole', 'variable']),
  capacity: optional(count),
  minOccupancy: optional(count),
  maxOccupancy: optional(count),
  channelId: textOrNull,
  accessSource,
  releaseId: textOrNull,
}) satisfies z.ZodType<WordedItem>;

export const durationMs = z.int().min(0).describe('A time span in milliseconds.');

/** The seats of channels that a new chart lacks. */
export const droppedAssignments = z
  .array(z.object({ channelId: text, count, labels: z.array(text).max(missingLabelsMax) }))
  .describe('Seats of channels that the new chart lacks: their number for each channel, and the first labels of all.');

const stand = z.object({
  place: placeWords,
  objectId: text,
  category: text,
  accessibility: z.array(z.enum(accessibilityKinds)),
});

export const chartMoves = z
  .array(z.object({ label: text, from: stand, to: stand }))
  .describe('Held, booked, blocked and reserved seats whose object, section, category or accessibility changes.');

/** Every field that any refusal carries. */
const errorBody = z.object({
  error: code,
  code: code.describe('The same as error.'),
  message: text,
  requestId: text,
  reason: optional(text.describe('On every 409 and 422: the finer cause if there is one, else the code.')),
  retryable: optional(ok.describe('Repeating the same request unchanged is safe and may succeed.')),
  outcome: optional(
    z
      .literal('unknown')
      .describe('The call may have been carried out, and a repeat could do harm. `message` says where to look.'),
  ),
  issues: optional(z.array(issue)),
  conflicts: optional(
    z
      .array(
        z.object({
          label: text,
          name: optional(text.describe("The place's name, in the language of the event's locale, or in English.")),
          status: text,
          eventKey: optional(text.describe('The performance that lacks the label.')),
          contractId: optional(text.describe('The contract that cannot be offered.')),
          available: optional(count),
          listingId: optional(text.describe('The listing that already has the unit.')),
        }),
      )
      .describe('Every conflicting label.'),
  ),
  labels: optional(z.array(text)),
  names: optional(z.array(text).describe('The names of the places of `labels`, in the same order.')),
  eventKey: optional(text.describe('Of groups and seasons: the performance that refuses the labels.')),
  tableIds: optional(z.array(text)),
  capability: optional(text.describe('The capability that a manage session lacks.')),
  version: optional(
    count.describe('The current version of the availability rules, if the request named an older one.'),
  ),
  updatedAt: optional(epochMs.describe('The current last-update marker, if expectedUpdatedAt is older.')),
  savedSince: optional(
    saves.describe(
      'The saves of the document since expectedUpdatedAt: the last ten, each with the person of its session.',
    ),
  ),
  status: optional(text.describe('The status of the event or hold, which does not allow the call.')),
  retryAfterSeconds: optional(count),
  missingLabels: optional(
    z.array(text).max(missingLabelsMax).describe('The first missing labels. `missingCount` counts all.'),
  ),
  missingCount: optional(count.describe('The number of all missing labels.')),
  moved: optional(chartMoves),
  movedCount: optional(count.describe('The number of all moved seats; `moved` has the first.')),
  state: optional(text.describe('The state of the group, season, plan or sales, which does not allow the call.')),
  revision: optional(count.describe('The present revision, if the request named another one.')),
  eventKeys: optional(z.array(text).describe('Events that are no members.')),
  channelIds: optional(z.array(text).describe('Channels that are unknown to the event, or archived.')),
  maxQuantity: optional(count.describe('The most that the session may have.')),
  used: optional(count.describe('The part of `maxQuantity` that the session already has.')),
  limit: optional(
    count.describe(
      'With `public_limit` and `buyer_limit`: the bound, in places; with `reason: hold_time` in milliseconds.',
    ),
  ),
  opensAt: optional(epochMs.describe('After `sales_not_started`: when the sale to this caller begins.')),
  left: optional(
    count.describe(
      'With `public_limit` and `buyer_limit`: how much of `limit` the buyer may still have with one more call.',
    ),
  ),
  problems: optional(z.array(brokenRule).describe('Every broken selection rule.')),
  items: optional(z.array(lineItem).describe('The places of the call at the prices of now.')),
  allocations: optional(
    z.array(z.object({ eventKey: text, items: z.array(lineItem) })).describe('Of a group: `items` by performance.'),
  ),
  total: optional(count.describe('The price of `items` with all fees, in units of `priceUnit`.')),
  expectedTotal: optional(count.describe('The price that the request named.')),
  currency: optional(currency),
  priceUnit: optional(priceUnit),
  pricingVersion: optional(count.describe('The current version, if the request named an older one.')),
  assignmentVersion: optional(count.describe('The current version, if the request named an older one.')),
  details: optional(
    z
      .object({ heldUnits: count, latestHoldExpiresAt: epochMs, retryAfterMs: durationMs })
      .describe('The units of a channel that are held, and when the last hold expires.'),
  ),
  droppedAssignments: optional(droppedAssignments),
});

/** A 429 has fewer fields on some routes: server holds send no code, the readiness check only the error. */
const rateLimited = z.object({
  error: z.literal('rate_limited'),
  code: optional(z.literal('rate_limited')),
  message: optional(text),
  requestId: optional(text),
  retryAfterSeconds: optional(count),
});

export const hold = z.object({
  holdId: idOf('hld'),
  status: z.enum(['active', 'booked', 'released', 'expired']),
  items: z.array(lineItem),
  expiresAt: epochMs,
  currency,
  priceUnit,
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
  .describe('In units of `priceUnit`. Null for a manage session without event:reports.');

/** The catalog's records type these fields as texts. The description lists the possible words. */
const accessibilityKind: z.ZodType<string> = z.enum(accessibilityKinds);

/** The type for readers who may not see revenue. */
type Untold<T> = { [Name in keyof T]: Name extends 'bookedValue' ? T[Name] | null : Untold<T[Name]> };

export const report = z.object({
  byStatus: z.object(shares),
  reserved: optional(count).describe(
    'The units among `not_for_sale` that reservations, or offers of a season, have. Absent without any.',
  ),
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
  byFee: z
    .array(z.object({ name: text, allIn: z.boolean(), booked: count, amount: taken }))
    .describe(
      'Fees of what is booked, by name. `booked` counts guests and places. `allIn`: inside the prices, else on top.',
    ),
  bookedTotal: taken.describe('What buyers paid for all that is booked: the values, and the fees on top.'),
  exchanges: z
    .object({ fees: taken, waivedDifferences: taken })
    .describe('The fees of all exchanges to places of this event, and the price differences that were waived.'),
}) satisfies z.ZodType<Untold<Omit<InventoryReport, 'planHash' | 'byFee' | 'feesOnTop' | 'exchanges'>>>;

export const namedSchemas = {
  ChartDocument: chartDocument,
  Error: errorBody,
  ErrorCode: code,
  RateLimited: rateLimited,
  Counts: counts,
  Organisation: organisation,
  Key: keyInfo,
  User: user,
  Workspace: workspace,
  ChartMeta: chartMeta,
  EventMeta: eventMeta,
  EventListItem: eventListItem,
  LineItem: lineItem,
  PlaceWords: placeWords,
  Hold: hold,
  Report: report,
  WebhookSubscription: webhookSub,
  BuyerEvent: buyerEvent,
  Issue: issue,
};

export const holdTtlMs = durationMs
  .nullable()
  .describe('How long a hold without ttlMs lasts, in milliseconds; null means the default of 15 minutes.');

export const callSource: z.ZodType<string> = z.enum(['server', 'buyer', 'operator', 'timer']);

export const nextCursor = optional(text.describe('The cursor of the next page; absent at the end.'));

/** The price at which a unit is held or was sold. */
const soldFor = taken.describe(
  'In units of `priceUnit`; per guest for a table that is sold as a whole. Null for a manage session without ' +
    'event:reports once the hold is booked.',
);

/** A line item for readers who may not see revenue. */
export const soldItem = lineItem.extend({
  unitPrice: soldFor,
  fees: z.array(fee.extend({ amount: taken })),
  total: taken,
});

export const reportCategory = z.object({
  key: text,
  label: text,
  color: text,
  price: price.describe(
    'In units of `priceUnit`, from the chart. For a category with tiers it is the price of the default tier for ' +
      'a plain seat: the first without a restriction.',
  ),
});
