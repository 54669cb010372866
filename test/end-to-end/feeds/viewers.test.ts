/** Viewers over WebSocket: snapshot, changes in order, tickets, resuming, revoked keys. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { viewersPerSessionMax } from '../../../services/frontdoor/src/feed-limits.ts';
import { openShop, origin, type Shop, Watcher } from '../shop.ts';

let shop: Shop;

beforeAll(async () => {
  shop = await openShop();
}, 120_000);
afterAll(() => shop?.stop());

async function ticketFor(key: string, token?: string): Promise<string[]> {
  const options = { body: {}, ...(token === undefined ? {} : { token }) };
  return (await shop.buyer('POST', `${key}/subscribe-tickets`, options)).body.protocols;
}

const subscribe = (key: string, protocols: string[]) =>
  new Watcher(`${shop.url}/pub/events/${key}/subscribe?surface=test`, protocols);

/** Reads deltas until `version`, and notes the statuses of every label on the way. */
async function follow(
  watcher: Watcher,
  version: number,
): Promise<{ versions: number[]; seats: Record<string, string[]> }> {
  const versions: number[] = [];
  const seats: Record<string, string[]> = {};
  while ((versions.at(-1) ?? 0) < version) {
    const frame = await watcher.next();
    expect(frame).toMatchObject({ type: 'delta', protocol: 1 });
    versions.push(frame.snapshotVersion);
    for (const { label, status } of frame.changes) seats[label] = [...(seats[label] ?? []), status];
  }
  return { versions, seats };
}

const versionOf = async (event: Awaited<ReturnType<Shop['event']>>): Promise<number> =>
  (await event.get('/objects')).body.snapshotVersion;

describe('a viewer', () => {
  it("gets the state, and then every change in order, in buyers' statuses", async () => {
    const event = await shop.event();
    await event.post('book', { labels: ['A-1'], bookingRef: 'order-1' });
    await event.post('block', { labels: ['A-2'] });
    const watcher = subscribe(event.key, await ticketFor(event.key));
    expect(await watcher.protocol).toBe('parterre.v1');
    expect(await watcher.next()).toEqual({
      type: 'snapshot',
      protocol: 1,
      snapshotVersion: await versionOf(event),
      default: 'free',
      seats: { 'A-1': 'booked', 'A-2': 'not_for_sale' },
      hidden: [],
      closed: [],
      ga: { floor: { free: 30 } },
    });

    const { holdId } = (await event.post('hold', { labels: ['A-3'] })).body;
    await event.post('book', { holdId, bookingRef: 'order-2' });
    await event.post('hold', { selections: [{ label: 'Floor', quantity: 2 }] });
    const seen = await follow(watcher, await versionOf(event));
    expect(seen.versions).toEqual([...seen.versions].sort((a, b) => a - b));
    expect(seen.seats['A-3']?.at(-1)).toBe('booked');
    expect(Object.keys(seen.seats)).toContain('__sl_ga__floor__2');
    watcher.close();
  });

  it('is told the free places of an area', async () => {
    const event = await shop.event();
    const watcher = subscribe(event.key, await ticketFor(event.key));
    await watcher.next();
    await event.post('hold', { selections: [{ label: 'Floor', quantity: 5 }] });
    expect(await watcher.next()).toMatchObject({ type: 'delta', ga: { floor: { free: 25 } } });
    watcher.close();
  });

  it('gets a pong for its ping', async () => {
    const event = await shop.event();
    const watcher = subscribe(event.key, await ticketFor(event.key));
    await watcher.next();
    watcher.send({ type: 'nonsense' });
    watcher.send({ type: 'ping' });
    expect(await watcher.next()).toEqual({ type: 'pong', protocol: 1 });
    watcher.close();
  });

  it('that reconnects gets the changes that it missed', async () => {
    const event = await shop.event();
    const first = subscribe(event.key, await ticketFor(event.key));
    const { snapshotVersion } = await first.next();
    first.close();
    await first.closed;
    await event.post('hold', { labels: ['A-1'] });
    await event.post('hold', { labels: ['A-2'] });
    const back = subscribe(event.key, [...(await ticketFor(event.key)), `sv.${snapshotVersion}`]);
    expect(await back.next()).toMatchObject({ type: 'delta', resumed: true });
    back.close();
  });

  it('is closed for good when its key is revoked', async () => {
    const event = await shop.event();
    const made = await shop.call('POST', `/v1/admin/organisations/${shop.own.id}/keys`, {
      token: shop.rootToken,
      body: { kind: 'publishable', mode: 'test', origins: [origin] },
    });
    const { token } = (await shop.buyer('POST', `${event.key}/session`, { token: made.body.secret })).body;
    const watcher = subscribe(event.key, await ticketFor(event.key, made.body.secret));
    const picker = subscribe(event.key, await ticketFor(event.key, token));
    await Promise.all([watcher.next(), picker.next()]);
    const path = `/v1/admin/organisations/${shop.own.id}/keys/${made.body.key.id}`;
    await shop.call('DELETE', path, { token: shop.rootToken });
    expect(await Promise.all([watcher.closed, picker.closed])).toEqual([4401, 4401]);
    const { status, body } = await shop.buyer('GET', `${event.key}/objects`, { token });
    expect([status, body.code]).toEqual([401, 'buyer_access_revoked']);
  });
});

