/**
 * Seasons as the catalog stores them, and the operations on their structure. Sales and rights have operations apart.
 */
import type { PriceUnit } from '../money.ts';
import type { Mode } from '../records.ts';
import type { SeasonOccurrence } from '../vocabulary.ts';
import type { EventRecord } from './events.ts';
import type { MemberIssue } from './groups.ts';
import type { Lifecycle } from './lifecycles.ts';
import type { Page, Scope } from './scope.ts';

export const structureStates = ['draft', 'active', 'closing', 'closed', 'archived'] as const;
export type StructureState = (typeof structureStates)[number];
export type SalesState = 'closed' | 'open' | 'paused' | 'ended';

/** An active performance group whose events a season or plan took over, with the group's facts at that time. */
export type SourceGroup = {
  key: string;
  activationId: string;
  /** SHA-256 of the event keys in order, as hex. */
  memberSetSha256: string;
  /** SHA-256 of the event keys, chart, mode and currency, as hex. */
  activationSpecSha256: string;
  eventKeys: string[];
};

/** A selection of the season's occurrences that is sold whole. A published plan never changes. */
export type SeasonPlan = {
  key: string;
  name: string;
  publicationState: 'draft' | 'published' | 'superseded';
  /** 1 for the first plan of the season that was published, and so on. */
  publishedRevision: number | null;
  activationId: string | null;
  /** In the caller's order. */
  eventKeys: string[];
  sourcePerformanceGroups: SourceGroup[];
  createdAt: number;
  updatedAt: number;
  publishedAt: number | null;
};

/** The occurrences never change but by an amendment: `eventKeys` in their order. */
export type SeasonRecord = {
  key: string;
  organisationId: string;
  workspaceId: string;
  mode: Mode;
  environment: string | null;
  name: string;
  edition: string | null;
  chartId: string;
  planHash: string;
  chartVersion: number;
  currency: string;
  /** Of all events. [major] */
  priceUnit?: PriceUnit;
  region: string;
  /** Null where the occurrences differ. */
  venue: string | null;
  timezone: string | null;
  eventKeys: string[];
  sourcePerformanceGroups: SourceGroup[];
  revision: number;
  structureState: StructureState;
  salesState: SalesState;
  plans: SeasonPlan[];
  /** The time of the last rehearsal that was complete; null before. */
  rehearsedAt: number | null;
  createdAt: number;
  updatedAt: number;
  activatedAt: number | null;
  closedAt: number | null;
};

/** The fault that keeps events from being sold together. All faults of a draft are told at once. */
export type SeasonIssue = MemberIssue & { sourcePerformanceGroupKey?: string };

export type SeasonSelection = { eventKeys?: string[]; sourcePerformanceGroupKeys?: string[] };

export type SeasonCheck = {
  valid: boolean;
  mode: Mode;
  eventKeys: string[];
  sourcePerformanceGroups: SourceGroup[];
  issues: SeasonIssue[];
};

export const salesMoves = ['open', 'pause', 'resume', 'end'] as const;
export type SalesMove = (typeof salesMoves)[number];

export const amendmentKinds = ['reschedule', 'replace', 'cancel_exception'] as const;
export type AmendmentKind = (typeof amendmentKinds)[number];

/**
 * A change of one occurrence. `reschedule` and `replace` keep the seats; `cancel_exception` is left to the operator.
 */
export type Amendment = {
  amendmentId: string;
  /** Counts the amendments of the season, from 1. */
  revision: number;
  eventKey: string;
  kind: AmendmentKind;
  classification: 'identity_preserving' | 'exception';
  planActivationId: string | null;
  occurrenceSetSha256: string;
  before: OccurrenceFacts;
  after: OccurrenceFacts;
  state: 'applied' | 'exception';
  createdAt: number;
};
export type OccurrenceFacts = { name: string; startsAt: number | null; endsAt: number | null; cancelled?: true };
export type AmendmentDraft = { eventKey: string; kind: AmendmentKind; startsAt?: number; name?: string };

export type Occurrence = {
  event: EventRecord;
  position: number;
  latestAmendment: Pick<Amendment, 'amendmentId' | 'kind' | 'classification'> | null;
};

export type AuditEntry = { id: number; action: string; actorKind: string; details: unknown; at: number };

/**
 * An act of the season for its audit, and where `occurrence` is given for its outbox. `callId` names the act: a
 * repeated act is noted once.
 */
export type SeasonNote = {
  callId: string;
  action: string;
  actorKind: string;
  details: unknown;
  at: number;
  occurrence?: { eventName: SeasonOccurrence; data: Record<string, unknown> };
};

export type OfSeason = { scope: Scope; seasonKey: string };
type Revised = OfSeason & { expectedRevision: number };
export type SeasonStep = { season: SeasonRecord; lifecycle: Lifecycle };
export type PlanStep = SeasonStep & { plan: SeasonPlan };

/**
 * operation → [input, output]. A season outside the scope is unknown, a season of the other mode is refused with
 * `mode_mismatch`. A step with an old `expectedRevision` is refused with reason `stale_revision`.
 */
export type SeasonOperations = {
  'seasons.list': [
    { scope: Scope; page: Page; workspaceId?: string; structureState?: StructureState },
    { seasons: SeasonRecord[]; nextCursor?: string },
  ];
  'seasons.validate': [{ scope: Scope; selection: SeasonSelection }, SeasonCheck];
  /** Refused with `incompatible_events`, whose details list all issues. */
  'seasons.create': [
    { scope: Scope; name: string; edition?: string | null; selection: SeasonSelection; callId?: string },
    { season: SeasonRecord },
  ];
  'seasons.get': [OfSeason, { season: SeasonRecord }];
  /** In any organisation, for the caches of front doors and for other rooms. */
  'seasons.find': [{ seasonKey: string }, { season: SeasonRecord }];
  'seasons.update': [Revised & { name?: string; edition?: string | null; callId?: string }, { season: SeasonRecord }];
  'seasons.delete': [OfSeason & { callId?: string }, { ok: true }];
  'seasons.activate': [Revised, SeasonStep];
  'seasons.close': [Revised, SeasonStep];
  'seasons.archive': [Revised, SeasonStep];
  'seasons.lifecycle': [OfSeason & { operationId: string }, SeasonStep];
  'seasons.create-plan': [
    OfSeason & { name: string; selection: SeasonSelection; callId?: string },
    { season: SeasonRecord; plan: SeasonPlan },
  ];
  'seasons.publish-plan': [Revised & { planKey: string }, PlanStep];
  'seasons.supersede-plan': [Revised & { planKey: string }, PlanStep];
  'seasons.move-sales': [Revised & { move: SalesMove }, { season: SeasonRecord }];
  /** The source is a test season; the scope is that of a test key. */
  'seasons.duplicate-to-live': [
    OfSeason & { eventKeys: string[]; name?: string; callId?: string },
    { season: SeasonRecord },
  ];
  'seasons.occurrences': [OfSeason, { occurrences: Occurrence[] }];
  'seasons.amend': [OfSeason & { draft: AmendmentDraft; callId?: string }, { amendment: Amendment }];
  'seasons.amendments': [OfSeason, { amendments: Amendment[]; truncated: boolean }];
  'seasons.amendment': [OfSeason & { amendmentId: string }, { amendment: Amendment }];
  'seasons.audit': [OfSeason, { audit: AuditEntry[]; truncated: boolean }];
  /** For other rooms and services: notes an act that has changed no field of the season. */
  'seasons.note': [{ seasonKey: string; note: SeasonNote }, { ok: true }];
};
