/**
 * The sales channels of an event: create, change, pause and archive them, read their units and sales, and their audit,
 * which the catalog keeps. The event's actor keeps everything except access to channels, which the catalog keeps. Keys
 * and dashboard sessions may make all of these calls. A manage session needs one capability to view and another to
 * manage; neither implies the other.
 */

import type { Plan } from '@parterre/shared/charts/plan';
import { noScopes } from '@parterre/shared/charts/scopes';
import type { Answers, ChannelCounts, EventView } from '@parterre/shared/protocol/answers';
import type { AssignmentBuckets, LabelBucket } from '@parterre/shared/protocol/assignment-buckets';
import type { ChannelDraft } from '@parterre/shared/protocol/commands';
import { done, nothingToUpdate, type Outcome, refuse } from '@parterre/shared/protocol/errors';
import { eventMeta as eventMetaOf } from '@parterre/shared/protocol/event-meta';
import { newId } from '@parterre/shared/protocol/ids';
import {
  bucketLabelsMax,
  bulkBodyBytesMax,
  channelMarkLengthMax,
  priceOverridesMax,
} from '@parterre/shared/protocol/limits';
import { unpackStatuses } from '@parterre/shared/protocol/packed-statuses';
import type { PriceOverride, Reach } from '@parterre/shared/protocol/records';
import { z } from 'zod';
import { budgets, type KnownEvent, scopeOf } from '../admission/admission.ts';
import { preparedJson } from '../answers/answers.ts';
import { logActions, seesMoney } from '../logs/logs.ts';
import { standIn } from '../openapi/openapi.ts';
import { buyerAudience, channelMapOf, Picture } from '../pictures/pictures.ts';
import { ask, labelsIn, newCallId, planOf } from './calls/ask.ts';
import { isOne, limit, text as textOfQuery } from './calls/query.ts';
import { type Answering, type Call, type EventCall, eventRoute, type WithPath } from './calls/route.ts';
import { type AuditEntry, auditEntryOf, linkActions } from './channel-audit.ts';
import { channelPreview } from './channel-preview.ts';
import { bulkLabels } from './inventory.ts';
import {
  amount,
  assignmentVersion,
  buyerStatus,
  channel,
  count,
  epochMs,
  eventMeta,
  externalRef,
  id,
  inMoney,
  moneyOf,
  name,
  ok,
  optional,
  reason,
  recordById,
  text,
  textOrNull,
} from './records.ts';
import { logEntry, logPage, logQuery, plansOf } from './reports.ts';
import { channelReportOf, countsOf, publicSale } from './rules/channel-report.ts';
import { visibleText } from './rules/visible-text.ts';

const channelCounts = z
  .object({
    allocated: count,
    free: count,
    held: count,
    booked: count,
    blocked: count,
    units: count.describe('The same as allocated.'),
  })
  .describe("The channel's units by true status.") satisfies z.ZodType<ChannelCounts>;

const listed = channel.extend({
  counts: channelCounts,
  access: z
    .object({
      intent: channel.shape.accessIntent,
      hasActiveGrants: z.boolean().describe('Whether the channel has live sessions or links.'),
      lastMintAt: epochMs.nullable(),
    })
    .describe('The intended access to the channel, and the current one.'),
});

const listChannelsAnswer = z.object({
  assignmentVersion,
  publicSale: z
    .object({ id: z.literal('public'), name: text, state: z.literal('active'), counts: channelCounts })
    .describe('The units of no channel.'),
  channels: z.array(listed).describe('In the order of their creation.'),
  ...inMoney,
});

export const channelsQuery = z.object({
  includeArchived: isOne('1 includes archived channels.', z.literal('1')),
});

const own = { key: standIn.eventWithChannel };

const noAccess = { hasActiveGrants: false, lastMintAt: null };

const listChannelsRoute = eventRoute(
  'GET /v1/events/{key}/channels',
  {
    budget: budgets.serverCalls,
    capability: 'event:channels:view',
    answer: listChannelsAnswer,
    query: channelsQuery,
    description: {
      operationId: 'listChannels',
      tag: 'Channels',
      summary: 'The channels of an event, with their units and access',
      description:
        'Archived channels are in the list if the query asks for them. `assignmentVersion` is the number that ' +
        'the next assignment must name.',
      examples: [
        { summary: 'Without archived ones', path: own },
        { summary: 'With archived ones', path: own, query: { includeArchived: '1' } },
      ],
    },
  },
  listChannels,
);

