/** Holds and bookings of a group or a season: the same seats of every event, all or none. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openShop, type Shop } from '../shop.ts';
import { type OwnerOnSale, owners } from './owners.ts';

let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
}, 120_000);
afterAll(() => shop?.stop());

describe.each(['group', 'season'] as const)('of a %s', (kind) => {
  const owner = owners[kind];
  let sold: OwnerOnSale;
  beforeAll(async () => {
    sold = await owner.open(shop);
  }, 120_000);

  let named = 0;
  const newName = () => `${owner.prefix}_${++named}`;
  const everywhere = (status: string) => [status, status, status];
  const call = (method: string, path: string, body?: object) =>
    shop.call(method, `/v1/events/${path}`, { token: shop.token, ...(body ? { body } : {}) });

  test('a hold takes the same seats of every event', async () => {
    const page = await sold.page();
    const operationId = newName();
    const held = await page.hold(operationId, ['A-1', 'A-2']);
    expect([held.status, held.body.operation]).toMatchObject([201, { operationId, state: 'committed' }]);
    expect(await sold.statuses('A-1')).toEqual(everywhere('held'));
    expect((await page.hold(operationId, ['A-1', 'A-2'])).body).toEqual(held.body);
    expect((await page.get(`/operations/${operationId}`)).body).toEqual(held.body);
    const { hold } = (await sold.get(`/holds/${operationId}`)).body;
    expect(hold).toMatchObject({ operationId, state: 'committed', ...owner.holdFields(sold, held.body.operation) });
  });

  test('a seat that one event lacks is a conflict, and nothing is held anywhere', async () => {
    const [, second] = sold.eventKeys as [string, string];
    await call('POST', `${second}/hold`, { labels: ['A-3'] });
    const refused = await (await sold.page()).hold(newName(), ['A-3', 'A-4']);
    expect([refused.status, refused.body.code]).toEqual([409, 'conflict']);
    expect(refused.body.conflicts).toEqual([{ eventKey: second, label: 'A-3', name: 'Row A, seat 3', status: 'held' }]);
    expect(await sold.statuses('A-4')).toEqual(everywhere('free'));
    expect(await sold.statuses('A-3')).toEqual(['free', 'held', 'free']);
  });

  test('a hold belongs to its session, and a name to one content', async () => {
    const page = await sold.page();
    const operationId = newName();
    await page.hold(operationId, ['A-5']);
    expect((await page.hold(operationId, ['A-6'])).status).toBe(409);
    const stranger = await sold.page();
    expect((await stranger.get(`/operations/${operationId}`)).status).toBe(404);
    expect((await owner.release(stranger, operationId)).status).toBe(404);
    const taken = await stranger.hold(operationId, ['A-5']);
    expect([taken.status, taken.body.reason]).toEqual([409, 'operation_id_taken']);
  });

  test('a release frees every event', async () => {
    const page = await sold.page();
    const operationId = newName();
    await page.hold(operationId, ['A-9']);
    expect((await owner.release(page, operationId)).status).toBe(200);
    expect((await page.settled(operationId)).state).toBe('expired');
    expect(await sold.statuses('A-9')).toEqual(everywhere('free'));
    expect((await sold.book(operationId, 'book-after-release', 'order-x')).status).toBe(409);
  });

  test('a booking books every event, and its action replays', async () => {
    const page = await sold.page();
    const operationId = newName();
    await page.hold(operationId, ['A-10']);
    const booked = await sold.book(operationId, 'action-1', 'order-10');
    expect(booked.status).toBe(200);
    expect(booked.body.booking).toMatchObject({ operationId, bookingRef: 'order-10', state: 'booked' });
    expect(booked.body.booking).toMatchObject(owner.bookingFields(sold, 'action-1'));
    expect(await sold.statuses('A-10')).toEqual(everywhere('booked'));
    expect((await sold.book(operationId, 'action-1', 'order-10')).body).toEqual(booked.body);
    expect((await sold.get('/bookings/action-1')).body).toEqual(booked.body);
    expect((await sold.get(`/holds/${operationId}`)).body.hold).toMatchObject(owner.bookedFields);
    expect((await sold.book(operationId, 'action-2', 'order-10')).status).toBe(409);
    expect((await sold.book(operationId, 'action-1', 'order-11')).status).toBe(409);
    expect((await owner.release(page, operationId)).status).toBe(409);
    for (const key of sold.eventKeys) {
      expect((await call('GET', `${key}/bookings/order-10`)).body.booking.labels).toEqual(['A-10']);
    }
  });

  test('a session’s quantity counts labels, not labels times events', async () => {
    const page = await sold.page({ maxQuantity: 2 });
    expect((await page.hold(newName(), ['A-14', 'A-15'])).status).toBe(201);
    const refused = await page.hold(newName(), ['A-16']);
    expect([refused.status, refused.body.code]).toEqual([409, 'max_quantity_exceeded']);
  });

  test('unknown names and labels, and names of another form', async () => {
    const page = await sold.page();
    expect((await page.get(`/operations/${owner.prefix}_none`)).status).toBe(404);
    expect((await sold.get('/holds/nonsense')).status).toBe(404);
    expect((await sold.get('/bookings/none')).status).toBe(404);
    expect((await sold.book(`${owner.prefix}_none`, 'book-none', 'order')).status).toBe(404);
    const unknown = await page.hold(newName(), ['Z-1']);
    expect([unknown.status, unknown.body.code]).toEqual([422, 'unknown_labels']);
    const other = kind === 'group' ? 'sop_1' : 'pghop_1';
    for (const name of ['wrong form', other]) expect((await page.hold(name, ['A-17'])).status).toBe(422);
  });

  test('the events are locked, and sold alone all the same', async () => {
    const [first] = sold.eventKeys as [string];
    for (const answer of [
      await call('POST', `${first}/close`, {}),
      await call('POST', `${first}/archive`, {}),
      await call('DELETE', first),
      await call('POST', `${first}/update-chart`, {}),
      await call('PATCH', first, { venue: 'Elsewhere' }),
      await call('PATCH', first, { startsAt: 1_900_000_001_000 }),
      await call('PATCH', first, { currency: 'USD' }),
    ])
      expect([answer.status, answer.body.code]).toEqual([409, owner.locked]);
    expect((await call('POST', `${first}/block`, { labels: ['B-20'] })).status).toBe(200);
    expect((await call('POST', `${first}/hold`, { labels: ['B-19'] })).status).toBe(200);
    expect((await call('PATCH', first, { name: 'Premiere' })).status).toBe(200);
  });
});
