/** The door list: every booked place with its reference, from the report with a line for each unit. Pure. */
import Papa from 'papaparse';

export const doorColumns = ['ref', 'place', 'section', 'entrance', 'category', 'guests'] as const;
export type DoorColumn = (typeof doorColumns)[number];

/** `place` is the place's words, with the section and the entrance in columns of their own. */
export type DoorRow = {
  label: string;
  ref: string;
  place: string;
  section: string;
  entrance: string;
  category: string;
  guests: number;
};

type FileLine = Record<string, string>;

/** In the order of references, and of places within one. */
export function doorRows(csv: string): DoorRow[] {
  const { data } = Papa.parse<FileLine>(csv, { header: true, skipEmptyLines: true });
  const rows = data.filter(({ status }) => status === 'booked').map(rowOf);
  return rows.sort((one, other) => order.compare(one.ref, other.ref) || order.compare(one.place, other.place));
}

function rowOf(line: FileLine): DoorRow {
  const { label = '', bookingRef = '', place = '', section = '', entrance = '', categoryLabel = '' } = line;
  const { tierName = '', quantity = '1', floor = '' } = line;
  return {
    label: plain(label),
    ref: plain(bookingRef),
    place: plain(place),
    section: [floor, section].filter(Boolean).map(plain).join(', '),
    entrance: plain(entrance),
    category: [categoryLabel, tierName].filter(Boolean).map(plain).join(', '),
    guests: Number(quantity) || 1,
  };
}

/** The file has an apostrophe in front of a text that a spreadsheet would run (csv-cell.ts). */
const plain = (cell: string): string => cell.replace(/^'(?=[=+\-@\t\r＝＋－＠])/, '');

const order = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

/** Every word of the search stands somewhere in the row. */
export function doorFound(rows: readonly DoorRow[], search: string): readonly DoorRow[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return rows;
  return rows.filter((row) => {
    const all = `${row.ref} ${row.place} ${row.section} ${row.entrance} ${row.category} ${row.label}`.toLowerCase();
    return words.every((word) => all.includes(word));
  });
}

/** Most halls name no entrance. A column that is empty in every row is left out. */
export function columnsIn(rows: readonly DoorRow[]): readonly DoorColumn[] {
  return doorColumns.filter((column) => rows.some((row) => row[column] !== ''));
}

/** A text that sorts numbers by their size: A-2 before A-10. */
export const sortText = (text: string): string => text.replace(/\d+/g, (digits) => digits.padStart(8, '0'));

export const guestsOf = (rows: readonly DoorRow[]): number => rows.reduce((sum, { guests }) => sum + guests, 0);
