/**
 * Who a bearer token or the cookie of a dashboard session stands for; a bearer token wins. Tokens are looked up by their SHA-256 only,
 * and principals are kept for `principalCacheMs` at most; a revocation is broadcast and drops the entry at once. After the link to NATS
 * was lost, broadcasts may have been missed, so that everything is asked again.
 *
 * The hashes of keys and tokens that were seen lately are remembered, a secret key's by the header it came in, since a busy one's would
 * else be worked out for every request. A hash says nothing of whether the key or session stands.
 */
import { hash, timingSafeEqual } from 'node:crypto';
import type { Principal } from '@parterre/shared/catalog/scope';
import type { CatalogClient } from '@parterre/shared/catalog-client';
import type { Clock } from '@parterre/shared/clock';
import { done, type Outcome, refuse } from '@parterre/shared/errors';
import { sha256 } from '@parterre/shared/ids';
import { principalCacheEntries, principalCacheMs } from '@parterre/shared/limits';
import { RecentMap } from '@parterre/shared/recent-map';
import { isAnySessionToken } from '@parterre/shared/session-tokens';
import { nothingHere } from '../answers/answer.ts';
import { createLoadingCache } from '../caches/loading-cache.ts';
import { createEmbeddedSessions, type Resolve } from './embedded-sessions.ts';
import { isCsrfToken, sessionTokenOf } from './session-cookie.ts';

export type SecretPrincipal = Extract<Principal, { kind: 'secret' }>;
export type DashboardPrincipal = Extract<Principal, { kind: 'dashboard' }>;
/** Who may use the routes of servers and consoles. */
export type ServerPrincipal = SecretPrincipal | DashboardPrincipal;
/** `keyHash` names a key or session in `changed` broadcasts. */
export type Hashed<P> = P & { keyHash: string };
export type ManagePrincipal = Hashed<Extract<Principal, { kind: 'manage' }>>;
/** Who may use the routes of one event's inventory: a manage session those that its capabilities name. */
export type ConsolePrincipal = ServerPrincipal | ManagePrincipal;
export type DesignerPrincipal = Hashed<Extract<Principal, { kind: 'designer' }>>;
/** Who may use the routes of one chart: a designer those that its authority goes to. */
export type EditorPrincipal = ServerPrincipal | DesignerPrincipal;
export type BuyerPrincipal = Hashed<Extract<Principal, { kind: 'publishable' | 'buyer' }>>;

/** What of a request says who asks. */
export type ServerAsking = { method: string; authorization: string; cookie: string; csrfToken: string };
export type ConsoleAsking = ServerAsking & { origin: string };

export type Principals = {
  /**
   * Refused with `unauthorized`, with `forbidden` for a credential of another kind, or with `csrf_required` for a write with
   * a cookie and without the token that belongs to it.
   */
  server(asking: ServerAsking): Outcome<ServerPrincipal> | Promise<Outcome<ServerPrincipal>>;
  /** The same, or a manage session that is used from the origin it is bound to; what it may do is not looked at here. */
  console(asking: ConsoleAsking): Outcome<ConsolePrincipal> | Promise<Outcome<ConsolePrincipal>>;
  /** The same for a designer session; which chart it is of is not looked at here. */
  editor(asking: ConsoleAsking): Outcome<EditorPrincipal> | Promise<Outcome<EditorPrincipal>>;
  /** The same for a session alone: a key is refused with `forbidden`. */
  dashboard(asking: ServerAsking): Promise<Outcome<DashboardPrincipal>>;
  /** The origin that an embedded session (mse_, dse_) is or was bound to; null where its token is not known. */
  boundOrigin(authorization: string): Promise<string | null>;
  operator(authorization: string): Outcome<true>;
  /** Wire contract 7: nothing at all is 404, a bad key or session 401, another origin than it is registered for or bound to 403. */
  buyer(authorization: string, origin: string): Promise<Outcome<BuyerPrincipal>>;
  /** Whether the key or session behind a hash still stands; unknown counts as yes. */
  stands(keyHash: string): Promise<boolean>;
  drop(keyHash: string): void;
  clear(): void;
};

const SECRET_FORM = /^sk_(test|live)_[0-9A-Za-z]{8,128}$/;
const PUBLISHABLE_FORM = /^pk_(test|live)_[0-9A-Za-z]{8,128}$/;

const missingKey = refuse('unauthorized', 'Send a secret key: Authorization: Bearer sk_…');
const unknownKey = refuse('unauthorized', 'This secret key is not known, or was revoked.');
const publishableHere = refuse(
  'unauthorized',
  "This is a publishable key (pk_…), which buyers' browsers send at /pub. Here send a secret key: Authorization: Bearer sk_…",
);
const missingSession = refuse('unauthorized', 'Log in, and send the cookie that you get.');
const keyWithoutSession = refuse('forbidden', 'A key has no session: send the cookie, and no Authorization header.');
const endedSession = refuse('unauthorized', 'This session has ended. Log in again.');
const csrfRequired = refuse('csrf_required', 'Send the csrfToken of this session in X-CSRF-Token.');
const wrongKind = refuse('forbidden', 'This credential has no authority here.');
const badBuyerKey = refuse('buyer_access_invalid', 'This publishable key is not known, or was revoked.');
const secretHere = refuse(
  'buyer_access_invalid',
  'This is a secret key (sk_…): it belongs on your server, at /v1, and never in a browser. Here send a publishable key (pk_…).',
);

