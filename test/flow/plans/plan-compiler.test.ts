/**
 * The plan compiler, as a thread: the plans of all charts, threads that die or hang, and the bound on waiting plans.
 */
import { execFile } from 'node:child_process';
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as turnOfLoop } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { gzipSync } from 'node:zlib';
import { compilePlan } from '@parterre/shared/charts/compile';
import type { ChartDocument } from '@parterre/shared/charts/document';
import type { Plan } from '@parterre/shared/charts/plan';
import { compileMsMax, plansWaitingMax } from '@parterre/shared/charts/plans/bounds';
import { compilerThread, PlanCompiler } from '@parterre/shared/charts/plans/plans';
import { threadPauseMsMax, threadPauseMsMin, threadRestMsMax } from '@parterre/shared/protocol/job-thread';
import { createLog } from '@parterre/shared/runtime/log';
import { build } from 'esbuild';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bowl, demoTheatre, theatreAndArena } from '../../../scripts/generate-charts.mjs';
import { booth, chart, row } from '../../support/charts.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { anyVenue } from '../../support/venues.ts';

const execute = promisify(execFile);
const log = createLog('test', 'silent');
const compilers: PlanCompiler[] = [];
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parterre-plans-'));
  await build({
    entryPoints: ['shared/src/charts/plans/compiler-main.ts'],
    bundle: true,
    platform: 'node',
    format: 'esm',
    logLevel: 'warning',
    outfile: join(folder, 'compiles.mjs'),
  });
  const onDocument = (run: string): string =>
    `import { parentPort } from 'node:worker_threads'; parentPort.on('message', ({ hash }) => { ${run} });`;
  await writeFile(join(folder, 'dies.mjs'), onDocument("if (hash === 'dies') process.exit(1);"));
  await writeFile(join(folder, 'may-die.mjs'), "import './dies.mjs'; import './compiles.mjs';");
  await writeFile(
    join(folder, 'names-itself.mjs'),
    `import { threadId } from 'node:worker_threads';
    ${onDocument("parentPort.postMessage({ kind: 'failed', message: String(threadId) });")}`,
  );
  await writeFile(join(folder, 'hangs.mjs'), onDocument('for (;;);'));
});

afterAll(async () => {
  await Promise.all(compilers.map((compiler) => compiler.close()));
  await rm(folder, { recursive: true });
});

function compilerOn(program: string, clock = new ManualClock()) {
  const compiler = new PlanCompiler(clock, log, compilerThread(pathToFileURL(join(folder, `${program}.mjs`))));
  compilers.push(compiler);
  const compile = (document: ChartDocument, hash = 'hash'): Promise<Plan> =>
    compiler.compile(gzipSync(JSON.stringify(document)), hash);
  return { compiler, clock, compile };
}

const small = chart([row()]);

function expectSame(plan: Plan, expected: Plan): void {
  const units = [...Array(expected.unitCount).keys()];
  expect(expected.labels.all().map((label) => plan.labels.unitOf(label))).toEqual(units);
  expect(comparable(plan)).toEqual(comparable(expected));
}

/** Long columns are compared more quickly as text. */
function comparable({ labels, ...plan }: Plan) {
  const fields = Object.entries(plan).map(([name, value]): [string, unknown] =>
    ArrayBuffer.isView(value)
      ? [name, `${value.constructor.name} ${Buffer.from(value.buffer).toString('hex')}`]
      : [name, value],
  );
  return { ...Object.fromEntries(fields), labels: labels.all() };
}

const hall = { id: 'hall', name: 'Hall', focalPoint: { x: 0, y: 1 } };
const charts: Record<string, ChartDocument> = {
  bowl: bowl(),
  'theatre and arena': theatreAndArena(),
  'demo theatre': demoTheatre(),
  'hall with two floors': chart([row()], {
    floors: [
      { ...hall, objects: [row()] },
      { ...hall, id: 'balcony', focalPoint: { x: 2, y: 3 }, objects: [row({ id: 'b', label: 'B' })] },
    ],
  }),
  'chart with labels outside Latin-1': chart([row({ label: 'Ряд' }), booth({ label: '包厢' })]),
  'chart without objects': chart([]),
  'chart of 5,000 booths': chart(
    Array.from({ length: 5_000 }, (_, i) => booth({ id: `booth-${i}`, label: `B${i}`, center: { x: i, y: 0 } })),
  ),
};

describe('the thread compiles', () => {
  test.each(Object.entries(charts))('a %s as the loop would', async (_, document) => {
    const { compile } = compilerOn('compiles');
    expectSame(await compile(document), compilePlan(document, 'hash'));
  });

  test('any chart as the loop would, each for its own caller', async () => {
    const { compile } = compilerOn('compiles');
    await fc.assert(
      fc.asyncProperty(fc.array(anyVenue(), { maxLength: 6 }), async (documents) => {
        const plans = await Promise.all(documents.map((document, nth) => compile(document, `hash ${nth}`)));
        for (const [nth, plan] of plans.entries()) expectSame(plan, compilePlan(documents[nth]!, `hash ${nth}`));
      }),
      { numRuns: 30 },
    );
  });
});

test('the program starts quickly: it carries no library', async () => {
  expect((await stat(join(folder, 'compiles.mjs'))).size).toBeLessThan(100_000);
});

