/** The principals that a front door caches, over a catalog that counts its lookups. */
import type { Principal } from '@parterre/shared/catalog/scope';
import type { CatalogClient } from '@parterre/shared/catalog-client';
import { done, refuse } from '@parterre/shared/errors';
import { sha256 } from '@parterre/shared/ids';
import { newSessionToken } from '@parterre/shared/session-tokens';
import { beforeEach, describe, expect, test } from 'vitest';
import { createPrincipals, type Principals } from '../../../services/frontdoor/src/admission/principals.ts';
import { csrfTokenOf } from '../../../services/frontdoor/src/admission/session-cookie.ts';
import { ManualClock } from '../../support/manual-clock.ts';

const key = `sk_test_${'k'.repeat(32)}`;
const token = `dss_${'s'.repeat(43)}`;
const cookie = `__Host-parterre_session=${token}`;
const blank = { method: 'GET', authorization: '', cookie: '', csrfToken: '' };

let clock: ManualClock;
let asked: number;
let standing: Map<string, Principal>;
let principals: Principals;

beforeEach(() => {
  clock = new ManualClock();
  asked = 0;
  const whose = { organisationId: 'org_1' };
  standing = new Map<string, Principal>([
    [sha256(key), { kind: 'secret', keyId: 'key_1', ...whose, mode: 'test', environment: null, workspaceId: null }],
    [
      sha256(token),
      {
        kind: 'dashboard',
        sessionHash: sha256(token),
        userId: 'usr_1',
        ...whose,
        role: 'member',
        expiresAt: clock.now() + 20_000,
      },
    ],
  ]);
  const catalog = (async (_operation: string, { hash }: { hash: string }) => {
    asked++;
    const principal = standing.get(hash);
    return principal ? done(principal) : refuse('unauthorized', 'unknown');
  }) as unknown as CatalogClient;
  principals = createPrincipals(catalog, clock, 'r'.repeat(40));
});

const kindOf = async (more: Partial<typeof blank>) => {
  const found = await principals.server({ ...blank, ...more });
  return found.ok ? found.value.kind : found.refusal.code;
};

test('a key and a session are looked up once, then known', async () => {
  for (let i = 0; i < 100; i++) {
    expect(await kindOf({ authorization: `Bearer ${key}` })).toBe('secret');
    expect(await kindOf({ cookie })).toBe('dashboard');
  }
  expect(asked).toBe(2);
});

test('a key of the other kind is told where it belongs, without a lookup', async () => {
  const publishable = `pk_test_${'p'.repeat(32)}`;
  expect(await principals.server({ ...blank, authorization: `Bearer ${publishable}` })).toMatchObject({
    refusal: { code: 'unauthorized', message: expect.stringMatching(/publishable key.*\/pub.*secret key/) },
  });
  expect(await principals.buyer(`Bearer ${key}`, 'https://shop.example')).toMatchObject({
    refusal: { code: 'buyer_access_invalid', message: expect.stringMatching(/secret key.*\/v1.*publishable key/) },
  });
  expect(asked).toBe(0);
});

test('the session of a page has no authority on server routes while it is valid, and is unknown afterwards', async () => {
  const session = newSessionToken('mse');
  const authorization = `Bearer ${session}`;
  expect(await kindOf({ authorization })).toBe('unauthorized');
  standing.set(sha256(session), {
    kind: 'manage',
    sessionId: 'ses_1',
    organisationId: 'org_1',
    workspaceId: 'ws_1',
    mode: 'test',
    eventKey: 'gala',
    origin: 'https://shop.example',
    capabilities: ['event:view'],
    expiresAt: clock.now() + 20_000,
    revokedAt: null,
  });
  expect(await kindOf({ authorization })).toBe('forbidden');
  clock.advance(20_000);
  expect(await kindOf({ authorization })).toBe('unauthorized');
  expect(await kindOf({ authorization: `Bearer mse_${'x'.repeat(38)}` })).toBe('unauthorized');
});

