/** Webhook subscriptions, and what can be asked of them. */
import type { Mode } from '../records.ts';
import type { Scope } from './scope.ts';

export type WebhookSub = {
  id: string;
  url: string;
  events: string[];
  disabled: boolean;
  lastStatus: number | null;
  lastAt: number | null;
  createdAt: number;
  mode: Mode | null;
  environment: string | null;
  /** Hears of this workspace's events alone; null: of the whole organisation's. */
  workspaceId: string | null;
  uptime7d: number | null;
};

/** A subscription with what the notifier needs to sign. */
export type SigningSub = Pick<WebhookSub, 'id' | 'url' | 'events' | 'workspaceId'> & { secrets: string[] };

/** operation → [input, output] */
export type WebhookOperations = {
  'webhooks.create': [{ scope: Scope; url: string; events: string[] }, { sub: WebhookSub; secret: string }];
  'webhooks.list': [{ scope: Scope }, { subs: WebhookSub[] }];
  'webhooks.delete': [{ scope: Scope; id: string }, { ok: true }];
  /** For the notifier: the active subscriptions of an organisation that hear of `mode`, each in its own workspace. */
  'webhooks.matching': [{ organisationId: string; mode: Mode }, { subs: SigningSub[] }];
};
