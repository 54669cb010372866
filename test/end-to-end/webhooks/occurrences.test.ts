/** A back end fetches occurrences without a subscription, and a subscription gets what it missed. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { eventOccurrences } from '@parterre/shared/protocol/vocabulary';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Json, openShop, type Shop } from '../shop.ts';

let shop: Shop;
const closing: (() => void)[] = [];
beforeAll(async () => {
  shop = await openShop();
}, 120_000);
afterAll(async () => {
  for (const close of closing) close();
  await shop?.stop();
});

/** A receiver with a changing answer, and its subscription to all occurrences of events. */
async function subscribe(token: string, events: readonly string[] = eventOccurrences) {
  const posts: Json[] = [];
  const receiver = { status: 204, headers: {} as Record<string, string> };
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const part of request.setEncoding('utf8')) text += part;
    const { status, headers } = receiver;
    response.writeHead(status, headers).end();
    if (status === 204) posts.push(JSON.parse(text));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
  const { sub } = (await shop.call('POST', '/v1/webhooks', { token, body: { url, events } })).body;
  const refs = () => posts.filter(({ event }) => event === 'seat.booked').map(({ data }) => data.bookingRef);
  /** The bookings of the occurrences that came. A post whose answer was lost may come again, under the same id. */
  const occurrences = () => {
    const byId = new Map(posts.map(({ occurrenceId, data }) => [occurrenceId, data.bookingRef]));
    return [...byId.values()].sort();
  };
  const path = `/v1/webhooks/${sub.id}`;
  const change = (body: object) => shop.call('PATCH', path, { token, body });
  const listed = async () =>
    (await shop.call('GET', '/v1/webhooks', { token })).body.subs.find(({ id }: Json) => id === sub.id);
  return { receiver, posts, refs, occurrences, path, change, listed };
}

async function occurrences(token: string, query: Record<string, string>) {
  const answer = await shop.call('GET', `/v1/occurrences?${new URLSearchParams(query)}`, { token });
  expect(answer.status).toBe(200);
  return answer.body;
}

/** Page after page, until `count` occurrences have come and the list has no more. */
async function walk(token: string, limit: string, count: number, more: Record<string, string> = {}) {
  const all: Json[] = [];
  let after = '';
  const next = async () => {
    const page = await occurrences(token, { limit, after, ...more });
    expect(page.occurrences.length).toBeLessThanOrEqual(Number(limit));
    all.push(...page.occurrences);
    after = page.nextAfter;
    return all.length >= count && page.lag === 0 && page.occurrences.length === 0;
  };
  await expect.poll(next, { timeout: 60_000, interval: 20 }).toBe(true);
  return all;
}

it('Pages beside concurrent sales have what a subscription hears, each once and in the order of each event', async () => {
  const { token } = shop;
  const hook = await subscribe(token);
  const nights = await Promise.all([shop.event(), shop.event(), shop.event()]);
  const sale = async (client: number) => {
    const night = nights[client % 3]!;
    for (let n = 0; n < 12; n++) {
      const bookingRef = `o-${client}-${n}`;
      const labels = [`A-${client + 1}`];
      const { holdId } = (await night.post('hold', { labels })).body;
      await night.post('book', { holdId, bookingRef });
      await night.post('unbook', { bookingRef });
    }
  };
  const sales = Promise.all(Array.from({ length: 6 }, (_, client) => sale(client)));
  const count = 3 + 6 * 12 * 3;
  const listed = await walk(token, '7', count);
  await sales;
  await expect.poll(() => hook.posts.length, { timeout: 20_000 }).toBe(count);
  const ids = (bodies: Json[]) => bodies.map(({ occurrenceId }) => occurrenceId).sort();
  const keys = new Set(nights.map(({ key }) => key));
  const ours = listed.filter(({ eventKey }) => keys.has(eventKey));
  expect(ids(ours)).toEqual(ids(hook.posts));
  expect(new Set(ids(ours)).size).toBe(count);
  const byId = new Map(hook.posts.map((body) => [body.occurrenceId, body]));
  for (const { key } of nights) {
    const own = ours.filter(({ eventKey }) => eventKey === key);
    const places = own.map(({ sequence, index }) => sequence * 1_000 + index);
    expect(places).toEqual([...new Set(places)].sort((one, other) => one - other));
    for (const body of own.filter(({ event }) => event !== 'event.created')) {
      expect(body).toEqual(byId.get(body.occurrenceId));
    }
    const only = await walk(token, '200', 24, { eventKey: key, event: 'seat.released' });
    expect(only.length).toBe(24);
  }
}, 120_000);

