/** A subscribed back end hears of bookings and releases, signed, and again after a failure. */
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openReceiver } from '../../support/notifier/receiver.ts';
import { openShop, type Shop } from '../shop.ts';

/** The schedule's first pause is 5 s plus up to a fifth. */
const RETRY_MS_MAX = 12_000;

let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
});
afterAll(() => shop.stop());

it('Bookings and releases are posted signed, and once more after a failure', { timeout: 60_000 }, async () => {
  const hook = await openReceiver({ failures: 1 });
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
    expect(released![0]!.body.data).toMatchObject({
      labels: ['A-2'],
      items: [{ label: 'A-2', unitPrice: 20 }],
      reason: 'unbooked',
      bookingRef: 'order-1',
    });
    expect(booked![0]!.body.data).toMatchObject({ holdId, resale: false });
    for (const pair of [booked!, released!]) {
      expect(pair[1]!.headers['webhook-id']).toBe(pair[0]!.headers['webhook-id']);
      for (const { headers, text } of pair) new Webhook(made.secret).verify(text, headers);
    }
  } finally {
    hook.close();
  }
});
