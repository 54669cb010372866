/**
 * Sessions that are embedded in pages: a buyer's (bse_, bgs_, bss_), a manager's (mse_) and a designer's (dse_). Each
 * is valid only from the origin that it is bound to (scheme, host and port as the browser sends them), until it expires
 * or is revoked. A request without an Origin comes from no page. A designer's session is also valid from the page that
 * this deployment serves, under the address that `designerUrl` gave: no other name of this server counts, so a
 * page that makes its own name point here gains nothing.
 */
import type {
  BuyerSession,
  DesignerSession,
  ManageSession,
  OwnerSession,
  Principal,
} from '@parterre/shared/protocol/catalog/scope';
import { done, type Outcome, refuse } from '@parterre/shared/protocol/errors';
import { sha256 } from '@parterre/shared/protocol/ids';
import { isSessionToken, type SessionPrefix } from '@parterre/shared/protocol/session-tokens';
import type { Clock } from '@parterre/shared/runtime/clock';
import type { RecentMap } from '@parterre/shared/runtime/recent-map';
import type { CredentialCache, From } from '../caches/caches.ts';
import type { DesignerPrincipal, Hashed, ManagePrincipal } from './principal.ts';

export type Resolve = CredentialCache['get'];
/** The kinds of the owners of sessions, by the prefix of their tokens. */
const ownerPrefix = { group: 'bgs', season: 'bss' } as const;
/** The address that asks, and the origin of its page. */
type Page = From & { origin: string };

const badToken = refuse(
  'buyer_access_invalid',
  "This is not the token of a buyer's session (bse_…). Open a new session.",
);
const revoked = refuse('buyer_access_revoked', 'This access was revoked. The token cannot be used any more.');
const expired = refuse('buyer_access_expired', 'This access has expired. Get a fresh token.');
const badOwnerToken = {
  group: refuse(
    'buyer_access_invalid',
    "This is not the token of a buyer's session to a performance group (bgs_…). Open a new session.",
  ),
  season: refuse(
    'buyer_access_invalid',
    "This is not the token of a buyer's session to a season (bss_…). Open a new session.",
  ),
};
const foreignOwner = refuse(
  'buyer_access_event_mismatch',
  'This token is for another group or season. Get a token for this one.',
);
const foreign = refuse(
  'buyer_access_origin_mismatch',
  'This token is bound to another origin. Use it from the page that it was issued for.',
);
/**
 * The refusals of manage and designer sessions: `ended` for an unknown, revoked or expired session, `elsewhere` for a
 * use from another origin.
 */
const ended = {
  manage: refuse(
    'unauthorized',
    'This manage session is unknown, revoked or expired. Get a new session from your server.',
  ),
  designer: refuse(
    'unauthorized',
    'This designer session is unknown, revoked or expired. Get a new session from your server.',
  ),
};
const elsewhere = {
  manage: refuse(
    'forbidden',
    'This manage session is bound to another origin. Use it from the page that it was issued for.',
  ),
  designer: refuse(
    'forbidden',
    'This designer session is bound to another origin. Use it from the page that it was issued for.',
  ),
};

type Working = { manage: ManageSession; designer: DesignerSession };

/**
 * `hashes` remembers the hashes of well-formed tokens, so that a token is hashed once. The principal of a hash is
 * looked up each time.
 */
export function createEmbeddedSessions(resolve: Resolve, clock: Clock, hashes: RecentMap<string>) {
  /** Null if the text is no token of this kind. */
  function hashOf(token: string, prefix: SessionPrefix): string | null {
    const known = hashes.get(token);
    if (known !== undefined) return token.startsWith(prefix) ? known : null;
    if (!isSessionToken(token, prefix)) return null;
    const hash = sha256(token);
    hashes.set(token, hash);
    return hash;
  }

  async function standing<K extends keyof Working>(
    prefix: SessionPrefix,
    kind: K,
    token: string,
    page: Page,
  ): Promise<Outcome<Hashed<Working[K]>>> {
    const keyHash = hashOf(token, prefix);
    if (keyHash === null) return ended[kind];
    const found = await resolve(keyHash, page);
    if (!found.ok) return found.refusal.code === 'unauthorized' ? ended[kind] : found;
    const principal = found.value;
    if (!isOf(principal, kind) || principal.revokedAt !== null || principal.expiresAt <= clock.now())
      return ended[kind];
    return isFrom(principal, page.origin) ? done({ ...principal, keyHash }) : elsewhere[kind];
  }

  return {
    /**
     * A well-formed token that the catalog does not know counts as expired: the catalog forgets sessions long after
     * their end.
     */
    async buyer(token: string, page: Page): Promise<Outcome<Hashed<BuyerSession>>> {
      const keyHash = hashOf(token, 'bse');
      if (keyHash === null) return badToken;
      const found = await resolve(keyHash, page);
      if (!found.ok) return found.refusal.code === 'unauthorized' ? expired : found;
      const principal = found.value;
      if (principal.kind !== 'buyer') return badToken;
      if (principal.revokedAt !== null) return revoked;
      if (principal.expiresAt <= clock.now()) return expired;
      return principal.origin === page.origin ? done({ ...principal, keyHash }) : foreign;
    },

    /** The session to this group or season, under the rules of `buyer`. */
    async owner(
      token: string,
      page: Page,
      { kind, key }: OwnerSession['owner'],
    ): Promise<Outcome<Hashed<OwnerSession>>> {
      const keyHash = hashOf(token, ownerPrefix[kind]);
      if (keyHash === null) return badOwnerToken[kind];
      const found = await resolve(keyHash, page);
      if (!found.ok) return found.refusal.code === 'unauthorized' ? expired : found;
      const principal = found.value;
      if (principal.kind !== 'owner-buyer') return badOwnerToken[kind];
      if (principal.revokedAt !== null) return revoked;
      if (principal.expiresAt <= clock.now()) return expired;
      if (principal.origin !== page.origin) return foreign;
      return principal.owner.key === key ? done({ ...principal, keyHash }) : foreignOwner;
    },

    /** The origin of a manage or designer session, valid or not; null for an unknown token. */
    async boundOrigin(token: string, from: From): Promise<string | null> {
      const hash = hashOf(token, 'mse') ?? hashOf(token, 'dse');
      if (hash === null) return null;
      const found = await resolve(hash, from);
      return found.ok && (found.value.kind === 'manage' || found.value.kind === 'designer') ? found.value.origin : null;
    },

    designer: (token: string, page: Page): Promise<Outcome<DesignerPrincipal>> =>
      standing('dse', 'designer', token, page),
    manage: (token: string, page: Page): Promise<Outcome<ManagePrincipal>> => standing('mse', 'manage', token, page),
  };
}

function isFrom(session: ManageSession | DesignerSession, origin: string): boolean {
  return session.origin === origin || (session.kind === 'designer' && session.page === origin);
}

function isOf<K extends keyof Working>(principal: Principal, kind: K): principal is Working[K] {
  return principal.kind === kind;
}
