/**
 * `npm run bench -- plans`: the turns of an event loop that gets plans: a chart of 100,000 seats in rows, a chart of
 * 100,000 booths, and a theatre of 118 seats. Prints the time until the plan is there, the CPU of the loop's own
 * thread for each plan (on Linux), and the longest turn of the loop meanwhile: medians of all rounds, first compiled on
 * the loop itself, then by the compiler thread. The turns mean little on a busy machine. The CPU does.
 */
import { existsSync, readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import type { ChartDocument } from '@parterre/shared/charts/document';
import type { Plan } from '@parterre/shared/charts/plan';
import { compileDocument } from '@parterre/shared/charts/plans/compile-document';
import { compilerThread, PlanCompiler } from '@parterre/shared/charts/plans/plans';
import { systemClock } from '@parterre/shared/runtime/clock';
import { createLog } from '@parterre/shared/runtime/log';
import { bowl, demoTheatre } from '../../scripts/generate-charts.mjs';

const rounds = 15;
const booths = 100_000;
const threadStatistics = '/proc/thread-self/schedstat';

const charts: Record<string, ChartDocument> = {
  'theatre of 118 seats': demoTheatre(),
  '100,000 seats in rows': bowl(),
  '100,000 booths': hallOfBooths(),
};

function hallOfBooths(): ChartDocument {
  const document = demoTheatre();
  const categoryKey = document.categories[0]!.key;
  const objects = Array.from({ length: booths }, (_, i) => ({
    type: 'booth' as const,
    id: `booth-${i}`,
    label: `B${i}`,
    width: 5,
    height: 5,
    rotation: 0,
    categoryKey,
    center: { x: (i % 300) * 10, y: Math.floor(i / 300) * 10 },
  }));
  const { version, name, venueType, focalPoint, categories } = document;
  return { version, name, venueType, focalPoint, categories, objects };
}

async function main(): Promise<void> {
  const compiler = new PlanCompiler(
    systemClock,
    createLog('bench', 'warn'),
    compilerThread(new URL('../../plan-compiler.js', import.meta.url)),
  );
  for (const [name, document] of Object.entries(charts)) {
    const doc = gzipSync(JSON.stringify(document));
    await measure(`${name}, on the loop`, async () => compileDocument(doc, 'plan'));
    await measure(`${name}, by the thread`, () => compiler.compile(doc, 'plan'));
  }
  console.log(`memory of the process: ${(process.memoryUsage().rss / 2 ** 20).toFixed(0)} MB`);
  await compiler.close();
}

async function measure(name: string, compile: () => Promise<Plan>): Promise<void> {
  const cpuBefore = cpuMs();
  for (let round = 0; round < rounds; round++) await compile();
  const perPlanMs = (cpuMs() - cpuBefore) / rounds;
  const [times, turns]: [number[], number[]] = [[], []];
  for (let round = 0; round < rounds; round++) {
    const turn = { longestMs: 0, isOver: false };
    const watched = watch(turn);
    await nextTurn();
    const startedAt = performance.now();
    await compile();
    times.push(performance.now() - startedAt);
    turn.isOver = true;
    await watched;
    turns.push(turn.longestMs);
  }
  console.log(
    `${name}: ${inOrder(times)[rounds >> 1]!.toFixed(1)} ms, CPU ${perPlanMs.toFixed(1)} ms, longest turn ${say(turns)}`,
  );
}

/** Of this thread: scheduler statistics begin with nanoseconds on a core. 0 where the system has none. */
function cpuMs(): number {
  return existsSync(threadStatistics) ? Number(readFileSync(threadStatistics, 'latin1').split(' ')[0]) / 1e6 : 0;
}

const inOrder = (values: number[]) => values.sort((a, b) => a - b);
const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

function say(turns: number[]): string {
  const sorted = inOrder(turns);
  return `${sorted[rounds >> 1]!.toFixed(1)} ms (${sorted[0]!.toFixed(1)} to ${sorted.at(-1)!.toFixed(1)})`;
}

async function watch(turn: { longestMs: number; isOver: boolean }): Promise<void> {
  let last = performance.now();
  while (!turn.isOver) {
    await nextTurn();
    const now = performance.now();
    turn.longestMs = Math.max(turn.longestMs, now - last);
    last = now;
  }
}

await main();
