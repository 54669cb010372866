/** Buyers' holds through /pub, as a page in a browser makes them: hold, best available, resume, extend, release. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Answer, type Json, openShop, origin, type Shop } from '../shop.ts';

let shop: Shop;

beforeAll(async () => {
  shop = await openShop();
}, 120_000);
afterAll(() => shop?.stop());

async function page(options: { token?: string } = {}) {
  const event = await shop.event();
  const post = (action: string, body: unknown, headers: Record<string, string> = {}) =>
    shop.buyer('POST', `${event.key}/${action}`, { ...options, body, headers });
  return { event, post };
}

const codeOf = ({ status, body }: Answer) => [status, body.code];

describe('a hold', () => {
  it("tells the held units at the server's prices, whatever prices the page sends", async () => {
    const { post } = await page();
    const selections = [
      { label: 'B-1', tierId: 'child', unitPrice: 1, price: 1 },
      { label: 'Floor', quantity: 2, price: 0 },
    ];
    const answer = await post('hold', { selections, price: 1, items: [], referral: 'newsletter', unknown: true });
    expect(answer.status).toBe(200);
    expect(Object.keys(answer.body).sort()).toEqual(['expiresAt', 'holdId', 'items', 'labels', 'ok', 'seats']);
    expect(answer.body.labels).toEqual(['B-1', '__sl_ga__floor__1', '__sl_ga__floor__2']);
    expect(answer.body.seats).toEqual([
      { label: 'B-1', tierId: 'child' },
      { label: '__sl_ga__floor__1', tierId: null },
      { label: '__sl_ga__floor__2', tierId: null },
    ]);
    expect(answer.body.items).toMatchObject([
      { label: 'B-1', unitPrice: 15, currency: 'EUR', accessSource: 'public', channelId: null },
      { label: 'Floor', unitPrice: 20, quantity: 2 },
    ]);
  });

  it('is booked by the server, and the audit tells source "buyer"', async () => {
    const { event, post } = await page();
    const { holdId } = (await post('hold', { labels: ['A-1'] })).body;
    const seen = await event.get(`/holds/${holdId}`);
    expect(seen.body).toMatchObject({ status: 'active', accessSource: 'public' });
    expect((await event.post('book', { holdId, bookingRef: 'order-1' })).body.booked).toEqual(['A-1']);
    const { entries } = (await event.get('/log')).body;
    expect(entries.find(({ action }: Json) => action.startsWith('hold'))).toMatchObject({ source: 'buyer' });
  });

  it('is replaced by another hold in one step', async () => {
    const { post } = await page();
    const first = (await post('hold', { labels: ['A-1', 'A-2'] })).body;
    const second = await post('hold', { labels: ['A-2', 'A-3'], replaceHoldId: first.holdId });
    expect(second.body.labels).toEqual(['A-2', 'A-3']);
    expect(codeOf(await post('hold/resume', { holdId: first.holdId }))).toEqual([404, 'hold_not_found']);
    expect((await post('hold', { labels: ['A-1'] })).status).toBe(200);
  });

  it("is named by an Idempotency-Key, apart from a server's key of the same name", async () => {
    const { event, post } = await page();
    const headers = { 'Idempotency-Key': 'cart-1' };
    const first = await post('hold', { labels: ['A-1'] }, headers);
    expect((await post('hold', { labels: ['A-1'] }, headers)).body).toEqual(first.body);
    const other = await post('hold', { labels: ['A-2'] }, headers);
    expect([other.status, other.body.reason]).toEqual([409, 'idempotency_key_reused']);
    const server = await event.post('hold', { labels: ['A-3'] }, headers);
    expect(server.status).toBe(200);
    expect(server.body.holdId).not.toBe(first.body.holdId);
  });

  it("lasts as long as requested, at most the event's hold time", async () => {
    const { event, post } = await page();
    await event.post('hold-ttl', { holdTtlMs: 120_000 });
    const lasts = async (body: object) => (await post('hold', body)).body.expiresAt - Date.now();
    expect(Math.round((await lasts({ labels: ['A-1'] })) / 10_000)).toBe(12);
    expect(Math.round((await lasts({ labels: ['A-2'], ttlMs: 60_000 })) / 10_000)).toBe(6);
    expect(Math.round((await lasts({ labels: ['A-3'], ttlMs: 9_000_000 })) / 10_000)).toBe(12);
  });

  it.each([
    [{}, 'labels'],
    [{ labels: ['A-1'], selections: [{ label: 'A-1' }] }, 'labels'],
    [{ labels: Array.from({ length: 1_001 }, (_, i) => `A-${i}`) }, 'labels'],
    [{ selections: [{ label: 'Floor', quantity: 1_001 }] }, 'selections.0.quantity'],
    [{ labels: ['A-1'], referral: 'x'.repeat(121) }, 'referral'],
    [{ labels: ['A-1'], ttlMs: 0 }, 'ttlMs'],
  ])('with a wrong body is refused (%#)', async (body, path) => {
    const { post } = await page();
    const answer = await post('hold', body);
    expect(codeOf(answer)).toEqual([422, 'invalid_request']);
    expect(answer.body.issues).toEqual([{ path, message: expect.any(String) }]);
  });
});

describe('a seat that a buyer cannot have', () => {
  const inTheWay = ({ status, body }: Answer) => {
    const { requestId, ...told } = body;
    return [status, told];
  };

  it('is refused with the same answer whether it is blocked or in a closed section', async () => {
    const { event, post } = await page();
    await event.post('block', { labels: ['A-1'] });
    const blocked = inTheWay(await post('hold', { labels: ['A-1'] }));
    expect(blocked).toEqual([
      409,
      {
        error: 'conflict',
        code: 'conflict',
        reason: 'conflict',
        message: expect.any(String),
        conflicts: [{ label: 'A-1', name: 'Row A, seat 1', status: 'not_for_sale' }],
      },
    ]);
    const { rules } = (await event.post('availability', { rules: { __ungrouped__: { mode: 'closed' } } })).body;
    expect(Object.keys(rules)).toEqual(['__ungrouped__']);
    const closed = inTheWay(await post('hold', { labels: ['A-2'] }));
    expect(JSON.stringify(closed).replace('A-2', 'A-1').replace('seat 2', 'seat 1')).toBe(JSON.stringify(blocked));
  });

  it('is told as held or booked when it is', async () => {
    const { event, post } = await page();
    await event.post('book', { labels: ['A-1'], bookingRef: 'order-1' });
    await post('hold', { labels: ['A-2'] });
    const answer = await post('hold', { labels: ['A-1', 'A-2', 'A-3'] });
    expect(answer.body.conflicts).toEqual([
      { label: 'A-1', name: 'Row A, seat 1', status: 'booked' },
      { label: 'A-2', name: 'Row A, seat 2', status: 'held' },
    ]);
  });
});

describe('best available', () => {
  it('holds seats together, and answers as a hold does', async () => {
    const { post } = await page();
    const answer = await post('best-available', { qty: 3, categoryKey: 'balcony' });
    expect(answer.status).toBe(200);
    const { labels, parts, together } = answer.body;
    const keys = ['expiresAt', 'holdId', 'items', 'labels', 'ok', 'parts', 'seats', 'together'];
    expect(Object.keys(answer.body).sort()).toEqual(keys);
    expect(labels).toHaveLength(3);
    expect({ parts, together }).toEqual({ parts: [labels], together: true });
    expect(answer.body.seats.map(({ label }: Json) => label)).toEqual(answer.body.labels);
    expect(answer.body.items[0]).toMatchObject({ categoryKey: 'balcony', tierId: 'adult', unitPrice: 30 });
  });

  it('tells the reason when nothing fits', async () => {
    const { post } = await page();
    const answer = await post('best-available', { qty: 50, categoryKey: 'balcony' });
    expect([answer.status, answer.body.code, answer.body.reason]).toEqual([409, 'conflict', 'not_enough_together']);
    expect(codeOf(await post('best-available', { qty: 0 }))).toEqual([422, 'invalid_request']);
  });
});

describe('after a reload of the page', () => {
  it('a hold is found by its id until it ends', async () => {
    const { event, post } = await page();
    const held = (await post('hold', { selections: [{ label: 'Floor', quantity: 2 }, { label: 'A-1' }] })).body;
    const found = await post('hold/resume', { holdId: held.holdId });
    const { holdId, expiresAt, items, labels } = held;
    expect([found.status, found.body]).toEqual([200, { holdId, expiresAt, items, labels }]);
    await event.post('release', { holdId });
    expect(codeOf(await post('hold/resume', { holdId }))).toEqual([404, 'hold_not_found']);
    expect(codeOf(await post('hold/resume', { holdId: 'hld_00000000000000000000' }))).toEqual([404, 'hold_not_found']);
    expect(codeOf(await post('hold/resume', {}))).toEqual([422, 'invalid_request']);
  });

  it('a hold is not found on another event', async () => {
    const one = await page();
    const other = await page();
    const { holdId } = (await one.post('hold', { labels: ['A-1'] })).body;
    expect(codeOf(await other.post('hold/resume', { holdId }))).toEqual([404, 'hold_not_found']);
    expect(codeOf(await other.post('release', { holdId }))).toEqual([404, 'hold_not_found']);
  });

  it('a hold can be extended three times', async () => {
    const { post } = await page();
    const { holdId, expiresAt } = (await post('hold', { labels: ['A-1'], ttlMs: 60_000 })).body;
    const first = await post('extend', { holdId, ttlMs: 120_000 });
    expect([first.status, Object.keys(first.body).sort()]).toEqual([200, ['expiresAt', 'extends', 'holdId']]);
    expect(first.body.extends).toBe(1);
    expect(first.body.expiresAt).toBeGreaterThan(expiresAt);
    await post('extend', { holdId });
    expect((await post('extend', { holdId })).body.extends).toBe(3);
    const fourth = await post('extend', { holdId });
    expect([...codeOf(fourth), fourth.body.reason]).toEqual([409, 'cannot_extend', 'extend_limit']);
    await post('release', { holdId });
    const after = await post('extend', { holdId });
    expect([...codeOf(after), after.body.reason]).toEqual([409, 'cannot_extend', 'not_active']);
  });
});

describe('a release of seats', () => {
  it('answers every named label, also labels that were already free', async () => {
    const { post } = await page();
    const { holdId } = (await post('hold', { labels: ['A-1', 'A-2'] })).body;
    const first = await post('release', { holdId, labels: ['A-1', 'A-5'] });
    expect([first.status, first.body]).toEqual([200, { ok: true, released: ['A-1', 'A-5'] }]);
    expect((await post('release', { holdId, labels: ['A-1'] })).body.released).toEqual(['A-1']);
    expect((await post('hold', { labels: ['A-1'] })).status).toBe(200);
    expect((await post('release', { holdId })).body.released).toEqual(['A-2']);
    expect((await post('release', { holdId })).body).toEqual({ ok: true, released: [] });
  });

  it("frees the places of an area by the area's name", async () => {
    const { post } = await page();
    const { holdId } = (await post('hold', { selections: [{ label: 'Floor', quantity: 2 }] })).body;
    expect((await post('release', { holdId, labels: ['Floor'] })).body.released).toEqual([
      'Floor',
      '__sl_ga__floor__1',
      '__sl_ga__floor__2',
    ]);
  });

  it('refuses an unknown hold and an unknown label', async () => {
    const { post } = await page();
    const { holdId } = (await post('hold', { labels: ['A-1'] })).body;
    expect(codeOf(await post('release', { holdId: 'hld_0', labels: ['A-1'] }))).toEqual([404, 'hold_not_found']);
    const unknown = await post('release', { holdId, labels: ['A-1', 'Z-1'] });
    expect([...codeOf(unknown), unknown.body.labels]).toEqual([422, 'unknown_labels', ['Z-1']]);
  });
});

describe('while sales are closed', () => {
  it('new holds are refused, and existing holds go on', async () => {
    const { event, post } = await page();
    const { holdId } = (await post('hold', { labels: ['A-1'] })).body;
    await event.post('close');
    expect(codeOf(await post('hold', { labels: ['A-2'] }))).toEqual([409, 'event_closed']);
    expect(codeOf(await post('best-available', { qty: 1 }))).toEqual([409, 'event_closed']);
    expect((await post('hold/resume', { holdId })).status).toBe(200);
    expect((await post('extend', { holdId })).status).toBe(200);
    expect((await post('release', { holdId })).body.released).toEqual(['A-1']);
  });

  it('an archived event refuses holds and extensions as closed', async () => {
    const { event, post } = await page();
    const { holdId } = (await post('hold', { labels: ['A-1'] })).body;
    await event.post('archive');
    expect(codeOf(await post('hold', { labels: ['A-2'] }))).toEqual([409, 'event_closed']);
    expect(codeOf(await post('extend', { holdId }))).toEqual([409, 'event_closed']);
  });
});

describe('a page', () => {
  it('can read every refusal except an origin mismatch', async () => {
    const { event, post } = await page();
    await event.post('block', { labels: ['A-1'] });
    const read = [
      await post('hold', { labels: ['A-1'] }),
      await post('hold', {}),
      await post('hold', '{'),
      await post('hold/resume', { holdId: 'hld_0' }),
      await shop.buyer('POST', `${event.key}/hold`, { token: 'pk_test_00000000000000000000', body: {} }),
      await shop.buyer('DELETE', `${event.key}/hold`),
      await shop.buyer('GET', `${event.key}/nothing`),
    ];
    expect(read.map(({ status }) => status)).toEqual([409, 422, 400, 404, 401, 405, 404]);
    for (const { headers } of read) {
      expect(headers.get('access-control-allow-origin')).toBe(origin);
      expect(headers.get('vary')).toBe('Origin');
      expect(headers.get('access-control-allow-credentials')).toBeNull();
      expect(headers.get('access-control-expose-headers')).toBe('Retry-After, X-Request-ID, ETag, Date');
    }
    const foreign = await post('hold', { labels: ['A-2'] }, { Origin: 'https://evil.example' });
    expect(codeOf(foreign)).toEqual([403, 'buyer_access_origin_mismatch']);
    expect(foreign.headers.get('access-control-allow-origin')).toBe('https://evil.example');
    expect(Object.keys(foreign.body).sort()).toEqual(['code', 'error', 'message', 'requestId']);
    expect(foreign.headers.get('vary')).toBe('Origin');
  });

  it.each([
    `${origin}.evil.example`,
    `${origin}:8443`,
    `${origin}/`,
    'http://shop.example',
    'https://shop.example@evil.example',
    'https://SHOP.example',
    'https://sub.shop.example',
    'null',
  ])('from %s has a foreign origin', async (foreign) => {
    const { post } = await page();
    const answer = await post('hold', { labels: ['A-1'] }, { Origin: foreign });
    expect(codeOf(answer)).toEqual([403, 'buyer_access_origin_mismatch']);
    expect([foreign, null]).toContain(answer.headers.get('access-control-allow-origin'));
  });

  it('without an Origin header is refused', async () => {
    const event = await shop.event();
    const path = `/pub/events/${event.key}/hold`;
    const answer = await shop.call('POST', path, { token: shop.own.publishable.secret, body: { labels: ['A-1'] } });
    expect(codeOf(answer)).toEqual([403, 'buyer_access_origin_mismatch']);
    expect(answer.headers.get('vary')).toBe('Origin');
  });

  it('gets a preflight answer on every route', async () => {
    const event = await shop.event();
    for (const action of ['hold', 'best-available', 'hold/resume', 'extend', 'release', 'chart', 'bootstrap', 'x']) {
      const headers = {
        'Access-Control-Request-Method': 'POST',
        'Access-Control-Request-Headers': 'authorization,content-type',
      };
      const answer = await shop.call('OPTIONS', `/pub/events/${event.key}/${action}`, {
        headers: { Origin: origin, ...headers },
      });
      expect(answer.status).toBe(204);
      expect(answer.headers.get('access-control-allow-origin')).toBe(origin);
      expect(answer.headers.get('access-control-allow-methods')).toContain('POST');
      expect(answer.headers.get('access-control-allow-headers')).toMatch(
        /Authorization, Content-Type, Idempotency-Key/,
      );
      expect(answer.headers.get('vary')).toBe('Origin');
    }
  });
});

describe('a key', () => {
  it('of another mode or organisation, or of another kind, is refused', async () => {
    const event = await shop.event();
    const hold = (token: string) => shop.buyer('POST', `${event.key}/hold`, { token, body: { labels: ['A-1'] } });
    const other = await shop.organisation('Elsewhere');
    expect(codeOf(await hold(other.publishable.secret))).toEqual([404, 'not_found']);
    const body = { kind: 'publishable', mode: 'live', origins: [origin] };
    const path = `/v1/admin/organisations/${shop.own.id}/keys`;
    const live = await shop.call('POST', path, { token: shop.rootToken, body });
    const mismatched = await hold(live.body.secret);
    expect(codeOf(mismatched)).toEqual([403, 'buyer_access_mode_mismatch']);
    expect(mismatched.headers.get('access-control-allow-origin')).toBe(origin);
    expect(codeOf(await hold(shop.token))).toEqual([401, 'buyer_access_invalid']);
    expect(codeOf(await hold(shop.rootToken))).toEqual([401, 'buyer_access_invalid']);
  });

  it("is required: an event's key alone opens nothing", async () => {
    const event = await shop.event();
    for (const action of ['hold', 'best-available', 'hold/resume', 'extend', 'release']) {
      const answer = await shop.call('POST', `/pub/events/${event.key}/${action}`, {
        headers: { Origin: origin },
        body: {},
      });
      expect(codeOf(answer)).toEqual([404, 'not_found']);
    }
  });
});
