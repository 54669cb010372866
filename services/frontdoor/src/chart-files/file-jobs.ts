/** The jobs of the process that reads and writes files of charts, and their results. */
import { gunzipSync, gzipSync } from 'node:zlib';
import type { ChartDocument } from '@parterre/shared/charts/document';
import { type ExportFormat, exportChart } from '@parterre/shared/charts/exports/exports';
import {
  type ImportEncoding,
  type ImportFormat,
  type ImportReport,
  importChart,
} from '@parterre/shared/charts/imports/imports';
import { draftSeatTotal } from '@parterre/shared/charts/places';
import type { ImportFailure } from '@parterre/shared/protocol/catalog/chart-imports';
import { chartBodyBytesMax, unitsPerChartMax } from '@parterre/shared/protocol/limits';

export type ImportJob = {
  kind: 'import';
  bytes: Uint8Array;
  format: ImportFormat | null;
  encoding?: ImportEncoding | null;
  name: string | null;
};
/** `bytes` are the document's JSON, gzipped. */
export type ExportJob = { kind: 'export'; bytes: Uint8Array; format: ExportFormat };
export type FileJob = ImportJob | ExportJob;
/** The process reads the bytes from its standard input. */
export type JobWithoutBytes = Omit<ImportJob, 'bytes'> | Omit<ExportJob, 'bytes'>;

export type ImportResult =
  | { kind: 'imported'; name: string; doc: Uint8Array; report: ImportReport }
  | { kind: 'failed'; failure: ImportFailure };
/** `leftOut` names what the format has no place for, such as `2 standing areas`. */
export type ExportResult = { kind: 'exported'; bytes: Uint8Array; leftOut: readonly string[] };
export type FileResult = ImportResult | ExportResult;
/** `broken`: an exception, which is a bug. */
export type ToldByProcess = FileResult | { kind: 'broken'; error: unknown };

const NAME_LENGTH_MAX = 200;

export function carryOut(job: FileJob): FileResult {
  return job.kind === 'import' ? read(job) : write(job);
}

function read({ bytes, format, encoding = null, name }: ImportJob): ImportResult {
  const outcome = importChart(bytes, { format, encoding, name });
  if (outcome.kind === 'failed') return { kind: 'failed', failure: outcome.fault };
  const { document, report } = outcome;
  const json = JSON.stringify(document);
  const length = Buffer.byteLength(json);
  if (length > chartBodyBytesMax) {
    const message = `The chart of this file would have ${length} bytes. A chart has at most ${chartBodyBytesMax}. Split the file, and import each part.`;
    return { kind: 'failed', failure: { code: 'too_large', message } };
  }
  // A name is cut between letters, never inside of one.
  const cut = document.name.slice(0, NAME_LENGTH_MAX).replace(/[\uD800-\uDBFF]$/, '');
  return { kind: 'imported', name: cut.trim() || 'Imported chart', doc: gzipSync(json, { level: 3 }), report };
}

function write({ bytes, format }: ExportJob): FileResult {
  const document = JSON.parse(gunzipSync(bytes).toString('utf8')) as ChartDocument;
  // A draft may tell a row of any length.
  const places = draftSeatTotal(document);
  if (places > unitsPerChartMax) {
    const message = `This format has each place of the chart, at most ${unitsPerChartMax}; the chart has ${places}. Export the chart document.`;
    return { kind: 'failed', failure: { code: 'too_many_seats', message } };
  }
  const { text, leftOut } = exportChart(document, format);
  return { kind: 'exported', bytes: Buffer.from(text), leftOut };
}
