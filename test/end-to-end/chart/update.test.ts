/** An event that moves to another chart while it sells: viewers, reads, reports and bookings before and after. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openShop, type Shop, Watcher } from '../shop.ts';

let shop: Shop;

beforeAll(async () => {
  shop = await openShop();
}, 120_000);
afterAll(() => shop?.stop());

const row = (label: string, seatCount: number, categoryKey: string) => ({
  type: 'row',
  id: `row-${label}`,
  label,
  origin: { x: 0, y: label.charCodeAt(0) },
  rotation: 0,
  curve: 0,
  seatCount,
  seatSpacing: 20,
  categoryKey,
});

const document = (...objects: unknown[]) => ({
  version: 1,
  name: 'Hall',
  venueType: 'SIMPLE',
  focalPoint: { x: 0, y: 0 },
  categories: [
    { key: 'near', label: 'Near', color: '#112233', price: 50 },
    { key: 'far', label: 'Far', color: '#332211', price: 20 },
  ],
  objects,
});

/** An event on its own chart, with a function that publishes the next version of the chart. */
async function eventOn(...objects: unknown[]) {
  const { token, call } = shop;
  const made = await call('POST', '/v1/charts', { token, body: { name: 'Hall', doc: document(...objects) } });
  const path = `/v1/charts/${made.body.meta.id}`;
  await call('POST', `${path}/publish`, { token });
  const { meta } = (await call('POST', '/v1/events', { token, body: { chartId: made.body.meta.id } })).body;
  const event = `/v1/events/${meta.key}`;
  return {
    key: meta.key as string,
    chartId: meta.chartId as string,
    post: (action: string, body?: unknown) =>
      call('POST', `${event}/${action}`, { token, ...(body === undefined ? {} : { body }) }),
    get: async (what = '') => (await call('GET', event + what, { token })).body,
    async publish(...next: unknown[]) {
      const { updatedAt } = (await call('GET', path, { token })).body.meta;
      await call('PUT', path, { token, body: { doc: document(...next), expectedUpdatedAt: updatedAt } });
      return (await call('POST', `${path}/publish`, { token })).body.events;
    },
  };
}

async function watch(key: string, ...resume: string[]): Promise<Watcher> {
  const { protocols } = (await shop.buyer('POST', `${key}/subscribe-tickets`, { body: {} })).body;
  return new Watcher(`${shop.url}/pub/events/${key}/subscribe`, [...protocols, ...resume]);
}

