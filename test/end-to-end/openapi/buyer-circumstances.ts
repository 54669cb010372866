/** Refusals that need a certain buyer session: how a test provokes each. */
import { exampleHall } from '../../../services/frontdoor/src/api/charts.ts';
import { newSessionToken } from '../../../shared/src/protocol/session-tokens.ts';
import type { Received } from '../../support/openapi.ts';
import { type Json, origin, type Shop } from '../shop.ts';
import type { Circumstance } from './circumstances.ts';
import { send } from './send.ts';
import { createWorld } from './world.ts';

const HOLD = 'POST /pub/events/{key}/hold';
const TICKETS = 'POST /pub/events/{key}/subscribe-tickets';

/** An event whose channel has, and functions that call it. */
async function stage(shop: Shop) {
  const world = createWorld(shop);
  const key = await world.of('eventWithChannel');
  const channelId = await world.of('channel');
  const server = (method: string, action: string, body?: object) =>
    shop.call(method, `/v1/events/${key}/${action}`, { token: shop.token, ...(body && { body }) });
  const mint = async (more: object = {}) => {
    const body = { channelIds: [channelId], includePublic: false, allowedOrigin: origin, ...more };
    return (await server('POST', 'buyer-access-sessions', body)).body as { token: string; sessionId: string };
  };
  const set = (body: object) => shop.call('PATCH', `/v1/events/${key}`, { token: shop.token, body });
  return {
    key,
    channelId,
    server,
    mint,
    set,
    page: shop.own.publishable.secret,
    elsewhere: () => createWorld(shop).of('event'),
  };
}

type Stage = Awaited<ReturnType<typeof stage>>;
/** The token, the event (without `key` the stage's own) and the body of the call. */
type Call = { token: string; key?: string; body?: Json };

function heard(signature: string, status: number, code: string, call: (on: Stage) => Promise<Call>): Circumstance {
  return {
    signature,
    status,
    code,
    async provoke(shop, operation): Promise<Received> {
      const on = await stage(shop);
      const { token, key = on.key, body = {} } = await call(on);
      return send(shop, operation, { path: { key }, body }, { Authorization: `Bearer ${token}`, Origin: origin });
    },
  };
}

/** An event on a chart whose only category has no price. */
async function unpricedEvent(shop: Shop): Promise<string> {
  const call = async (path: string, body: object): Promise<Json> =>
    (await shop.call('POST', path, { token: shop.token, body })).body;
  const bare = exampleHall.categories.map(({ price: _, tiers: __, ...category }) => category);
  const { meta } = await call('/v1/charts', { name: 'Bare', doc: { ...exampleHall, categories: bare } });
  await call(`/v1/charts/${meta.id}/publish`, {});
  return (await call('/v1/events', { chartId: meta.id })).meta.key;
}

const unpriced: Circumstance = {
  signature: HOLD,
  status: 422,
  code: 'price_missing',
  async provoke(shop, hold) {
    const key = await unpricedEvent(shop);
    const headers = { Authorization: `Bearer ${shop.own.publishable.secret}`, Origin: origin };
    return send(shop, hold, { path: { key }, body: { labels: ['A-1'] } }, headers);
  },
};

const ofSessions = [HOLD, TICKETS].flatMap((signature) => {
  const body = signature === HOLD ? { labels: ['A-1'] } : {};
  return [
    heard(signature, 401, 'buyer_access_expired', async () => ({ token: newSessionToken('bse'), body })),
    heard(signature, 401, 'buyer_access_revoked', async ({ mint, server }) => {
      const { token, sessionId } = await mint();
      await server('DELETE', `buyer-access-sessions/${sessionId}`);
      return { token, body };
    }),
    heard(signature, 403, 'buyer_access_event_mismatch', async ({ mint, elsewhere }) => ({
      token: (await mint()).token,
      key: await elsewhere(),
      body,
    })),
  ];
});

export const buyerCircumstances: Circumstance[] = [
  unpriced,
  ...ofSessions,
  heard('POST /pub/events/{key}/extend', 409, 'cannot_extend', async ({ mint, server }) => {
    const { holdId } = (await server('POST', 'hold', { labels: ['B-1'] })).body;
    await server('POST', 'release', { holdId });
    return { token: (await mint({ channelIds: [], includePublic: true })).token, body: { holdId } };
  }),
  heard(HOLD, 403, 'channel_paused', async ({ mint, server, channelId }) => {
    await server('POST', `channels/${channelId}/pause`, {});
    return { token: (await mint()).token, body: { labels: ['A-1'] } };
  }),
  heard(HOLD, 409, 'max_quantity_exceeded', async ({ mint }) => ({
    token: (await mint({ maxQuantity: 1 })).token,
    body: { labels: ['A-1', 'A-2'] },
  })),
  heard(HOLD, 409, 'public_limit', async ({ page, set }) => {
    await set({ publicSale: { maxPerHold: 1 } });
    return { token: page, body: { labels: ['B-1', 'B-2'] } };
  }),
  heard(HOLD, 409, 'sales_not_started', async ({ page, set }) => {
    await set({ salesStartAt: 4_000_000_000_000 });
    return { token: page, body: { labels: ['B-1'] } };
  }),
  heard(HOLD, 409, 'sales_ended', async ({ page, set }) => {
    await set({ salesEndAt: 1 });
    return { token: page, body: { labels: ['B-1'] } };
  }),
  heard(HOLD, 409, 'buyer_limit', async ({ mint, set }) => {
    await set({ buyerLimit: { perBuyer: 1 } });
    return { token: (await mint({ buyerRef: 'member 1' })).token, body: { labels: ['A-1', 'A-2'] } };
  }),
  heard('POST /pub/events/{key}/best-available', 409, 'allocation_exhausted', async ({ mint, server }) => {
    await server('POST', 'block', { labels: ['A-1', 'A-2', 'A-3', 'A-4'] });
    return { token: (await mint()).token, body: { qty: 1 } };
  }),
];
