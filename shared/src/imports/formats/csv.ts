/**
 * Reads a CSV file with one line for each seat. The first line names the columns (csv-columns.ts). Commas, semicolons
 * and tabs part the cells; quotes hold texts together. Without positions the seats are laid out in rows (csv-layout.ts).
 */
import Papa from 'papaparse';
import { type AccessibilityKind, accessibilityKinds } from '../../chart/accessibility.ts';
import { unitsPerChartMax } from '../../limits.ts';
import { cleanText, isTrue, numberOf, pictureUrlOf } from '../reading.ts';
import { countOf, type Notes, quoted, Unimportable } from '../report.ts';
import type { FoundFloor, FoundItem, FoundRow, FoundSeat, FoundVenue } from '../venue.ts';
import { type Column, type Columns, readHeader } from './csv-columns.ts';
import { layOut } from './csv-layout.ts';

/** A row of the file, in the order of its first line. `isPlaced` is false once a seat has no position. */
type Line = { row: FoundRow; isPlaced: boolean };

type Floor = { lines: Map<string, Line>; sections: Set<string> };

export function readCsv(text: string, notes: Notes): FoundVenue {
  const table = new SeatTable(notes);
  let header: Columns | null = null;
  let number = 0;
  const { errors } = Papa.parse<string[]>(text, {
    delimitersToGuess: [',', ';', '\t', '|'],
    skipEmptyLines: 'greedy',
    step({ data, errors: faults }, parser) {
      number++;
      const fault = faults.find(({ type }) => type === 'Quotes');
      if (fault) {
        parser.abort();
        throw brokenQuotes(number);
      }
      if (header === null) header = readHeader(data);
      else table.add(data, header, number);
    },
  });
  if (errors.some(({ type }) => type === 'Quotes')) throw brokenQuotes(number);
  table.finish((header as Columns | null)?.unknown ?? []);
  return table.venue();
}

function brokenQuotes(line: number): Unimportable {
  const message = `The quotes of line ${line} do not end. Close them, and send the file again.`;
  return new Unimportable({ code: 'broken_csv', message, line });
}

class SeatTable {
  readonly #notes: Notes;
  readonly #floors = new Map<string, Floor>();
  readonly #categories = new Map<string, string>();
  readonly #unknownKinds = new Map<string, number>();
  #seats = 0;
  #isDecimalComma = false;

  constructor(notes: Notes) {
    this.#notes = notes;
  }

  add(cells: readonly string[], { at }: Columns, line: number): void {
    const cell = (column: Column) => {
      const index = at.get(column);
      const text = index === undefined ? null : cleanText(cells[index] ?? '');
      // A spreadsheet's mark of a text that looks like a formula.
      return text !== null && /^'[=+\-@＝＋－＠]/.test(text) ? text.slice(1) : text;
    };
    this.#seats++;
    // Further seats are counted for the refusal, and not kept.
    if (this.#seats > unitsPerChartMax) return;
    const label = cell('label');
    const section = cell('section');
    const number = cell('seat') ?? label?.split('-').at(-1) ?? null;
    const rowLabel = cell('row') ?? rowIn(label) ?? section;
    if (number === null || rowLabel === null) {
      this.#seats--;
      this.#notes.leftOut('line_without_seat', `Line ${line} names no ${number === null ? 'seat' : 'row'}.`, {
        source: `line ${line}`,
      });
      return;
    }
    const position = { x: this.#number(cell('x')), y: this.#number(cell('y')) };
    const isPlaced = position.x !== null && position.y !== null;
    const found = this.#lineOf(cell('floor') ?? '', section, rowLabel);
    found.isPlaced &&= isPlaced;
    const seat: FoundSeat = {
      x: position.x ?? 0,
      y: position.y ?? 0,
      number,
      label,
      categoryKey: this.#categoryOf(cell('category')),
      kinds: this.#kindsOf(cell('accessible')),
      displayLabel: cell('displayLabel'),
      viewUrl: pictureUrlOf(cell('view')),
      isRestrictedView: isTrue(cell('restricted')),
    };
    found.row.seats.push(seat);
  }

