/** Refusals of performance groups that need several calls: how a test provokes each. */
import { newSessionToken } from '../../../shared/src/session-tokens.ts';
import type { Operation, Received } from '../../support/openapi.ts';
import { type Json, origin, type Shop } from '../shop.ts';
import type { Circumstance } from './circumstances.ts';
import { filled, send } from './send.ts';
import { createWorld, type World } from './world.ts';

const GROUP = 'GET /v1/performance-groups/{key}';
const OPEN = 'POST /pub/performance-groups/{key}/sessions';
const HOLD = 'POST /pub/performance-groups/{key}/hold';

function heard(
  signature: string,
  status: number,
  code: string,
  provoke: (shop: Shop, operation: Operation, world: World) => Promise<Received>,
): Circumstance {
  return { signature, status, code, provoke: (shop, operation) => provoke(shop, operation, createWorld(shop)) };
}

async function holdWith(shop: Shop, operation: Operation, world: World, token: string, labels = ['B-9']) {
  const path = { key: (await world.of('group')) as string };
  const body: Json = { operationId: 'pghop_refused', labels };
  return send(shop, operation, { path, body }, { Authorization: `Bearer ${token}`, Origin: origin });
}

export const groupCircumstances: Circumstance[] = [
  heard(GROUP, 403, 'mode_mismatch', async (shop, operation, world) => {
    const path = { key: (await world.of('group')) as string };
    return send(shop, operation, { path }, { Authorization: `Bearer ${shop.own.live.secret}` });
  }),
  heard(OPEN, 403, 'buyer_access_mode_mismatch', async (shop, operation) => {
    const live = createWorld({ ...shop, token: shop.own.live.secret }, 'live');
    const path = { key: (await live.of('draftGroup')) as string };
    const body = { publicKey: shop.own.publishable.secret };
    return send(shop, operation, { path, body, headers: { Origin: origin } });
  }),
  heard(OPEN, 429, 'rate_limited', async (shop, operation, world) => {
    const [example] = operation.described['x-examples'];
    const sending = await filled(world, operation, example);
    const all = await Promise.all(Array.from({ length: 31 }, () => send(shop, operation, sending)));
    return all.find(({ status }) => status === 429)!;
  }),
  heard(HOLD, 401, 'buyer_access_expired', (shop, operation, world) =>
    holdWith(shop, operation, world, newSessionToken('bgs')),
  ),
  heard(HOLD, 401, 'buyer_access_revoked', async (shop, operation, world) => {
    const at = `/v1/performance-groups/${await world.of('group')}/buyer-access-sessions`;
    const body = { includePublic: true, allowedOrigin: origin };
    const minted = (await shop.call('POST', at, { token: shop.token, body })).body;
    await shop.call('DELETE', `${at}/${minted.sessionId}`, { token: shop.token });
    return holdWith(shop, operation, world, minted.token);
  }),
  heard(HOLD, 403, 'buyer_access_event_mismatch', async (shop, operation, world) => {
    const at = `/v1/performance-groups/${await world.of('draftGroup')}/buyer-access-sessions`;
    const body = { includePublic: true, allowedOrigin: origin };
    const { token } = (await shop.call('POST', at, { token: shop.token, body })).body;
    return holdWith(shop, operation, world, token);
  }),
  heard(HOLD, 409, 'event_closed', async (shop, operation, world) => {
    const key = (await world.of('draftGroup')) as string;
    const at = `/v1/performance-groups/${key}/buyer-access-sessions`;
    const minted = { includePublic: true, allowedOrigin: origin };
    const { token } = (await shop.call('POST', at, { token: shop.token, body: minted })).body;
    const body = { operationId: 'pghop_refused', labels: ['B-9'] };
    const credentials = { Authorization: `Bearer ${token}`, Origin: origin };
    return send(shop, operation, { path: { key }, body }, credentials);
  }),
  heard(HOLD, 422, 'unknown_labels', async (shop, operation, world) => {
    const at = `/v1/performance-groups/${await world.of('group')}/buyer-access-sessions`;
    const body = { includePublic: true, allowedOrigin: origin };
    const { token } = (await shop.call('POST', at, { token: shop.token, body })).body;
    return holdWith(shop, operation, world, token, ['Z-9']);
  }),
];
