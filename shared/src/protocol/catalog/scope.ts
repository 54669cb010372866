/** The callers of the catalog, and the data that they may see. */
import type { AccessSource, Mode, Reach } from '../records.ts';
import type { Owner } from './lifecycles.ts';

/** A key's own budgets take the place of the deployment's. Null lifts a budget, for load tests. */
export type KeyBudgets = Partial<
  Record<'serverHolds' | 'seasons' | 'buyerHolds' | 'buyerReads' | 'buyerCalls', number | null>
>;

/** The budgets that count requests with a key of each kind. */
export const budgetsOfKind: Record<'secret' | 'publishable', readonly (keyof KeyBudgets)[]> = {
  secret: ['serverHolds', 'seasons'],
  publishable: ['buyerHolds', 'buyerReads', 'buyerCalls'],
};

export const budgetNames = [...budgetsOfKind.secret, ...budgetsOfKind.publishable];

/** An issue for each budget that a key of this kind cannot have. */
export function budgetIssues(kind: 'secret' | 'publishable', budgets: KeyBudgets): { path: string; message: string }[] {
  const own = budgetsOfKind[kind];
  const message = `A ${kind} key can only have its own limits for ${own.join(', ')}.`;
  const others = Object.keys(budgets).filter((name) => !own.some((one) => one === name));
  return others.map((name) => ({ path: `budgets.${name}`, message }));
}

/** The caller behind a credential. */
export type Principal =
  | {
      kind: 'secret';
      keyId: string;
      organisationId: string;
      mode: Mode;
      environment: string | null;
      workspaceId: string | null;
      budgets?: KeyBudgets;
    }
  | {
      kind: 'publishable';
      keyId: string;
      organisationId: string;
      mode: Mode;
      workspaceId: string | null;
      origins: string[];
      budgets?: KeyBudgets;
    }
  /** `sessionHash` names the session, as a key's hash names the key. */
  | {
      kind: 'dashboard';
      sessionHash: string;
      userId: string;
      organisationId: string;
      role: Role;
      expiresAt: number;
    }
  | BuyerSession
  | OwnerSession
  | ManageSession
  | DesignerSession;

/** The fields of every embedded session. An ended session stays known, so that its user gets the reason. */
type Embedded = {
  sessionId: string;
  organisationId: string;
  workspaceId: string;
  /** The only origin that may use the session. */
  origin: string;
  expiresAt: number;
  revokedAt: number | null;
};

/** A buyer's access to one event (bse_). */
export type BuyerSession = Embedded &
  Reach & {
    kind: 'buyer';
    mode: Mode;
    eventKey: string;
    maxQuantity: number | null;
    buyerRef: string | null;
    partnerRef: string | null;
    accessSource: AccessSource;
    /** For a session to public sale: the publishable key that opened it, and the budgets of that key. */
    keyId?: string;
    budgets?: KeyBudgets;
  };

/**
 * A buyer's access to all events of a performance group (bgs_) or season (bss_). `channelIdsByEvent` is by event key;
 * an event that it leaves out has no channels. A season's session sells one activation of a plan.
 */
export type OwnerSession = Embedded &
  Pick<BuyerSession, 'mode' | 'includePublic' | 'maxQuantity' | 'buyerRef' | 'partnerRef' | 'accessSource'> &
  Pick<BuyerSession, 'keyId' | 'budgets'> & {
    kind: 'owner-buyer';
    environment: string | null;
    owner: Owner;
    channelIdsByEvent: Record<string, string[]>;
    planActivationId?: string;
    /** Earlier sessions whose holds this session has taken over. [none] */
    adopted?: string[];
  };

/** An operator's console on one event (mse_). */
export type ManageSession = Embedded & {
  kind: 'manage';
  mode: Mode;
  eventKey: string;
  capabilities: Capability[];
};

/**
 * A designer on one chart (dse_). `safe` is null in normal mode. A publish reaches the chart's events of `mode`, the
 * mode of the key that minted the session; null for both modes, of a dashboard. [test: it never reaches live events]
 */
export type DesignerSession = Embedded & {
  kind: 'designer';
  mode?: Mode | null;
  chartId: string;
  authority: 'read-only' | 'edit' | 'publish';
  safe: { allowDeletingObjects: boolean; allowEditingAreaCapacity: boolean } | null;
  /** The most bytes of a request that saves the chart, where they are fewer than for other callers. */
  saveBytesMax?: number;
  /**
   * The origin of the page that the session's `designerUrl` names: the other origin that may use the session. [none]
   */
  page?: string;
  /** The features of the request, as JSON: names are free, and no store has to take them as names of fields. ["{}"] */
  features?: string;
  /** The person who draws, as the platform names them. Others see the name beside a change. [null] */
  person?: string;
};

/** The rights of a manage session. Clients know all of them; the second half grants nothing here. */
export const capabilities = [
  'event:view',
  'event:block',
  'event:cancel',
  'event:reports',
  'event:channels:view',
  'event:channels:manage',
  'event:categories:manage',
  'event:tables:manage',
  'event:boxoffice',
  'event:orders:read',
  'event:refund',
  'event:tickets:send',
  'event:door:view',
  'event:door:checkin',
] as const;
export type Capability = (typeof capabilities)[number];

/** The roles of dashboard users, the highest first. `admin` and `member` are older names of `owner` and `viewer`. */
export const roles = ['owner', 'admin', 'manager', 'box_office', 'marketing', 'door', 'viewer', 'member'] as const;
export type Role = (typeof roles)[number];

/** Who may see and change everything of an organisation. */
export function isOwner(role: Role): boolean {
  return role === 'owner' || role === 'admin';
}

/** The data that an operation may see. */
export type Scope = {
  organisationId: string;
  /** Null: both modes, for a dashboard session. */
  mode: Mode | null;
  /** The only visible workspace; null: every workspace of the organisation. */
  workspaceId: string | null;
  /** The environment tag of the key, null without one. */
  environment: string | null;
  /** The id of the key or user, for the audit trail. */
  actor: string;
  /** The rights of a dashboard session; null for a key. */
  role: Role | null;
};

/** `cursor` is opaque; an unreadable cursor means the start. `limit` is clamped. */
export type Page = { limit?: number; cursor?: string };
