/**
 * Partitions on the move. Shards that join, restart and leave hand over their partitions: no request fails or waits
 * long. The partitions of a killed shard answer again within two seconds. A shard that was paused acknowledges nothing
 * once it wakes.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { Kvm } from '@nats-io/kv';
import type { NatsConnection } from '@nats-io/transport-node';
import { compilePlan } from '@parterre/shared/charts/compile';
import type { ChartDocument } from '@parterre/shared/charts/document';
import type { Plan } from '@parterre/shared/charts/plan';
import { names } from '@parterre/shared/protocol/subjects';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Lease } from '../../services/inventory-shard/src/cluster/leases.ts';
import { foldJournals } from '../support/partition/journal-fold.ts';
import { type Cluster, startCluster } from '../support/servers/cluster.ts';
import { connectTo } from '../support/servers/nats.ts';
import { type Ping, startPingers } from './load/pingers.ts';

const PARTITIONS = 8;
const KILLS = 12;
const ZOMBIE_MS = 10_000;
/** Requests before any move: the first ones meet cold services; the later ones are the measure at rest. */
const COLD = 100;
const AT_REST = 400;

let cluster: Cluster;
let nats: NatsConnection;

beforeAll(async () => {
  const sizes = { PARTERRE_NATS_SERVERS: '1', PARTERRE_CATALOGS: '1', PARTERRE_NOTIFIERS: '1', PARTERRE_SHARDS: '2' };
  const env = { ...sizes, PARTERRE_NATS_SYNC: '2m', PARTERRE_BUDGETS: 'off', JOURNAL_PARTITIONS: String(PARTITIONS) };
  cluster = await startCluster({ env });
  nats = await connectTo(cluster.natsUrls.join(','));
});
afterAll(async () => {
  await nats?.close();
  await cluster?.stop();
});

/** The latest lease of each partition. */
async function leases(): Promise<Lease[]> {
  const bucket = await new Kvm(nats).open(names.ownersBucket);
  const entries = await Promise.all(Array.from({ length: PARTITIONS }, (_, number) => bucket.get(String(number))));
  return entries.map((entry) => entry!.json<Lease>());
}

const ownersOf = async (): Promise<number> => new Set((await leases()).map(({ owner }) => owner)).size;

function shardOf({ process }: Lease): string {
  const pid = Number(process.split('/').at(-1));
  return ['inventory-shard-1', 'inventory-shard-2'].find((name) => cluster.pidOf(name) === pid)!;
}

/** Whether an answer is neither a success nor retryable. */
function isWrong({ status, body }: Ping): boolean {
  return status !== 200 && !body.includes('"retryable":true');
}

async function demoPlan(): Promise<Plan> {
  const response = await fetch(`${cluster.urls[0]}/v1/charts/${cluster.demo.chartId}`, {
    headers: { Authorization: `Bearer ${cluster.demo.keys.secretTest}` },
  });
  return compilePlan(((await response.json()) as { doc: ChartDocument }).doc, 'plan');
}

function quantile(values: number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(share * (sorted.length - 1))]!;
}

const waits = (pings: Ping[]): number[] => pings.map(({ sentAt, answeredAt }) => answeredAt - sentAt);

test('Join, rolling restart and leave fail no request, and the p99 of waits grows by less than 500 ms', async () => {
  const pingers = await startPingers(cluster, PARTITIONS, 'moves');
  // Waits at rest show how busy the machine is with other work.
  await expect.poll(() => pingers.pings.length, { timeout: 30_000 }).toBeGreaterThan(COLD + AT_REST);
  const atRest = quantile(waits(pingers.pings.slice(COLD)), 0.99);
  const moving = pingers.pings.length;
  const before = await leases();
  await cluster.add('inventory-shard-3');
  await expect.poll(ownersOf, { timeout: 10_000 }).toBeGreaterThan(1);
  for (const name of ['inventory-shard-1', 'inventory-shard-2', 'inventory-shard-3']) await cluster.restart(name);
  await cluster.remove('inventory-shard-3');
  await Promise.all(before.map((_, number) => pingers.firstSuccess(number, performance.now())));
  await pingers.stop();
  const after = await leases();
  // Each restart gave away every partition of its shard.
  for (const [number, { epoch }] of after.entries()) expect(epoch).toBeGreaterThan(before[number]!.epoch);
  expect(pingers.pings.filter(({ status }) => status !== 200)).toEqual([]);
  const p99 = quantile(waits(pingers.pings.slice(moving)), 0.99);
  console.log(`moves: ${pingers.pings.length} requests, p99 ${p99.toFixed(0)} ms, at rest ${atRest.toFixed(0)} ms`);
  expect(p99 - atRest).toBeLessThan(500);
}, 120_000);

