/**
 * Files of charts: imports, which go on after their request is answered, and exports. Each file has a process of its
 * own, since a large file takes seconds (file-process.ts).
 *
 * States of an import here: entered (it has a place) → begun in the catalog → waiting for its turn → read → told to the
 * catalog, which ends it. The catalog has the states that callers see (its chart-imports.ts).
 *
 * Failure at each await: the catalog refuses the begin → the place is given back, and the request gets the refusal; the
 * process ends without a result, or throws → the import is reported as failed; the catalog does not answer at the end →
 * the report is sent again, a bounded number of times, which is harmless; the catalog refuses the end → the front door
 * reports the import as failed; the catalog cannot be reached → the import times out in the catalog; the front door
 * dies → the same. The stop of the front door ends the process, and the imports under way and the waiting imports are
 * reported as interrupted.
 *
 * States of an export: entered → waiting for its turn → written → answered. At the deadline of its caller, or when the
 * caller hangs up, it leaves the queue, or its process ends: nobody waits for the file any more. The answer is then
 * `overloaded`.
 */

import { setMaxListeners } from 'node:events';
import {
  chartExportBytesMax,
  chartExportsAtOnce,
  chartExportsMax,
  chartExportsOfEachAtOnce,
  chartExportsOfEachMax,
  chartImportBytesMax,
  chartImportBytesOfEachMax,
  chartImportsAtOnce,
  chartImportsOfEachMax,
  chartImportsWaitingMax,
} from '@parterre/shared/charts/chart-file-limits';
import type { ImportFailure, ReportedImport } from '@parterre/shared/protocol/catalog/chart-imports';
import type { Scope } from '@parterre/shared/protocol/catalog/scope';
import { done, Fault, type Outcome, type Refusal, refuse } from '@parterre/shared/protocol/errors';
import type { CatalogClient } from '@parterre/shared/runtime/catalog-client';
import { type Clock, pauseUnless } from '@parterre/shared/runtime/clock';
import { createPartyLimiter } from '@parterre/shared/runtime/limiter';
import { SECOND_MS } from '@parterre/shared/runtime/units';
import type { Request } from '../admission/admission.ts';
import type { ExportJob, ExportResult, ImportJob, ImportResult } from './file-jobs.ts';
import { interrupted, type RunFileJob } from './file-process.ts';

export type ChartFiles = {
  /** Begins an import, and reads the file afterwards. `bytes` belong to the import. */
  import(
    scope: Scope,
    file: Omit<ImportJob, 'kind'> & { workspaceId?: string },
    catalog: CatalogClient,
  ): Promise<Outcome<{ import: ReportedImport }>>;
  /**
   * Answers by `deadlineAt`, in `Clock.elapsed`, and ends early for a caller that hangs up. Refused with
   * `invalid_chart` for a draft that is too large for a file, and with `overloaded`.
   */
  export(
    organisationId: string,
    job: Omit<ExportJob, 'kind'>,
    request: Pick<Request, 'deadlineAt' | 'caller'>,
  ): Promise<Outcome<ExportResult>>;
  /** Ends the imports under way. Resolves once the catalog has been told. */
  close(): Promise<void>;
};

type Parts = { catalog: CatalogClient; clock: Clock; run: RunFileJob; onFault(error: unknown): void };

/** Tries to tell the catalog the end of an import, and the pause after the first. It doubles with each. */
const TRIES_MAX = 6;

const PAUSE_MS = SECOND_MS;

const busy = refuse('overloaded', 'Other files are being read or written. Try again in a minute.', { retryable: true });

