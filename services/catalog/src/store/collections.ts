/** Every collection of the catalog, with its indexes and the invariant of each unique index. */
import type { EventConfiguration } from '@parterre/shared/protocol/catalog/events';
import type { BookingState } from '@parterre/shared/protocol/catalog/history';
import { endedSessionKeepMs } from '@parterre/shared/protocol/limits';
import { groupCancellations, groups } from './group-collections.ts';
import { rightCollections } from './right-collections.ts';
import type {
  AccessLinkRecord,
  AssetRecord,
  AuditedGroups,
  AuditRecord,
  BookingImportDocument,
  BookingImportPiece,
  BookingProjection,
  BucketDocument,
  ChannelMints,
  ChartImportRecord,
  ChartRecord,
  ClaimProjection,
  CreditMovementRecord,
  CreditProjection,
  DeploymentRecord,
  EmbeddedSessionRecord,
  EventBatchRecord,
  EventDocument,
  EventProjection,
  Generations,
  KeyRecord,
  LargeGroup,
  LinkAudit,
  ListedPosition,
  LoginAttempts,
  NamedCall,
  OccurrenceBucket,
  OperationProjection,
  OrganisationRecord,
  PanoramaManifestRecord,
  PinnedExchangeProjection,
  ProjectionPosition,
  ReplacedToken,
  SessionRecord,
  ToldOperation,
  UsedSignIn,
  UserRecord,
  WorkspaceRecord,
} from './rules/records.ts';
import type {
  DeliveryBatch,
  DeliveryRow,
  WebhookBook,
  WebhookHealth,
  WebhookRecovery,
} from './rules/webhook-records.ts';
import { seasonCollections } from './season-collections.ts';
import type { Collection } from './store.ts';

export const organisations = {
  name: 'organisations',
  indexes: { all: { fields: [], order: 'createdAt' } },
} as Collection<OrganisationRecord>;

export const creditMovements = {
  name: 'credit-movements',
  indexes: { byOrganisation: { fields: ['organisationId'], order: 'at' } },
} as Collection<CreditMovementRecord>;

export const audits = {
  name: 'audits',
  indexes: {
    all: { fields: [], order: 'at' },
    byOrganisation: { fields: ['organisationId'], order: 'at' },
    byExpiry: { fields: [], order: 'expiresAt' },
  },
} as Collection<AuditRecord>;

export const usedSignIns = {
  name: 'used-sign-ins',
  indexes: { byExpiry: { fields: [], order: 'expiresAt' } },
} as Collection<UsedSignIn>;

export const workspaces = {
  name: 'workspaces',
  indexes: { byOrganisation: { fields: ['organisationId'], order: 'createdAt' } },
} as Collection<WorkspaceRecord>;

export const keys = {
  name: 'keys',
  indexes: {
    byHash: { fields: ['hash'], order: 'createdAt', unique: true },
    byOrganisation: { fields: ['organisationId'], order: 'createdAt' },
  },
} as Collection<KeyRecord>;

export const users = {
  name: 'users',
  indexes: {
    /** One user for each email of the deployment: a login names no organisation. */
    byEmail: { fields: ['email'], order: 'createdAt', unique: true },
    byOrganisation: { fields: ['organisationId'], order: 'createdAt' },
  },
} as Collection<UserRecord>;

export const sessions = {
  name: 'sessions',
  indexes: {
    byUser: { fields: ['userId'], order: 'createdAt' },
    byExpiry: { fields: [], order: 'expiresAt' },
  },
} as Collection<SessionRecord>;

export const embeddedSessions = {
  name: 'embedded-sessions',
  indexes: {
    /** The current token's hash. */
    byHash: { fields: ['hash'], order: 'createdAt', unique: true },
    /** The sessions that an operator sees in a list: of an event, a group, a season, a chart, … */
    byEvent: { fields: ['listedIn'], order: 'createdAt' },
    /** The live sessions by each ground that they rest on (a key, an event). The end of one ground ends the session. */
    byGround: { fields: ['restsOn'], order: 'expiresAt' },
    byExpiry: { fields: [], order: 'expiresAt' },
  },
} as Collection<EmbeddedSessionRecord>;

