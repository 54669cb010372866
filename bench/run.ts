/**
 * `npm run bench`: hold and book over HTTP on events of 20,000 seats, all features on, budgets lifted, beside the baselines of
 * bench/README.md under the same load in the same run. All take turns, in the other direction every second time, and a
 * ratio is the median over the turns: machines drift, ratios much less.
 *
 * Two passes, so that like stands beside like: NATS as it comes (`sync_interval: 2m`) beside Redis with `everysec`, and
 * `always` beside Redis with `always` and PostgreSQL. What a contender still does after the load has ended counts towards
 * its CPU, and the next one waits until it is done.
 */
import { writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { baselines, type Contender, type Durability, post, startContender } from './contenders.ts';
import { cpuBetween, cpuSeconds, tellsCpu } from './cpu.ts';
import { type Generator, startGenerator } from './generator.ts';
import { quantile } from './http-load.ts';
import { labelsForSale } from './parterre.ts';
import { type Figures, tellRound, tellScenario } from './tell.ts';

const { values: options } = parseArgs({
  options: {
    json: { type: 'string' },
    only: { type: 'string' },
    quick: { type: 'boolean', default: false },
    cluster: { type: 'boolean', default: false },
    pairs: { type: 'string' },
    seconds: { type: 'string' },
  },
});

const pairs = Number(options.pairs ?? (options.quick ? 3 : 5));
const roundSeconds = Number(options.seconds ?? (options.quick ? 1 : 3));
const manyEvents = 64;
const durabilities: Durability[] = ['relaxed', 'always'];
const scenarios = [1, manyEvents].flatMap((events) => [64, 256].map((connections) => ({ events, connections })));

/** A process group counts as idle again when it uses less than this share of one core. */
const idleShare = 0.1;
const idleLookMs = 250;
const idleMsMax = 20_000;

export type Scenario = { durability: Durability; events: number; connections: number };

/** The events a contender sells from, and how far it got. */
type Sale = { events: string[]; next: number };

const labels = labelsForSale();

async function main(): Promise<void> {
  const chosen = options.only?.split(',') ?? Object.keys(baselines);
  for (const name of chosen)
    if (!baselines[name]) throw new Error(`--only knows: ${Object.keys(baselines).join(', ')}`);
  const generator = startGenerator();
  const missing: Record<string, string> = {};
  const results: unknown[] = [];
  try {
    for (const durability of durabilities) {
      const names = chosen.filter((name) => baselines[name]!.includes(durability));
      if (names.length === 0) continue;
      results.push(...(await runPass(durability, names, generator, missing)));
    }
  } finally {
    generator.stop();
  }
  for (const [name, why] of Object.entries(missing)) console.log(`MISSING: the baseline ${name} did not run: ${why}`);
  if (!options.json) return;
  const machine = { cores: cpus().length, cpu: cpus()[0]?.model, node: process.version };
  const figures = { machine, pairs, roundSeconds, cluster: options.cluster, missing, scenarios: results };
  writeFileSync(options.json, `${JSON.stringify(figures, null, 2)}\n`);
}

/** One durability: everybody is started once, then all scenarios. */
async function runPass(
  durability: Durability,
  names: string[],
  generator: Generator,
  missing: Record<string, string>,
): Promise<unknown[]> {
  const contenders: Contender[] = [];
  try {
    for (const name of ['parterre', ...names]) {
      const started = await startContender(name, { labels, durability, cluster: options.cluster });
      if ('missing' in started) missing[name] = started.missing;
      else contenders.push(started);
    }
    const many = new Map<Contender, Sale>();
    for (const contender of contenders) many.set(contender, await openSale(contender, manyEvents));
    const results: unknown[] = [];
    for (const [turn, { events, connections }] of scenarios.entries()) {
      const scenario = { durability, events, connections };
      const saleOf = async (contender: Contender) => (events > 1 ? many.get(contender)! : openSale(contender, 1));
      // Before the first scenario everybody gets warm.
      if (turn === 0)
        for (const each of contenders) await runRound(each, await openSale(each, 1), connections, generator);
      results.push(await runScenario(scenario, contenders, saleOf, generator));
    }
    return results;
  } finally {
    for (const contender of contenders.reverse()) await contender.stop();
  }
}

async function runScenario(
  scenario: Scenario,
  contenders: Contender[],
  saleOf: (contender: Contender) => Promise<Sale>,
  generator: Generator,
): Promise<unknown> {
  const rounds: Record<string, Figures[]> = Object.fromEntries(contenders.map(({ name }) => [name, []]));
  console.log(
    `\n${scenario.connections} connections, ${scenario.events} event(s), NATS ${scenario.durability === 'always' ? 'sync always' : 'sync 2m'}`,
  );
  for (let pair = 0; pair < pairs; pair++) {
    const order = pair % 2 === 0 ? contenders : [...contenders].reverse();
    for (const contender of order) {
      const figures = await runRound(contender, await saleOf(contender), scenario.connections, generator);
      rounds[contender.name]!.push(figures);
      tellRound(contender.name, figures);
    }
  }
  const ratios = Object.fromEntries(
    contenders.slice(1).map(({ name }) => {
      const each = rounds[name]!.map((figures, pair) => rounds.parterre![pair]!.perSecond / figures.perSecond);
      return [
        name,
        quantile(
          each.sort((a, b) => a - b),
          0.5,
        ),
      ];
    }),
  );
  tellScenario(rounds, ratios);
  return { ...scenario, ratios, rounds };
}

async function runRound(contender: Contender, sale: Sale, connections: number, generator: Generator): Promise<Figures> {
  const processes = contender.processes();
  await untilIdle(processes);
  const before = cpuSeconds(processes);
  const { port, token } = contender;
  const order = { port, token, connections, seconds: roundSeconds, events: sale.events, labels, from: sale.next };
  const result = await generator.run(order);
  sale.next = result.next;
  const idleAfterMs = await untilIdle(processes);
  const { successes, seconds } = result;
  const used = cpuBetween(before, cpuSeconds(processes));
  return {
    successes,
    seconds,
    perSecond: successes / seconds,
    p50Ms: result.p50Ms,
    p99Ms: result.p99Ms,
    cpuMicrosPerSuccess: Object.fromEntries(Object.entries(used).map(([name, cpu]) => [name, (cpu * 1e6) / successes])),
    generatorMicrosPerSuccess: (result.cpuSeconds * 1e6) / successes,
    generatorShare: result.cpuSeconds / seconds,
    idleAfterMs,
  };
}

/** Opens events for sale and sells the first seat of each, so that no round pays for an event's first use. */
async function openSale(contender: Contender, count: number): Promise<Sale> {
  const events: string[] = [];
  while (events.length < count) events.push(await contender.openEvent());
  await sellFirstSeats(contender, events);
  return { events, next: count };
}

async function sellFirstSeats({ port, token }: Contender, events: string[]): Promise<void> {
  for (const event of events) {
    const url = `http://127.0.0.1:${port}/v1/events/${event}`;
    const { holdId } = await post<{ holdId: string }>(`${url}/hold`, { labels: [labels[0]] }, token);
    await post(`${url}/book`, { holdId, bookingRef: `first-${event}` }, token);
  }
}

/** Resolves with how long it took until these processes had nothing left to do. */
async function untilIdle(processes: Record<string, number>): Promise<number> {
  const started = performance.now();
  if (!tellsCpu) return 0;
  const sum = (seconds: Record<string, number>): number => Object.values(seconds).reduce((a, b) => a + b, 0);
  let before = sum(cpuSeconds(processes));
  while (performance.now() - started < idleMsMax) {
    await new Promise((resolve) => setTimeout(resolve, idleLookMs));
    const now = sum(cpuSeconds(processes));
    if (now - before < (idleShare * idleLookMs) / 1000) break;
    before = now;
  }
  return performance.now() - started;
}

await main();
