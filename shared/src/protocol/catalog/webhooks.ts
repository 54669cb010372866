/** Webhook subscriptions and their operations. */
import type { Mode } from '../records.ts';
import type { Scope } from './scope.ts';

/**
 * The reason of a pause: an operator asked for it, the receiver answered 410, or every attempt failed for
 * `failingPauseMs`.
 */
export type PausedReason = 'operator' | 'gone' | 'failing';

/** The deliveries that wait: their number, their bytes, and the making of the oldest (epoch ms). */
export type WebhookBacklog = { count: number; bytes: number; oldestAt: number | null };

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
  /** Gets only events of this mode; null: of both modes. */
  mode: Mode | null;
  /** Gets only events that a key of this environment made; null: all events, with and without an environment. */
  environment: string | null;
  /** Gets only events of this workspace; null: of the whole organisation. */
  workspaceId: string | null;
  uptime7d: number | null;
  /** When a full queue last dropped a delivery; null: never. The history has the number and the reason. */
  lastDroppedAt: number | null;
};

/**
 * The recovery of a subscription: deliveries that did not arrive, of occurrences since this time, are queued again.
 * `since` null: only scheduled retries, at once. `asked` numbers the requests. `rows` is the place in the history,
 * `done` behind its end. `cursor` is the place in the list of occurrences.
 */
export type Recovery = {
  subId: string;
  organisationId: string;
  mode: Mode | null;
  since: number | null;
  asked: number;
  askedAt: number;
  rows: RowPlace | 'done' | null;
  cursor: string | null;
};

/** A place in the history of a subscription's deliveries. */
export type RowPlace = { order: number; id: string };

/** A replaced secret signs until this time (epoch ms); null: for as long as the subscription stands. */
export type SigningSecret = { secret: string; until: number | null };

/** The fields of a subscription that the notifier needs to sign, newest secret first. */
export type SigningSub = Pick<WebhookSub, 'id' | 'url' | 'events' | 'createdAt' | 'workspaceId' | 'environment'> & {
  secrets: SigningSecret[];
};

/** A caller's changes to a subscription. */
export type WebhookChanges = {
  url?: string;
  events?: string[];
  disabled?: boolean;
  mode?: Mode | null;
  environment?: string | null;
};

/** operation → [input, output]. Addresses and events are validated at the edge. */
export type WebhookOperations = {
  /** A dashboard sets `mode` [live] and `environment` [none]; a key's subscription has the key's. */
  'webhooks.create': [
    { scope: Scope; url: string; events: string[]; mode?: Mode | null; environment?: string | null },
    { sub: WebhookSub; secret: string },
  ];
  'webhooks.list': [{ scope: Scope }, { subs: WebhookSub[] }];
  'webhooks.update': [{ scope: Scope; id: string; changes: WebhookChanges }, { sub: WebhookSub }];
  /** The former secret goes on signing for `replacedSecretMs`. */
  'webhooks.rotate-secret': [{ scope: Scope; id: string }, { sub: WebhookSub; secret: string }];
  /** Queues again what was not delivered since this time, once the subscription is active. */
  'webhooks.recover': [{ scope: Scope; id: string; since: number }, { sub: WebhookSub }];
  /** For the notifier: recoveries of active subscriptions. They are the caller's for `recoveryLeaseMs`. */
  'webhooks.take-recoveries': [Record<string, never>, { due: Recovery[] }];
  /** For the notifier: the progress. `dueInMs` null: the recovery is over; absent: the caller goes on. */
  'webhooks.note-recovery': [
    Pick<Recovery, 'subId' | 'asked' | 'rows' | 'cursor'> & { dueInMs?: number | null },
    { ok: true },
  ];
  'webhooks.delete': [{ scope: Scope; id: string }, { ok: true }];
  /**
   * For the notifier: an organisation's active subscriptions that may get events of `mode`, each with its own workspace
   * and environment.
   */
  'webhooks.matching': [{ organisationId: string; mode: Mode }, { subs: SigningSub[] }];
  /** For the notifier: one subscription, paused or not. `scope` limits the lookup; the notifier itself passes none. */
  'webhooks.signing': [
    ({ scope: Scope } | { organisationId: string; scope?: undefined }) & { id: string },
    { sub: SigningSub; disabled: boolean; mode: Mode | null },
  ];
};
