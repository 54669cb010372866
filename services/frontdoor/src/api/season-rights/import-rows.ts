/** The lines of an import: one row a line, read and passed on in pieces. A line that is no row is a row of its own. */
import type { ImportRow, SeenRow } from '@parterre/shared/catalog/rights';
import { importLabelsPerPiece, importRowsPerPiece } from '@parterre/shared/group-limits';
import { importRow } from './bodies.ts';
import type { RowJudge } from './row-judge.ts';

const LINE_END = 0x0a;

export function* judgedRows(rows: readonly ImportRow[], judge: RowJudge): Generator<SeenRow> {
  for (const row of rows) yield judge.judge(row);
}

/** The rows of the lines, each judged when it is asked for. Empty lines count as nothing. */
export function* judgedLines(bytes: Buffer, judge: RowJudge): Generator<SeenRow> {
  let number = 0;
  for (let from = 0; from < bytes.length; ) {
    const end = bytes.indexOf(LINE_END, from);
    const to = end === -1 ? bytes.length : end;
    number++;
    const text = bytes.toString('utf8', from, to).trim();
    from = to + 1;
    if (text !== '') yield rowOfLine(text, number, judge);
  }
}

function rowOfLine(text: string, number: number, judge: RowJudge): SeenRow {
  const read = importRow.safeParse(parsed(text));
  if (read.success) return judge.judge(rowOf(read.data));
  const none = { holderRef: '', priorPlanActivationId: '', priorContractRef: '', labels: [], existingBookingRef: null };
  const fault = { decision: 'invalid' as const, errorCode: 'invalid_row' };
  return { rowId: `line ${number}`, ...none, fault, isBooked: false };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

export function rowOf({
  existingBookingRef = null,
  ...row
}: Omit<ImportRow, 'existingBookingRef'> & { existingBookingRef?: string | null }): ImportRow {
  return { ...row, existingBookingRef };
}

/** Pieces of rows for the catalog, of bounded size. */
export function* piecesOf(rows: Iterable<SeenRow>): Generator<SeenRow[]> {
  let piece: SeenRow[] = [];
  let labels = 0;
  for (const row of rows) {
    const isFull = piece.length === importRowsPerPiece || labels + row.labels.length > importLabelsPerPiece;
    if (isFull && piece.length > 0) {
      yield piece;
      piece = [];
      labels = 0;
    }
    piece.push(row);
    labels += row.labels.length;
  }
  if (piece.length > 0) yield piece;
}
