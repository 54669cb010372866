/**
 * The lines of an import of bookings, from CSV or lines of JSON, in pieces. A line becomes a sale or a fault. A label
 * of a seat stands once in a file; the label of an area stands for one place in each line. Pure: a piece is read when
 * it is asked for, so that a large file does not keep the event loop.
 */
import type { ReadLine } from '@parterre/shared/protocol/catalog/booking-imports';
import type { ImportedSale } from '@parterre/shared/protocol/commands';
import { done, type Outcome, refuse } from '@parterre/shared/protocol/errors';
import { bookingImportLinesPerPiece, bookingImportPieceLengthMax } from '@parterre/shared/protocol/limits';
import Papa from 'papaparse';
import type { z } from 'zod';

/** The form of a line. Messages name the column. */
export type LineForm = z.ZodType<Pick<ImportedSale, 'label' | 'bookingRef' | 'price'> & OptionalColumns>;
type OptionalColumns = { channelId?: string | null; buyerRef?: string | null };

type RawLine = { line: number; fields: unknown };

export const importColumns = ['label', 'bookingRef', 'price', 'channelId', 'buyerRef'] as const;
const neededColumns = importColumns.slice(0, 3);

/** `isArea`: whether the chart has an area of this label. */
export function* pieces(
  lines: Iterable<RawLine>,
  form: LineForm,
  isArea: (label: string) => boolean,
): Generator<ReadLine[]> {
  const reader = new LineReader(form, isArea);
  let piece: ReadLine[] = [];
  let length = 0;
  for (const line of lines) {
    const read = reader.read(line);
    piece.push(read);
    length += lengthOf(read);
    if (piece.length < bookingImportLinesPerPiece && length < bookingImportPieceLengthMax) continue;
    yield piece;
    piece = [];
    length = 0;
  }
  if (piece.length > 0) yield piece;
}

function lengthOf(line: ReadLine): number {
  if (!('sale' in line)) return line.message.length;
  const { label, bookingRef, buyerRef = '' } = line.sale;
  return label.length + bookingRef.length + buyerRef.length;
}

class LineReader {
  readonly #form: LineForm;
  readonly #isArea: (label: string) => boolean;
  readonly #lineOfLabel = new Map<string, number>();
  readonly #placesOf = new Map<string, number>();

  constructor(form: LineForm, isArea: (label: string) => boolean) {
    this.#form = form;
    this.#isArea = isArea;
  }

  read({ line, fields }: RawLine): ReadLine {
    const read = this.#form.safeParse(fields);
    if (!read.success) {
      const message = read.error.issues.map(({ path, message }) => `${path.join('.') || 'The line'}: ${message}`);
      return { line, code: 'invalid_line', message: message.join(' ') };
    }
    const { label, bookingRef } = read.data;
    const sale = saleOf(read.data);
    if (this.#isArea(label)) {
      const key = JSON.stringify([bookingRef, label]);
      const nth = (this.#placesOf.get(key) ?? 0) + 1;
      this.#placesOf.set(key, nth);
      return { line, sale: { ...sale, nth } };
    }
    const first = this.#lineOfLabel.get(label);
    if (first !== undefined) return { line, code: 'label_repeated', message: `Line ${first} has this label too.` };
    this.#lineOfLabel.set(label, line);
    return { line, sale };
  }
}

function saleOf({ channelId, buyerRef, ...sale }: z.output<LineForm>): ImportedSale {
  return { ...sale, ...(channelId != null && { channelId }), ...(buyerRef != null && { buyerRef }) };
}

const LINE_END = 0x0a;

type TextLine = { line: number; text: string };

/** The lines with their numbers, from 1 on. */
function* textLines(bytes: Buffer): Generator<TextLine> {
  const start = bytes.subarray(0, 3).equals(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK.length : 0;
  let line = 0;
  for (let from = start; from < bytes.length; ) {
    const end = bytes.indexOf(LINE_END, from);
    const to = end === -1 ? bytes.length : end;
    line++;
    yield { line, text: bytes.toString('utf8', from, to) };
    from = to + 1;
  }
}

const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);

/** Empty lines count as nothing. */
export function* jsonLines(bytes: Buffer): Generator<RawLine> {
  for (const { line, text } of textLines(bytes)) {
    if (text.trim() !== '') yield { line, fields: parsed(text) };
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The lines below the line of columns, or a refusal that names the columns that it lacks. */
export function csvLines(bytes: Buffer): Outcome<Iterable<RawLine>> {
  const records = csvRecords(textLines(bytes));
  const header = records.next();
  const delimiter = header.done ? ',' : delimiterOf(header.value.text);
  const columns = header.done ? [] : cellsOf(header.value.text, delimiter).map((cell) => columnOf(cell));
  const lacking = neededColumns.filter((column) => !columns.includes(column));
  if (lacking.length > 0) {
    const issues = lacking.map((path) => ({ path, message: 'The first line must name this column.' }));
    const why = `The first line of the file names its columns: ${importColumns.join(', ')}. The issues list the missing ones.`;
    return refuse('invalid_request', why, { details: { issues } });
  }
  return done(rowsOf(records, columns, delimiter));
}

function columnOf(cell: string): string {
  const name = cell.trim();
  return importColumns.find((column) => column.toLowerCase() === name.toLowerCase()) ?? name;
}

function delimiterOf(header: string): string {
  return [',', ';', '\t'].find((sign) => header.includes(sign)) ?? ',';
}

function* rowsOf(records: Iterable<TextLine>, columns: string[], delimiter: string): Generator<RawLine> {
  for (const { line, text } of records) {
    const cells = cellsOf(text, delimiter);
    const fields: Record<string, unknown> = {};
    for (const [at, column] of columns.entries()) {
      const cell = cells[at]?.trim() ?? '';
      if (cell !== '') fields[column] = column === 'price' && WHOLE_NUMBER.test(cell) ? Number(cell) : cell;
    }
    yield { line, fields };
  }
}

const WHOLE_NUMBER = /^\d{1,15}$/;

function cellsOf(text: string, delimiter: string): string[] {
  return Papa.parse<string[]>(text, { delimiter }).data[0] ?? [];
}

/** Joins lines whose quotes do not end. A record has the number of its first line. Empty lines count as nothing. */
function* csvRecords(lines: Iterable<TextLine>): Generator<TextLine> {
  let open: TextLine | null = null;
  for (const { line, text } of lines) {
    const record: TextLine = open === null ? { line, text } : { line: open.line, text: `${open.text}\n${text}` };
    const isOpen = quotesIn(record.text) % 2 === 1 && record.text.length < RECORD_LENGTH_MAX;
    open = isOpen ? record : null;
    if (!isOpen && record.text.trim() !== '') yield { ...record, text: record.text.replace(/\r$/, '') };
  }
  if (open !== null) yield open;
}

const RECORD_LENGTH_MAX = 4_096;

function quotesIn(text: string): number {
  if (!text.includes('"')) return 0;
  return text.split('"').length - 1;
}
