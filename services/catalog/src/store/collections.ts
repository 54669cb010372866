/** Every kind of document the catalog keeps, its indexes, and what each index upholds. */
import { endedSessionKeepMs } from '@parterre/shared/limits';
import type { DeliveryRecord } from '../webhooks/rules/delivery-record.ts';
import type { WebhookHealth } from '../webhooks/rules/subscription-health.ts';
import type {
  AccessLinkRecord,
  AssetRecord,
  AuditedGroups,
  BookingProjection,
  BucketDocument,
  ChannelMints,
  ChartRecord,
  CreditProjection,
  EmbeddedSessionRecord,
  EventDocument,
  EventProjection,
  Generations,
  KeyRecord,
  LargeGroup,
  LinkAudit,
  LoginAttempts,
  NamedCall,
  OrganisationRecord,
  PanoramaManifestRecord,
  ProjectionPosition,
  ReplacedToken,
  SessionRecord,
  UserRecord,
  WebhookBook,
  WorkspaceRecord,
} from './rules/records.ts';
import type { Collection } from './store.ts';

export const organisations = {
  name: 'organisations',
  indexes: { all: { fields: [], order: 'createdAt' } },
} as Collection<OrganisationRecord>;

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
    /** One user an email, over the deployment: a login names no organisation. */
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
    /** Of the token that stands now. */
    byHash: { fields: ['hash'], order: 'createdAt', unique: true },
    /** Those of an event that its operator is told of. */
    byEvent: { fields: ['listedIn'], order: 'createdAt' },
    /** Those that stand, by what they end with. */
    byGround: { fields: ['restsOn'], order: 'expiresAt' },
    byExpiry: { fields: [], order: 'expiresAt' },
  },
} as Collection<EmbeddedSessionRecord>;

export const accessLinks = {
  name: 'access-links',
  indexes: {
    byHash: { fields: ['hash'], order: 'createdAt', unique: true },
    byChannel: { fields: ['eventKey', 'channelId'], order: 'createdAt' },
  },
} as Collection<AccessLinkRecord>;

export const linkAudits = {
  name: 'link-audits',
  // One entry a number, so that a page goes on behind exactly one.
  indexes: {
    byEvent: { fields: ['eventKey'], order: 'order' },
    byOrder: { fields: ['eventKey', 'order'], order: 'order', unique: true },
  },
} as Collection<LinkAudit>;

export const channelMints = {
  name: 'channel-mints',
  indexes: { byEvent: { fields: ['eventKey'], order: 'lastMintAt' } },
} as Collection<ChannelMints>;

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

export const panoramaManifests = {
  name: 'panorama-manifests',
  indexes: {
    /** One manifest a version. */
    byVersion: { fields: ['chartId', 'version'], order: 'version', unique: true },
    byChart: { fields: ['chartId'], order: 'version' },
  },
} as Collection<PanoramaManifestRecord>;

export const events = {
  name: 'events',
  indexes: {
    /** One event a slug and workspace. */
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
    byPoster: { fields: ['posterAssetId', 'gone'], order: 'createdAt' },
  },
} as Collection<EventDocument>;

export const assets = { name: 'assets', indexes: {} } as Collection<AssetRecord>;

/** One document, `generationsId`; see projector.ts. */
export const generations = { name: 'projection-generations', indexes: {} } as Collection<Generations>;

export type Views = ReturnType<typeof viewsOf>;

/** The projections of the journal, as one generation of them is kept. */
export function viewsOf(generation: number) {
  const suffix = generation === 1 ? '' : `-${generation}`;
  return {
    events: { name: `event-projections${suffix}`, indexes: {} } as Collection<EventProjection>,
    groups: {
      name: `journal-buckets${suffix}`,
      indexes: { byEvent: { fields: ['eventKey'], order: 'bucket' } },
    } as Collection<BucketDocument>,
    audits: {
      name: `channel-audits${suffix}`,
      indexes: { byEvent: { fields: ['eventKey'], order: 'bucket' } },
    } as Collection<AuditedGroups>,
    largeGroups: { name: `large-groups${suffix}`, indexes: {} } as Collection<LargeGroup>,
    bookings: {
      name: `booking-projections${suffix}`,
      indexes: { byState: { fields: ['eventKey', 'state'], order: 'order' } },
    } as Collection<BookingProjection>,
    credits: {
      name: `credit-projections${suffix}`,
      indexes: { byOrganisation: { fields: ['organisationId'], order: 'seq' } },
    } as Collection<CreditProjection>,
    positions: { name: `view-positions${suffix}`, indexes: {} } as Collection<ProjectionPosition>,
  };
}

const firstViews = viewsOf(1);
export const projections = firstViews.events;

export const webhookBooks = { name: 'webhooks', indexes: {} } as Collection<WebhookBook>;

export const deliveries = {
  name: 'deliveries',
  indexes: {
    /** Both outcomes are read for a list of all: an index of its own would cost a write for each delivery. */
    byOutcome: { fields: ['subId', 'delivered'], order: 'order' },
    byExpiry: { fields: [], order: 'expiresAt' },
  },
} as Collection<DeliveryRecord>;

export const webhookHealth = {
  name: 'webhook-health',
  indexes: { byExpiry: { fields: [], order: 'expiresAt' } },
} as Collection<WebhookHealth>;

export const namedCalls = {
  name: 'named-calls',
  indexes: { byExpiry: { fields: [], order: 'expiresAt' } },
} as Collection<NamedCall>;

export const collections = [
  organisations,
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
  panoramaManifests,
  events,
  assets,
  ...Object.values(firstViews),
  generations,
  webhookBooks,
  deliveries,
  webhookHealth,
  namedCalls,
] as const;

/** What is deleted by itself when its time has come, or so long after it; see sweeper.ts. */
export const expiring = [
  { collection: namedCalls, keepMs: 0 },
  { collection: deliveries, keepMs: 0 },
  { collection: webhookHealth, keepMs: 0 },
  { collection: sessions, keepMs: 0 },
  { collection: loginAttempts, keepMs: 0 },
  { collection: embeddedSessions, keepMs: endedSessionKeepMs },
  { collection: replacedTokens, keepMs: endedSessionKeepMs },
] as const;

/** The index of `charts` for a list with these filters, and of `events` in both modes; its fields end with theirs, in this order. */
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