export const accessLinks = {
  name: 'access-links',
  indexes: {
    byHash: { fields: ['hash'], order: 'createdAt', unique: true },
    byChannel: { fields: ['eventKey', 'channelId'], order: 'createdAt' },
    byMinter: { fields: ['minter', 'state'], order: 'expiresAt' },
  },
} as Collection<AccessLinkRecord>;

export const linkAudits = {
  name: 'link-audits',
  // One entry for each number, so that a page continues after exactly one entry.
  indexes: {
    byEvent: { fields: ['eventKey'], order: 'order' },
    byOrder: { fields: ['eventKey', 'order'], order: 'order', unique: true },
  },
} as Collection<LinkAudit>;

export const channelMints = {
  name: 'channel-mints',
  indexes: { byEvent: { fields: ['eventKey'], order: 'lastMintAt' } },
} as Collection<ChannelMints>;

/** The id is the event's key. */
export const eventConfigurations = { name: 'event-configurations', indexes: {} } as Collection<EventConfiguration>;

export const replacedTokens = {
  name: 'replaced-tokens',
  indexes: { byExpiry: { fields: [], order: 'expiresAt' } },
} as Collection<ReplacedToken>;

export const loginAttempts = {
  name: 'login-attempts',
  indexes: { byExpiry: { fields: [], order: 'expiresAt' } },
} as Collection<LoginAttempts>;

export const charts = {
  name: 'charts',
  indexes: {
    all: { fields: ['organisationId', 'archived'], order: 'createdAt' },
    byWorkspace: { fields: ['organisationId', 'archived', 'workspaceId'], order: 'createdAt' },
    byRef: { fields: ['organisationId', 'archived', 'externalRef'], order: 'createdAt' },
    byWorkspaceAndRef: { fields: ['organisationId', 'archived', 'workspaceId', 'externalRef'], order: 'createdAt' },
  },
} as Collection<ChartRecord>;

export const chartImports = {
  name: 'chart-imports',
  indexes: {
    all: { fields: ['organisationId'], order: 'createdAt' },
    byWorkspace: { fields: ['organisationId', 'workspaceId'], order: 'createdAt' },
    byExpiry: { fields: [], order: 'expiresAt' },
  },
} as Collection<ChartImportRecord>;

export const bookingImports = {
  name: 'booking-imports',
  indexes: {
    byOpen: { fields: ['open'], order: 'updatedAt', only: { field: 'open', values: [true] } },
    byExpiry: { fields: [], order: 'expiresAt' },
  },
} as Collection<BookingImportDocument>;

export const bookingImportPieces = {
  name: 'booking-import-pieces',
  indexes: { byExpiry: { fields: [], order: 'expiresAt' } },
} as Collection<BookingImportPiece>;

export const panoramaManifests = {
  name: 'panorama-manifests',
  indexes: {
    /** One manifest for each version. */
    byVersion: { fields: ['chartId', 'version'], order: 'version', unique: true },
    byChart: { fields: ['chartId'], order: 'version' },
  },
} as Collection<PanoramaManifestRecord>;

export const events = {
  name: 'events',
  indexes: {
    /** One event for each slug of a workspace. */
    bySlug: { fields: ['workspaceId', 'slugClaim'], order: 'createdAt', unique: true },
    all: { fields: ['organisationId', 'gone'], order: 'createdAt' },
    byWorkspace: { fields: ['organisationId', 'gone', 'workspaceId'], order: 'createdAt' },
    byRef: { fields: ['organisationId', 'gone', 'externalRef'], order: 'createdAt' },
    byWorkspaceAndRef: { fields: ['organisationId', 'gone', 'workspaceId', 'externalRef'], order: 'createdAt' },
    modeAll: { fields: ['organisationId', 'gone', 'mode'], order: 'createdAt' },
    modeByWorkspace: { fields: ['organisationId', 'gone', 'mode', 'workspaceId'], order: 'createdAt' },
    modeByRef: { fields: ['organisationId', 'gone', 'mode', 'externalRef'], order: 'createdAt' },
    modeByWorkspaceAndRef: {
      fields: ['organisationId', 'gone', 'mode', 'workspaceId', 'externalRef'],
      order: 'createdAt',
    },
    byChart: { fields: ['chartId', 'gone'], order: 'createdAt' },
    byComing: {
      fields: ['isComing', 'comingChartId'],
      order: 'createdAt',
      only: { field: 'isComing', values: [true] },
    },
    byPoster: { fields: ['posterAssetId', 'gone'], order: 'createdAt' },
    byUntold: { fields: ['hasUntold'], order: 'updatedAt', only: { field: 'hasUntold', values: [true] } },
  },
} as Collection<EventDocument>;

