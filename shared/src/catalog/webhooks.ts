/** Webhook subscriptions, and what can be asked of them. */
import type { Mode } from '../records.ts';
import type { Scope } from './scope.ts';

/** Why a subscription is paused: somebody said so, its receiver answered 410, or every attempt had failed for `failingPauseMs`. */
export type PausedReason = 'operator' | 'gone' | 'failing';

export type WebhookSub = {
  id: string;
  url: string;
  events: string[];
  disabled: boolean;
  /** Null while it is active. */
  pausedReason: PausedReason | null;
  lastStatus: number | null;
  lastAt: number | null;
  createdAt: number;
  /** Hears of this mode's events alone; null: of both modes'. */
  mode: Mode | null;
  /** Hears alone of events that a key of this environment made; null: of every environment's, and of those without one. */
  environment: string | null;
  /** Hears of this workspace's events alone; null: of the whole organisation's. */
  workspaceId: string | null;
  uptime7d: number | null;
};

/** One that was replaced signs until then (epoch ms); null: for as long as the subscription stands. */
export type SigningSecret = { secret: string; until: number | null };

/** A subscription with what the notifier needs to sign: the newest secret first. */
export type SigningSub = Pick<WebhookSub, 'id' | 'url' | 'events' | 'createdAt' | 'workspaceId' | 'environment'> & {
  secrets: SigningSecret[];
};

/** What a caller changes of a subscription. */
export type WebhookChanges = {
  url?: string;
  events?: string[];
  disabled?: boolean;
  mode?: Mode | null;
  environment?: string | null;
};

/** operation → [input, output]. Addresses and events are validated at the edge. */
export type WebhookOperations = {
  /** `mode` [live] and `environment` [none] are a dashboard's to say: what a key makes has the key's. */
  'webhooks.create': [
    { scope: Scope; url: string; events: string[]; mode?: Mode | null; environment?: string | null },
    { sub: WebhookSub; secret: string },
  ];
  'webhooks.list': [{ scope: Scope }, { subs: WebhookSub[] }];
  'webhooks.update': [{ scope: Scope; id: string; changes: WebhookChanges }, { sub: WebhookSub }];
  /** The secret before it goes on signing for `replacedSecretMs`. */
  'webhooks.rotate-secret': [{ scope: Scope; id: string }, { sub: WebhookSub; secret: string }];
  'webhooks.delete': [{ scope: Scope; id: string }, { ok: true }];
  /** For the notifier: the active subscriptions of an organisation that hear of `mode`, each in its own workspace and environment. */
  'webhooks.matching': [{ organisationId: string; mode: Mode }, { subs: SigningSub[] }];
  /** For the notifier: one subscription, paused or not. With `scope` only when it is in scope, without for the notifier itself. */
  'webhooks.signing': [
    ({ scope: Scope } | { organisationId: string; scope?: undefined }) & { id: string },
    { sub: SigningSub; disabled: boolean; mode: Mode | null },
  ];
};
