/**
 * A pass of the benchmark: its contenders are up at once and take turns, in reverse order every second time. Machines
 * drift; ratios of neighbours drift far less.
 *
 * Failure: an error in a round, or a signal, cuts the run short. All contenders are stopped. The report keeps the
 * scenarios that are finished, and says why the rest is missing. Ctrl-C does not reach servers in process groups of
 * their own, so a signal stops them here too.
 */
import type { Generator } from '../load/generator.ts';
import type { Beside, Contender } from './contender.ts';
import { startContender } from './contenders.ts';
import { type Rounds, resultOf, type ScenarioResult, withoutSuccess } from './figures.ts';
import { manyEvents, nameOf, type Pass, type Scenario } from './passes.ts';
import { type Entrant, enter, runRound } from './round.ts';
import { tellRound, tellScenario } from './tell.ts';

export type RaceSettings = { pairs: number; seconds: number; cluster: boolean; labels: string[]; beside?: Beside };

/** The report of all passes so far. */
export type Report = {
  /** The reason for each contender that was not measured. */
  missing: Record<string, string>;
  /** By contender. */
  versions: Record<string, string>;
  scenarios: (ScenarioResult & { rounds: Rounds })[];
};

/**
 * Long enough for the compiler, in a quick run too. After 2 seconds of load half of the shard's CPU was still the
 * compiler's, after 8 seconds a tenth. Sales on one event and on many take different ways.
 */
const warmUp = { seconds: 3, connections: 64, load: 'sales', offeredPerSecond: null } as const;
const warmUpEvents = [1, manyEvents, 1, manyEvents];

const signals = ['SIGINT', 'SIGTERM'] as const;

/**
 * Runs the passes one after the other. Never rejects: the reason that cut the run short goes into the report, and is
 * returned. Null for a whole run.
 */
export async function runAll(
  passes: readonly Pass[],
  run: (pass: Pass) => Promise<void>,
  report: Report,
): Promise<unknown> {
  try {
    for (const pass of passes) await run(pass);
    return null;
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    report.missing['the rest of the run'] = `the run was cut short: ${why}`;
    return cause;
  }
}

/** Runs all scenarios of a pass, and adds them to the report one by one. Rejects for a failure or a signal. */
export async function runPass(pass: Pass, settings: RaceSettings, generator: Generator, report: Report): Promise<void> {
  const running: Contender[] = [];
  const { signalled, forget } = awaitSignal();
  const race = async (): Promise<void> => {
    const entrants = await enterAll(pass, settings, running, report, signalled);
    for (const events of warmUpEvents) {
      for (const entrant of entrants) await runRound(entrant, { ...settings, ...warmUp, events }, generator);
    }
    for (const scenario of pass.scenarios) await runScenario(scenario, entrants, settings, generator, report);
  };
  try {
    await Promise.race([race(), untilAborted(signalled)]);
  } finally {
    await stopAll(running);
    forget();
  }
}

/** Aborts at the first signal, with a reason. Until `forget`, a signal does not end this process. */
function awaitSignal(): { signalled: AbortSignal; forget: () => void } {
  const controller = new AbortController();
  const onSignal = (signal: NodeJS.Signals): void => controller.abort(new Error(`${signal} came`));
  for (const signal of signals) process.on(signal, onSignal);
  return {
    signalled: controller.signal,
    forget: () => {
      for (const signal of signals) process.off(signal, onSignal);
    },
  };
}

function untilAborted(signalled: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signalled.addEventListener('abort', () => reject(signalled.reason), { once: true });
  });
}

async function enterAll(
  { contenders, durability }: Pass,
  { labels, cluster, beside }: RaceSettings,
  running: Contender[],
  report: Report,
  signalled: AbortSignal,
): Promise<Entrant[]> {
  const entrants: Entrant[] = [];
  for (const name of contenders) {
    const started = await startContender(name, { labels, durability, cluster, ...(beside && { beside }) });
    if ('missing' in started) {
      report.missing[name] = started.missing;
      continue;
    }
    // The pass is over, and the others are stopped.
    if (signalled.aborted) await started.stop();
    signalled.throwIfAborted();
    running.push(started);
    if (started.version !== undefined) report.versions[name.split('-')[0]!] = started.version;
    entrants.push(await enter(started));
  }
  return entrants;
}

async function stopAll(contenders: Contender[]): Promise<void> {
  for (const contender of [...contenders].reverse()) await contender.stop();
}

async function runScenario(
  scenario: Scenario,
  entrants: Entrant[],
  settings: RaceSettings,
  generator: Generator,
  report: Report,
): Promise<void> {
  const names: string[] = [scenario.subject, ...scenario.others];
  const racing = entrants.filter(({ name }) => names.includes(name));
  const offeredPerSecond = scenario.load === 'offered sales' ? halfOfRedis(scenario, report) : null;
  // A missing baseline was reported, and a subject alone is compared with nothing.
  if (racing.length < 2) return;
  const rounds: Rounds = Object.fromEntries(racing.map(({ name }) => [name, []]));
  console.log(`\n${nameOf(scenario)}${offeredPerSecond === null ? '' : `, ${offeredPerSecond.toFixed(0)}/s offered`}`);
  for (let pair = 0; pair < settings.pairs; pair++) {
    for (const entrant of pair % 2 === 0 ? racing : [...racing].reverse()) {
      const figures = await runRound(entrant, { ...settings, ...scenario, offeredPerSecond }, generator);
      rounds[entrant.name]!.push(figures);
      tellRound(entrant.name, figures);
    }
  }
  keepScenario(scenario, offeredPerSecond, rounds, report);
}

/** Adds a finished scenario to the report. Without a success of the subject there is nothing to compare. */
export function keepScenario(
  scenario: Scenario,
  offeredPerSecond: number | null,
  rounds: Rounds,
  report: Report,
): void {
  const silent = withoutSuccess(rounds);
  for (const name of silent) report.missing[`${name} in ${nameOf(scenario)}`] = 'no success in any turn';
  if (silent.includes(scenario.subject)) return;
  const result = resultOf(scenario, offeredPerSecond, rounds);
  tellScenario(result);
  report.scenarios.push({ ...result, rounds });
}

/** Half of the sales that Redis with `everysec` made in this run, on as many events and connections. */
function halfOfRedis({ events, connections }: Scenario, { scenarios }: Report): number | null {
  const sales = scenarios.find(
    (each) => each.load === 'sales' && each.events === events && each.connections === connections,
  );
  const redis = sales?.contenders['redis-everysec'];
  return redis ? redis.perSecond.median / 2 : null;
}
