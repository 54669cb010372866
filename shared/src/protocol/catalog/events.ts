/** Events as the catalog stores them, and their operations. An absent field has the value in brackets. */
import type { SelectionRules } from '../../charts/selection-rules.ts';
import type { Caller } from '../commands.ts';
import type { Refusal } from '../errors.ts';
import type { PriceUnit } from '../money.ts';
import type { ChangedFacts, EventConfig, EventStatus, Mode, PublicSale, SectionStates } from '../records.ts';
import type { Page, Scope } from './scope.ts';

/** The catalog's record of an event: the fields of the API's EventMeta, and fields for services only. */
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
  /**
   * The tag of the secret key that made the event; null for an event that a dashboard or an untagged key made, and for
   * events older than tags.
   */
  environment: string | null;
  organisationId: string;
  workspaceId: string;
  externalRef: string | null;
  currency: string;
  /** [major] */
  priceUnit?: PriceUnit;
  /** Never changes: together with the key it decides the event's partition. */
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
  /** The states at the event's creation, if any. Its actor knows the present states. */
  sectionStates?: SectionStates;
  /** [null: none] */
  selectionRules?: SelectionRules | null;
  /** [null: the organisation's] */
  publicSale?: PublicSale | null;
  planHash: string;
  chartVersion: number;
  /** Counts the revocations of access to the event's channels. [0] */
  accessEpoch?: number;
  /** Booked units, a projection of the journal. */
  sold: number;
  createdAt: number;
  updatedAt: number;
};

/** Fields a caller may set when it creates an event; already validated for form at the edge. */
export type EventDraft = {
  chartId: string;
  /** For a scope without a mode. [live] */
  mode?: Mode;
  name?: string;
  slug?: string;
  startsAt?: number | null;
  endsAt?: number | null;
  venue?: string | null;
  externalRef?: string | null;
  currency?: string | null;
  /** [the chart's] */
  priceUnit?: PriceUnit;
  description?: string | null;
  timezone?: string | null;
  locale?: string | null;
  region?: string;
  posterAssetId?: string | null;
  sectionStates?: SectionStates;
  selectionRules?: SelectionRules | null;
  /** Counts where the scope leaves the choice open: events of a secret key belong to the platform. [managed] */
  ownership?: EventRecord['ownership'];
};

/** A caller's changes to an event, except the fields that its actor decides; null clears a field. */
export type EventChanges = Omit<ChangedFacts, 'posterAssetId'>;

/** Facts that an actor has decided and answered, and that the projection of its journal may not show yet. */
export type SettledFacts = Partial<
  Pick<
    EventRecord,
    | 'status'
    | 'salesPaused'
    | 'currency'
    | 'selectionRules'
    | 'publicSale'
    | 'chartId'
    | 'planHash'
    | 'chartVersion'
    | 'seatTotal'
  >
>;
/** `at` is the time of the group that set the facts. */
export type Settled = { at: number; facts: SettledFacts };

/** An event with its neighbours as they are: none of this may come from a cache. */
export type EventInspection = {
  event: EventRecord;
  /** The published version of its chart; null for a deleted chart. */
  latest: { planHash: string; chartVersion: number } | null;
  organisation: { currency: string; credits: number };
};

export type ImageType = 'image/png' | 'image/jpeg' | 'image/webp';

/** operation → [input, output] */
/** The name of a version that the caller keeps: stored, never interpreted. */
export type ConfigurationName = { id: string; version: string | number };

/** `revision` counts the changes. `changedBy` is the id of a key or user. */
export type EventConfiguration = {
  configuration: ConfigurationName | null;
  revision: number;
  changedBy: string | null;
  changedAt: number | null;
};

/** A block or an unblock of one event, as one of a batch. An unblock has neither time nor reason. */
export type BatchChange = {
  eventKey: string;
  action: 'block' | 'unblock';
  labels: string[];
  releaseAt: number | null;
  reason: string | null;
};

/** `labels`: the units that the change has blocked or freed. `already`: the named units that were blocked before. */
export type BatchOutcome = { answer: { labels: string[]; already?: number } | null; refusal: Refusal | null };
export type BatchedChange = BatchChange & BatchOutcome;

/** `undone`: an event has refused, and no event has changed. The open states go on by themselves. */
export type EventBatch = {
  state: 'preparing' | 'applying' | 'undoing' | 'done' | 'undone';
  changes: BatchOutcome[];
};

export type EventOperations = {
  /** All changes or none. A repetition under the same `batchId` goes on with the batch, and gets its state. */
  'events.batch': [{ batchId: string; changes: BatchChange[]; by: Caller }, EventBatch];
  /** The record is durable before the answer. The front door then creates the inventory with `config`. */
  'events.create': [{ scope: Scope; draft: EventDraft; callId?: string }, { event: EventRecord; config: EventConfig }];
  'events.list': [
    { scope: Scope; page: Page; externalRef?: string; workspaceId?: string },
    { events: EventRecord[]; nextCursor?: string },
  ];
  'events.inspect': [{ scope: Scope; eventKey: string }, EventInspection];
  /**
   * With `dryRun` only answers with the result. Refused with `invalid_event_state` unless active or closed. Refused
   * with `performance_group_locked` or `season_event_locked` for a locked event whose times, venue or currency would
   * change.
   */
  'events.update': [
    {
      scope: Scope;
      eventKey: string;
      changes: EventChanges;
      settled?: Settled;
      changesCurrency?: true;
      dryRun?: true;
    },
    EventInspection,
  ];
  /**
   * Sent after an actor's answer, so that the next read shows the answer's facts. The journal's record of a later group
   * takes precedence.
   */
  'events.settle': [{ eventKey: string } & Settled, { event: EventRecord }];
  /** Null removes the poster. The same bytes are stored once. */
  'events.set-poster': [
    { scope: Scope; eventKey: string; image: { bytes: Uint8Array; contentType: ImageType } | null },
    { event: EventRecord },
  ];
  /**
   * The published version of another chart of the event's workspace. Without `dryRun` the chart is the event's from
   * then on as far as its deletion goes, until `events.settle` tells the move, or a minute has passed.
   */
  'events.aim-chart': [
    { scope: Scope; eventKey: string; chartId: string; dryRun?: true },
    { planHash: string; chartVersion: number },
  ];
  'events.configuration': [{ scope: Scope; eventKey: string }, EventConfiguration];
  /** Refused with `conflict`, reason `stale_revision`. */
  'events.set-configuration': [
    { scope: Scope; eventKey: string; expectedRevision: number; configuration: ConfigurationName | null },
    EventConfiguration,
  ];
  /** In any organisation: the id of an asset gives access to it. */
  'assets.get': [{ assetId: string }, { bytes: Uint8Array; contentType: ImageType }];
  /** By key alone, for the caches of services; the caller checks organisation and mode. Refused with `not_found`. */
  /** `organisationSale`: the organisation's bounds of public sale. [none set] */
  'events.get': [{ eventKey: string }, { event: EventRecord; config: EventConfig; organisationSale?: PublicSale }];
};
