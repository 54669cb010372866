/** Request budgets: windows, the table, what each counts by, and the forms of a 429. */

import { labelsUncountedMax } from '@parterre/shared/protocol/limits';
import { FixedWindows, type Spent } from '@parterre/shared/runtime/fixed-windows';
import { RecentMap } from '@parterre/shared/runtime/recent-map';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { countedLabels } from '../../../services/frontdoor/src/admission/bulk-calls.ts';
import { tooManyAnswer } from '../../../services/frontdoor/src/admission/charging.ts';
import {
  type Asking,
  allBudgets,
  type Budget,
  budgetAddress,
  budgets,
  countedBy,
  countsAddress,
  hasOwnLimit,
  limitedBudget,
  readBudgetLimits,
} from '../../../services/frontdoor/src/admission/rules/budget.ts';
import { routes } from '../../../services/frontdoor/src/api/api.ts';
import { ManualClock } from '../../support/manual-clock.ts';

const MINUTE_MS = 60_000;

describe('a fixed window', () => {
  const setUp = (windowsMax = 100) => {
    const clock = new ManualClock();
    const windows = new FixedWindows(clock, windowsMax);
    const spend = (who: string, times = 1, windowMs = MINUTE_MS): Spent => {
      for (let i = 1; i < times; i++) windows.spend(who, 3, windowMs);
      return windows.spend(who, 3, windowMs);
    };
    return { clock, spend };
  };

  it('starts at the first request and lets exactly its limit through', () => {
    const { clock, spend } = setUp();
    expect(spend('a')).toEqual({ allowed: true, remaining: 2, resetAfterMs: MINUTE_MS });
    clock.advance(10_000);
    expect(spend('a', 2)).toEqual({ allowed: true, remaining: 0, resetAfterMs: 50_000 });
    clock.advance(49_999);
    expect(spend('a')).toEqual({ allowed: false, remaining: 0, resetAfterMs: 1 });
  });

  it('begins anew after its end, with the first request that comes then', () => {
    const { clock, spend } = setUp();
    spend('a', 5);
    clock.advance(MINUTE_MS + 7_000);
    expect(spend('a')).toEqual({ allowed: true, remaining: 2, resetAfterMs: MINUTE_MS });
  });

  it('belongs to one caller', () => {
    const { spend } = setUp();
    spend('a', 5);
    expect(spend('b')).toMatchObject({ allowed: true, remaining: 2 });
  });

  it('is forgotten as the oldest of too many, and only then', () => {
    const { spend } = setUp(4);
    for (const who of ['a', 'b', 'c', 'd']) spend(who, 3);
    expect(['a', 'b', 'c', 'd'].map((who) => spend(who).allowed)).toEqual([false, false, false, false]);
    spend('e');
    expect(['c', 'd', 'a', 'b'].map((who) => spend(who).allowed)).toEqual([false, false, true, true]);
  });

  it('of a day is not pushed out by windows of a minute', () => {
    const { spend } = setUp(4);
    spend('day', 3, 24 * 60 * MINUTE_MS);
    for (const who of ['a', 'b', 'c', 'd', 'e']) spend(who);
    expect(spend('day', 1, 24 * 60 * MINUTE_MS).allowed).toBe(false);
  });

  it('lasts to its end whatever begins meanwhile', () => {
    const { clock, spend } = setUp();
    for (const [i, who] of ['a', 'b', 'c', 'd', 'e', 'f'].entries()) {
      clock.advance(MINUTE_MS - 10 * i);
      expect(spend(who, 3).remaining).toBe(0);
      clock.advance(MINUTE_MS - 1);
      expect(spend(who).allowed).toBe(false);
      expect(spend(`${who} else`).allowed).toBe(true);
      expect(spend(who).allowed).toBe(false);
    }
  });
});

describe('a map of recent entries', () => {
  it('keeps an entry for its time and forgets it within twice that', () => {
    const clock = new ManualClock();
    const map = new RecentMap<string>(clock, { entriesMax: 100, keepMs: 1_000 });
    clock.advance(999);
    map.set('a', 'first');
    clock.advance(999);
    map.set('b', 'second');
    expect(map.get('a')).toBe('first');
    clock.advance(1_000);
    map.set('c', 'third');
    expect(['a', 'b', 'c'].map((key) => map.get(key))).toEqual([undefined, 'second', 'third']);
  });

  it('never has more entries than its bound, and always the youngest half of them', () => {
    const map = new RecentMap<number>(new ManualClock(), { entriesMax: 10, keepMs: 1_000 });
    const keys = Array.from({ length: 200 }, (_, i) => `k${i}`);
    for (const [i, key] of keys.entries()) {
      map.set(key, i);
      const found = keys.filter((each) => map.get(each) !== undefined);
      expect(found.length).toBeLessThanOrEqual(10);
      expect(found.slice(-5)).toEqual(keys.slice(Math.max(0, i - 4), i + 1));
    }
  });
});

