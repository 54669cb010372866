/**
 * Finds the principal of a bearer token or of the cookie of a dashboard session. A bearer token wins. Tokens are looked
 * up by their SHA-256 only. A principal is kept for at most `principalCacheMs`; a broadcast revocation drops it at
 * once. Broadcasts may be missed while the link to NATS is gone, so every principal is looked up again afterwards. An
 * address that sends many unknown tokens is refused with `rate_limited` before the catalog is asked
 * (caches/credential-cache.ts).
 *
 * The hashes of recent keys and tokens are remembered, for a secret key by its whole header: otherwise a busy key would
 * be hashed for every request. A remembered hash does not mean that the key or session is valid.
 */
import { hash, timingSafeEqual } from 'node:crypto';
import type { BuyerSession, OwnerSession, Principal } from '@parterre/shared/protocol/catalog/scope';
import { done, type Outcome, refuse } from '@parterre/shared/protocol/errors';
import { sha256 } from '@parterre/shared/protocol/ids';
import { principalCacheEntries, principalCacheMs } from '@parterre/shared/protocol/limits';
import { isAnySessionToken } from '@parterre/shared/protocol/session-tokens';
import type { CatalogClient } from '@parterre/shared/runtime/catalog-client';
import type { Clock } from '@parterre/shared/runtime/clock';
import { RecentMap } from '@parterre/shared/runtime/recent-map';
import { nothingHere } from '../answers/answers.ts';
import { type CredentialCache, createCredentialCache, type From, type LookupGate } from '../caches/caches.ts';
import { createEmbeddedSessions, type Resolve } from './embedded-sessions.ts';
import type {
  BuyerAsking,
  BuyerPrincipal,
  ConsoleAsking,
  ConsolePrincipal,
  DashboardPrincipal,
  DesignerPrincipal,
  EditorPrincipal,
  OwnerBuyerPrincipal,
  SecretPrincipal,
  ServerAsking,
  ServerPrincipal,
} from './principal.ts';
import { isCsrfToken, sessionTokenOf } from './rules/session-cookie.ts';

export type Principals = {
  /**
   * Refused with `unauthorized`, with `forbidden` for a credential of another kind, or with `csrf_required` for a write
   * that has a cookie but not its CSRF token.
   */
  server(asking: ServerAsking): Outcome<ServerPrincipal> | Promise<Outcome<ServerPrincipal>>;
  /**
   * Like `server`, or a manage session from the origin that it is bound to. The session's capabilities are not checked
   * here.
   */
  console(asking: ConsoleAsking): Outcome<ConsolePrincipal> | Promise<Outcome<ConsolePrincipal>>;
  /**
   * Like `server`, or a designer session from the origin that it is bound to. The session's chart is not checked here.
   */
  editor(asking: ConsoleAsking): Outcome<EditorPrincipal> | Promise<Outcome<EditorPrincipal>>;
  /** A dashboard session only; a key is refused with `forbidden`. */
  dashboard(asking: ServerAsking): Promise<Outcome<DashboardPrincipal>>;
  /** The origin that an embedded session (mse_, dse_) is or was bound to; null for an unknown token. */
  boundOrigin(authorization: string, from: From): Promise<string | null>;
  operator(authorization: string): Outcome<true>;
  /**
   * A publishable key or a buyer's session. Without a credential: 404. With an invalid key or session: 401. From an
   * origin that the key is not registered for, or that the session is not bound to: 403.
   */
  buyer(asking: BuyerAsking): Promise<Outcome<BuyerPrincipal>>;
  /** A buyer's session to this group or season, with the refusals of `buyer`. */
  ownerBuyer(asking: BuyerAsking, owner: OwnerSession['owner']): Promise<Outcome<OwnerBuyerPrincipal>>;
  /** Whether the key or session with this hash is still valid. True if the catalog does not answer. */
  stands(keyHash: string): Promise<boolean>;
  /** The buyer's session with this hash, also after its end. */
  buyerSession(keyHash: string): Promise<Outcome<BuyerSession>>;
  /**
   * Call this before the catalog is asked to mint sessions, and the returned function with each token and session of
   * the answer: they are then known without a lookup.
   */
  minting(): (token: string, session: BuyerSession) => void;
  drop(keyHash: string): void;
  clear(): void;
};

const SECRET_FORM = /^sk_(test|live)_[0-9A-Za-z]{8,128}$/;
const PUBLISHABLE_FORM = /^pk_(test|live)_[0-9A-Za-z]{8,128}$/;

