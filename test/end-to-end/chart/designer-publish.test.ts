/** The preview of a publish tells what the publish then does, and a stale save learns who saved before. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Json, openShop, type Shop } from '../shop.ts';
import { openSession, publishedChart } from './designer-session.ts';

let shop: Shop;

beforeAll(async () => {
  shop = await openShop();
}, 120_000);
afterAll(() => shop?.stop());

const session = async (chartId: string, more: object = {}) =>
  (await openSession(shop, chartId, { authority: 'publish', ...more })).call;
const published = async () => (await publishedChart(shop, shop.hall)).id;

/** The hall without the last seat of row A. */
const smaller = (doc: Json): Json => ({
  ...doc,
  objects: doc.objects.map((object: Json) => (object.id === 'r1' ? { ...object, seatCount: 19 } : object)),
});

test('a preview names the events that follow, those that wait and why, and the seats that would vanish', async () => {
  const chartId = await published();
  const call = await session(chartId);
  const eventOn = async () =>
    (await shop.call('POST', '/v1/events', { token: shop.token, body: { chartId, name: 'Night' } })).body.meta.key;
  const idle = await eventOn();
  const sold = await eventOn();
  const blocked = await eventOn();
  const post = (key: string, what: string, body: object) =>
    shop.call('POST', `/v1/events/${key}/${what}`, { token: shop.token, body });
  expect((await post(sold, 'book', { labels: ['A-20'], bookingRef: 'order-1' })).status).toBe(200);
  expect((await post(blocked, 'block', { labels: ['B-1'] })).status).toBe(200);
  const unchanged = await call('GET', '/publish-preview');
  expect(unchanged.body).toMatchObject({ isNew: false, issues: [], truncated: false });
  expect(unchanged.body.events.map(({ outcome }: Json) => outcome)).toEqual(['current', 'current', 'current']);

  const { doc, meta } = (await call('GET')).body;
  await call('PUT', '', { doc: smaller(doc), expectedUpdatedAt: meta.updatedAt });
  const preview = await call('GET', '/publish-preview');
  expect(preview.status).toBe(200);
  const byKey = Object.fromEntries(preview.body.events.map((event: Json) => [event.key, event]));
  const gone = { count: 1, labels: ['A-20'] };
  expect(preview.body.isNew).toBe(true);
  expect(byKey[idle]).toMatchObject({ outcome: 'refresh', reasons: [], vanishing: { ...gone, taken: [] } });
  expect(byKey[sold]).toMatchObject({
    outcome: 'needsUpdate',
    reasons: ['in_use'],
    vanishing: { ...gone, taken: ['A-20'] },
  });
  expect(byKey[blocked]).toMatchObject({
    outcome: 'needsUpdate',
    reasons: ['in_use'],
    vanishing: { ...gone, taken: [] },
  });

  const { events } = (await call('POST', '/publish', {})).body;
  expect(events.refreshed).toEqual([idle]);
  expect(events.needsUpdate.toSorted()).toEqual([sold, blocked].toSorted());
});

test('a chart that somebody changed after the preview is not published', async () => {
  const chartId = await published();
  const ann = await session(chartId, { person: 'Ann' });
  const ben = await session(chartId, { person: 'Ben' });
  const { doc, meta } = (await ann('GET')).body;
  await ann('PUT', '', { doc: { ...doc, name: 'Ann’s' }, expectedUpdatedAt: meta.updatedAt });
  const seen = (await ann('GET', '/publish-preview')).body.meta.updatedAt;
  await ben('PUT', '', { doc: smaller(doc), expectedUpdatedAt: seen });
  const refused = await ann('POST', '/publish', { expectedUpdatedAt: seen });
  expect(refused).toMatchObject({ status: 409, body: { reason: 'stale_chart', savedSince: [{ by: 'Ben' }] } });
  expect((await ann('GET')).body.meta.publishedVersion).toBe(1);
  const { updatedAt } = (await ann('GET', '/publish-preview')).body.meta;
  expect((await ann('POST', '/publish', { expectedUpdatedAt: updatedAt })).body.meta.publishedVersion).toBe(2);
  // Clients from before the field publish as they did.
  expect((await ann('POST', '/publish')).status).toBe(200);
});

test('a preview lists every fault, and changes nothing', async () => {
  const chartId = await published();
  const call = await session(chartId);
  const { doc, meta } = (await call('GET')).body;
  const faulty = { ...doc, objects: doc.objects.map((each: Json) => ({ ...each, label: 'A', categoryKey: 'none' })) };
  const saved = await call('PUT', '', { doc: faulty, expectedUpdatedAt: meta.updatedAt });
  const { issues } = (await call('GET', '/publish-preview')).body;
  const refused = await call('POST', '/publish', {});
  expect([refused.body.code, refused.body.issues]).toEqual(['invalid_chart', issues]);
  expect((await call('GET')).body.meta).toEqual(saved.body.meta);
});

test('a session without the right to publish sees no preview', async () => {
  const chartId = await published();
  for (const authority of ['read-only', 'edit'])
    expect((await (await session(chartId, { authority }))('GET', '/publish-preview')).status).toBe(403);
});

test('a stale save learns who saved since, and when', async () => {
  const chartId = await published();
  const ann = await session(chartId, { person: 'Ann' });
  const ben = await session(chartId, { person: 'Ben' });
  const platform = await session(chartId);
  const { doc, meta } = (await ben('GET')).body;
  const first = (await ann('PUT', '', { doc: smaller(doc), expectedUpdatedAt: meta.updatedAt })).body.meta.updatedAt;
  const second = (await platform('PUT', '', { doc, expectedUpdatedAt: first })).body.meta.updatedAt;
  const renamed = (await ann('PUT', '', { name: 'Great hall' })).body.meta.updatedAt;
  const stale = await ben('PUT', '', { doc, expectedUpdatedAt: meta.updatedAt });
  expect(stale.status).toBe(409);
  expect(stale.body).toMatchObject({ code: 'conflict', reason: 'stale_chart', updatedAt: renamed });
  expect(stale.body.savedSince).toEqual([
    { at: first, by: 'Ann' },
    { at: second, by: null },
  ]);
  expect((await ben('GET', '?saves=1')).body.saves).toEqual(stale.body.savedSince);
  expect((await ben('GET')).body).not.toHaveProperty('saves');
  expect((await ben('PUT', '', { doc, expectedUpdatedAt: first })).body.savedSince).toEqual([{ at: second, by: null }]);
});
