/** What the catalog keeps of each kind, as plain values; collections.ts says how they are found. */
import type { AccessLink } from '@parterre/shared/catalog/access';
import type { KeyInfo, Organisation, User } from '@parterre/shared/catalog/accounts';
import type { PanoramaManifest } from '@parterre/shared/catalog/charts';
import type { EventRecord, ImageType, SettledFacts } from '@parterre/shared/catalog/events';
import type { BookingState, LinkEntry } from '@parterre/shared/catalog/history';
import type { KeptAnswer } from '@parterre/shared/catalog/idempotency';
import type { BuyerSession, DesignerSession, ManageSession } from '@parterre/shared/catalog/scope';
import type { SigningSecret, WebhookSub } from '@parterre/shared/catalog/webhooks';
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
export type KeyRecord = Omit<KeyInfo, 'id'> & { organisationId: string; hash: string };

/** `password` is what passwords.ts makes of one. */
export type UserRecord = Omit<User, 'id'> & { organisationId: string; password: string };

/** A dashboard session; the id is the SHA-256 of its token. */
export type SessionRecord = { userId: string; organisationId: string; createdAt: number; expiresAt: number };

/**
 * A session that is embedded in pages; the id is the session's. `hash` is of its token; one that is given a new token keeps
 * its id, and `grantVersion` grows with each token and with a revocation.
 * `restsOn`: what it ends with, see rules/embedded-sessions.ts; nothing once it is revoked.
 */
export type KeptSession = { hash: string; grantVersion: number; createdAt: number; restsOn: string[] };
export type BuyerSessionRecord = Omit<BuyerSession, 'sessionId'> &
  KeptSession & {
    /** The event's key; null for a session to public sale alone, which is told to nobody but its holder. */
    listedIn: string | null;
  };
export type ManageSessionRecord = Omit<ManageSession, 'sessionId'> & KeptSession;
export type DesignerSessionRecord = Omit<DesignerSession, 'sessionId'> & KeptSession;
export type EmbeddedSessionRecord = BuyerSessionRecord | ManageSessionRecord | DesignerSessionRecord;

/** A link; `hash` is of its capability. */
export type AccessLinkRecord = Omit<AccessLink, 'id' | 'status'> & {
  organisationId: string;
  eventKey: string;
  hash: string;
  /** Its sessions were ended with it: one that is being opened with it ends too. */
  sessionsEnded: boolean;
};

/** What was done to a link of an event; the id names the link and what it came to. */
export type LinkAudit = Omit<LinkEntry, 'id'> & { eventKey: string; order: number };

/** When somebody was last given access to a channel, to the second; the id is event key and channel. */
export type ChannelMints = { eventKey: string; channelId: string; lastMintAt: number };

/** A token that its session has not any more; the id is its SHA-256. */
export type ReplacedToken = { sessionId: string; revokedAt: number; expiresAt: number };

/** Logins with one email, known or not, that have failed or are under way; the id is its SHA-256. See login-attempts.ts. */
export type LoginAttempts = { failedAt: number[]; underWay?: number[]; expiresAt: number };

export type ChartRecord = {
  organisationId: string;
  workspaceId: string;
  name: string;
  externalRef: string | null;
  archived: boolean;
  /** When a delete began to look for events that use the chart; any other write clears it and so stops the delete. */
  deletingSince?: number | null;
  /** The last saves that their callers named (Idempotency-Key), newest last. */
  savedBy?: string[];
  /** Of the draft. */
  seatTotal: number;
  /** Names the blob of the draft. Each save has a name of its own: writers that race never touch each other's bytes. */
  draft: string;
  published: { version: number; hash: string; at: number; name: string; seatTotal: number } | null;
  createdAt: number;
  updatedAt: number;
};

export type PanoramaManifestRecord = Omit<PanoramaManifest, 'id'>;