async function listChannels(call: EventCall<unknown, z.output<typeof channelsQuery>>) {
  const { ports, event, query } = call;
  const [known, access] = await Promise.all([
    ask(call, { type: 'channels' }),
    ports.catalog('channel-access.summary', { eventKey: event.event.key }),
  ]);
  if (!known.ok) return known;
  if (!access.ok) return access;
  const { assignmentVersion, publicSale: counts, channels } = known.value;
  const listed = channels.filter(({ state }) => query.includeArchived || state !== 'archived');
  return done({
    ...moneyOf(event.event),
    assignmentVersion,
    publicSale: { ...publicSale, counts },
    channels: listed.map((channel) => {
      const { hasActiveGrants, lastMintAt } = access.value.channels[channel.id] ?? noAccess;
      return { ...channel, access: { intent: channel.accessIntent, hasActiveGrants, lastMintAt } };
    }),
  });
}

const createChannelAnswer = z.object({ ok, channel, ...inMoney });

const mark = visibleText.min(1).max(channelMarkLengthMax);

const price = amount;

const byKey = <Value extends z.ZodType>(value: Value) => recordById(value, 'The chart has no such category or tier.');

/** A list as in answers, or a map by category and tier. Null is the empty list. The order has no meaning. */
const priceOverrides = z
  .union(
    [
      z.null().transform(() => []),
      z.array(z.object({ categoryKey: id, tierId: id.nullable().default(null), price })),
      byKey(z.union([price, byKey(price)])).transform(listOf),
    ],
    {
      error:
        'Must be a list of { categoryKey, tierId, price }, or prices by category and tier. A price is a whole number.',
    },
  )
  .refine((list) => list.length <= priceOverridesMax, `Must have at most ${priceOverridesMax} prices.`);

function listOf(prices: Record<string, number | Record<string, number>>): PriceOverride[] {
  return Object.entries(prices).flatMap(([categoryKey, priced]): PriceOverride[] => {
    if (typeof priced === 'number') return [{ categoryKey, tierId: null, price: priced }];
    return Object.entries(priced).map(([tierId, each]) => ({ categoryKey, tierId, price: each }));
  });
}

/** The details of a channel, for its creation and later changes. Null clears. */
const details = {
  color: optional(mark.nullable()),
  marker: optional(mark.nullable()),
  externalRef: optional(externalRef.nullable()),
  accessIntent: optional(z.enum(['none', 'internal', 'server', 'hosted_link'])),
  priceOverrides: optional(priceOverrides),
};

const why = { reason: optional(reason.nullable()) };

const channelBody = z.object({ name, ...details, ...why });

const noDetails = { color: null, marker: null, externalRef: null, accessIntent: 'none' } as const;

const createChannel = eventRoute(
  'POST /v1/events/{key}/channels',
  {
    budget: budgets.serverCalls,
    answer: createChannelAnswer,
    capability: 'event:channels:manage',
    body: channelBody,
    status: 201,
    description: {
      operationId: 'createChannel',
      tag: 'Channels',
      summary: 'Create a channel',
      description:
        'The channel has no seats yet. Its prices, in units of `priceUnit`, take precedence over prices of ticket releases, and ' +
        'use none of their quota. A category with tiers is priced tier by tier. A name is unique among the channels ' +
        'that are not archived, regardless of case.',
      refusals: ['channel_name_taken', 'conflict', 'invalid_event_state'],
      examples: [
        {
          summary: 'For a presale, with prices by category and tier',
          body: {
            name: 'Club members',
            color: '#336699',
            externalRef: 'club-2026',
            accessIntent: 'server',
            priceOverrides: { stalls: 15, balcony: { adult: 25 } },
            reason: 'Presale',
          },
        },
        {
          summary: 'With prices in the form of answers',
          body: { name: 'Partners', priceOverrides: [{ categoryKey: 'balcony', tierId: 'child', price: 10 }] },
        },
        {
          summary: 'A taken name',
          path: own,
          body: { name: 'club members' },
          answers: 'channel_name_taken',
        },
        {
          summary: 'Of an event in the archive',
          path: { key: standIn.archivedEvent },
          body: { name: 'Club members' },
          answers: 'invalid_event_state',
        },
        {
          summary: 'A category that the chart lacks',
          body: { name: 'Boxes', priceOverrides: { boxes: 15 } },
          answers: 'invalid_request',
        },
      ],
    },
  },
  async (call) => {
    const { reason = null, ...draft } = call.body;
    const channel: ChannelDraft = { ...noDetails, priceOverrides: [], ...draft, id: newId('chn') };
    const made = await ask(call, { type: 'create-channel', callId: newCallId(), channel, reason });
    return made.ok ? done({ ok: true, channel: made.value.channel, ...moneyOf(call.event.event) }) : made;
  },
);

