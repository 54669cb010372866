/** Performance groups as the catalog stores them, and their operations. */
import type { PriceUnit } from '../money.ts';
import type { Mode } from '../records.ts';
import type { EventRecord } from './events.ts';
import type { Lifecycle, LockingKind, LockingStep } from './lifecycles.ts';
import type { Page, Scope } from './scope.ts';

export type GroupState = 'draft' | 'active' | 'closing' | 'closed' | 'archived';

export type GroupLifecycle = Lifecycle<LockingKind, LockingStep>;

/** The members never change: `eventKeys` in the order of the performances. */
export type GroupRecord = {
  key: string;
  organisationId: string;
  workspaceId: string;
  mode: Mode;
  environment: string | null;
  name: string;
  externalRef: string | null;
  state: GroupState;
  /** Grows with each step of the lifecycle. */
  revision: number;
  eventKeys: string[];
  chartId: string;
  chartVersion: number;
  currency: string;
  /** Of all events. [major] */
  priceUnit?: PriceUnit;
  region: string;
  createdAt: number;
  updatedAt: number;
  activatedAt: number | null;
  closedAt: number | null;
};

/** The group with its events, in the order of `eventKeys`, deleted ones too. */
export type GroupDetail = { group: GroupRecord; events: EventRecord[] };

/** Why events cannot be sold together. All issues of a draft are told at once. */
export type MemberIssue = {
  code: string;
  message: string;
  field: string;
  /** The same as `field`: the form of every other issue. */
  path: string;
  /** The event's id; its key where there is no such event. */
  eventId?: string;
  eventKey?: string;
  expected?: unknown;
  actual?: unknown;
  remediation?: string;
};

export type GroupDraft = { name: string; eventKeys: string[]; externalRef?: string | null };

/** operation → [input, output] */
export type GroupOperations = {
  /** Refused with `incompatible_events`, whose details list all issues. */
  'groups.create': [{ scope: Scope; draft: GroupDraft; callId?: string }, GroupDetail];
  'groups.list': [
    { scope: Scope; page: Page; workspaceId?: string; externalRef?: string; state?: GroupState },
    { groups: GroupDetail[]; nextCursor?: string },
  ];
  'groups.get': [{ scope: Scope; groupKey: string }, GroupDetail];
  /** In any organisation, for the caches of front doors. */
  'groups.find': [{ groupKey: string }, GroupDetail];
  'groups.delete': [{ scope: Scope; groupKey: string }, { ok: true }];
  /**
   * Starts the step, and waits a moment for its end. Refused with reason `stale_revision`, or `invalid_group_state`.
   */
  'groups.activate': [{ scope: Scope; groupKey: string; expectedRevision: number }, GroupStep];
  'groups.close': [{ scope: Scope; groupKey: string; expectedRevision: number }, GroupStep];
  'groups.lifecycle': [{ scope: Scope; groupKey: string; operationId: string }, GroupStep];
};

export type GroupStep = GroupDetail & { lifecycle: GroupLifecycle };
