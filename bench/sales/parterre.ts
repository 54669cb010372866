/** Parterre as `npm start` or `npm run cluster` runs it, as one of the contenders. */
import { join } from 'node:path';
import { compilePlan } from '@parterre/shared/charts/compile';
import { categoryOf } from '@parterre/shared/charts/plan';
import { theatreAndArena } from '../../scripts/generate-charts.mjs';
import { type RunFile, readJson } from '../../scripts/launch/data-folder.ts';
import type { Demo } from '../../scripts/launch/demo.ts';
import { seatRowsOf, sold } from '../../services/inventory-shard/src/rules/seat-search/seat-rows.ts';
import { startCluster } from '../../test/support/servers/cluster.ts';
import { startParterre } from '../../test/support/servers/server.ts';
import { post } from '../load/post.ts';
import type { Contender, StartOptions } from './contender.ts';

/** `sync_interval` of NATS: 2m is its default. */
const syncOf = { always: 'always', relaxed: '2m' };

/** The budget of holds counts all of them, with a limit above any load. */
const budgetsOf = { lifted: 'off', on: 'server-holds=3000000' };

/** The servers of tests have fewer partitions than `npm start`. */
const asStarted = { JOURNAL_PARTITIONS_AT_FIRST: '' };

const hall = theatreAndArena();

/**
 * The labels of the benchmark's hall, in the order of sale. Seats are sold singly, so companions' places are left out.
 */
export function labelsForSale(): string[] {
  const plan = compilePlan(hall, 'bench');
  const { soldAs } = seatRowsOf(plan);
  return plan.labels.all().filter((_, unit) => !categoryOf(plan, unit).notForSale && soldAs[unit] !== sold.companion);
}

export async function startParterreContender(
  name: string,
  budgets: 'lifted' | 'on',
  { durability, cluster, beside }: StartOptions,
): Promise<Contender> {
  const env = {
    ...asStarted,
    PARTERRE_BUDGETS: budgetsOf[budgets],
    PARTERRE_NATS_SYNC: syncOf[durability],
    ...beside?.env,
  };
  const parterre = cluster ? await runCluster(env) : await runOne(env, beside?.checkout);
  const token = parterre.demo.keys.secretTest;
  const call = <T>(path: string, body: unknown): Promise<T> => post(`${parterre.urls[0]}${path}`, body, token);
  const chartId = await publishHall(parterre.urls[0]!, token);
  return {
    name,
    ports: parterre.urls.map((url) => Number(new URL(url).port)),
    token,
    processes: parterre.processes,
    async openEvent() {
      const { meta } = await call<{ meta: { key: string } }>('/v1/events', { chartId });
      return meta.key;
    },
    soldSeatStatus: 409,
    stop: parterre.stop,
  };
}

/** The id of the chart of the benchmark's hall, or of another one. */
export async function publishHall(url: string, token: string, doc: object = hall): Promise<string> {
  const { meta } = await post<{ meta: { id: string } }>(`${url}/v1/charts`, { name: 'Bench', doc }, token);
  await post(`${url}/v1/charts/${meta.id}/publish`, {}, token);
  return meta.id;
}

type Running = Pick<Contender, 'processes' | 'stop'> & { urls: string[]; demo: Demo };

/** One process of each service and one NATS server, as much as two cores carry. */
async function runOne(env: Record<string, string>, checkout?: string): Promise<Running> {
  const parterre = await startParterre({ env, ...(checkout && { checkout }) });
  return {
    urls: [parterre.url],
    demo: parterre.demo,
    processes: () => processesIn(parterre.dataDir),
    async stop() {
      await parterre.stop();
    },
  };
}

/** As `npm run cluster`: three NATS servers and several processes of each service. */
async function runCluster(env: Record<string, string>): Promise<Running> {
  const cluster = await startCluster({ env });
  return {
    urls: cluster.urls,
    demo: cluster.demo,
    processes: () => processesIn(cluster.dataDir),
    stop: () => cluster.stop(),
  };
}

export function processesIn(dataDir: string): Record<string, number> {
  const { processes } = readJson<RunFile>(join(dataDir, 'run.json'))!;
  return Object.fromEntries(Object.entries(processes).sort());
}
