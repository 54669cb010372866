/**
 * `npm run test:simulation`: simulated histories of fresh seeds, in one process a core. The
 * first seed comes from the clock, so that two nights differ; it is printed. A process ends at its first failure. A
 * failing seed is printed with the end of
 * its trace, and kept as a case in test/simulation/cases, which `npm test` plays from then on.
 *
 *   --seeds 10000      this many seeds (the default)
 *   --minutes 30       as many seeds as fit in this time
 *   --from 20000       the first seed
 *   --workers 1        in this many processes (by default one a core)
 *   --seed 123         one seed (also `SEED=123`); `--trace 9999` tells more of its trace
 *   --lies             histories whose journal lies (lies/lying.ts)
 *   --blind            the same without comparisons of evidence: counts the seeds that fail, and goes on
 */
import { fork } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { tell } from './checks/report.ts';
import { simulateLie } from './lies/lying.ts';
import { simulate, type Verdict } from './simulation.ts';
import { addTo, count, newTally, type Tally, textOf } from './tally.ts';

const { values: options } = parseArgs({
  options: {
    seeds: { type: 'string' },
    minutes: { type: 'string' },
    from: { type: 'string' },
    seed: { type: 'string' },
    trace: { type: 'string' },
    workers: { type: 'string' },
    share: { type: 'string' },
    lies: { type: 'boolean' },
    blind: { type: 'boolean' },
  },
});
const { SEED, SEEDS, FROM, CASES = 'test/simulation/cases' } = process.env;

/** A history is young garbage: much room for it, and no further threads beside the process of a core. */
const collectorOptions = ['--max-semi-space-size=64', '--min-semi-space-size=32', '--single-threaded-gc'];

/** Seeds are whole numbers below 2 ** 32; each second begins 16 seeds behind the second before. */
const freshSeed = (): number => (Math.floor(Date.now() / 1_000) * 16) % 2 ** 31;

/** A part of all seeds: every `stride`-th from `first` on, before `end` and until `endsAt` (epoch milliseconds). */
type Share = { first: number; stride: number; end: number; endsAt: number };

const isOfLies = options.lies === true || options.blind === true;
/** For the words that tell how to play a seed again. */
const ofKind = kindOf()
  .map((option) => `${option} `)
  .join('');
const play = (seed: number, traceKept?: number): Promise<Verdict> =>
  isOfLies ? simulateLie(seed, options.blind !== true, traceKept) : simulate(seed, traceKept);

/** The result of one process. */
type Played = {
  seeds: number;
  steps: number;
  answers: number;
  stored: number;
  tally: Tally;
  failed: Verdict | null;
};

async function playShare({ first, stride, end, endsAt }: Share): Promise<Played> {
  const played: Played = { seeds: 0, steps: 0, answers: 0, stored: 0, tally: newTally(), failed: null };
  for (let seed = first; seed < end && Date.now() < endsAt && played.failed === null; seed += stride) {
    const verdict = await play(seed);
    played.seeds++;
    played.steps += verdict.steps;
    played.answers += verdict.answers;
    played.stored += verdict.stored;
    addTo(played.tally, verdict.tally);
    if (verdict.failure === null) continue;
    if (options.blind) count(played.tally.moments, wordsOf(verdict.failure));
    else played.failed = verdict;
  }
  return played;
}

/** A failure without its names and numbers. */
function wordsOf(failure: string): string {
  return failure
    .split('\n')[0]!
    .replaceAll(/ ?\([^)]*\)/g, '')
    .replaceAll(/[a-z]+-?[\d/]+|\b[A-Z]-\d+|\d+/gi, '…');
}

async function playAll(): Promise<void> {
  const shares = Number(options.workers ?? availableParallelism());
  const first = Number(options.from ?? FROM ?? freshSeed());
  const endsAt = options.minutes ? Date.now() + Number(options.minutes) * 60_000 : Number.MAX_SAFE_INTEGER;
  const seeds = options.minutes ? Number.MAX_SAFE_INTEGER : Number(options.seeds ?? SEEDS ?? 10_000);
  console.log(`seeds from ${first} on`);
  const since = performance.now();
  const results = await Promise.all(
    Array.from({ length: shares }, (_, i) =>
      playIn({ first: first + i, stride: shares, end: first + seeds, endsAt } satisfies Share),
    ),
  );
  const seconds = ((performance.now() - since) / 1000).toFixed(0);
  const sum = (key: 'seeds' | 'steps' | 'answers' | 'stored'): number =>
    results.reduce((total, played) => total + played[key], 0);
  console.log(
    `${sum('seeds')} seeds in ${seconds} s: ${sum('steps')} steps, ${sum('answers')} answers, ` +
      `${sum('stored')} messages in journals`,
  );
  const tally = newTally();
  for (const played of results) addTo(tally, played.tally);
  console.log(`\n${textOf(tally)}`);
}

function kindOf(): string[] {
  if (options.blind) return ['--blind'];
  return options.lies ? ['--lies'] : [];
}

/** Plays a share in a process of its own. A failure is told and kept at once. */
function playIn(share: Share): Promise<Played> {
  const child = fork(fileURLToPath(import.meta.url), ['--share', JSON.stringify(share), ...kindOf()], {
    serialization: 'advanced',
    execArgv: [...process.execArgv, ...collectorOptions],
  });
  return new Promise((resolve, reject) => {
    child.on('message', (played: Played) => {
      if (played.failed) takeFailure(played.failed);
      resolve(played);
    });
    child.on('exit', (code) => reject(new Error(`a process of the simulation ended with ${code}`)));
  });
}

function takeFailure(verdict: NonNullable<Played['failed']>): void {
  process.exitCode = 1;
  console.log(tell(verdict, ofKind));
  const { seed, failure } = verdict;
  const file = join(CASES, `${isOfLies ? 'lies' : 'seed'}-${seed}.json`);
  writeFileSync(file, `${JSON.stringify({ seed, failure: failure!.split('\n')[0] }, null, 2)}\n`);
  console.log(`the seed is kept in ${file}`);
}

const one = options.seed ?? SEED;
if (one !== undefined) {
  const verdict = await play(Number(one), options.trace ? Number(options.trace) : undefined);
  console.log(`${textOf(verdict.tally)}\n`);
  console.log(verdict.failure === null ? `seed ${one} holds, trace ${verdict.traceHash}` : tell(verdict, ofKind));
  process.exitCode = verdict.failure === null ? 0 : 1;
} else if (options.share !== undefined) {
  const played = await playShare(JSON.parse(options.share) as Share);
  process.send!(played, () => process.disconnect());
} else await playAll();
