/** The bodies of refusals. */
import { type Issue, statusByCode } from '@parterre/shared/errors';
import { missingLabelsMax } from '@parterre/shared/limits';
import { z } from 'zod';
import { saves } from './chart-records.ts';
import { count, currency, durationMs, epochMs, ok, optional, text } from './parts.ts';
import { lineItem } from './sale-records.ts';

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

const code = z.enum(Object.keys(statusByCode) as [string, ...string[]]);

/** The seats of channels that a new chart lacks. */
export const droppedAssignments = z
  .array(z.object({ channelId: text, count, labels: z.array(text).max(missingLabelsMax) }))
  .describe('Seats of channels that the new chart lacks: their number for each channel, and the first labels of all.');

/** Every field that any refusal carries. */
export const errorBody = z.object({
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
  state: optional(text.describe('The state of the group, season, plan or sales, which does not allow the call.')),
  revision: optional(count.describe('The present revision, if the request named another one.')),
  eventKeys: optional(z.array(text).describe('Events that are no members.')),
  channelIds: optional(z.array(text).describe('Channels that are unknown to the event, or archived.')),
  maxQuantity: optional(count.describe('The most that the session may have.')),
  used: optional(count.describe('The part of `maxQuantity` that the session already has.')),
  limit: optional(
    count.describe('With `public_limit`: the bound, in places; with `reason: hold_time` in milliseconds.'),
  ),
  left: optional(
    count.describe('With `public_limit`: how much of `limit` the buyer may still hold with one more hold.'),
  ),
  problems: optional(
    z
      .array(
        z.object({
          rule: z.enum(['orphan_seat', 'category_limit', 'tier_limit']),
          labels: z.array(text).describe('The seats that would be left single, or the places that count.'),
          categoryKey: optional(text),
          tierId: optional(text),
          max: optional(count),
          asked: optional(count),
        }),
      )
      .describe('Every broken selection rule.'),
  ),
  items: optional(z.array(lineItem).describe('The places of the call at the prices of now.')),
  allocations: optional(
    z.array(z.object({ eventKey: text, items: z.array(lineItem) })).describe('Of a group: `items` by performance.'),
  ),
  total: optional(count.describe('The price of `items`, in major units.')),
  expectedTotal: optional(count.describe('The price that the request named.')),
  currency: optional(currency),
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
export const rateLimited = z.object({
  error: z.literal('rate_limited'),
  code: optional(z.literal('rate_limited')),
  message: optional(text),
  requestId: optional(text),
  retryAfterSeconds: optional(count),
});
