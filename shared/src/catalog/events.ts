/** Events as the catalog keeps them, and what can be asked of them. */
import type { EventConfig, EventStatus, Mode } from '../records.ts';
import type { Page, Scope } from './scope.ts';

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
  /** Where the scope leaves it open. [live] */
  mode?: Mode;
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

/** operation → [input, output] */
export type EventOperations = {
  /** The record is durable when this answers; the front door then creates the inventory with `config`. */
  'events.create': [{ scope: Scope; draft: EventDraft; callId?: string }, { event: EventRecord; config: EventConfig }];
  'events.list': [
    { scope: Scope; page: Page; externalRef?: string; workspaceId?: string },
    { events: EventRecord[]; nextCursor?: string },
  ];
  /** By key alone, for the caches of services; the caller checks organisation and mode. Refused with `not_found`. */
  'events.get': [{ eventKey: string }, { event: EventRecord; config: EventConfig }];
};
