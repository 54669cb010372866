/** Large bodies are read in a thread: what comes back, what is refused, and what the loop does meanwhile. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { refuse } from '@parterre/shared/protocol/errors';
import { sha256 } from '@parterre/shared/protocol/ids';
import { JobThread, workerThread } from '@parterre/shared/protocol/job-thread';
import { bodyReadMsMax, elementsPerMessageMax } from '@parterre/shared/protocol/limits';
import { createLog } from '@parterre/shared/runtime/log';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { FromBodyThread, ToBodyThread } from '../../../services/frontdoor/src/admission/body-program.ts';
import { createBodyReader } from '../../../services/frontdoor/src/admission/body-reader.ts';
import type { SmallFields } from '../../../services/frontdoor/src/admission/route.ts';
import { routes } from '../../../services/frontdoor/src/api/api.ts';
import { chart, row } from '../../support/charts.ts';
import { ManualClock } from '../../support/manual-clock.ts';

const threads: JobThread<ToBodyThread, FromBodyThread>[] = [];
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parterre-bodies-'));
  await build({
    entryPoints: ['services/frontdoor/src/body-thread-main.ts'],
    bundle: true,
    platform: 'node',
    format: 'esm',
    logLevel: 'warning',
    outfile: join(folder, 'reads.mjs'),
  });
  const program = (run: string) => `import { parentPort } from 'node:worker_threads'; ${run}`;
  await writeFile(
    join(folder, 'dies-once.mjs'),
    program(
      "import './reads.mjs'; parentPort.on('message', (job) => { if (job.contentType?.includes('dies')) process.exit(1); });",
    ),
  );
  await writeFile(join(folder, 'hangs.mjs'), program("parentPort.on('message', () => { for (;;); });"));
}, 60_000);

afterAll(async () => {
  await Promise.all(threads.map((thread) => thread.close()));
  await rm(folder, { recursive: true });
});

function readerOn(program: string) {
  const clock = new ManualClock();
  const start = workerThread<ToBodyThread, FromBodyThread>(pathToFileURL(join(folder, `${program}.mjs`)), 'test');
  const bounds = { name: 'the reader', msMax: bodyReadMsMax, waitingMax: 10 };
  const thread = new JobThread(clock, createLog('test', 'silent'), start, bounds);
  threads.push(thread);
  const reader = createBodyReader(thread);
  const read = (
    signature: string,
    body: string,
    judge: ((fields: SmallFields) => ReturnType<Parameters<typeof reader>[4] & {}>) | null = null,
    contentType = 'application/json',
  ) => {
    const route = routes.find((each) => each.signature === signature)!;
    const bytes = new Uint8Array(Buffer.from(body));
    const request = { idempotencyKey: '', contentType, body: Buffer.from(bytes.buffer) };
    return reader('org', route, request, [], judge);
  };
  return { clock, thread, read };
}

const SAVE = 'PUT /v1/charts/{id}';
const BLOCK = 'POST /v1/events/{key}/block';
const document = chart([row()]);
const junk = `{"doc":{"version":1,"a":[${'{"a":1},'.repeat(200_000)}1]},"expectedUpdatedAt":1}`;

describe('a large body that a thread reads', () => {
  test('comes back as its row reads it, with the hash of its bytes', async () => {
    const { read } = readerOn('reads');
    const labels = Array.from({ length: 2 * elementsPerMessageMax + 7 }, (_, i) => `A-${i}`);
    const body = JSON.stringify({ labels, unknown: 1 });
    expect(await read(BLOCK, body)).toEqual({ ok: true, value: { value: { labels }, fingerprint: sha256(body) } });
  });

  test('has its chart document packed', async () => {
    const { read } = readerOn('reads');
    const body = JSON.stringify({ doc: document, expectedUpdatedAt: 7 });
    const answer = await read(SAVE, body);
    const { doc, ...rest } = (answer as { value: { value: { doc: Uint8Array } } }).value.value;
    expect([JSON.parse(gunzipSync(doc).toString()), rest]).toEqual([document, { expectedUpdatedAt: 7 }]);
  });

  test('keeps infinite numbers of its document', async () => {
    const body = `{"doc":{"a":[1e999,-1${'0'.repeat(400)},1e2]},"expectedUpdatedAt":7}`;
    const answer = await readerOn('reads').read(SAVE, body);
    const { doc } = (answer as { value: { value: { doc: Uint8Array } } }).value.value;
    expect(gunzipSync(doc).toString()).toBe('{"a":[1e999,-1e999,100]}');
  });

  test.each([
    ['that is no JSON', '{"doc":', 'invalid_json'],
    ['that does not fit its row', '{"doc":[],"expectedUpdatedAt":1}', 'invalid_request'],
    ['that nests too deep', `{"doc":${'['.repeat(300_000)}${']'.repeat(300_000)}}`, 'invalid_request'],
  ])('%s is refused', async (_name, body, code) => {
    expect(await readerOn('reads').read(SAVE, body)).toMatchObject({ ok: false, refusal: { code } });
  });

  test('is judged by its small fields before its schema looks at it', async () => {
    const { read } = readerOn('reads');
    const seen: SmallFields[] = [];
    const stale = refuse('conflict', 'Stale.');
    const refused = await read(SAVE, '{"doc":[],"name":"Hall","expectedUpdatedAt":1}', async (fields) => {
      seen.push(fields);
      return stale;
    });
    expect([refused, seen]).toEqual([stale, [{ expectedUpdatedAt: 1 }]]);
    expect(await read(SAVE, junk, async () => null)).toMatchObject({ ok: true });
  });

  test('leaves the loop to others', async () => {
    const { read } = readerOn('reads');
    let turns = 0;
    let isRead = false;
    const count = () => {
      if (isRead) return;
      turns++;
      setImmediate(count);
    };
    const reading = read(SAVE, junk.replace('1]', `${'{"a":1},'.repeat(500_000)}1]`));
    setImmediate(count);
    await reading;
    isRead = true;
    // On the loop nobody has a turn between the first and the last byte.
    expect(turns).toBeGreaterThan(20);
  });
});

describe('a thread that', () => {
  test('dies answers 503, and the next body gets another thread', async () => {
    const { read, thread, clock } = readerOn('dies-once');
    const dead = await read(SAVE, junk, null, 'application/json; dies');
    expect(dead).toMatchObject({ ok: false, refusal: { code: 'overloaded', retryable: true } });
    const next = read(SAVE, junk);
    await expect.poll(() => thread.deaths).toBe(1);
    clock.advance(60_000);
    expect(await next).toMatchObject({ ok: true });
  });

  test('takes too long is ended, with 503', async () => {
    const { read, clock } = readerOn('hangs');
    const slow = read(SAVE, junk);
    await new Promise((resolve) => setImmediate(resolve));
    clock.advance(bodyReadMsMax);
    expect(await slow).toMatchObject({ ok: false, refusal: { code: 'overloaded' } });
  });
});
