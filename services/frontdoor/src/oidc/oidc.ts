/**
 * Sign-in with OpenID Connect: authorization code with PKCE, `state` and `nonce`. `openid-client` speaks with the
 * issuer and checks its answers, signatures included.
 *
 * States of a sign-in: begun → (at the issuer) → called back → state used → code exchanged → identity known; or
 * refused. A begun sign-in is a sealed cookie in the browser (JWE under a key of the deployment), and nothing on the
 * server. So any front door finishes it, a flood of beginnings fills nothing, and a callback from another browser is
 * refused. The catalog notes the state of a callback before the code goes to the issuer: a replay is refused by every
 * front door.
 *
 * The awaits, each bounded by `issuerAnswerMs`, and at most `issuerCallsAtOnceMax` at once:
 * - The issuer's metadata, which is kept for `metadataKeepMs` and read once by callers at one time. The issuer is away,
 *   hangs or answers nonsense → `issuer_unavailable`; nothing is kept, and the next sign-in asks again.
 * - The exchange of the code, with the issuer's keys, and the user's claims. The issuer refuses, or an answer does not
 *   fit (signature, nonce, audience, issuer, time) → `sign_in_refused`; it is away → `issuer_unavailable`. The code and
 *   the state are used: the person signs in again.
 */
import type { KeyObject } from 'node:crypto';
import type { Role } from '@parterre/shared/protocol/catalog/scope';
import { done, type Outcome, refuse } from '@parterre/shared/protocol/errors';
import type { Clock } from '@parterre/shared/runtime/clock';
import type { Logger } from '@parterre/shared/runtime/log';
import { CompactEncrypt, compactDecrypt } from 'jose';
import * as client from 'openid-client';
import { issuerAnswerMs, issuerCallsAtOnceMax, metadataKeepMs, signInMs } from '../feed-limits.ts';
import { isLoopback, type OidcSettings, returnPath, roleOfGroups } from './rules/oidc-settings.ts';

export { type OidcSettings, readOidcSettings, returnPath } from './rules/oidc-settings.ts';

/** The person whom the issuer knows. `role` is null where groups do not matter. */
type OidcIdentity = { email: string; role: Role | null; createIn: string | null };

export type Oidc = {
  /** The issuer's page, and the sealed cookie of the sign-in. */
  begin(returnTo: string): Promise<Outcome<{ location: string; sealed: string; keepMs: number }>>;
  /** What a sealed cookie says, if it belongs to this callback. */
  open(sealed: string, query: URLSearchParams): Promise<Outcome<BegunSignIn>>;
  finish(begun: BegunSignIn, query: URLSearchParams): Promise<Outcome<OidcIdentity>>;
  /** The issuer's page that ends its own session; null where the issuer has none. */
  logoutUrl(): Promise<string | null>;
};

type BegunSignIn = { state: string; nonce: string; verifier: string; returnTo: string; expiresAt: number };

/** `answerMs`: the time for one answer of the issuer. [`issuerAnswerMs`] */
type OidcParts = { settings: OidcSettings; key: KeyObject; clock: Clock; log: Logger; answerMs?: number };

export function createOidc({ settings, key, clock, log, answerMs = issuerAnswerMs }: OidcParts): Oidc {
  const { redirectUri, scope } = settings;
  let calls = 0;
  let metadata: { config: Promise<client.Configuration>; until: number } | null = null;

  function configuration(): Promise<client.Configuration> {
    if (metadata && clock.elapsed() < metadata.until) return metadata.config;
    const read = { config: discover(settings, answerMs), until: clock.elapsed() + metadataKeepMs };
    metadata = read;
    read.config.catch(() => {
      if (metadata === read) metadata = null;
    });
    return read.config;
  }

  /** Runs a call to the issuer. Every failure becomes a refusal, and the log has its cause. */
  async function ask<T>(work: (config: client.Configuration) => Promise<Outcome<T>>): Promise<Outcome<T>> {
    if (calls >= issuerCallsAtOnceMax) return busy;
    calls++;
    let config: client.Configuration | null = null;
    try {
      config = await configuration();
      return await work(config);
    } catch (error) {
      const refused = config === null ? away : refusalOf(error);
      log.warn({ err: error, issuer: settings.issuer.href, reason: refused.refusal.reason }, 'a sign-in failed');
      return refused;
    } finally {
      calls--;
    }
  }

  return {
    begin: (returnTo) =>
      ask(async (config) => {
        const verifier = client.randomPKCECodeVerifier();
        const [state, nonce] = [client.randomState(), client.randomNonce()];
        const location = client.buildAuthorizationUrl(config, {
          redirect_uri: redirectUri.href,
          scope,
          state,
          nonce,
          code_challenge: await client.calculatePKCECodeChallenge(verifier),
          code_challenge_method: 'S256',
        });
        const expiresAt = clock.now() + signInMs;
        const begun: BegunSignIn = { state, nonce, verifier, returnTo: returnPath(returnTo), expiresAt };
        return done({ location: location.href, sealed: await seal(begun, key), keepMs: signInMs });
      }),

    async open(sealed, query) {
      const begun = await unseal(sealed, key);
      const isOwn = begun !== null && begun.state === query.get('state') && clock.now() < begun.expiresAt;
      return isOwn ? done(begun) : foreignState;
    },

    finish: (begun, query) => ask((config) => identityBy(config, settings, begun, query)),

    async logoutUrl() {
      const ended = await ask(async (config) => {
        if (config.serverMetadata().end_session_endpoint === undefined) return done(null);
        const home = new URL('/', redirectUri).href;
        return done(client.buildEndSessionUrl(config, { post_logout_redirect_uri: home }).href);
      });
      return ended.ok ? ended.value : null;
    },
  };
}