export const eventBatches = {
  name: 'event-batches',
  indexes: {
    byOpen: { fields: ['open'], order: 'updatedAt', only: { field: 'open', values: [true] } },
    byExpiry: { fields: [], order: 'expiresAt' },
  },
} as Collection<EventBatchRecord>;

export const assets = { name: 'assets', indexes: {} } as Collection<AssetRecord>;

/** One document, the id is `deployment`; see deployment.ts. */
export const deployments = { name: 'deployments', indexes: {} } as Collection<DeploymentRecord>;

/** One document, the id is `journal`; see projector.ts. */
export const generations = { name: 'projection-generations', indexes: {} } as Collection<Generations>;

export type Views = ReturnType<typeof viewsOf>;

/** The collections of one generation of the projections. */
export function viewsOf(generation: number) {
  const suffix = generation === 1 ? '' : `-${generation}`;
  return {
    events: {
      name: `event-projections${suffix}`,
      // The stream of an event never changes, so a sale moves no key.
      indexes: { byStream: { fields: ['stream'], order: 'stream' } },
    } as Collection<EventProjection>,
    groups: {
      name: `journal-buckets${suffix}`,
      indexes: {
        byEvent: { fields: ['eventKey'], order: 'bucket' },
        byKind: { fields: ['eventKey', 'kinds'], order: 'bucket' },
      },
    } as Collection<BucketDocument>,
    audits: {
      name: `channel-audits${suffix}`,
      indexes: { byEvent: { fields: ['eventKey'], order: 'bucket' } },
    } as Collection<AuditedGroups>,
    largeGroups: { name: `large-groups${suffix}`, indexes: {} } as Collection<LargeGroup>,
    bookings: {
      name: `booking-projections${suffix}`,
      // Most bookings stay booked. Their list comes from the buckets, which costs a sale no key.
      indexes: {
        byState: {
          fields: ['eventKey', 'state'],
          order: 'order',
          only: { field: 'state', values: ['partially_cancelled', 'cancelled'] satisfies BookingState[] },
        },
        due: { fields: ['due'], order: 'order', only: { field: 'due', values: [true] } },
      },
    } as Collection<BookingProjection>,
    credits: {
      name: `credit-projections${suffix}`,
      indexes: { byOrganisation: { fields: ['organisationId'], order: 'seq' } },
    } as Collection<CreditProjection>,
    operations: {
      name: `operation-projections${suffix}`,
      indexes: {
        byOwner: { fields: ['ownerId'], order: 'createdAt' },
        byAction: { fields: ['ownerId', 'actionIds'], order: 'createdAt' },
        byBookingRef: { fields: ['ownerId', 'bookingRefs'], order: 'createdAt' },
        /** Operations in which something is left to do. */
        open: { fields: ['isOpen'], order: 'changedAt', only: { field: 'isOpen', values: [true] } },
        due: { fields: ['due'], order: 'changedAt', only: { field: 'due', values: [true] } },
      },
    } as Collection<OperationProjection>,
    claims: {
      name: `claim-projections${suffix}`,
      indexes: { byStanding: { fields: ['standing'], order: 'madeAt', only: { field: 'standing', values: [true] } } },
    } as Collection<ClaimProjection>,
    pinnedExchanges: {
      name: `pinned-exchange-projections${suffix}`,
      indexes: { open: { fields: ['open'], order: 'changedAt', only: { field: 'open', values: [true] } } },
    } as Collection<PinnedExchangeProjection>,
    occurrences: {
      name: `occurrence-buckets${suffix}`,
      indexes: {
        byOwner: { fields: ['owner', 'stream'], order: 'bucket' },
        byExpiry: { fields: [], order: 'expiresAt' },
      },
    } as Collection<OccurrenceBucket>,
    /** How far the occurrences of each stream are listed. */
    listed: {
      name: `listed-positions${suffix}`,
      indexes: { byStream: { fields: [], order: 'stream' } },
    } as Collection<ListedPosition>,
    positions: { name: `view-positions${suffix}`, indexes: {} } as Collection<ProjectionPosition>,
  };
}

