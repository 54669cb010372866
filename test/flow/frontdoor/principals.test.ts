/** The principals that a front door caches, over a catalog that counts its lookups. */
import type { BuyerSession, Principal } from '@parterre/shared/protocol/catalog/scope';
import { done, refuse } from '@parterre/shared/protocol/errors';
import { sha256 } from '@parterre/shared/protocol/ids';
import { principalCacheMs, unknownCredentialKeepMs } from '@parterre/shared/protocol/limits';
import { newSessionToken } from '@parterre/shared/protocol/session-tokens';
import type { CatalogClient } from '@parterre/shared/runtime/catalog-client';
import { beforeEach, describe, expect, test } from 'vitest';
import { createBudgets } from '../../../services/frontdoor/src/admission/budgets.ts';
import { createPrincipals, type Principals } from '../../../services/frontdoor/src/admission/principals.ts';
import { csrfTokenOf } from '../../../services/frontdoor/src/admission/rules/session-cookie.ts';
import type { ShardClient } from '../../../services/frontdoor/src/shards/shard-client.ts';
import { ManualClock } from '../../support/manual-clock.ts';

/** The budgets of credentials are counted here, without a shard. */
const noShards = {} as ShardClient;
const key = `sk_test_${'k'.repeat(32)}`;
const token = `dss_${'s'.repeat(43)}`;
const cookie = `__Host-parterre_session=${token}`;
const here = () => '198.51.100.1';
const blank = { method: 'GET', authorization: '', cookie: '', csrfToken: '', address: here };

let clock: ManualClock;
let asked: number;
let catalogIsAway: boolean;
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
  catalogIsAway = false;
  const catalog = (async (_operation: string, { hash }: { hash: string }) => {
    asked++;
    if (catalogIsAway) return refuse('catalog_unavailable', 'away');
    const principal = standing.get(hash);
    return principal ? done(principal) : refuse('unauthorized', 'unknown');
  }) as unknown as CatalogClient;
  const { lookups } = createBudgets(clock, noShards);
  principals = createPrincipals(catalog, clock, ['r'.repeat(40), 'p'.repeat(40)], lookups);
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
  expect(
    await principals.buyer({ authorization: `Bearer ${key}`, origin: 'https://shop.example', address: here }),
  ).toMatchObject({
    refusal: { code: 'buyer_access_invalid', message: expect.stringMatching(/secret key.*\/v1.*publishable key/) },
  });
  expect(asked).toBe(0);
});

