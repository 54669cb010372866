/** An event from creation to deletion, as a platform's server sees it: details, lifecycle, lists. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openShop, type Shop } from '../shop.ts';

let shop: Shop;
let event: Awaited<ReturnType<Shop['event']>>;

beforeAll(async () => {
  shop = await openShop();
}, 120_000);
afterAll(() => shop?.stop());
beforeEach(async () => {
  event = await shop.event();
});

const call = (method: string, path: string, body?: unknown, token = shop.token) =>
  shop.call(method, path, { token, ...(body === undefined ? {} : { body }) });
const patch = (body: unknown) => call('PATCH', event.path, body);
/** The status, and for a refusal its code and one field. */
const told = ({ status, body }: Awaited<ReturnType<typeof call>>, field = 'status') =>
  body.code === undefined ? [status] : [status, body.code, body[field]];

it('An event starts with the section states of its creation, which must name sections of its chart', async () => {
  const make = (sectionStates: object) => call('POST', '/v1/events', { chartId: shop.chart.id, sectionStates });
  const made = (await make({ __ungrouped__: 'closed' })).body.meta;
  const detail = await call('GET', `/v1/events/${made.key}`);
  expect(detail.body.sectionStates).toEqual({ __ungrouped__: 'closed' });
  expect(made).not.toHaveProperty('sectionStates');
  expect((await make({ attic: 'hidden' })).body).toMatchObject({ issues: [{ path: 'sectionStates.attic' }] });
});

it('The configuration of an event is a name that is stored, and changed from its present revision only', async () => {
  const path = `${event.path}/event-configuration`;
  const unset = { configuration: null, revision: 0, changedBy: null, changedAt: null, audit: [] };
  expect((await call('GET', path)).body).toEqual(unset);
  const configuration = { id: 'layout', version: 3 };
  const set = await call('PUT', path, { expectedRevision: 0, configuration });
  const changed = { configuration, revision: 1, changedBy: expect.stringMatching(/^key_/), audit: [] };
  expect([set.status, set.body]).toEqual([200, { ...changed, changedAt: expect.any(Number) }]);
  expect((await call('GET', path)).body).toEqual(set.body);
  const stale = await call('PUT', path, { expectedRevision: 0, configuration });
  expect([stale.status, stale.body]).toMatchObject([409, { reason: 'stale_revision', revision: 1 }]);
  for (const wrong of [{ id: 'layout' }, { version: 3 }, 'layout', { id: 'layout', version: true }, undefined]) {
    expect((await call('PUT', path, { expectedRevision: 1, configuration: wrong })).status).toBe(422);
  }
  const gone = await call('PUT', path, { expectedRevision: 1, configuration: null });
  expect(gone.body).toMatchObject({ configuration: null, revision: 2 });
});

describe('a change', () => {
  it('is in the answer, the detail and the lists at once', async () => {
    const changes = { name: 'Ball', venue: 'Court', startsAt: 1_000, endsAt: 2_000, externalRef: `ref-${event.key}` };
    const changed = await patch({ ...changes, region: 'africa' });
    expect(changed.status).toBe(200);
    expect(changed.body).toMatchObject({ meta: changes, counts: { free: 70, held: 0 }, holdTtlMs: null });
    const detail = (await event.get()).body;
    expect(detail).toEqual(changed.body);
    const listed = await call('GET', `/v1/events?externalRef=${changes.externalRef}&counts=0`);
    expect(listed.body.events).toEqual([detail.meta]);
    const cleared = { venue: null, startsAt: null, endsAt: null, externalRef: null };
    expect((await patch(cleared)).body.meta).toMatchObject({ ...cleared, name: 'Ball' });
  });

  it('must name at least one field, and valid values', async () => {
    expect(told(await patch({}))).toEqual([400, 'nothing_to_update', undefined]);
    expect(told(await patch({ slug: 'other', posterAssetId: 'ast_1' }))[1]).toBe('nothing_to_update');
    await patch({ startsAt: 1_000 });
    expect((await patch({ endsAt: 999 })).body).toMatchObject({
      code: 'invalid_request',
      issues: [{ path: 'endsAt' }],
    });
    expect(told(await patch({ name: null }))).toEqual([422, 'invalid_request', undefined]);
    expect((await patch({ sectionStates: { attic: 'hidden' } })).body).toMatchObject({
      code: 'invalid_request',
      issues: [{ path: 'sectionStates.attic' }],
    });
  });

  it("of the currency is refused while units are held or booked; null restores the organisation's currency", async () => {
    expect((await patch({ currency: 'CHF' })).body.meta.currency).toBe('CHF');
    const { holdId, currency } = (await event.post('hold', { labels: ['A-1'] })).body;
    expect(currency).toBe('CHF');
    const refused = await patch({ currency: null, name: 'Never' });
    expect(refused.body).toMatchObject({ code: 'conflict', reason: 'event_has_sales' });
    expect((await event.get()).body.meta).toMatchObject({ currency: 'CHF', name: 'Small hall' });
    await event.post('release', { holdId });
    expect((await patch({ currency: null })).body.meta.currency).toBe('EUR');
  });

  it('is refused for events of another organisation or mode', async () => {
    const other = await shop.organisation('Other');
    const body = { name: 'Mine' };
    expect(told(await call('PATCH', event.path, body, other.test.secret))).toEqual([404, 'not_found', undefined]);
    expect(told(await call('PATCH', event.path, body, shop.own.live.secret))[1]).toBe('mode_mismatch');
  });
});

