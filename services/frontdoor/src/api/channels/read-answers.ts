/** Answers of reads of channels. */
import type { ChannelCounts } from '@parterre/shared/answers';
import { z } from 'zod';
import { logActions } from '../../logs/logs.ts';
import { logEntry } from '../history/history.ts';
import {
  assignmentVersion,
  buyerStatus,
  channel,
  count,
  epochMs,
  eventMeta,
  ok,
  text,
  textOrNull,
} from '../records/records.ts';
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

const share = z
  .number()
  .min(0)
  .nullable()
  .describe('Sold units divided by allocated units; null if none is allocated.');

const money = count.nullable().describe('Major units; null for a manage session without event:reports.');

const attribution = z.object({
  sold: count.describe('Units of the chart that are booked now and were sold in this channel.'),
  units: count.describe('The guests and places of the sold units.'),
  bookedValue: money,
  revenue: money.describe('The same as bookedValue.'),
});

const report = z.object({
  assignmentVersion,
  includesBookedValue: z.boolean(),
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

export const listChannelsAnswer = z.object({
  assignmentVersion,
  publicSale: z
    .object({ id: z.literal('public'), name: text, state: z.literal('active'), counts: channelCounts })
    .describe('The units of no channel.'),
  channels: z.array(listed).describe('In the order of their creation.'),
});

export const getAllocationAnswer = z.object({
  assignmentVersion,
  allocations: z.array(z.object({ label: text, channelId: text })),
  nextAfterLabel: textOrNull.describe('The afterLabel of the next page; null at the end.'),
});

export const previewChannelsAnswer = z.object({
  eligible: labels,
  unavailable: labels,
  counts: z.object({ eligible: count, free: count, held: count, booked: count, not_for_sale: count }),
  includePublic: z.boolean(),
  default: buyerStatus,
  seats: z.record(text, buyerStatus),
});

export const getChannelReportAnswer = z.object({ report, event: eventMeta });

export const getChannelAuditAnswer = z.object({
  entries: z.array(auditEntry),
  nextBefore: logEntry.shape.id.nullable(),
});
