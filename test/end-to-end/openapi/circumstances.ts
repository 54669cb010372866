/** Refusals that need several calls or their own organisation: how a test provokes each. */
import type { Operation, Received } from '../../support/openapi.ts';
import type { Shop } from '../shop.ts';
import { filled, pathAlone, type Sending, send } from './send.ts';
import { createWorld } from './world.ts';

export type Circumstance = {
  signature: string;
  status: number;
  /** Null where the answer has no code. */
  code: string | null;
  provoke(shop: Shop, operation: Operation): Promise<Received>;
};

const AT_ONCE = 30;

export const circumstances: Circumstance[] = [
  {
    signature: 'GET /health/ready',
    status: 429,
    code: null,
    provoke: (shop, ready) => last(31, () => send(shop, ready, {})),
  },
  {
    signature: 'POST /v1/charts/{id}/panorama-manifests',
    status: 429,
    code: 'rate_limited',
    provoke: spentByFreshKey(11),
  },
  { signature: 'POST /v1/events/{key}/hold', status: 429, code: null, provoke: spentByFreshKey(601) },
  {
    signature: 'POST /v1/events/{key}/channels/{id}/access-links/{linkId}/rotate',
    status: 409,
    code: 'conflict',
    async provoke(shop, rotate) {
      const [example] = rotate.described['x-examples'];
      const sending = await filled(createWorld(shop), rotate, example);
      return last(2, () => send(shop, rotate, sending));
    },
  },
  {
    signature: 'POST /v1/events/{key}/hold',
    status: 409,
    code: 'buyer_limit',
    async provoke(shop, hold) {
      const key = await createWorld(shop).of('event');
      const body = { buyerLimit: { perBuyer: 1 } };
      await shop.call('PATCH', `/v1/events/${key}`, { token: shop.token, body });
      const two = { labels: ['A-1', 'A-2'], buyerRef: 'member 1' };
      return send(shop, hold, { path: { key }, body: two }, bearer(shop.token));
    },
  },
  {
    signature: 'POST /v1/webhooks',
    status: 409,
    code: 'webhook_limit_reached',
    async provoke(shop, create) {
      const { test } = await shop.organisation('Many hooks');
      const body = { url: 'https://hooks.example/', events: ['ping'] };
      return last(11, () => send(shop, create, { body }, bearer(test.secret)));
    },
  },
  {
    signature: 'PATCH /v1/webhooks/{id}',
    status: 409,
    code: 'webhook_limit_reached',
    async provoke(shop, update) {
      const { test } = await shop.organisation('Many paused hooks');
      const ids: string[] = [];
      for (let made = 0; made < 11; made++) {
        const body = { url: 'https://hooks.example/', events: ['ping'] };
        ids.push((await shop.call('POST', '/v1/webhooks', { token: test.secret, body })).body.sub.id);
        if (made > 0) continue;
        await send(shop, update, { path: { id: ids[0]! }, body: { disabled: true } }, bearer(test.secret));
      }
      return send(shop, update, { path: { id: ids[0]! }, body: { disabled: false } }, bearer(test.secret));
    },
  },
  {
    signature: 'POST /v1/webhooks/{id}/rotate-secret',
    status: 429,
    code: 'rate_limited',
    provoke: spentByFreshKey(601),
  },
  {
    signature: 'POST /v1/events',
    status: 402,
    code: 'insufficient_credits',
    async provoke(shop, create) {
      const { id, live, test } = await shop.organisation('Without credits');
      const body = { delta: -10, reason: 'All of them' };
      await shop.call('POST', `/v1/admin/organisations/${id}/credits`, { token: shop.rootToken, body });
      const doc = shop.hall;
      const { meta } = (await shop.call('POST', '/v1/charts', { token: test.secret, body: { name: 'Hall', doc } }))
        .body;
      await shop.call('POST', `/v1/charts/${meta.id}/publish`, { token: test.secret });
      return send(shop, create, { body: { chartId: meta.id } }, bearer(live.secret));
    },
  },
  {
    signature: 'POST /v1/events/{key}/hold',
    status: 403,
    code: 'channel_paused',
    async provoke(shop, hold) {
      const world = createWorld(shop);
      const key = await world.of('eventWithChannel');
      const id = await world.of('channel');
      await shop.call('POST', `/v1/events/${key}/channels/${id}/pause`, { token: shop.token, body: {} });
      return send(shop, hold, { path: { key }, body: { labels: ['A-1'], channelIds: [id] } });
    },
  },
  {
    signature: 'POST /v1/events/{key}/channels/{id}/archive',
    status: 409,
    code: 'channel_archive_blocked_by_holds',
    async provoke(shop, archive) {
      const world = createWorld(shop);
      const key = await world.of('eventWithChannel');
      const id = await world.of('channel');
      const body = { labels: ['A-1'], channelIds: [id] };
      await shop.call('POST', `/v1/events/${key}/hold`, { token: shop.token, body });
      return send(shop, archive, { path: { key, id }, body: { destination: 'public' } });
    },
  },
  {
    signature: 'POST /v1/events/{key}/unbook',
    status: 403,
    code: 'not_platform_owned',
    async provoke(shop, unbook) {
      const key = await createWorld(shop).of('managedEvent');
      const booking = { labels: ['A-1'], bookingRef: 'order-1' };
      await shop.call('POST', `/v1/events/${key}/book`, { token: shop.token, body: booking });
      return send(shop, unbook, { path: { key }, body: { bookingRef: 'order-1' } });
    },
  },
];

/** Spends a budget with a new key. Budgets count a call before they read its body or id. */
export function spentByFreshKey(calls: number): Circumstance['provoke'] {
  return async (shop, operation) => {
    const { test } = await shop.organisation('Hasty');
    const body = operation.method === 'GET' ? {} : { body: {} };
    const sending: Sending = { ...pathAlone(operation), ...body };
    return last(calls, () => send(shop, operation, sending, bearer(test.secret)));
  };
}

/**
 * The answer to the last of `calls` calls. The earlier calls run concurrently, so that all fit into a window of one
 * minute.
 */
async function last(calls: number, call: () => Promise<Received>): Promise<Received> {
  for (let left = calls - 1; left > 0; left -= AT_ONCE) {
    await Promise.all(Array.from({ length: Math.min(left, AT_ONCE) }, call));
  }
  return call();
}

function bearer(secret: string): Record<string, string> {
  return { Authorization: `Bearer ${secret}` };
}
