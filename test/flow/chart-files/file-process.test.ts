/** The process of a file, as a process: files that need too much of it, and its end. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { FileJob } from '../../../services/frontdoor/src/chart-files/file-jobs.ts';
import { fileProcesses } from '../../../services/frontdoor/src/chart-files/file-process.ts';
import { ManualClock } from '../../support/manual-clock.ts';

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parterre-files-'));
  await build({
    entryPoints: ['services/frontdoor/src/chart-files/file-main.ts'],
    bundle: true,
    platform: 'node',
    format: 'esm',
    logLevel: 'warning',
    outfile: join(folder, 'files.mjs'),
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
  });
  const onJob = (run: string) => `process.once('message', () => { ${run} });`;
  await writeFile(join(folder, 'never-tells.mjs'), onJob('setInterval(() => {}, 1000);'));
  await writeFile(join(folder, 'throws.mjs'), onJob("process.send({ kind: 'broken', error: new Error('a bug') });"));
  await writeFile(join(folder, 'leaves.mjs'), onJob('process.exit(3);'));
  await writeFile(join(folder, 'is-stopped.mjs'), onJob("process.kill(process.pid, 'SIGTERM');"));
  await writeFile(join(folder, 'is-taken.mjs'), onJob("process.kill(process.pid, 'SIGKILL');"));
  await writeFile(join(folder, 'has.mjs'), onJob('process.send(Object.keys(process.env));'));
});

afterAll(() => rm(folder, { recursive: true }));

const MEMORY_MIB = 48;

function processOf(program: string) {
  const clock = new ManualClock();
  const stopping = new AbortController();
  const run = fileProcesses(pathToFileURL(join(folder, `${program}.mjs`)), clock, MEMORY_MIB);
  const read = (text: string) => run(jobOf(text), stopping.signal);
  return { clock, stopping, read };
}

const jobOf = (text: string): FileJob => ({ kind: 'import', bytes: Buffer.from(text), format: null, name: null });
const failed = (code: string) => ({ kind: 'failed', failure: { code } });

test('a file is read, and its exceptions are told with their text', async () => {
  const csv = 'row,seat\nA,1\nA,2\n';
  expect(await processOf('files').read(csv)).toMatchObject({ kind: 'imported', report: { understood: { seats: 2 } } });
  await expect(processOf('throws').read(csv)).rejects.toMatchObject({ cause: { message: 'a bug' } });
  await expect(processOf('leaves').read(csv)).rejects.toMatchObject({ cause: { message: /code 3/ } });
});

// Of the first file a thread of the same limit ended the whole process.
test.each([
  ['numbers, which take their memory at one stroke', `[${'{},'.repeat(1e5)}${'0,'.repeat(2e7)}0]`],
  ['objects, which take it in small steps', `[${'{},'.repeat(3e6)}{}]`],
])('a file of many %s, ends its process and no other', { timeout: 60_000 }, async (_, text) => {
  expect(await processOf('files').read(text)).toMatchObject(failed('too_much_memory'));
});

test('a file ends at its deadline and at the stop of the front door', async () => {
  const slow = processOf('never-tells');
  const reading = slow.read('x');
  slow.clock.advance(300_000);
  expect(await reading).toMatchObject(failed('too_slow'));
  const stopped = processOf('never-tells');
  const last = stopped.read('x');
  stopped.stopping.abort();
  expect([await last, await stopped.read('x')]).toMatchObject([failed('interrupted'), failed('interrupted')]);
});

test('a process that the system stops was interrupted; one that the system kills had too much memory', async () => {
  expect(await processOf('is-stopped').read('x')).toMatchObject(failed('interrupted'));
  expect(await processOf('is-taken').read('x')).toMatchObject(failed('too_much_memory'));
});

test('the process has no secret of the environment', async () => {
  process.env.PARTERRE_SECRET = 'a secret of the test';
  const names = (await processOf('has').read('x')) as unknown as string[];
  delete process.env.PARTERRE_SECRET;
  expect(names.filter((name) => !name.startsWith('NODE_'))).toEqual([]);
});
