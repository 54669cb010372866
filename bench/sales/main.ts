/**
 * `npm run bench`: hold and book over HTTP on events of 20,000 seats, all features on, budgets lifted, beside the
 * baselines of bench/README.md under the same load in the same run. All contenders take turns, in reverse order every
 * second time. A ratio is the median over the turns: machines drift, ratios drift far less.
 *
 * Two passes compare like with like: NATS with its default (`sync_interval: 2m`) beside Redis with `everysec`, and
 * `always` beside Redis with `always` and PostgreSQL. Work after the end of the load counts towards a contender's CPU,
 * and the next contender waits until it is done.
 */
import { writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { findNatsServer } from '../../scripts/launch/find-nats-server.ts';
import { knowsSyncInterval } from '../../shared/src/nats-version.ts';
import { type Generator, startGenerator } from '../load/generator.ts';
import { medianOf } from '../load/http-load.ts';
import type { Contender, Durability } from './contender.ts';
import { baselines, startContender } from './contenders.ts';
import { labelsForSale } from './parterre.ts';
import { type Entrant, enter, type Figures, runRound } from './round.ts';
import { tellRound, tellScenario } from './tell.ts';

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
const seconds = Number(options.seconds ?? (options.quick ? 1 : 3));
const manyEvents = 64;
const scenarios = [1, manyEvents].flatMap((events) => [64, 256].map((connections) => ({ events, connections })));
const labels = labelsForSale();
const signals = ['SIGINT', 'SIGTERM'] as const;

type Scenario = { durability: Durability; events: number; connections: number };
type Told = Scenario & { ratios: Record<string, number>; rounds: Record<string, Figures[]> };

async function main(): Promise<void> {
  const chosen = options.only?.split(',') ?? Object.keys(baselines);
  const unknown = chosen.filter((name) => !baselines[name]);
  if (unknown.length > 0)
    throw new Error(`--only has no baseline ${unknown}. It has: ${Object.keys(baselines).join(', ')}`);
  const generator = startGenerator();
  const missing: Record<string, string> = {};
  const told: Told[] = [];
  try {
    for (const durability of await durabilities()) {
      const names = chosen.filter((name) => baselines[name]!.comparedAt.includes(durability));
      if (names.length > 0) told.push(...(await runPass(durability, names, generator, missing)));
    }
  } finally {
    generator.stop();
  }
  for (const [name, why] of Object.entries(missing)) console.log(`\nMISSING: ${name} was not measured: ${why}`);
  if (!options.json) return;
  const machine = { cores: cpus().length, cpu: cpus()[0]?.model, node: process.version };
  const figures = { machine, pairs, seconds, cluster: options.cluster, missing, scenarios: told };
  writeFileSync(options.json, `${JSON.stringify(figures, null, 2)}\n`);
}

/** A NATS server that cannot sync every append is measured only at the relaxed durability. */
async function durabilities(): Promise<Durability[]> {
  const nats = await findNatsServer({ say: (line) => console.log(line) });
  if (!nats.found) throw new Error(nats.message);
  if (knowsSyncInterval(nats.version)) return ['relaxed', 'always'];
  console.log(`nats-server ${nats.version} has no sync_interval: only the relaxed durability is measured.`);
  return ['relaxed'];
}

/** One durability: all contenders are started once, then all scenarios run. */
async function runPass(
  durability: Durability,
  names: string[],
  generator: Generator,
  missing: Record<string, string>,
): Promise<Told[]> {
  const running: Contender[] = [];
  const entrants: Entrant[] = [];
  const told: Told[] = [];
  let stopping: Promise<void> | null = null;
  const stop = (): Promise<void> => {
    stopping ??= stopAll(running);
    return stopping;
  };
  // Ctrl-C does not reach servers that run in process groups of their own, so they are stopped here.
  const giveUp = (): void => void stop().finally(() => process.exit(1));
  for (const signal of signals) process.once(signal, giveUp);
  try {
    for (const name of ['parterre', ...names]) {
      const started = await startContender(name, { labels, durability, cluster: options.cluster });
      if ('missing' in started) {
        missing[name] = started.missing;
        continue;
      }
      running.push(started);
      entrants.push(await enter(started, labels, manyEvents));
    }
    const warmUp = { labels, seconds, connections: scenarios[0]!.connections, isOneEvent: true };
    for (const entrant of entrants) await runRound(entrant, warmUp, generator);
    for (const scenario of scenarios) told.push(await runScenario({ durability, ...scenario }, entrants, generator));
  } finally {
    await stop();
    for (const signal of signals) process.off(signal, giveUp);
  }
  return told;
}

async function stopAll(contenders: Contender[]): Promise<void> {
  for (const contender of [...contenders].reverse()) await contender.stop();
}

async function runScenario(scenario: Scenario, entrants: Entrant[], generator: Generator): Promise<Told> {
  const { durability, events, connections } = scenario;
  const rounds: Record<string, Figures[]> = Object.fromEntries(entrants.map(({ name }) => [name, []]));
  console.log(
    `\n${connections} connections, ${events} event(s), NATS sync ${durability === 'always' ? 'always' : '2m'}`,
  );
  for (let pair = 0; pair < pairs; pair++) {
    for (const entrant of pair % 2 === 0 ? entrants : [...entrants].reverse()) {
      const figures = await runRound(entrant, { labels, seconds, connections, isOneEvent: events === 1 }, generator);
      rounds[entrant.name]!.push(figures);
      tellRound(entrant.name, figures);
    }
  }
  const ratioTo = (name: string): number =>
    medianOf(rounds[name]!.map(({ perSecond }, pair) => rounds.parterre![pair]!.perSecond / perSecond));
  const ratios = Object.fromEntries(entrants.slice(1).map(({ name }) => [name, ratioTo(name)]));
  tellScenario(rounds, ratios);
  return { ...scenario, ratios, rounds };
}

await main();
