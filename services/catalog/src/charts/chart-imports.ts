/**
 * Imports of charts. A front door begins an import, reads the file in a thread of its own, and brings the finished
 * document here, where it becomes a chart in one write. So a chart is there whole, or not at all.
 *
 * States: running → saving (the record has the report and the id of the coming chart) → done; running or saving →
 * failed. An import that has not ended `importMsMax` after its begin reads as failed, whatever its record says, and its
 * chart is no longer made.
 *
 * Failure at each await of `finish`: the catalog dies before `saving` → the import fails in time; the catalog dies
 * before the chart is written → the same; it dies after the chart is written → the record stays `saving`, and readers
 * see it as done, because its chart exists. The id of the chart follows from the import, so a repetition makes no
 * second chart. The write of the chart is refused → the import fails with this refusal. A front door that dies tells
 * nothing → the import fails in time.
 */

import { importKeepMs } from '@parterre/shared/charts/chart-file-limits';
import type { ImportFailure, ReportedImport } from '@parterre/shared/protocol/catalog/chart-imports';
import type { Scope } from '@parterre/shared/protocol/catalog/scope';
import type { CatalogInput, CatalogOutput } from '@parterre/shared/protocol/catalog-api';
import { done, type Outcome, type Refusal, refuse } from '@parterre/shared/protocol/errors';
import { idFor } from '@parterre/shared/protocol/ids';
import { chartImports, charts } from '../store/collections.ts';
import { change, listPage, type OperationTable } from '../store/operations.ts';
import type { ChartImportRecord } from '../store/rules/records.ts';
import type { Stored } from '../store/store.ts';
import { activeWorkspace } from '../tenants/tenants.ts';
import type { ChartPorts } from './chart-access.ts';
import { isTimedOut, shownImport, withoutReport } from './rules/import-state.ts';

type ImportOperation = `chart-imports.${'begin' | 'finish' | 'fail' | 'get' | 'list'}`;

type CreateChart = OperationTable<'charts.create'>['charts.create'];

export function createChartImportOperations(
  ports: ChartPorts,
  createChart: CreateChart,
): OperationTable<ImportOperation> {
  const { store } = ports;
  return {
    'chart-imports.begin': (input) => begin(ports, input),
    'chart-imports.finish': (input) => finish(ports, createChart, input),
    'chart-imports.fail': ({ scope, importId, failure }) => fail(ports, scope, importId, failure),

    async 'chart-imports.get'({ scope, importId }) {
      const found = await store.get(chartImports, importId);
      return found && isInScope(found.value, scope) ? done({ import: await shown(ports, found) }) : unknownImport();
    },

    async 'chart-imports.list'({ scope, page }) {
      const { organisationId, workspaceId } = scope;
      const index = workspaceId === null ? 'all' : 'byWorkspace';
      const equal = workspaceId === null ? [organisationId] : [organisationId, workspaceId];
      const { items, more } = await listPage(
        store,
        chartImports,
        { index, equal, descending: true },
        page,
        (each) => each,
      );
      const imports = await Promise.all(items.map(async (each) => withoutReport(await shown(ports, each))));
      return done({ imports, ...more });
    },
  };
}

async function begin(
  ports: ChartPorts,
  { scope, format, name, workspaceId }: CatalogInput<'chart-imports.begin'>,
): Promise<Outcome<CatalogOutput<'chart-imports.begin'>>> {
  const { store, clock } = ports;
  const workspace = await activeWorkspace(store, scope, workspaceId);
  if (!workspace.ok) return workspace;
  const now = clock.now();
  const value: ChartImportRecord = {
    organisationId: scope.organisationId,
    workspaceId: workspace.value.id,
    format,
    name,
    state: 'running',
    chartId: null,
    report: null,
    failure: null,
    createdAt: now,
    endedAt: null,
    expiresAt: now + importKeepMs,
  };
  const id = idFor('imp', undefined);
  await store.insert(chartImports, id, value);
  return done({ import: await shown(ports, { id, version: 1, value }) });
}

async function finish(
  ports: ChartPorts,
  createChart: CreateChart,
  { scope, importId, chart }: CatalogInput<'chart-imports.finish'>,
): Promise<Outcome<CatalogOutput<'chart-imports.finish'>>> {
  const chartId = idFor('cht', importId);
  const { name, doc, report } = chart;
  const saving = await changeImport(ports, scope, importId, (record) =>
    record.state === 'done'
      ? done(record)
      : whileOpen(ports, record, { state: 'saving', chartId, report, format: report.format, name }),
  );
  if (!saving.ok) return saving;
  const made = await createChart({ scope, name, doc, workspaceId: saving.value.value.workspaceId, callId: importId });
  if (!made.ok) {
    const failed = await fail(ports, scope, importId, failureOf(made.refusal));
    return failed.ok ? done({ ...failed.value, meta: null }) : failed;
  }
  const ended = await changeImport(ports, scope, importId, (record) =>
    done(record.state !== 'saving' ? record : { ...record, state: 'done', endedAt: ports.clock.now() }),
  );
  if (!ended.ok) return ended;
  return done({ import: await shown(ports, ended.value), meta: made.value.meta });
}

function failureOf({ message }: Refusal): ImportFailure {
  return { code: 'chart_refused', message };
}

async function fail(
  ports: ChartPorts,
  scope: Scope,
  importId: string,
  failure: ImportFailure,
): Promise<Outcome<{ import: ReportedImport }>> {
  const written = await changeImport(ports, scope, importId, (record) =>
    whileOpen(ports, record, { state: 'failed', failure, chartId: null, report: null, endedAt: ports.clock.now() }),
  );
  return written.ok ? done({ import: await shown(ports, written.value) }) : written;
}

function whileOpen(
  { clock }: ChartPorts,
  record: ChartImportRecord,
  next: Partial<ChartImportRecord>,
): Outcome<ChartImportRecord> {
  const isOpen = record.state === 'running' || record.state === 'saving';
  if (isOpen && !isTimedOut(record, clock.now())) return done({ ...record, ...next });
  return refuse('conflict', 'The import has ended. Begin another one.', { reason: 'import_ended' });
}

function changeImport(
  { store }: ChartPorts,
  scope: Scope,
  importId: string,
  decide: (record: ChartImportRecord) => Outcome<ChartImportRecord>,
): Promise<Outcome<Stored<ChartImportRecord>>> {
  return change(store, chartImports, importId, unknownImport, (record) =>
    isInScope(record, scope) ? decide(record) : unknownImport(),
  );
}

async function shown({ store, clock }: ChartPorts, { id, value }: Stored<ChartImportRecord>): Promise<ReportedImport> {
  const isSaved = value.state === 'saving' && value.chartId !== null;
  const chart = isSaved ? await store.get(charts, value.chartId!) : null;
  return shownImport(id, value, clock.now(), chart?.value.organisationId === value.organisationId);
}

function isInScope(record: ChartImportRecord, { organisationId, workspaceId }: Scope): boolean {
  return record.organisationId === organisationId && (workspaceId === null || record.workspaceId === workspaceId);
}

function unknownImport(): Outcome<never> {
  return refuse('not_found', 'There is no such import. Imports are kept for 30 days.');
}