/** Exchanges the code, and reads the claims of the person. */
async function identityBy(
  config: client.Configuration,
  settings: OidcSettings,
  { state, nonce, verifier }: BegunSignIn,
  query: URLSearchParams,
): Promise<Outcome<OidcIdentity>> {
  const address = new URL(settings.redirectUri);
  address.search = query.toString();
  const tokens = await client.authorizationCodeGrant(config, address, {
    pkceCodeVerifier: verifier,
    expectedState: state,
    expectedNonce: nonce,
    idTokenExpected: true,
  });
  const told = tokens.claims()!;
  const needsMore = told.email === undefined && config.serverMetadata().userinfo_endpoint !== undefined;
  const more = needsMore ? await client.fetchUserInfo(config, tokens.access_token, told.sub) : {};
  return identityOf({ ...more, ...told }, settings);
}

function discover({ issuer, clientId, clientSecret }: OidcSettings, answerMs: number): Promise<client.Configuration> {
  const execute = [client.enableNonRepudiationChecks, ...(isLoopback(issuer) ? [client.allowInsecureRequests] : [])];
  const authentication = clientSecret === null ? client.None() : client.ClientSecretBasic(clientSecret);
  const timeout = answerMs / 1000;
  return client.discovery(issuer, clientId, undefined, authentication, { execute, timeout });
}

function identityOf(claims: Record<string, unknown>, settings: OidcSettings): Outcome<OidcIdentity> {
  const { rolesByGroup, groupsClaim, createIn } = settings;
  if (typeof claims.email !== 'string' || claims.email_verified !== true) {
    return refuse(
      'sign_in_refused',
      'Your issuer has not verified your email address. Verify it there, and sign in again.',
      {
        reason: 'email_unverified',
      },
    );
  }
  const email = claims.email.trim().toLowerCase();
  const role = rolesByGroup && roleOfGroups(rolesByGroup, claims[groupsClaim]);
  if (rolesByGroup && role === null) {
    return refuse('sign_in_refused', 'None of your groups has a role here. Ask an owner of your organisation.', {
      reason: 'role_missing',
    });
  }
  return done({ email, role, createIn: createIn.get(email.slice(email.lastIndexOf('@') + 1)) ?? null });
}

async function seal(begun: BegunSignIn, key: KeyObject): Promise<string> {
  const text = new TextEncoder().encode(JSON.stringify(begun));
  return new CompactEncrypt(text).setProtectedHeader({ alg: 'dir', enc: 'A256GCM' }).encrypt(key);
}

/** Null for a text that this deployment has not sealed. */
async function unseal(sealed: string, key: KeyObject): Promise<BegunSignIn | null> {
  try {
    const options = { keyManagementAlgorithms: ['dir'], contentEncryptionAlgorithms: ['A256GCM'] };
    const { plaintext } = await compactDecrypt(sealed, key, options);
    return JSON.parse(new TextDecoder().decode(plaintext));
  } catch {
    // Another key, or no JWE: a foreign or damaged cookie.
    return null;
  }
}

const busy = refuse('overloaded', 'Too many sign-ins at once. Try again.', { retryable: true });
const away = refuse(
  'issuer_unavailable',
  'The issuer of sign-ins does not answer, or answers in no known form. Try again.',
  {
    retryable: true,
  },
);
const foreignState = refuse(
  'sign_in_refused',
  'This sign-in was not begun in this browser, is over, or took too long. Sign in again.',
  { reason: 'state_invalid' },
);
const refusedThere = refuse('sign_in_refused', 'The issuer has refused the sign-in. Sign in again.', {
  reason: 'issuer_refused',
});
const wrongAnswer = refuse(
  'sign_in_refused',
  'The answer of the issuer does not fit this sign-in, or is not signed by the issuer. Sign in again.',
  { reason: 'issuer_answer_invalid' },
);

/** Failures of one kind are no answer at all, an answer in no known form, or a judgement about this sign-in. */
function refusalOf(error: unknown): ReturnType<typeof refuse> {
  if (error instanceof client.AuthorizationResponseError || error instanceof client.ResponseBodyError)
    return refusedThere;
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const isJudgement = code === 'OAUTH_INVALID_RESPONSE' || code.startsWith('OAUTH_JWT_') || judgements.has(code);
  return isJudgement ? wrongAnswer : away;
}

const judgements = new Set(['OAUTH_KEY_SELECTION_FAILED', 'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED']);
