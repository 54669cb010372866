/** The topology on one machine: its parts run, and tests can kill, pause, add, remove and cut them off. */
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Cluster, startCluster } from '../support/servers/cluster.ts';

let cluster: Cluster;

beforeAll(async () => {
  const env = { PARTERRE_SHARDS: '1', JOURNAL_PARTITIONS: '2', PARTERRE_NATS_SYNC: '2m', PARTERRE_BUDGETS: 'off' };
  cluster = await startCluster({ env, linked: ['frontdoor-2'] });
});

afterAll(() => cluster?.stop());

/** The status of a hold through one of the front doors; null when no answer came within `deadlineMs`. */
async function hold(door: number, label: string, deadlineMs = 10_000): Promise<number | null> {
  const { demo, urls } = cluster;
  try {
    const response = await fetch(`${urls[door]}/v1/events/${demo.eventKey}/hold`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${demo.keys.secretTest}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ labels: [label] }),
      signal: AbortSignal.timeout(deadlineMs),
    });
    await response.arrayBuffer();
    return response.status;
  } catch (error) {
    if ((error as Error).name === 'TimeoutError') return null;
    throw error;
  }
}

test('Both front doors sell the same event, each on its own port', async () => {
  expect(new Set(cluster.urls).size).toBe(2);
  expect(await hold(0, 'A-1')).toBe(200);
  expect(await hold(1, 'A-1')).toBe(409);
  expect(await hold(1, 'A-2')).toBe(200);
});

test('A killed shard and a killed NATS server come back', async () => {
  for (const [name, label] of [
    ['inventory-shard-1', 'A-3'],
    ['nats-2', 'A-4'],
  ] as const) {
    const before = cluster.pidOf(name);
    cluster.kill(name);
    expect(await cluster.untilReady(name)).not.toBe(before);
    await expect.poll(() => hold(0, label), { timeout: 20_000 }).toBeOneOf([200, 409]);
  }
});

test('A paused shard answers nothing, and goes on when it wakes', async () => {
  cluster.pause('inventory-shard-1');
  const waiting = hold(0, 'B-1', 20_000);
  expect(await hold(0, 'B-2', 500)).toBeNull();
  cluster.resume('inventory-shard-1');
  expect(await waiting).toBe(200);
});

test('An orderly restart, a removed catalog and an added catalog fail no request', async () => {
  const before = cluster.pidOf('catalog-1');
  await cluster.restart('catalog-1');
  expect(cluster.pidOf('catalog-1')).not.toBe(before);
  await cluster.remove('catalog-2');
  expect(() => cluster.pidOf('catalog-2')).toThrow('catalog-2 is not running');
  await cluster.add('catalog-3');
  expect(cluster.pidOf('catalog-3')).toBeGreaterThan(0);
  expect(await hold(0, 'B-3')).toBe(200);
});

test('A front door with frozen or cut links completes no call, and the other front door goes on selling', async () => {
  const links = cluster.linksOf('frontdoor-2');
  expect(links).toHaveLength(3);
  for (const [fault, label, other] of [
    ['freeze', 'C-1', 'C-2'],
    ['cut', 'C-3', 'C-4'],
  ] as const) {
    for (const link of links) link[fault]();
    // For a second it still believes that NATS is there, and uses its direct link.
    await pause(1_100);
    expect(await hold(1, label, 1_000)).toBeNull();
    expect(await hold(0, other)).toBe(200);
    for (const link of links) link.restore();
    await expect.poll(() => hold(1, label), { timeout: 20_000 }).toBeOneOf([200, 409]);
  }
});

test('An added shard goes on alone when the first one is removed', async () => {
  await cluster.add('inventory-shard-2');
  await cluster.remove('inventory-shard-1');
  expect(await hold(0, 'D-1', 20_000)).toBe(200);
  expect(() => cluster.pidOf('inventory-shard-1')).toThrow('inventory-shard-1 is not running');
});
