/** Sales of a season, beyond the behaviours that test/end-to-end/over-events has for groups too. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Json, openShop, type Shop } from '../shop.ts';
import { type SoldSeason, sellSeason } from './sold-season.ts';

let shop: Shop;
let season: SoldSeason;
let eventIds: string[];
beforeAll(async () => {
  shop = await openShop();
  season = await sellSeason(shop);
  const read = season.eventKeys.map((key) => season.call('GET', `/v1/events/${key}`));
  eventIds = (await Promise.all(read)).map(({ body }) => body.meta.id);
}, 120_000);
afterAll(() => shop?.stop());

let named = 0;
const newName = () => `sop_${++named}`;

test('an operation shows the events, and no hold of a single event', async () => {
  const page = await season.page();
  const operationId = newName();
  const { operation } = (await page.hold(operationId, ['A-1'])).body;
  expect(operation).toEqual({
    operationId,
    holdId: expect.stringMatching(/^hld_/),
    expiresAt: expect.any(Number),
    policy: 'fixed_inclusion_same_seat',
    state: 'committed',
    retryAfterSeconds: null,
    allocations: eventIds.map((eventId) => ({ eventId, state: 'held' })),
  });
  const { hold } = (await season.get(`/holds/${operationId}`)).body;
  expect(hold.allocations[0].items[0]).toMatchObject({ label: 'A-1', objectType: 'seat' });
  expect(hold.allocations[0].items[0]).not.toHaveProperty('unitPrice');
  expect((await (await season.page()).release(operation.holdId)).status).toBe(404);
});

test('a release frees every occurrence, by the id of the hold or of the operation, and replays', async () => {
  const page = await season.page();
  for (const by of ['operationId', 'holdId'] as const) {
    const { operation } = (await page.hold(newName(), ['A-7'])).body;
    const released = await page.release(operation[by]);
    expect([released.status, released.body.operation.state]).toEqual([200, 'expired']);
    expect(await season.statuses('A-7')).toEqual(['free', 'free', 'free']);
    expect((await page.release(operation[by])).body).toEqual(released.body);
  }
  expect((await page.release('hld_0')).status).toBe(404);
});

test('operations, report, look-up, audit and outbox show a sale at once', async () => {
  const own = await sellSeason(shop, 2);
  const page = await own.page();
  const { operation } = (await page.hold('sop_shown', ['B-1'])).body;
  await own.book('sop_shown', 'book-shown', 'order-shown');
  const { operations } = (await own.get('/operations')).body;
  expect(operations).toMatchObject([
    { operationId: 'sop_shown', kind: 'booking', state: 'booked', holdId: operation.holdId, bookingRef: 'order-shown' },
  ]);
  const { report } = (await own.get('/reports')).body;
  expect(report.inventory).toEqual({ occurrenceCount: 2, bookings: 1, booked: 1, cancelled: 0 });
  const { lookup } = (await own.get('/support-lookups?bookingRef=order-shown')).body;
  expect(lookup.bookings).toEqual([(await own.get('/bookings/book-shown')).body.booking]);
  const { outbox } = (await own.get('/outbox')).body;
  expect(outbox.map(({ eventName }: Json) => eventName).slice(0, 2)).toEqual([
    'season.booking.booked',
    'season.hold.committed',
  ]);
  expect(outbox[0].payload.data).toMatchObject({ operationId: 'sop_shown', bookingRef: 'order-shown' });
  const { audit } = (await own.get('/audit')).body;
  expect(audit[0]).toMatchObject({ action: 'season.booking.booked' });
});

test('the outbox tells a hold that nobody books, within seconds', async () => {
  const page = await season.page();
  await page.hold('sop_alone', ['B-9']);
  const told = async () => {
    const { outbox } = (await season.get('/outbox')).body;
    return outbox.filter(({ payload }: Json) => payload.data.operationId === 'sop_alone').length;
  };
  await expect.poll(told, { timeout: 10_000 }).toBe(1);
});

test('sales that are not open hold nothing, and pausing refuses holds at once', async () => {
  const own = await sellSeason(shop, 2, false);
  const page = await own.page();
  const early = await page.hold('sop_early', ['A-1']);
  expect([early.status, early.body.code, early.body.reason]).toEqual([409, 'event_closed', 'sales_closed']);
  await own.step('/sales/open');
  expect((await page.hold('sop_open', ['A-1'])).status).toBe(201);
  await own.step('/sales/pause');
  expect((await page.hold('sop_paused', ['A-2'])).body.reason).toBe('sales_paused');
  expect((await own.book('sop_open', 'book-open', 'order-open')).status).toBe(200);
});

test('a session sells the plan that was published last before it', async () => {
  const own = await sellSeason(shop, 3);
  const [first, , third] = own.eventKeys as [string, string, string];
  const before = await own.page();
  const short = await own.publish('Short pass', [third]);
  const minted = await own.mint();
  expect([minted.status, minted.body.planActivationId]).toEqual([201, short]);
  const after = await own.page();
  expect((await after.hold('sop_short', ['A-1'])).body.operation.allocations).toHaveLength(1);
  expect(await own.statuses('A-1')).toEqual(['free', 'free', 'held']);
  expect((await before.hold('sop_full', ['A-2'])).body.operation.allocations).toHaveLength(3);
  // One name has one operation, also where two plans have no event in common.
  await own.publish('Opening', [first]);
  const opening = await own.page();
  const reused = await opening.hold('sop_short', ['A-1']);
  expect([reused.status, reused.body.reason]).toEqual([409, 'operation_id_reused']);
});

test('a seat of a private channel is not sold', async () => {
  const [first] = season.eventKeys as [string];
  const at = `/v1/events/${first}/channels`;
  const { channel } = (await season.call('POST', at, { name: 'Club' })).body;
  const { assignmentVersion } = (await season.call('GET', at)).body;
  const assigned = { targetChannelId: channel.id, labels: ['B-12'], assignmentVersion };
  expect((await season.call('POST', `${at}/assignments`, assigned)).status).toBe(200);
  const page = await season.page();
  expect((await page.get('/availability')).body.seats['B-12']).toBe('not_for_sale');
  const refused = await page.hold(newName(), ['B-12']);
  expect([refused.status, refused.body.code]).toEqual([403, 'channel_access_denied']);
  expect(await season.statuses('B-12')).toEqual(['free', 'free', 'free']);
});