it('The list ends at the organisation and the mode of the key; a dashboard lists live events', async () => {
  const other = await shop.organisation('Elsewhere');
  for (const token of [other.test.secret, shop.own.live.secret]) {
    expect((await occurrences(token, {})).occurrences).toEqual([]);
  }
  const admin = await shop.logIn(await shop.user());
  const { status, body } = await shop.call('GET', '/v1/occurrences', { headers: admin.read });
  expect([status, body.occurrences]).toEqual([200, []]);
}, 60_000);

it('Changes of an event stand in its order, with their fields', async () => {
  const { token } = shop;
  const night = await shop.event();
  const body = { name: 'Moved', venue: 'The old hall', startsAt: 1_900_000_000_000 };
  await shop.call('PATCH', `/v1/events/${night.key}`, { token, body });
  const of = async (event: string) => (await occurrences(token, { eventKey: night.key, event })).occurrences;
  await expect.poll(async () => (await of('event.updated')).length, { timeout: 10_000 }).toBe(1);
  await night.post('close', {});
  await expect.poll(async () => (await of('event.closed')).length, { timeout: 10_000 }).toBe(1);
  const [[updated], [closed]] = [await of('event.updated'), await of('event.closed')];
  expect([...updated.data.changed].sort()).toEqual(['name', 'startsAt', 'venue']);
  expect(updated.data.event).toMatchObject({ key: night.key, ...body });
  expect(closed.sequence).toBeGreaterThan(updated.sequence);
  expect(closed.data.event.status).toBe('closed');
}, 60_000);

it('A pause loses nothing, and other subscriptions hear of it', async () => {
  const { token } = shop;
  const witness = await subscribe(token, ['webhook.paused']);
  const hook = await subscribe(token, ['seat.booked']);
  const night = await shop.event();
  hook.receiver.status = 410;
  await night.post('book', { labels: ['A-1'], bookingRef: 'gone' });
  await expect.poll(async () => (await hook.listed()).pausedReason, { timeout: 15_000 }).toBe('gone');
  await night.post('book', { labels: ['A-2'], bookingRef: 'paused' });
  hook.receiver.status = 204;
  await hook.change({ disabled: false });
  await expect.poll(hook.occurrences, { timeout: 30_000 }).toEqual(['gone', 'paused']);
  await expect.poll(() => witness.posts, { timeout: 15_000 }).toHaveLength(1);
  expect(witness.posts[0]).toMatchObject({ event: 'webhook.paused', sequence: null, data: { pausedReason: 'gone' } });
}, 90_000);

it('A receiver that answers again gets its scheduled retries at once, and its backlog is listed until then', async () => {
  const { token } = shop;
  const hook = await subscribe(token, ['seat.booked']);
  const night = await shop.event();
  Object.assign(hook.receiver, { status: 503, headers: { 'Retry-After': '3600' } });
  for (const label of ['A-1', 'A-2']) await night.post('book', { labels: [label], bookingRef: label });
  const backlog = async () => (await hook.listed()).backlog;
  await expect.poll(async () => (await backlog())?.count, { timeout: 15_000 }).toBe(2);
  expect(await backlog()).toMatchObject({ bytes: expect.any(Number), oldestAt: expect.any(Number) });
  hook.receiver.status = 204;
  await night.post('book', { labels: ['A-3'], bookingRef: 'A-3' });
  await expect.poll(hook.occurrences, { timeout: 30_000 }).toEqual(['A-1', 'A-2', 'A-3']);
}, 90_000);

it('A recovery brings what did not arrive, and nothing that did', async () => {
  const { token } = shop;
  const since = Date.now();
  const hook = await subscribe(token, ['seat.booked']);
  const night = await shop.event();
  await night.post('book', { labels: ['A-1'], bookingRef: 'arrived' });
  await expect.poll(() => hook.refs(), { timeout: 15_000 }).toEqual(['arrived']);
  Object.assign(hook.receiver, { status: 503, headers: { 'Retry-After': '3600' } });
  await night.post('book', { labels: ['A-2'], bookingRef: 'missed' });
  await expect.poll(async () => (await hook.listed()).lastStatus, { timeout: 15_000 }).toBe(503);
  hook.receiver.status = 204;
  const asked = await shop.call('POST', `${hook.path}/recover`, { token, body: { since } });
  expect([asked.status, asked.body.sub.id]).toEqual([202, hook.path.split('/').at(-1)]);
  await expect.poll(() => hook.refs(), { timeout: 30_000 }).toEqual(['arrived', 'missed']);
}, 90_000);
