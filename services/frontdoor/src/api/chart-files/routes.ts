/** Imports of charts, for dashboard sessions, and exports. */
import type { ReportedImport } from '@parterre/shared/catalog/chart-imports';
import { chartExportDeadlineMs, importBytesMax } from '@parterre/shared/chart-file-limits';
import { done, type Outcome, refuse } from '@parterre/shared/errors';
import { budgets, scopeOf } from '../../admission/admission.ts';
import { type Header, Prepared, preparedJson, spell } from '../../answers/answers.ts';
import { type Call, dashboardRoute, dashboardUploadRoute, editorRoute, inTime, pageOf } from '../calls/calls.ts';
import { importAnswer, importsAnswer } from './answers.ts';
import { exportQuery, importQuery, importsQuery } from './queries.ts';

const counted = { budget: budgets.serverCalls };
const NAME_LENGTH_MAX = 200;

type Export = Call<'editor', unknown, null, { format?: 'document' | 'csv' | 'pretix' | undefined }>;

export const chartFileRoutes = [
  dashboardUploadRoute(
    'POST /v1/chart-imports',
    {
      budget: budgets.chartImports,
      answer: importAnswer,
      query: importQuery,
      status: 202,
      bodyBytesMax: importBytesMax,
    },
    async (call) => {
      const { format, name, workspaceId } = call.query;
      const bytes = call.body;
      const issues = [
        ...(bytes.length === 0 ? [{ path: '', message: 'Must not be empty.' }] : []),
        ...(name !== undefined && (name.trim() === '' || name.length > NAME_LENGTH_MAX)
          ? [{ path: 'name', message: `Must have 1 to ${NAME_LENGTH_MAX} characters.` }]
          : []),
      ];
      if (issues.length > 0) {
        return refuse('invalid_request', 'Send the file as the body. The issues list the faults.', {
          details: { issues },
        });
      }
      const file = { bytes, format: format === 'auto' ? null : (format ?? null), name: name?.trim() ?? null };
      const workspace = workspaceId === undefined ? {} : { workspaceId };
      const begun = await call.ports.chartFiles.import(
        scopeOf(call.principal),
        { ...file, ...workspace },
        call.ports.catalog,
      );
      return shown(begun, 202);
    },
  ),
  dashboardRoute('GET /v1/chart-imports', { ...counted, answer: importsAnswer, query: importsQuery }, (call) =>
    call.ports.catalog('chart-imports.list', { scope: scopeOf(call.principal), page: pageOf(call.query) }),
  ),
  dashboardRoute('GET /v1/chart-imports/{id}', { ...counted, answer: importAnswer }, async (call) => {
    const importId = call.request.params[0]!;
    return shown(await call.ports.catalog('chart-imports.get', { scope: scopeOf(call.principal), importId }), 200);
  }),
  editorRoute(
    'GET /v1/charts/{id}/export',
    {
      ...{ budget: budgets.chartExports, answer: null, query: exportQuery },
      ...{ authority: 'read-only', deadlineMs: chartExportDeadlineMs },
    },
    exportChart,
  ),
];

function shown(found: Outcome<{ import: ReportedImport }>, status: number) {
  if (!found.ok) return found;
  const { id, state } = found.value.import;
  const again: Header[] = state === 'running' ? [['Retry-After', '1']] : [];
  const headers: Header[] = status === 202 ? [['Location', `/v1/chart-imports/${id}`], ...again] : again;
  return done(preparedJson(spell(found.value), headers, status));
}

async function exportChart(call: Export) {
  const chartId = call.request.params[0]!;
  const found = await call.ports.catalog('charts.get', { scope: scopeOf(call.principal), chartId });
  if (!found.ok) return found;
  const { format = 'document' } = call.query;
  const file = (extension: string, type: string): Header[] => [
    ['Content-Type', `${type}; charset=utf-8`],
    ['Content-Disposition', `attachment; filename="${found.value.meta.id}.${extension}"`],
  ];
  if (format === 'document') {
    const draft = await inTime(call, call.ports.documents.draft(scopeOf(call.principal), found.value.meta));
    return draft.ok
      ? done(new Prepared(200, [...file('json', 'application/json'), lacking([])], draft.value.document))
      : draft;
  }
  const { organisationId } = call.principal;
  const job = { bytes: found.value.doc, format };
  const written = await call.ports.chartFiles.export(organisationId, job, call.request);
  if (!written.ok) return written;
  const { bytes, leftOut } = written.value;
  const type = format === 'csv' ? file('csv', 'text/csv') : file('pretix.json', 'application/json');
  return done(new Prepared(200, [...type, lacking(leftOut)], bytes));
}

function lacking(leftOut: readonly string[]): Header {
  return ['Left-Out', leftOut.join(', ') || 'nothing'];
}
