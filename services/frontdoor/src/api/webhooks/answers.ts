/** Answers of webhook subscriptions and their deliveries. */
import type { Delivery } from '@parterre/shared/catalog/deliveries';
import type { TestResult } from '@parterre/shared/notifier-api';
import { z } from 'zod';
import { epochMs, idOf, ok, text, textOrNull, webhookSub } from '../records/records.ts';

const one = { sub: webhookSub, webhook: webhookSub.describe('The same as sub.') };

const secret = z.string().regex(/^whsec_/);

const delivery = z.object({
  id: idOf('dlv'),
  at: epochMs.describe('When the delivery was created.'),
  event: text,
  ref: textOrNull.describe('The bookingRef or holdId of the occurrence; null without either.'),
  status: z.int().min(0).describe("The receiver's last HTTP status; 0 before its first answer."),
  attempt: z.int().min(0).describe('Attempts so far, retries by hand included.'),
  maxAttempts: z.int().describe('Attempts of the schedule.'),
  willRetry: z.boolean(),
  retryState: z
    .enum(['scheduled', 'delivered', 'exhausted', 'none'])
    .describe(
      'none: no attempt follows, because the receiver answered 410, or the subscription was paused or had too many ' +
        'deliveries waiting. Of event deliveries.dropped: the row tells a loss.',
    ),
  nextAttemptAt: epochMs.nullable(),
  occurrenceId: idOf('occ'),
  payload: z
    .unknown()
    .describe('The body that was sent. A body over 64 KiB is shown without its data, with truncated: true.'),
  responseBody: textOrNull.describe("The first 2 KiB of the receiver's last answer."),
  errorMessage: textOrNull,
  lastAttemptAt: epochMs.nullable(),
}) satisfies z.ZodType<Delivery>;

const testResult = z.object({
  delivered: z.boolean(),
  status: z.int().min(0).describe('0: no answer came; errorMessage says why.'),
  occurrenceId: idOf('occ'),
  durationMs: z.int().min(0),
  responseBody: textOrNull,
  errorMessage: textOrNull,
}) satisfies z.ZodType<TestResult>;

export const listWebhooksAnswer = z.object({
  subs: z.array(webhookSub),
  webhooks: z.array(webhookSub).describe('The same as subs.'),
});

export const createWebhookAnswer = z.object({ ...one, secret });

export const updateWebhookAnswer = z.object(one);

export const rotateWebhookSecretAnswer = z.object({ ...one, secret });

export const deleteWebhookAnswer = z.object({ ok });

export const listWebhookDeliveriesAnswer = z.object({
  deliveries: z.array(delivery),
  nextBefore: z.int().nullable().describe('Where the next page begins; null at the end.'),
});

export const testWebhookAnswer = z.object({ test: testResult });

export const retryWebhookDeliveryAnswer = z.object({ delivery });
