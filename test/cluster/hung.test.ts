/**
 * Processes that hang: stopped, with their connections open. One of two catalogs costs its callers at most a moment, a
 * stopped shard's partitions go to the other, and readiness tells when nothing can be sold. hung.long.test.ts has the
 * servers of NATS and the long outages.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RunFile, readJson } from '../../scripts/launch/data-folder.ts';
import { type Cluster, startCluster } from '../support/servers/cluster.ts';
import { call, createEvents } from './load/aftermath.ts';

/** Far below the deadline of a request (10 s), at which a caller of a hung catalog was answered before. */
const soonMs = 6_000;

let cluster: Cluster;
const access = () => ({ url: cluster.urls[0]!, token: cluster.demo.keys.secretTest });

beforeAll(async () => {
  const sizes = { PARTERRE_NATS_SERVERS: '1', PARTERRE_NOTIFIERS: '1', PARTERRE_SHARDS: '2', PARTERRE_FRONTDOORS: '1' };
  cluster = await startCluster({ env: { ...sizes, PARTERRE_NATS_SYNC: '2m', PARTERRE_BUDGETS: 'readiness=off' } });
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

/** The answer of a load balancer's question. */
async function readyz(): Promise<number> {
  const health = readJson<RunFile>(join(cluster.dataDir, 'run.json'))!.health['frontdoor-1']!;
  return (await fetch(`${health}/readyz`)).status;
}

/** The public map of an event, as a buyer's page reads it. Its budget counts at a shard. */
async function map(eventKey: string) {
  const { url } = access();
  const headers = { Authorization: `Bearer ${cluster.demo.keys.publishableTest}`, Origin: url };
  const answer = await fetch(`${url}/pub/events/${eventKey}/objects`, { headers });
  return [answer.status, ((await answer.json()) as { seats?: object }).seats];
}

async function ready() {
  const answer = await fetch(`${access().url}/health/ready`);
  return [answer.status, ((await answer.json()) as { checks: object }).checks];
}

test('a stopped shard is passed over, and readiness is 503 only once no shard sells', async () => {
  const { eventKeys } = await createEvents(access(), cluster.demo.chartId, 8);
  const hold = (key: string, label: string) => call(access(), 'POST', `/v1/events/${key}/hold`, { labels: [label] });
  await Promise.all(eventKeys.map((key) => hold(key, 'A-1')));
  cluster.pause('inventory-shard-1');
  const times = await Promise.all(eventKeys.map((key) => tookMs(() => hold(key, 'A-2'))));
  expect(Math.max(...times)).toBeLessThan(soonMs);
  expect(await ready()).toEqual([200, { nats: 'ok', catalog: 'ok', store: 'ok', disk: expect.any(String) }]);
  const shown = [200, expect.objectContaining({ 'A-2': 'held' })];
  await expect.poll(() => map(eventKeys[0]!)).toEqual(shown);
  cluster.pause('inventory-shard-2');
  expect(await tookMs(async () => expect(await map(eventKeys[0]!)).toEqual(shown))).toBeLessThan(soonMs);
  await expect.poll(ready).toEqual([503, { nats: 'ok', catalog: 'ok', store: 'down', disk: 'ok' }]);
  expect(await readyz()).toBe(200);
  for (const name of ['inventory-shard-1', 'inventory-shard-2']) cluster.resume(name);
  await expect.poll(ready).toEqual([200, { nats: 'ok', catalog: 'ok', store: 'ok', disk: expect.any(String) }]);
}, 60_000);

test('while NATS has switched JetStream off, nothing is ready to sell, and buyers still see the map', async () => {
  const { eventKeys } = await createEvents(access(), cluster.demo.chartId, 1);
  const path = `/v1/events/${eventKeys[0]}`;
  await call(access(), 'POST', `${path}/hold`, { labels: ['A-1'] });
  const shown = [200, expect.objectContaining({ 'A-1': 'held' })];
  const ofEvent = () => map(eventKeys[0]!);
  await expect.poll(ofEvent).toEqual(shown);
  // A reload without the block is what a server does when its disk is full: it goes on without JetStream.
  const config = join(cluster.dataDir, 'nats-1', 'nats.conf');
  await writeFile(config, (await readFile(config, 'utf8')).replace(/^jetstream .*$/m, ''));
  process.kill(cluster.pidOf('nats-1'), 'SIGHUP');
  const offMs = await tookMs(() =>
    expect.poll(ready, { interval: 50 }).toEqual([503, expect.objectContaining({ nats: 'ok', store: 'down' })]),
  );
  console.log(`readiness tells after ${Math.round(offMs)} ms that JetStream is off`);
  expect(offMs).toBeLessThan(soonMs);
  expect([await readyz(), await ofEvent()]).toEqual([200, shown]);
  cluster.kill('nats-1', 'SIGTERM');
  await cluster.untilReady('nats-1');
  await expect.poll(ready).toEqual([200, expect.objectContaining({ store: 'ok' })]);
  await call(access(), 'POST', `${path}/hold`, { labels: ['A-2'] });
}, 60_000);