describe('the table', () => {
  const asking: Asking = {
    keyId: 'key_1',
    token: 'hash',
    organisationId: 'org_1',
    address: '10.0.0.1',
    pathKey: 'x',
    userId: null,
  };

  /** Each front door counts readiness and our own budgets by itself. */
  const ours = [
    'chartExports',
    'readiness',
    'buyerCalls',
    'serverCalls',
    'logins',
    'publicFiles',
    'largeBodies',
    'largeBodiesOfSession',
  ];

  it.each<[keyof typeof budgets, number, number, string | null, Budget['refusal']]>([
    ['serverHolds', 600, 60, 'key_1', 'without code'],
    ['seasons', 600, 60, 'key_1', 'full'],
    ['manageSessions', 300, 60, 'hash', 'Retry-After only'],
    ['panoramaManifests', 10, 86_400, 'org_1 x', 'Retry-After only'],
    ['chartImports', 10, 3_600, 'org_1', 'full'],
    ['chartExports', 30, 60, 'org_1', 'full'],
    ['readiness', 30, 60, '10.0.0.1', 'error only'],
    ['buyerHolds', 120, 60, '10.0.0.1', 'full'],
    ['buyerReads', 3_000, 60, '10.0.0.1', 'full'],
    ['seasonSessions', 30, 60, '10.0.0.1 x', 'full'],
    ['groupSessions', 30, 60, '10.0.0.1 x', 'full'],
    ['seasonRenewals', 60, 60, '10.0.0.1', 'full'],
    ['buyerCalls', 3_000, 60, '10.0.0.1', 'full'],
    ['serverCalls', 30_000, 60, 'key_1', 'full'],
    ['logins', 60, 60, '10.0.0.1', 'full'],
    ['demoDrafts', 30, 86_400, '10.0.0.1', 'full'],
    ['demoSales', 60, 600, '10.0.0.1', 'full'],
    ['publicFiles', 3_000, 60, '10.0.0.1', 'full'],
    ['largeBodies', 120 * 1024, 60, 'org_1', 'Retry-After only'],
    ['largeBodiesOfSession', 60 * 1024, 60, 'hash', 'Retry-After only'],
  ])('%s: %i in %i s, counted by %s', (name, limit, seconds, countedAs, refusal) => {
    const budget: Budget = budgets[name];
    expect([budget.limit, budget.windowMs, budget.refusal]).toEqual([limit, seconds * 1000, refusal]);
    expect(countedBy(budget, asking)).toBe(countedAs);
    expect(budget.local ?? false).toBe(ours.includes(name));
    expect(countsAddress(budget)).toBe(countedAs!.startsWith('10.'));
  });

  it('gives every budget names of its own', () => {
    const places = allBudgets.map((budget) => budgetAddress(budget, 'same'));
    expect(new Set(places).size).toBe(allBudgets.length);
  });

  it('does not count a caller without a key by key', () => {
    expect(countedBy(budgets.seasons, { ...asking, keyId: null })).toBeNull();
    expect(countedBy(budgets.manageSessions, { ...asking, token: null })).toBeNull();
  });

  it('counts the calls of a server by key, of a dashboard by user, and of a designer by session', () => {
    const { serverCalls } = budgets;
    expect(countedBy(serverCalls, { ...asking, userId: 'usr_1' })).toBe('key_1');
    expect(countedBy(serverCalls, { ...asking, keyId: null, userId: 'usr_1', token: null })).toBe('usr_1');
    expect(countedBy(serverCalls, { ...asking, keyId: null })).toBe('hash');
  });

  it('counts all addresses of an IPv6 network of 64 bits as one, in every budget by address', () => {
    const byAddress: Budget[] = allBudgets.filter(countsAddress);
    expect(byAddress.length).toBeGreaterThan(8);
    for (const budget of byAddress) {
      const from = (address: string) => countedBy(budget, { ...asking, address });
      expect(from('2001:db8:1:2:ffff::9')).toBe(from('2001:db8:1:2::1'));
      expect(from('2001:db8:1:3::1')).not.toBe(from('2001:db8:1:2::1'));
      expect(from('10.0.0.2')).not.toBe(from('10.0.0.1'));
    }
  });

  it('bounds the length of the names that callers cause', () => {
    const longest = countedBy(budgets.seasonSessions, { ...asking, pathKey: 'x'.repeat(10_000) });
    expect(longest!.length).toBeLessThan(200);
  });

  it('has a budget for these routes, and none for releasing a hold', () => {
    const named = routes.filter(({ budget }) => budget).map(({ method, path, budget }) => [method, path, budget!.name]);
    expect(named).toEqual(
      expect.arrayContaining([
        ['GET', '/health/ready', 'readiness'],
        ['POST', '/v1/events/{key}/hold', 'server-holds'],
        ['POST', '/v1/events/{key}/extend', 'server-holds'],
        ['GET', '/pub/events/{key}/chart', 'buyer-reads'],
        ['GET', '/pub/events/{key}/objects', 'buyer-reads'],
        ['GET', '/pub/events/{key}/availability', 'buyer-reads'],
        ['POST', '/pub/events/{key}/bootstrap', 'buyer-reads'],
        ['POST', '/pub/events/{key}/session', 'buyer-reads'],
        ['POST', '/pub/events/{key}/hold', 'buyer-holds'],
        ['POST', '/pub/events/{key}/best-available', 'buyer-holds'],
      ]),
    );
    expect(named.map(([, path]) => path)).not.toContain('/v1/events/{key}/release');
  });

  it('has a budget or a reason for every route, and a budget by address for every route without a credential', () => {
    expect(routes.length).toBeGreaterThan(100);
    for (const { signature, credential, budget, unbudgeted } of routes) {
      expect([signature, budget === null]).toEqual([signature, unbudgeted !== null]);
      if (unbudgeted !== null) expect(unbudgeted.length).toBeGreaterThan(30);
      const isAnonymous = ['none', 'page', 'buyer'].includes(credential);
      if (isAnonymous) expect([signature, countsAddress(budget!)]).toEqual([signature, true]);
    }
  });

  it('has no budget only for commands of a sale and for the operator', () => {
    const free = routes.filter(({ budget }) => budget === null);
    const others = free.filter(({ credential, path }) => credential !== 'operator' && !sales.test(path));
    expect(others.map(({ signature }) => signature)).toEqual([]);
    expect(free.filter(({ credential }) => credential !== 'operator').length).toBeGreaterThan(8);
  });

  const sales =
    /^\/v1\/events\/\{key\}\/(release|book|unbook|block|unblock|unblock-all|hold-ttl|holds\/\{holdId\}|holds\/end|box-book|box-office\/sale|exchange|resale\/\w+)$/;
});

