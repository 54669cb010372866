/**
 * A stopped deployment of two partitions moves to sixteen, and sells on: every booking and map is equal, webhooks go on
 * without a repeat, and the deployment that it came from is as it was.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Parterre } from '../../support/servers/server.ts';
import { type Json, openShop, type Shop } from '../shop.ts';
import { type Ask, backupEnv, parterreIn, startRestored } from './backup-runs.ts';

let folder: string;
let shop: Shop;
let receiver: Server;
let moved: Parterre | null = null;
/** The bodies of webhooks, by the id of their occurrence. */
const received: { id: string; body: Json }[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parterre-test-move-'));
  receiver = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk) => (text += chunk));
    request.on('end', () => {
      received.push({ id: String(request.headers['webhook-id']), body: JSON.parse(text) as Json });
      response.end();
    });
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  shop = await openShop({ dataDir: join(folder, 'first'), env: backupEnv });
}, 120_000);
afterAll(async () => {
  await moved?.stop();
  receiver.close();
  await rm(folder, { recursive: true, force: true });
});

const parterre = (data: string, args: string[], killAt?: RegExp) => parterreIn(folder, data, args, killAt);

/** The parts of the map that name no place in the journal. */
async function mapsOf(ask: Ask, keys: string[]): Promise<Json[]> {
  const maps = await Promise.all(keys.map((key) => ask('GET', `/v1/events/${key}/objects`)));
  return maps.map(({ body }) => ({ ...body, snapshotVersion: null, version: null, sv: null }));
}

test('2 partitions become 16: bookings, maps, credits and answers under a key stay, webhooks go on', {
  timeout: 240_000,
}, async () => {
  const events = await Promise.all([1, 2, 3, 4, 5].map(() => shop.event()));
  const keys = events.map(({ key }) => key);
  const askFirst: Ask = (method, path, body) => shop.call(method, path, { token: shop.token, body });
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;
  expect((await askFirst('POST', '/v1/webhooks', { url, events: ['seat.booked', 'seat.released'] })).status).toBe(201);
  for (const event of events) {
    await event.post('book', { labels: ['A-1', 'A-2'], bookingRef: `order-${event.key}` });
    await event.post('unbook', { bookingRef: `order-${event.key}`, labels: ['A-2'] });
    await event.post('hold', { labels: ['B-1'] });
  }
  await events[0]!.post('block', { labels: ['B-5'] });
  const repeated = { token: shop.token, headers: { 'Idempotency-Key': 'once' }, body: { labels: ['A-5'] } };
  const held = await shop.call('POST', `${events[0]!.path}/hold`, repeated);
  await expect.poll(() => received.length, { timeout: 20_000 }).toBe(10);
  const live = { token: shop.own.live.secret };
  await shop.call('POST', '/v1/events', {
    ...live,
    body: { chartId: shop.chart.id, slug: 'live-night', name: 'Live' },
  });
  const liveSale = { ...live, body: { labels: ['A-1', 'A-2'], bookingRef: 'live-1' } };
  expect((await shop.call('POST', '/v1/events/live-night/book', liveSale)).status).toBe(200);
  const creditsAt = async (url: string) => {
    const headers = { Authorization: `Bearer ${shop.rootToken}` };
    const answer = await fetch(`${url}/v1/admin/organisations/${shop.own.id}`, { headers });
    return ((await answer.json()) as Json).organisation.credits;
  };
  await expect.poll(() => creditsAt(shop.url), { timeout: 20_000 }).toBe(8);
  const before = await mapsOf(askFirst, keys);
  const versionBefore = (await askFirst('GET', `/v1/events/${keys[0]}/objects`)).body.snapshotVersion as number;

  // Of a deployment that sells, a backup is taken, and no move.
  expect((await parterre('first', ['backup', 'running'])).code).toBe(0);
  const early = await parterre('second', ['move', 'running', '--partitions', '16']);
  expect(early).toMatchObject({ code: 1, said: expect.stringContaining('Stop the deployment') });
  await shop.stop();
  const copy = await parterre('first', ['backup', 'backup', '--json']);
  expect([copy.code, copy.said]).toEqual([0, expect.stringContaining('Nothing runs on')]);
  expect(JSON.parse(copy.out)).toMatchObject({ stopped: true });
  expect(await parterre('second', ['move', 'backup', '--partitions', '12'])).toMatchObject({ code: 1 });
  // An interrupted move is begun again.
  expect((await parterre('second', ['move', 'backup', '--partitions', '16'], /Messages compared/)).code).not.toBe(0);
  const ran = await parterre('second', ['move', 'backup', '--partitions', '16', '--json']);
  expect([ran.code, ran.said]).toEqual([0, expect.stringContaining('equals the backup')]);
  expect(JSON.parse(ran.out)).toMatchObject({ partitions: '2 → 16', different: 0 });

  const start = await startRestored(join(folder, 'second'), shop, { ...backupEnv, JOURNAL_PARTITIONS: '' });
  moved = start.restored;
  const { ask } = start;
  expect(await mapsOf(ask, keys)).toEqual(before);
  const movedUrl = moved.url;
  await expect.poll(() => creditsAt(movedUrl), { timeout: 20_000 }).toBe(8);
  for (const key of keys) {
    await expect
      .poll(async () => (await ask('GET', `/v1/events/${key}/bookings/order-${key}`)).status, { timeout: 20_000 })
      .toBe(200);
  }
  const headers = {
    Authorization: `Bearer ${shop.token}`,
    'Content-Type': 'application/json',
    'Idempotency-Key': 'once',
  };
  const again = await fetch(`${moved.url}${events[0]!.path}/hold`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ labels: ['A-5'] }),
  });
  expect(await again.json()).toMatchObject({ holdId: held.body.holdId });
  for (const key of keys) {
    const taken = await ask('POST', `/v1/events/${key}/book`, { labels: ['A-1'], bookingRef: 'another' });
    expect([taken.status, key]).toEqual([409, key]);
    expect((await ask('POST', `/v1/events/${key}/book`, { labels: ['A-8'], bookingRef: `later-${key}` })).status).toBe(
      200,
    );
  }
  const version = (await ask('GET', `/v1/events/${keys[0]}/objects`)).body.snapshotVersion as number;
  expect(version).toBeGreaterThan(versionBefore);
  await expect.poll(() => received.length, { timeout: 20_000 }).toBe(15);
  expect(new Set(received.map(({ id }) => id)).size).toBe(15);
  const later = received.slice(10).map(({ body }) => (body.data ?? body).bookingRef);
  expect(later.sort()).toEqual(keys.map((key) => `later-${key}`).sort());
  const shards = await parterre('second', ['status', '--json']);
  expect([shards.code, JSON.parse(shards.out).partitions.length]).toEqual([0, 16]);
});
