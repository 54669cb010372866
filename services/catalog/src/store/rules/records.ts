/** The stored values of each collection, as plain values. collections.ts has their indexes. */

import type { ImportFormat, ImportReport } from '@parterre/shared/charts/imports/imports';
import type { SelectionRules } from '@parterre/shared/charts/selection-rules';
import type { AccessLink } from '@parterre/shared/protocol/catalog/access';
import type {
  AuditEntry,
  CreditMovement,
  KeyInfo,
  Organisation,
  SignInWay,
  User,
} from '@parterre/shared/protocol/catalog/accounts';
import type { BookingImport, ImportIssue, ReadLine } from '@parterre/shared/protocol/catalog/booking-imports';
import type { ImportFailure } from '@parterre/shared/protocol/catalog/chart-imports';
import type { DraftSave, PanoramaManifest } from '@parterre/shared/protocol/catalog/charts';
import type {
  BatchedChange,
  EventBatch,
  EventRecord,
  ImageType,
  SettledFacts,
} from '@parterre/shared/protocol/catalog/events';
import type { BookingState, LinkEntry } from '@parterre/shared/protocol/catalog/history';
import type { KeptAnswer } from '@parterre/shared/protocol/catalog/idempotency';
import type { Lifecycle, Owner } from '@parterre/shared/protocol/catalog/lifecycles';
import type { KeptPart, OperationState } from '@parterre/shared/protocol/catalog/operations';
import type {
  BuyerSession,
  DesignerSession,
  ManageSession,
  OwnerSession,
} from '@parterre/shared/protocol/catalog/scope';
import type { Workspace } from '@parterre/shared/protocol/catalog/workspaces';
import type { AreaClaim, Caller } from '@parterre/shared/protocol/commands';
import type { PriceUnit } from '@parterre/shared/protocol/money';
import type { OperationHead, OperationOwner, PartAction } from '@parterre/shared/protocol/operations/operation';
import type { AccessSource, ChangedFacts, EventStatus, PublicSale } from '@parterre/shared/protocol/records';

/**
 * The organisation has the default and the disabled workspaces, and not the workspaces. So there is always one default,
 * and it is never disabled (tenants/rules/workspace-state.ts).
 */
export type OrganisationRecord = Omit<Organisation, 'id' | 'publicSale' | 'suspendedAt'> & {
  /** [not suspended] */
  suspendedAt?: number;
  defaultWorkspaceId: string;
  publicSale?: PublicSale;
  disabledWorkspaceIds?: string[];
  /** Movements of credits that stand in no list yet (accounts/credit-movements.ts). [none] */
  unlisted?: CreditMovement[];
};
/** The state of a sign-in that came back from its issuer; the id is its SHA-256. */
export type UsedSignIn = { expiresAt: number };
export type CreditMovementRecord = Omit<CreditMovement, 'id'> & { organisationId: string };
export type AuditRecord = Omit<AuditEntry, 'id'> & { expiresAt: number };
export type WorkspaceRecord = Omit<Workspace, 'id' | 'isDefault' | 'status'> & {
  organisationId: string;
  createdAt: number;
};

/** A revoked key stays, so that revoking it again is harmless and is broadcast again. */
export type KeyRecord = Omit<KeyInfo, 'id'> & { organisationId: string; hash: string };

/** `password` is in the form of passwords.ts. `reset` has the hash of a token that sets a new password once. [none] */
export type UserRecord = Omit<User, 'id'> & {
  organisationId: string;
  /** Null for a user who signs in with OpenID Connect alone. */
  password: string | null;
  reset?: { hash: string; expiresAt: number };
};

/** A dashboard session; the id is the SHA-256 of its token. */
export type SessionRecord = {
  userId: string;
  organisationId: string;
  createdAt: number;
  expiresAt: number;
  /** Sessions of an earlier version lack these. */
  address?: string;
  userAgent?: string;
  seenAt?: number;
  via?: SignInWay;
};

/**
 * An embedded session; the id is the session's. `hash` is the hash of its token. A session with a new token keeps its
 * id. `grantVersion` grows with each token and with a revocation. `restsOn`: the session ends with any of these
 * grounds, see access/rules/session-states.ts; empty once it is revoked.
 */
export type KeptSession = {
  hash: string;
  grantVersion: number;
  createdAt: number;
  restsOn: string[];
  /** The key or user that issued the session; null where a page or a link opened it. A live session rests on it. */
  mintedBy: string | null;
};
export type BuyerSessionRecord = Omit<BuyerSession, 'sessionId'> &
  KeptSession & {
    /** The event's key; no list shows a session to public sale alone. */
    listedIn: string | [];
  };
