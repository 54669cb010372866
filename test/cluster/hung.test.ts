/**
 * Processes that hang: stopped, with their connections open. One of two catalogs costs its callers at most a moment, a
 * stopped shard's partitions go to the other, and readiness tells when nothing can be sold. hung.long.test.ts has the
 * servers of NATS and the long outages.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Cluster, startCluster } from '../support/servers/cluster.ts';
import { call, createEvents } from './load/aftermath.ts';

/** Far below the deadline of a request (10 s), at which a caller of a hung catalog was answered before. */
const soonMs = 6_000;

let cluster: Cluster;
const access = () => ({ url: cluster.urls[0]!, token: cluster.demo.keys.secretTest });

beforeAll(async () => {
  const sizes = { PARTERRE_NATS_SERVERS: '1', PARTERRE_NOTIFIERS: '1', PARTERRE_SHARDS: '2', PARTERRE_FRONTDOORS: '1' };
  cluster = await startCluster({ env: { ...sizes, PARTERRE_NATS_SYNC: '2m', PARTERRE_BUDGETS: 'off' } });
});
afterAll(() => cluster?.stop());

async function tookMs(run: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await run();
  return performance.now() - startedAt;
}

test('with one of two catalogs stopped, reads and unnamed writes go on at once', async () => {
  cluster.pause('catalog-1');
  const times: number[] = [];
  for (let i = 0; i < 6; i++) {
    times.push(await tookMs(() => call(access(), 'GET', '/v1/charts')));
    times.push(await tookMs(() => call(access(), 'POST', '/v1/events', { chartId: cluster.demo.chartId })));
  }
  cluster.resume('catalog-1');
  expect(Math.max(...times)).toBeLessThan(soonMs);
}, 60_000);

test('a stopped shard is passed over, and readiness is 503 only once no shard sells', async () => {
  const ready = async () => {
    const answer = await fetch(`${access().url}/health/ready`);
    return [answer.status, ((await answer.json()) as { checks: object }).checks];
  };
  const { eventKeys } = await createEvents(access(), cluster.demo.chartId, 8);
  const hold = (key: string, label: string) => call(access(), 'POST', `/v1/events/${key}/hold`, { labels: [label] });
  await Promise.all(eventKeys.map((key) => hold(key, 'A-1')));
  cluster.pause('inventory-shard-1');
  const times = await Promise.all(eventKeys.map((key) => tookMs(() => hold(key, 'A-2'))));
  expect(Math.max(...times)).toBeLessThan(soonMs);
  expect(await ready()).toEqual([200, { nats: 'ok', catalog: 'ok', store: 'ok', disk: expect.any(String) }]);
  cluster.pause('inventory-shard-2');
  await expect.poll(ready).toEqual([503, { nats: 'ok', catalog: 'ok', store: 'down', disk: 'ok' }]);
  for (const name of ['inventory-shard-1', 'inventory-shard-2']) cluster.resume(name);
  await expect.poll(ready).toEqual([200, { nats: 'ok', catalog: 'ok', store: 'ok', disk: expect.any(String) }]);
}, 60_000);
