/** Parterre as `npm start` runs it, with everything on but the request budgets, as one of the contenders. */
import { compilePlan } from '@parterre/shared/chart/compile';
import { categoryOf } from '@parterre/shared/chart/plan';
import { theatreAndArena } from '../scripts/generate-charts.mjs';
import { type ServiceName, startParterre } from '../test/support/server.ts';
import { type Contender, post, type StartOptions } from './contenders.ts';

/** `sync_interval` of NATS: 2m is its default. */
const syncOf = { always: 'always', relaxed: '2m' };
const processNames: ServiceName[] = ['frontdoor', 'inventory-shard', 'nats', 'notifier', 'catalog'];

const hall = theatreAndArena();

/** Of the benchmark's hall, in the order they are sold. */
export function labelsForSale(): string[] {
  const plan = compilePlan(hall, 'bench');
  return plan.labels.filter((_, unit) => !categoryOf(plan, unit).notForSale);
}

export async function startParterreContender({ durability }: StartOptions): Promise<Contender> {
  const parterre = await startParterre({
    env: { PARTERRE_BUDGETS: 'off', PARTERRE_NATS_SYNC: syncOf[durability] },
  });
  const token = parterre.demo.keys.secretTest;
  const call = <T>(path: string, body: unknown): Promise<T> => post(`${parterre.url}${path}`, body, token);
  const { meta: chart } = await call<{ meta: { id: string } }>('/v1/charts', { name: 'Bench', doc: hall });
  await call(`/v1/charts/${chart.id}/publish`, {});
  return {
    name: 'parterre',
    port: Number(new URL(parterre.url).port),
    token,
    processes: () => Object.fromEntries(processNames.map((name) => [name, parterre.pidOf(name)])),
    async openEvent() {
      const { meta } = await call<{ meta: { key: string } }>('/v1/events', { chartId: chart.id });
      return meta.key;
    },
    async stop() {
      await parterre.stop();
    },
  };
}
