/**
 * `npm run test:simulation`: the histories of 10,000 seeds, in one process a core, until the first failure. `SEED=123`
 * plays one seed and prints the end of its trace; `SEEDS=500` plays 500 seeds, `FROM=20000` starts at that seed.
 */
import { fork } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { tell } from './checks/report.ts';
import { simulate, type Verdict } from './simulation.ts';

const { SEED, SEEDS = '10000', FROM = '1', SHARE } = process.env;

/** The result of one process. */
type Played = { seeds: number; steps: number; answers: number; stored: number; failed: Verdict | null };

async function playShare(first: number, end: number, stride: number): Promise<Played> {
  const played: Played = { seeds: 0, steps: 0, answers: 0, stored: 0, failed: null };
  for (let seed = first; seed < end && played.failed === null; seed += stride) {
    const verdict = await simulate(seed);
    played.seeds++;
    played.steps += verdict.steps;
    played.answers += verdict.answers;
    played.stored += verdict.stored;
    if (verdict.failure !== null) played.failed = verdict;
  }
  return played;
}

async function playAll(): Promise<void> {
  const shares = availableParallelism();
  const since = performance.now();
  const children = Array.from({ length: shares }, (_, share) =>
    fork(fileURLToPath(import.meta.url), { env: { ...process.env, SHARE: `${share}/${shares}` } }),
  );
  const total = { seeds: 0, steps: 0, answers: 0, stored: 0 };
  await Promise.all(
    children.map(
      (child) =>
        new Promise<void>((resolve) => {
          child.on('message', ({ failed, ...played }: Played) => {
            for (const key of Object.keys(total) as (keyof typeof total)[]) total[key] += played[key];
            if (failed === null || process.exitCode) return;
            console.log(tell(failed));
            process.exitCode = 1;
            for (const other of children) if (other !== child) other.kill();
          });
          child.on('exit', (code) => {
            if (code) process.exitCode = code;
            resolve();
          });
        }),
    ),
  );
  const seconds = ((performance.now() - since) / 1000).toFixed(0);
  const { seeds, steps, answers, stored } = total;
  console.log(`${seeds} seeds in ${seconds} s: ${steps} steps, ${answers} answers, ${stored} messages in journals`);
}

if (SEED !== undefined) {
  const verdict = await simulate(Number(SEED));
  console.log(verdict.failure === null ? `seed ${SEED} holds, trace ${verdict.traceHash}` : tell(verdict));
  process.exitCode = verdict.failure === null ? 0 : 1;
} else if (SHARE !== undefined) {
  const [share, shares] = SHARE.split('/').map(Number) as [number, number];
  process.send!(await playShare(Number(FROM) + share, Number(FROM) + Number(SEEDS), shares));
  process.disconnect();
} else await playAll();
