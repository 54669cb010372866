/** Every kind of document the catalog keeps, its indexes, and what each index upholds. */
import type { Collection } from './outbound/store.ts';
import type {
  ChartRecord,
  EventDocument,
  EventProjection,
  KeyRecord,
  NamedCall,
  OrganisationRecord,
  PanoramaManifestRecord,
  ProjectionPosition,
  WebhookBook,
  WorkspaceRecord,
} from './rules/records.ts';

export const organisations = { name: 'organisations', indexes: {} } as Collection<OrganisationRecord>;

export const workspaces = {
  name: 'workspaces',
  indexes: { byOrganisation: { fields: ['organisationId'], order: 'createdAt' } },
} as Collection<WorkspaceRecord>;

export const keys = {
  name: 'keys',
  indexes: { byHash: { fields: ['hash'], order: 'createdAt', unique: true } },
} as Collection<KeyRecord>;

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
    all: { fields: ['organisationId', 'mode'], order: 'createdAt' },
    byWorkspace: { fields: ['organisationId', 'mode', 'workspaceId'], order: 'createdAt' },
    byRef: { fields: ['organisationId', 'mode', 'externalRef'], order: 'createdAt' },
    byWorkspaceAndRef: { fields: ['organisationId', 'mode', 'workspaceId', 'externalRef'], order: 'createdAt' },
    byChart: { fields: ['chartId'], order: 'createdAt' },
  },
} as Collection<EventDocument>;

export const projections = { name: 'event-projections', indexes: {} } as Collection<EventProjection>;
export const positions = { name: 'projection-positions', indexes: {} } as Collection<ProjectionPosition>;
export const webhookBooks = { name: 'webhooks', indexes: {} } as Collection<WebhookBook>;

export const namedCalls = {
  name: 'named-calls',
  indexes: { byExpiry: { fields: [], order: 'expiresAt' } },
} as Collection<NamedCall>;

export const collections = [
  organisations,
  workspaces,
  keys,
  charts,
  panoramaManifests,
  events,
  projections,
  positions,
  webhookBooks,
  namedCalls,
] as const;

/** What is deleted by itself when its time has come; see sweeper.ts. */
export const expiring = [namedCalls] as const;

/** The index of `charts` or `events` for a list with these filters; its fields end with theirs, in this order. */
export function listIndex(workspaceId: string | undefined, externalRef: string | undefined): string {
  if (workspaceId === undefined) return externalRef === undefined ? 'all' : 'byRef';
  return externalRef === undefined ? 'byWorkspace' : 'byWorkspaceAndRef';
}
