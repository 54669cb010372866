/**
 * `npm run bench -- reports`: reports at once on one event of 100,000 seats, while buyers hold and release its seats.
 * Parterre runs as `npm start` runs it, with the request budgets lifted. Prints the holds' p99 and longest time, first
 * alone and then beside the reports, the reports' own times, and the longest delay of a timer in the shard. Everything
 * shares this machine's cores.
 */
import { join } from 'node:path';
import { loopLookMs } from '@parterre/shared/runtime/service';
import { SECOND_MS } from '@parterre/shared/runtime/units';
import { bowl } from '../../scripts/generate-charts.mjs';
import { type RunFile, readJson } from '../../scripts/launch/data-folder.ts';
import { startParterre } from '../../test/support/servers/server.ts';
import { readArguments } from '../arguments.ts';
import { post } from '../load/post.ts';

const options = readArguments({
  reports: { type: 'string', default: '200' },
  rounds: { type: 'string', default: '5' },
  buyers: { type: 'string', default: '4' },
  aloneMs: { type: 'string', default: '3000' },
});
const buyers = Number(options.buyers);

async function main(): Promise<void> {
  const parterre = await startParterre({ env: { PARTERRE_BUDGETS: 'off' } });
  try {
    const health = readJson<RunFile>(join(parterre.dataDir, 'run.json'))!.health['inventory-shard']!;
    await measure(parterre.url, parterre.demo.keys.secretTest, health);
  } finally {
    await parterre.stop();
  }
}

async function measure(url: string, token: string, shard: string): Promise<void> {
  const headers = { Authorization: `Bearer ${token}` };
  const { meta: chart } = await post<{ meta: { id: string } }>(
    `${url}/v1/charts`,
    { name: 'Bowl', doc: bowl() },
    token,
  );
  await post(`${url}/v1/charts/${chart.id}/publish`, {}, token);
  const { meta } = await post<{ meta: { key: string } }>(`${url}/v1/events`, { chartId: chart.id }, token);
  const path = `${url}/v1/events/${meta.key}`;
  const report = async (): Promise<number> => {
    const startedAt = performance.now();
    const response = await fetch(`${path}/report`, { headers });
    await response.arrayBuffer();
    if (!response.ok) throw new Error(`a report was answered ${response.status}`);
    return performance.now() - startedAt;
  };
  const csv = await (await fetch(`${path}/report.csv`, { headers })).text();
  const labels = csv
    .split('\r\n', 1 + 2_000)
    .slice(1)
    .map((line) => line.split(',', 1)[0]!);
  await report();

  await longestDelayMs(shard);
  const alone: number[] = [];
  await hold(path, token, labels, alone, until(Number(options.aloneMs)));
  tell('holds alone', alone);
  console.log(`the shard's loop: a timer fires up to ${await longestDelayMs(shard)} ms late`);
  const beside: number[] = [];
  const reports: number[] = [];
  for (let round = 0; round < Number(options.rounds); round++) {
    let isDone = false;
    const holding = hold(path, token, labels, beside, () => isDone);
    reports.push(...(await Promise.all(Array.from({ length: Number(options.reports) }, report))));
    isDone = true;
    await holding;
  }
  tell(`holds beside ${options.reports} reports at once`, beside);
  tell('these reports', reports);
  console.log(`the shard's loop: a timer fires up to ${await longestDelayMs(shard)} ms late`);
}

/** Since the last call. */
async function longestDelayMs(shard: string): Promise<string> {
  const metrics = await (await fetch(`${shard}/metrics`)).text();
  const longestMs = Number(/^nodejs_eventloop_lag_max_seconds (\S+)/m.exec(metrics)![1]) * SECOND_MS;
  return (longestMs - loopLookMs).toFixed(1);
}

function until(ms: number): () => boolean {
  const endsAt = performance.now() + ms;
  return () => performance.now() >= endsAt;
}

/** Each buyer holds a seat and releases it, again and again. Notes the time of each hold. */
async function hold(path: string, token: string, labels: string[], times: number[], isOver: () => boolean) {
  const buy = async (_: unknown, buyer: number): Promise<void> => {
    for (let turn = buyer; turn < buyers + buyer || !isOver(); turn += buyers) {
      const startedAt = performance.now();
      const label = labels[turn % labels.length]!;
      const { holdId } = await post<{ holdId: string }>(`${path}/hold`, { labels: [label] }, token);
      times.push(performance.now() - startedAt);
      await post(`${path}/release`, { holdId }, token);
    }
  };
  await Promise.all(Array.from({ length: buyers }, buy));
}

function tell(what: string, times: number[]): void {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number): string => `${sorted[Math.ceil(share * sorted.length) - 1]!.toFixed(1)} ms`;
  console.log(`${what}: ${sorted.length}, median ${at(0.5)}, p99 ${at(0.99)}, longest ${at(1)}`);
}

await main();