/** The id is the event key. `sold` is the projection's. */
export type EventDocument = Omit<EventRecord, 'key' | 'sold' | 'environment'> & {
  environment?: string | null;
  /** The slug asked for, or the key where none was; something that no slug can be once the event is deleted. */
  slugClaim: string;
  /** Set when the event is deleted, so that lists need not read it any more; null and not false, as it is in older documents. */
  gone: true | null;
  /** What the event's actor has answered of its group at this time; of no account once that group is projected. */
  ahead?: AheadFacts | null;
};

/** Facts, each as of the time of the group that made it. */
export type AheadFacts = { [Fact in keyof SettledFacts]?: { at: number; fact: SettledFacts[Fact] } };

/** A picture that an organisation has uploaded; the id follows from whose it is and its bytes. */
export type AssetRecord = {
  organisationId: string;
  /** Names the blob; each insert has a name of its own, so that a delete never takes the bytes of a later upload. */
  blob: string;
  contentType: ImageType;
  createdAt: number;
};

/**
 * What the journal says of an event; the id is the event key. `seq` is the last stream sequence counted in, here and
 * in every projection below. A fact that the journal has not told stands in the event's own document.
 */
export type EventProjection = {
  /** Its partition's. */
  stream?: string;
  sold: number;
  seq: number;
  /** Of the last group counted in. */
  at?: number;
  status: EventStatus | null;
  holdTtlMs: number | null;
  currency?: string;
  salesPaused?: boolean;
  planHash?: string;
  chartVersion?: number;
  seatTotal?: number;
};

/** Groups of an event that are near each other in its partition's stream, as they stand there (msgpack); see group-buckets.ts. */
export type BucketDocument = {
  eventKey: string;
  bucket: number;
  seq: number;
  /** Of each group, and how many bytes of `data` are its; none where it is large and a document of its own. */
  seqs: number[];
  sizes: number[];
  data: Uint8Array;
};

/** Of the groups of a bucket, those that the audit of the event's channels tells of; the id is the bucket's. */
export type AuditedGroups = { eventKey: string; bucket: number; seq: number; seqs: number[] };

export type LargeGroup = { data: Uint8Array };

/**
 * Where a booking stands in the journal, and what lists ask of it; the id is event key and bookingRef. What was booked
 * is in its groups, as units of the plans that they name.
 */
export type BookingProjection = {
  eventKey: string;
  bookingRef: string;
  state: BookingState;
  /** Of its first record: newer bookings have higher ones. See `entryId`. */
  order: number;
  bookedAt: number;
  updatedAt: number;
  /** Set while all of it is cancelled. */
  cancelledAt: number | null;
  /** Ever booked under it, and cancelled of these. */
  units: number;
  cancelled: number;
  seq: number;
  /** Sequences of its groups, the first `bookingGroupsMax` of them. */
  groups: number[];
};

/** What live events of one partition have used of an organisation's credits; the id is organisation and stream. */
export type CreditProjection = { organisationId: string; used: number; seq: number };

/** How far a partition's journal is projected; the id is the stream's name. */
export type ProjectionPosition = { seq: number };

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

/** Which generation of the projections is read, which is being built beside it, and which are to be deleted. */
export type Generations = {
  current: number;
  building: number | null;
  retired: { generation: number; at: number }[];
};

/** All subscriptions of an organisation in one document (the id), so that their number is bounded by one checked write. */
export type WebhookBook = { subs: BookedSub[] };

/** The newest secret first. Books from before a secret could be replaced have the secret alone. */
export type BookedSub = { sub: KeptSub; secrets: (SigningSecret | string)[] };

/**
 * One from before subscriptions had workspaces has none, and is the whole organisation's; one from before there were
 * reasons has none, and was paused by an operator.
 */
export type KeptSub = Omit<WebhookSub, keyof SubHealth | 'workspaceId' | 'pausedReason'> &
  Partial<Pick<WebhookSub, 'workspaceId' | 'pausedReason'>>;

/** What is told of a subscription's last week, from the history of its deliveries. */
export type SubHealth = Pick<WebhookSub, 'lastStatus' | 'lastAt' | 'uptime7d'>;