export function createChartFiles(parts: Parts): ChartFiles {
  const { clock, run, onFault } = parts;
  const stopping = new AbortController();
  // Each file in hand listens, and their number is bounded below.
  setMaxListeners(0, stopping.signal);
  // A long queue of one organisation delays the files of the others by one file each.
  const importLimiter = createPartyLimiter(chartImportsAtOnce);
  const exportLimiter = createPartyLimiter(chartExportsAtOnce, chartExportsOfEachAtOnce);
  const importsMax = chartImportsAtOnce + chartImportsWaitingMax;
  const enterImport = createShares(
    { files: importsMax, bytes: chartImportBytesMax },
    { files: chartImportsOfEachMax, bytes: chartImportBytesOfEachMax },
  );
  const enterExport = createShares(
    { files: chartExportsMax, bytes: chartExportBytesMax },
    { files: chartExportsOfEachMax, bytes: chartExportBytesMax },
  );
  const underWay = new Set<Promise<void>>();

  /** From the turn of the import to its end in the catalog. */
  async function carryOn(scope: Scope, importId: string, job: Omit<ImportJob, 'kind'>): Promise<void> {
    const { signal } = stopping;
    try {
      const read = await importLimiter(scope.organisationId, () => run({ kind: 'import', ...job }, signal), signal);
      await tellEnd(parts, signal, scope, importId, (read ?? interrupted) as ImportResult);
    } catch (error) {
      onFault(error);
      await tellEnd(parts, signal, scope, importId, unexpected);
    }
  }

  return {
    async import(scope, { workspaceId, ...job }, catalog) {
      const leave = stopping.signal.aborted ? null : enterImport(scope.organisationId, job.bytes.length);
      if (!leave) return busy;
      const { format, name } = job;
      const begun = await catalog('chart-imports.begin', {
        scope,
        format,
        name,
        ...(workspaceId !== undefined && { workspaceId }),
      });
      if (!begun.ok) {
        leave();
        return begun;
      }
      const work = carryOn(scope, begun.value.import.id, job)
        .catch(onFault)
        .finally(() => {
          leave();
          underWay.delete(work);
        });
      underWay.add(work);
      return begun;
    },

    async export(organisationId, job, { deadlineAt, caller }) {
      const leave = stopping.signal.aborted || caller.gone ? null : enterExport(organisationId, job.bytes.length);
      if (!leave) return busy;
      const ending = new AbortController();
      const end = () => ending.abort();
      const cancel = clock.after(deadlineAt - clock.elapsed(), end);
      stopping.signal.addEventListener('abort', end);
      caller.onGone = end;
      try {
        const write = () => run({ kind: 'export', ...job }, ending.signal);
        const written = (await exportLimiter(organisationId, write, ending.signal)) ?? interrupted;
        if (written.kind === 'exported') return done(written);
        if (written.kind === 'failed') return notWritten(written.failure);
        throw new Fault(`export a chart: ${written.kind}`);
      } finally {
        cancel();
        stopping.signal.removeEventListener('abort', end);
        caller.onGone = null;
        leave();
      }
    },

    async close() {
      stopping.abort();
      await Promise.all(underWay);
    },
  };
}

/**
 * Counts the files in hand. All together have a bound, and so has each organisation: none of them can take all places.
 */
type Bounds = { files: number; bytes: number };

/** Takes a place for a file. Returns the function that gives the place back; null where there is none. */
type Shares = (organisationId: string, bytes: number) => (() => void) | null;

function createShares(inAll: Bounds, ofEach: Bounds): Shares {
  const taken = { files: 0, bytes: 0 };
  /** Organisations without a file are absent. */
  const takenBy = new Map<string, Bounds>();

  const fits = (own: Bounds, bounds: Bounds, bytes: number) =>
    own.files < bounds.files && own.bytes + bytes <= bounds.bytes;

  return (organisationId, bytes) => {
    const own = takenBy.get(organisationId) ?? { files: 0, bytes: 0 };
    if (!fits(taken, inAll, bytes) || !fits(own, ofEach, bytes)) return null;
    takenBy.set(organisationId, own);
    for (const each of [taken, own]) {
      each.files++;
      each.bytes += bytes;
    }
    return () => {
      for (const each of [taken, own]) {
        each.files--;
        each.bytes -= bytes;
      }
      if (own.files === 0) takenBy.delete(organisationId);
    };
  };
}

const unexpected: ImportResult = {
  kind: 'failed',
  failure: {
    code: 'unexpected',
    message: 'A fault of the server stopped the import, and is in its log. No chart was made. Tell the operator.',
  },
};

function notWritten({ code, message }: ImportFailure): Outcome<never> {
  switch (code) {
    case 'too_many_seats':
      return refuse('invalid_chart', message, { details: { issues: [{ path: 'objects', message }] } });
    case 'too_much_memory':
      return refuse('invalid_chart', 'The chart is too large for this format. Export the chart document.');
    default:
      return refuse('overloaded', 'The file was not written in time. Try again in a minute.', { retryable: true });
  }
}

async function tellEnd(
  parts: Parts,
  stopping: AbortSignal,
  scope: Scope,
  importId: string,
  read: ImportResult,
): Promise<void> {
  const { catalog } = parts;
  if (read.kind === 'imported') {
    const { name, doc, report } = read;
    const told = await repeated(parts, stopping, () =>
      catalog('chart-imports.finish', { scope, importId, chart: { name, doc, report } }),
    );
    if (told.ok || told.refusal.reason === 'import_ended' || mayHaveHappened(told.refusal)) return;
    const failure: ImportFailure = { code: 'chart_refused', message: told.refusal.message };
    await repeated(parts, stopping, () => catalog('chart-imports.fail', { scope, importId, failure }));
    return;
  }
  await repeated(parts, stopping, () => catalog('chart-imports.fail', { scope, importId, failure: read.failure }));
}

/** Asks again while the catalog is silent or has too much to do. The stop of the front door leaves one try. */
async function repeated<T>(
  { clock }: Parts,
  stopping: AbortSignal,
  ask: () => Promise<Outcome<T>>,
): Promise<Outcome<T>> {
  for (let attempt = 1, pauseMs = PAUSE_MS; ; attempt++, pauseMs *= 2) {
    const told = await ask();
    if (told.ok || !mayHaveHappened(told.refusal) || attempt === TRIES_MAX || stopping.aborted) return told;
    await pauseUnless(stopping, clock, pauseMs);
  }
}

function mayHaveHappened({ code }: Refusal): boolean {
  return code === 'catalog_unavailable' || code === 'overloaded' || code === 'internal_error';
}
