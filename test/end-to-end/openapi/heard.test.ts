/** The description covers frames of sockets and streams, and the bodies of webhooks. */
import { newId } from '@parterre/shared/protocol/ids';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { pingBody } from '../../../services/notifier/src/occurrences/rules/occurrences.ts';
import { openReceiver } from '../../support/notifier/receiver.ts';
import { codesOf, createJudge, type Json, webhookNamed } from '../../support/openapi.ts';
import { openShop, type Shop, Watcher } from '../shop.ts';
import { makeSeason } from './season-world.ts';

let shop: Shop;
let document: Json;
let judge: ReturnType<typeof createJudge>;

beforeAll(async () => {
  shop = await openShop();
  document = (await shop.call('GET', '/openapi.json')).body;
  judge = createJudge(document);
}, 120_000);
afterAll(() => shop?.stop());

it('Socket frames to buyers and servers fit the description', async () => {
  const event = await shop.event();
  const { body: ticket } = await shop.buyer('POST', `${event.key}/subscribe-tickets`);
  const watchers = [
    new Watcher(`${shop.url}/pub/events/${event.key}/subscribe`, ticket.protocols),
    new Watcher(`${shop.url}${event.path}/feed`, ['parterre.v1'], { Authorization: `Bearer ${shop.token}` }),
  ];
  const heard = await Promise.all(
    watchers.map(async (watcher) => {
      const frames = [await watcher.next()];
      watcher.send({ type: 'ping' });
      frames.push(await watcher.next());
      return frames;
    }),
  );
  await event.post('block', { labels: ['A-1', '__sl_ga__floor__1'] });
  for (const [index, watcher] of watchers.entries()) heard[index]!.push(await watcher.next());
  for (const frames of heard) {
    expect(frames.map(({ type }) => type)).toEqual(['snapshot', 'pong', 'delta']);
    expect(frames.flatMap((frame) => judge.named('Frame', frame))).toEqual([]);
  }
  for (const watcher of watchers) watcher.close();
});

it('Binary frames and presence frames fit the description', async () => {
  const event = await shop.event();
  const ticket = async () => (await shop.buyer('POST', `${event.key}/subscribe-tickets`)).body.protocols;
  const address = `${shop.url}/pub/events/${event.key}/subscribe`;
  const binary = new Watcher(address, ['parterre.v1.bin', ...(await ticket())]);
  const text = new Watcher(address, await ticket());
  const frames = [await binary.next()];
  binary.send({ type: 'ping' });
  frames.push(await binary.next());
  await event.post('hold', { labels: ['A-1'] });
  frames.push(await binary.next());
  await event.post('availability', { rules: { __ungrouped__: { mode: 'closed' } } });
  frames.push(await binary.next(), await binary.next());
  const presence = () => Math.min(binary.presence.length, text.presence.length);
  await expect.poll(presence, { timeout: 10_000 }).toBeGreaterThan(0);
  expect(frames.map(({ t }) => t)).toEqual(['s', 'o', 'd', 'h', 's']);
  expect([...frames, ...binary.presence].flatMap((frame) => judge.named('BinaryFrame', frame))).toEqual([]);
  expect(text.presence.flatMap((frame) => judge.named('Frame', frame))).toEqual([]);
  for (const watcher of [binary, text]) watcher.close();
});

it('A socket without a ticket is refused as described', async () => {
  const refused = await shop.call('GET', '/pub/events/ev_none/subscribe');
  expect(refused.status).toBe(404);
  expect(judge.named('Error', refused.body)).toEqual([]);
  const { responses } = document.paths['/pub/events/{key}/subscribe'].get;
  expect(codesOf(document, responses[404])).toContain(refused.body.code);
});

it('Every sent webhook is described, and every described webhook is sent', { timeout: 60_000 }, async () => {
  const hook = await openReceiver();
  try {
    // A ping goes to one subscription, on request.
    const events = Object.keys(document.webhooks).filter((name) => name !== 'ping');
    await shop.call('POST', '/v1/webhooks', { token: shop.token, body: { url: hook.url, events } });
    const event = await shop.event();
    const { holdId } = (await event.post('hold', { labels: ['A-1'] })).body;
    await event.post('extend', { holdId });
    await event.post('book', { holdId, bookingRef: 'order-1' });
    await event.post('unbook', { bookingRef: 'order-1' });
    await event.post('block', { labels: ['A-2'], reason: 'Press' });
    await event.post('book', { labels: ['A-4'], bookingRef: 'order-2' });
    await event.post('resale/list', { labels: ['A-4'], bookingRef: 'order-2' });
    await event.post('book', { labels: ['A-4'], bookingRef: 'order-3' });
    await event.post('hold', { labels: ['A-3'], ttlMs: 1 });
    const seats = ['A', 'B'].flatMap((row) => Array.from({ length: 20 }, (_, i) => ({ label: `${row}-${i + 1}` })));
    const selections = [...seats, { label: 'Floor', quantity: 30 }];
    await (await shop.event()).post('book', { selections, bookingRef: 'everything' });
    const post = async (path: string, body?: unknown) =>
      (await shop.call('POST', path, { token: shop.token, body })).body;
    await makeSeason(
      post,
      (await shop.call('GET', `/v1/events/${event.key}`, { token: shop.token })).body.meta.chartId,
    );
    const heard = () => [...new Set(hook.deliveries.map(({ body }) => webhookNamed(body.event)))].sort();
    await expect.poll(heard, { timeout: 20_000 }).toEqual([...events].sort());
    expect(hook.deliveries.flatMap(({ body }) => judge.webhook(body))).toEqual([]);
    const ping = { id: newId('occ'), at: Date.now(), livemode: true, workspaceId: null };
    for (const workspaceId of [null, newId('ws')]) {
      expect(judge.webhook(JSON.parse(pingBody({ ...ping, workspaceId })))).toEqual([]);
    }
  } finally {
    hook.close();
  }
});
