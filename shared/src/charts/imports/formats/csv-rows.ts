/** The rows of a CSV file, floor by floor, in the order of the file. */
import { countOf, type Notes, quoted } from '../report.ts';
import type { FoundFloor, FoundItem, FoundRow, FoundSeat } from '../venue.ts';
import { layOut, layOutBelow } from './csv-layout.ts';

/** `unplaced` counts the seats without a position. */
type CollectedRow = { row: FoundRow; unplaced: number };

type Floor = { lines: Map<string, CollectedRow>; sections: Set<string> };

type SeatAddress = { floor: string; section: string | null; row: string; isNameless: boolean; isPlaced: boolean };

export class CsvRows {
  readonly #floors = new Map<string, Floor>();

  add(seat: FoundSeat, { floor: name, section, row, isNameless, isPlaced }: SeatAddress): void {
    const floor = this.#floors.get(name) ?? { lines: new Map(), sections: new Set() };
    this.#floors.set(name, floor);
    if (section !== null) floor.sections.add(section);
    const line = lineIn(floor, section, row, isNameless);
    line.row.seats.push(seat);
    if (!isPlaced) line.unplaced++;
  }

  /** Lays out the seats without a position. One nameless floor where the file has none. */
  floors(notes: Notes): FoundFloor[] {
    this.#nameFloors(notes);
    const floors = [...this.#floors].map(([name, floor]) => foundFloor(name, floor, notes));
    return floors.length > 0 ? floors : [{ name: '', focalPoint: null, items: [] }];
  }

  /** Labels differ over the whole chart. Where floors have the same seats, every label starts with its floor. */
  #nameFloors(notes: Notes): void {
    const repeated = this.#repeatedLabel();
    if (repeated === null) return;
    for (const [name, { lines }] of this.#floors) {
      if (name === '') continue;
      for (const { row } of lines.values()) {
        row.displayLabel = row.label;
        const section = row.isNameless ? null : row.section;
        row.label = [name, section, row.label].filter((part) => part !== null).join('-');
      }
    }
    const message = `Several floors have the seat ${quoted(repeated)}. Labels differ over the whole chart, so every label starts with its floor.`;
    notes.changed('floor_in_labels', message);
  }

  /** A label that stands on two floors; null if there is none. Labels that are written out stay as they are. */
  #repeatedLabel(): string | null {
    if (this.#floors.size < 2) return null;
    const floorOf = new Map<string, string>();
    for (const [name, { lines }] of this.#floors) {
      for (const { row } of lines.values()) {
        for (const { label, number } of row.seats) {
          if (label !== null) continue;
          const key = JSON.stringify([row.section, row.label, number]);
          if ((floorOf.get(key) ?? name) !== name) return `${row.label}-${number}`;
          floorOf.set(key, name);
        }
      }
    }
    return null;
  }
}

function lineIn({ lines }: Floor, section: string | null, label: string, isNameless: boolean): CollectedRow {
  const key = JSON.stringify([section, label, isNameless]);
  const known = lines.get(key);
  if (known) return known;
  const source = isNameless ? `seats of ${label}` : `row ${section === null ? '' : `${section}-`}${label}`;
  const row: FoundRow = { type: 'row', source, section, label, isNameless, displayLabel: null, seats: [], extra: {} };
  const line = { row, unplaced: 0 };
  lines.set(key, line);
  return line;
}

function foundFloor(name: string, { lines, sections }: Floor, notes: Notes): FoundFloor {
  const all = [...lines.values()];
  const rows = all.map(({ row }) => row);
  const unplaced = all.filter((line) => line.unplaced > 0);
  if (all.every((line) => line.unplaced === line.row.seats.length)) {
    const message = `${name === '' ? 'The file has' : `The seats of floor ${quoted(name)} have`} no positions. The import laid out all seats in straight rows, in sections side by side. Move them to their places.`;
    notes.ambiguous('laid_out', message);
    layOut(rows);
  } else if (unplaced.length > 0) {
    for (const { row, unplaced: count } of unplaced) {
      const message = `${countOf(count, 'seat')} of row ${quoted(row.label)} ${count === 1 ? 'has' : 'have'} no x and y. The import laid out the row below the others. Move it to its place.`;
      notes.ambiguous('laid_out', message, { source: row.source });
    }
    const placed = all.filter((line) => line.unplaced === 0).map(({ row }) => row);
    layOutBelow(
      unplaced.map(({ row }) => row),
      placed,
    );
  }
  const outlines: FoundItem[] = [...sections].map((label) => {
    const nothing = { displayLabel: null, outline: null, zone: null, extra: {} };
    return { type: 'section', source: `section ${label}`, label, ...nothing };
  });
  return { name, focalPoint: null, items: [...outlines, ...rows] };
}
