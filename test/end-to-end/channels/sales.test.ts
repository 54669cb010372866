/** Channel seats through the built services: access, prices, attribution and reports. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readCsv } from '../../support/csv.ts';
import { type Json, openShop, type Shop } from '../shop.ts';

let shop: Shop;

beforeAll(async () => {
  shop = await openShop();
}, 120_000);
afterAll(() => shop?.stop());

type Event = Awaited<ReturnType<Shop['event']>>;

/** An event with a channel that has and B-1, at its own prices. */
async function presale(): Promise<Event & { id: string }> {
  const event = await shop.event();
  const priceOverrides = { stalls: 12, balcony: { adult: 22 } };
  const { channel } = (await event.post('channels', { name: 'Club', externalRef: 'club-26', priceOverrides })).body;
  const labels = ['A-1', 'A-2', 'A-3', 'A-4', 'A-5', 'A-6', 'B-1'];
  await event.post('channels/assignments', { targetChannelId: channel.id, labels, assignmentVersion: 0 });
  return { ...event, id: channel.id };
}

const soldAs = ({ items }: Json) =>
  items.map(({ label, unitPrice, channelId, accessSource }: Json) => [label, unitPrice, channelId, accessSource]);

describe('channel seats', () => {
  it('are refused, with their labels, to a call that does not name the channel', async () => {
    const event = await presale();
    for (const [route, body] of [
      ['hold', { labels: ['A-1', 'A-7'] }],
      ['book', { labels: ['A-1', 'A-7'], bookingRef: 'order-1' }],
    ] as const) {
      const refused = await event.post(route, body);
      expect([refused.status, refused.body.code, refused.body.labels]).toEqual([403, 'channel_access_denied', ['A-1']]);
    }
    const unknown = await event.post('hold', { labels: ['A-1'], channelIds: ['chn_00000000000000000000'] });
    expect([unknown.status, unknown.body.code]).toEqual([422, 'invalid_channel_scope']);
    expect((await event.get()).body.counts.held).toBe(0);
  });

  it("are sold at the channel's prices and attributed to it when the call names the channel", async () => {
    const event = await presale();
    const channelIds = [event.id];
    const held = await event.post('hold', { labels: ['A-1', 'B-1', 'A-7'], channelIds });
    expect(soldAs(held.body)).toEqual([
      ['A-1', 12, event.id, 'promoter'],
      ['B-1', 22, event.id, 'promoter'],
      ['A-7', 20, null, 'public'],
    ]);
    const hold = (await event.get(`/holds/${held.body.holdId}`)).body;
    expect(hold).toMatchObject({ accessSource: 'promoter', buyerRef: null, partnerRef: null });
    // Booking a hold needs no channels.
    expect((await event.post('book', { holdId: held.body.holdId, bookingRef: 'order-1' })).status).toBe(200);
    await event.post('book', { labels: ['A-2'], bookingRef: 'order-2', channelIds });
    const rename = { token: shop.token, body: { externalRef: 'members-27' } };
    expect((await shop.call('PATCH', `${event.path}/channels/${event.id}`, rename)).status).toBe(200);
    await event.post('book', { labels: ['A-3'], bookingRef: 'order-3', channelIds });
    const objects: Json[] = [];
    for (const ref of ['order-1', 'order-2', 'order-3']) {
      objects.push(...(await event.get(`/bookings/${ref}`)).body.booking.objects);
    }
    const told = objects.map(({ label, channelId, channelExternalRef, accessSource, configuredValue }) => {
      return [label, channelId, channelExternalRef, accessSource, configuredValue];
    });
    expect(told).toEqual([
      ['A-1', event.id, 'club-26', 'promoter', 12],
      ['B-1', event.id, 'club-26', 'promoter', 22],
      ['A-7', null, null, 'public', 20],
      ['A-2', event.id, 'club-26', 'promoter', 12],
      ['A-3', event.id, 'members-27', 'promoter', 12],
    ]);
  });

  it('are chosen by best available only for a call that names the channel', async () => {
    const event = await presale();
    const own = await event.post('best-available', { qty: 2, categoryKey: 'stalls', channelIds: [event.id] });
    const ofClub = new Set(['A-1', 'A-2', 'A-3', 'A-4', 'A-5', 'A-6']);
    expect(own.body.labels.every((label: string) => ofClub.has(label))).toBe(true);
    const booked = await event.post('best-available-book', { qty: 2, bookingRef: 'order-1', categoryKey: 'stalls' });
    expect(soldAs(booked.body).map(([, ...terms]: Json[]) => terms)).toEqual([
      [20, null, 'public'],
      [20, null, 'public'],
    ]);
    const blocked = await event.post('best-available-block', { qty: 4, categoryKey: 'stalls', channelIds: [event.id] });
    expect(blocked.body.labels.every((label: string) => ofClub.has(label))).toBe(true);
    const none = await event.post('best-available', { qty: 1, categoryKey: 'stalls', channelIds: [event.id] });
    expect(none.status).toBe(409);
  });

  it('are sold to nobody while the channel is paused, except with an override', async () => {
    const event = await presale();
    await event.post(`channels/${event.id}/pause`);
    const refused = await event.post('hold', { labels: ['A-1'], channelIds: [event.id] });
    expect([refused.status, refused.body.code]).toEqual([403, 'channel_paused']);
    const past = { ignoreChannelRestrictions: true, reason: 'Artist' };
    expect((await event.post('hold', { labels: ['A-1'], ...past })).status).toBe(200);
  });
});

