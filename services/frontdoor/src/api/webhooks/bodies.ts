/** Request bodies of webhook subscriptions. */
import { webhookEvents } from '@parterre/shared/vocabulary';
import { webhookUrlLengthMax } from '@parterre/shared/webhook-limits';
import { z } from 'zod';
import { environment, mode, optional } from '../records/records.ts';

const url = z.string().max(webhookUrlLengthMax);
const events = z
  .array(z.enum(webhookEvents))
  .min(1)
  .transform((named) => [...new Set(named)]);
const reach = { mode: optional(mode.nullable()), environment: optional(environment.nullable()) };

export const webhookBody = z.object({ url, events, ...reach });
export const webhookUpdateBody = z.object({
  url: optional(url),
  events: optional(events),
  disabled: optional(z.boolean()),
  ...reach,
});