const changeChannelAnswer = z.object({ ok, channel, ...inMoney });

const channelChangesBody = z.object({
  name: optional(name),
  ...details,
  acknowledgeLiveAccess: optional(
    z.boolean().describe('Changes the access intent although the channel has live sessions or links.'),
  ),
  expectedPricingVersion: optional(z.int().min(0)),
  pricingVersion: optional(z.int().min(0).describe('The same as expectedPricingVersion.')),
  ...why,
});

const changes = ['not_found', 'conflict', 'invalid_event_state'] as const;

const unknownOne = { summary: 'An unknown channel', path: { ...own, id: 'chn_0' }, answers: 'not_found' } as const;

const liveAccess = refuse(
  'conflict',
  'This channel has live sessions or links. Send acknowledgeLiveAccess to change its access intent nevertheless.',
  { reason: 'live_access' },
);

const changeChannelRoute = eventRoute(
  'PATCH /v1/events/{key}/channels/{id}',
  {
    budget: budgets.serverCalls,
    answer: changeChannelAnswer,
    capability: 'event:channels:manage',
    body: channelChangesBody,
    description: {
      operationId: 'changeChannel',
      tag: 'Channels',
      summary: 'Change a channel',
      description:
        '`priceOverrides` replaces all prices; held and booked units keep their prices. With `expectedPricingVersion` ' +
        '(or `pricingVersion`) nothing changes if the prices have changed since that version. Another `accessIntent` ' +
        'while sessions or links reach the channel is 409 `conflict`, reason `live_access`, unless ' +
        '`acknowledgeLiveAccess` is sent. The change ends no session and no link.',
      refusals: ['nothing_to_update', 'channel_name_taken', 'channel_pricing_conflict', ...changes],
      examples: [
        {
          summary: 'Another name and other prices',
          path: own,
          body: { name: 'Members', priceOverrides: { stalls: 12 }, expectedPricingVersion: 1 },
        },
        {
          summary: 'Prices that have changed since',
          path: own,
          body: { priceOverrides: { stalls: 12 }, pricingVersion: 7 },
          answers: 'channel_pricing_conflict',
        },
        {
          summary: 'A price that is not an integer',
          path: own,
          body: { priceOverrides: { stalls: 12.5 } },
          answers: 'invalid_request',
        },
        { summary: 'Without a field', path: own, body: {}, answers: 'nothing_to_update' },
        {
          summary: 'An unknown channel, without a field',
          path: { ...own, id: 'chn_0' },
          body: {},
          answers: 'not_found',
        },
        {
          summary: 'An archived channel',
          path: { ...own, id: standIn.archivedChannel },
          body: { name: 'Members' },
          answers: 'conflict',
        },
        { ...unknownOne, body: { name: 'Members' } },
      ],
    },
  },
  changeChannel,
);

async function changeChannel(
  call: EventCall<z.output<typeof channelChangesBody>> & WithPath<'id'>,
): Answering<typeof changeChannelAnswer> {
  const { reason = null, acknowledgeLiveAccess = false, pricingVersion, ...said } = call.body;
  const { expectedPricingVersion = pricingVersion, ...change } = said;
  const channelId = call.path.id;
  if (Object.keys(change).length === 0) {
    const known = await checkChannelOfPath(call, channelId, true);
    return known.ok ? nothingToUpdate(['name', ...Object.keys(details)]) : known;
  }
  if (change.accessIntent !== undefined && !acknowledgeLiveAccess) {
    const may = await mayChangeAccessIntent(call, channelId, change.accessIntent);
    if (!may.ok) return may;
  }
  const changed = await ask(call, {
    type: 'change-channel',
    callId: newCallId(),
    channelId,
    change,
    reason,
    ...(expectedPricingVersion === undefined ? {} : { expectedPricingVersion }),
  });
  return changed.ok ? done({ ok: true, channel: changed.value.channel, ...moneyOf(call.event.event) }) : changed;
}