test('a document stays with its caller', async () => {
  const { compiler } = compilerOn('compiles');
  const message = Buffer.concat([Buffer.from('head'), gzipSync(JSON.stringify(small))]);
  for (let round = 0; round < 2; round++) {
    expect((await compiler.compile(message.subarray(4), 'hash')).unitCount).toBe(10);
  }
  expect(message.toString('latin1', 0, 4)).toBe('head');
});

test('a document that cannot be compiled fails alone', async () => {
  const { compiler, compile } = compilerOn('compiles');
  const broken = compile(chart([row({ categoryKey: 'gone' })]), 'broken');
  const [failed, plan] = await Promise.allSettled([broken, compile(small)]);
  expect(failed).toMatchObject({ reason: { message: expect.stringContaining('A-1 is of unknown category') } });
  expect(plan).toMatchObject({ value: { unitCount: 10 } });
  await expect(compiler.compile(Buffer.from('no gzip'), 'hash')).rejects.toThrow('compile plan hash');
  expect(compiler.deaths).toBe(0);
});

test('the next thread starts after a pause, which doubles with each death in a row', async () => {
  const { clock, pauses } = hastyClock();
  const { compiler, compile } = compilerOn('may-die', clock);
  const outcomes = await Promise.allSettled(
    ['dies', 'dies', 'well', 'dies', 'well'].map((hash) => compile(small, hash)),
  );
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'fulfilled', 'rejected', 'fulfilled']);
  expect(outcomes[0]).toMatchObject({ reason: { message: expect.stringContaining('the plan compiler died') } });
  expect(pauses).toEqual([threadPauseMsMin, 2 * threadPauseMsMin, threadPauseMsMin]);
  expect(compiler.deaths).toBe(3);
});

test('a thread that hangs is ended after its time', async () => {
  const { compiler, clock, compile } = compilerOn('hangs');
  const compiling = compile(small);
  await turnOfLoop();
  clock.advance(compileMsMax);
  await expect(compiling).rejects.toThrow('the plan compiler died');
  expect(compiler.deaths).toBe(1);
});

test('past the bound of waiting plans a plan is refused, and the end of the service fails all others', async () => {
  const { compiler, compile } = compilerOn('hangs');
  const all = Array.from({ length: 1 + plansWaitingMax }, () => compile(small));
  const ended = Promise.allSettled(all);
  await expect(compile(small)).rejects.toThrow(`${plansWaitingMax} turns wait`);
  await compiler.close();
  expect(new Set((await ended).map(({ status }) => status))).toEqual(new Set(['rejected']));
  await expect(compile(small)).rejects.toThrow('the service stops');
});

test('a plan that nobody uses is forgotten', async () => {
  const { compile } = compilerOn('compiles');
  const plans = [new WeakRef(await compile(small)), new WeakRef(await compile(theatreAndArena()))];
  await turnOfLoop();
  collectGarbage();
  expect(plans.map((plan) => plan.deref())).toEqual([undefined, undefined]);
});

test('a thread that is started ahead waits for its plan, and rests as long as any', () => {
  const clock = new ManualClock();
  const seen: string[] = [];
  const compiler = new PlanCompiler(clock, log, () => {
    seen.push('started');
    return { postMessage: () => {}, terminate: async () => seen.push('ended') };
  });
  compiler.wake();
  clock.advance(threadRestMsMax - 1);
  compiler.wake();
  clock.advance(threadRestMsMax - 1);
  expect(seen).toEqual(['started']);
  clock.advance(1);
  expect(seen).toEqual(['started', 'ended']);
});

test('a thread without work ends after its rest, and the next plan starts another', async () => {
  const { compiler, clock, compile } = compilerOn('names-itself');
  const thread = async (): Promise<string> => (await compile(small).catch((fault: Error) => fault)).toString();
  const first = await thread();
  clock.advance(threadRestMsMax - 1);
  expect(await thread()).toBe(first);
  clock.advance(threadRestMsMax - 1);
  expect(await thread()).toBe(first);
  clock.advance(threadRestMsMax);
  expect(await thread()).not.toBe(first);
  expect(compiler.deaths).toBe(0);
});

test('a thread without work keeps no process alive', async () => {
  const outfile = join(folder, 'process.mjs');
  const contents = `
    import { gzipSync } from 'node:zlib';
    import { systemClock } from './shared/src/runtime/clock.ts';
    import { compilerThread, PlanCompiler } from './shared/src/charts/plans/plan-compiler.ts';
    const thread = compilerThread(new URL('./compiles.mjs', import.meta.url));
    const compiler = new PlanCompiler(systemClock, console, thread);
    const alive = setInterval(() => {}, 1_000);
    const { unitCount } = await compiler.compile(gzipSync(${JSON.stringify(JSON.stringify(small))}), 'hash');
    clearInterval(alive);
    console.log(unitCount);`;
  const stdin = { contents, resolveDir: process.cwd() };
  await build({ stdin, bundle: true, platform: 'node', format: 'esm', logLevel: 'warning', outfile });
  const { stdout } = await execute(process.execPath, [outfile], { timeout: threadRestMsMax });
  expect(stdout).toBe('10\n');
});

/** Pauses end at once, in a later turn. No plan has used up its time, and no thread rests. */
function hastyClock(): { clock: ManualClock; pauses: number[] } {
  const pauses: number[] = [];
  const clock = new ManualClock();
  clock.after = (delayMs, run) => {
    if (delayMs <= threadPauseMsMax) {
      pauses.push(delayMs);
      setImmediate(run);
    }
    return () => {};
  };
  return { clock, pauses };
}

function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
}
