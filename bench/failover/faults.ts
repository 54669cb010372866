/** The faults of failover.ts. Each waits until the cluster is whole again, and returns pauses in milliseconds. */
import { setTimeout as pause } from 'node:timers/promises';
import { jetstreamManager } from '@nats-io/jetstream';
import { Kvm } from '@nats-io/kv';
import type { NatsConnection } from '@nats-io/transport-node';
import { names, subjects } from '@parterre/shared/protocol/subjects';
import type { Lease } from '../../services/inventory-shard/src/cluster/leases.ts';
import type { Pingers } from '../../test/cluster/load/pingers.ts';
import type { Cluster } from '../../test/support/servers/cluster.ts';
import type { Parterre } from '../../test/support/servers/server.ts';
import { medianOf } from '../load/quantile.ts';

export type World = { cluster: Cluster; nats: NatsConnection; pingers: Pingers; partitions: number };
export type Pauses = Record<string, number>;

/** Sales between two faults, so that each fault hits a cluster at work. */
const calmMs = 2_500;
const pollMs = 50;
const settledMsMax = 60_000;

export async function killOwner(world: World, n: number): Promise<Pauses> {
  const owned = await leasesOf(world);
  const { name, numbers } = shardsWithPartitions(world, owned, n);
  const killedAt = performance.now();
  world.cluster.kill(name);
  const waits = await waitsFor(world.pingers, numbers, killedAt);
  await world.cluster.untilReady(name);
  await settled(world);
  return { 'worst partition': Math.max(...waits) };
}

export async function moveShard(world: World, n: number): Promise<Pauses> {
  const owned = await leasesOf(world);
  const { name, numbers } = shardsWithPartitions(world, owned, n);
  const stoppedAt = performance.now();
  const atRest = numbers.map((number) => longestPause(world.pingers, number, stoppedAt - calmMs));
  await world.cluster.restart(name);
  await settled(world);
  const pauses = numbers.map((number) => longestPause(world.pingers, number, stoppedAt));
  return {
    'worst partition': Math.max(...pauses),
    'median partition': medianOf(pauses),
    'worst partition before, at rest': Math.max(...atRest),
  };
}

export async function killLeader(world: World, n: number): Promise<Pauses> {
  const number = n % world.partitions;
  const elections = new Map<string, number>();
  const heard = world.nats.subscribe(subjects.streamLed('*'), {
    callback: (error, { subject }) => void (error || elections.set(subject.split('.').at(-1)!, performance.now())),
  });
  await world.nats.flush();
  const led = await streamsLedWith(world, number);
  const killedAt = performance.now();
  world.cluster.kill(led.server);
  const waits = await waitsFor(world.pingers, led.numbers, killedAt);
  heard.unsubscribe();
  const sinceElection = led.numbers.map((partition, at) => {
    const electedAt = elections.get(names.journalStream(partition));
    return electedAt === undefined ? Number.NaN : waits[at]! - (electedAt - killedAt);
  });
  await world.cluster.untilReady(led.server);
  await streamsWhole(world);
  await settled(world);
  return {
    'from the kill': Math.max(...waits),
    'from the election': Math.max(...sinceElection.filter((ms) => ms >= 0)),
  };
}

export async function killOnlyShard(parterre: Parterre, pingers: Pingers, partitions: number): Promise<Pauses> {
  const numbers = Array.from({ length: partitions }, (_, number) => number);
  const killedAt = performance.now();
  process.kill(parterre.pidOf('inventory-shard'), 'SIGKILL');
  const waits = await waitsFor(pingers, numbers, killedAt);
  await pause(calmMs);
  return { 'first partition': Math.min(...waits), 'worst partition': Math.max(...waits) };
}