/** Checks the channel of the path in the same way, but an unknown channel is `not_found`. */
export async function checkChannelOfPath(
  call: EventCall,
  channelId: string,
  mayBeArchived = false,
): Promise<Outcome<number>> {
  const answer = await ask(call, { type: 'channel-states' });
  if (!answer.ok) return answer;
  const { channels, version } = answer.value;
  const channel = channels.find(({ id }) => id === channelId);
  if (!channel) return refuse('not_found', 'This event has no such channel. GET its channels to read their ids.');
  return channel.state === 'archived' && !mayBeArchived ? notInScope([channelId]) : done(version);
}

function notInScope(channelIds: string[]): Outcome<never> {
  return refuse(
    'invalid_channel_scope',
    'The event has no such channels, or they are archived. Name channels of the event that are not archived.',
    {
      details: { channelIds },
    },
  );
}

/**
 * Refused if the intent would change while the channel has live access. The check is a warning to the caller: a session
 * that is issued between the check and the change may slip through.
 */
async function mayChangeAccessIntent(call: EventCall, channelId: string, intent: string): Promise<Outcome<true>> {
  const [known, access] = await Promise.all([
    ask(call, { type: 'channel-records' }),
    call.ports.catalog('channel-access.summary', { eventKey: call.event.event.key }),
  ]);
  if (!known.ok) return known;
  if (!access.ok) return access;
  const isLive = access.value.channels[channelId]?.hasActiveGrants === true;
  return isLive && intentOf(known.value, channelId) !== intent ? liveAccess : done(true);
}

function intentOf({ channels }: Answers['channel-records'], channelId: string): string | undefined {
  return channels.find(({ id }) => id === channelId)?.accessIntent;
}

const labelBucket = z.object({
  count,
  labels: z.array(text).max(bucketLabelsMax),
  truncated: z.boolean().describe('True if there are more labels than are listed.'),
}) satisfies z.ZodType<LabelBucket>;

const buckets = z.object({
  changedFromPublic: z.object({ count }),
  movedFromOtherChannel: z.object({
    count,
    channels: z.array(z.object({ channelId: text, name: text, count })),
  }),
  alreadyInTarget: z.object({ count }),
  skippedHeld: labelBucket.describe('Held seats. They stay in their channel.'),
  skippedBooked: labelBucket.describe('Sold seats. They stay in their channel.'),
  notFound: labelBucket,
}) satisfies z.ZodType<AssignmentBuckets>;

const assignChannelAnswer = z.object({
  ok,
  targetChannelId: textOrNull.describe('Null is public sale.'),
  assignmentVersion,
  requested: count,
  applied: count,
  buckets,
});

/** A channel, or public sale under either of its names. */
const target = z
  .union([id, z.null()])
  .describe('The id of a channel; `public` or null for public sale.')
  .transform((named) => (named === 'public' ? null : named));

const assignmentsBody = z.compile(
  z.object({
    targetChannelId: target,
    labels: bulkLabels,
    assignmentVersion: z.int().min(0),
    ...why,
  }),
);