describe('the limits of a deployment', () => {
  it.each<[string, Record<string, number | null>]>([
    ['', {}],
    ['on', {}],
    ['server-holds=100000', { 'server-holds': 100_000 }],
    [' server-holds = 7 , buyer-holds=off,', { 'server-holds': 7, 'buyer-holds': null }],
    ['readiness=1', { readiness: 1 }],
    ['failed-credentials=off,logins=5', { 'failed-credentials': null, logins: 5 }],
  ])('%j', (text, limits) => {
    expect(readBudgetLimits(text)).toEqual(new Map(Object.entries(limits)));
  });

  it.each(['server-holds', 'server-holds=0', 'server-holds=-1', 'server-holds=1e3', 'x=1', 'buyer-holds=none'])(
    'are not %j',
    (text) => {
      expect(readBudgetLimits(text)).toEqual({ fault: expect.any(String) });
    },
  );

  it('replace the usual limits, and give way to limits of a key', () => {
    const limits = new Map<string, number | null>([
      ['server-holds', 7],
      ['buyer-holds', null],
    ]);
    const limitOf = (budget: Budget, own?: Parameters<typeof limitedBudget>[2]) =>
      limitedBudget(budget, limits, own)?.limit ?? null;
    expect(limitOf(budgets.serverHolds)).toBe(7);
    expect(limitOf(budgets.buyerHolds)).toBeNull();
    expect(limitOf(budgets.buyerReads)).toBe(3_000);
    expect(limitOf(budgets.serverHolds, { serverHolds: 9 })).toBe(9);
    expect(limitOf(budgets.serverHolds, { serverHolds: null })).toBeNull();
    expect(limitOf(budgets.serverHolds, { seasons: 9 })).toBe(7);
    expect(limitOf(budgets.buyerHolds, { buyerHolds: 3 })).toBe(3);
    expect(limitOf(budgets.manageSessions, { serverHolds: 9 })).toBe(300);
  });

  it('of a key are counted apart from other requests of the same address', () => {
    const asking: Asking = {
      keyId: 'key_1',
      token: null,
      organisationId: 'org_1',
      address: '10.0.0.1',
      pathKey: 'x',
      userId: null,
    };
    expect(countedBy(budgets.buyerHolds, { ...asking, limitedKey: 'key_1' })).toBe('10.0.0.1 key_1');
    expect(hasOwnLimit(budgets.buyerHolds, { buyerHolds: 5 })).toBe(true);
    expect(hasOwnLimit(budgets.buyerHolds, { buyerReads: 5 })).toBe(false);
    expect(hasOwnLimit(budgets.readiness, { buyerReads: 5 })).toBe(false);
  });
});

