/** The records of organisations, as named schemas of the description. */
import type { KeyInfo, Organisation, User } from '@parterre/shared/catalog/accounts';
import type { WebhookSub } from '@parterre/shared/catalog/webhooks';
import type { Workspace } from '@parterre/shared/catalog/workspaces';
import { webhookEvents } from '@parterre/shared/vocabulary';
import { z } from 'zod';
import { publicSale } from './event-records.ts';
import { currency, epochMs, idOf, mode, region } from './parts.ts';

const text = z.string();
const webhookEvent: z.ZodType<string> = z.enum(webhookEvents);
const textOrNull = text.nullable();

export const workspace = z.object({
  id: idOf('ws'),
  name: text,
  status: z.enum(['active', 'disabled']),
  isDefault: z.boolean(),
  externalRef: textOrNull,
  defaultRegion: region,
}) satisfies z.ZodType<Workspace>;

export const organisation = z.object({
  id: text,
  name: text,
  currency,
  credits: z.int(),
  createdAt: epochMs,
  publicSale,
}) satisfies z.ZodType<Organisation>;

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
  role: z.enum(['admin', 'member']),
  createdAt: epochMs,
}) satisfies z.ZodType<User>;

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
}) satisfies z.ZodType<WebhookSub>;
