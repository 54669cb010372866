/** A unit as an operator reads it: who has it until when, its channel and price, and its entries in the log. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { holdRef } from '../../../services/frontdoor/src/logs/rules/hold-ref.ts';
import { type Json, openShop, type Shop } from '../shop.ts';

let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
}, 120_000);
afterAll(() => shop?.stop());

it('A unit names its hold with all seats, its booking, its reservation and its channel', async () => {
  const event = await shop.event();
  const unit = async (label: string): Promise<Json> =>
    (await event.post('holders', { labels: [label] })).body.holders[0];
  const nobody = { hold: null, bookingRef: null, reservation: null, channelId: null, unitPrice: null, tierId: null };
  expect(await unit('A-1')).toMatchObject({ label: 'A-1', status: 'free', ...nobody });
  const held = (await event.post('hold', { labels: ['A-1', 'A-2'] })).body;
  expect(await unit('A-2')).toMatchObject({
    status: 'held',
    hold: { expiresAt: held.expiresAt, labels: ['A-1', 'A-2'] },
    unitPrice: held.items[0].unitPrice,
    bookingRef: null,
  });
  await event.post('book', { holdId: held.holdId, bookingRef: 'order-1' });
  expect(await unit('A-1')).toMatchObject({ status: 'booked', hold: null, bookingRef: 'order-1' });
  const reserved = await event.post('reservations', { labels: ['A-3'], name: 'Class 4b', until: Date.now() + 60_000 });
  const { id } = reserved.body.reservation;
  expect(await unit('A-3')).toMatchObject({ status: 'blocked', reservation: { id, name: 'Class 4b' } });
  const { channel } = (await event.post('channels', { name: 'Club' })).body;
  const { assignmentVersion } = (await event.get('/channels/allocation')).body;
  const assigned = await event.post('channels/assignments', {
    labels: ['A-5'],
    targetChannelId: channel.id,
    assignmentVersion,
  });
  expect(assigned.status).toBe(200);
  expect(await unit('A-5')).toMatchObject({ status: 'free', channelId: channel.id });
  expect(await unit('A-4')).toMatchObject({ status: 'free', channelId: null });
});

it('A user who may not sell reads no hold id, which would open the hold to the public calls', async () => {
  const event = await shop.event();
  const { holdId } = (await event.post('hold', { labels: ['A-1'] })).body;
  const seenBy = async (role: string) => {
    const { read, write } = await shop.logIn(await shop.user({ role }));
    const told = await shop.call('POST', `${event.path}/holders`, { headers: write, body: { labels: ['A-1'] } });
    const file = await fetch(`${shop.url}${event.path}/report.csv`, { headers: read });
    expect([told.status, told.body.holders[0].hold.holdRef]).toEqual([200, holdRef(holdId)]);
    return [JSON.stringify(told.body).includes(holdId), (await file.text()).includes(holdId)];
  };
  expect(await seenBy('box_office')).toEqual([false, true]);
  for (const role of ['viewer', 'door', 'marketing']) expect(await seenBy(role)).toEqual([false, false]);
});

it('The log of a label has the entries that name it, page by page', async () => {
  const event = await shop.event();
  for (let nth = 0; nth < 3; nth++) {
    await event.post('block', { labels: ['A-1', 'A-2'], reason: `Press ${nth}` });
    await event.post('unblock', { labels: ['A-1'] });
    await event.post('block', { labels: ['A-7'] });
  }
  const logOf = async (query: string): Promise<Json> => (await event.get(`/log?label=A-1${query}`)).body;
  const { entries, nextBefore } = await logOf('');
  expect(entries.map(({ action }: Json) => action)).toEqual([
    'unblock',
    'block',
    'unblock',
    'block',
    'unblock',
    'block',
  ]);
  expect(nextBefore).toBeNull();
  const paged: Json[] = [];
  for (let before = ''; ; ) {
    const page = await logOf(`&limit=2${before}`);
    expect(page.entries.length).toBeLessThanOrEqual(2);
    paged.push(...page.entries);
    if (page.nextBefore === null) break;
    before = `&before=${page.nextBefore}`;
  }
  expect(paged).toEqual(entries);
  expect((await logOf('1')).entries).toEqual([]);
});
