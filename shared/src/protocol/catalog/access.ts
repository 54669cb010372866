/**
 * The operations of sessions that are embedded in pages (buyers', managers', designers') and of access links. Tokens
 * are shown once and stored as SHA-256. Every revocation is announced by the token's hash.
 */
import type { AccessSource, Mode } from '../records.ts';
import type { BuyerSession, Capability, DesignerSession, KeyBudgets, ManageSession, Page, Scope } from './scope.ts';

/** `state` is computed for each answer. */
export type BuyerSessionInfo = Pick<
  BuyerSession,
  | 'sessionId'
  | 'channelIds'
  | 'includePublic'
  | 'mode'
  | 'expiresAt'
  | 'maxQuantity'
  | 'buyerRef'
  | 'partnerRef'
  | 'accessSource'
  | 'revokedAt'
> & { allowedOrigin: string; state: 'active' | 'revoked' | 'expired'; createdAt: number };

/** The caller checks `channelIds`: only the inventory knows the channels. */
export type BuyerSessionDraft = {
  channelIds: string[];
  includePublic: boolean;
  allowedOrigin: string;
  expiresInSeconds?: number;
  maxQuantity?: number | null;
  buyerRef?: string | null;
  partnerRef?: string | null;
  /** A repeated id renews the session: the earlier token is revoked, and the session's id stays. */
  clientRequestId?: string;
};

export type MintedBuyerSession = { session: BuyerSession; token: string };

export type AccessLink = {
  id: string;
  channelId: string;
  label: string | null;
  includePublic: boolean;
  expiresAt: number;
  maxRedemptions: number;
  redemptions: number;
  maxQuantity: number | null;
  sessionTtlSeconds: number;
  state: 'active' | 'revoked' | 'rotated';
  status: 'active' | 'revoked' | 'rotated' | 'expired' | 'exhausted';
  createdAt: number;
  createdBy: string | null;
  revokedAt: number | null;
  lastRedeemedAt: number | null;
  rotatedFrom: string | null;
  rotatedTo: string | null;
};

export type AccessLinkDraft = Partial<
  Pick<AccessLink, 'label' | 'maxQuantity' | 'sessionTtlSeconds' | 'includePublic'>
> & { expiresAt?: number | null; maxRedemptions?: number | null };

/** The side that makes or ends a link, and the reason, for the audit of channels. */
export type LinkCause = { source: 'server' | 'operator'; reason: string | null };

/**
 * The sessions, links and webhooks that a key or user has given to others, valid now. `counts` are complete, the lists
 * have the first of each.
 */
export type MintedAccess = {
  counts: { sessions: number; accessLinks: number; webhooks: number };
  sessions: MintedSession[];
  accessLinks: (Pick<AccessLink, 'id' | 'channelId' | 'expiresAt'> & { eventKey: string; activeSessions: number })[];
  webhooks: { id: string; url: string }[];
};

/** `of` is the key of the event, group or season, or the id of the chart. */
export type MintedSession = {
  id: string;
  kind: 'buyer' | 'group' | 'season' | 'manage' | 'designer';
  of: string;
  expiresAt: number;
};

/** `ended` is what the call has ended; `left` is what is still valid. */
export type EndOfMinter = { ok: true; ended: MintedAccess; left: MintedAccess };

/** A manage or designer session as its operator sees it. `mintedBy` is the id of the key or user. */
export type EmbedSessionInfo<S> = Omit<S, 'kind' | 'origin' | 'organisationId'> & {
  allowedOrigin: string;
  state: 'active' | 'revoked' | 'expired';
  createdAt: number;
  mintedBy: string | null;
};

