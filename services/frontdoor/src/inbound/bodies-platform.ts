/** The bodies of webhook subscriptions (wire contract 9). */
import { webhookEvents } from '@parterre/shared/vocabulary';
import { z } from 'zod';

export const webhookBody = z.object({
  url: z.string().max(2_048),
  events: z
    .array(z.enum(webhookEvents))
    .min(1)
    .transform((events) => [...new Set(events)]),
});
