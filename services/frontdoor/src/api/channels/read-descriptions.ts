/** What is read of an event's channels, as the description has it. */
import type { ChannelCounts } from '@parterre/shared/answers';
import { z } from 'zod';
import { logActions } from '../../logs/event-log.ts';
import type { Description } from '../../openapi/description.ts';
import { standIn } from '../../openapi/stand-ins.ts';
import { logEntry, logQuery } from '../history/descriptions.ts';
import { assignmentVersion, channel } from '../records/channel-records.ts';
import { buyerStatus, count, epochMs, eventMeta, ok, text, textOrNull } from '../records/records.ts';
import { type AuditEntry, linkActions } from './channel-audit.ts';

const labels = z.array(text);

const channelCounts = z
  .object({
    allocated: count,
    free: count,
    held: count,
    booked: count,
    blocked: count,
    units: count.describe('The same as allocated.'),
  })
  .describe('What it has, by true status.') satisfies z.ZodType<ChannelCounts>;

const listed = channel.extend({
  counts: channelCounts,
  access: z
    .object({
      intent: channel.shape.accessIntent,
      hasActiveGrants: z.boolean().describe('Sessions or links reach it just now.'),
      lastMintAt: epochMs.nullable(),
    })
    .describe('How it is meant to be reached, and whether anybody can.'),
});

const share = z.number().min(0).nullable().describe('Units sold by units allocated; null where nothing is allocated.');
const money = count.nullable().describe('Major units; null for a manage session without event:reports.');
const attribution = z.object({
  sold: count.describe('Units of the chart that are booked now and were sold in this channel.'),
  units: count.describe('Guests and places of these.'),
  bookedValue: money,
  revenue: money.describe('The same as bookedValue.'),
});

const report = z.object({
  assignmentVersion,
  includesBookedValue: z.boolean(),
  methodology: text.describe('What the figures mean, to be shown beside them.'),
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
    .describe('Public sale first, whose channelId is null, then the channels as they were made, archived ones too.'),
  totals: z.object({ allocation: channelCounts, attribution, sellThrough: share }),
});

const auditEntry = z.object({
  id: logEntry.shape.id,
  at: epochMs,
  action: z.enum([...logActions, ...linkActions]),
  channelId: z
    .exactOptional(textOrNull)
    .describe('Null is public sale; absent where the seats of an override were of several channels.'),
  labels: labels.describe('What was assigned or moved; of an override the private seats.'),
  ref: logEntry.shape.ref,
  actor: textOrNull,
  source: logEntry.shape.source,
  reason: textOrNull,
  byChannel: z.exactOptional(z.array(z.object({ channelId: text, labels })).describe('Of an override.')),
  details: z.exactOptional(
    logEntry.shape.details
      .unwrap()
      .omit({ channelId: true })
      .extend({
        linkId: z.exactOptional(text.describe('The access link.')),
        rotatedTo: z.exactOptional(text.describe('The link in its place.')),
        sessionsEnded: z.exactOptional(ok.describe('Its sessions were ended with it.')),
      }),
  ),
}) satisfies z.ZodType<AuditEntry>;

const own = { key: standIn.eventWithChannel };

export const channelReads = {
  'GET /v1/events/{key}/channels': {
    operationId: 'listChannels',
    tag: 'Channels',
    summary: 'The channels of an event, with what each has and who may reach it',
    answer: z.object({
      assignmentVersion,
      publicSale: z
        .object({ id: z.literal('public'), name: text, state: z.literal('active'), counts: channelCounts })
        .describe('All that is in no channel.'),
      channels: z.array(listed).describe('In the order in which they were made.'),
    }),
    query: { includeArchived: { description: '1: those in the archive too.', schema: z.literal('1') } },
    examples: [
      { summary: 'Those that sell', path: own },
      { summary: 'All that there ever were', path: own, query: { includeArchived: '1' } },
    ],
  },
  'GET /v1/events/{key}/channels/allocation': {
    operationId: 'getAllocation',
    tag: 'Channels',
    summary: 'To which channel each seat is assigned',
    description: 'In the order of the chart, without what is of public sale.',
    answer: z.object({
      assignmentVersion,
      allocations: z.array(z.object({ label: text, channelId: text })),
      nextAfterLabel: textOrNull.describe('Asks for the next page; null at the end.'),
    }),
    query: {
      afterLabel: {
        description: 'The nextAfterLabel of the page before; one that the chart has not any more begins anew.',
        schema: z.string(),
      },
      limit: { description: 'At most 10,000.', schema: z.int().default(1_000) },
    },
    examples: [
      { summary: 'All of it', path: own },
      { summary: 'A page', path: own, query: { afterLabel: 'A-2', limit: '1' } },
    ],
  },
  'GET /v1/events/{key}/channels/preview': {
    operationId: 'previewChannels',
    tag: 'Channels',
    summary: 'What a buyer of some channels would see',
    description:
      '`default` and `seats` are the map as `GET /pub/events/{key}/objects?compact=1` shows it to such a buyer. `eligible` may be selected now; `unavailable` is ' +
      'the rest of what this scope has itself, with what is hidden. `counts` are of the map as it is shown: what is not in the scope is `not_for_sale` there.',
    answer: z.object({
      eligible: labels,
      unavailable: labels,
      counts: z.object({ eligible: count, free: count, held: count, booked: count, not_for_sale: count }),
      includePublic: z.boolean(),
      default: buyerStatus,
      seats: z.record(text, buyerStatus),
    }),
    query: {
      channelIds: { description: 'Ids of channels, with commas between them.', schema: z.string() },
      includePublic: {
        description: '1 or true: with public sale. Left out, that is so where no channel is named.',
        schema: z.string(),
      },
    },
    headers: ['Cache-Control'],
    refusals: ['invalid_channel_scope'],
    examples: [
      { summary: 'A channel alone', path: own, query: { channelIds: standIn.channel, includePublic: '0' } },
      { summary: 'Public sale', path: own },
      {
        summary: 'One in the archive',
        path: own,
        query: { channelIds: standIn.archivedChannel },
        answers: 'invalid_channel_scope',
      },
    ],
  },
  'GET /v1/events/{key}/channels/report': {
    operationId: 'getChannelReport',
    tag: 'Channels',
    summary: 'What each channel has and has sold',
    answer: z.object({ report, event: eventMeta }),
    examples: [{ summary: 'The report', path: own }],
  },
  'GET /v1/events/{key}/channels/audit': {
    operationId: 'getChannelAudit',
    tag: 'Channels',
    summary: 'What was done to the channels and their access links, and who had private seats by an override',
    description:
      'Newest first. Details are those of the log. Links that end because their channel is archived are told of by the archive alone.',
    answer: z.object({ entries: z.array(auditEntry), nextBefore: logEntry.shape.id.nullable() }),
    query: logQuery,
    examples: [
      { summary: 'The latest', path: own },
      { summary: 'Some of them', path: own, query: { limit: '1' } },
    ],
  },
} as const satisfies Record<string, Description>;
