/** The delivery history, and manual actions: tests, retries, rotations. */
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openReceiver } from '../../support/notifier/receiver.ts';
import { type Json, openShop, type Shop } from '../shop.ts';
import { type Sender, webhooksOf } from './senders.ts';

let shop: Shop;
let webhooks: ReturnType<typeof webhooksOf>;
beforeAll(async () => {
  shop = await openShop();
  webhooks = webhooksOf(shop);
});
afterAll(() => shop.stop());

it('The delivery history is visible to every credential that sees the subscription', async () => {
  const { test: key, staging, live, member } = await webhooks.scene();
  const { id } = (await webhooks.create(key)).body.sub;
  const history = (as: Sender, query = '') => shop.call('GET', `/v1/webhooks/${id}/deliveries${query}`, as);
  for (const as of [key, member]) {
    for (const query of ['', '?limit=500&status=failed&before=1', '?limit=none&before=soon&status=']) {
      expect(await history(as, query)).toMatchObject({ status: 200, body: { deliveries: [], nextBefore: null } });
    }
  }
  for (const as of [staging, live, { token: shop.token }]) {
    expect(await history(as)).toMatchObject({ status: 404, body: { code: 'not_found' } });
  }
  const wrong = { status: 422, body: { code: 'invalid_request', issues: [{ path: 'status' }] } };
  expect(await history(key, '?status=late')).toMatchObject(wrong);
});

describe('test and manual retry', () => {
  const ping = (as: Sender, id: string) => shop.call('POST', `/v1/webhooks/${id}/test`, as);
  const retry = (as: Sender, id: string, deliveryId: string) =>
    shop.call('POST', `/v1/webhooks/${id}/deliveries/${deliveryId}/retry`, as);
  const history = async (as: Sender, id: string): Promise<Json[]> =>
    (await shop.call('GET', `/v1/webhooks/${id}/deliveries`, as)).body.deliveries;

  it("need an admin session of the subscription's organisation", async () => {
    const { test: key, admin, member } = await webhooks.scene();
    const { admin: stranger } = await webhooks.scene();
    const { id } = (await webhooks.create(key)).body.sub;
    for (const as of [key, member]) {
      for (const tried of [ping(as, id), retry(as, id, 'dlv_none')]) {
        expect(await tried).toMatchObject({ status: 403, body: { code: 'forbidden' } });
      }
    }
    for (const tried of [ping(stranger, id), retry(stranger, id, 'dlv_none'), retry(admin, id, 'dlv_none')]) {
      expect(await tried).toMatchObject({ status: 404, body: { code: 'not_found' } });
    }
  });

  it("send at once and signed; the history omits the test, and the retry keeps the delivery's ids", async () => {
    const hook = await openReceiver({ failures: 1 });
    try {
      const admin = { headers: (await shop.logIn(await shop.user())).write };
      const key = { token: shop.token };
      const { sub, secret } = (await webhooks.create(key, { url: hook.url, events: ['event.created'] })).body;
      const first = await ping(admin, sub.id);
      expect(first).toMatchObject({ status: 200, body: { test: { delivered: false, status: 500 } } });
      expect(hook.deliveries[0]!.body).toMatchObject({ event: 'ping', test: true, livemode: false });
      expect(hook.deliveries[0]!.body.occurrenceId).toBe(first.body.test.occurrenceId);
      new Webhook(secret).verify(hook.deliveries[0]!.text, hook.deliveries[0]!.headers);
      expect(await history(key, sub.id)).toEqual([]);

      await shop.event();
      await expect.poll(() => history(key, sub.id), { timeout: 10_000 }).toMatchObject([{ status: 500, attempt: 1 }]);
      const [failed] = await history(key, sub.id);
      expect(failed).toMatchObject({ event: 'event.created', retryState: 'scheduled', willRetry: true });
      const again = await retry(admin, sub.id, failed.id);
      const { occurrenceId } = failed;
      expect(again).toMatchObject({
        status: 200,
        body: { delivery: { id: failed.id, occurrenceId, status: 204, attempt: 2, retryState: 'delivered' } },
      });
      const bodies = hook.deliveries.filter(({ body }) => body.occurrenceId === occurrenceId);
      expect(bodies).toHaveLength(2);
      expect(bodies[1]!.text).toBe(bodies[0]!.text);
      const [listing] = await webhooks.listed(key);
      expect(listing).toMatchObject({ lastStatus: 204, uptime7d: 0.5 });
      await webhooks.remove(key, sub.id);
    } finally {
      hook.close();
    }
  });
});

it('Rotations by a key count against its 600 a minute, and rotations by a dashboard session do not', {
  timeout: 60_000,
}, async () => {
  const { test: key, admin } = await webhooks.scene();
  const { sub } = (await webhooks.create(key)).body;
  const first = await webhooks.rotate(key, sub.id);
  expect(first.headers.get('ratelimit-policy')).toBe(null);
  for (let sent = 1; sent < 600; sent += 40) {
    await Promise.all(Array.from({ length: Math.min(40, 600 - sent) }, () => webhooks.rotate(key, 'whk_none')));
  }
  const over = await webhooks.rotate(key, sub.id);
  expect(over).toMatchObject({ status: 429, body: { code: 'rate_limited' } });
  expect(over.headers.get('ratelimit-policy')).toBe('600;w=60');
  expect((await webhooks.rotate(admin, sub.id)).status).toBe(200);
});
