import type { ChannelCounts } from '@parterre/shared/answers';
import { z } from 'zod';
import { logActions } from '../../logs/event-log.ts';
import { logEntry } from '../history/answers.ts';
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

export const listChannelsAnswer = z.object({
  assignmentVersion,
  publicSale: z
    .object({ id: z.literal('public'), name: text, state: z.literal('active'), counts: channelCounts })
    .describe('All that is in no channel.'),
  channels: z.array(listed).describe('In the order in which they were made.'),
});

export const getAllocationAnswer = z.object({
  assignmentVersion,
  allocations: z.array(z.object({ label: text, channelId: text })),
  nextAfterLabel: textOrNull.describe('Asks for the next page; null at the end.'),
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