export function createPrincipals(catalog: CatalogClient, clock: Clock, rootToken: string | null): Principals {
  const cache = createLoadingCache<Principal>(
    clock,
    { entriesMax: principalCacheEntries, keepMs: principalCacheMs },
    (hash) => catalog('credentials.resolve', { hash }),
  );
  // By header or token. What is remembered is which hash a text has, and never what it stands for.
  const hashes = new RecentMap<string>(clock, { entriesMax: principalCacheEntries, keepMs: principalCacheMs });
  const embedded = createEmbeddedSessions(cache.get, clock, hashes);
  const rootDigest = rootToken === null ? null : digest(rootToken);

  function isRoot(token: string): boolean {
    return rootDigest !== null && timingSafeEqual(digest(token), rootDigest);
  }

  function secret(authorization: string): Outcome<SecretPrincipal> | Promise<Outcome<SecretPrincipal>> {
    let hash = hashes.get(authorization);
    if (hash === undefined) {
      const token = bearer(authorization);
      if (token === null) return missingKey;
      if (token.startsWith('pk_')) return publishableHere;
      if (!SECRET_FORM.test(token)) return isRoot(token) ? wrongKind : noSecret(token, cache.get, clock);
      hash = sha256(token);
      // Not with blanks around the token: such headers can be long.
      if (authorization.length === BEARER_LENGTH + token.length) hashes.set(authorization, hash);
    }
    const found = cache.get(hash);
    return found instanceof Promise ? found.then(asSecret) : asSecret(found);
  }

  async function session(asking: ServerAsking, nobody: Outcome<never>): Promise<Outcome<DashboardPrincipal>> {
    const { method, cookie, csrfToken } = asking;
    const token = sessionTokenOf(cookie);
    if (token === null) return nobody;
    const found = await cache.get(sha256(token));
    if (!found.ok) return found.refusal.code === 'unauthorized' ? endedSession : found;
    if (found.value.kind !== 'dashboard' || found.value.expiresAt <= clock.now()) return endedSession;
    if (method !== 'GET' && method !== 'HEAD' && !isCsrfToken(csrfToken, token)) return csrfRequired;
    return done(found.value);
  }

  function server(asking: ServerAsking): Outcome<ServerPrincipal> | Promise<Outcome<ServerPrincipal>> {
    const { authorization, cookie } = asking;
    return authorization === '' && cookie !== '' ? session(asking, missingKey) : secret(authorization);
  }

  return {
    server,
    async dashboard(asking) {
      if (asking.authorization === '') return session(asking, missingSession);
      const holder = await secret(asking.authorization);
      return holder.ok ? keyWithoutSession : holder;
    },
    operator(authorization) {
      const token = bearer(authorization);
      if (token === null) return refuse('unauthorized', 'Send the root token: Authorization: Bearer …');
      if (isRoot(token)) return done(true);
      return SECRET_FORM.test(token) ? wrongKind : refuse('unauthorized', 'This is not the root token.');
    },
    console(asking) {
      const token = bearer(asking.authorization);
      return token?.startsWith('mse_') ? embedded.manage(token, asking.origin) : server(asking);
    },
    editor(asking) {
      const token = bearer(asking.authorization);
      return token?.startsWith('dse_') ? embedded.designer(token, asking.origin) : server(asking);
    },
    boundOrigin: (authorization) => embedded.boundOrigin(bearer(authorization) ?? ''),
    async buyer(authorization, origin) {
      const token = bearer(authorization);
      if (token === null) return nothingHere;
      if (token.startsWith('sk_')) return secretHere;
      if (token.startsWith('bse_')) return embedded.buyer(token, origin);
      return publishable(token, origin, hashes, cache.get);
    },
    async stands(keyHash) {
      const found = await cache.get(keyHash);
      if (found.ok) return isStanding(found.value, clock.now());
      return found.refusal.code !== 'unauthorized';
    },
    drop: cache.drop,
    clear: cache.clear,
  };
}

async function publishable(
  token: string,
  origin: string,
  hashes: RecentMap<string>,
  resolve: Resolve,
): Promise<Outcome<BuyerPrincipal>> {
  let keyHash = hashes.get(token);
  if (keyHash === undefined) {
    if (!PUBLISHABLE_FORM.test(token)) return badBuyerKey;
    keyHash = sha256(token);
    hashes.set(token, keyHash);
  }
  const found = await resolve(keyHash);
  if (!found.ok) return found.refusal.code === 'unauthorized' ? badBuyerKey : found;
  if (found.value.kind !== 'publishable') return badBuyerKey;
  if (found.value.origins.includes(origin)) return done({ ...found.value, keyHash });
  return refuse('buyer_access_origin_mismatch', 'This publishable key is not registered for this origin.');
}

/** A session of a page hears that it has no authority while it stands, so that its page does not take it for over. */
function noSecret(token: string, resolve: Resolve, clock: Clock): Outcome<never> | Promise<Outcome<never>> {
  if (!isAnySessionToken(token)) return unknownKey;
  const kindOf = (found: Outcome<Principal>): Outcome<never> =>
    found.ok && isStanding(found.value, clock.now()) ? wrongKind : unknownKey;
  const found = resolve(sha256(token));
  return found instanceof Promise ? found.then(kindOf) : kindOf(found);
}

function isStanding(holder: Principal, now: number): boolean {
  if ('revokedAt' in holder && holder.revokedAt !== null) return false;
  return !('expiresAt' in holder) || holder.expiresAt > now;
}

/** The hash of the credential that a request came with, which names it in `changed` broadcasts. */
export function credentialHash(principal: ConsolePrincipal, authorization: string): string {
  if (principal.kind === 'manage') return principal.keyHash;
  return principal.kind === 'dashboard' ? principal.sessionHash : sha256(bearer(authorization)!);
}

/** When a session ends by itself; null for a key, which does not. */
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
