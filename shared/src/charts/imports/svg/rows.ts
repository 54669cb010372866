/** The rows of a drawing, and the notes on names that can be read in two ways. */
import { countOf, type Notes, quoted } from '../report.ts';
import type { FoundRow, FoundSeat } from '../venue.ts';
import type { SeatName } from './names.ts';

/** `byForm` and `numbered` have the ids of such seats: their count, and the first. */
type Row = { row: FoundRow; byForm: Examples; numbered: Examples };

type Examples = { count: number; first: string };

export class SvgRows {
  readonly #notes: Notes;
  readonly #rows = new Map<string, Row>();

  constructor(notes: Notes) {
    this.#notes = notes;
  }

  add(seat: FoundSeat, name: SeatName, { section, row: named }: { section: string | null; row: string | null }): void {
    const { row, byForm, numbered } = this.#rowOf(section, named);
    // Without a row and a section, a seat has its number alone.
    row.seats.push(named === null && section === null ? { ...seat, label: seat.number } : seat);
    if (name.told === 'form')
      count(byForm, [name.section, name.row, name.seat].filter((part) => part !== null).join('-'));
    if (name.numbered !== null) count(numbered, name.numbered);
  }

  #rowOf(section: string | null, named: string | null): Row {
    const key = JSON.stringify([section, named]);
    const known = this.#rows.get(key);
    if (known) return known;
    const isNameless = named === null;
    const label = named ?? section ?? 'Seats';
    const source = isNameless
      ? `seats of ${section ?? 'no row'}`
      : `row ${section === null ? '' : `${section}-`}${label}`;
    if (isNameless) {
      const message = `Seats ${section === null ? '' : `of section ${quoted(section)} `}have no row in the file. Their labels are ${section === null ? 'their numbers' : 'section and number'}. If they have rows, put data-row on them or on the groups around them.`;
      this.#notes.ambiguous('no_label', message, { source });
    }
    const row: FoundRow = { type: 'row', source, section, label, isNameless, displayLabel: null, seats: [], extra: {} };
    const made = { row, byForm: { count: 0, first: '' }, numbered: { count: 0, first: '' } };
    this.#rows.set(key, made);
    return made;
  }

  finish(): FoundRow[] {
    for (const { row, byForm, numbered } of this.#rows.values()) {
      const of = { source: row.source };
      if (byForm.count > 0) {
        const message = `${countOf(byForm.count, 'shape')} became seats of row ${quoted(row.label)} by their ids alone, as ${quoted(byForm.first)}. Check that they are seats; data-row and data-seat leave no doubt.`;
        this.#notes.ambiguous('row_from_ids', message, of);
      }
      if (numbered.count > 0) {
        const message = `${countOf(numbered.count, 'id')} of row ${quoted(row.label)}, as ${quoted(numbered.first)}, ${numbered.count === 1 ? 'ends' : 'end'} as drawing programs number copies. The import read the name before that. Give copied seats their own names.`;
        this.#notes.ambiguous('numbered_names', message, of);
      }
    }
    return [...this.#rows.values()].map(({ row }) => row);
  }
}

function count(examples: Examples, name: string): void {
  if (examples.count === 0) examples.first = name;
  examples.count++;
}
