/**
 * The shard dies before any event has seen a hold over several events. The caller was told an address: it is never 404,
 * and ends in a terminal state.
 */
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { environments } from '../../support/servers/server.ts';
import { sellSeason } from '../seasons/sold-season.ts';
import { type Answer, openShop, type Shop } from '../shop.ts';
import { openRun } from './run.ts';

let shop: Shop;
beforeAll(async () => {
  // Shards count the budgets of keys: a call with a key would stop there.
  shop = await openShop({ env: environments.unbounded });
}, 120_000);
afterAll(() => shop?.stop());

test('the address of a hold that no event has seen ends in aborted', { timeout: 120_000 }, async () => {
  const [run, season] = [await openRun(shop, 2), await sellSeason(shop, 2)];
  const [groupPage, seasonPage] = [await run.page(), await season.page()];
  await groupPage.get('/objects');
  const shard = shop.server.pidOf('inventory-shard');
  process.kill(shard, 'SIGSTOP');
  const [ofGroup, ofSeason, ...ofKeys] = await Promise.all([
    groupPage.hold('pghop_slow', ['A-1']),
    seasonPage.hold('sop_slow', ['A-1']),
    run.post('/holds', { operationId: 'pghop_desk', labels: ['A-2'], ttlMs: 60_000 }),
    season.post('/holds', { operationId: 'sop_desk', labels: ['A-2'], ttlMs: 60_000 }),
  ]);
  process.kill(shard, 'SIGKILL');
  expect([ofGroup.status, ofGroup.body.operation.state]).toEqual([504, 'preparing']);
  expect([ofSeason.status, ofSeason.body.operation.state]).toEqual([202, 'preparing']);
  expect(ofGroup.headers.get('location')).toMatch(/\/operations\/pghop_slow$/);
  expect(ofSeason.headers.get('location')).toMatch(/\/operations\/sop_slow$/);
  expect(ofKeys.map(({ status }) => status)).toEqual([504, 202]);
  const addresses = ofKeys.map(({ headers }) => headers.get('location'));
  expect(addresses).toEqual([`${run.path}/holds/pghop_desk`, `${season.path}/holds/sop_desk`]);
  const ended = async (poll: () => Promise<Answer>): Promise<Answer> => {
    const seen = new Set<number>();
    const last = await vi.waitFor(
      async () => {
        const answer = await poll();
        seen.add(answer.status);
        if (answer.status !== 200 || answer.headers.get('retry-after') !== null) throw new Error(`${answer.status}`);
        return answer;
      },
      { timeout: 40_000, interval: 200 },
    );
    expect(seen).not.toContain(404);
    return last;
  };
  const [group, sold, ...byKey] = await Promise.all([
    ended(() => groupPage.get('/operations/pghop_slow')),
    ended(() => seasonPage.get('/operations/sop_slow')),
    ended(() => run.get('/holds/pghop_desk')),
    ended(() => season.get('/holds/sop_desk')),
  ]);
  expect(byKey.map(({ body }) => body.hold.state)).toEqual(['aborted', 'aborted']);
  expect([group.body.operation.state, sold.body.operation.state]).toEqual(['aborted', 'aborted']);
  expect((await run.get('/holds/pghop_slow')).body.hold.state).toBe('aborted');
  expect((await season.get('/holds/sop_slow')).body.hold.state).toBe('aborted');
  const stranger = await run.page();
  expect((await groupPage.hold('pghop_slow', ['A-1'])).body.error).toBeDefined();
  expect((await groupPage.hold('pghop_next', ['A-1'])).status).toBe(201);
  expect((await stranger.get('/operations/pghop_next')).status).toBe(404);
  expect((await seasonPage.hold('sop_next', ['A-1'])).status).toBe(201);
});
