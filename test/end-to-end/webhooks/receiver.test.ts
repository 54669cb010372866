/** The receiver from the documentation, with real webhooks: it verifies each post and keeps each occurrence once. */
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { createReceiver, type Occurrence } from '../../../examples/webhook-receiver.ts';
import { openShop, type Shop } from '../shop.ts';

const events = ['seat.booked', 'seat.released', 'event.created'];

let shop: Shop;
const opened: (() => void)[] = [];
beforeAll(async () => {
  shop = await openShop();
}, 120_000);
afterEach(() => {
  for (const close of opened.splice(0)) close();
});
afterAll(() => shop?.stop());

/**
 * The example receiver, listening and subscribed. Its store fails `failures` times, each time after it has stored the
 * occurrence.
 */
async function openReceiver(failures = 0) {
  const kept = new Map<string, Occurrence>();
  const posts: { id: string; status: number; body: string; bodySignature: string }[] = [];
  const secrets: string[] = [];
  const receiver = createReceiver({
    secrets: () => secrets,
    async keep(occurrence) {
      kept.set(occurrence.occurrenceId, occurrence);
      if (failures-- > 0) throw new Error('the store is not available');
    },
  });
  receiver.prependListener('request', (request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part) => parts.push(part));
    response.on('finish', () => {
      const header = (name: string) => String(request.headers[name]);
      const body = Buffer.concat(parts).toString();
      const bodySignature = header('x-parterre-signature');
      posts.push({ id: header('webhook-id'), status: response.statusCode, body, bodySignature });
    });
  });
  receiver.listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  opened.push(() => receiver.close());
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;
  const { body: made } = await shop.call('POST', '/v1/webhooks', { token: shop.token, body: { url, events } });
  secrets.push(made.secret);
  return { url, kept, posts, secrets, id: made.sub.id as string, secret: made.secret as string };
}

it('A repeated post, after a failed answer, is kept once', async () => {
  const { kept, posts, secret } = await openReceiver(1);
  const event = await shop.event();
  await event.post('book', { labels: ['A-1', 'A-2'], bookingRef: 'order-1' });
  await event.post('unbook', { labels: ['A-2'], bookingRef: 'order-1' });
  await expect.poll(() => posts.length, { timeout: 20_000 }).toBe(4);

  expect(posts.map(({ status }) => status).sort()).toEqual([204, 204, 204, 500]);
  const failed = posts.find(({ status }) => status === 500)!;
  expect(posts.filter(({ id }) => id === failed.id).map(({ body }) => body)).toEqual([failed.body, failed.body]);
  const heard = [...kept.values()].filter(({ eventKey }) => eventKey === event.key);
  expect(heard.map((occurrence) => occurrence.event).sort()).toEqual(['event.created', 'seat.booked', 'seat.released']);
  for (const { body, bodySignature } of posts) {
    expect(bodySignature).toBe(`sha256=${createHmac('sha256', secret).update(body).digest('hex')}`);
  }
}, 60_000);

it('Posts verify with the secret before a rotation and with the one after it', async () => {
  const { id, kept, posts, secrets, secret } = await openReceiver();
  const { body: rotated } = await shop.call('POST', `/v1/webhooks/${id}/rotate-secret`, { token: shop.token });
  expect(rotated.secret).not.toBe(secret);
  const event = await shop.event();
  const booked = () => [...kept.values()].flatMap(({ data }) => data.bookingRef ?? []);
  const sale = [
    { bookingRef: 'before', labels: ['A-1'], by: secret },
    { bookingRef: 'after', labels: ['A-2'], by: rotated.secret },
  ];
  for (const { by, ...body } of sale) {
    secrets.splice(0, 1, by);
    await event.post('book', body);
    await expect.poll(booked, { timeout: 20_000 }).toContain(body.bookingRef);
  }
  const last = posts.findLast(({ body }) => body.includes('"after"'))!;
  expect(last.bodySignature).toBe(`sha256=${createHmac('sha256', rotated.secret).update(last.body).digest('hex')}`);
}, 60_000);

it('A post with a wrong signature, an old timestamp or a changed body is not kept', async () => {
  const { url, kept, secret } = await openReceiver();
  const body = JSON.stringify({ occurrenceId: 'occ_forged', event: 'seat.booked', data: {} });
  const post = async (by: string, at: Date, sent = body) => {
    const headers = {
      'webhook-id': 'occ_forged',
      'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
      'webhook-signature': new Webhook(by).sign('occ_forged', at, body),
    };
    return (await fetch(url, { method: 'POST', headers, body: sent })).status;
  };
  const now = new Date();
  expect(await post(`whsec_${Buffer.alloc(32).toString('base64')}`, now)).toBe(401);
  expect(await post(secret, new Date(now.getTime() - 6 * 60_000))).toBe(401);
  expect(await post(secret, now, `${body} `)).toBe(401);
  expect(kept.size).toBe(0);
  expect(await post(secret, now)).toBe(204);
  expect([...kept.keys()]).toEqual(['occ_forged']);
}, 60_000);