const assignChannel = eventRoute(
  'POST /v1/events/{key}/channels/assignments',
  {
    budget: budgets.serverCalls,
    answer: assignChannelAnswer,
    capability: 'event:channels:manage',
    body: assignmentsBody,
    labelsIn,
    bodyBytesMax: bulkBodyBytesMax,
    description: {
      operationId: 'assignChannel',
      tag: 'Channels',
      summary: 'Assign seats to a channel, or give them back to public sale',
      description:
        'An assignment decides who may select the seats, never whether they are free. Held and sold seats stay in ' +
        'their channel. The buckets tell the result for each named label. The label of an area stands for all its ' +
        'places. `assignmentVersion` is the version that the caller has seen.',
      refusals: ['channel_assignment_conflict', 'invalid_channel_scope', 'invalid_event_state'],
      examples: [
        {
          summary: 'Back to public sale',
          path: own,
          body: { targetChannelId: 'public', labels: ['A-3', 'A-4'], assignmentVersion: standIn.assignmentVersion },
        },
        {
          summary: 'Seats and an area',
          path: own,
          body: {
            targetChannelId: standIn.channel,
            labels: ['A-5', 'Floor'],
            assignmentVersion: standIn.assignmentVersion,
            reason: 'More members came',
          },
        },
        {
          summary: 'With an outdated version',
          path: own,
          body: { targetChannelId: null, labels: ['A-1'], assignmentVersion: 0 },
          answers: 'channel_assignment_conflict',
        },
        {
          summary: 'To a channel in the archive',
          path: own,
          body: {
            targetChannelId: standIn.archivedChannel,
            labels: ['A-1'],
            assignmentVersion: standIn.assignmentVersion,
          },
          answers: 'invalid_channel_scope',
        },
      ],
    },
  },
  async (call) => {
    const { targetChannelId, labels, assignmentVersion, reason = null } = call.body;
    const named = { channelId: targetChannelId, labels, assignmentVersion, reason };
    const assigned = await ask(call, { type: 'assign-channel', callId: newCallId(), ...named });
    return assigned.ok ? done({ ok: true, targetChannelId, ...assigned.value }) : assigned;
  },
);

const getAllocationAnswer = z.object({
  assignmentVersion,
  allocations: z.array(z.object({ label: text, channelId: text })),
  nextAfterLabel: textOrNull.describe('The afterLabel of the next page; null at the end.'),
});

const allocationQuery = z.object({
  afterLabel: textOfQuery(
    "The previous page's nextAfterLabel. If the chart no longer has this label, the list starts over.",
  ),
  limit: limit({ usual: 1_000, most: 10_000 }, z.int().default(1_000), 'At most 10,000.'),
});

const getAllocation = eventRoute(
  'GET /v1/events/{key}/channels/allocation',
  {
    budget: budgets.serverCalls,
    capability: 'event:channels:view',
    answer: getAllocationAnswer,
    query: allocationQuery,
    description: {
      operationId: 'getAllocation',
      tag: 'Channels',
      summary: 'The channel of each seat',
      description: 'In chart order, without the seats of public sale.',
      examples: [
        { summary: 'All of it', path: own },
        { summary: 'A page', path: own, query: { afterLabel: 'A-2', limit: '1' } },
      ],
    },
  },
  async (call) => {
    const { limit, afterLabel } = call.query;
    return ask(call, { type: 'channel-allocation', limit, ...(afterLabel && { afterLabel }) });
  },
);

const labels = z.array(text);

const previewChannelsAnswer = z.object({
  eligible: labels,
  unavailable: labels,
  counts: z.object({ eligible: count, free: count, held: count, booked: count, not_for_sale: count }),
  includePublic: z.boolean(),
  default: buyerStatus,
  seats: z.record(text, buyerStatus),
});

const previewQuery = z.object({
  channelIds: textOfQuery('Ids of channels, separated by commas.'),
  includePublic: textOfQuery(
    '1 or true includes public sale. If absent, public sale is included only if no channel is named.',
  ),
});

type Query = z.output<typeof previewQuery>;

const previewChannelsRoute = eventRoute(
  'GET /v1/events/{key}/channels/preview',
  {
    budget: budgets.serverCalls,
    capability: 'event:channels:view',
    answer: previewChannelsAnswer,
    query: previewQuery,
    description: {
      operationId: 'previewChannels',
      tag: 'Channels',
      summary: 'The event as a buyer of some channels sees it',
      description:
        '`default` and `seats` are the map as `GET /pub/events/{key}/objects?compact=1` shows it to such a buyer. ' +
        '`eligible` units may be selected now. `unavailable` units are the other units of this reach, hidden units ' +
        'included. `counts` cover the visible map: units outside the reach count as `not_for_sale`.',
      refusals: ['invalid_channel_scope'],
      examples: [
        { summary: 'Only a channel', path: own, query: { channelIds: standIn.channel, includePublic: '0' } },
        { summary: 'Public sale', path: own },
        {
          summary: 'An archived channel',
          path: own,
          query: { channelIds: standIn.archivedChannel },
          answers: 'invalid_channel_scope',
        },
      ],
    },
  },
  previewChannels,
);

