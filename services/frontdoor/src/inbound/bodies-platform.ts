/** The bodies of the operator's surface and of webhook subscriptions (wire contract 2 and 9). */
import { webhookEvents } from '@parterre/shared/vocabulary';
import { z } from 'zod';
import { currency, id, mode, name, optional, reason } from './body-parts.ts';

export const webhookBody = z.object({
  url: z.string().max(2_048),
  events: z
    .array(z.enum(webhookEvents))
    .min(1)
    .transform((events) => [...new Set(events)]),
});

const environment = z.string().regex(/^[A-Za-z0-9._-]{1,64}$/, 'Letters, digits, dot, _ and -, 1 to 64 of them.');

export const organisationBody = z.object({ name, currency: currency, credits: optional(z.int().min(0)) });
export const keyBody = z.object({
  kind: z.enum(['secret', 'publishable']),
  mode,
  environment: optional(environment.nullable()),
  workspaceId: optional(id.nullable()),
  origins: optional(z.array(z.string().max(300)).max(100)),
});
export const creditsBody = z.object({ delta: z.int(), reason });
