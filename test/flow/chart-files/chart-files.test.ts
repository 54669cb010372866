/** Files of charts in the front door: their turns, and the end of each import in the catalog. */
import type { ImportFailure } from '@parterre/shared/catalog/chart-imports';
import type { Scope } from '@parterre/shared/catalog/scope';
import type { CatalogClient } from '@parterre/shared/catalog-client';
import { done, refuse } from '@parterre/shared/errors';
import { describe, expect, test } from 'vitest';
import { createChartFiles } from '../../../services/frontdoor/src/chart-files/chart-files.ts';
import type { FileJob, FileResult } from '../../../services/frontdoor/src/chart-files/file-jobs.ts';
import { ManualClock } from '../../support/manual-clock.ts';

const scopeOf = (organisationId: string) => ({ organisationId, workspaceId: null }) as Scope;
const file = (name: string) => ({ bytes: new Uint8Array(1), format: null, name });
const imported: FileResult = { kind: 'imported', name: 'Hall', doc: new Uint8Array(), report: {} as never };

/** `run` reads a file. `finish` answers its end in the catalog. */
function door(run: (job: FileJob) => Promise<FileResult>, finish: () => Promise<unknown> = async () => done({})) {
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
    clock: new ManualClock(),
    run: run as never,
    onFault: (fault) => faults.push(fault),
  });
  return { told, faults, files, begin: (by: string, name: string) => files.import(scopeOf(by), file(name), catalog) };
}

describe('an import ends as failed', () => {
  test('when its thread throws, and the fault is told to the operator', async () => {
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
  const all = files.close();
  for (let i = 1; i <= 5; i++) {
    await expect.poll(() => waiting.length).toBe(i);
    waiting.at(-1)!();
  }
  await all;
  expect(read).toEqual(['a1', 'a2', 'b1', 'c1', 'a3']);
});

test.each([
  ['too_many_seats', 'invalid_chart'],
  ['too_much_memory', 'invalid_chart'],
  ['too_slow', 'overloaded'],
] as const)('an export that ends with %s is refused with %s', async (code, refusal) => {
  const { files } = door(async () => ({ kind: 'failed', failure: { code, message: 'Too large.' } }));
  const written = await files.export({ doc: new Uint8Array(), format: 'csv' });
  expect(written).toMatchObject({ ok: false, refusal: { code: refusal } });
});

test('an import that the catalog refuses gives its place back', async () => {
  const { files } = door(async () => imported);
  const full = (async () => refuse('overloaded', 'Too many.')) as unknown as CatalogClient;
  for (let i = 0; i < 100; i++) expect((await files.import(scopeOf('a'), file('x'), full)).ok).toBe(false);
});