describe('labels', () => {
  const windows = () => {
    const clock = new ManualClock();
    const counted = new FixedWindows(clock, 100);
    return { clock, spend: (weight: number) => counted.spendWhole('org_1', 1_000, MINUTE_MS, weight) };
  };

  it('of a call count whole or not at all', () => {
    const { spend } = windows();
    expect(spend(600)).toMatchObject({ allowed: true, remaining: 400 });
    expect(spend(500)).toMatchObject({ allowed: false, remaining: 400 });
    expect(spend(400)).toMatchObject({ allowed: true, remaining: 0 });
  });

  it('above the limit take one whole window', () => {
    const { clock, spend } = windows();
    expect(spend(5_000)).toMatchObject({ allowed: true, remaining: 0 });
    expect(spend(5_000)).toMatchObject({ allowed: false });
    clock.advance(MINUTE_MS);
    expect(spend(1)).toMatchObject({ allowed: true });
    expect(spend(5_000)).toMatchObject({ allowed: false, remaining: 999 });
  });

  it('count for an organisation, whoever of it calls, and never for a buyer or a small call', () => {
    const asker = (kind: string) => ({ kind, organisationId: 'org_1' }) as never;
    const many = labelsUncountedMax + 1;
    for (const kind of ['secret', 'dashboard', 'manage', 'designer']) {
      expect([kind, countedLabels(many, asker(kind)), countedLabels(many - 1, asker(kind))]).toEqual([kind, many, 0]);
    }
    for (const kind of ['publishable', 'buyer', 'owner-buyer']) expect(countedLabels(many, asker(kind))).toBe(0);
    expect([countedLabels(many, null), countedLabels(many, true)]).toEqual([0, 0]);
  });

  it('are counted by every route of an account whose body may name many', () => {
    const listsMany = (schema: unknown): boolean => {
      if (typeof schema !== 'object' || schema === null) return false;
      return Object.entries(schema).some(([name, part]) => {
        const isList = ['labels', 'selections', 'from'].includes(name) && (part.maxItems ?? 0) > labelsUncountedMax;
        return isList || listsMany(part);
      });
    };
    const ofBuyers = ['buyer', 'group-buyer', 'season-buyer', 'page'];
    const large = routes.filter(
      ({ schema, credential }) =>
        schema !== null &&
        !ofBuyers.includes(credential) &&
        listsMany(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })),
    );
    expect(large.length).toBeGreaterThan(8);
    expect(large.filter(({ labelsIn }) => labelsIn === null).map(({ signature }) => signature)).toEqual([]);
  });
});

describe('a 429', () => {
  const spent: Spent = { allowed: false, remaining: 0, resetAfterMs: 1_500 };
  const of = (budget: Budget, resetAfterMs = spent.resetAfterMs) => {
    const answer = tooManyAnswer(budget, { ...spent, resetAfterMs }, 'r1');
    return { body: JSON.parse(answer.body as string), headers: Object.fromEntries(answer.headers) };
  };
  const type = { 'Content-Type': 'application/json; charset=utf-8' };
  const body = { error: 'rate_limited', message: expect.any(String), requestId: 'r1', retryAfterSeconds: 2 };
  const rateLimit = { 'RateLimit-Limit': '600', 'RateLimit-Remaining': '0', 'RateLimit-Reset': '2' };

  it('of the server hold routes has no code, and the rate limit headers', () => {
    expect(of(budgets.serverHolds)).toEqual({
      body,
      headers: { ...type, 'Retry-After': '2', ...rateLimit, 'RateLimit-Policy': '600;w=60' },
    });
  });

  it('of seasons and buyers has a code as well', () => {
    expect(of(budgets.seasons)).toEqual({
      body: { ...body, code: 'rate_limited' },
      headers: { ...type, 'Retry-After': '2', ...rateLimit, 'RateLimit-Policy': '600;w=60' },
    });
    expect(of(budgets.buyerReads).body).toEqual({ ...body, code: 'rate_limited' });
  });

  it('of manage sessions and panoramas has Retry-After and no other header', () => {
    for (const budget of [budgets.manageSessions, budgets.panoramaManifests]) {
      expect(of(budget)).toEqual({
        body: { ...body, code: 'rate_limited' },
        headers: { ...type, 'Retry-After': '2' },
      });
    }
  });

  it('of the readiness check is the error field alone', () => {
    expect(of(budgets.readiness)).toEqual({ body: { error: 'rate_limited' }, headers: type });
  });

  it('never asks for less than a second, nor for less than the rest of the window', () => {
    expect(of(budgets.seasons, 0.4).headers['Retry-After']).toBe('1');
    expect(of(budgets.seasons, 59_000.2).headers['Retry-After']).toBe('60');
  });
});
