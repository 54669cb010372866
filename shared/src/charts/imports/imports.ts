/**
 * Imports of charts. A file of another system becomes a chart document and a report; or a fault says why not, and
 * nothing is made. Pure and bounded by the size of the file: it runs in a process of its own, which the front door
 * starts. The formats stand in `formats/` and `seatsio/`, the way from positions to rows and tables in `fitting/`.
 */
import { assemble, type Imported } from './assemble.ts';
import { type DecodedText, decodeText } from './encoding.ts';
import type { ImportEncoding } from './encoding-names.ts';
import { readCsv } from './formats/csv.ts';
import { isDocument, readDocument } from './formats/document.ts';
import { isPretix, readPretix } from './formats/pretix.ts';
import { parseJson } from './parse-json.ts';
import { type ImportFault, type ImportFormat, Notes, Unimportable } from './report.ts';
import { isSeatsio, readSeatsio, versionOfSeatsio } from './seatsio/seatsio.ts';
import { readSvg } from './svg/svg.ts';
import type { FoundVenue } from './venue.ts';

export { importEncodings } from './encoding.ts';
export type { ImportEncoding } from './encoding-names.ts';
export type { ImportFault, ImportFormat, ImportNote, ImportReport } from './report.ts';
export const importFormats = ['seatsio', 'pretix', 'csv', 'svg', 'document'] as const satisfies readonly ImportFormat[];

export type ImportOutcome = ({ kind: 'imported' } & Imported) | { kind: 'failed'; fault: ImportFault };

/** `format` null: the file shows its format. `name` replaces the name in the file. */
export function importChart(
  bytes: Uint8Array,
  {
    format,
    name,
    encoding = null,
  }: { format: ImportFormat | null; name: string | null; encoding?: ImportEncoding | null },
): ImportOutcome {
  try {
    const notes = new Notes();
    const decoded = decodeText(bytes, { format, asked: encoding }, notes);
    const imported = importText(decoded, { format, name }, notes);
    return {
      kind: 'imported',
      document: imported.document,
      report: { ...imported.report, encoding: decoded.encoding },
    };
  } catch (error) {
    if (error instanceof Unimportable) return { kind: 'failed', fault: error.fault };
    throw error;
  }
}

function importText(
  { text, encoding, isGuess }: DecodedText,
  { format, name }: { format: ImportFormat | null; name: string | null },
  notes: Notes,
): Imported {
  const read = readFile(text, format, notes, isGuess ? encoding : null);
  if (read.found === 'document') return readDocument(read.value, name);
  const { found, venue, version } = read;
  if (name !== null) venue.name = name;
  return assemble(venue, { format: found, version, notes });
}

type ReadFile =
  | { found: Exclude<ImportFormat, 'document'>; venue: FoundVenue; version: string | null }
  | { found: 'document'; value: unknown };

/** `guess`: the encoding, if the letters alone told it. */
function readFile(text: string, format: ImportFormat | null, notes: Notes, guess: ImportEncoding | null): ReadFile {
  const start = text.slice(0, 1_000).trimStart();
  if (start === '')
    throw new Unimportable({ code: 'empty_file', message: 'The file is empty. Send the exported chart.' });
  const looksLike = start.startsWith('<') ? 'svg' : start.startsWith('{') || start.startsWith('[') ? 'json' : 'csv';
  if (format === 'svg' || (format === null && looksLike === 'svg')) {
    return { found: 'svg', venue: readSvg(text, notes), version: null };
  }
  if (format === 'csv' || (format === null && looksLike === 'csv')) {
    return { found: 'csv', venue: readCsv(text, notes, guess), version: null };
  }
  return readJson(parseJson(text), format, notes);
}

const jsonNames = { document: 'chart document', seatsio: 'seats.io chart', pretix: 'pretix seating plan' };

function readJson(value: unknown, format: ImportFormat | null, notes: Notes): ReadFile {
  const mayBe = (each: ImportFormat) => format === null || format === each;
  if (mayBe('document') && isDocument(value)) return { found: 'document', value };
  if (mayBe('seatsio') && isSeatsio(value)) {
    return { found: 'seatsio', venue: readSeatsio(value, notes), version: versionOfSeatsio(value) };
  }
  if (mayBe('pretix') && isPretix(value)) return { found: 'pretix', venue: readPretix(value, notes), version: null };
  const wanted =
    format === 'seatsio' || format === 'pretix' || format === 'document'
      ? `not a ${jsonNames[format]}`
      : 'neither a seats.io chart, a pretix seating plan nor a chart document';
  throw new Unimportable({
    code: 'unknown_format',
    message: `The file is JSON, but ${wanted}. A seats.io chart has subChart or subChartFloors, a pretix plan has zones with rows, and a chart document has version 1, categories and objects.`,
  });
}
