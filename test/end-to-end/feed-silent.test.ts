/** Viewers that went without a word, and viewers that are too slow: both are let go, and who is slow may come back and resume. */
import { afterEach, expect, it, vi } from 'vitest';
import { WebSocket } from 'ws';
import { theatreAndArena } from '../../scripts/generate-charts.mjs';
import { openShop, type Shop, Watcher } from './shop.ts';

/** How soon viewers hear how many are about, and then some. */
const PRESENCE_TOLD_MS = 2_000;
let shop: Shop;

afterEach(() => shop?.stop());

const protocolsFor = async (key: string): Promise<string[]> =>
  (await shop.buyer('POST', `${key}/subscribe-tickets`)).body.protocols;
const addressOf = (key: string): string => `${shop.url}/pub/events/${key}/subscribe`;

/** Somebody else, who hears how many are about. */
async function open(key: string): Promise<Watcher> {
  const watcher = new Watcher(addressOf(key), await protocolsFor(key));
  await watcher.next();
  return watcher;
}

/** A client that takes in what it is sent only while it is awake: its pings, too. */
async function sleeper(key: string): Promise<{ socket: WebSocket; version: () => number; closed: Promise<number> }> {
  const socket = new WebSocket(addressOf(key).replace('http', 'ws'), await protocolsFor(key));
  let version = 0;
  const first = new Promise<void>((resolve) => {
    socket.on('message', (data) => {
      version = JSON.parse(data.toString()).snapshotVersion ?? version;
      resolve();
    });
  });
  const closed = new Promise<number>((resolve) => socket.on('close', resolve));
  await first;
  socket.pause();
  return { socket, version: () => version, closed };
}

const abouts = (watcher: Watcher) => watcher.presence.at(-1)?.shoppingSessions;

it('a client that says nothing any more is found, and one that only listens stays', { timeout: 60_000 }, async () => {
  shop = await openShop({ env: { PARTERRE_VIEWER_IDLE_SECONDS: '8' } });
  const { key } = await shop.event();
  const watcher = await open(key);
  const { socket } = await sleeper(key);
  await expect.poll(() => abouts(watcher), { timeout: 10_000 }).toBe(2);
  await expect.poll(() => abouts(watcher), { timeout: 40_000 }).toBe(1);
  watcher.send({ type: 'ping' });
  expect(await watcher.next()).toMatchObject({ type: 'pong' });
  socket.terminate();
  watcher.close();
});

it('a client that does not take what it is sent is closed with 4408, and resumes', { timeout: 180_000 }, async () => {
  shop = await openShop({ env: { PARTERRE_VIEWER_IDLE_SECONDS: '240' } });
  const { token } = shop;
  const doc = theatreAndArena();
  const { id: chartId } = (await shop.call('POST', '/v1/charts', { token, body: { name: 'Theatre', doc } })).body.meta;
  await shop.call('POST', `/v1/charts/${chartId}/publish`, { token });
  const { key } = (await shop.call('POST', '/v1/events', { token, body: { chartId } })).body.meta;
  const { units: labels } = (await shop.call('GET', `/v1/events/${key}/units`, { token })).body;
  const slow = await sleeper(key);
  const watcher = await open(key);
  const version = slow.version();
  // Each of these is a frame of 700 kB, of which the system keeps some; of more than need be not all are kept to resume with.
  for (let turn = 0; abouts(watcher) !== 1 || turn < 4; turn++) {
    const done = await shop.call('POST', `/v1/events/${key}/${turn % 2 ? 'unblock' : 'block'}`, {
      token,
      body: { labels },
    });
    expect(done.status).toBe(200);
    expect(await watcher.next()).toMatchObject({ type: 'delta' });
    if (turn >= 3) await vi.waitUntil(() => abouts(watcher) === 1, { timeout: PRESENCE_TOLD_MS }).catch(() => {});
  }
  slow.socket.resume();
  expect(await slow.closed).toBe(4408);
  expect(slow.version()).toBeGreaterThan(version);
  const back = new Watcher(addressOf(key), [...(await protocolsFor(key)), `sv.${slow.version()}`]);
  expect(await back.next()).toMatchObject({ type: 'delta', resumed: true });
  for (const each of [back, watcher]) each.close();
});