/**
 * `GET …/channels/preview`: the event as a buyer with the given reach sees it. The view comes from the event's actor,
 * not from this front door's replica, so that a caller who has just assigned seats sees the result.
 */
async function previewChannels(call: EventCall<unknown, Query>) {
  const reach = reachOf(call.query);
  const [known, view] = await Promise.all([checkChannels(call, reach.channelIds), ask(call, { type: 'view' })]);
  if (!known.ok) return known;
  if (!view.ok) return view;
  if (view.value.stale) return lostRecords;
  const plan = await planOf(call, view.value.planHash);
  if (!plan.ok) return plan;
  const picture = pictureOf(plan.value, view.value);
  const shown = picture.shownTo(buyerAudience(reach));
  return done(preparedJson(channelPreview(plan.value, shown, picture.channels, reach)));
}

const lostRecords = refuse(
  'journal_lost_records',
  'The inventory of this event has lost records. Only its map is shown.',
);

/** Without `includePublic`, public sale is in reach only if no channel is named. */
function reachOf({ channelIds: listed = '', includePublic: said = '' }: Query): Reach {
  const named = listed.split(',').map((id) => id.trim());
  const channelIds = [...new Set(named)].filter((id) => id !== '');
  const includePublic = said === '' ? channelIds.length === 0 : said === '1' || said.toLowerCase() === 'true';
  return { channelIds, includePublic };
}

/**
 * Checks the channels that a call names. The event's actor knows the channels of the event.
 *
 * Refused if a channel is unknown to the event or archived. Otherwise the event's version at the time of the check; 0
 * if there was nothing to check.
 */
export async function checkChannels(call: EventCall, channelIds: readonly string[]): Promise<Outcome<number>> {
  if (channelIds.length === 0) return done(0);
  const answer = await ask(call, { type: 'channel-states' });
  if (!answer.ok) return answer;
  const open = new Set(answer.value.channels.filter(({ state }) => state !== 'archived').map(({ id }) => id));
  const foreign = channelIds.filter((id) => !open.has(id));
  return foreign.length === 0 ? done(answer.value.version) : notInScope(foreign);
}

/** A picture like the pictures that the front door keeps for viewers. */
function pictureOf(plan: Plan, { statuses, unitCount, offered, scopes = noScopes, allocation }: EventView): Picture {
  const picture = new Picture();
  picture.take(plan, unpackStatuses(statuses, unitCount), offered, scopes, channelMapOf(allocation));
  return picture;
}

const money = count.nullable().describe('In units of `priceUnit`; null for a manage session without event:reports.');

const attribution = z.object({
  sold: count.describe('Units of the chart that are booked now and were sold in this channel.'),
  units: count.describe('The guests and places of the sold units.'),
  bookedValue: money,
  revenue: money.describe('The same as bookedValue.'),
});

const share = z
  .number()
  .min(0)
  .nullable()
  .describe('Sold units divided by allocated units; null if none is allocated.');

const report = z.object({
  assignmentVersion,
  includesBookedValue: z.boolean(),
  ...inMoney,
  methodology: text.describe('The meaning of the figures, to be shown beside them.'),
  rows: z
    .array(
      z.object({
        channelId: textOrNull,
        name: text,
        externalRef: textOrNull,
        state: channel.shape.state,
        allocation: channelCounts,
        attribution,
        sellThrough: share,
      }),
    )
    .describe(
      'Public sale first (channelId null), then the channels in the order of their creation, archived ones included.',
    ),
  totals: z.object({ allocation: channelCounts, attribution, sellThrough: share }),
});

const getChannelReportAnswer = z.object({ report, event: eventMeta });

