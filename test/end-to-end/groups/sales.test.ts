/** Sales of a performance group, beyond the behaviours that test/end-to-end/over-events has for seasons too. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openShop, type Shop } from '../shop.ts';
import { openRun, type Run } from './run.ts';

let shop: Shop;
let run: Run;
beforeAll(async () => {
  shop = await openShop();
  run = await openRun(shop);
}, 120_000);
afterAll(() => shop?.stop());

let named = 0;
const newName = () => `pghop_${++named}`;
const onEvent = (key: string, action: string, body: object) =>
  shop.call('POST', `/v1/events/${key}/${action}`, { token: shop.token, body });
const book = (operationId: string, bookActionId: string, bookingRef: string) =>
  run.post(`/holds/${operationId}/book`, { bookActionId, bookingRef });

test('a conflict names the seats that each performance lacks, in the order of the performances', async () => {
  const [first, second, third] = run.eventKeys as [string, string, string];
  await onEvent(third, 'book', { labels: ['B-10', 'B-11'], bookingRef: 'order-b' });
  await onEvent(second, 'hold', { labels: ['B-10'] });
  await onEvent(first, 'block', { labels: ['B-11', 'B-12'] });
  const lacks = [
    { eventKey: first, label: 'B-11', name: 'Row B, seat 11', status: 'not_for_sale' },
    { eventKey: first, label: 'B-12', name: 'Row B, seat 12', status: 'not_for_sale' },
    { eventKey: second, label: 'B-10', name: 'Row B, seat 10', status: 'held' },
    { eventKey: third, label: 'B-10', name: 'Row B, seat 10', status: 'booked' },
    { eventKey: third, label: 'B-11', name: 'Row B, seat 11', status: 'booked' },
  ];
  const page = await run.page();
  const conflicts = async (...labels: string[]) => (await page.hold(newName(), labels)).body.conflicts;
  expect(await conflicts('B-10', 'B-11', 'B-12', 'B-13')).toEqual(lacks);
  expect(await conflicts('B-12', 'B-13')).toEqual([lacks[1]]);
});

test('a price that has changed since the page showed it is told before anything is held', async () => {
  const [, , third] = run.eventKeys as [string, string, string];
  const page = await run.page();
  const refused = await page.hold(newName(), ['A-18', 'A-19'], { expectedTotal: 119 });
  expect([refused.status, refused.body]).toMatchObject([
    409,
    { code: 'price_changed', total: 120, expectedTotal: 119, currency: 'EUR' },
  ]);
  expect(refused.body.items).toHaveLength(6);
  expect(refused.body.allocations.map((each: { eventKey: string }) => each.eventKey)).toEqual(run.eventKeys);
  const path = `/v1/events/${third}/releases`;
  const releases = [{ name: 'Late', price: 25, categoryKey: 'stalls' }];
  await shop.call('PUT', path, { token: shop.token, body: { releases } });
  const dearer = await page.hold(newName(), ['A-18', 'A-19'], { expectedTotal: 120 });
  expect([dearer.body.code, dearer.body.total]).toEqual(['price_changed', 130]);
  expect(await run.statuses('A-18')).toEqual(['free', 'free', 'free']);
  const held = await page.hold(newName(), ['A-18', 'A-19'], { expectedTotal: 130 });
  expect([held.status, held.body.operation.state]).toEqual([201, 'committed']);
  await shop.call('PUT', path, { token: shop.token, body: { releases: [] } });
  expect((await page.hold(newName(), ['A-20'], { expectedTotal: 1.5 })).body).toMatchObject({
    issues: [{ path: 'expectedTotal' }],
  });
});

test('a fresh session takes the holds of an earlier one over', async () => {
  const before = await run.page();
  const after = await run.page();
  const operationId = newName();
  await before.hold(operationId, ['A-7']);
  const adopted = await after.post('/session/adopt', { previousToken: before.token });
  expect(adopted.status).toBe(200);
  expect((await after.get(`/operations/${operationId}`)).body.operation.state).toBe('committed');
});

test('a hold lasts as long as the shortest hold of its events, unless the caller says more', async () => {
  const page = await run.page();
  const [first, , third] = run.eventKeys as [string, string, string];
  const setTtl = (key: string, holdTtlMs: number | null) =>
    shop.call('POST', `/v1/events/${key}/hold-ttl`, { token: shop.token, body: { holdTtlMs } });
  const lasts = async (more: object = {}): Promise<number> => {
    const name = newName();
    const before = Date.now();
    const { hold } = (await page.hold(name, ['B-20'], more)).body.operation;
    await page.post(`/operations/${name}/release`);
    await page.settled(name);
    return Math.round((hold.expiresAt - before) / 60_000);
  };
  expect(await lasts()).toBe(15);
  await Promise.all([setTtl(first, 180_000), setTtl(third, 120_000)]);
  await expect.poll(() => lasts()).toBe(2);
  expect(await lasts({ ttlMs: 600_000 })).toBe(10);
  await Promise.all([setTtl(first, null), setTtl(third, null)]);
  const tiny = await page.hold(newName(), ['B-20'], { ttlMs: 999 });
  expect([tiny.status, tiny.body]).toMatchObject([
    422,
    { code: 'invalid_request', issues: [{ path: 'ttlMs', message: 'Must be at least 1000 (milliseconds).' }] },
  ]);
});

test('an extension moves every part to a later common end', async () => {
  const page = await run.page();
  const operationId = newName();
  const held = (await page.hold(operationId, ['A-8'], { ttlMs: 60_000 })).body.operation;
  const extended = await page.post(`/operations/${operationId}/extend`, { ttlMs: 600_000 });
  expect(extended.status).toBe(200);
  expect(extended.body.operation.hold.expiresAt).toBeGreaterThan(held.hold.expiresAt);
});

test('a booking is cancelled in one performance, in some of its seats, and as a whole', async () => {
  const [first, second] = run.eventKeys as [string, string, string];
  const operationId = newName();
  await run.post('/holds', { operationId, labels: ['B-5', 'B-6'] });
  const booked = await book(operationId, 'to-cancel', 'order-cancelled');
  expect(booked.body.booking).toMatchObject({
    state: 'booked',
    active: run.eventKeys,
    cancelled: [],
    cancellation: null,
  });
  const cancel = (cancelActionId: string, more: object = {}) =>
    run.post('/bookings/to-cancel/cancel', { cancelActionId, bookingRef: 'order-cancelled', ...more });
  const reasonOf = async (...call: Parameters<typeof cancel>) => (await cancel(...call)).body.reason;
  expect(await reasonOf('c-0', { bookingRef: 'order-0' })).toBe('booking_ref_mismatch');
  expect(await reasonOf('c-0', { labels: ['B-5', 'B-7'] })).toBe('not_owned_by_booking_ref');
  expect((await cancel('c-0', { eventKeys: ['elsewhere'] })).status).toBe(422);
  expect(await run.statuses('B-5')).toEqual(['booked', 'booked', 'booked']);

  const night = await cancel('c-1', { eventKeys: [first] });
  const told = { state: 'partially_cancelled', bookedPerformances: 2, cancelled: [first] };
  expect([night.status, night.body.booking]).toMatchObject([
    200,
    { ...told, cancellation: { cancelActionId: 'c-1', state: 'cancelled', outcomes: [{ eventKey: first }] } },
  ]);
  expect(await run.statuses('B-5')).toEqual(['free', 'booked', 'booked']);
  expect((await cancel('c-1', { eventKeys: [first] })).body).toEqual(night.body);
  expect(await reasonOf('c-1', { eventKeys: [second] })).toBe('action_reused');
  expect((await run.get('/bookings/to-cancel')).body).toEqual(night.body);
  expect((await book(operationId, 'to-cancel', 'order-cancelled')).body).toEqual(night.body);

  // A refund of one seat in one event shows in the booking of the group.
  const unbook = { labels: ['B-5'], bookingRef: 'order-cancelled' };
  await shop.call('POST', `/v1/events/${second}/unbook`, { token: shop.token, body: unbook });
  expect(await reasonOf('c-2', { labels: ['B-5'] })).toBe('not_owned_by_booking_ref');
  const seat = await cancel('c-2', { labels: ['B-6'], eventKeys: [second] });
  expect(seat.body.booking).toMatchObject({ state: 'partially_cancelled', cancelled: [first, second] });
  const rest = await cancel('c-3');
  expect(rest.body.booking).toMatchObject({ state: 'cancelled', active: [], cancelled: run.eventKeys });
  expect(await run.statuses('B-6')).toEqual(['free', 'free', 'free']);
  expect(await reasonOf('c-4')).toBe('booking_cancelled');
});

test('an action books one hold', async () => {
  const page = await run.page();
  const one = newName();
  const other = newName();
  await page.hold(one, ['B-15']);
  await page.hold(other, ['B-16']);
  const booked = await book(one, 'action-once', 'order-15');
  const refused = await book(other, 'action-once', 'order-15');
  expect([refused.status, refused.body.code, refused.body.reason]).toEqual([409, 'conflict', 'action_taken']);
  expect(await run.statuses('B-16')).toEqual(['held', 'held', 'held']);
  expect((await run.get('/bookings/action-once')).body).toEqual(booked.body);
  expect((await book(other, 'action-other', 'order-15')).status).toBe(200);
});

test('a booking is not refused for an extension at the same time', async () => {
  const page = await run.page();
  for (const label of ['B-17', 'B-18', 'B-19']) {
    const operationId = newName();
    await page.hold(operationId, [label]);
    const both = [book(operationId, `beside-${label}`, label), page.post(`/operations/${operationId}/extend`)];
    expect((await Promise.all(both))[0]).toMatchObject({ status: 200, body: { booking: { state: 'booked' } } });
  }
});

test('allocations take other seats in each performance', async () => {
  const [first, , third] = run.eventKeys as [string, string, string];
  const page = await run.page();
  const operationId = newName();
  const allocations = [
    { eventKey: third, selections: [{ label: 'A-12' }] },
    { eventKey: first, selections: [{ label: 'B-1', tierId: 'child' }] },
  ];
  const held = await page.post('/hold', { operationId, selectionMode: 'per_performance', allocations });
  expect(held.status).toBe(201);
  expect(held.body.operation.hold.allocations).toMatchObject([
    { eventKey: first, items: [{ label: 'B-1', unitPrice: 15 }] },
    { eventKey: third, items: [{ label: 'A-12' }] },
  ]);
  expect(await run.statuses('A-12')).toEqual(['free', 'free', 'held']);
  expect((await page.get(`/operations/${operationId}`)).body).toEqual(held.body);
  const booked = await book(operationId, 'action-allocated', 'order-12');
  expect(booked.body.booking).toMatchObject({ state: 'booked', totalPerformances: 2, bookedPerformances: 2 });
  const foreign = [{ eventKey: 'elsewhere', selections: [{ label: 'A-13' }] }];
  const refused = await page.post('/hold', {
    operationId: newName(),
    selectionMode: 'per_performance',
    allocations: foreign,
  });
  expect([refused.status, refused.body.issues[0].path]).toEqual([422, 'allocations.0.eventKey']);
});

test('a close refuses new holds, waits for live ones, and unlocks the events', async () => {
  const own = await openRun(shop, 2);
  const page = await own.page();
  const operationId = newName();
  await page.hold(operationId, ['A-1']);
  const { revision } = await own.group();
  const closing = await own.post('/close', { expectedRevision: revision });
  expect(closing.status).toBe(202);
  expect(closing.headers.get('retry-after')).toBe('1');
  expect(closing.body.lifecycleOperation).toMatchObject({ kind: 'CLOSE', terminal: false, remainingOperations: 1 });
  expect((await page.hold(newName(), ['A-2'])).status).toBe(409);
  await page.post(`/operations/${operationId}/release`);
  const location = closing.headers.get('location')!;
  const step = async () => (await shop.call('GET', location, { token: shop.token })).body.lifecycleOperation;
  await expect.poll(step, { timeout: 20_000 }).toMatchObject({ phase: 'closed', terminal: true });
  expect((await own.group()).state).toBe('closed');
  const [first] = own.eventKeys as [string];
  expect((await onEvent(first, 'close', {})).status).toBe(200);
});

test('a stale revision is refused with the present one', async () => {
  const refused = await run.post('/close', { expectedRevision: 1 });
  expect([refused.status, refused.body.reason]).toEqual([409, 'stale_revision']);
  expect(refused.body.revision).toBe((await run.group()).revision);
});

test('a group is held between the times of each performance', async () => {
  const [first, second] = run.eventKeys as [string, string];
  const set = (key: string, body: object) => shop.call('PATCH', `/v1/events/${key}`, { token: shop.token, body });
  const page = await run.page();
  const salesStartAt = Date.now() + 3_600_000;
  await set(second, { salesStartAt });
  const early = await page.hold(newName(), ['A-15']);
  expect([early.status, early.body]).toEqual([
    409,
    expect.objectContaining({ code: 'sales_not_started', opensAt: salesStartAt }),
  ]);
  await set(second, { salesStartAt: null });
  await set(first, { salesEndAt: 1 });
  expect((await page.hold(newName(), ['A-15'])).body.code).toBe('sales_ended');
  await set(first, { salesEndAt: null });
  expect((await page.hold(newName(), ['A-15'])).status).toBe(201);
});

test('the holds and bookings of a group are listed, the newest first, with their state in each performance', async () => {
  const own = await openRun(shop, 2);
  const [held, sold] = [newName(), newName()];
  for (const [operationId, label] of [
    [sold, 'A-1'],
    [held, 'A-2'],
  ]) {
    expect((await own.post('/holds', { operationId, labels: [label] })).status).toBe(201);
  }
  await own.post(`/holds/${sold}/book`, { bookActionId: 'book-1', bookingRef: 'order-1' });
  const { operations, truncated } = (await own.get('/operations')).body;
  expect(truncated).toBe(false);
  const everywhere = (state: string) => own.eventKeys.map((eventKey) => ({ eventKey, state }));
  expect(operations).toMatchObject([
    { operationId: held, kind: 'hold', state: 'committed', bookingRef: null },
    { operationId: sold, kind: 'booking', state: 'booked', bookingRef: 'order-1', allocations: everywhere('booked') },
  ]);
});
