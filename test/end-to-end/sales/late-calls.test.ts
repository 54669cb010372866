/**
 * Calls whose answer is lost: the shard is paused, each call is answered 503 as one that may be repeated, and lands
 * afterwards. The same call again gets the first answer, and there is one effect (I5).
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Answer, type Json, openShop, type Shop } from '../shop.ts';

let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
}, 120_000);
afterAll(() => shop?.stop());

test('every keyed call to an event is one act, also when it lands late', { timeout: 90_000 }, async () => {
  const event = await shop.event();
  const post = async (what: string, body: Json): Promise<Json> => (await event.post(what, body)).body;
  const holdIds: string[] = [];
  for (const label of ['A-1', 'A-2', 'A-3']) holdIds.push((await post('hold', { labels: [label] })).holdId);
  for (const label of ['A-4', 'A-5', 'A-6', 'A-7', 'A-8']) await post('book', { labels: [label], bookingRef: label });
  const { listingId } = await post('resale/list', { labels: ['A-7'], bookingRef: 'A-7' });
  await post('block', { labels: ['A-9', 'A-10'] });
  const calls: [what: string, body: Json][] = [
    ['hold', { labels: ['B-1'] }],
    ['extend', { holdId: holdIds[0], ttlMs: 1_200_000 }],
    ['release', { holdId: holdIds[1] }],
    ['unbook', { bookingRef: 'A-4', labels: ['A-4'] }],
    ['unbook', { bookingRef: 'A-5' }],
    ['block', { labels: ['B-2'] }],
    ['unblock', { labels: ['A-9'] }],
    ['resale/list', { labels: ['A-6'], bookingRef: 'A-6' }],
    ['resale/remove', { listingId }],
    ['exchange', { bookingRef: 'A-8', from: ['A-8'], to: { labels: ['A-12'] } }],
    ['hold-ttl', { holdTtlMs: 240_000 }],
    ['best-available', { qty: 1 }],
  ];
  const send = () =>
    Promise.all(calls.map(([what, body], n) => event.post(what, body, { 'Idempotency-Key': `late-${n}` })));
  const shard = shop.server.pidOf('inventory-shard');
  process.kill(shard, 'SIGSTOP');
  let lost: Answer[];
  try {
    lost = await send();
  } finally {
    process.kill(shard, 'SIGCONT');
  }
  for (const [n, { status, body }] of lost.entries()) {
    expect([calls[n]![0], status, body.retryable]).toEqual([calls[n]![0], 503, true]);
  }
  // A front door that heard no shard for some seconds refuses at once, until the shard says that it is alive.
  const isReady = async (): Promise<number> => (await fetch(`${shop.server.url}/health/ready`)).status;
  await expect.poll(isReady, { timeout: 10_000 }).toBe(200);
  const first = await send();
  expect(first.map(({ status }, n) => [calls[n]![0], status])).toEqual(calls.map(([what]) => [what, 200]));
  // Another buyer takes what became free, and another renewal follows.
  await post('book', { labels: ['A-4', 'A-5'], bookingRef: 'another' });
  await post('block', { labels: ['A-9'] });
  const before = (await event.get('/objects')).body;
  const again = await send();
  expect(again.map(({ status, body }) => ({ status, body }))).toEqual(
    first.map(({ status, body }) => ({ status, body })),
  );
  expect((await event.get('/objects')).body.seats).toEqual(before.seats);
  expect((await event.get(`/holds/${holdIds[0]}`)).body.extends).toBe(1);
  const { entries } = (await event.get('/log?limit=500')).body;
  const times = (action: string) => entries.filter((each: Json) => each.action === action).length;
  const acts = ['extend', 'release', 'unbook', 'unblock', 'list_resale', 'remove_resale', 'exchanged', 'set_hold_ttl'];
  expect(acts.map((action) => [action, times(action)])).toEqual(
    acts.map((action) => [action, { unbook: 2, list_resale: 2 }[action] ?? 1]),
  );
});