const missingKey = refuse('unauthorized', 'Send a secret key: Authorization: Bearer sk_…');
const unknownKey = refuse('unauthorized', 'This secret key is unknown or revoked. Send a valid key.');
const publishableHere = refuse(
  'unauthorized',
  "This is a publishable key (pk_…), which buyers' browsers send at /pub. Here send a secret key: " +
    'Authorization: Bearer sk_…',
);
const missingSession = refuse('unauthorized', 'Log in, and send the cookie of the session.');
const keyWithoutSession = refuse(
  'forbidden',
  'This call needs a dashboard session, and a key has none. Log in, and send the cookie without an Authorization header.',
);
const endedSession = refuse('unauthorized', 'This session has ended. Log in again.');
const csrfRequired = refuse('csrf_required', 'Send the csrfToken of this session in X-CSRF-Token.');
const wrongKind = refuse(
  'forbidden',
  'This kind of credential cannot be used here. The description at /openapi.json names the kinds for each address.',
);
const badBuyerKey = refuse('buyer_access_invalid', 'This publishable key is unknown or revoked. Send a valid key.');
const secretHere = refuse(
  'buyer_access_invalid',
  'This is a secret key (sk_…): it belongs on your server, at /v1, and never in a browser. Here send a ' +
    'publishable key (pk_…).',
);

const unknownMode = refuse('invalid_request', 'The header Parterre-Mode is "live" or "test", or absent for both.');

/** A page that shows one mode says so, and its calls reach nothing of the other mode. */
function inMode(principal: DashboardPrincipal, mode = ''): Outcome<DashboardPrincipal> {
  if (mode === '') return done(principal);
  return mode === 'live' || mode === 'test' ? done({ ...principal, mode }) : unknownMode;
}

/**
 * `gate` bounds the lookups of unknown tokens by address; null for no bound. `linked`: whether announcements of the
 * catalog can come.
 */
export function createPrincipals(
  catalog: CatalogClient,
  clock: Clock,
  rootTokens: readonly string[],
  gate: LookupGate | null = null,
  linked: () => boolean = () => true,
): Principals {
  const cache = createCredentialCache(catalog, clock, gate, linked);
  // The hashes by header or token. The map remembers no principal.
  const hashes = new RecentMap<string>(clock, { entriesMax: principalCacheEntries, keepMs: principalCacheMs });
  const embedded = createEmbeddedSessions(cache.get, clock, hashes);
  const rootDigests = rootTokens.map(digest);

  function isRoot(token: string): boolean {
    return rootDigests.some((known) => timingSafeEqual(digest(token), known));
  }

  function secret(asking: ServerAsking): Outcome<SecretPrincipal> | Promise<Outcome<SecretPrincipal>> {
    const { authorization } = asking;
    let hash = hashes.get(authorization);
    if (hash === undefined) {
      const token = bearer(authorization);
      if (token === null) return missingKey;
      if (token.startsWith('pk_')) return publishableHere;
      if (!SECRET_FORM.test(token)) return isRoot(token) ? wrongKind : noSecret(token, cache.get, clock, asking);
      hash = sha256(token);
      // A header with blanks around the token is not kept: such headers can be long.
      if (authorization.length === BEARER_LENGTH + token.length) hashes.set(authorization, hash);
    }
    const found = cache.get(hash, asking);
    return found instanceof Promise ? found.then(asSecret) : asSecret(found);
  }

  async function session(asking: ServerAsking, nobody: Outcome<never>): Promise<Outcome<DashboardPrincipal>> {
    const { method, cookie, csrfToken } = asking;
    const token = sessionTokenOf(cookie);
    if (token === null) return nobody;
    const found = await cache.get(sha256(token), asking);
    if (!found.ok) return found.refusal.code === 'unauthorized' ? endedSession : found;
    if (found.value.kind !== 'dashboard' || found.value.expiresAt <= clock.now()) return endedSession;
    if (method !== 'GET' && method !== 'HEAD' && !isCsrfToken(csrfToken, token)) return csrfRequired;
    return inMode(found.value, asking.mode);
  }

  function server(asking: ServerAsking): Outcome<ServerPrincipal> | Promise<Outcome<ServerPrincipal>> {
    const { authorization, cookie } = asking;
    return authorization === '' && cookie !== '' ? session(asking, missingKey) : secret(asking);
  }

  return {
    server,
    async dashboard(asking) {
      if (asking.authorization === '') return session(asking, missingSession);
      const found = await secret(asking);
      return found.ok ? keyWithoutSession : found;
    },
    operator(authorization) {
      const token = bearer(authorization);
      if (token === null) return refuse('unauthorized', 'Send the root token: Authorization: Bearer …');
      if (isRoot(token)) return done(true);
      return SECRET_FORM.test(token)
        ? wrongKind
        : refuse('unauthorized', 'This is not the root token. Send the token that the operator set.');
    },
    console(asking) {
      const token = bearer(asking.authorization);
      return token?.startsWith('mse_') ? embedded.manage(token, asking) : server(asking);
    },
    editor(asking) {
      const token = bearer(asking.authorization);
      return token?.startsWith('dse_') ? embedded.designer(token, asking) : server(asking);
    },
    boundOrigin: (authorization, from) => embedded.boundOrigin(bearer(authorization) ?? '', from),
    async buyer(asking) {
      const token = bearer(asking.authorization);
      if (token === null) return nothingHere;
      if (token.startsWith('sk_')) return secretHere;
      if (token.startsWith('bse_')) return embedded.buyer(token, asking);
      return publishable(token, asking, hashes, cache.get);
    },
    async ownerBuyer(asking, owner) {
      const token = bearer(asking.authorization);
      if (token === null) return nothingHere;
      return token.startsWith('sk_') ? secretHere : embedded.owner(token, asking, owner);
    },
    async stands(keyHash) {
      const found = await cache.get(keyHash, null);
      return found.ok ? isStanding(found.value, clock.now()) : found.refusal.code !== 'unauthorized';
    },
    async buyerSession(keyHash) {
      return asBuyerSession(await cache.get(keyHash, null));
    },
    minting: () => keeperOf(cache.minting(), hashes),
    drop: cache.drop,
    clear: cache.clear,
  };
}

