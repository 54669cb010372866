/** Files of charts: imports from other systems, for dashboard sessions, and exports. */

import {
  chartExportDeadlineMs,
  chartFileMsMax,
  importBytesMax,
  importMsMax,
} from '@parterre/shared/charts/chart-file-limits';
import { importEncodings, importFormats } from '@parterre/shared/charts/imports/imports';
import type { ReportedImport } from '@parterre/shared/protocol/catalog/chart-imports';
import { done, type Outcome, refuse } from '@parterre/shared/protocol/errors';
import { MIB, MINUTE_MS, SECOND_MS } from '@parterre/shared/runtime/units';
import { z } from 'zod';
import { budgets, scopeOf } from '../admission/admission.ts';
import { type Header, Prepared, preparedJson, spell } from '../answers/answers.ts';
import { standIn } from '../openapi/openapi.ts';
import { inTime } from './calls/ask.ts';
import { choice, cursor, limit, pageOf, text } from './calls/query.ts';
import { type Call, dashboardRoute, dashboardUploadRoute, editorRoute, type WithPath } from './calls/route.ts';
import { count, epochMs, idOf, nextCursor } from './records.ts';

const failure = z.object({
  code: z
    .string()
    .describe(
      'One of empty_file, unreadable_text, broken_json, broken_xml, broken_csv, broken_document, unknown_format, ' +
        'nothing_found, too_many_seats, too_large, too_slow, too_much_memory, chart_refused, interrupted, ' +
        'timed_out, unexpected.',
    ),
  message: z.string(),
  line: z.int().min(1).optional(),
  column: z.int().min(1).optional(),
});

const chartImport = z.object({
  id: idOf('imp'),
  state: z.enum(['running', 'done', 'failed']),
  format: z.enum(importFormats).nullable(),
  name: z.string().nullable(),
  workspaceId: idOf('ws'),
  chartId: idOf('cht').nullable(),
  failure: failure.nullable(),
  createdAt: epochMs,
  endedAt: epochMs.nullable(),
});

const understood = z
  .object({
    floors: count,
    sections: count,
    zones: count,
    categories: count,
    rows: count,
    seats: count,
    tables: count,
    chairs: count,
    booths: count,
    areas: count,
    places: count.describe('Places of standing areas.'),
    shapes: count,
    texts: count,
    images: count,
  })
  .describe('The things in the chart, counted.');

const note = z.object({
  kind: z
    .enum(['left_out', 'changed', 'ambiguous'])
    .describe(
      '`left_out`: the chart does not have it. `changed`: the chart has it in another form. `ambiguous`: the file can ' +
        'be read in several ways.',
    ),
  code: z.string().describe('Notes of one cause have the same code.'),
  message: z.string().describe('What the import did, and what is left to do.'),
  source: z.string().optional().describe("The object's id in the file, else its label."),
  objectId: z.string().optional().describe("The object's id in the chart."),
});

const issue = z.object({ path: z.string(), message: z.string(), objectId: z.string().optional() });

const report = z.object({
  format: z.enum(importFormats),
  version: z.string().nullable().describe('The version that the file names.'),
  encoding: z
    .string()
    .optional()
    .describe('The encoding in which the text of the file was read. Absent in reports of older imports.'),
  understood,
  scale: z.number().describe('Chart units of one unit of the file.'),
  notes: z.array(note).describe('At most 1,000.'),
  notesTotal: count.describe('With the notes past the 1,000.'),
  publishIssues: z.array(issue).describe('What must be mended before the chart can be published.'),
});

const importAnswer = z.object({ import: chartImport.extend({ report: report.nullable() }) });

const noFormat = 'There is no such format. Name one of those that the description lists, or none.';

const importQuery = z.object({
  format: choice('The format of the file; `auto` or nothing: the file shows it.', ['auto', ...importFormats], noFormat),
  encoding: choice(
    "The encoding of the file's text; `auto` or nothing: the file shows it, or its letters decide.",
    ['auto', ...importEncodings],
    'There is no such encoding. Name one of those that the description lists, or none.',
  ),
  name: text("The chart's name, instead of the name in the file."),
  workspaceId: text('The workspace of the chart; the default workspace where absent.'),
});

const forms = ['application/octet-stream', 'text/csv', 'image/svg+xml'];

const base64 = (text: string) => Buffer.from(text).toString('base64');

const seats = 'section,row,seat,category\nStalls,A,1,Front\nStalls,A,2,Front\n';

const csv = { mediaType: 'text/csv', base64: base64(seats) };

const NAME_LENGTH_MAX = 200;

