/** One organisation fills the bounds of a front door, or floods it with frames. Another organisation sells on. */
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { viewerFramesPerSecondMax } from '../../../services/frontdoor/src/feed-limits.ts';
import { environments } from '../../support/servers/server.ts';
import { type Json, openShop, origin, type Shop, Watcher } from '../shop.ts';

const EVENTS_MAX = Number(environments.crowded.PARTERRE_WATCHED_EVENTS);
let shop: Shop;
let other: { token: string; publishable: string; key: string };

beforeAll(async () => {
  shop = await openShop({ env: environments.crowded });
  const organisation = await shop.organisation('Other');
  const token: string = organisation.test.secret;
  const { meta } = (await shop.call('POST', '/v1/charts', { token, body: { name: 'Hall', doc: shop.hall } })).body;
  await shop.call('POST', `/v1/charts/${meta.id}/publish`, { token });
  const key = (await shop.call('POST', '/v1/events', { token, body: { chartId: meta.id } })).body.meta.key;
  other = { token, publishable: organisation.publishable.secret, key };
});
afterAll(() => shop?.stop());

/** A buyer's socket, open. */
async function openSocket(): Promise<WebSocket> {
  const { key } = await shop.event();
  const { protocols } = (await shop.buyer('POST', `${key}/subscribe-tickets`)).body;
  const socket = new WebSocket(`${shop.url.replace('http', 'ws')}/pub/events/${key}/subscribe`, protocols, {
    headers: { Origin: origin },
  });
  await new Promise((resolve, reject) => socket.on('message', resolve).on('error', reject));
  return socket;
}

const frames: Record<string, (socket: WebSocket) => void> = {
  'pings of the protocol': (socket) => socket.ping(''),
  'pongs that nobody asked for': (socket) => socket.pong(''),
  messages: (socket) => socket.send('{"type":"ping"}'),
};

it.each(Object.keys(frames))('a socket that floods its front door with %s is closed with 4429', async (name) => {
  const socket = await openSocket();
  const closed = new Promise((resolve) => socket.on('close', resolve));
  for (let sent = 0; sent < 4 * viewerFramesPerSecondMax; sent++) frames[name]!(socket);
  expect(await closed).toBe(4429);
});

it('a socket that sends more bytes than a viewer needs is closed with 4429, and a page that pings stays', async () => {
  const page = await openSocket();
  const large = await openSocket();
  const closed = new Promise((resolve) => large.on('close', resolve));
  for (let sent = 0; sent < 8; sent++) large.send(randomBytes(4_000));
  expect(await closed).toBe(4429);
  // A frame of presence may come before the answer.
  const types: string[] = [];
  page.on('message', (data) => types.push(JSON.parse(data.toString()).type));
  page.send('{"type":"ping"}');
  await expect.poll(() => types).toContain('pong');
  page.close();
});

/** A socket to an event of the shop, by its secret key. */
async function watch(): Promise<Watcher> {
  const { path } = await shop.event();
  return new Watcher(`${shop.url}${path}/feed`, ['parterre.v1'], { Authorization: `Bearer ${shop.token}` });
}

it('an organisation that watches as many events as a front door keeps shuts no other organisation out', async () => {
  const watchers: Watcher[] = [];
  for (let at = 0; at < EVENTS_MAX; at++) watchers.push(await watch());
  for (const watcher of watchers) await watcher.next();
  const { key: refused } = await shop.event();
  expect((await shop.buyer('GET', `${refused}/objects`)).body).toMatchObject({ code: 'overloaded', retryable: true });

  const asPage = { token: other.publishable, headers: { Origin: origin } };
  const asServer = { token: other.token };
  const calls: [method: string, path: string, options: { token: string; headers?: Json }][] = [
    ['GET', `/pub/events/${other.key}/objects`, asPage],
    ['GET', `/pub/events/${other.key}/chart`, asPage],
    ['POST', `/pub/events/${other.key}/bootstrap`, asPage],
    ['GET', `/v1/events/${other.key}/availability`, asServer],
    ['GET', `/v1/events/${other.key}/control-room`, asServer],
  ];
  for (const [method, path, options] of calls) {
    expect([path, (await shop.call(method, path, options)).status]).toEqual([path, 200]);
  }
  const protocols = (await shop.call('POST', `/pub/events/${other.key}/subscribe-tickets`, asPage)).body.protocols;
  const viewer = new Watcher(`${shop.url}/pub/events/${other.key}/subscribe`, protocols, { Origin: origin });
  expect(await viewer.next()).toMatchObject({ type: 'snapshot' });
  // The newest event of the largest organisation made room. Its viewer is told to come back.
  expect(await watchers.at(-1)!.closed).toBe(1001);
  for (const watcher of [...watchers, viewer]) watcher.close();
});
