/**
 * Adjustments of one event: seats in other categories and tables in other booking modes, up to their sale and across a
 * new chart version.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { exampleHall } from '../../../services/frontdoor/src/api/charts.ts';
import { type Json, openShop, type Shop } from '../shop.ts';

let shop: Shop;
let chart: Json;

beforeAll(async () => {
  shop = await openShop();
  chart = (await post('/v1/charts', { name: 'Hall', doc: exampleHall })).body.meta;
  await post(`/v1/charts/${chart.id}/publish`);
}, 120_000);
afterAll(() => shop?.stop());

const post = (path: string, body?: unknown) =>
  shop.call('POST', path, { token: shop.token, ...(body === undefined ? {} : { body }) });
const get = (path: string) => shop.call('GET', path, { token: shop.token });

async function freshEvent(): Promise<string> {
  return `/v1/events/${(await post('/v1/events', { chartId: chart.id })).body.meta.key}`;
}

test('A seat in another category sells at its price in this event only, and the log tells the change', async () => {
  const event = await freshEvent();
  const other = await freshEvent();
  const assigned = await post(`${event}/category-assignments`, {
    labels: ['A-1', 'A-2', 'A-1'],
    categoryKey: 'balcony',
  });
  expect([assigned.status, assigned.body]).toEqual([200, { ok: true, labels: ['A-1', 'A-2'] }]);
  const priceIn = async (path: string) => (await post(`${path}/hold`, { labels: ['A-1'] })).body.items[0].unitPrice;
  expect([await priceIn(event), await priceIn(other)]).toEqual([30, 20]);
  const { doc } = (await get(`${event}/chart`)).body;
  expect(doc.objects[0].overrides).toEqual([
    { index: 0, categoryKey: 'balcony' },
    { index: 1, categoryKey: 'balcony' },
  ]);
  const { entries } = (await get(`${event}/log`)).body;
  expect(entries.find(({ action }: Json) => action === 'update_chart').details).toMatchObject({ adjusted: true });
  // A-1 is held now.
  const refused = await post(`${event}/category-assignments`, { labels: ['A-1', 'A-3'], categoryKey: 'house' });
  expect([refused.status, refused.body]).toMatchObject([
    409,
    { reason: 'seats_in_use', conflicts: [{ label: 'A-1', status: 'held' }] },
  ]);
});

test('A table is sold as a whole with a number of guests, and keeps its mode while it is held', async () => {
  const event = await freshEvent();
  const booking = { tableIds: ['table-1'], mode: 'variable', minOccupancy: 2, maxOccupancy: 4 };
  expect((await post(`${event}/table-booking`, booking)).body).toEqual({ ok: true, tableIds: ['table-1'] });
  expect((await get(event)).body.meta.seatTotal).toBe(60 + 30 + 1);
  const held = await post(`${event}/hold`, { selections: [{ label: 'T1', quantity: 3 }] });
  expect(held.body.items[0]).toMatchObject({ bookingMode: 'variable', quantity: 3, minOccupancy: 2, maxOccupancy: 4 });
  const back = await post(`${event}/table-booking`, { tableIds: ['table-1'], mode: 'individual' });
  expect([back.status, back.body.code, back.body.tableIds]).toEqual([409, 'table_inventory_in_use', ['table-1']]);
  await post(`${event}/release`, { holdId: held.body.holdId });
  expect((await post(`${event}/table-booking`, { tableIds: ['table-1'], mode: 'individual' })).status).toBe(200);
  expect((await post(`${event}/hold`, { labels: ['T1-6'] })).status).toBe(200);
});

test('Table seats that are assigned to a channel are not dropped by a new booking mode', async () => {
  const event = await freshEvent();
  const made = await post(`${event}/channels`, { name: 'Patrons' });
  if (made.status === 404 || made.status === 405) return;
  const { assignmentVersion } = (await get(`${event}/channels`)).body;
  const targetChannelId = made.body.channel.id;
  await post(`${event}/channels/assignments`, { targetChannelId, labels: ['T1-2'], assignmentVersion });
  const refused = await post(`${event}/table-booking`, { tableIds: ['table-1'], mode: 'whole' });
  expect([refused.status, refused.body.code]).toEqual([409, 'assignments_would_drop']);
});

test('Concurrent changes all apply, and the next chart version keeps the adjustments that fit it', async () => {
  const event = await freshEvent();
  const seats = ['A-5', 'A-6', 'A-20', 'C-1'];
  const answers = await Promise.all(
    seats.map((label) => post(`${event}/category-assignments`, { labels: [label], categoryKey: 'balcony' })),
  );
  for (const [nth, { status }] of answers.entries()) {
    if (status === 409)
      expect(
        (await post(`${event}/category-assignments`, { labels: [seats[nth]], categoryKey: 'balcony' })).status,
      ).toBe(200);
  }
  const shorter = exampleHall.objects.map((object) => (object.id === 'row-a' ? { ...object, seatCount: 19 } : object));
  const { meta } = (await get(`/v1/charts/${chart.id}`)).body;
  const body = { doc: { ...exampleHall, objects: shorter }, expectedUpdatedAt: meta.updatedAt };
  expect((await shop.call('PUT', `/v1/charts/${chart.id}`, { token: shop.token, body })).status).toBe(200);
  const key = event.split('/').at(-1);
  const published = await post(`/v1/charts/${chart.id}/publish`);
  expect(published.body.events.needsUpdate).toContain(key);
  expect((await get(event)).body.chartUpdate).toEqual({ behind: true, canAutoUpdate: false });
  const updated = await post(`${event}/update-chart`);
  expect([updated.status, updated.body]).toMatchObject([
    200,
    { updated: true, droppedAdjustments: [{ reason: 'unknown_label', count: 1, names: ['A-20'] }] },
  ]);
  const held = await post(`${event}/hold`, { labels: ['A-5', 'A-6', 'A-7', 'C-1'] });
  expect(held.body.items.map(({ unitPrice }: Json) => unitPrice)).toEqual([30, 30, 20, 30]);
  expect((await get(event)).body.chartUpdate.behind).toBe(false);
  expect((await post(`${event}/update-chart`)).body.updated).toBe(false);
});

test('An adjustment that leaves nothing to sell is refused', async () => {
  const event = await freshEvent();
  const units: string[] = (await get(`${event}/units`)).body.units;
  const labels = [...units.filter((label) => !label.startsWith('__sl_ga__')), 'Floor'];
  const refused = await post(`${event}/category-assignments`, { labels, categoryKey: 'house' });
  expect([refused.status, refused.body.code, refused.body.issues.length]).toEqual([422, 'invalid_event_inventory', 1]);
  expect((await post(`${event}/hold`, { labels: ['A-1'] })).status).toBe(200);
});
