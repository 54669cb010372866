/** Access to channels through the built services: a presale's buyers and an operator's console. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Json, openShop, origin, type Shop } from '../shop.ts';

let shop: Shop;

beforeAll(async () => {
  shop = await openShop();
}, 120_000);
afterAll(() => shop?.stop());

type Event = Awaited<ReturnType<Shop['event']>>;

/** An event whose channel has, and a buyer session that reaches the channel. */
async function presale() {
  const event = await shop.event();
  const { id } = (await event.post('channels', { name: 'Club', externalRef: 'club-26' })).body.channel;
  await event.post('channels/assignments', { targetChannelId: id, labels: ['A-1', 'A-2'], assignmentVersion: 0 });
  const grant = {
    channelIds: [id],
    includePublic: false,
    partnerRef: 'partner-7',
    buyerRef: 'buyer-9',
    maxQuantity: 2,
  };
  const session = (await event.post('buyer-access-sessions', { ...grant, allowedOrigin: origin })).body;
  return { event, id, session: session as { sessionId: string; token: string } };
}

async function consoleOf(event: Event, ...capabilities: string[]) {
  const { token } = (await event.post('manage-sessions', { allowedOrigin: origin, capabilities })).body;
  return (method: string, path: string, body?: object) =>
    shop.call(method, `${event.path}/${path}`, { token, headers: { Origin: origin }, ...(body && { body }) });
}

const patch = (event: Event, id: string, body: object) =>
  shop.call('PATCH', `${event.path}/channels/${id}`, { token: shop.token, body });

it('The access intent of a channel with live sessions changes only with an acknowledgement', async () => {
  const { event, id } = await presale();
  const [listed] = (await event.get('/channels')).body.channels;
  expect(listed.access).toMatchObject({ intent: 'none', hasActiveGrants: true, lastMintAt: expect.any(Number) });
  expect((await patch(event, id, { accessIntent: 'none', name: 'Members' })).status).toBe(200);
  const refused = await patch(event, id, { accessIntent: 'internal' });
  expect([refused.status, refused.body.code, refused.body.reason]).toEqual([409, 'conflict', 'live_access']);
  const changed = await patch(event, id, { accessIntent: 'internal', acknowledgeLiveAccess: true });
  expect(changed.body.channel.accessIntent).toBe('internal');
});

it('Archiving a channel ends the sessions that reach it', async () => {
  const { event, id, session } = await presale();
  const ended = await event.post(`channels/${id}/archive`, { destination: 'public' });
  expect(ended.body).toMatchObject({ ok: true, revokedSessions: 1 });
  const [known] = (await event.get('/buyer-access-sessions')).body.sessions;
  expect(known).toMatchObject({ sessionId: session.sessionId, state: 'revoked' });
  expect((await event.post(`channels/${id}/archive`, { destination: 'public' })).body).toMatchObject({ ok: true });
});

it('A partner sale is told with the partner, and never with the session or its token', async () => {
  const { event, id, session } = await presale();
  const options = { token: session.token, body: { labels: ['A-1'] } };
  const held = await shop.buyer('POST', `${event.key}/hold`, options);
  expect(held.status).toBe(200);
  const { holdId } = held.body;
  const hold = (await event.get(`/holds/${holdId}`)).body;
  expect(hold).toMatchObject({ accessSource: 'partner', partnerRef: 'partner-7', buyerRef: 'buyer-9' });
  await event.post('book', { holdId, bookingRef: 'order-1' });
  const { booking } = (await event.get('/bookings/order-1')).body;
  expect(booking.objects).toMatchObject([{ channelId: id, channelExternalRef: 'club-26', accessSource: 'partner' }]);
  const told: Json[] = [held.body, hold, booking];
  for (const path of ['/log', '/bookings', '/channels/audit', '/channels', '/channels/report', '/report', '']) {
    const answer = await event.get(path);
    expect(answer.status).toBe(200);
    told.push(answer.body);
  }
  expect(JSON.stringify(told)).not.toContain(session.sessionId);
  expect(JSON.stringify(told)).not.toContain(session.token);
});

it('A console reads or changes channels by its capabilities, and sees money only with event:reports', async () => {
  const { event, id } = await presale();
  await event.post('book', { labels: ['A-2'], bookingRef: 'order-1', channelIds: [id] });
  const viewer = await consoleOf(event, 'event:channels:view');
  const manager = await consoleOf(event, 'event:channels:manage');
  for (const path of ['channels', 'channels/allocation', 'channels/preview', 'channels/report', 'channels/audit']) {
    expect((await viewer('GET', path)).status).toBe(200);
    const refused = await manager('GET', path);
    expect([refused.status, refused.body.code]).toEqual([403, 'capability_required']);
    expect(refused.body.capability).toBe('event:channels:view');
  }
  const refused = await viewer('POST', `channels/${id}/pause`, {});
  expect([refused.status, refused.body.capability]).toEqual([403, 'event:channels:manage']);
  expect((await manager('POST', `channels/${id}/pause`, {})).status).toBe(200);
  const reporter = await consoleOf(event, 'event:channels:view', 'event:reports');
  const moneyOf = async (read: typeof viewer) => {
    const { report } = (await read('GET', 'channels/report')).body;
    const { bookedValue, revenue, sold } = report.rows[1].attribution;
    return [report.includesBookedValue, sold, bookedValue, revenue];
  };
  expect(await moneyOf(viewer)).toEqual([false, 1, null, null]);
  expect(await moneyOf(reporter)).toEqual([true, 1, 20, 20]);
});