test('the session of a page has no authority on server routes while it is valid, and is unknown afterwards', async () => {
  const session = newSessionToken('mse');
  const authorization = `Bearer ${session}`;
  expect(await kindOf({ authorization })).toBe('unauthorized');
  clock.advance(unknownCredentialKeepMs);
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

/** A session to public sale, without an end. */
const buyer: BuyerSession = {
  kind: 'buyer',
  sessionId: 'ses_1',
  organisationId: 'org_1',
  workspaceId: 'ws_1',
  mode: 'test',
  eventKey: 'gala',
  origin: 'https://shop.example',
  channelIds: [],
  includePublic: true,
  maxQuantity: null,
  buyerRef: null,
  partnerRef: null,
  accessSource: 'public',
  expiresAt: Number.POSITIVE_INFINITY,
  revokedAt: null,
};

test('the principal of a known token is looked up each time, so an announced end counts at once', async () => {
  const session = newSessionToken('bse');
  const from = buyer.origin;
  standing.set(sha256(session), { ...buyer, accessSource: 'partner', expiresAt: clock.now() + 20_000 });
  const codeOf = async (token: string, origin = from) => {
    const found = await principals.buyer({ authorization: `Bearer ${token}`, origin, address: here });
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

describe('a session that the catalog has just minted', () => {
  const codeOf = async (token: string) => {
    const found = await principals.buyer({ authorization: `Bearer ${token}`, origin: buyer.origin, address: here });
    return found.ok ? found.value.kind : found.refusal.code;
  };

  test('is known without a lookup, from its own origin, until its end is announced', async () => {
    const minted = newSessionToken('bse');
    principals.minting()(minted, buyer);
    expect(await codeOf(minted)).toBe('buyer');
    const elsewhere = { authorization: `Bearer ${minted}`, origin: 'https://other.example', address: here };
    expect(await principals.buyer(elsewhere)).toMatchObject({ refusal: { code: 'buyer_access_origin_mismatch' } });
    expect(asked).toBe(0);
    standing.set(sha256(minted), { ...buyer, revokedAt: 1 });
    principals.drop(sha256(minted));
    expect(await codeOf(minted)).toBe('buyer_access_revoked');
  });

  test('is looked up again after its time, like any other', async () => {
    const minted = newSessionToken('bse');
    principals.minting()(minted, buyer);
    clock.advance(principalCacheMs);
    expect(await codeOf(minted)).toBe('buyer_access_expired');
    expect(asked).toBe(1);
  });

  test.each(['of it', 'of all'])('is looked up if an end %s is announced before the answer has come', async (which) => {
    const minted = newSessionToken('bse');
    const keep = principals.minting();
    if (which === 'of it') principals.drop(sha256(minted));
    else principals.clear();
    keep(minted, buyer);
    standing.set(sha256(minted), { ...buyer, revokedAt: 1 });
    expect(await codeOf(minted)).toBe('buyer_access_revoked');
    expect(asked).toBe(1);
  });
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

describe('an unknown key', () => {
  const unknown = `sk_test_${'u'.repeat(32)}`;
  const authorization = `Bearer ${unknown}`;
  const create = (text = unknown) => standing.set(sha256(text), standing.get(sha256(key))!);

  test('is looked up once in its time, whoever sends it', async () => {
    for (let i = 0; i < 100; i++)
      expect(await kindOf({ authorization, address: () => `10.0.0.${i}` })).toBe('unauthorized');
    expect(asked).toBe(1);
    clock.advance(unknownCredentialKeepMs);
    expect(await kindOf({ authorization })).toBe('unauthorized');
    expect(asked).toBe(2);
  });

  test('works as soon as its creation is announced, and otherwise after a short time', async () => {
    await kindOf({ authorization });
    create();
    principals.drop(sha256(unknown));
    expect(await kindOf({ authorization })).toBe('secret');
    const other = `sk_test_${'o'.repeat(32)}`;
    await kindOf({ authorization: `Bearer ${other}` });
    create(other);
    clock.advance(unknownCredentialKeepMs);
    expect(await kindOf({ authorization: `Bearer ${other}` })).toBe('secret');
  });

  test('is not remembered if its creation is announced while the catalog is asked', async () => {
    const asking = kindOf({ authorization });
    create();
    principals.drop(sha256(unknown));
    expect(await asking).toBe('unauthorized');
    expect(await kindOf({ authorization })).toBe('secret');
  });

  test('is not remembered after announcements were missed', async () => {
    await kindOf({ authorization });
    create();
    clock.advance(1);
    principals.clear();
    expect(await kindOf({ authorization })).toBe('secret');
  });

  test('is not remembered where the catalog does not answer', async () => {
    catalogIsAway = true;
    expect(await kindOf({ authorization })).toBe('catalog_unavailable');
    catalogIsAway = false;
    create();
    expect(await kindOf({ authorization })).toBe('secret');
  });
});

describe('an address with too many unknown keys', () => {
  const flooder = () => '203.0.113.9';
  const random = (n: number) => `Bearer sk_test_${String(n).padStart(32, '0')}`;
  const flood = async (from: number, count = 300, address = flooder) => {
    const codes: string[] = [];
    for (let n = from; n < from + count; n++) codes.push(await kindOf({ authorization: random(n), address }));
    return codes;
  };

  test('is refused before the catalog is asked, until its window ends', async () => {
    expect(new Set(await flood(0))).toEqual(new Set(['unauthorized']));
    expect(asked).toBe(300);
    expect(new Set(await flood(300))).toEqual(new Set(['rate_limited']));
    expect(asked).toBe(300);
    clock.advance(60_000);
    expect(await flood(600, 1)).toEqual(['unauthorized']);
  });

  test('cannot ask for more at once than one after the other', async () => {
    const codes = await Promise.all(Array.from({ length: 1_000 }, (_, n) => flood(n, 1)));
    expect(codes.flat().filter((code) => code === 'unauthorized')).toHaveLength(300);
    expect(asked).toBe(300);
  });

  test('is an IPv6 network of 64 bits', async () => {
    await flood(0, 300, () => '2001:db8::1');
    expect(await flood(300, 1, () => '2001:db8::2')).toEqual(['rate_limited']);
    expect(await flood(300, 1, () => '2001:db8:0:1::2')).toEqual(['unauthorized']);
  });

  test('still uses every key that is known here, also when its principal is looked up again', async () => {
    const valid = { authorization: `Bearer ${key}`, address: flooder };
    expect(await kindOf(valid)).toBe('secret');
    await flood(0);
    expect(await flood(300, 1)).toEqual(['rate_limited']);
    expect(await kindOf(valid)).toBe('secret');
    clock.advance(principalCacheMs);
    const before = asked;
    expect(await kindOf(valid)).toBe('secret');
    expect(asked).toBe(before + 1);
    // A revoked key has lost this right.
    standing.delete(sha256(key));
    principals.drop(sha256(key));
    expect(await kindOf(valid)).toBe('unauthorized');
    principals.drop(sha256(key));
    expect(await kindOf(valid)).toBe('rate_limited');
  });

  test('is not one whose page repeats a stale key: a new key of its neighbour is looked up', async () => {
    const stale = `Bearer sk_test_${'s'.repeat(32)}`;
    for (let i = 0; i < 1_000; i++) await kindOf({ authorization: stale, address: flooder });
    expect(await kindOf({ authorization: `Bearer ${key}`, address: flooder })).toBe('secret');
  });

  test('is not one that sends many valid keys, or sends them while the catalog is away', async () => {
    for (let n = 0; n < 400; n++) standing.set(sha256(random(n).slice(7)), standing.get(sha256(key))!);
    expect(new Set(await flood(0, 400))).toEqual(new Set(['secret']));
    catalogIsAway = true;
    await flood(1_000, 400);
    catalogIsAway = false;
    expect(await flood(2_000, 1)).toEqual(['unauthorized']);
  });

  test('is refused in every place for credentials, with the time to wait', async () => {
    await flood(0);
    const origin = 'https://shop.example';
    const refused = [
      await principals.buyer({ authorization: `Bearer pk_test_${'p'.repeat(32)}`, origin, address: flooder }),
      await principals.buyer({ authorization: `Bearer ${newSessionToken('bse')}`, origin, address: flooder }),
      await principals.console({
        ...blank,
        authorization: `Bearer ${newSessionToken('mse')}`,
        origin,
        address: flooder,
      }),
      await principals.editor({
        ...blank,
        authorization: `Bearer ${newSessionToken('dse')}`,
        origin,
        address: flooder,
      }),
      await principals.server({ ...blank, authorization: `Bearer ${newSessionToken('mse')}`, address: flooder }),
      await principals.dashboard({ ...blank, cookie, address: flooder }),
    ];
    for (const each of refused)
      expect(each).toMatchObject({ refusal: { code: 'rate_limited', details: { retryAfterSeconds: 60 } } });
    expect(await principals.boundOrigin(`Bearer ${newSessionToken('mse')}`, { address: flooder })).toBeNull();
    expect(asked).toBe(300);
  });
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

test('the root token and the one before it open the administration, and no other token does', () => {
  const opens = (letter: string) => principals.operator(`Bearer ${letter.repeat(40)}`).ok;
  expect(['r', 'p', 'q'].map(opens)).toEqual([true, true, false]);
});
