/** Who asks the catalog, and what they may see of it. */
import type { Mode } from '../records.ts';

/** Who a credential stands for. */
export type Principal =
  | {
      kind: 'secret';
      keyId: string;
      organisationId: string;
      mode: Mode;
      environment: string | null;
      workspaceId: string | null;
    }
  | {
      kind: 'publishable';
      keyId: string;
      organisationId: string;
      mode: Mode;
      workspaceId: string | null;
      origins: string[];
    }
  /** `sessionHash` names the session, as a key's hash does a key. */
  | {
      kind: 'dashboard';
      sessionHash: string;
      userId: string;
      organisationId: string;
      role: Role;
      expiresAt: number;
    };

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
