/**
 * Silent viewers are disconnected. Slow viewers get fewer frames before they are disconnected, and may reconnect and
 * resume.
 */
import { readFile } from 'node:fs/promises';
import { afterEach, expect, it, vi } from 'vitest';
import { WebSocket } from 'ws';
import { theatreAndArena } from '../../../scripts/generate-charts.mjs';
import { stuckMsMax } from '../../../services/frontdoor/src/feed-limits.ts';
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

/** An event with many seats. `turn` blocks or unblocks some of them. */
async function arena(count?: number) {
  const { token } = shop;
  const doc = theatreAndArena();
  const { id: chartId } = (await shop.call('POST', '/v1/charts', { token, body: { name: 'Theatre', doc } })).body.meta;
  await shop.call('POST', `/v1/charts/${chartId}/publish`, { token });
  const { key } = (await shop.call('POST', '/v1/events', { token, body: { chartId } })).body.meta;
  const { units } = (await shop.call('GET', `/v1/events/${key}/units`, { token })).body;
  const labels = (units as string[]).slice(0, count);
  let turns = 0;
  async function turn(): Promise<void> {
    const action = turns++ % 2 ? 'unblock' : 'block';
    const done = await shop.call('POST', `/v1/events/${key}/${action}`, { token, body: { labels } });
    expect(done.status).toBe(200);
  }
  return { key: key as string, turn };
}

async function sparedViewers(): Promise<number> {
  const { health } = JSON.parse(await readFile(`${shop.dataDir}/run.json`, 'utf8'));
  const text = await (await fetch(`${health.frontdoor}/metrics`)).text();
  return Number(/^frontdoor_viewers_spared (\d+)$/m.exec(text)![1]);
}

it('A client that reads late gets what it missed in one frame, and stays', { timeout: 120_000 }, async () => {
  shop = await openShop();
  // Each frame has about 90 kB, and the system buffers some of them.
  const { key, turn } = await arena(2_000);
  const late = await sleeper(key);
  const watcher = await open(key);
  while ((await sparedViewers()) === 0) for (let n = 0; n < 10; n++) await turn();
  // More bytes than a viewer may leave untaken.
  for (let n = 0; n < 60; n++) await turn();
  const { snapshotVersion: version } = (await shop.call('GET', `/v1/events/${key}/objects`, { token: shop.token }))
    .body;
  late.socket.resume();
  await expect.poll(late.version, { timeout: 20_000 }).toBe(version);
  expect(late.socket.readyState).toBe(WebSocket.OPEN);
  await turn();
  await expect.poll(late.version).toBeGreaterThan(version);
  watcher.close();
  late.socket.close();
});

it('A client that does not read its frames is closed with 4408, and can resume', { timeout: 180_000 }, async () => {
  shop = await openShop();
  const { key, turn } = await arena();
  const slow = await sleeper(key);
  const watcher = await open(key);
  const version = slow.version();
  // Each frame has 700 kB, and the system buffers some. Then the client gets no further frames, and is closed after a
  // while. Send no more frames than needed, since only the latest are kept for resuming.
  for (let made = 0; abouts(watcher) !== 1 || made < 4; made++) {
    await turn();
    expect(await watcher.next()).toMatchObject({ type: 'delta' });
    const timeout = made < 10 ? PRESENCE_TOLD_MS : stuckMsMax;
    if (made >= 3) await vi.waitUntil(() => abouts(watcher) === 1, { timeout }).catch(() => {});
  }
  slow.socket.resume();
  expect(await slow.closed).toBe(4408);
  expect(slow.version()).toBeGreaterThan(version);
  const back = new Watcher(addressOf(key), [...(await protocolsFor(key)), `sv.${slow.version()}`]);
  expect(await back.next()).toMatchObject({ type: 'delta', resumed: true });
  for (const each of [back, watcher]) each.close();
});
