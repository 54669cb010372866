/**
 * Reads a CSV file with one line for each seat. The first line names the columns (csv-columns.ts). Commas, semicolons
 * and tabs part the cells; quotes hold texts together. Seats without positions are laid out in rows (csv-layout.ts).
 */
import { unitsPerChartMax } from '../../../protocol/limits.ts';
import { accessibilityKinds } from '../../accessibility.ts';
import { Prices } from '../prices.ts';
import { cleanText, pictureUrlOf } from '../reading.ts';
import { checkSeatCount, countOf, type Notes, quoted, type Unimportable } from '../report.ts';
import type { FoundSeat, FoundVenue } from '../venue.ts';
import { type Column, type Columns, noSeats, readHeader } from './csv-columns.ts';
import { Positions } from './csv-numbers.ts';
import { eachRecord, wholeNumberColumns, withoutZeros } from './csv-records.ts';
import { CsvRows } from './csv-rows.ts';
import { type Accessibility, accessibilityIn, yesOrNo } from './words.ts';

/** `guess`: the encoding of the text, if its letters alone told it. */
export function readCsv(text: string, notes: Notes, guess: string | null = null): FoundVenue {
  const table = new SeatTable(notes, wholeNumberColumns(text));
  let header: Columns | null = null;
  const delimiter = eachRecord(text, (cells, line) => {
    if (header !== null) table.add(cells, header, line);
    else {
      header = readHeader(cells, { line, guess }, notes);
      table.noRows = header.has('seat') ? null : noSeats(cells, line, guess);
    }
  });
  return table.venue(delimiter);
}

/** The columns of names. */
const NAMES: ReadonlySet<Column> = new Set(['floor', 'section', 'row', 'seat', 'category'] as const);

type Cell = (column: Column) => string | null;

class SeatTable {
  readonly #notes: Notes;
  readonly #rows = new CsvRows();
  readonly #positions = new Positions();
  readonly #categories = new Set<string>();
  readonly #accessibility = new Map<string, Accessibility>();
  readonly #unknownKinds = new Map<string, number>();
  readonly #prices = new Prices();
  /** The columns whose numbers are whole and have a fraction of zero. */
  readonly #wholeNumbers: ReadonlySet<number>;
  readonly #shortened = { count: 0, first: '' };
  /** Ends the import of a file whose seats have no row. */
  noRows: Unimportable | null = null;
  #seats = 0;

  constructor(notes: Notes, wholeNumbers: ReadonlySet<number>) {
    this.#notes = notes;
    this.#wholeNumbers = wholeNumbers;
  }

  add(cells: readonly string[], at: Columns, line: number): void {
    const cell = (column: Column) => {
      const index = at.get(column);
      const text = index === undefined ? null : cleanText(cells[index] ?? '');
      if (text !== null && NAMES.has(column) && !at.has('label') && this.#wholeNumbers.has(index!))
        return this.#shorten(text);
      // A spreadsheet's mark of a text that looks like a formula.
      return text !== null && /^'[=+\-@＝＋－＠]/.test(text) ? text.slice(1) : text;
    };
    const of = { source: `line ${line}` };
    const { number, label, ...named } = namesOf(cell);
    const section = cell('section') ?? named.section ?? null;
    const isNameless = named.row === null;
    const row = named.row ?? section;
    if (number === null || row === null) {
      this.#notes.leftOut('line_without_seat', `Line ${line} names no ${number === null ? 'seat' : 'row'}.`, of);
      return;
    }
    this.#seats++;
    // Further seats are counted for the refusal, and not kept.
    if (this.#seats > unitsPerChartMax) return;
    if (at.get('label') === undefined && isSeveral(number)) {
      const message = `The seat ${quoted(number)} of line ${line} looks like several seats. The import made one seat of it. Write a line for each seat.`;
      this.#notes.ambiguous('several_seats', message, of);
    }
    const category = cell('category');
    if (category !== null) this.#categories.add(category);
    const seat: FoundSeat = {
      x: 0,
      y: 0,
      number,
      label,
      categoryKey: category,
      ...this.#accessOf(cell('accessible')),
      displayLabel: cell('displayLabel'),
      viewUrl: this.#viewOf(cell('view'), line),
      isRestrictedView: this.#isRestricted(cell('restricted'), line),
    };
    if (at.has('price')) seat.price = this.#prices.read(cell('price'), `line ${line}`);
    if (cell('priceUnit') === 'minor') this.#prices.isMinor();
    const isPlaced = this.#place(seat, cell, line);
    this.#rows.add(seat, { floor: cell('floor') ?? '', section, row, isNameless, isPlaced });
  }

  #shorten(text: string): string {
    const short = withoutZeros(text);
    if (short !== text && this.#shortened.count++ === 0) this.#shortened.first = text;
    return short;
  }

  #place(seat: FoundSeat, cell: Cell, line: number): boolean {
    const read = (axis: 'x' | 'y') => {
      const text = cell(axis);
      if (text === null) return false;
      const isRead = this.#positions.read(seat, axis, text);
      if (!isRead) {
        const message = `Line ${line} has ${quoted(text)} as ${axis}, which is no number.`;
        this.#notes.leftOut('unreadable_position', message, { source: `line ${line}` });
      }
      return isRead;
    };
    const hasX = read('x');
    const hasY = read('y');
    return hasX && hasY;
  }

  #viewOf(text: string | null, line: number): string | null {
    const url = pictureUrlOf(text);
    if (text !== null && url === null) {
      const message = `Line ${line} has the view ${quoted(text)}, which is no address of http or https.`;
      this.#notes.leftOut('view', message, { source: `line ${line}` });
    }
    return url;
  }

