/**
 * Sign-in to the dashboard with OpenID Connect. A browser comes here by a link, goes to the issuer, and comes back with
 * a code (oidc/oidc.ts). The end is the same session as of a login with a password: the cookie, and the CSRF token that
 * `GET /v1/dashboard/me` gives.
 */
import { done } from '@parterre/shared/protocol/errors';
import { sha256 } from '@parterre/shared/protocol/ids';
import { z } from 'zod';
import { budgets, endedSignIn, sessionCookie, signInCookie, signInOf } from '../admission/admission.ts';
import { type Header, Prepared } from '../answers/answers.ts';
import { returnPath } from '../oidc/oidc.ts';
import { text } from './calls/query.ts';
import { openRoute } from './calls/route.ts';
import { signInFrom } from './dashboard.ts';

const FOUND = 302;

const returnTo = text('A path of this server to return to; `/` for anything else.');

const begin = openRoute(
  'GET /v1/dashboard/oidc/login',
  {
    budget: budgets.logins,
    answer: null,
    status: FOUND,
    query: z.object({ returnTo }),
    description: {
      operationId: 'beginOidcSignIn',
      tag: 'Dashboard',
      summary: 'Sign in with OpenID Connect',
      description:
        "A link for a browser: it goes on to the page of the deployment's issuer. Without an issuer in the settings it " +
        'returns at once, with `signIn=off`.',
      headers: ['Location'],
      refusals: ['issuer_unavailable', 'overloaded'],
      examples: [{ summary: 'From the console', query: { returnTo: '/console' } }],
    },
  },
  async ({ ports, query }) => {
    if (ports.oidc === null) return done(redirect(isOff(query.returnTo)));
    const begun = await ports.oidc.begin(query.returnTo ?? '/');
    if (!begun.ok) return begun;
    const { location, sealed, keepMs } = begun.value;
    return done(redirect(location, [['Set-Cookie', signInCookie(sealed, keepMs)]]));
  },
);

const finish = openRoute(
  'GET /v1/dashboard/oidc/callback',
  {
    budget: budgets.logins,
    answer: null,
    status: FOUND,
    query: z.object({
      code: text('The code of the issuer.'),
      state: text('The state of the begun sign-in.'),
      iss: text('The issuer, where it tells it.'),
      error: text('The refusal of the issuer.'),
      error_description: text('The words of this refusal.'),
      session_state: text('Not used.'),
    }),
    description: {
      operationId: 'finishOidcSignIn',
      tag: 'Dashboard',
      summary: 'Come back from the issuer',
      description:
        'The issuer sends the browser here. A user whose verified email is known gets the session cookie, and returns to ' +
        'the page. `reason` tells why a sign-in is refused: `state_invalid`, `issuer_refused`, `issuer_answer_invalid`, ' +
        '`email_unverified`, `user_unknown`, `role_missing`. A state works once, in the browser that began.',
      headers: ['Location'],
      refusals: ['sign_in_refused', 'forbidden', 'issuer_unavailable', 'catalog_unavailable', 'overloaded'],
      examples: [{ summary: 'With a code', query: { code: 'c0de', state: 'st4te' } }],
    },
  },
  async ({ ports, request }) => {
    const { oidc, catalog, clock } = ports;
    if (oidc === null) return done(redirect(isOff(undefined)));
    const begun = await oidc.open(signInOf(request.cookie) ?? '', request.query);
    if (!begun.ok) return begun;
    const { state, expiresAt, returnTo: path } = begun.value;
    const used = await catalog('sign-ins.use', { stateHash: sha256(state), expiresAt });
    if (!used.ok) return used;
    const identity = await oidc.finish(begun.value, request.query);
    if (!identity.ok) return identity;
    const opened = await catalog('sessions.open-external', { ...identity.value, ...signInFrom(request) });
    if (!opened.ok) return opened;
    const cookie = sessionCookie(opened.value.token, opened.value.expiresAt - clock.now());
    return done(
      redirect(path, [
        ['Set-Cookie', cookie],
        ['Set-Cookie', endedSignIn],
      ]),
    );
  },
);

function isOff(returnTo: string | undefined): string {
  const path = returnPath(returnTo);
  const [before = '/', fragment] = path.split('#');
  return `${before}${before.includes('?') ? '&' : '?'}signIn=off${fragment === undefined ? '' : `#${fragment}`}`;
}

function redirect(location: string, headers: readonly Header[] = []): Prepared {
  return new Prepared(FOUND, [['Location', location], ...headers], '');
}

export const oidcRoutes = [begin, finish];
