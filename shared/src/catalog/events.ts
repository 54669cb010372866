/** Events as the catalog keeps them, and what can be asked of them. */
import type { EventConfig, EventStatus, Mode, SectionStates } from '../records.ts';
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
  /** The tag of the secret key that made the event; null of a dashboard's, an untagged key's, and of events from before there was one. */
  environment: string | null;
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
  /** What the event was made with, where that is anything; its actor knows those of now. */
  sectionStates?: SectionStates;
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
  posterAssetId?: string | null;
  sectionStates?: SectionStates;
  /** Where the scope leaves it open; what a secret key makes is the platform's. [managed] */
  ownership?: EventRecord['ownership'];
};

/** What a caller changes of an event, but for what its actor decides; null clears. */
export type EventChanges = {
  name?: string;
  startsAt?: number | null;
  endsAt?: number | null;
  venue?: string | null;
  externalRef?: string | null;
  description?: string | null;
  timezone?: string | null;
  locale?: string | null;
};

/** What an actor decides and has answered, and the projection of its journal may not show yet. */
export type SettledFacts = Partial<
  Pick<EventRecord, 'status' | 'salesPaused' | 'currency' | 'planHash' | 'chartVersion' | 'seatTotal'>
>;
/** `at` is the time of the group with which the facts came to be. */
export type Settled = { at: number; facts: SettledFacts };

/** An event as it stands, with what stands beside it: nothing of this may come from a cache. */
export type EventInspection = {
  event: EventRecord;
  /** The published version of its chart, null where the chart is gone. */
  latest: { planHash: string; chartVersion: number } | null;
  organisation: { currency: string; credits: number };
};

export type ImageType = 'image/png' | 'image/jpeg' | 'image/webp';

/** operation → [input, output] */
export type EventOperations = {
  /** The record is durable when this answers; the front door then creates the inventory with `config`. */
  'events.create': [{ scope: Scope; draft: EventDraft; callId?: string }, { event: EventRecord; config: EventConfig }];
  'events.list': [
    { scope: Scope; page: Page; externalRef?: string; workspaceId?: string },
    { events: EventRecord[]; nextCursor?: string },
  ];
  'events.inspect': [{ scope: Scope; eventKey: string }, EventInspection];
  /** With `dryRun` only says what it would come to. Refused with `invalid_event_state` unless active or closed. */
  'events.update': [
    { scope: Scope; eventKey: string; changes: EventChanges; settled?: Settled; dryRun?: true },
    EventInspection,
  ];
  /** After an actor's answer, so that whoever reads next finds it. What the journal says of a later group counts more. */
  'events.settle': [{ eventKey: string } & Settled, { event: EventRecord }];
  /** Null takes the poster away. The same bytes are kept once. */
  'events.set-poster': [
    { scope: Scope; eventKey: string; image: { bytes: Uint8Array; contentType: ImageType } | null },
    { event: EventRecord },
  ];
  /** Whosever it is: who knows the id of an asset may see it. */
  'assets.get': [{ assetId: string }, { bytes: Uint8Array; contentType: ImageType }];
  /** By key alone, for the caches of services; the caller checks organisation and mode. Refused with `not_found`. */
  'events.get': [{ eventKey: string }, { event: EventRecord; config: EventConfig }];
};