describe('the life of an event', () => {
  it('follows the allowed steps only, and each step shows at once', async () => {
    const close = await event.post('close');
    expect(close.body).toMatchObject({ ok: true, meta: { status: 'closed', salesPaused: false } });
    expect(close.body.meta.updatedAt).toBeGreaterThan(close.body.meta.createdAt);
    expect(told(await event.post('hold', { labels: ['A-1'] }))[1]).toBe('event_closed');
    expect(told(await event.post('close'))).toEqual([409, 'invalid_event_state', 'closed']);
    expect((await event.post('reopen')).body.meta.status).toBe('active');
    expect(told(await event.post('reopen'))).toEqual([409, 'invalid_event_state', 'active']);
    expect(told(await event.post('unarchive'))).toEqual([409, 'invalid_event_state', 'active']);

    await event.post('book', { labels: ['A-1', 'A-2'], bookingRef: 'o-1' });
    const { ok, meta, snapshot } = (await event.post('archive')).body;
    expect({ ok, status: meta.status, sold: meta.sold }).toEqual({ ok: true, status: 'archived', sold: 2 });
    expect(snapshot).toEqual({
      id: expect.stringMatching(/^snp_[0-9A-Za-z]{22}$/),
      at: expect.any(Number),
      counts: { free: 68, held: 0, booked: 2, blocked: 0 },
    });

    const back = await event.post('unarchive');
    expect(back.body.meta).toMatchObject({ status: 'active', salesPaused: true });
    expect(told(await event.post('hold', { labels: ['A-3'] }))[1]).toBe('event_closed');
    expect((await event.post('reopen')).body.meta).toMatchObject({ status: 'active', salesPaused: false });
    expect((await event.post('hold', { labels: ['A-3'] })).status).toBe(200);
  });

  it('in the archive allows reads and no changes', async () => {
    await event.post('book', { labels: ['A-1'], bookingRef: 'o-1' });
    await event.post('archive');
    const writes = [
      patch({ name: 'x' }),
      patch({ sectionStates: {} }),
      event.post('hold-ttl', { holdTtlMs: 60_000 }),
      event.post('block', { labels: ['A-2'] }),
      event.post('unbook', { bookingRef: 'o-1' }),
      event.post('close'),
      call('DELETE', `${event.path}/poster`),
    ];
    for (const refused of await Promise.all(writes)) {
      expect(told(refused)).toEqual([409, 'invalid_event_state', 'archived']);
    }
    expect((await event.get('/report')).body.report.byStatus).toMatchObject({ booked: 1 });
    expect((await event.get()).body).toMatchObject({ meta: { status: 'archived', sold: 1 }, counts: { booked: 1 } });
  });

  it('reopens only an event that is ready for sale', async () => {
    await patch({ endsAt: 1 });
    await event.post('close');
    const refused = await event.post('reopen');
    expect(refused.body).toMatchObject({ code: 'event_not_ready', issues: [{ path: 'endsAt' }] });
    await event.post('archive');
    expect(told(await event.post('reopen'))).toEqual([409, 'invalid_event_state', 'archived']);
  });

  it('reopens a live event only while the organisation has credits', async () => {
    const poor = await shop.organisation('Poor');
    const token = poor.live.secret;
    const { meta } = (await call('POST', '/v1/charts', { name: 'Hall', doc: shop.hall }, token)).body;
    await call('POST', `/v1/charts/${meta.id}/publish`, undefined, token);
    const { key } = (await call('POST', '/v1/events', { chartId: meta.id }, token)).body.meta;
    await call('POST', `/v1/events/${key}/close`, undefined, token);
    const credits = { delta: -10, reason: 'gone' };
    await call('POST', `/v1/admin/organisations/${poor.id}/credits`, credits, shop.rootToken);
    const refused = await call('POST', `/v1/events/${key}/reopen`, undefined, token);
    expect(refused.body).toMatchObject({ code: 'event_not_ready', issues: [{ path: 'mode' }] });
    expect(told(await call('POST', '/v1/events', { chartId: meta.id }, token))).toEqual([
      402,
      'insufficient_credits',
      undefined,
    ]);
  });

  it('ends with deletion, and then every route answers 404', async () => {
    const slug = event.key.replaceAll('_', '-');
    const create = async () => (await call('POST', '/v1/events', { chartId: shop.chart.id, slug })).body.meta;
    const { key } = await create();
    expect((await call('DELETE', `/v1/events/${key}`)).body).toEqual({ ok: true });
    for (const [method, path, body] of [
      ['GET', ''],
      ['PATCH', '', { name: 'x' }],
      ['DELETE', ''],
      ['POST', '/hold', { labels: ['A-1'] }],
      ['POST', '/reopen'],
      ['GET', '/report'],
      ['GET', '/hold-ttl'],
    ] as const) {
      expect(told(await call(method, `/v1/events/${key}${path}`, body))).toEqual([404, 'not_found', undefined]);
    }
    expect((await shop.buyer('GET', `${key}/objects`)).status).toBe(404);
    const listed = await call('GET', '/v1/events?counts=0&limit=200');
    expect(listed.body.events.map((each: { key: string }) => each.key)).not.toContain(key);
    expect(await create()).toMatchObject({ slug, key: `${slug}-2` });
  });
});

