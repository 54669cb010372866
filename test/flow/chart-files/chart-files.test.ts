/** Files of charts in the front door: their turns, and the end of each import in the catalog. */
import type { ImportFailure } from '@parterre/shared/protocol/catalog/chart-imports';
import type { Scope } from '@parterre/shared/protocol/catalog/scope';
import { done, refuse } from '@parterre/shared/protocol/errors';
import type { CatalogClient } from '@parterre/shared/runtime/catalog-client';
import { describe, expect, test } from 'vitest';
import type { Caller } from '../../../services/frontdoor/src/admission/route.ts';
import { createChartFiles } from '../../../services/frontdoor/src/chart-files/chart-files.ts';
import type { FileResult } from '../../../services/frontdoor/src/chart-files/file-jobs.ts';
import type { RunFileJob } from '../../../services/frontdoor/src/chart-files/file-process.ts';
import { ManualClock } from '../../support/manual-clock.ts';

const scopeOf = (organisationId: string) => ({ organisationId, workspaceId: null }) as Scope;
const imported: FileResult = { kind: 'imported', name: 'Hall', doc: new Uint8Array(), report: {} as never };

const toCsv = { bytes: new Uint8Array(), format: 'csv' } as const;

/** `run` reads a file, until its signal is aborted. `finish` answers its end in the catalog. */
function door(run: RunFileJob, finish: () => Promise<unknown> = async () => done({}), clock = new ManualClock()) {
  const told: string[] = [];
  const faults: unknown[] = [];
  const answers: Record<string, (input: { name?: string; importId?: string; failure?: ImportFailure }) => unknown> = {
    'chart-imports.begin': ({ name }) => done({ import: { id: name } }),
    'chart-imports.finish': finish,
    'chart-imports.fail': ({ importId, failure }) => {
      told.push(`${importId}: ${failure!.code}`);
      return done({});
    },
  };
  const catalog = (async (operation: string, input: object) => answers[operation]!(input)) as unknown as CatalogClient;
  const files = createChartFiles({
    catalog,
    clock,
    run,
    onFault: (fault) => faults.push(fault),
  });
  const begin = (by: string, name: string, bytes = new Uint8Array(1)) =>
    files.import(scopeOf(by), { bytes, format: null, name }, catalog);
  return { told, faults, files, begin };
}

describe('an import ends as failed', () => {
  test('when its process throws, and the fault is told to the operator', async () => {
    const broken = new Error('a bug');
    const { told, faults, files, begin } = door(() => Promise.reject(broken));
    await begin('a', 'one');
    await files.close();
    expect([told, faults]).toEqual([['one: unexpected'], [broken]]);
  });

  test('when its end cannot be told', async () => {
    const { told, files, begin } = door(
      async () => imported,
      () => Promise.reject(new Error('a message that cannot be written')),
    );
    await begin('a', 'one');
    await files.close();
    expect(told).toEqual(['one: unexpected']);
  });
});

test('the files of an organisation with many wait behind those of others', async () => {
  const read: string[] = [];
  const waiting: (() => void)[] = [];
  const { files, begin } = door(async (job) => {
    await new Promise<void>((resolve) => waiting.push(resolve));
    read.push(job.kind === 'import' ? job.name! : '');
    return imported;
  });
  for (const name of ['a1', 'a2', 'a3']) await begin('a', name);
  await begin('b', 'b1');
  await begin('c', 'c1');
  for (let i = 1; i <= 5; i++) {
    await expect.poll(() => waiting.length).toBe(i);
    waiting.at(-1)!();
  }
  await files.close();
  expect(read).toEqual(['a1', 'a2', 'b1', 'c1', 'a3']);
});

test.each([
  ['too_many_seats', 'invalid_chart'],
  ['too_much_memory', 'invalid_chart'],
  ['too_slow', 'overloaded'],
] as const)('an export that ends with %s is refused with %s', async (code, refusal) => {
  const { files } = door(async () => ({ kind: 'failed', failure: { code, message: 'Too large.' } }));
  const written = await files.export('a', toCsv, { deadlineAt: 30_000, caller: { gone: false, onGone: null } });
  expect(written).toMatchObject({ ok: false, refusal: { code: refusal } });
});

