/** The outbox of seasons with real receivers: signed posts, retries, replays, and the numbers of a season's report. */
import { createHmac } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openReceiver } from '../../support/notifier/receiver.ts';
import { makeEvents } from '../groups/run.ts';
import { type Json, openShop, type Shop } from '../shop.ts';
import { sellSeason } from './sold-season.ts';

let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
}, 120_000);
afterAll(() => shop?.stop());

const call = (method: string, path: string, body?: unknown) =>
  shop.call(method, path, { token: shop.token, ...(body === undefined ? {} : { body }) });

type Receiver = Awaited<ReturnType<typeof openReceiver>>;

/** A season of its own organisation's only receiver, which hears of `events`. */
async function hearing(events: string[], failures = 0) {
  const receiver = await openReceiver({ failures });
  const made = await call('POST', '/v1/webhooks', { url: receiver.url, events });
  expect(made.status).toBe(201);
  const { season } = (await call('POST', '/v1/seasons', { name: 'Pass', eventKeys: await makeEvents(shop, 2) })).body;
  const at = `/v1/seasons/${season.key}`;
  const { id } = made.body.sub;
  const close = async () => {
    receiver.close();
    await call('DELETE', `/v1/webhooks/${id}`);
  };
  return { receiver, at, key: season.key as string, id: id as string, secret: made.body.secret as string, close };
}

const outboxOf = async (at: string): Promise<Json> => (await call('GET', `${at}/outbox`)).body;

function postsOf({ deliveries }: Receiver, seasonKey: string) {
  return deliveries.filter(({ body }) => body.seasonKey === seasonKey);
}

test('an occurrence is posted, signed, with the payload of the outbox', async () => {
  const { receiver, at, key, secret, close } = await hearing(['season.*']);
  await call('POST', `${at}/activate`, { expectedRevision: 1 });
  await expect.poll(async () => (await outboxOf(at)).undelivered, { timeout: 15_000 }).toBe(0);
  const { outbox } = await outboxOf(at);
  expect(outbox).toHaveLength(1);
  const [occurrence] = outbox;
  expect(occurrence).toMatchObject({ eventName: 'season.activated', replayedAt: null, replayCount: 0 });
  expect(occurrence.deliveredAt).toBeGreaterThanOrEqual(occurrence.createdAt);
  const [post, ...others] = postsOf(receiver, key);
  expect(others).toEqual([]);
  expect([post!.body, post!.headers['webhook-id']]).toEqual([occurrence.payload, occurrence.occurrenceId]);
  new Webhook(secret).verify(post!.text, post!.headers);
  const signature = createHmac('sha256', secret).update(post!.text).digest('hex');
  expect(post!.headers['x-parterre-signature']).toBe(`sha256=${signature}`);
  await close();
}, 60_000);

test('a failed post comes again, and the report counts both attempts', async () => {
  const { receiver, at, key, id, close } = await hearing(['event.created'], 1);
  await call('POST', `${at}/activate`, { expectedRevision: 1 });
  await expect.poll(() => postsOf(receiver, key).length, { timeout: 20_000 }).toBe(2);
  const numbers = async () => (await call('GET', `${at}/reports`)).body.report.webhooks;
  await expect.poll(numbers, { timeout: 10_000 }).toEqual({
    undelivered: 0,
    delivered: 1,
    deliveryDefinition: 'at_least_one_receiver_2xx',
    attempts: 2,
    successfulAttempts: 1,
    failedAttempts: 1,
    lastEventName: 'season.activated',
  });
  const { deliveries } = (await call('GET', `/v1/webhooks/${id}/deliveries`)).body;
  const row = deliveries.find(({ event }: Json) => event === 'season.activated');
  expect(row).toMatchObject({ ref: key, attempt: 2, retryState: 'delivered', payload: { seasonKey: key } });
  await close();
}, 60_000);

