/** Refusals of the buyers of performance groups and seasons that need several calls: how a test provokes each. */
import type { StandInName } from '../../../services/frontdoor/src/openapi/stand-ins.ts';
import { newSessionToken } from '../../../shared/src/protocol/session-tokens.ts';
import type { Operation, Received } from '../../support/openapi.ts';
import { type Json, origin, type Shop } from '../shop.ts';
import type { Circumstance } from './circumstances.ts';
import { filled, send } from './send.ts';
import { createWorld, type World } from './world.ts';

type Provoke = (shop: Shop, operation: Operation, world: World) => Promise<Received>;

/** `sold` sells, `idle` does not, and `other` is another one of the same kind. */
type Kind = {
  kind: 'performance-groups' | 'seasons';
  sold: StandInName;
  idle: StandInName;
  other: StandInName;
  holds: string;
  operationId: string;
  tokens: 'bgs' | 'bss';
};

export const ownerCircumstances: Circumstance[] = [
  ...circumstancesOf({
    kind: 'performance-groups',
    sold: 'group',
    idle: 'draftGroup',
    other: 'draftGroup',
    holds: 'hold',
    operationId: 'pghop_refused',
    tokens: 'bgs',
  }),
  ...circumstancesOf({
    kind: 'seasons',
    sold: 'soldSeason',
    idle: 'season',
    other: 'openSeason',
    holds: 'holds',
    operationId: 'sop_refused',
    tokens: 'bss',
  }),
];

function circumstancesOf({ kind, sold, idle, other, holds, operationId, tokens }: Kind): Circumstance[] {
  const open = `POST /pub/${kind}/{key}/sessions`;
  const hold = `POST /pub/${kind}/{key}/${holds}`;
  const heard = (signature: string, status: number, code: string, provoke: Provoke): Circumstance => {
    return {
      signature,
      status,
      code,
      provoke: (shop, operation) => provoke(shop, operation, createWorld(shop)),
    };
  };
  const mint = async (shop: Shop, key: string): Promise<Json> => {
    const body = { includePublic: true, allowedOrigin: origin };
    return (await shop.call('POST', `/v1/${kind}/${key}/buyer-access-sessions`, { token: shop.token, body })).body;
  };
  const holdWith = (shop: Shop, operation: Operation, key: string, token: string, labels = ['B-9']) => {
    const sending = { path: { key }, body: { operationId, labels } };
    return send(shop, operation, sending, { Authorization: `Bearer ${token}`, Origin: origin });
  };
  return [
    heard(`GET /v1/${kind}/{key}`, 403, 'mode_mismatch', async (shop, operation, world) => {
      const path = { key: await world.of(idle) };
      return send(shop, operation, { path }, { Authorization: `Bearer ${shop.own.live.secret}` });
    }),
    heard(open, 403, 'buyer_access_mode_mismatch', async (shop, operation) => {
      const live = createWorld({ ...shop, token: shop.own.live.secret }, 'live');
      const body = { publicKey: shop.own.publishable.secret };
      return send(shop, operation, { path: { key: await live.of(idle) }, body, headers: { Origin: origin } });
    }),
    heard(open, 429, 'rate_limited', async (shop, operation, world) => {
      const [example] = operation.described['x-examples'];
      const sending = await filled(world, operation, example);
      const all = await Promise.all(Array.from({ length: 31 }, () => send(shop, operation, sending)));
      return all.find(({ status }) => status === 429)!;
    }),
    heard(hold, 401, 'buyer_access_expired', async (shop, operation, world) =>
      holdWith(shop, operation, await world.of(sold), newSessionToken(tokens)),
    ),
    heard(hold, 401, 'buyer_access_revoked', async (shop, operation, world) => {
      const key = await world.of(sold);
      const { token, sessionId } = await mint(shop, key);
      const at = `/v1/${kind}/${key}/buyer-access-sessions/${sessionId}`;
      await shop.call('DELETE', at, { token: shop.token });
      return holdWith(shop, operation, key, token);
    }),
    heard(hold, 403, 'buyer_access_event_mismatch', async (shop, operation, world) => {
      const { token } = await mint(shop, await world.of(other));
      return holdWith(shop, operation, await world.of(sold), token);
    }),
    heard(hold, 409, 'event_closed', async (shop, operation, world) => {
      const key = await world.of(idle);
      return holdWith(shop, operation, key, (await mint(shop, key)).token);
    }),
    heard(hold, 422, 'unknown_labels', async (shop, operation, world) => {
      const key = await world.of(sold);
      return holdWith(shop, operation, key, (await mint(shop, key)).token, ['Z-9']);
    }),
  ];
}