describe('event lists', () => {
  it('show one mode, with or without live counts, page by page', async () => {
    await event.post('book', { labels: ['A-1'], bookingRef: 'o-1' });
    const first = (await call('GET', '/v1/events?limit=1')).body;
    expect(first.events).toMatchObject([{ key: event.key, sold: 1, counts: { booked: 1, free: 69 }, mode: 'test' }]);
    const newer = await shop.event();
    const second = (await call('GET', `/v1/events?limit=1&counts=0&cursor=${first.nextCursor}`)).body;
    expect(second.events).toHaveLength(1);
    expect([event.key, newer.key]).not.toContain(second.events[0].key);
    expect(second.events[0]).not.toHaveProperty('counts');
    expect((await call('GET', '/v1/events?limit=1&cursor=%00nonsense')).body.events[0].key).toBe(newer.key);
    expect((await call('GET', '/v1/events', undefined, shop.own.live.secret)).body).toEqual({ events: [] });
  });
});

describe('the hold time', () => {
  it('is clamped to one to sixty minutes, and null restores the default', async () => {
    const set = async (holdTtlMs: unknown) => (await event.post('hold-ttl', { holdTtlMs })).body;
    expect(await set(1)).toEqual({ ok: true, holdTtlMs: 60_000 });
    expect(await set(99_999_999)).toEqual({ ok: true, holdTtlMs: 3_600_000 });
    expect((await event.get('/hold-ttl')).body).toEqual({ holdTtlMs: 3_600_000 });
    expect((await event.get()).body.holdTtlMs).toBe(3_600_000);
    expect(await set(null)).toEqual({ ok: true, holdTtlMs: null });
    expect(await set('long')).toMatchObject({ code: 'invalid_request' });
  });
});