const getChannelReport = eventRoute(
  'GET /v1/events/{key}/channels/report',
  {
    budget: budgets.serverCalls,
    capability: 'event:channels:view',
    answer: getChannelReportAnswer,
    description: {
      operationId: 'getChannelReport',
      tag: 'Channels',
      summary: 'The units and sales of each channel',
      description:
        'One line for each channel and one for the public: assigned, free, held, booked and blocked places, ' +
        'and the value of the sales. Sums are in `totals`.',
      examples: [{ summary: 'The report', path: own }],
    },
  },
  async (call) => {
    const [known, told] = await Promise.all([
      ask(call, { type: 'channel-records' }),
      ask(call, { type: 'channel-report' }),
    ]);
    if (!known.ok) return known;
    if (!told.ok) return told;
    const { principal, event } = call;
    const report = {
      ...moneyOf(event.event),
      ...channelReportOf(told.value, known.value.channels, seesMoney(principal)),
    };
    return done({ report, event: eventMetaOf(event.event, { counts: countsOf(report.totals.allocation) }) });
  },
);

const manage = { capability: 'event:channels:manage' } as const;

const channelStateBody = z.object(why);

const stateChange = { ...manage, body: channelStateBody, bodyOptional: true } as const;

const pauseChannelAnswer = z.object({ ok, channel, ...inMoney });

const pauseChannel = eventRoute(
  'POST /v1/events/{key}/channels/{id}/pause',
  {
    budget: budgets.serverCalls,
    ...stateChange,
    answer: pauseChannelAnswer,
    description: {
      operationId: 'pauseChannel',
      tag: 'Channels',
      summary: 'Pause the sales of a channel',
      description: "Holds of the channel's seats stay active, and may be booked.",
      refusals: changes,
      examples: [
        { summary: 'With a reason', path: own, body: { reason: 'The list is being checked' } },
        unknownOne,
        { summary: 'An archived channel', path: { ...own, id: standIn.archivedChannel }, answers: 'conflict' },
      ],
    },
  },
  (call) => setState(call, 'paused'),
);

async function setState(
  call: EventCall<z.output<typeof channelStateBody>> & WithPath<'id'>,
  state: 'active' | 'paused',
): Answering<typeof pauseChannelAnswer> {
  const { reason = null } = call.body;
  const channelId = call.path.id;
  const turned = await ask(call, { type: 'set-channel-state', callId: newCallId(), channelId, state, reason });
  return turned.ok ? done({ ok: true, channel: turned.value.channel, ...moneyOf(call.event.event) }) : turned;
}

const unpauseChannelAnswer = z.object({ ok, channel, ...inMoney });

const unpauseChannel = eventRoute(
  'POST /v1/events/{key}/channels/{id}/unpause',
  {
    budget: budgets.serverCalls,
    ...stateChange,
    answer: unpauseChannelAnswer,
    description: {
      operationId: 'unpauseChannel',
      tag: 'Channels',
      summary: 'Resume the sales of a channel',
      description: 'Buyers of the channel can hold its units again. A channel that is not paused answers the same.',
      refusals: changes,
      examples: [{ summary: 'Without a body', path: own }, unknownOne],
    },
  },
  (call) => setState(call, 'active'),
);

const archiveChannelAnswer = z.object({
  ok,
  channel,
  assignmentVersion,
  moved: z.object({ free: count, blocked: count, booked: count, units: count }),
  revokedSessions: count,
  ...inMoney,
});

const channelArchiveBody = z.object({ destination: target, ...why });

type ArchiveCall = Call<'console', z.output<typeof channelArchiveBody>, KnownEvent> & WithPath<'id'>;

const archiveChannelRoute = eventRoute(
  'POST /v1/events/{key}/channels/{id}/archive',
  {
    budget: budgets.serverCalls,
    answer: archiveChannelAnswer,
    capability: 'event:channels:manage',
    body: channelArchiveBody,
    description: {
      operationId: 'archiveChannel',
      tag: 'Channels',
      summary: 'Archive a channel, and end all access to it',
      description:
        'All its units go to another channel or to public sale. Booked units go too, and keep the channel that they ' +
        'were sold in. Refused while a unit of the channel is held: `details` tells until when. Sessions and links ' +
        'that reach only this channel end; sessions and links that also reach other channels lose this channel. A ' +
        'repetition with the same destination gets the same result.',
      refusals: ['channel_archive_blocked_by_holds', 'invalid_channel_scope', ...changes],
      examples: [
        { summary: 'To public sale', path: own, body: { destination: 'public', reason: 'The presale is over' } },
        {
          summary: 'To a channel in the archive',
          path: own,
          body: { destination: standIn.archivedChannel },
          answers: 'invalid_channel_scope',
        },
        { ...unknownOne, body: { destination: null } },
      ],
    },
  },
  archiveChannel,
);