describe('a ticket', () => {
  const refused = (protocols: string[], key: string) =>
    expect(subscribe(key, protocols).protocol).rejects.toThrow('404');

  it('is required, works once, and opens only its own event', async () => {
    const event = await shop.event();
    const other = await shop.event();
    await refused(['parterre.v1'], event.key);
    await refused(['parterre.v1', 'tkt.00000000000000000000000000000000'], event.key);
    await refused(await ticketFor(other.key), event.key);
    const protocols = await ticketFor(event.key);
    const watcher = subscribe(event.key, protocols);
    await watcher.next();
    await refused(protocols, event.key);
    watcher.close();
  });

  it('opens nothing for a page of another origin', async () => {
    const event = await shop.event();
    const from = async (Origin: string) =>
      new Watcher(`${shop.url}/pub/events/${event.key}/subscribe`, await ticketFor(event.key), { Origin });
    await expect((await from('https://evil.example')).protocol).rejects.toThrow('404');
    const watcher = await from(origin);
    expect(await watcher.next()).toMatchObject({ type: 'snapshot' });
    watcher.close();
  });

  it('opens nothing once its event is deleted', async () => {
    const event = await shop.event();
    const protocols = await ticketFor(event.key);
    await shop.call('DELETE', `/v1/events/${event.key}`, { token: shop.token });
    await refused(protocols, event.key);
  });
});

it('A session has a bounded number of sockets, and a viewer who leaves frees a place', async () => {
  const { key } = await shop.event();
  const body = { publicKey: shop.own.publishable.secret };
  const { token } = (await shop.call('POST', `/pub/events/${key}/bootstrap`, { headers: { Origin: origin }, body }))
    .body;
  const open = async () => subscribe(key, await ticketFor(key, token));
  const watchers: Watcher[] = [];
  while (watchers.length < viewersPerSessionMax) watchers.push(await open());
  await Promise.all(watchers.map((watcher) => watcher.next()));
  await expect((await open()).protocol).rejects.toThrow('429');
  const withKey = subscribe(key, await ticketFor(key));
  expect(await withKey.next()).toMatchObject({ type: 'snapshot' });
  watchers.pop()!.close();
  await expect.poll(async () => (await open()).protocol.catch(() => null)).toBe('parterre.v1');
  for (const watcher of [...watchers, withKey]) watcher.close();
});

describe('a server', () => {
  it('sees the true statuses over a socket', async () => {
    const event = await shop.event();
    await event.post('block', { labels: ['A-1'] });
    const headers = { Authorization: `Bearer ${shop.token}` };
    const watcher = new Watcher(`${shop.url}${event.path}/feed`, [], headers);
    expect(await watcher.next()).toMatchObject({ type: 'snapshot', seats: { 'A-1': 'blocked' } });
    watcher.close();
  });

  it('that asks for a closed connection after the handshake is let go, and the next one is served', async () => {
    const event = await shop.event();
    const { hostname, port } = new URL(shop.url);
    for (let i = 0; i < 10; i++) {
      // A key that the front door does not know yet, so that the answer comes after the request was read.
      const { secret } = (
        await shop.call('POST', `/v1/admin/organisations/${shop.own.id}/keys`, {
          token: shop.rootToken,
          body: { kind: 'secret', mode: 'test' },
        })
      ).body;
      const client = connect(Number(port), hostname);
      const lines = [
        `GET ${event.path}/feed HTTP/1.1`,
        `Host: ${hostname}`,
        `Authorization: Bearer ${secret}`,
        'Upgrade: websocket',
        'Connection: close',
        'Sec-WebSocket-Version: 13',
        'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
      ];
      client.write(`${lines.join('\r\n')}\r\n\r\n`);
      expect(String((await once(client, 'data'))[0])).toMatch(/^HTTP\/1.1 101 /);
      client.destroy();
    }
    const watcher = new Watcher(`${shop.url}${event.path}/feed`, [], { Authorization: `Bearer ${shop.token}` });
    expect(await watcher.next()).toMatchObject({ type: 'snapshot' });
    watcher.close();
  });

  it('reads the same frames as server-sent events', async () => {
    const event = await shop.event();
    const leave = new AbortController();
    const response = await fetch(`${shop.url}${event.path}/feed`, {
      headers: { Authorization: `Bearer ${shop.token}` },
      signal: leave.signal,
    });
    expect(response.headers.get('content-type')).toBe('text/event-stream');
    const chunks = response.body!.pipeThrough(new TextDecoderStream()).getReader();
    expect((await chunks.read()).value).toMatch(/^data: {"type":"snapshot"/);
    await event.post('hold', { labels: ['A-1'] });
    let read = '';
    // Presence frames come between the changes.
    while (!read.includes('"type":"delta"')) read += (await chunks.read()).value;
    expect(read).toContain('"changes":[{"label":"A-1","status":"held"}]');
    leave.abort();
  });

  it('counts event streams among the viewers of a session, together with its sockets', async () => {
    const event = await shop.event();
    const capabilities = ['event:view'];
    const { token } = (await event.post('manage-sessions', { allowedOrigin: origin, capabilities })).body;
    const headers = { Authorization: `Bearer ${token}`, Origin: origin };
    const leave = new AbortController();
    const open = (signal: AbortSignal | null = null) => fetch(`${shop.url}${event.path}/feed`, { headers, signal });
    expect((await open(leave.signal)).status).toBe(200);
    const others: Response[] = [];
    while (others.length < viewersPerSessionMax - 1) others.push(await open());
    const refused = await open();
    expect(refused.status).toBe(429);
    expect(await refused.json()).toMatchObject({ code: 'rate_limited' });
    const socket = new WebSocket(`${shop.url.replace('http', 'ws')}${event.path}/feed`, { headers });
    const [, response] = await once(socket, 'unexpected-response');
    expect(response.statusCode).toBe(429);
    leave.abort();
    const statusOfNext = async () => {
      others.push(await open());
      return others.at(-1)!.status;
    };
    await expect.poll(statusOfNext).toBe(200);
    for (const { body } of others) await body!.cancel();
  });
});