/** Exports that end when the test says so, or with their signal. `begun` are the organisations, in order. */
function exporting() {
  const begun: string[] = [];
  const clock = new ManualClock();
  const ends: (() => void)[] = [];
  const write: RunFileJob = (job, ending) => {
    begun.push(job.kind === 'export' ? Buffer.from(job.bytes).toString() : '');
    return new Promise((resolve) => {
      ends.push(() => resolve({ kind: 'exported', bytes: new Uint8Array(), leftOut: [] }));
      ending.addEventListener('abort', () => resolve(interrupted));
    });
  };
  const { files } = door(write, undefined, clock);
  const begin = (by: string, caller: Caller = { gone: false, onGone: null }) => {
    const request = { deadlineAt: clock.elapsed() + 30_000, caller };
    return files.export(by, { bytes: Buffer.from(by), format: 'csv' }, request);
  };
  return { begun, clock, ends, files, begin };
}

const interrupted = { kind: 'failed', failure: { code: 'interrupted', message: '' } } as const;
const overloaded = { ok: false, refusal: { code: 'overloaded', retryable: true } };

test('exports of one organisation are written one after the other, beside those of others', async () => {
  const { begun, ends, begin } = exporting();
  const all = ['a', 'a', 'b', 'c'].map((by) => begin(by));
  expect(begun).toEqual(['a', 'b']);
  for (let i = 0; i < 4; i++) {
    await expect.poll(() => ends.length).toBeGreaterThan(i);
    ends[i]!();
  }
  expect((await Promise.all(all)).map(({ ok }) => ok)).toEqual([true, true, true, true]);
  expect(begun).toEqual(['a', 'b', 'a', 'c']);
});

test('an organisation with four exports is refused a fifth, others are not, and 32 are all', async () => {
  const { files, begin } = exporting();
  const all = Array.from({ length: 4 }, () => begin('a'));
  expect(await begin('a')).toMatchObject(overloaded);
  for (let i = 0; i < 28; i++) all.push(begin(`b${i}`));
  expect(await begin('c')).toMatchObject(overloaded);
  await files.close();
  for (const each of await Promise.all(all)) expect(each).toMatchObject(overloaded);
});

test('an export ends at the deadline of its caller, also one that waits, and gives its place back', async () => {
  const { begun, clock, ends, begin } = exporting();
  const late = Array.from({ length: 4 }, () => begin('a'));
  clock.advance(30_000);
  for (const each of await Promise.all(late)) expect(each).toMatchObject(overloaded);
  expect(begun).toEqual(['a']);
  const next = begin('a');
  await expect.poll(() => ends.length).toBe(2);
  ends[1]!();
  expect(await next).toMatchObject({ ok: true });
});

test('an export ends when its caller hangs up, also one that waits, and gives its place back', async () => {
  const { begun, ends, begin } = exporting();
  const callers: Caller[] = Array.from({ length: 4 }, () => ({ gone: false, onGone: null }));
  const left = callers.map((caller) => begin('a', caller));
  for (const { onGone } of callers) onGone!();
  for (const each of await Promise.all(left)) expect(each).toMatchObject(overloaded);
  expect(begun).toEqual(['a']);
  expect(await begin('a', { gone: true, onGone: null })).toMatchObject(overloaded);
  const next = begin('a');
  await expect.poll(() => ends.length).toBe(2);
  ends[1]!();
  expect(await next).toMatchObject({ ok: true });
});

test('the files of one organisation that wait have a bound of their own', async () => {
  const { begin } = door(() => new Promise(() => {}));
  const large = { length: 64 * 2 ** 20 } as Uint8Array<ArrayBuffer>;
  for (const name of ['one', 'two']) expect((await begin('a', name, large)).ok).toBe(true);
  expect(await begin('a', 'three', large)).toMatchObject(overloaded);
  expect((await begin('b', 'one', large)).ok).toBe(true);
});

test('the stop of the front door ends the imports that wait, and none of them is read', async () => {
  const read: string[] = [];
  const { told, files, begin } = door(async (job, stopping) => {
    read.push(job.kind === 'import' ? job.name! : '');
    await new Promise((resolve) => stopping.addEventListener('abort', resolve));
    return interrupted;
  });
  for (const name of ['one', 'two', 'three']) await begin('a', name);
  await files.close();
  expect([read, told.sort()]).toEqual([['one'], ['one: interrupted', 'three: interrupted', 'two: interrupted']]);
});

test('an import that the catalog refuses gives its place back', async () => {
  const { files } = door(async () => imported);
  const full = (async () => refuse('overloaded', 'Too many.')) as unknown as CatalogClient;
  for (let i = 0; i < 100; i++)
    expect((await files.import(scopeOf('a'), { bytes: new Uint8Array(1), format: null, name: 'x' }, full)).ok).toBe(
      false,
    );
});