function asBuyerSession(found: Outcome<Principal>): Outcome<BuyerSession> {
  if (found.ok) return found.value.kind === 'buyer' ? done(found.value) : badBuyerKey;
  return found.refusal.code === 'unauthorized' ? badBuyerKey : found;
}

function keeperOf(keep: ReturnType<CredentialCache['minting']>, hashes: RecentMap<string>) {
  return (token: string, session: BuyerSession) => {
    const keyHash = sha256(token);
    hashes.set(token, keyHash);
    keep(keyHash, session);
  };
}

/** For routes that are about the designer session itself. */
export function designerAlone(found: Outcome<EditorPrincipal>): Outcome<DesignerPrincipal> {
  if (!found.ok) return found;
  return found.value.kind === 'designer' ? done(found.value) : wrongKind;
}

async function publishable(
  token: string,
  asking: BuyerAsking,
  hashes: RecentMap<string>,
  resolve: Resolve,
): Promise<Outcome<BuyerPrincipal>> {
  let keyHash = hashes.get(token);
  if (keyHash === undefined) {
    if (!PUBLISHABLE_FORM.test(token)) return badBuyerKey;
    keyHash = sha256(token);
    hashes.set(token, keyHash);
  }
  const found = await resolve(keyHash, asking);
  if (!found.ok) return found.refusal.code === 'unauthorized' ? badBuyerKey : found;
  if (found.value.kind !== 'publishable') return badBuyerKey;
  if (found.value.origins.includes(asking.origin)) return done({ ...found.value, keyHash });
  return refuse(
    'buyer_access_origin_mismatch',
    'This publishable key is not registered for this origin. Register the origin, or use a page of a registered ' +
      'origin.',
  );
}

/**
 * A valid session of a page gets `forbidden` rather than `unauthorized`, so that the page does not take its session for
 * expired.
 */
function noSecret(token: string, resolve: Resolve, clock: Clock, from: From): Outcome<never> | Promise<Outcome<never>> {
  if (!isAnySessionToken(token)) return unknownKey;
  const kindOf = (found: Outcome<Principal>): Outcome<never> => {
    if (!found.ok) return found.refusal.code === 'unauthorized' ? unknownKey : found;
    return isStanding(found.value, clock.now()) ? wrongKind : unknownKey;
  };
  const found = resolve(sha256(token), from);
  return found instanceof Promise ? found.then(kindOf) : kindOf(found);
}

function isStanding(principal: Principal, now: number): boolean {
  if ('revokedAt' in principal && principal.revokedAt !== null) return false;
  return !('expiresAt' in principal) || principal.expiresAt > now;
}

/** The hash of the request's credential. `changed` broadcasts name the credential by this hash. */
export function credentialHash(principal: ConsolePrincipal, authorization: string): string {
  if (principal.kind === 'manage') return principal.keyHash;
  return principal.kind === 'dashboard' ? principal.sessionHash : sha256(bearer(authorization)!);
}

/** When a session expires; null for a key, which does not expire. */
export function endOfAccess(principal: ConsolePrincipal | BuyerPrincipal): number | null {
  return 'expiresAt' in principal ? principal.expiresAt : null;
}

const BEARER_LENGTH = 'Bearer '.length;

function bearer(authorization: string): string | null {
  if (authorization.slice(0, BEARER_LENGTH).toLowerCase() !== 'bearer ') return null;
  return authorization.slice(BEARER_LENGTH).trim() || null;
}

function asSecret(found: Outcome<Principal>): Outcome<SecretPrincipal> {
  if (!found.ok) return found.refusal.code === 'unauthorized' ? unknownKey : found;
  return found.value.kind === 'secret' ? (found as Outcome<SecretPrincipal>) : wrongKind;
}

function digest(token: string): Buffer {
  return hash('sha256', token, 'buffer');
}
