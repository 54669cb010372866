/** Sign-in with OpenID Connect, through the routes of the front door, at a real issuer on loopback. */
import { createSecretKey, randomBytes } from 'node:crypto';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { done, type Outcome, refuse } from '@parterre/shared/protocol/errors';
import { createLog } from '@parterre/shared/runtime/log';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { Prepared } from '../../../services/frontdoor/src/answers/answers.ts';
import { oidcRoutes } from '../../../services/frontdoor/src/api/oidc.ts';
import { createOidc, type Oidc, readOidcSettings } from '../../../services/frontdoor/src/oidc/oidc.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { type Issuer, openIssuer } from '../../support/servers/issuer.ts';

const redirectUri = 'https://box.example/v1/dashboard/oidc/callback';
const key = createSecretKey(randomBytes(32));
const ada = { email: 'Ada@theatre.example', email_verified: true, groups: ['tellers', 'others'] };
const log = createLog('test', 'silent');

let issuer: Issuer;
let clock: ManualClock;
let asked: Record<string, unknown>[];
const used = new Set<unknown>();

beforeAll(async () => {
  issuer = await openIssuer(redirectUri);
});
afterAll(() => issuer?.stop());
beforeEach(() => {
  // The issuer's tokens have the time of this machine.
  clock = new ManualClock(Date.now());
  asked = [];
  issuer.person = ada;
});

function oidcOf(more: object = {}, ownKey = key, answerMs = 3_000): Oidc {
  const settings = readOidcSettings({
    issuer: issuer.url,
    clientId: 'parterre',
    clientSecret: 'a secret of the client',
    redirectUri,
    scope: '',
    groupsClaim: '',
    roles: 'tellers=box_office',
    createIn: 'theatre.example=org_1',
    ...more,
  });
  if (settings === null || 'fault' in settings) throw new Error(`no settings: ${settings?.fault}`);
  return createOidc({ settings, key: ownKey, clock, log, answerMs });
}

/** The catalog notes each state once, and opens a session for everybody. */
async function catalog(operation: string, input: Record<string, unknown>): Promise<Outcome<unknown>> {
  if (operation === 'sign-ins.use') {
    const isNew = !used.has(input.stateHash);
    used.add(input.stateHash);
    return isNew ? done({ ok: true }) : refuse('sign_in_refused', 'used', { reason: 'state_invalid' });
  }
  asked.push(input);
  return done({ token: `dss_${'a'.repeat(43)}`, expiresAt: clock.now() + 1_000 });
}

type Answered = { location: string; cookies: string[]; reason: string | null; code: string | null };

async function call(
  oidc: Oidc | null,
  route: 'login' | 'callback',
  query: URLSearchParams,
  cookie = '',
): Promise<Answered> {
  const { handle } = oidcRoutes.find(({ path }) => path.endsWith(route))!;
  const request = {
    query,
    cookie,
    address: () => '198.51.100.7',
    userAgent: 'Firefox',
    deadlineAt: Infinity,
    requestId: 'r',
  };
  const ports = { oidc, catalog, clock };
  const given = { ports, request, principal: null, query: Object.fromEntries(query) };
  const outcome = (await handle(given as never)) as Outcome<Prepared>;
  if (!outcome.ok) {
    const { code, reason = null } = outcome.refusal;
    return { location: '', cookies: [], reason, code };
  }
  const valuesOf = (name: string) => outcome.value.headers.filter(([each]) => each === name).map(([, value]) => value);
  return { location: valuesOf('Location')[0]!, cookies: valuesOf('Set-Cookie'), reason: null, code: null };
}

async function begin(oidc: Oidc, returnTo = '/console'): Promise<{ location: string; cookie: string }> {
  const begun = await call(oidc, 'login', new URLSearchParams({ returnTo }));
  expect(begun.code).toBeNull();
  return { location: begun.location, cookie: begun.cookies[0]!.split(';')[0]! };
}

async function signIn(oidc: Oidc, returnTo?: string): Promise<Answered> {
  const { location, cookie } = await begin(oidc, returnTo);
  const back = await issuer.signIn(location, redirectUri);
  return call(oidc, 'callback', back.searchParams, cookie);
}

it('a person comes back with the session cookie of a login, with the role of the groups, to the page', async () => {
  const oidc = oidcOf();
  const { location } = await begin(oidc);
  const { searchParams } = new URL(location);
  expect(Object.fromEntries(searchParams)).toMatchObject({ code_challenge_method: 'S256', redirect_uri: redirectUri });
  for (const name of ['state', 'nonce', 'code_challenge']) expect(searchParams.get(name)!.length).toBeGreaterThan(40);
  const back = await signIn(oidc, '/console?event=gala');
  expect(back.location).toBe('/console?event=gala');
  expect(back.cookies[0]).toMatch(
    /^__Host-parterre_session=dss_a{43}; Max-Age=1; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
  );
  expect(back.cookies[1]).toMatch(/^__Host-parterre_sign_in=; Max-Age=0; /);
  const from = { network: '198.51.100.0/24', address: '198.51.100.7', userAgent: 'Firefox' };
  expect(asked).toEqual([{ email: 'ada@theatre.example', role: 'box_office', createIn: 'org_1', ...from }]);
  expect(await oidc.logoutUrl()).toContain(`${issuer.url}/session/end?`);
});

it('no sign-in returns to another server', async () => {
  for (const returnTo of ['https://evil.example/', '//evil.example', '/\\evil.example']) {
    expect((await signIn(oidcOf(), returnTo)).location).toBe('/');
    expect((await call(null, 'login', new URLSearchParams({ returnTo }))).location).toBe('/?signIn=off');
  }
});

