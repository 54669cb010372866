/** The bounds of a buyer's choice: selection rules, the price that the page has shown, and closed sales. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Answer, type Json, openShop, type Shop } from '../shop.ts';

let shop: Shop;

beforeAll(async () => {
  shop = await openShop();
}, 120_000);
afterAll(() => shop?.stop());

async function page(more: object = {}) {
  const body = { chartId: shop.chart.id, ...more };
  const made = await shop.call('POST', '/v1/events', { token: shop.token, body });
  const path = `/v1/events/${made.body.meta?.key}`;
  const server = (method: string, action: string, body?: unknown) =>
    shop.call(method, path + action, { token: shop.token, ...(body === undefined ? {} : { body }) });
  return {
    key: made.body.meta?.key as string,
    made,
    server,
    post: (action: string, body: unknown) => shop.buyer('POST', `${made.body.meta.key}/${action}`, { body }),
    get: (what: string): Promise<Answer> => shop.buyer('GET', `${made.body.meta.key}/${what}`),
  };
}

const rules = { preventOrphans: true, categoryLimits: { balcony: 4 }, tierLimits: { child: 1 } };

describe('selection rules', () => {
  it('are off until the event has them, and are told to operators and buyers', async () => {
    const { key, server, get, post } = await page();
    expect((await get('chart')).body.event.selectionRules).toBeNull();
    expect((await post('hold', { labels: ['A-2'] })).status).toBe(200);
    const changed = await server('PATCH', '', { selectionRules: { ...rules, categoryLimits: {} } });
    const kept = { preventOrphans: true, tierLimits: { child: 1 } };
    expect([changed.status, changed.body.selectionRules]).toEqual([200, kept]);
    expect((await server('GET', '')).body.selectionRules).toEqual(kept);
    expect((await get('chart')).body.event.selectionRules).toEqual(kept);
    const opened = await shop.buyer('POST', `${key}/session`);
    expect(opened.body.event.selectionRules).toEqual(kept);
    expect((await server('GET', '/log')).body.entries[0]).toMatchObject({
      action: 'set_selection_rules',
      details: { selectionRules: kept },
    });
    const gone = await server('PATCH', '', { selectionRules: null });
    expect(gone.body.selectionRules).toBeNull();
    expect((await get('chart')).body.event.selectionRules).toBeNull();
    expect((await post('hold', { labels: ['A-5'] })).status).toBe(200);
  });

  it('bind the holds of buyers from the creation of the event on, and name every broken rule', async () => {
    const { made, post, server } = await page({ selectionRules: rules });
    expect(made.status).toBe(201);
    const child = (label: string) => ({ label, tierId: 'child' });
    const selections = [child('B-2'), child('B-3'), { label: 'B-4' }, { label: 'B-5' }, { label: 'B-6' }];
    const refused = await post('hold', { selections });
    expect([refused.status, refused.body]).toEqual([
      409,
      expect.objectContaining({
        code: 'selection_rules_broken',
        reason: 'orphan_seat',
        labels: ['B-1', 'B-2', 'B-3', 'B-4', 'B-5', 'B-6'],
        problems: [
          { rule: 'orphan_seat', labels: ['B-1'] },
          {
            rule: 'category_limit',
            categoryKey: 'balcony',
            max: 4,
            asked: 5,
            labels: ['B-2', 'B-3', 'B-4', 'B-5', 'B-6'],
          },
          { rule: 'tier_limit', tierId: 'child', labels: ['B-2', 'B-3'], max: 1, asked: 2 },
        ],
      }),
    ]);
    const good = await post('hold', { selections: [child('B-1'), { label: 'B-2' }] });
    expect(good.status).toBe(200);
    const worse = await post('hold', { labels: ['B-2', 'B-4'], replaceHoldId: good.body.holdId });
    expect(worse.body.problems).toEqual([{ rule: 'orphan_seat', labels: ['B-1', 'B-3'] }]);
    expect((await post('hold/resume', { holdId: good.body.holdId })).body.labels).toEqual(['B-1', 'B-2']);
    expect((await server('POST', '/hold', { labels: ['A-2'] })).status).toBe(200);
    expect((await server('POST', '/book', { labels: ['A-5'], bookingRef: 'order-1' })).status).toBe(200);
  });

  it("never bind best-available's own choice", async () => {
    const { post, server } = await page({ selectionRules: { preventOrphans: true } });
    const row = (label: string, from: number) => Array.from({ length: 21 - from }, (_, i) => `${label}-${from + i}`);
    await server('POST', '/block', { labels: [...row('A', 4), ...row('B', 1)] });
    const best = await post('best-available', { qty: 2 });
    expect([best.status, best.body.labels.length]).toEqual([200, 2]);
    await post('release', { holdId: best.body.holdId });
    expect((await post('hold', { labels: best.body.labels })).status).toBe(200);
  });

  it('are refused with every fault of the settings', async () => {
    const unknown = { categoryLimits: { attic: 2 }, tierLimits: { senior: 1, child: 1 } };
    const paths = ({ body }: Answer) => body.issues.map(({ path }: Json) => path).sort();
    const named = ['selectionRules.categoryLimits.attic', 'selectionRules.tierLimits.senior'];
    const { made } = await page({ selectionRules: unknown, sectionStates: { loft: 'closed' } });
    expect([made.status, paths(made)]).toEqual([422, ['sectionStates.loft', ...named].sort()]);
    const { server } = await page();
    const patched = await server('PATCH', '', { selectionRules: unknown, sectionStates: { loft: 'closed' } });
    expect([patched.status, paths(patched)]).toEqual([422, ['sectionStates.loft', ...named].sort()]);
    const malformed = await server('PATCH', '', {
      selectionRules: { preventOrphans: 'yes', categoryLimits: { stalls: 0 }, tierLimits: { child: 1.5 } },
    });
    expect([malformed.status, paths(malformed)]).toEqual([
      422,
      ['selectionRules.categoryLimits.stalls', 'selectionRules.preventOrphans', 'selectionRules.tierLimits.child'],
    ]);
  });
});

describe('prices', () => {
  it('of a ticket release with few units left are told before the hold, and never change silently', async () => {
    const { server, get, post } = await page();
    await server('PUT', '/releases', { releases: [{ name: 'Early bird', price: 12, previousPrice: 20, quota: 3 }] });
    const { body: told } = await get('availability?live=1');
    expect(told.offers).toMatchObject([{ offerName: 'Early bird', price: 12, previousPrice: 20, remaining: 3 }]);
    const [stalls, balcony] = told.prices;
    expect(stalls).toMatchObject({ price: 12, remaining: 3, free: 50, lowestPrice: 12, highestPrice: 20 });
    expect(balcony).toMatchObject({ price: 30, free: 20, lowestPrice: 15, highestPrice: 30 });
    expect(told.waiting).toBeNull();
    const labels = ['A-1', 'A-2', 'A-3', 'A-4', 'A-5'];
    const refused = await post('hold', { labels, expectedTotal: 60 });
    expect([refused.status, refused.body]).toMatchObject([
      409,
      { code: 'price_changed', reason: 'price_changed', total: 76, expectedTotal: 60, currency: 'EUR' },
    ]);
    expect(refused.body.items.map(({ unitPrice }: Json) => unitPrice)).toEqual([12, 12, 12, 20, 20]);
    const held = await post('hold', { labels, expectedTotal: refused.body.total });
    expect([held.status, held.body.items]).toEqual([200, refused.body.items]);
  });

  it('named with a hold are a whole number of major units', async () => {
    const { post } = await page();
    for (const expectedTotal of [-1, 1.5, '20', null]) {
      expect((await post('hold', { labels: ['A-1'], expectedTotal })).body).toMatchObject({
        code: 'invalid_request',
        issues: [{ path: 'expectedTotal' }],
      });
    }
  });
});

describe('a buyer who waits', () => {
  const reason = async ({ get }: Awaited<ReturnType<typeof page>>) => (await get('availability?live=1')).body.waiting;

  it('learns one reason', async () => {
    const own = await page();
    const startsAt = Date.now() + 3_600_000;
    await own.server('PUT', '/releases', {
      releases: [
        { name: 'Early', price: 10, categoryKey: 'stalls', startsAt },
        { name: 'Late', price: 15, startsAt: startsAt + 1 },
      ],
    });
    const balcony = Array.from({ length: 20 }, (_, i) => `B-${i + 1}`);
    await own.server('POST', '/block', { labels: balcony });
    expect(await reason(own)).toEqual({ reason: 'presale', opensAt: startsAt });
    await own.server('POST', '/close');
    expect(await reason(own)).toEqual({ reason: 'event_closed', opensAt: null });
    await own.server('POST', '/archive');
    await own.server('POST', '/unarchive');
    expect(await reason(own)).toEqual({ reason: 'sales_paused', opensAt: null });
    await own.server('POST', '/reopen');
    const stalls = Array.from({ length: 20 }, (_, i) => `A-${i + 1}`);
    await own.server('POST', '/book', { labels: stalls, bookingRef: 'all' });
    await own.server('POST', '/book', { selections: [{ label: 'Floor', quantity: 30 }], bookingRef: 'floor' });
    expect(await reason(own)).toEqual({ reason: 'sold_out', opensAt: null });
  });
});

describe('a hold that has ended', () => {
  it('is told with its end', async () => {
    const { post, server } = await page();
    const made = async (label: string) => (await post('hold', { labels: [label] })).body.holdId as string;
    const released = await made('A-1');
    const booked = await made('A-2');
    await post('release', { holdId: released });
    await server('POST', '/book', { holdId: booked, bookingRef: 'order-1' });
    for (const [holdId, status] of [
      [released, 'released'],
      [booked, 'booked'],
    ]) {
      const resumed = await post('hold/resume', { holdId });
      expect([resumed.status, resumed.body]).toMatchObject([404, { code: 'hold_not_found', status }]);
      const extended = await post('extend', { holdId });
      expect([extended.status, extended.body]).toMatchObject([409, { reason: 'not_active', status }]);
    }
    expect((await post('hold/resume', { holdId: 'hld_0' })).body).not.toHaveProperty('status');
  });
});

it('a page of an origin that is not registered reads why it is refused, on every way', async () => {
  const { key } = await page();
  const headers = { Origin: 'https://elsewhere.example' };
  const ways = [
    shop.buyer('POST', `${key}/bootstrap`, { token: '', body: { publicKey: shop.own.publishable.secret }, headers }),
    shop.buyer('GET', `${key}/chart`, { headers }),
    shop.buyer('POST', `${key}/hold`, { body: { labels: ['A-1'] }, headers }),
    shop.buyer('POST', `${key}/subscribe-tickets`, { body: {}, headers }),
  ];
  for (const answer of await Promise.all(ways)) {
    expect([answer.status, answer.body.code]).toEqual([403, 'buyer_access_origin_mismatch']);
    expect(answer.headers.get('access-control-allow-origin')).toBe('https://elsewhere.example');
  }
});

it('a page may read the time of the server', async () => {
  const { post } = await page();
  const { headers, body } = await post('hold', { labels: ['A-1'] });
  expect(headers.get('access-control-expose-headers')).toContain('Date');
  const date = Date.parse(headers.get('date')!);
  expect(Math.abs(body.expiresAt - 900_000 - date)).toBeLessThan(5_000);
});
