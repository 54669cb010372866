/** Refusals of seasons that need several calls: how a test provokes each. */
import type { Operation, Received } from '../../support/openapi.ts';
import type { Shop } from '../shop.ts';
import type { Circumstance } from './circumstances.ts';
import { send } from './send.ts';
import { createWorld, type World } from './world.ts';

const SEASON = 'GET /v1/seasons/{key}';

function heard(
  status: number,
  code: string,
  provoke: (shop: Shop, operation: Operation, world: World) => Promise<Received>,
): Circumstance {
  return { signature: SEASON, status, code, provoke: (shop, operation) => provoke(shop, operation, createWorld(shop)) };
}

export const seasonCircumstances: Circumstance[] = [
  heard(403, 'mode_mismatch', async (shop, operation, world) => {
    const path = { key: (await world.of('draftSeason')) as string };
    return send(shop, operation, { path }, { Authorization: `Bearer ${shop.own.live.secret}` });
  }),
  heard(429, 'rate_limited', async (shop, operation) => {
    const { test } = await shop.organisation('Busy seasons');
    const by = { Authorization: `Bearer ${test.secret}` };
    let last: Received | undefined;
    for (let batch = 0; batch < 13; batch++) {
      const sent = Array.from({ length: 50 }, () => send(shop, operation, { path: { key: 'sea_0' } }, by));
      last = (await Promise.all(sent)).find(({ status }) => status === 429) ?? last;
    }
    return last!;
  }),
];