  #isRestricted(text: string | null, line: number): boolean {
    const answer = text === null ? false : yesOrNo(text);
    if (answer === null) {
      const message = `Line ${line} has ${quoted(text!)} in the column for restricted views. It was read as yes. Write yes or no.`;
      this.#notes.ambiguous('unknown_answer', message, { source: `line ${line}` });
    }
    return answer ?? true;
  }

  #accessOf(text: string | null): Pick<Accessibility, 'kinds' | 'way'> {
    if (text === null) return { kinds: [], way: null };
    const known = this.#accessibility.get(text) ?? accessibilityIn(text);
    this.#accessibility.set(text, known);
    for (const word of known.unknown) this.#unknownKinds.set(word, (this.#unknownKinds.get(word) ?? 0) + 1);
    const { kinds, way } = known;
    return { kinds, way };
  }

  venue(delimiter: string): FoundVenue {
    if (this.#seats === 0 && this.noRows) throw this.noRows;
    checkSeatCount(this.#seats, 'seat');
    for (const [word, count] of this.#unknownKinds) {
      const message = `${countOf(count, 'seat')} with ${quoted(word)} in the column for accessibility, which is no kind of place. Known kinds: ${accessibilityKinds.join(', ')}.`;
      this.#notes.leftOut('unknown_accessibility', message);
    }
    this.#positions.finish(delimiter, this.#notes);
    const priceDigits = this.#prices.finish(this.#notes);
    const { count, first } = this.#shortened;
    if (count > 0) {
      const message = `${countOf(count, 'name')} such as ${quoted(first)} lost the zeros after the sign. A spreadsheet program had made numbers of them.`;
      this.#notes.changed('whole_numbers', message);
    }
    return {
      name: 'Imported chart',
      categories: [...this.#categories].map((key) => ({ key, label: key, color: null })),
      priceDigits,
      zones: [],
      areSectionsInLabels: false,
      floors: this.#rows.floors(this.#notes),
      background: null,
    };
  }
}

type Names = { section?: string; row: string | null; number: string | null; label: string | null };

/** A column of whole labels is one of numbers, too, where the file has no other numbers. */
function namesOf(cell: Cell): Names {
  const seatLabel = cell('seatLabel');
  const seat = cell('seat');
  const number = seat ?? seatLabel;
  const row = cell('row');
  const label = cell('label') ?? (seat !== null && seatLabel !== seat ? seatLabel : null);
  if (label !== null) {
    return { label, number: number ?? label.split('-').at(-1)!, row: row ?? rowIn(label) };
  }
  const rowOfSeat = row ?? (seat === null ? rowIn(seatLabel) : null);
  const stem = [`${cell('section')}-${rowOfSeat}-`, `${rowOfSeat}-`].find((each) => number?.startsWith(each));
  if (rowOfSeat !== null && number !== null && stem !== undefined && number.length > stem.length) {
    return { ...sectionIn(number, seat, row), row: rowOfSeat, number: number.slice(stem.length), label: number };
  }
  return { row: rowOfSeat, number, label: null };
}

/** `ORCH-A-12`, in a file without columns of rows. */
function sectionIn(label: string, seat: string | null, row: string | null): { section?: string } {
  const [section, ...others] = label.split('-');
  return seat === null && row === null && others.length === 2 && section !== '' ? { section: section! } : {};
}

/** The label without the part after its last hyphen. */
function rowIn(label: string | null): string | null {
  const end = label?.lastIndexOf('-') ?? -1;
  return end > 0 ? label!.slice(0, end) : null;
}

/** `1-20`, `1 to 20`, `1,2,3`. */
function isSeveral(number: string): boolean {
  const [, first, last] = /^(\d{1,6})\s*(?:-|–|—|\.\.\.?|…|to|bis|à|a|al|t\/m)\s*(\d{1,6})$/i.exec(number) ?? [];
  return (first !== undefined && Number(last) > Number(first)) || /^\d{1,6}(?:\s*[,;+&]\s*\d{1,6})+$/.test(number);
}