export function tellPauses(what: string, pauses: number[]): void {
  const sorted = pauses.filter((ms) => Number.isFinite(ms)).sort((a, b) => a - b);
  const at = (share: number): string => (sorted[Math.ceil(share * sorted.length) - 1] ?? Number.NaN).toFixed(0);
  console.log(`${what}: p50 ${at(0.5)} ms, p95 ${at(0.95)} ms, longest ${at(1)} ms of ${sorted.length}`);
}

function waitsFor(pingers: Pingers, numbers: number[], since: number): Promise<number[]> {
  return Promise.all(numbers.map(async (number) => (await pingers.firstSuccess(number, since)).answeredAt - since));
}

/** The longest time between two successes of the partition since `from`. */
function longestPause({ pings }: Pingers, partition: number, from: number): number {
  const answered = pings.filter((ping) => ping.partition === partition && ping.status === 200);
  let longest = 0;
  for (let at = answered.length - 1; at > 0 && answered[at]!.answeredAt > from; at--) {
    longest = Math.max(longest, answered[at]!.answeredAt - answered[at - 1]!.answeredAt);
  }
  return longest;
}

async function leasesOf({ nats, partitions }: World): Promise<Lease[]> {
  const bucket = await new Kvm(nats).open(names.ownersBucket);
  const entries = await Promise.all(Array.from({ length: partitions }, (_, number) => bucket.get(String(number))));
  return entries.map((entry) => entry!.json<Lease>());
}

/** The shards that own partitions take turns. */
function shardsWithPartitions({ cluster }: World, owned: Lease[], n: number): { name: string; numbers: number[] } {
  const shards = ['inventory-shard-1', 'inventory-shard-2', 'inventory-shard-3'].map((name) => {
    const pid = cluster.pidOf(name);
    const numbers = [...owned.keys()].filter((number) => Number(owned[number]!.process.split('/').at(-1)) === pid);
    return { name, numbers };
  });
  const busy = shards.filter(({ numbers }) => numbers.length > 0);
  return busy[n % busy.length]!;
}

/** Resolves when every partition has a living owner, and no partition has moved for `calmMs`. */
async function settled(world: World): Promise<void> {
  const pids = ['inventory-shard-1', 'inventory-shard-2', 'inventory-shard-3'].map((name) => world.cluster.pidOf(name));
  const until = performance.now() + settledMsMax;
  let before = '';
  let since = performance.now();
  while (performance.now() - since < calmMs) {
    if (performance.now() > until) throw new Error('the partitions do not come to rest');
    const leases = await leasesOf(world).catch(() => []);
    const now = leases.map(({ epoch }) => epoch).join();
    const isOwned =
      leases.length > 0 && leases.every(({ process }) => pids.includes(Number(process.split('/').at(-1))));
    if (!isOwned || now !== before) since = performance.now();
    before = now;
    await pause(pollMs);
  }
}

/** The server that leads the stream of this partition, and all partitions whose streams it leads. */
async function streamsLedWith({ nats, partitions }: World, number: number) {
  const manager = await jetstreamManager(nats, { checkAPI: false });
  const leaders = await Promise.all(
    Array.from({ length: partitions }, async (_, each) => {
      const { cluster } = await manager.streams.info(names.journalStream(each));
      return cluster?.leader;
    }),
  );
  const server = leaders[number]!;
  return { server, numbers: [...leaders.keys()].filter((each) => leaders[each] === server) };
}

/** Resolves when every stream of the journal has a leader and current copies on all servers. */
async function streamsWhole({ nats, partitions }: World): Promise<void> {
  const manager = await jetstreamManager(nats, { checkAPI: false, timeout: 1_000 });
  const until = performance.now() + settledMsMax;
  for (let number = 0; number < partitions; ) {
    if (performance.now() > until) throw new Error('the streams do not become whole');
    const info = await manager.streams.info(names.journalStream(number)).catch(() => null);
    const copies = info?.cluster?.replicas ?? [];
    if (info?.cluster?.leader && copies.length === 2 && copies.every(({ current, offline }) => current && !offline))
      number++;
    else await pause(pollMs);
  }
}