it.each([
  ['an unverified email', { ...ada, email_verified: false }, 'email_unverified'],
  ['an email that the issuer says nothing of', { email: ada.email, groups: ada.groups }, 'email_unverified'],
  ['no email', { groups: ada.groups }, 'email_unverified'],
  ['no group with a role', { ...ada, groups: ['others'] }, 'role_missing'],
])('a person with %s is refused', async (_, person, reason) => {
  issuer.person = person;
  expect(await signIn(oidcOf())).toMatchObject({ code: 'sign_in_refused', reason });
  expect(asked).toEqual([]);
});

it('a state works once, in its own browser, in time, and under the key of the deployment', async () => {
  const oidc = oidcOf();
  const { location, cookie } = await begin(oidc);
  const another = await begin(oidc);
  const { searchParams } = await issuer.signIn(location, redirectUri);
  const refused = { code: 'sign_in_refused', reason: 'state_invalid' };
  expect(await call(oidc, 'callback', searchParams)).toMatchObject(refused);
  expect(await call(oidc, 'callback', searchParams, another.cookie)).toMatchObject(refused);
  expect(await call(oidc, 'callback', searchParams, `${cookie}; ${another.cookie}`)).toMatchObject(refused);
  expect(await call(oidc, 'callback', searchParams, `${cookie.slice(0, -2)}xx`)).toMatchObject(refused);
  expect(await call(oidcOf({}, createSecretKey(randomBytes(32))), 'callback', searchParams, cookie)).toMatchObject(
    refused,
  );
  expect((await call(oidc, 'callback', searchParams, cookie)).location).toBe('/console');
  expect(await call(oidc, 'callback', searchParams, cookie)).toMatchObject(refused);
  clock.advance(600_000);
  expect(await call(oidc, 'callback', searchParams, another.cookie)).toMatchObject(refused);
});

it('a code of somebody else, and a refusal of the issuer, open nothing', async () => {
  const oidc = oidcOf();
  const { location, cookie } = await begin(oidc);
  const { searchParams } = await issuer.signIn(location, redirectUri);
  searchParams.set('code', 'not-a-code');
  expect(await call(oidc, 'callback', searchParams, cookie)).toMatchObject({ reason: 'issuer_refused' });
  const again = await begin(oidc);
  const state = new URL(again.location).searchParams.get('state')!;
  const denied = new URLSearchParams({ error: 'access_denied', state, iss: issuer.url });
  expect(await call(oidc, 'callback', denied, again.cookie)).toMatchObject({ reason: 'issuer_refused' });
  const foreign = await begin(oidc);
  const back = (await issuer.signIn(foreign.location, redirectUri)).searchParams;
  back.set('iss', 'https://evil.example');
  expect(await call(oidc, 'callback', back, foreign.cookie)).toMatchObject({ reason: 'issuer_answer_invalid' });
  expect(asked).toEqual([]);
});

/** A server on loopback that answers as `listener` does. */
async function withServer(listener: RequestListener, use: (url: string) => Promise<void>): Promise<void> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

it('an issuer that lies about a token is refused, and one that is away or answers nonsense is told', async () => {
  const answers: Record<string, unknown> = {};
  const forged: RequestListener = (request, response) => {
    const path = request.url!.split('?')[0]!;
    const answer = answers[path];
    response.writeHead(answer === undefined ? 404 : 200, { 'Content-Type': 'application/json' });
    response.end(JSON.stringify(answer ?? {}));
  };
  await withServer(forged, async (url) => {
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    answers['/.well-known/openid-configuration'] = {
      issuer: url,
      authorization_endpoint: `${url}/auth`,
      token_endpoint: `${url}/token`,
      jwks_uri: `${url}/keys`,
    };
    answers['/keys'] = { keys: [] };
    const oidc = oidcOf({ issuer: url });
    const { location, cookie } = await begin(oidc);
    const asking = new URL(location).searchParams;
    const now = Math.floor(clock.now() / 1000);
    const claims = { iss: url, aud: 'parterre', sub: 'x', iat: now, exp: now + 60, nonce: asking.get('nonce'), ...ada };
    const forgedToken = `${part({ alg: 'RS256', kid: '1' })}.${part(claims)}.${'A'.repeat(342)}`;
    answers['/token'] = { access_token: 'a', token_type: 'Bearer', id_token: forgedToken };
    const back = new URLSearchParams({ code: 'c', state: asking.get('state')! });
    expect(await call(oidc, 'callback', back, cookie)).toMatchObject({
      code: 'sign_in_refused',
      reason: 'issuer_answer_invalid',
    });
    expect(asked).toEqual([]);
    answers['/.well-known/openid-configuration'] = { issuer: 'https://evil.example' };
    expect(await call(oidcOf({ issuer: url }), 'login', new URLSearchParams())).toMatchObject({
      code: 'issuer_unavailable',
    });
  });
  expect(await call(oidcOf({ issuer: 'http://127.0.0.1:9' }), 'login', new URLSearchParams())).toMatchObject({
    code: 'issuer_unavailable',
  });
});

it('a hung issuer holds a sign-in for a bounded time, and later sign-ins ask again', async () => {
  let hangs = true;
  const hung: RequestListener = (request, response) => {
    if (!hangs) response.writeHead(302, { Location: issuer.url + request.url }).end();
  };
  await withServer(hung, async (url) => {
    const oidc = oidcOf({ issuer: url }, key, 200);
    const outcomes = await Promise.all([1, 2].map(() => call(oidc, 'login', new URLSearchParams())));
    expect(outcomes.map(({ code }) => code)).toEqual(['issuer_unavailable', 'issuer_unavailable']);
    hangs = false;
    expect((await call(oidc, 'login', new URLSearchParams())).code).toBe('issuer_unavailable');
  });
});