test('a replay posts an occurrence again under its own id, to a later subscription too', async () => {
  const { receiver, at, key, close } = await hearing(['seat.blocked']);
  await call('POST', `${at}/activate`, { expectedRevision: 1 });
  const later = await openReceiver();
  const made = await call('POST', '/v1/webhooks', { url: later.url, events: ['season.*'] });
  const [{ occurrenceId }] = (await outboxOf(at)).outbox;
  const replay = await call('POST', `${at}/outbox/${occurrenceId}/replay`, {});
  expect([replay.status, replay.body.occurrence]).toMatchObject([200, { occurrenceId, replayCount: 1 }]);
  expect(replay.body.occurrence.replayedAt).toBeGreaterThan(0);
  const ids = () => postsOf(later, key).map(({ headers }) => headers['webhook-id']);
  await expect.poll(() => ids().at(-1), { timeout: 15_000 }).toBe(occurrenceId);
  const before = ids().length;
  await call('POST', `${at}/outbox/${occurrenceId}/replay`);
  await expect.poll(ids, { timeout: 15_000 }).toEqual(Array(before + 1).fill(occurrenceId));
  expect(postsOf(receiver, key)).toEqual([]);
  expect((await call('POST', `${at}/outbox/occ_0/replay`, {})).status).toBe(404);
  later.close();
  await call('DELETE', `/v1/webhooks/${made.body.sub.id}`);
  await close();
}, 60_000);

test('without a subscription the outbox fills all the same, and no sale is rehearsed', async () => {
  const { at, close } = await hearing(['seat.blocked']);
  await call('POST', `${at}/activate`, { expectedRevision: 1 });
  expect(await outboxOf(at)).toEqual({
    outbox: [expect.objectContaining({ eventName: 'season.activated', deliveredAt: null })],
    undelivered: 1,
    truncated: false,
  });
  for (const body of [undefined, {}]) {
    const refused = await call('POST', `${at}/buyer-rehearsals/validate`, body);
    expect([refused.status, refused.body.code]).toEqual([409, 'rehearsal_incomplete']);
  }
  await close();
});

test('a sale that one receiver has heard of from its hold to its cancellation is a rehearsal', async () => {
  const receiver = await openReceiver();
  const events = ['hold.created', 'seat.booked', 'seat.released'];
  const hook = (await call('POST', '/v1/webhooks', { url: receiver.url, events })).body.sub;
  const sold = await sellSeason(shop, 2);
  const page = await sold.page();
  await page.hold('sop_r-1', ['A-5']);
  expect((await page.settled('sop_r-1')).state).toBe('committed');
  expect((await sold.book('sop_r-1', 'book-1', 'order-r1')).body.booking.state).toBe('booked');
  const early = await sold.post('/buyer-rehearsals/validate');
  expect([early.status, early.body.code]).toEqual([409, 'rehearsal_incomplete']);
  const cancelled = await sold.post('/bookings/book-1/cancel', {
    cancelActionId: 'cancel-1',
    bookingRef: 'order-r1',
    rightDisposition: 'release',
    planActivationId: sold.planActivationId,
  });
  expect(cancelled.status).toBeLessThan(300);
  await expect.poll(async () => (await sold.post('/buyer-rehearsals/validate')).status, { timeout: 20_000 }).toBe(200);
  const { season, rehearsal } = (await sold.post('/buyer-rehearsals/validate', {})).body;
  const { outbox } = (await sold.get('/outbox')).body;
  const kept = rehearsal.occurrenceIds.map((id: string) => outbox.find((each: Json) => each.occurrenceId === id));
  expect(rehearsal).toEqual({
    ready: true,
    holdOperationId: 'sop_r-1',
    bookActionId: 'book-1',
    cancelActionId: 'cancel-1',
    subscriptionId: hook.id,
    occurrenceIds: kept.map(({ occurrenceId }: Json) => occurrenceId),
    payloadSha256: kept.map(({ payloadSha256 }: Json) => payloadSha256),
  });
  expect(season).toMatchObject({ key: sold.key, buyerRehearsalReady: true });
  const told = () => receiver.deliveries.map(({ body }) => body).filter(({ seasonKey }) => seasonKey === sold.key);
  const nameOf = ({ event, eventKey }: Json) => `${event} ${eventKey ? 'of an event' : 'of the season'}`;
  const ofEvents = events.flatMap((name) => Array(2).fill(`${name} of an event`));
  const ofSeason = ['season.hold.committed', 'season.booking.booked', 'season.booking.cancelled'];
  await expect
    .poll(() => told().map(nameOf).sort(), { timeout: 10_000 })
    .toEqual([...ofEvents, ...ofSeason.map((name) => `${name} of the season`)].sort());
  for (const { eventKey, operationId } of told()) if (eventKey) expect(operationId).toBe('sop_r-1');
  receiver.close();
  await call('DELETE', `/v1/webhooks/${hook.id}`);
}, 60_000);
