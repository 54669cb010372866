/** Buyers' sessions to a performance group (bgs_) or season (bss_), and their operations. */
import type { OwnerSession, Scope } from './scope.ts';

/** A session as its operator sees it. */
export type OwnerSessionInfo = Omit<OwnerSession, 'kind' | 'origin' | 'keyId' | 'budgets' | 'adopted'> & {
  allowedOrigin: string;
  state: 'active' | 'revoked';
  createdAt: number;
};

/** The group or season of a session. The caller has checked that the owner is in its scope. */
export type OwnerOfSession = Pick<
  OwnerSession,
  'organisationId' | 'workspaceId' | 'mode' | 'environment' | 'owner' | 'planActivationId'
>;

/** The caller checks that each event has the channels that are named for it. */
export type OwnerSessionDraft = Pick<OwnerSession, 'channelIdsByEvent' | 'includePublic' | 'accessSource'> & {
  allowedOrigin: string;
  expiresInSeconds?: number;
  maxQuantity?: number | null;
  buyerRef?: string | null;
  partnerRef?: string | null;
};

export type MintedOwnerSession = { session: OwnerSessionInfo; token: string };

/** operation → [input, output] */
export type OwnerSessionOperations = {
  /** `scope` is the caller's: the session is minted by its actor. */
  'owner-sessions.create': [{ scope: Scope; of: OwnerOfSession; draft: OwnerSessionDraft }, MintedOwnerSession];
  /** A session to public sale alone, for a page with a publishable key. No list shows it. */
  'owner-sessions.open-public': [
    { of: OwnerOfSession; origin: string } & Pick<Required<OwnerSession>, 'keyId'> & Pick<OwnerSession, 'budgets'>,
    MintedOwnerSession,
  ];
  /**
   * The session takes over the holds of an earlier session of the same owner and origin, by the hash of its token. The
   * earlier session may be over. Refused with `buyer_access_invalid`.
   */
  'owner-sessions.adopt': [{ sessionId: string; previousHash: string }, { sessionId: string }];
  /** Newest first. */
  'owner-sessions.list': [{ owner: OwnerSession['owner']; limit?: number }, { sessions: OwnerSessionInfo[] }];
  'owner-sessions.revoke': [{ owner: OwnerSession['owner']; sessionId: string }, { sessionId: string }];
};