test('Viewers and readers are on the new chart at once, and sold seats keep their prices', async () => {
  const event = await eventOn(row('A', 4, 'near'), row('B', 4, 'far'));
  const { holdId } = (await event.post('hold', { labels: ['A-1', 'B-2'] })).body;
  await event.post('book', { holdId, labels: ['B-2'], bookingRef: 'order-1' });
  const viewer = await watch(event.key);
  const { snapshotVersion: before } = await viewer.next();
  const { headers } = await shop.buyer('GET', `${event.key}/chart`);
  expect(await event.publish(row('B', 6, 'near'), row('A', 2, 'far'))).toEqual({
    refreshed: [],
    needsUpdate: [event.key],
  });
  const from = { objectId: 'row-A:0', category: 'near', accessibility: [], place: { row: 'A', seat: '1' } };
  const moved = [
    { label: 'A-1', from, to: { ...from, category: 'far' } },
    { label: 'B-2', from: { objectId: 'row-B:1', category: 'far' }, to: { objectId: 'row-B:1', category: 'near' } },
  ];
  const looked = await event.post('update-chart/preview');
  expect(looked.body).toMatchObject({ vanishing: [], vanishingCount: 0, moved, movedCount: 2, droppedAssignments: [] });
  expect(looked.body.moved[0].from.place.name).toBe('Row A, seat 1');
  const refused = await event.post('update-chart', { reason: 'more room' });
  expect([refused.status, refused.body]).toMatchObject([409, { code: 'seats_would_move', moved, movedCount: 2 }]);
  const accepted = { acknowledgeMoved: true, reason: 'more room' };
  expect((await event.post('update-chart', { ...accepted, chartId: 'cht_other' })).status).toBe(404);
  expect((await event.post('update-chart', accepted)).body).toMatchObject({
    ok: true,
    updated: true,
    meta: { seatTotal: 8 },
  });

  const snapshot = await viewer.next();
  expect(snapshot).toMatchObject({ type: 'snapshot', seats: { 'A-1': 'held', 'B-2': 'booked' } });
  expect(snapshot.snapshotVersion).toBeGreaterThan(before);
  const again = await watch(event.key, `sv.${before}`);
  expect(await again.next()).toEqual(snapshot);

  const chart = await event.get('/chart');
  expect(chart.doc.objects.map(({ id }: { id: string }) => id)).toEqual(['row-B', 'row-A']);
  expect(chart.event.seatTotal).toBe(8);
  expect(await event.get('/objects')).toMatchObject({ seats: { 'A-1': 'held', 'B-2': 'booked' } });
  const seen = await shop.buyer('GET', `${event.key}/chart`, { headers: { 'If-None-Match': headers.get('ETag')! } });
  expect([seen.status, seen.body?.doc.objects.length]).toEqual([200, 2]);

  const { report } = await event.get('/report');
  expect(report.byCategory).toMatchObject([
    { category: 'near', total: 6, booked: 1, bookedValue: 20 },
    { category: 'far', total: 2, held: 1, bookedValue: 0 },
  ]);
  expect((await event.get(`/holds/${holdId}`)).items).toMatchObject([
    { label: 'A-1', unitPrice: 50, categoryKey: 'far' },
  ]);
  expect((await event.post('book', { holdId, bookingRef: 'order-1' })).body.booked).toEqual(['A-1']);
  expect((await event.post('hold', { labels: ['B-6'] })).body.items).toMatchObject([{ unitPrice: 50 }]);
  // The hold of B-6 may share the frame.
  const booked = expect.objectContaining({ label: 'A-1', status: 'booked' });
  expect(await viewer.next()).toMatchObject({ type: 'delta', changes: expect.arrayContaining([booked]) });
  const { booking } = await event.get('/bookings/order-1');
  expect(booking).toMatchObject({ labels: ['B-2', 'A-1'], activeConfiguredValue: 70 });
  viewer.close();
  again.close();
});

test('A chart without a held seat is refused, and the event stays on its old chart', async () => {
  const event = await eventOn(row('A', 4, 'near'));
  await event.post('hold', { labels: ['A-4', 'A-1'] });
  await event.publish(row('A', 2, 'near'));
  const refused = await event.post('update-chart');
  expect([refused.status, refused.body]).toMatchObject([409, { code: 'seats_would_vanish', missingLabels: ['A-4'] }]);
  expect(await event.get()).toMatchObject({ meta: { seatTotal: 4 }, counts: { held: 2, free: 2 } });
  expect((await event.get('/chart')).doc.objects[0].seatCount).toBe(4);
});

test('An archived event can be read but not changed, and buyers see closed sales', async () => {
  const event = await eventOn(row('A', 4, 'near'));
  await event.post('book', { labels: ['A-1'], bookingRef: 'order-1' });
  const { holdId } = (await event.post('hold', { labels: ['A-2'] })).body;
  const archived = await event.post('archive');
  expect(archived.body).toMatchObject({
    ok: true,
    meta: { status: 'archived' },
    snapshot: { id: expect.stringMatching(/^snp_/), counts: { free: 2, held: 1, booked: 1, blocked: 0 } },
  });
  for (const [action, body] of [
    ['book', { holdId, bookingRef: 'order-2' }],
    ['unbook', { bookingRef: 'order-1' }],
    ['block', { labels: ['A-3'] }],
    ['unblock-all', undefined],
    ['update-chart', undefined],
  ] as const) {
    const { status, body: told } = await event.post(action, body);
    expect([action, status, told.code, told.status]).toEqual([action, 409, 'invalid_event_state', 'archived']);
  }
  expect((await event.get('/report')).report.byStatus).toEqual({ free: 2, held: 1, booked: 1, not_for_sale: 0 });
  expect((await shop.buyer('GET', `${event.key}/chart`)).body.event).toMatchObject({
    status: 'archived',
    salesClosed: true,
  });
});