export type OwnerSessionRecord = Omit<OwnerSession, 'sessionId'> &
  KeptSession & {
    /** The list of the owner's sessions; none for a session to public sale alone. */
    listedIn: string | [];
  };
export type ManageSessionRecord = Omit<ManageSession, 'sessionId'> & KeptSession & { listedIn: string };
/** `listedIn` has the lists of its chart, workspace and organisation (access/rules/session-states.ts). */
export type DesignerSessionRecord = Omit<DesignerSession, 'sessionId'> & KeptSession & { listedIn: string[] };
export type EmbeddedSessionRecord =
  | BuyerSessionRecord
  | OwnerSessionRecord
  | ManageSessionRecord
  | DesignerSessionRecord;

/** A link; `hash` is the hash of its capability. */
export type AccessLinkRecord = Omit<AccessLink, 'id' | 'status' | 'maxRedemptions'> & {
  /** Null for a link of an earlier version, which had no bound. */
  maxRedemptions: number | null;
  organisationId: string;
  eventKey: string;
  hash: string;
  /** The key or user that made the link, by itself or with a console's session. */
  minter: string;
  /** The link's sessions ended with it. A session that is being opened with it ends too. */
  sessionsEnded: boolean;
};

/** An audit entry of a link of an event. The id consists of the link and its new state. */
export type LinkAudit = Omit<LinkEntry, 'id'> & { eventKey: string; order: number };

/** The time of the last mint for a channel, to the second; the id is event key and channel. */
export type ChannelMints = { eventKey: string; channelId: string; lastMintAt: number };

/** A token that its session has lost; the id is its SHA-256. */
export type ReplacedToken = { sessionId: string; revokedAt: number; expiresAt: number };

/**
 * Failed and unfinished logins with one email, known or not, from one network; the id is the SHA-256 of both. See
 * accounts/rules/login-attempts.ts.
 */
export type LoginAttempts = { failedAt: number[]; underWay?: number[]; provenUntil?: number; expiresAt: number };

export type ChartRecord = {
  organisationId: string;
  workspaceId: string;
  name: string;
  externalRef: string | null;
  archived: boolean;
  /** When a delete began to look for events that use the chart. Any other write clears it and so stops the delete. */
  deletingSince?: number | null;
  /** The last named saves (Idempotency-Key), newest last, each with the marker that it gave. */
  savedBy?: { callId: string; updatedAt: number }[];
  /** The last saves of a document, newest last. `by` is the person of a designer session. */
  saves?: DraftSave[];
  /** Seats of the draft. */
  seatTotal: number;
  /**
   * The name of the draft's blob. Each save has a name of its own, so racing writers never touch each other's bytes.
   */
  draft: string;
  /** `from` is the marker of the draft that was published. */
  published: {
    version: number;
    hash: string;
    at: number;
    from: number;
    name: string;
    seatTotal: number;
    /** [the document names none: major, or as an event says] */
    priceUnit?: PriceUnit;
  } | null;
  /** Of the draft. [major] */
  priceUnit?: PriceUnit;
  createdAt: number;
  updatedAt: number;
};

/**
 * An import of a chart. `saving` names the chart and has the report before the chart exists. So an import whose end was
 * lost is done if its chart exists, and else it fails.
 */
export type ChartImportRecord = {
  organisationId: string;
  workspaceId: string;
  format: ImportFormat | null;
  name: string | null;
  state: 'running' | 'saving' | 'done' | 'failed';
  chartId: string | null;
  report: ImportReport | null;
  failure: ImportFailure | null;
  createdAt: number;
  endedAt: number | null;
  /** When the sweeper deletes the import. */
  expiresAt: number;
};

/** The id is the import's. `linesDone`: the lines whose outcome is known. */
export type BookingImportDocument = Omit<BookingImport, 'id' | 'state'> & {
  organisationId: string;
  eventKey: string;
  eventId: string;
  /** Of the file and its form. */
  fingerprint: string;
  caller: Pick<Caller, 'source' | 'actor'>;
  state: 'receiving' | BookingImport['state'];
  linesDone: number;
  /** The places of areas that the lines of a dry run would take so far. */
  claims: AreaClaim[];
  updatedAt: number;
  /** Work is left to do. Any catalog does it. */
  open: true | null;
  expiresAt: number;
};

/** Some lines of an import. `issues` is null until the event has judged the lines. */
export type BookingImportPiece = { lines: ReadLine[]; issues: ImportIssue[] | null; expiresAt: number };

/** The fields of a document whose lifecycle is carried on. */
export type Living = {
  /** The latest operations, the newest last. */
  lifecycles: Lifecycle[];
  /** True while an operation has work left, else null: the index of open work has only open documents. */
  open: true | null;
  updatedAt: number;
};

