/**
 * The catalog's operations, as one table of inputs and outputs. A caller publishes the input on `catalog.<operation>`
 * and gets an `Outcome` back; every operation but the admin ones carries the principal who asks.
 */
import type { EventConfig, EventStatus, Mode } from './records.ts';

/** Who a credential stands for. */
export type Principal =
  | {
      kind: 'secret';
      keyId: string;
      organisationId: string;
      mode: Mode;
      environment: string | null;
      workspaceId: string | null;
    }
  | { kind: 'publishable'; keyId: string; organisationId: string; mode: Mode; origins: string[] }
  | { kind: 'operator' };

/** Whose data, and in which mode: what an operation may see. */
export type Scope = { organisationId: string; mode: Mode; actor: string | null; environment?: string | null };

export type Organisation = { id: string; name: string; currency: string; credits: number; createdAt: number };

export type KeyInfo = {
  id: string;
  prefix: string;
  kind: 'secret' | 'publishable';
  mode: Mode;
  environment: string | null;
  workspaceId: string | null;
  origins: string[];
  createdAt: number;
};

export type Workspace = {
  id: string;
  name: string;
  status: 'active' | 'disabled';
  isDefault: boolean;
  externalRef: string | null;
  defaultRegion: string;
};

export type ChartMeta = {
  id: string;
  chartId: string;
  name: string;
  status: 'draft' | 'published' | 'archived';
  workspaceId: string;
  externalRef: string | null;
  seatTotal: number;
  publishedVersion: number | null;
  publishedAt: number | null;
  createdAt: number;
  updatedAt: number;
};

/** The catalog's record of an event: EventMeta of the wire contract without `sold`, and what only services need. */
export type EventRecord = {
  id: string;
  key: string;
  slug: string | null;
  name: string;
  chartId: string;
  status: EventStatus;
  salesPaused: boolean;
  seatTotal: number;
  mode: Mode;
  organisationId: string;
  workspaceId: string;
  externalRef: string | null;
  currency: string;
  /** Never changes: with the key it says which partition the event lives on. */
  region: string;
  ownership: 'platform' | 'managed';
  startsAt: number | null;
  endsAt: number | null;
  venue: string | null;
  description: string | null;
  timezone: string | null;
  locale: string | null;
  posterAssetId: string | null;
  holdTtlMs: number | null;
  planHash: string;
  chartVersion: number;
  /** Booked units, a projection of the journal. */
  sold: number;
  createdAt: number;
  updatedAt: number;
};

/** Fields a caller may set when it creates an event; already validated for form at the edge. */
export type EventDraft = {
  chartId: string;
  name?: string;
  slug?: string;
  startsAt?: number | null;
  endsAt?: number | null;
  venue?: string | null;
  externalRef?: string | null;
  currency?: string | null;
  description?: string | null;
  timezone?: string | null;
  locale?: string | null;
  region?: string;
};

export type Page = { limit?: number; cursor?: string };

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
  uptime7d: number | null;
};

/** A subscription with what the notifier needs to sign. */
export type SigningSub = { id: string; url: string; events: string[]; secrets: string[] };

/** operation → [input, output] */
export type CatalogOperations = {
  'organisations.create': [{ name: string; currency: string; credits?: number }, { organisation: Organisation }];
  'organisations.add-credits': [
    { organisationId: string; delta: number; reason: string },
    { organisation: Organisation },
  ];
  'keys.create': [
    {
      organisationId: string;
      kind: 'secret' | 'publishable';
      mode: Mode;
      environment?: string | null;
      workspaceId?: string | null;
      origins?: string[];
    },
    { key: KeyInfo; secret: string },
  ];
  'keys.revoke': [{ organisationId: string; keyId: string }, { ok: true }];
  /** `hash` is `sha256(token)`; refused with `unauthorized` when no key has it. */
  'keys.resolve': [{ hash: string }, Principal];

  'workspaces.list': [{ scope: Scope }, { workspaces: Workspace[] }];

  'charts.list': [
    { scope: Scope; page: Page; externalRef?: string; workspaceId?: string; archived?: boolean },
    { charts: ChartMeta[]; nextCursor?: string },
  ];
  /** `doc` is the document's JSON, gzipped. */
  'charts.create': [
    { scope: Scope; name: string; doc?: Uint8Array; externalRef?: string | null; workspaceId?: string },
    { meta: ChartMeta },
  ];
  'charts.get': [
    { scope: Scope; chartId: string },
    { meta: ChartMeta; doc: Uint8Array; categorySeats: Record<string, number> },
  ];
  'charts.update': [
    {
      scope: Scope;
      chartId: string;
      doc?: Uint8Array;
      expectedUpdatedAt?: number;
      name?: string;
      externalRef?: string | null;
    },
    { meta: ChartMeta },
  ];
  'charts.duplicate': [
    { scope: Scope; chartId: string; externalRef?: string | null; name?: string; workspaceId?: string },
    { meta: ChartMeta },
  ];
  'charts.publish': [
    { scope: Scope; chartId: string },
    { meta: ChartMeta; events: { refreshed: string[]; needsUpdate: string[] } },
  ];
  'charts.archive': [{ scope: Scope; chartId: string }, { meta: ChartMeta }];
  'charts.unarchive': [{ scope: Scope; chartId: string }, { meta: ChartMeta }];
  'charts.delete': [{ scope: Scope; chartId: string }, { ok: true }];

  /** The published document under `hash`, gzipped JSON. Needs no scope: only services ask. */
  'plans.get': [{ hash: string }, { doc: Uint8Array }];

  /** The record is durable when this answers; the front door then creates the inventory with `config`. */
  'events.create': [{ scope: Scope; draft: EventDraft }, { event: EventRecord; config: EventConfig }];
  'events.list': [
    { scope: Scope; page: Page; externalRef?: string; workspaceId?: string },
    { events: EventRecord[]; nextCursor?: string },
  ];
  /** By key alone, for the caches of services; the caller checks organisation and mode. Refused with `not_found`. */
  'events.get': [{ eventKey: string }, { event: EventRecord; config: EventConfig }];

  'webhooks.create': [{ scope: Scope; url: string; events: string[] }, { sub: WebhookSub; secret: string }];
  'webhooks.list': [{ scope: Scope }, { subs: WebhookSub[] }];
  'webhooks.delete': [{ scope: Scope; id: string }, { ok: true }];
  /** For the notifier: the active subscriptions of an organisation that hear of `mode`. */
  'webhooks.matching': [{ organisationId: string; mode: Mode }, { subs: SigningSub[] }];
};

export type CatalogOperation = keyof CatalogOperations;
export type CatalogInput<O extends CatalogOperation> = CatalogOperations[O][0];
export type CatalogOutput<O extends CatalogOperation> = CatalogOperations[O][1];

/** Broadcast on `changed`: whoever caches this drops it at once. */
export type Changed =
  | { kind: 'key'; hash: string }
  | { kind: 'event'; eventKey: string }
  | { kind: 'webhooks'; organisationId: string };