const area = (capacity: number, id = 'area') => ({
  type: 'gaArea',
  id,
  label: 'Standing',
  points: [
    { x: 0, y: 200 },
    { x: 100, y: 200 },
    { x: 100, y: 260 },
  ],
  capacity,
  categoryKey: 'near',
});

test('An area shrinks to what is sold, and the booking has its new numbers', async () => {
  const event = await eventOn(row('A', 2, 'near'), area(10));
  const [third, ninth] = [3, 9].map((number) => `__sl_ga__area__${number}`);
  await event.post('book', { labels: [third, ninth], bookingRef: 'order-1' });
  await event.publish(row('A', 2, 'near'), area(1));
  expect((await event.post('update-chart')).body).toMatchObject({ code: 'seats_would_vanish', missingCount: 1 });
  await event.publish(row('A', 2, 'near'), area(2));
  const renumbered = [third, ninth].map((label, nth) => ({ label, to: `__sl_ga__area__${nth + 1}` }));
  const preview = await event.post('update-chart/preview');
  expect(preview.body).toMatchObject({ vanishing: [], moved: [], renumbered, renumberedCount: 2 });
  expect((await event.post('update-chart')).body).toMatchObject({ updated: true, renumbered, renumberedCount: 2 });
  const { booking } = await event.get('/bookings/order-1');
  expect(booking).toMatchObject({ state: 'booked', activeLabels: renumbered.map(({ to }) => to), quantity: 4 });
  expect(booking.activeConfiguredValue).toBe(100);
  const { entries } = await event.get('/log');
  expect(entries[0]).toMatchObject({ action: 'renumber', ref: 'order-1' });
  const unbooked = await event.post('unbook', { bookingRef: 'order-1', labels: [renumbered[0]!.to] });
  expect(unbooked.body).toMatchObject({ unbooked: [renumbered[0]!.to] });
});

test('An event moves to another chart of its workspace, and follows this chart from then on', async () => {
  const { token, call } = shop;
  const event = await eventOn(row('A', 4, 'near'), area(4));
  const other = await eventOn(row('A', 6, 'near'), area(6, 'stand'));
  const draft = await call('POST', '/v1/charts', { token, body: { name: 'Draft', doc: document(row('A', 1, 'far')) } });
  await event.post('book', { labels: ['A-1', '__sl_ga__area__4'], bookingRef: 'order-1' });
  const viewer = await watch(event.key);
  await viewer.next();
  const refused = await event.post('update-chart', { chartId: draft.body.meta.id });
  expect([refused.status, refused.body.code]).toEqual([422, 'chart_not_published']);
  const { chartId } = other;
  const word = { acknowledgeMoved: true, reason: 'The other hall' };
  const preview = await event.post('update-chart/preview', { chartId });
  const renumbered = [{ label: '__sl_ga__area__4', to: '__sl_ga__stand__4' }];
  expect(preview.body).toMatchObject({ moved: [{ label: '__sl_ga__area__4' }], renumbered });
  expect((await event.post('update-chart', { chartId })).body.moved).toEqual(preview.body.moved);
  const moved = await event.post('update-chart', { chartId, ...word });
  expect(moved.body).toMatchObject({ updated: true, renumbered, meta: { chartId, seatTotal: 12 } });
  expect(await viewer.next()).toMatchObject({ type: 'snapshot', seats: { __sl_ga__stand__4: 'booked' } });
  viewer.close();
  expect((await event.get()).meta.chartId).toBe(chartId);
  expect((await event.post('update-chart')).body).toMatchObject({ updated: false, meta: { chartId } });
  // The event is no event of the chart that it left, and the other chart is in use.
  expect((await event.publish(row('A', 5, 'near'), area(4))).needsUpdate).toEqual([]);
  expect((await other.publish(row('A', 7, 'near'), area(6, 'stand'))).needsUpdate).toEqual([event.key]);
  expect((await event.post('update-chart')).body).toMatchObject({ updated: true, meta: { chartId, seatTotal: 13 } });
  await call('DELETE', `/v1/events/${other.key}`, { token });
  const deleted = await call('DELETE', `/v1/charts/${chartId}`, { token });
  expect([deleted.status, deleted.body.code]).toEqual([409, 'chart_in_use']);
  expect((await call('DELETE', `/v1/charts/${event.chartId}`, { token })).status).toBe(200);
});