/** operation → [input, output] */
export type AccessOperations = {
  'buyer-sessions.create': [
    { scope: Scope; eventKey: string; draft: BuyerSessionDraft; accessSource: AccessSource },
    MintedBuyerSession & { grantVersion: number },
  ];
  /**
   * Sessions to public sale alone, for `count` pages of one origin with one publishable key: all or none. These
   * sessions are not listed, and do not count as grants. `session` and `token` are the first session. The others differ
   * from it in `tokens` and `sessionIds` alone. A catalog of the version before mints this session alone, for any
   * `count`, and a front door of the version before names no count and reads this session alone. So both work on in a
   * rolling upgrade.
   */
  'buyer-sessions.open-public': [
    {
      organisationId: string;
      workspaceId: string;
      mode: Mode;
      eventKey: string;
      origin: string;
      keyId: string;
      budgets?: KeyBudgets;
      count?: number;
    },
    MintedBuyerSession & { tokens?: string[]; sessionIds?: string[] },
  ];
  'buyer-sessions.list': [{ scope: Scope; eventKey: string; limit?: number }, { sessions: BuyerSessionInfo[] }];
  'buyer-sessions.revoke': [
    { scope: Scope; eventKey: string; sessionId: string },
    { sessionId: string; grantVersion: number },
  ];
  /** Sessions and links by channel id. */
  'channel-access.summary': [
    { eventKey: string },
    { channels: Record<string, { hasActiveGrants: boolean; lastMintAt: number | null }> },
  ];
  /**
   * Ends every session and link to this channel. A session that reaches other channels too loses only this channel.
   */
  'channel-access.revoke': [{ scope: Scope; eventKey: string; channelId: string }, { revokedSessions: number }];

  /** `version`: the event's version when the channel was read. The audit shows the link behind this version. */
  'access-links.create': [
    { scope: Scope; eventKey: string; channelId: string; draft: AccessLinkDraft; by: LinkCause; version?: number },
    { link: AccessLink; capability: string },
  ];
  'access-links.list': [
    { scope: Scope; eventKey: string; channelId: string },
    { links: (AccessLink & { activeSessions: number })[] },
  ];
  'access-links.rotate': [
    { scope: Scope; eventKey: string; channelId: string; linkId: string; endActiveSessions: boolean; by: LinkCause },
    { link: AccessLink; previous: AccessLink; endedSessions: number; capability: string },
  ];
  'access-links.revoke': [
    { scope: Scope; eventKey: string; channelId: string; linkId: string; endActiveSessions: boolean; by: LinkCause },
    { link: AccessLink; endedSessions: number },
  ];
  /** True when `redeem` would open a session now. Counts nothing, and has the same refusals. */
  'access-links.check': [{ eventKey: string; capability: string; origin: string }, true];
  /** Redemptions are counted atomically. Refused with `buyer_access_invalid` or `buyer_access_revoked`. */
  'access-links.redeem': [{ eventKey: string; capability: string; origin: string }, MintedBuyerSession];

  'manage-sessions.create': [
    {
      scope: Scope;
      eventKey: string;
      allowedOrigin: string;
      capabilities: Capability[];
      expiresInSeconds?: number;
    },
    { session: ManageSession; token: string },
  ];
  /** Newest first. */
  'manage-sessions.list': [
    { scope: Scope; eventKey: string; page: Page },
    { sessions: EmbedSessionInfo<ManageSession>[]; nextCursor?: string },
  ];
  'manage-sessions.revoke': [{ scope: Scope; eventKey: string; sessionId: string }, { ok: true }];
  'designer-sessions.create': [
    {
      scope: Scope;
      workspaceId: string;
      chartId: string;
      allowedOrigin: string;
      authority: DesignerSession['authority'];
      safe: DesignerSession['safe'];
      saveBytesMax?: number;
      /** The session is for a page of the front door itself, at whatever address it is reached. */
      isOwnPage?: boolean;
      page?: string;
      features?: string;
      person?: string;
      expiresInSeconds?: number;
    },
    { session: DesignerSession; token: string },
  ];
  /** Newest first: the sessions of the scope's mode and workspace; of one chart where it is named. */
  'designer-sessions.list': [
    { scope: Scope; chartId?: string; page: Page },
    { sessions: EmbedSessionInfo<DesignerSession>[]; nextCursor?: string },
  ];
  'designer-sessions.revoke': [{ scope: Scope; sessionId: string }, { ok: true }];
};
