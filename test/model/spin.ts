/**
 * Runs a search with SPIN: model → C program (spin) → checker (gcc) → its report. The search visits every state of the
 * model; nothing is hashed away. A search that fails leaves a trail, which SPIN plays again for the counterexample.
 */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Fault } from '@parterre/shared/protocol/errors';
import { root } from '../../scripts/launch/root.ts';
import { type Ran, runCommand } from '../../scripts/launch/run-command.ts';
import { inPath, installPackages } from '../support/runner/debian.ts';
import type { Search } from './searches.ts';

/** `violated`: the comment at the assertion that failed, and the steps that lead there. */
export type Result = { states: number; seconds: number; violated: { promise: string; steps: string[] } | null };

const searchMsMax = 30 * 60_000;
const depthMax = 200_000;

/** Null, or the reason why the checker cannot run. */
export function missingSpin(): string | null {
  const missing = ['spin', 'gcc'].filter((name) => inPath([name]) === null);
  return missing.length === 0
    ? null
    : `There is no ${missing.join(' and no ')}. On Debian: apt-get install ${packages.join(' ')}`;
}

const packages = ['spin', 'gcc', 'libc6-dev'];

export async function installSpin(say: (line: string) => void): Promise<string | null> {
  if (missingSpin() === null) return null;
  return (await installPackages(packages, say)) ?? missingSpin();
}

/** Throws when the search could not be made, or left states out. */
export async function runSearch({ file, flags, isRight }: Search): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), 'parterre-model-'));
  const model = join(root, 'docs', 'model', file);
  const defines = Object.entries(flags).map(([name, value]) => `-D${name}=${value}`);
  const run = async (program: string, ...args: string[]): Promise<string> =>
    outputOf(await runCommand(program, args, { deadlineMs: searchMsMax, cwd: folder }), program);
  try {
    await run('spin', '-a', ...defines, model);
    // A wrong variant fails after few states: the compiler would take longer than it saves.
    await run('gcc', isRight ? '-O2' : '-O0', '-w', '-DSAFETY', '-DCOLLAPSE', '-o', 'pan', 'pan.c');
    const since = performance.now();
    const report = await run(join(folder, 'pan'), '-E', `-m${depthMax}`);
    const seconds = (performance.now() - since) / 1000;
    const { states, errors } = countsOf(report);
    if (errors === 0) return { states, seconds, violated: null };
    const trail = await run('spin', '-t', '-T', ...defines, '-k', join(folder, `${file}.trail`), model);
    return { states, seconds, violated: await counterexampleOf(trail) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function outputOf(ran: Ran, program: string): string {
  if (!ran.ok) throw new Fault(`run ${program}: ${ran.why}`);
  return ran.stdout;
}

function countsOf(report: string): { states: number; errors: number } {
  const states = Number(report.match(/(\d+) states, stored/)?.[1]);
  const errors = Number(report.match(/errors: (\d+)/)?.[1]);
  const isWhole = errors > 0 || !/search not completed|max search depth too small/i.test(report);
  if (!isWhole || Number.isNaN(states) || Number.isNaN(errors)) {
    throw new Fault(`the search is not complete:\n${report}`);
  }
  return { states, errors };
}

/** The steps are the lines that the model prints. The failed assertion has a comment behind it or on the line above. */
async function counterexampleOf(trail: string): Promise<{ promise: string; steps: string[] }> {
  const [, file, line] = trail.match(/(\S+\.pml):(\d+), Error: assertion violated/) ?? [];
  if (file === undefined) throw new Fault('the trail of a failed search ends without a failed assertion');
  const lines = (await readFile(file, 'utf8')).split('\n').slice(Number(line) - 2, Number(line));
  const promise = lines.map((text) => text.match(/\/\* (.*) \*\//)?.[1]).findLast((text) => text !== undefined);
  const steps = trail.split('\n').filter((text) => /^ *(owner|sequence|event) \d/.test(text));
  return { promise: promise ?? `${file}:${line}`, steps: steps.map((step) => step.trimEnd()) };
}