const firstViews = viewsOf(1);
export const projections = firstViews.events;

export const webhookBooks = { name: 'webhooks', indexes: {} } as Collection<WebhookBook>;

export const deliveries = {
  name: 'deliveries',
  indexes: {
    /** A list of all deliveries reads both outcomes. An index for it would cost one more write for each delivery. */
    byOutcome: { fields: ['subId', 'delivered'], order: 'order' },
    byExpiry: { fields: [], order: 'expiresAt' },
  },
} as Collection<DeliveryRow>;

export const deliveryBatches = {
  name: 'delivery-batches',
  indexes: {
    /** A delivery is in one batch: a report that comes twice, through any catalogs, finds its place taken. */
    byDelivery: { fields: ['deliveryIds'], order: 'order', unique: true },
    bySubscription: { fields: ['subId'], order: 'order' },
    byExpiry: { fields: [], order: 'expiresAt' },
  },
} as Collection<DeliveryBatch>;

export const webhookHealth = {
  name: 'webhook-health',
  indexes: { byExpiry: { fields: [], order: 'expiresAt' } },
} as Collection<WebhookHealth>;

export const webhookRecoveries = {
  name: 'webhook-recoveries',
  indexes: { byDue: { fields: ['due'], order: 'dueAt', only: { field: 'due', values: [true] } } },
} as Collection<WebhookRecovery>;

export const namedCalls = {
  name: 'named-calls',
  indexes: { byExpiry: { fields: [], order: 'expiresAt' } },
} as Collection<NamedCall>;

export const toldOperations = {
  name: 'told-operations',
  indexes: {
    byOpen: { fields: ['open'], order: 'updatedAt', only: { field: 'open', values: [true] } },
    byExpiry: { fields: [], order: 'expiresAt' },
  },
} as Collection<ToldOperation>;

export const collections = [
  organisations,
  creditMovements,
  audits,
  usedSignIns,
  workspaces,
  keys,
  users,
  sessions,
  embeddedSessions,
  accessLinks,
  linkAudits,
  channelMints,
  replacedTokens,
  loginAttempts,
  charts,
  chartImports,
  bookingImports,
  bookingImportPieces,
  panoramaManifests,
  events,
  eventConfigurations,
  eventBatches,
  groups,
  groupCancellations,
  assets,
  ...Object.values(firstViews),
  deployments,
  generations,
  webhookBooks,
  deliveries,
  deliveryBatches,
  webhookHealth,
  webhookRecoveries,
  namedCalls,
  toldOperations,
  ...seasonCollections,
  ...rightCollections,
] as const;

/** The collections whose documents expire, and how long a document stays after its time; see sweeper.ts. */
export const expiring = [
  { collection: namedCalls, keepMs: 0 },
  { collection: toldOperations, keepMs: 0 },
  { collection: eventBatches, keepMs: 0 },
  { collection: deliveries, keepMs: 0 },
  { collection: deliveryBatches, keepMs: 0 },
  { collection: webhookHealth, keepMs: 0 },
  { collection: sessions, keepMs: 0 },
  { collection: audits, keepMs: 0 },
  { collection: usedSignIns, keepMs: 0 },
  { collection: chartImports, keepMs: 0 },
  { collection: bookingImports, keepMs: 0 },
  { collection: bookingImportPieces, keepMs: 0 },
  { collection: loginAttempts, keepMs: 0 },
  { collection: embeddedSessions, keepMs: endedSessionKeepMs },
  { collection: replacedTokens, keepMs: endedSessionKeepMs },
] as const;

/**
 * The index of `charts` for a list with these filters, and of `events` in both modes. The index's fields end with the
 * filters' fields, in this order.
 */
export function listIndex(
  workspaceId: string | undefined,
  externalRef: string | undefined,
): 'all' | 'byRef' | 'byWorkspace' | 'byWorkspaceAndRef' {
  if (workspaceId === undefined) return externalRef === undefined ? 'all' : 'byRef';
  return externalRef === undefined ? 'byWorkspace' : 'byWorkspaceAndRef';
}

/** The index of `events` for a list of one mode. */
export const modeIndex = {
  all: 'modeAll',
  byRef: 'modeByRef',
  byWorkspace: 'modeByWorkspace',
  byWorkspaceAndRef: 'modeByWorkspaceAndRef',
} as const;
