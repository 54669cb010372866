/** Each template, from the list to a sale. */
import { templates } from '@parterre/shared/charts/templates/templates';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openShop, type Shop } from '../shop.ts';

let shop: Shop;

beforeAll(async () => {
  shop = await openShop();
}, 120_000);
afterAll(() => shop?.stop());

const post = (path: string, body?: unknown, headers: Record<string, string> = {}) =>
  shop.call('POST', path, { token: shop.token, headers, ...(body === undefined ? {} : { body }) });
const guestsOf = (items: { quantity?: number }[]) => items.reduce((sum, { quantity = 1 }) => sum + quantity, 0);
const get = (path: string) => shop.call('GET', path, { token: shop.token });

it('the list has every template with its sizes and its number of units', async () => {
  const { status, body } = await get('/v1/templates');
  expect([status, body.templates.length]).toEqual([200, templates.length]);
  for (const [index, { draw: _, sizes, ...named }] of templates.entries()) {
    expect(body.templates[index]).toEqual({ ...named, sizes, seatTotal: expect.any(Number) });
  }
});

describe.each(templates.map(({ id }) => id))('the template %s', (id) => {
  it('is a draft that publishes as it is, and sells by label and by best available', async () => {
    const made = await post(`/v1/templates/${id}/instantiate`);
    const listed = (await get('/v1/templates')).body.templates.find((each: { id: string }) => each.id === id);
    expect([made.status, made.body.meta]).toMatchObject([
      201,
      { name: listed.name, status: 'draft', seatTotal: listed.seatTotal, externalRef: null },
    ]);
    const chart = `/v1/charts/${made.body.meta.id}`;
    expect((await post(`${chart}/publish`)).status).toBe(200);
    const created = await post('/v1/events', { chartId: made.body.meta.id, name: 'An evening' });
    const event = `/v1/events/${created.body.meta.key}`;
    const best = await post(`${event}/best-available`, { qty: 4 });
    expect([best.status, guestsOf(best.body.items)]).toEqual([200, 4]);
    const { doc } = (await get(chart)).body;
    const [{ key: categoryKey }] = doc.categories;
    const chosen = await post(`${event}/best-available`, { qty: 1, categoryKey });
    expect(chosen.status).toBe(200);
    expect((await post(`${event}/release`, { labels: best.body.labels, holdId: best.body.holdId })).status).toBe(200);
    const held = await post(`${event}/hold`, { selections: best.body.items });
    expect([held.status, held.body.labels, guestsOf(held.body.items)]).toEqual([200, best.body.labels, 4]);
    const booked = await post(`${event}/book`, { holdId: held.body.holdId, bookingRef: `order-${id}` });
    expect(booked.status).toBe(200);
  });
});

it("sizes, name, workspace and reference are the caller's, and a repeat is the same chart", async () => {
  const body = { sizes: { rows: 4, seatsPerRow: 12, balconyRows: 2 }, name: 'Studio', externalRef: 'venue-7' };
  const key = { 'Idempotency-Key': 'studio-1' };
  const made = await post('/v1/templates/theatre/instantiate', body, key);
  expect(made.body.meta).toMatchObject({ name: 'Studio', externalRef: 'venue-7' });
  const { doc } = (await get(`/v1/charts/${made.body.meta.id}`)).body;
  expect([doc.name, doc.template]).toEqual(['Studio', { id: 'theatre', sizes: body.sizes }]);
  expect((await post('/v1/templates/theatre/instantiate', body, key)).body.meta.id).toBe(made.body.meta.id);
});

it('bad sizes are all named, and no chart is made', async () => {
  const before = (await get('/v1/charts')).body.charts.length;
  const refused = await post('/v1/templates/club/instantiate', { sizes: { capacity: 1, tables: 'two', rows: 3 } });
  expect([refused.status, refused.body.code]).toEqual([422, 'invalid_request']);
  expect(refused.body.issues.map(({ path }: { path: string }) => path)).toEqual([
    'sizes.capacity',
    'sizes.tables',
    'sizes.rows',
  ]);
  expect((await post('/v1/templates/moon/instantiate')).status).toBe(404);
  expect((await get('/v1/charts')).body.charts.length).toBe(before);
});
