/**
 * `npm run bench -- failover`: the time without a sale when a part of a cluster fails or moves. Three NATS servers,
 * three shards and one buyer on each partition, who holds a seat and releases it at a steady rate. Each kind of fault
 * happens many times:
 *
 *   owner    kill -9 of a shard that owns partitions, until the first sale on each of its partitions
 *   move     SIGTERM of a shard: the longest pause of a partition while it moves to an heir and back
 *   leader   kill -9 of the NATS server that leads the stream of a partition, also counted from the election
 *   restart  kill -9 of the only shard of `npm start`
 *
 * In the end every acknowledged hold must stand in the journal once. All processes share this machine's cores.
 */
import { startPingers } from '../../test/cluster/load/pingers.ts';
import { startCluster } from '../../test/support/servers/cluster.ts';
import { connectTo } from '../../test/support/servers/nats.ts';
import { startParterre } from '../../test/support/servers/server.ts';
import { readArguments } from '../arguments.ts';
import { killLeader, killOnlyShard, killOwner, moveShard, tellPauses, type World } from './faults.ts';
import { missingHolds } from './losses.ts';

const options = readArguments({
  owner: { type: 'string', default: '20' },
  move: { type: 'string', default: '20' },
  leader: { type: 'string', default: '5' },
  restart: { type: 'string', default: '10' },
  think: { type: 'string', default: '15' },
  /** Keeps the data and logs of the cluster in this folder. */
  data: { type: 'string' },
});
const partitions = 8;
const shared = { PARTERRE_BUDGETS: 'off', PARTERRE_NATS_SYNC: '2m', JOURNAL_PARTITIONS: String(partitions) };

async function repeat(times: string, what: string, fault: (n: number) => Promise<Record<string, number>>) {
  const all: Record<string, number>[] = [];
  for (let n = 0; n < Number(times); n++) all.push(await fault(n));
  for (const name of Object.keys(all[0] ?? {}))
    tellPauses(
      `${what}: ${name}`,
      all.map((each) => each[name]!),
    );
}

async function inCluster(): Promise<void> {
  const one = { PARTERRE_FRONTDOORS: '1', PARTERRE_CATALOGS: '1', PARTERRE_NOTIFIERS: '1' };
  const env = { ...shared, ...one, PARTERRE_SHARDS: '3' };
  const cluster = await startCluster({ env, ...(options.data && { dataDir: options.data }) });
  const nats = await connectTo(cluster.natsUrls.join(','), { maxReconnectAttempts: -1, reconnectTimeWait: 100 });
  try {
    const pingers = await startPingers(cluster, partitions, 'failover', Number(options.think));
    const world: World = { cluster, nats, pingers, partitions };
    await repeat(options.owner, 'owner killed', (n) => killOwner(world, n));
    await repeat(options.move, 'shard restarted in good order', (n) => moveShard(world, n));
    await repeat(options.leader, "leader of a partition's stream killed", (n) => killLeader(world, n));
    await pingers.stop();
    tellLosses(await missingHolds(cluster.natsUrls[0]!, partitions, pingers.pings));
  } finally {
    await nats.close();
    await cluster.stop();
  }
}

async function onOneMachine(): Promise<void> {
  const parterre = await startParterre({ env: shared });
  try {
    const { url, demo, natsUrl } = parterre;
    const pingers = await startPingers({ urls: [url], demo }, partitions, 'restart', Number(options.think));
    await repeat(options.restart, 'only shard killed', () => killOnlyShard(parterre, pingers, partitions));
    await pingers.stop();
    tellLosses(await missingHolds(natsUrl, partitions, pingers.pings));
  } finally {
    await parterre.stop();
  }
}

function tellLosses({ acknowledged, missing, wrong }: Awaited<ReturnType<typeof missingHolds>>): void {
  console.log(
    `${acknowledged} acknowledged holds, ${missing.length} not once in the journal, ${wrong.length} wrong answers`,
  );
  for (const line of [...missing, ...wrong].slice(0, 10)) console.log(`  ${line}`);
  if (missing.length + wrong.length > 0) process.exitCode = 1;
}

if (Number(options.owner) + Number(options.move) + Number(options.leader) > 0) await inCluster();
if (Number(options.restart) > 0) await onOneMachine();
