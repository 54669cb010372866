/** What the catalog keeps of each kind, as plain values; collections.ts says how they are found. */

import type { KeyInfo, Organisation } from '@parterre/shared/catalog/accounts';
import type { PanoramaManifest } from '@parterre/shared/catalog/charts';
import type { EventRecord } from '@parterre/shared/catalog/events';
import type { KeptAnswer } from '@parterre/shared/catalog/idempotency';
import type { WebhookSub } from '@parterre/shared/catalog/webhooks';
import type { Workspace } from '@parterre/shared/catalog/workspaces';
import type { EventStatus } from '@parterre/shared/records';

/**
 * Which workspace is the default and which are disabled stands here and not on workspaces, so that there is always one
 * default, and never a disabled one (rules/workspace-state.ts).
 */
export type OrganisationRecord = Omit<Organisation, 'id'> & {
  defaultWorkspaceId: string;
  disabledWorkspaceIds?: string[];
};
export type WorkspaceRecord = Omit<Workspace, 'id' | 'isDefault' | 'status'> & {
  organisationId: string;
  createdAt: number;
};

/** Revoked keys stay, so that revoking again is harmless and is broadcast again. */
export type KeyRecord = Omit<KeyInfo, 'id'> & { organisationId: string; hash: string; revokedAt: number | null };

export type ChartRecord = {
  organisationId: string;
  workspaceId: string;
  name: string;
  externalRef: string | null;
  archived: boolean;
  /** Set while a delete looks for events that use the chart; any other write clears it and so stops the delete. */
  deleting: boolean;
  /** The last save that its caller named (Idempotency-Key). */
  lastCallId?: string;
  /** Of the draft. */
  seatTotal: number;
  /** Names the blob of the draft. Each save has a name of its own: writers that race never touch each other's bytes. */
  draft: string;
  published: { version: number; hash: string; at: number; name: string; seatTotal: number } | null;
  createdAt: number;
  updatedAt: number;
};

export type PanoramaManifestRecord = Omit<PanoramaManifest, 'id'>;

/** The id is the event key. `slugClaim` is the slug asked for, or the key where none was. `sold` is the projection's. */
export type EventDocument = Omit<EventRecord, 'key' | 'sold'> & { slugClaim: string };

/** What the journal says of an event; the id is the event key. `seq` is the last stream sequence counted in. */
export type EventProjection = {
  sold: number;
  seq: number;
  status: EventStatus | null;
  holdTtlMs: number | null;
};

/** A call that its caller named (Idempotency-Key); the id is the hash of whose call it is, and of which route. */
export type NamedCall = {
  /** The same for every run; ids of what the call makes follow from it. */
  callId: string;
  /** Hash of the body. */
  fingerprint: string;
  /** Who carries it out, until `leaseUntil`. */
  run: string;
  leaseUntil: number;
  answer: KeptAnswer | null;
  expiresAt: number;
};

/** How far a partition's journal is projected; the id is the stream's name. */
export type ProjectionPosition = { seq: number };

/** All subscriptions of an organisation in one document (the id), so that their number is bounded by one checked write. */
export type WebhookBook = { subs: { sub: WebhookSub; secrets: string[] }[] };