  #number(text: string | null): number | null {
    const number = numberOf(text);
    if (number !== null || text === null || !/^-?\d+,\d+$/.test(text)) return number;
    this.#isDecimalComma = true;
    return numberOf(text.replace(',', '.'));
  }

  #lineOf(floorName: string, section: string | null, label: string): Line {
    const floor = this.#floors.get(floorName) ?? { lines: new Map(), sections: new Set() };
    this.#floors.set(floorName, floor);
    if (section !== null) floor.sections.add(section);
    const name = JSON.stringify([section, label]);
    let line = floor.lines.get(name);
    if (!line) {
      const source = `row ${section === null ? '' : `${section}-`}${label}`;
      const row: FoundRow = { type: 'row', source, section, label, displayLabel: null, seats: [], extra: {} };
      line = { row, isPlaced: true };
      floor.lines.set(name, line);
    }
    return line;
  }

  #categoryOf(text: string | null): string | null {
    if (text !== null && !this.#categories.has(text)) this.#categories.set(text, text);
    return text;
  }

  /** `yes` and the like mean a wheelchair place. Other texts list kinds. */
  #kindsOf(text: string | null): AccessibilityKind[] {
    if (text === null || /^(0|no|false|n|nein|none)$/i.test(text)) return [];
    if (isTrue(text) || /^(ja|oui|si)$/i.test(text)) return ['wheelchair'];
    const kinds: AccessibilityKind[] = [];
    for (const word of text.toLowerCase().split(/[\s,;|]+/)) {
      const kind = accessibilityKinds.find((each) => each === word);
      if (kind) kinds.push(kind);
      else this.#unknownKinds.set(word, (this.#unknownKinds.get(word) ?? 0) + 1);
    }
    return kinds;
  }

  /** The notes of the whole file. */
  finish(unknownColumns: readonly string[]): void {
    if (this.#seats > unitsPerChartMax) {
      throw new Unimportable({
        code: 'too_many_seats',
        message: `The file has ${countOf(this.#seats, 'seat')}. A chart has at most ${unitsPerChartMax}. Split the file, and import each part.`,
      });
    }
    for (const name of unknownColumns)
      this.#notes.leftOut('unknown_column', `The column ${quoted(name)}.`, { source: name });
    for (const [word, count] of this.#unknownKinds) {
      const message = `${countOf(count, 'seat')} with ${quoted(word)} in the column for accessibility, which is no kind of place. Known kinds: ${accessibilityKinds.join(', ')}.`;
      this.#notes.leftOut('unknown_accessibility', message);
    }
    if (this.#isDecimalComma) this.#notes.changed('decimal_comma', 'Commas in positions were read as decimal points.');
  }

  venue(): FoundVenue {
    const floors = [...this.#floors].map(([name, floor]) => this.#floor(name, floor));
    return {
      name: 'Imported chart',
      categories: [...this.#categories.keys()].map((key) => ({ key, label: key, color: null })),
      zones: [],
      areSectionsInLabels: false,
      floors: floors.length > 0 ? floors : [{ name: '', focalPoint: null, items: [] }],
      background: null,
    };
  }

  #floor(name: string, { lines, sections }: Floor): FoundFloor {
    const all = [...lines.values()];
    const rows = all.map(({ row }) => row);
    if (!all.every(({ isPlaced }) => isPlaced)) {
      const some = all.some(({ isPlaced }) => isPlaced) ? 'Not every seat has x and y' : 'The file has no positions';
      this.#notes.ambiguous(
        'laid_out',
        `${some}. The import laid out all seats in straight rows, in sections side by side. Move them to their places.`,
      );
      layOut(rows);
    }
    const outlines: FoundItem[] = [...sections].map((label) => {
      const nothing = { displayLabel: null, outline: null, zone: null, extra: {} };
      return { type: 'section', source: `section ${label}`, label, ...nothing };
    });
    return { name, focalPoint: null, items: [...outlines, ...rows] };
  }
}

/** The label without the part after its last hyphen. */
function rowIn(label: string | null): string | null {
  const end = label?.lastIndexOf('-') ?? -1;
  return end > 0 ? label!.slice(0, end) : null;
}
