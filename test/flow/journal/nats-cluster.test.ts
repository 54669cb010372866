/**
 * A partition with three replicas under a stream of holds. Its stream's leader steps down, is killed, and then two of
 * three servers are gone. No acknowledged hold is lost, no answer is wrong, and selling goes on by itself.
 */
import { jetstreamManager } from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { names } from '@parterre/shared/protocol/subjects';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ensureJournalStream } from '../../../services/inventory-shard/src/journal/streams.ts';
import { ownPartition, type PartitionOwner } from '../../support/partition/owner.ts';
import { type Sellers, startSellers } from '../../support/partition/sellers.ts';
import { startNatsCluster, type TestNats, type TestNatsCluster } from '../../support/servers/nats.ts';

const STEP_DOWNS = 4;
let cluster: TestNatsCluster;
let nats: NatsConnection;
let owner: PartitionOwner;
let sellers: Sellers;

beforeAll(async () => {
  cluster = await startNatsCluster(3, { sync: '2m' });
  const servers = cluster.url.split(',');
  nats = await connect({ servers, maxReconnectAttempts: -1, reconnectTimeWait: 100, pingInterval: 2_000 });
  owner = await ownPartition({ nats, number: 0, name: 'owner', replicas: 3 });
  sellers = await startSellers(owner, 'night');
});
afterAll(async () => {
  owner?.partition.close();
  await nats?.close();
  await cluster?.stop();
});

async function leader(): Promise<TestNats> {
  const manager = await jetstreamManager(nats, { checkAPI: false });
  for (;;) {
    const info = await manager.streams.info(names.journalStream(0)).catch(() => null);
    if (info?.cluster?.leader) return cluster.servers[Number(info.cluster.leader.at(-1)) - 1]!;
  }
}

test("A journal is made on the servers with its partition's tags", async () => {
  const manager = await jetstreamManager(nats);
  for (const server of [1, 2, 3]) {
    await ensureJournalStream(manager, server, 1, undefined, (partition) => ({
      placement: { cluster: '', tags: [`tag-${partition}`] },
    }));
    const { config, cluster } = await manager.streams.info(names.journalStream(server));
    expect([config.placement?.tags, cluster?.leader]).toEqual([[`tag-${server}`], `nats-${server}`]);
  }
});

test(`Selling goes on when the stream's leader steps down ${STEP_DOWNS} times`, async () => {
  const waits: number[] = [];
  for (let time = 0; time < STEP_DOWNS; time++) {
    await sellers.sold(100);
    await nats.request(`$JS.API.STREAM.LEADER.STEPDOWN.${names.journalStream(0)}`, '', { timeout: 5_000 });
    waits.push(await sellers.sold(1));
  }
  console.log(`leader steps down: sells again after ${waits.map((ms) => ms.toFixed(0))} ms`);
}, 60_000);

test('Selling goes on when the leader is killed, and when it comes back', async () => {
  await sellers.sold(100);
  const victim = await leader();
  await victim.kill();
  const wait = await sellers.sold(1);
  console.log(`leader killed: sells again after ${wait.toFixed(0)} ms`);
  await sellers.sold(100);
  await victim.restart();
  await sellers.sold(100);
}, 60_000);

test('With two of three servers gone nothing is acknowledged; with one back all goes on', async () => {
  await sellers.sold(50);
  const gone = cluster.servers.slice(0, 2);
  await Promise.all(gone.map((server) => server.kill()));
  // Acks from before the second kill may still arrive until the owner notices.
  await expect.poll(() => owner.partition.state, { timeout: 15_000 }).toBe('recovering');
  const before = sellers.count();
  const fences = owner.partition.epoch;
  const view = owner.ask('night', { type: 'view' });
  const answered = await Promise.race([
    view.then(() => 'answered'),
    new Promise((late) => setTimeout(late, 1_500, 'waits')),
  ]);
  expect([answered, sellers.count(), owner.partition.epoch]).toEqual(['waits', before, fences]);
  await gone[0]!.restart();
  const wait = await sellers.sold(1);
  console.log(`majority back: sells again after ${wait.toFixed(0)} ms`);
  await gone[1]!.restart();
  // A front door repeats a command that was answered `moved`: the state behind the answer was undone.
  expect(['ok', 'moved']).toContain((await view).kind);
  await sellers.sold(50);
}, 90_000);

test('Every acknowledged hold stands in the journal once', async () => {
  await sellers.stop();
  await sellers.expectAllStand(cluster.servers[0]!.url, 0);
}, 60_000);