export type PanoramaManifestRecord = Omit<PanoramaManifest, 'id'>;

/** The lock of an active group or season on an event; `lockId` names the activation. */
export type LockNote = { owner: Owner; lockId: string };

/** A change of an event's facts, with its caller. */
export type FactsNote = Pick<Caller, 'source' | 'actor'> & { callId: string; facts: ChangedFacts };

/** The id is the event key. `sold` comes from the projection. */
export type EventDocument = Omit<EventRecord, 'key' | 'sold' | 'environment'> & {
  environment?: string | null;
  /** The slug of the event, or its key where it has none. A deleted event has a value that no slug can be. */
  slugClaim: string;
  /** Set when the event is deleted, so that lists skip it. */
  gone: true | null;
  /** Facts from the actor's answers, each with the time of its group. A fact is void once its group is projected. */
  ahead?: AheadFacts | null;
  /** By season: the number of its amendment that the event shows. An overtaken amendment never replaces a later one. */
  amended?: Record<string, number>;
  /** Changes that the event's journal does not tell yet, in their order; see events/untold-facts.ts. [none] */
  untold?: FactsNote[];
  /** For the index of events with such changes. */
  hasUntold?: true | null;
  /** [none] */
  locks?: LockNote[];
  /** The chart to which the event may be moving, since when; see events/event-charts.ts. For their index. [none] */
  isComing?: true | null;
  comingChartId?: string;
  comingAt?: number;
};

/** Blocks and unblocks of several events; see batches/event-batches.ts. */
export type EventBatchRecord = {
  state: EventBatch['state'];
  by: Caller;
  changes: BatchedChange[];
  /** True while events lack a part of the decision, or the decision is open, else null. */
  open: true | null;
  createdAt: number;
  updatedAt: number;
  /** When the sweeper deletes the batch. */
  expiresAt: number;
};

/** Facts, each with the time of the group that made it. */
export type AheadFacts = { [Fact in keyof SettledFacts]?: { at: number; fact: SettledFacts[Fact] } };

/** A picture that an organisation has uploaded; the id follows from the organisation and the bytes. */
export type AssetRecord = {
  organisationId: string;
  /** The blob's name. Each insert has a name of its own, so a delete never takes the bytes of a later upload. */
  blob: string;
  contentType: ImageType;
  createdAt: number;
};

/**
 * The journal's facts about an event; the id is the event key. `seq` is the last stream sequence that is counted, here
 * and in every projection below. A fact that the journal does not have stands in the event's own document.
 */
export type EventProjection = {
  /** The stream of its partition. */
  stream?: string;
  sold: number;
  seq: number;
  /** The time of the last counted group. */
  at?: number;
  status: EventStatus | null;
  holdTtlMs: number | null;
  currency?: string;
  salesPaused?: boolean;
  planHash?: string;
  /** Set once the event has moved to another chart. */
  chartId?: string;
  chartVersion?: number;
  seatTotal?: number;
  selectionRules?: SelectionRules | null;
  publicSale?: PublicSale | null;
};

/**
 * Groups of an event that are near each other in its partition's stream, as the stream has them (msgpack); see
 * group-buckets.ts.
 */
export type BucketDocument = {
  eventKey: string;
  bucket: number;
  seq: number;
  /**
   * The sequence of each group, and its number of bytes in `data`; 0 for a large group, which is a document of its own.
   */
  seqs: number[];
  sizes: number[];
  data: Uint8Array;
  /** The sequences of the groups with a booking. */
  booked: number[];
  /** For the index of buckets with bookings: `['booked']`, or empty. */
  kinds: string[];
};

/** The groups of a bucket that the event's channel audit tells; the id is the bucket's. */
export type AuditedGroups = { eventKey: string; bucket: number; seq: number; seqs: number[] };

/**
 * The groups with occurrences of an organisation's events of one mode, within the sequences of one bucket. Of each
 * group: its sequence, its event and its time. The id is owner, stream and bucket.
 */
export type OccurrenceBucket = {
  /** Organisation and mode. */
  owner: string;
  stream: string;
  bucket: number;
  seq: number;
  seqs: number[];
  events: string[];
  times: number[];
  expiresAt: number;
};

export type LargeGroup = { data: Uint8Array };

/**
 * A booking's place in the journal, and the fields of its list; the id is event key and bookingRef. Its groups have the
 * booked units, as units of the plans that they name.
 */