describe('an override', () => {
  it('needs a reason; the log and the channel audit tell the seats that it reached', async () => {
    const event = await presale();
    const without = { labels: ['A-1'], bookingRef: 'order-1', ignoreChannelRestrictions: true };
    expect((await event.post('book', without)).body.issues).toMatchObject([{ path: 'reason' }]);
    const body = { ...without, labels: ['A-1', 'A-7', 'B-1'], reason: 'House seats' };
    expect((await event.post('book', body)).status).toBe(200);
    const { objects } = (await event.get('/bookings/order-1')).body.booking;
    expect(objects.map(({ accessSource, channelId }: Json) => [accessSource, channelId])).toEqual([
      ['staff_override', event.id],
      ['public', null],
      ['staff_override', event.id],
    ]);
    const [logged] = (await event.get('/log?limit=1')).body.entries;
    expect(logged).toMatchObject({ action: 'book', labels: ['A-1', 'A-7', 'B-1'], reason: 'House seats' });
    expect(logged.overridden).toEqual(['A-1', 'B-1']);
    const { entries } = (await event.get('/channels/audit')).body;
    expect(entries.map(({ action }: Json) => action)).toEqual(['book', 'assign_channel', 'create_channel']);
    expect(entries[0]).toMatchObject({
      id: logged.id,
      channelId: event.id,
      labels: ['A-1', 'B-1'],
      reason: 'House seats',
      ref: 'order-1',
      actor: shop.own.test.key.id,
      source: 'server',
    });
    // An override that reaches only seats of public sale is not audited.
    await event.post('hold', { labels: ['A-8'], ignoreChannelRestrictions: true, reason: 'For nothing' });
    expect((await event.get('/channels/audit')).body.entries).toEqual(entries);
  });
});

describe('reports', () => {
  it('state the sales that are attributed to each channel, and its remaining seats', async () => {
    const event = await presale();
    const channelIds = [event.id];
    await event.post('book', { labels: ['A-1', 'A-2', 'B-1'], bookingRef: 'order-1', channelIds });
    await event.post('book', { labels: ['A-7'], bookingRef: 'order-2' });
    await event.post('hold', { labels: ['A-3'], channelIds });
    const { report, event: meta } = (await event.get('/channels/report')).body;
    expect(meta).toMatchObject({ key: event.key, sold: 4, seatTotal: 70 });
    const counts = { free: 3, held: 1, booked: 3, blocked: 0, allocated: 7, units: 7 };
    const attribution = { sold: 3, units: 3, bookedValue: 12 + 12 + 22, revenue: 46 };
    expect(report.rows).toEqual([
      {
        channelId: null,
        name: 'Public sale',
        externalRef: null,
        state: 'active',
        sellThrough: 1 / 63,
        allocation: { free: 62, held: 0, booked: 1, blocked: 0, allocated: 63, units: 63 },
        attribution: { sold: 1, units: 1, bookedValue: 20, revenue: 20 },
      },
      {
        channelId: event.id,
        name: 'Club',
        externalRef: 'club-26',
        state: 'active',
        sellThrough: 3 / 7,
        allocation: counts,
        attribution,
      },
    ]);
    expect(report).toMatchObject({ includesBookedValue: true, assignmentVersion: 1 });
    expect(report.totals).toMatchObject({ allocation: { units: 70, booked: 4 }, attribution: { bookedValue: 66 } });
    const whole = (await event.get('/report')).body.report;
    expect(whole.byChannel).toEqual([
      { channelId: null, name: expect.any(String), held: 0, booked: 1, bookedValue: 20 },
      { channelId: event.id, name: 'Club', held: 1, booked: 3, bookedValue: 46 },
    ]);
    const file = await fetch(`${shop.url}${event.path}/report.csv`, {
      headers: { Authorization: `Bearer ${shop.token}` },
    });
    const rows = readCsv(await file.text());
    expect(rows.filter(({ channelId }: Json) => channelId === event.id).map(({ label }: Json) => label)).toEqual([
      'A-1',
      'A-2',
      'A-3',
      'B-1',
    ]);
  });
});

