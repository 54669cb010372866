/** The description of imports and exports of charts. */
import { chartFileMsMax, importBytesMax, importMsMax } from '@parterre/shared/chart-file-limits';
import { MIB, MINUTE_MS, SECOND_MS } from '@parterre/shared/units';
import { type Description, standIn } from '../../openapi/openapi.ts';

const seats = 'section,row,seat,category\nStalls,A,1,Front\nStalls,A,2,Front\n';
const base64 = (text: string) => Buffer.from(text).toString('base64');
const csv = { mediaType: 'text/csv', base64: base64(seats) };
const forms = ['application/octet-stream', 'text/csv', 'image/svg+xml'];

export const chartFileDescriptions = {
  'POST /v1/chart-imports': {
    operationId: 'importChart',
    tag: 'Charts',
    summary: "Import another system's chart",
    description:
      'Only a dashboard session imports charts. The body is the file itself: a seats.io chart (JSON), a pretix seating ' +
      'plan (JSON), CSV with a line for each seat, SVG whose elements are named after their seats, or a chart document ' +
      `that was exported here. The media type is not looked at. A file has at most ${importBytesMax / MIB} MiB. The answer comes before the file is read: ` +
      'then poll the address in `Location`. ' +
      'The chart is a draft with the layout alone: bookings, holds and prices are not read. A chart document keeps the ' +
      'prices of its categories. The report of the import ' +
      'lists what was understood, what was left out, what is ambiguous, and what must be mended before the chart can be ' +
      `published. Reading has ${chartFileMsMax / SECOND_MS} s. An import that has not ended after ` +
      `${importMsMax / MINUTE_MS} minutes has failed. A failed import leaves no chart.`,
    takes: forms,
    headers: ['Location', 'Retry-After'],
    refusals: ['workspace_not_found_or_disabled', 'overloaded'],
    examples: [
      { summary: 'Two seats', query: { format: 'csv', name: 'Studio' }, bytes: csv },
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
  'GET /v1/chart-imports': {
    operationId: 'listChartImports',
    tag: 'Charts',
    summary: 'The imports of the last 30 days, newest first',
    description: 'Without their reports.',
    examples: [{ summary: 'The first page' }],
  },
  'GET /v1/chart-imports/{id}': {
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
  'GET /v1/charts/{id}/export': {
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
} as const satisfies Record<string, Description>;
