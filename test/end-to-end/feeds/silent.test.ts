/** Silent viewers and slow viewers are disconnected. A slow viewer may reconnect and resume. */
import { afterEach, expect, it, vi } from 'vitest';
import { WebSocket } from 'ws';
import { theatreAndArena } from '../../../scripts/generate-charts.mjs';
import { environments } from '../../support/servers/server.ts';
import { openShop, type Shop, Watcher } from '../shop.ts';

/** Longer than the interval at which viewers hear the presence. */
const PRESENCE_TOLD_MS = 2_000;
let shop: Shop;

afterEach(() => shop?.stop());

const protocolsFor = async (key: string): Promise<string[]> =>
  (await shop.buyer('POST', `${key}/subscribe-tickets`)).body.protocols;
const addressOf = (key: string): string => `${shop.url}/pub/events/${key}/subscribe`;

/** Another viewer, which hears the presence. */
async function open(key: string): Promise<Watcher> {
  const watcher = new Watcher(addressOf(key), await protocolsFor(key));
  await watcher.next();
  return watcher;
}

/** A client that stops reading: it takes neither frames nor pings. */
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

it('A silent client is disconnected, and a client that only listens stays', { timeout: 60_000 }, async () => {
  shop = await openShop({ env: environments.unbounded });
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

it('A client that does not read its frames is closed with 4408, and can resume', { timeout: 180_000 }, async () => {
  shop = await openShop();
  const { token } = shop;
  const doc = theatreAndArena();
  const { id: chartId } = (await shop.call('POST', '/v1/charts', { token, body: { name: 'Theatre', doc } })).body.meta;
  await shop.call('POST', `/v1/charts/${chartId}/publish`, { token });
  const { key } = (await shop.call('POST', '/v1/events', { token, body: { chartId } })).body.meta;
  const { units: labels } = (await shop.call('GET', `/v1/events/${key}/units`, { token })).body;
  const slow = await sleeper(key);
  const watcher = await open(key);
  const version = slow.version();
  // Each frame has 700 kB, and the system buffers some. Send no more frames than needed, since only the latest are kept
  // for resuming.
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