test(`Partitions of a killed shard answer again within two seconds (median of ${KILLS} kills)`, async () => {
  const pingers = await startPingers(cluster, PARTITIONS, 'kills');
  const failOvers: number[] = [];
  for (let kill = 0; kill < KILLS; kill++) {
    const owned = await leases();
    const victim = owned[kill % PARTITIONS]!;
    const name = shardOf(victim);
    const killedAt = performance.now();
    cluster.kill(name);
    const orphans = [...owned.keys()].filter((number) => owned[number]!.owner === victim.owner);
    const first = await Promise.all(orphans.map((number) => pingers.firstSuccess(number, killedAt)));
    failOvers.push(Math.max(...first.map(({ answeredAt }) => answeredAt - killedAt)));
    await cluster.untilReady(name);
    await expect.poll(async () => (await leases()).every(({ owner }) => owner !== victim.owner)).toBe(true);
  }
  await pingers.stop();
  const median = quantile(failOvers, 0.5);
  const worst = Math.max(...failOvers);
  console.log(`fail-over: median ${median.toFixed(0)} ms, worst ${worst.toFixed(0)} ms of ${KILLS} kills`);
  expect(median).toBeLessThan(2_000);
  expect(pingers.pings.filter(isWrong)).toEqual([]);
}, 180_000);

test('An owner that is paused for 10 s is replaced; when it wakes up it acknowledges nothing and joins again', async () => {
  const pingers = await startPingers(cluster, PARTITIONS, 'zombie');
  await Promise.all(Array.from({ length: PARTITIONS }, (_, number) => pingers.firstSuccess(number, 0)));
  const owned = await leases();
  const zombie = owned[0]!;
  const name = shardOf(zombie);
  const stoppedAt = performance.now();
  cluster.pause(name);
  const orphans = [...owned.keys()].filter((number) => owned[number]!.owner === zombie.owner);
  const first = await Promise.all(orphans.map((number) => pingers.firstSuccess(number, stoppedAt)));
  const tookMs = Math.max(...first.map(({ answeredAt }) => answeredAt - stoppedAt));
  console.log(`zombie: ${orphans.length} partitions answered again after ${tookMs.toFixed(0)} ms`);
  await pause(Math.max(0, ZOMBIE_MS - (performance.now() - stoppedAt)));
  const heirs = await leases();
  for (const number of orphans) expect(heirs[number]!.epoch).toBeGreaterThan(owned[number]!.epoch);
  cluster.resume(name);
  // The shard is a member again. Hashing assigns partitions to it, and handovers bring them back.
  await expect
    .poll(async () => (await leases()).some(({ owner }) => owner === zombie.owner), { timeout: 15_000 })
    .toBe(true);
  await Promise.all(orphans.map((number) => pingers.firstSuccess(number, performance.now())));
  await pingers.stop();

  const plan = await demoPlan();
  const folded = await foldJournals(cluster.natsUrls[0]!, PARTITIONS, () => plan);
  expect([...folded.values()].flatMap(({ violations }) => violations)).toEqual([]);
  const held = new Map<string, number>();
  for (const { entries } of folded.values()) {
    for (const { record } of entries)
      if (record.type === 'held') held.set(record.holdId, (held.get(record.holdId) ?? 0) + 1);
  }
  const acknowledged = pingers.pings.filter(({ status, body }) => status === 200 && body.includes('"expiresAt"'));
  expect(acknowledged.length).toBeGreaterThan(PARTITIONS);
  for (const { body } of acknowledged) expect(held.get((JSON.parse(body) as { holdId: string }).holdId)).toBe(1);
  expect(pingers.pings.filter(isWrong)).toEqual([]);
}, 120_000);
