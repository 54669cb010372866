/** Who asks the catalog, and what they may see of it. */
import type { AccessSource, Mode, Reach } from '../records.ts';

/** A key's own budgets take the place of the deployment's. Null lifts a budget, for load tests. */
export type KeyBudgets = Partial<Record<'serverHolds' | 'seasons' | 'buyerHolds' | 'buyerReads', number | null>>;

/** Who a credential stands for. */
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
  /** `sessionHash` names the session, as a key's hash does a key. */
  | {
      kind: 'dashboard';
      sessionHash: string;
      userId: string;
      organisationId: string;
      role: Role;
      expiresAt: number;
    }
  | BuyerSession
  | ManageSession
  | DesignerSession;

/** What every embedded session has: one that is over is known still, so that its holder is told why. */
type Embedded = {
  sessionId: string;
  organisationId: string;
  workspaceId: string;
  /** The only one it may be used from. */
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
    /** Of a session to public sale: the publishable key that it was opened with, and the budgets of that key. */
    keyId?: string;
    budgets?: KeyBudgets;
  };

/** An operator's console on one event (mse_). */
export type ManageSession = Embedded & {
  kind: 'manage';
  mode: Mode;
  eventKey: string;
  capabilities: Capability[];
};

/** A designer on one chart (dse_). `safe` is null in normal mode. */
export type DesignerSession = Embedded & {
  kind: 'designer';
  chartId: string;
  authority: 'read-only' | 'edit' | 'publish';
  safe: { allowDeletingObjects: boolean; allowEditingAreaCapacity: boolean } | null;
};

/** What a manage session may be given. Those of the second half are known to clients and grant nothing here. */
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

export type Role = 'admin' | 'member';

/** Whose data, and which of it: what an operation may see. */
export type Scope = {
  organisationId: string;
  /** Null: both modes, which is what a dashboard session sees. */
  mode: Mode | null;
  /** Nothing outside of this workspace is known; null: every workspace of the organisation. */
  workspaceId: string | null;
  /** The environment tag of the key, null without one. */
  environment: string | null;
  /** The id of the key or user, for the audit trail. */
  actor: string;
  /** What a dashboard session may do; null for a key. */
  role: Role | null;
};

/** `cursor` is opaque; an unreadable one means from the start. `limit` is clamped. */
export type Page = { limit?: number; cursor?: string };
