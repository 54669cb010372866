/** A back end that subscribes hears of what is sold and freed: signed, and again when it was not ready to listen. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Json, openShop, type Shop } from './shop.ts';

/** The first pause of the schedule is 5 s, with up to a fifth more. */
const RETRY_MS_MAX = 12_000;

type Delivery = { headers: Record<string, string>; text: string; body: Json };

let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
});
afterAll(() => shop.stop());

/** Answers 500 to the first `failures` posts of each occurrence. */
async function receiver(failures: number) {
  const deliveries: Delivery[] = [];
  const seen = new Map<string, number>();
  const server = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk) => {
      text += chunk;
    });
    request.on('end', () => {
      const headers = request.headers as Record<string, string>;
      const id = headers['webhook-id']!;
      seen.set(id, (seen.get(id) ?? 0) + 1);
      deliveries.push({ headers, text, body: JSON.parse(text) });
      response.writeHead(seen.get(id)! > failures ? 204 : 500).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/hook`, deliveries, close: () => server.close() };
}

it('hears of bookings and releases, signed, and once more after a failure', { timeout: 60_000 }, async () => {
  const hook = await receiver(1);
  try {
    const { body: made } = await shop.call('POST', '/v1/webhooks', {
      token: shop.token,
      body: { url: hook.url, events: ['seat.booked', 'seat.released'] },
    });
    const event = await shop.event();
    const { holdId } = (await event.post('hold', { labels: ['A-1', 'A-2'] })).body;
    await event.post('book', { holdId, bookingRef: 'order-1' });
    await event.post('unbook', { bookingRef: 'order-1', labels: ['A-2'] });

    await expect.poll(() => hook.deliveries.length, { timeout: RETRY_MS_MAX }).toBe(4);
    const [booked, released] = ['seat.booked', 'seat.released'].map((name) =>
      hook.deliveries.filter(({ body }) => body.event === name),
    );
    expect(booked![0]!.body).toMatchObject({
      livemode: false,
      eventKey: event.key,
      data: { bookingRef: 'order-1', labels: ['A-1', 'A-2'], currency: 'EUR', configuredValue: 40 },
    });
    expect(released![0]!.body.data).toEqual({ labels: ['A-2'], reason: 'unbooked', bookingRef: 'order-1' });
    for (const pair of [booked!, released!]) {
      expect(pair[1]!.headers['webhook-id']).toBe(pair[0]!.headers['webhook-id']);
      for (const { headers, text } of pair) new Webhook(made.secret).verify(text, headers);
    }
  } finally {
    hook.close();
  }
});