test('the principal of a known token is looked up each time, so an announced end counts at once', async () => {
  const session = newSessionToken('bse');
  const from = 'https://shop.example';
  standing.set(sha256(session), {
    ...{
      kind: 'buyer',
      sessionId: 'ses_1',
      organisationId: 'org_1',
      workspaceId: 'ws_1',
      mode: 'test',
      eventKey: 'gala',
    },
    ...{ origin: from, channelIds: [], includePublic: true, maxQuantity: null, buyerRef: null, partnerRef: null },
    ...{ accessSource: 'partner', expiresAt: clock.now() + 20_000, revokedAt: null },
  });
  const codeOf = async (token: string, origin = from) => {
    const found = await principals.buyer(`Bearer ${token}`, origin);
    return found.ok ? found.value.kind : found.refusal.code;
  };
  for (let i = 0; i < 3; i++) expect(await codeOf(session)).toBe('buyer');
  expect(asked).toBe(1);
  expect(await codeOf(session, 'https://other.example')).toBe('buyer_access_origin_mismatch');
  expect(await codeOf(`bse_${'x'.repeat(38)}`)).toBe('buyer_access_invalid');
  const asConsole = await principals.console({
    ...blank,
    authorization: `Bearer mse_${session.slice(4)}`,
    origin: from,
  });
  expect(asConsole.ok).toBe(false);
  standing.delete(sha256(session));
  principals.drop(sha256(session));
  expect(await codeOf(session)).toBe('buyer_access_expired');
});

test('an entry that is announced as changed is looked up again', async () => {
  await kindOf({ cookie });
  standing.delete(sha256(token));
  expect(await kindOf({ cookie })).toBe('dashboard');
  principals.drop(sha256(token));
  expect(await kindOf({ cookie })).toBe('unauthorized');
  expect(await principals.stands(sha256(token))).toBe(false);
});

test('a session ends at its time, also if it is cached', async () => {
  expect(await kindOf({ cookie })).toBe('dashboard');
  clock.advance(20_000);
  expect(await kindOf({ cookie })).toBe('unauthorized');
  expect(await principals.stands(sha256(token))).toBe(false);
});

describe('a cookie', () => {
  test('is ignored if an Authorization header is sent', async () => {
    expect(await kindOf({ cookie, authorization: `Bearer ${key}` })).toBe('secret');
    expect(await kindOf({ cookie, authorization: 'Bearer sk_test_unknown0000' })).toBe('unauthorized');
    expect(await kindOf({ cookie, authorization: `Bearer ${'r'.repeat(40)}` })).toBe('forbidden');
  });

  test('costs the catalog nothing if it has no session of ours', async () => {
    for (const other of [
      'theme=dark',
      '__Host-parterre_session=',
      '__Host-parterre_session=dss_short',
      `x${cookie}`,
      `${cookie}x`,
    ]) {
      expect(await kindOf({ cookie: other })).toBe('unauthorized');
    }
    expect(asked).toBe(0);
  });

  test('does not count if several have its name, in any order', async () => {
    const [name] = cookie.split('=');
    expect(await kindOf({ cookie: `theme=dark;${cookie}; x=${name}` })).toBe('dashboard');
    for (const other of [cookie, `${name}=dss_${'t'.repeat(43)}`, `${name}=`]) {
      expect(await kindOf({ cookie: `${cookie}; ${other}` })).toBe('unauthorized');
      expect(await kindOf({ cookie: `${other};${cookie}` })).toBe('unauthorized');
    }
  });

  test.each(['POST', 'PUT', 'PATCH', 'DELETE'])('needs its CSRF token for a %s', async (method) => {
    expect(await kindOf({ method, cookie })).toBe('csrf_required');
    expect(await kindOf({ method, cookie, csrfToken: csrfTokenOf(`${token.slice(0, -1)}t`) })).toBe('csrf_required');
    expect(await kindOf({ method, cookie, csrfToken: csrfTokenOf(token) })).toBe('dashboard');
  });

  test.each(['GET', 'HEAD'])('needs no CSRF token for a %s', async (method) => {
    expect(await kindOf({ method, cookie })).toBe('dashboard');
  });
});