const importChart = dashboardUploadRoute(
  'POST /v1/chart-imports',
  {
    budget: budgets.chartImports,
    answer: importAnswer,
    query: importQuery,
    status: 202,
    bodyBytesMax: importBytesMax,
    description: {
      operationId: 'importChart',
      tag: 'Charts',
      summary: "Import another system's chart",
      description:
        'Only a dashboard session imports charts. The body is the file itself: a seats.io chart (JSON), a pretix seating ' +
        'plan (JSON), CSV with a line for each seat, SVG whose elements are named after their seats, or a chart document ' +
        `that was exported here. The media type is not looked at. A file has at most ${importBytesMax / MIB} MiB. The answer comes before the file is read: ` +
        'then poll the address in `Location`. ' +
        'The chart is a draft with the layout: bookings and holds are not read. Prices come from a column of prices in CSV ' +
        'and from a chart document. The report of the import ' +
        'lists what was understood, what was left out, what is ambiguous, and what must be mended before the chart can be ' +
        `published. Reading has ${chartFileMsMax / SECOND_MS} s. An import that has not ended after ` +
        `${importMsMax / MINUTE_MS} minutes has failed. A failed import leaves no chart.`,
      takes: forms,
      headers: ['Location', 'Retry-After'],
      refusals: ['workspace_not_found_or_disabled', 'overloaded'],
      examples: [
        { summary: 'Two seats', query: { format: 'csv', name: 'Studio' }, bytes: csv },
        { summary: 'A file of Excel in Czech', query: { encoding: 'windows-1250' }, bytes: csv },
        { summary: 'An unknown format', query: { format: 'dwg' }, bytes: csv, answers: 'invalid_request' },
        { summary: 'An empty file', bytes: { ...csv, base64: '' }, answers: 'invalid_request' },
        {
          summary: 'Into an unknown workspace',
          query: { workspaceId: 'ws_0' },
          bytes: csv,
          answers: 'workspace_not_found_or_disabled',
        },
      ],
    },
  },
  async (call) => {
    const { format, encoding, name, workspaceId } = call.query;
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
    const file = {
      bytes,
      format: format === 'auto' ? null : (format ?? null),
      encoding: encoding === 'auto' ? null : (encoding ?? null),
      name: name?.trim() ?? null,
    };
    const workspace = workspaceId === undefined ? {} : { workspaceId };
    const begun = await call.ports.chartFiles.import(
      scopeOf(call.principal),
      { ...file, ...workspace },
      call.ports.catalog,
    );
    return shown(begun, 202);
  },
);

function shown(found: Outcome<{ import: ReportedImport }>, status: number) {
  if (!found.ok) return found;
  const { id, state } = found.value.import;
  const again: Header[] = state === 'running' ? [['Retry-After', '1']] : [];
  const headers: Header[] = status === 202 ? [['Location', `/v1/chart-imports/${id}`], ...again] : again;
  return done(preparedJson(spell(found.value), headers, status));
}

const importsAnswer = z.object({ imports: z.array(chartImport), nextCursor });

const importsQuery = z.object({ limit: limit({ usual: 100, most: 200 }), cursor });

const listChartImports = dashboardRoute(
  'GET /v1/chart-imports',
  {
    budget: budgets.serverCalls,
    answer: importsAnswer,
    query: importsQuery,
    description: {
      operationId: 'listChartImports',
      tag: 'Charts',
      summary: 'The imports of the last 30 days, newest first',
      description: 'Without their reports.',
      examples: [{ summary: 'The first page' }],
    },
  },
  (call) => call.ports.catalog('chart-imports.list', { scope: scopeOf(call.principal), page: pageOf(call.query) }),
);

const getChartImport = dashboardRoute(
  'GET /v1/chart-imports/{id}',
  {
    budget: budgets.serverCalls,
    answer: importAnswer,
    description: {
      operationId: 'getChartImport',
      tag: 'Charts',
      summary: 'An import with its report',
      description: 'While the import is running, the answer has `Retry-After`.',
      headers: ['Retry-After'],
      refusals: ['not_found'],
      examples: [
        { summary: 'An import', path: { id: standIn.chartImport } },
        { summary: 'An unknown import', path: { id: 'imp_0' }, answers: 'not_found' },
      ],
    },
  },
  async (call) => {
    const importId = call.path.id;
    return shown(await call.ports.catalog('chart-imports.get', { scope: scopeOf(call.principal), importId }), 200);
  },
);

const exportQuery = z.object({
  format: choice(
    '`document`: the chart document, which is also taken where the format is absent. `csv`: one line for each seat. ' +
      '`pretix`: a seating plan of pretix.',
    ['document', 'csv', 'pretix'],
    noFormat,
  ),
});

type Export = Call<'editor', unknown, null, { format?: 'document' | 'csv' | 'pretix' | undefined }> & WithPath<'id'>;

const exportChartRoute = editorRoute(
  'GET /v1/charts/{id}/export',
  {
    budget: budgets.chartExports,
    answer: null,
    query: exportQuery,
    authority: 'read-only',
    deadlineMs: chartExportDeadlineMs,
    description: {
      operationId: 'exportChart',
      tag: 'Charts',
      summary: 'The draft of a chart as a file',
      description:
        'The chart document is complete; an import of it gives the same document. CSV has a line for each seat and chair; ' +
        'an import of it gives the same seats. A pretix plan has no accessibility, no areas to sell and no floors. ' +
        '`Left-Out` names what the file lacks, or says `nothing`. A draft with more places than a chart may have is ' +
        'refused with 422, except as its document.',
      mediaTypes: ['application/json', 'text/csv'],
      headers: ['Content-Disposition', 'Left-Out'],
      refusals: ['chart_not_found', 'invalid_chart', 'overloaded'],
      examples: [
        { summary: 'The chart document' },
        { summary: 'As CSV', query: { format: 'csv' } },
        { summary: 'For pretix', query: { format: 'pretix' } },
        { summary: 'An unknown chart', path: { id: 'cht_0' }, answers: 'chart_not_found' },
      ],
    },
  },
  exportChart,
);

async function exportChart(call: Export) {
  const chartId = call.path.id;
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

export const chartFilesRoutes = [importChart, listChartImports, getChartImport, exportChartRoute];
