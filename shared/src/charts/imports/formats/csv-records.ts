/**
 * The records of a CSV file, with their lines. A spreadsheet program writes whole numbers of some columns as `1.0`;
 * the columns that hold nothing else are found before they are read.
 */
import Papa from 'papaparse';
import { Unimportable } from '../report.ts';

/** A line that tells a spreadsheet which sign parts the cells. */
const SEPARATOR_LINE = /^"?sep=([^"\r\n])"?[^\S\r\n]*(?:\r\n|\n|\r)/i;

/** Calls `read` for each record that has a text. Returns the sign that parts the cells. */
export function eachRecord(text: string, read: (cells: readonly string[], line: number) => void): string {
  const separator = SEPARATOR_LINE.exec(text);
  const body = separator ? text.slice(separator[0].length) : text;
  let delimiter = ',';
  const lineAt = lineCounter(body, separator ? 2 : 1);
  const { errors } = Papa.parse<string[]>(body, {
    ...(separator && { delimiter: separator[1]! }),
    delimitersToGuess: [',', ';', '\t', '|'],
    skipEmptyLines: 'greedy',
    step({ data, errors: faults, meta }, parser) {
      const line = lineAt(meta.cursor, data);
      ({ delimiter } = meta);
      if (faults.some(({ type }) => type === 'Quotes')) {
        parser.abort();
        throw brokenQuotes(line);
      }
      read(data, line);
    },
  });
  if (errors.some(({ type }) => type === 'Quotes')) throw brokenQuotes(lineAt(body.length, []));
  return delimiter;
}

/** Gives the line on which a record begins, by the place where it ends. Lines without a record count too. */
function lineCounter(text: string, first: number): (end: number, cells: readonly string[]) => number {
  const newline = text.includes('\n') ? '\n' : '\r';
  const isQuoted = text.includes('"');
  let at = 0;
  let line = first;
  return (end, cells) => {
    for (let next = text.indexOf(newline, at); next !== -1 && next < end; next = text.indexOf(newline, at)) {
      at = next + 1;
      line++;
    }
    const inside = isQuoted ? cells.reduce((sum, cell) => sum + cell.split(newline).length - 1, 0) : 0;
    return line - inside - (text[end - 1] === newline ? 1 : 0);
  };
}

function brokenQuotes(line: number): Unimportable {
  const message = `The quotes of line ${line} do not end. Close them, and send the file again.`;
  return new Unimportable({ code: 'broken_csv', message, line });
}

const WITH_FRACTION = /^\d+[.,]\d+$/;
const WHOLE = /^(\d+)[.,]0+$/;

/** The indexes of columns where every number with a fraction is a whole number, such as `1.0`. */
export function wholeNumberColumns(text: string): ReadonlySet<number> {
  const whole = new Set<number>();
  const broken = new Set<number>();
  if (!/\d[.,]0+(?!\d)/.test(text)) return whole;
  eachRecord(text, (cells) => {
    for (const [index, cell] of cells.entries()) {
      const number = cell.trim();
      if (WHOLE.test(number)) whole.add(index);
      else if (WITH_FRACTION.test(number)) broken.add(index);
    }
  });
  for (const index of broken) whole.delete(index);
  return whole;
}

/** `1` for `1.0`; the text itself where it is no such number. */
export function withoutZeros(text: string): string {
  return WHOLE.exec(text)?.[1] ?? text;
}