describe('archiving a channel', () => {
  it('waits for held seats, and tells until when', async () => {
    const event = await presale();
    const { holdId, expiresAt } = (await event.post('hold', { labels: ['A-1', 'A-2'], channelIds: [event.id] })).body;
    const archive = () => event.post(`channels/${event.id}/archive`, { destination: 'public' });
    const refused = await archive();
    expect([refused.status, refused.body.code]).toEqual([409, 'channel_archive_blocked_by_holds']);
    expect(refused.body.details).toMatchObject({ heldUnits: 2, latestHoldExpiresAt: expiresAt });
    expect(refused.body.details.retryAfterMs).toBeGreaterThan(0);
    await event.post('book', { holdId, bookingRef: 'order-1', labels: ['A-1'] });
    await event.post('release', { holdId });
    const ended = await archive();
    expect(ended.body).toMatchObject({ ok: true, moved: { free: 6, booked: 1, units: 7 }, revokedSessions: 0 });
    const gone = await event.post('hold', { labels: ['A-2'], channelIds: [event.id] });
    expect([gone.status, gone.body.code]).toEqual([422, 'invalid_channel_scope']);
    expect((await event.post('hold', { labels: ['A-2'] })).body.items[0].unitPrice).toBe(20);
    const [object] = (await event.get('/bookings/order-1')).body.booking.objects;
    expect(object).toMatchObject({ channelId: event.id, channelExternalRef: 'club-26' });
  });
});

describe('a chart update', () => {
  it('that drops seats of a channel needs an acknowledgement and a reason', async () => {
    const { token } = shop;
    const doc = structuredClone(shop.hall);
    const { meta } = (await shop.call('POST', '/v1/charts', { token, body: { name: 'Hall', doc } })).body;
    await shop.call('POST', `/v1/charts/${meta.id}/publish`, { token });
    const { key } = (await shop.call('POST', '/v1/events', { token, body: { chartId: meta.id } })).body.meta;
    const path = `/v1/events/${key}`;
    const post = (action: string, body: object = {}) => shop.call('POST', `${path}/${action}`, { token, body });
    const { id } = (await post('channels', { name: 'Club' })).body.channel;
    await post('channels/assignments', { targetChannelId: id, labels: ['B-1', 'B-2'], assignmentVersion: 0 });
    doc.objects = doc.objects.filter(({ id: object }: Json) => object !== 'r2');
    const { updatedAt } = (await shop.call('GET', `/v1/charts/${meta.id}`, { token })).body.meta;
    await shop.call('PUT', `/v1/charts/${meta.id}`, { token, body: { doc, expectedUpdatedAt: updatedAt } });
    await shop.call('POST', `/v1/charts/${meta.id}/publish`, { token });
    const refused = await post('update-chart');
    expect([refused.status, refused.body.code]).toEqual([409, 'assignments_would_drop']);
    expect(refused.body.droppedAssignments).toMatchObject([{ channelId: id, labels: ['B-1', 'B-2'] }]);
    expect((await post('update-chart', { acknowledgeDroppedAssignments: true })).status).toBe(409);
    const taken = await post('update-chart', { acknowledgeDroppedAssignments: true, reason: 'The balcony is closed' });
    expect(taken.body).toMatchObject({ ok: true, updated: true });
    // With limit=1 the page has no entry of the previous chart, which had these labels.
    const [first] = (await shop.call('GET', `${path}/channels/audit?limit=1`, { token })).body.entries;
    expect(first).toMatchObject({ action: 'update_chart', reason: 'The balcony is closed' });
    expect(first.details.droppedAssignments).toEqual([{ channelId: id, labels: ['B-1', 'B-2'] }]);
  });
});