export type BookingProjection = {
  eventKey: string;
  bookingRef: string;
  state: BookingState;
  /** The order of its first record: newer bookings have higher ones. See `entryId`. */
  order: number;
  bookedAt: number;
  updatedAt: number;
  /** Set while the whole booking is cancelled. */
  cancelledAt: number | null;
  /** Units ever booked under the reference, and the cancelled ones among them. */
  units: number;
  cancelled: number;
  /** Units that exchanges gave up: a read shows them too. [0] */
  exchanged?: number;
  /** True while what follows from an exchange is still to be done (operations/follow.ts). [no exchange] */
  due?: true | null;
  /** The buyer that the latest sale named. [none named] */
  buyerRef?: string;
  seq: number;
  /** The sequences of its groups, the first `bookingGroupsMax`. */
  groups: number[];
};

/** The credits of an organisation that live events of one partition have used; the id is organisation and stream. */
export type CreditProjection = { organisationId: string; used: number; seq: number };

/**
 * How far a partition's journal is projected; the id is the stream's name. `link` is the link of the message at `seq`,
 * as text: it names the history that was counted (I9).
 */
export type ProjectionPosition = { seq: number; link: string };

/** How far the occurrences of a stream are listed. */
export type ListedPosition = ProjectionPosition & { stream: string };

/** The deployment that the store belongs to (deployment.ts). */
export type DeploymentRecord = { name: string };

/** A call that its caller has named (Idempotency-Key); the id is the hash of the caller and the route. */
export type NamedCall = {
  /** The same for every run. The ids of everything that the call makes follow from it. */
  callId: string;
  /** The hash of the body. */
  fingerprint: string;
  /** The current run, until `leaseUntil`. */
  run: string;
  leaseUntil: number;
  answer: KeptAnswer | null;
  expiresAt: number;
};

/** The generation of the projections that is read, the one that is being built, and those to be deleted. */
export type Generations = {
  current: number;
  building: number | null;
  retired: { generation: number; at: number }[];
};

/**
 * An operation over several events, as the journals of its events show it; the id is its internal id. Its parts come
 * from several streams, so each part has the `seq` that was counted last for it.
 */
export type OperationProjection = {
  /** Kind and key of the owner as one text, for indexes. */
  ownerId: string;
  head: OperationHead;
  /** In the order of the operation's events, the home first. */
  parts: OperationPart[];
  actions: OperationAction[];
  /** The ids of `actions`, for their index. */
  actionIds: string[];
  /** The references of `actions`, for their index. Empty for a group: only a season's support looks for them. */
  bookingRefs?: string[];
  createdAt: number;
  /** The time of the latest record, and of the latest that left nothing to do. */
  changedAt: number;
  convergedAt: number | null;
  /** Both follow from the parts (operation-states.ts). */
  state: OperationState;
  isOpen: boolean;
  /** True while what follows from the state is still to be done (operations/follow.ts). Groups have no such field. */
  due?: true | null;
  sessionId: string | null;
  buyerRef: string | null;
  partnerRef: string | null;
  accessSource: AccessSource;
};

/**
 * A lock of a group or season on an event, or the seats that an offer reserves there, as the event's journal shows it.
 * `seq`: its latest record. `madeAt`: the record that made it.
 */
export type ClaimProjection = {
  eventKey: string;
  stream: string;
  seq: number;
  madeAt: number;
  claim:
    | { kind: 'lock'; owner: OperationOwner; lockId: string }
    | { kind: 'offer'; owner: OperationOwner | null; offerId: string };
  /** Null: the claim has ended. */
  standing: true | null;
};

/**
 * A try of an exchange over two events, as the journal of the event that gives units up shows it. `seq` and `changedAt`
 * are those of its latest record.
 */
export type PinnedExchangeProjection = {
  eventKey: string;
  seq: number;
  pinId: string;
  exchangeId: string;
  toEventKey: string;
  changedAt: number;
  /** Null: the units were given, or are the booking's again. */
  open: true | null;
};

/** An operation whose caller was told of it before any event had answered; the id names operation and session. */
export type ToldOperation = {
  head: OperationHead;
  sessionId: string;
  /** True until the home has decided. */
  open: true | null;
  createdAt: number;
  updatedAt: number;
  /** When the sweeper deletes the note. */
  expiresAt: number;
};

export type OperationPart = {
  eventKey: string;
  seq: number;
  state: KeptPart['state'];
  holdId: string | null;
  /** The units that it has. */
  units: number;
  /** Null without a record. */
  expiresAt: number | null;
  /** The action that has pinned, booked or cancelled it. */
  action: { id: string; kind: PartAction['kind'] } | null;
  /** The times of its booking and of its end. */
  bookedAt: number | null;
  endedAt: number | null;
};

/** A booking. The reference is null where the home refused the action before any pin. */
export type OperationAction = { id: string; bookingRef: string | null; createdAt: number; isRefused: boolean };