/**
 * `POST …/channels/{id}/archive`: archives a channel, and ends all access to it.
 *
 * States of a call: archived and journaled by the event's actor, after which the channel sells nothing → its sessions
 * and links ended in the catalog, which closes their sockets → answered. If the first await fails, the channel may be
 * archived or not. If the second await fails, the channel is archived, and some of its sessions and links remain, but
 * reach nothing. Either way the caller gets 503, and a repetition does the rest: an archive to the same destination is
 * answered as done, and ending ended access changes nothing.
 */
async function archiveChannel(call: ArchiveCall): Answering<typeof archiveChannelAnswer> {
  const { destination, reason = null } = call.body;
  const channelId = call.path.id;
  const archived = await ask(call, { type: 'archive-channel', callId: newCallId(), channelId, destination, reason });
  if (!archived.ok) return archived;
  const scope = scopeOf(call.principal);
  const eventKey = call.event.event.key;
  const revoked = await call.ports.catalog('channel-access.revoke', { scope, eventKey, channelId });
  if (!revoked.ok) return revoked;
  const { channel, assignmentVersion, moved } = archived.value;
  const { revokedSessions } = revoked.value;
  return done({ ok: true, channel, assignmentVersion, moved, revokedSessions, ...moneyOf(call.event.event) });
}

const auditEntry = z.object({
  id: logEntry.shape.id,
  at: epochMs,
  action: z.enum([...logActions, ...linkActions]),
  channelId: z
    .exactOptional(textOrNull)
    .describe('Null is public sale; absent if an override took seats of several channels.'),
  labels: labels.describe('The units that were assigned or moved; for an override, the seats of channels.'),
  ref: logEntry.shape.ref,
  actor: textOrNull,
  source: logEntry.shape.source,
  reason: textOrNull,
  byChannel: z.exactOptional(
    z.array(z.object({ channelId: text, labels })).describe('The seats of an override by channel.'),
  ),
  details: z.exactOptional(
    logEntry.shape.details
      .unwrap()
      .omit({ channelId: true })
      .extend({
        linkId: z.exactOptional(text.describe('The access link.')),
        rotatedTo: z.exactOptional(text.describe('The link that replaces this link.')),
        sessionsEnded: z.exactOptional(ok.describe("The link's sessions ended with the link.")),
      }),
  ),
}) satisfies z.ZodType<AuditEntry>;

export const getChannelAuditAnswer = z.object({
  entries: z.array(auditEntry),
  ...inMoney,
  nextBefore: logEntry.shape.id.nullable(),
});

const getChannelAudit = eventRoute(
  'GET /v1/events/{key}/channels/audit',
  {
    budget: budgets.serverCalls,
    answer: getChannelAuditAnswer,
    query: logQuery,
    capability: 'event:channels:view',
    description: {
      operationId: 'getChannelAudit',
      tag: 'Channels',
      summary: 'Changes of channels and their access links, and overrides that took seats of channels',
      description:
        'Newest first. `details` are as in the log. A link that ends because its channel is archived has no entry of ' +
        'its own: the entry of the archiving stands for it.',
      examples: [
        { summary: 'The latest', path: own },
        { summary: 'Some of them', path: own, query: { limit: '1' } },
      ],
    },
  },
  async (call) => {
    const found = await call.ports.catalog('history.audit', await logPage(call));
    if (!found.ok) return found;
    const { entries, nextBefore } = found.value;
    const plans = await plansOf(
      call,
      entries.filter((entry) => 'record' in entry),
    );
    if (!plans.ok) return plans;
    const told = entries.map((entry) => auditEntryOf(plans.value, entry));
    return done({ entries: told, nextBefore, ...moneyOf(call.event.event) });
  },
);

export const channelsRoutes = [
  listChannelsRoute,
  createChannel,
  changeChannelRoute,
  assignChannel,
  getAllocation,
  previewChannelsRoute,
  getChannelReport,
  pauseChannel,
  unpauseChannel,
  archiveChannelRoute,
  getChannelAudit,
];
