/**
 * The report of an import to its user: the counts of the things that it understood, and a note for each thing that it
 * left out, changed or could read in two ways. A note names the object in the file and in the chart. Notes are bounded,
 * and all of them are counted.
 */
import type { Issue } from '../../protocol/errors.ts';
import { unitsPerChartMax } from '../../protocol/limits.ts';

export type ImportFormat = 'seatsio' | 'pretix' | 'csv' | 'svg' | 'document';

/**
 * - `left_out`: the chart does not have it.
 * - `changed`: the chart has it in another form.
 * - `ambiguous`: the file can be read in several ways. The message says which way the import took, and what to do.
 */
export type NoteKind = 'left_out' | 'changed' | 'ambiguous';

export type ImportNote = {
  kind: NoteKind;
  /** Notes of one cause have the same code. */
  code: string;
  message: string;
  /** The id, else the label, of the object in the file. */
  source?: string;
  /** The id of the object in the chart. */
  objectId?: string;
};

export type ImportCounts = {
  floors: number;
  sections: number;
  zones: number;
  categories: number;
  rows: number;
  seats: number;
  tables: number;
  chairs: number;
  booths: number;
  areas: number;
  places: number;
  shapes: number;
  texts: number;
  images: number;
};

export type ImportReport = {
  format: ImportFormat;
  /** The version that the file names; null if it names none. */
  version: string | null;
  /** The encoding of the file. Absent in reports of older builds. */
  encoding?: string;
  understood: ImportCounts;
  /** Chart units of one unit of the file. */
  scale: number;
  notes: ImportNote[];
  /** With the notes past `notesMax`. */
  notesTotal: number;
  /** The reasons why the chart cannot be published yet. */
  publishIssues: Issue[];
};

/** Notes in one report. Where there are more, each code keeps its share. */
export const notesMax = 1_000;
/** Names and labels of the file are cut to this length. */
const quotedLengthMax = 80;

type Of = { source?: string; objectId?: string };
type Numbered = { at: number; note: ImportNote };

export class Notes {
  /** At most `notesMax` for each code. Codes are words of this program, so there are few. */
  readonly #byCode = new Map<string, Numbered[]>();
  readonly #taken = new Set<string>();
  /** The number of the last name that was made of a name. */
  readonly #numbers = new Map<string, number>();
  total = 0;

  /** A name for an object of the file. No other object gets the same, so that notes find their object by it. */
  nameOf(source: string): string {
    const wanted = sourceName(source);
    let number = this.#numbers.get(wanted) ?? 0;
    let name: string;
    do {
      number++;
      name = number === 1 ? wanted : `${wanted} (${number})`;
    } while (this.#taken.has(name));
    this.#numbers.set(wanted, number);
    this.#taken.add(name);
    return name;
  }

  leftOut(code: string, message: string, of: Of = {}): void {
    this.#add('left_out', code, message, of);
  }

  changed(code: string, message: string, of: Of = {}): void {
    this.#add('changed', code, message, of);
  }

  ambiguous(code: string, message: string, of: Of = {}): void {
    this.#add('ambiguous', code, message, of);
  }

  /** In the order in which they came, at most `notesMax`. A code with few notes keeps them all. */
  get list(): ImportNote[] {
    const kept: Numbered[] = [];
    const codes = [...this.#byCode.values()].sort((a, b) => a.length - b.length);
    for (const [index, notes] of codes.entries()) {
      kept.push(...notes.slice(0, Math.floor((notesMax - kept.length) / (codes.length - index))));
    }
    return kept.sort((a, b) => a.at - b.at).map(({ note }) => note);
  }

  /** Takes the notes of a part of the import that others may not keep. */
  take(other: Notes): void {
    for (const { note } of [...other.#byCode.values()].flat().sort((a, b) => a.at - b.at)) {
      this.#add(note.kind, note.code, note.message, note);
    }
    this.total += other.total - [...other.#byCode.values()].reduce((sum, notes) => sum + notes.length, 0);
  }

  #add(kind: NoteKind, code: string, message: string, { source, objectId }: Of) {
    const at = this.total++;
    const notes = this.#byCode.get(code) ?? [];
    this.#byCode.set(code, notes);
    if (notes.length >= notesMax) return;
    const named = source === undefined ? {} : { source: sourceName(source) };
    notes.push({ at, note: { kind, code, message, ...named, ...(objectId !== undefined && { objectId }) } });
  }
}

/** The name of an object as notes have it. */
export function sourceName(source: string): string {
  return [...source.slice(0, 2 * quotedLengthMax)].slice(0, quotedLengthMax).join('');
}

/** A text of the file in a message: in quotes, and cut. */
export function quoted(text: string): string {
  const cut = sourceName(text);
  return `"${cut}${cut.length < text.length ? '…' : ''}"`;
}

/** Labels lose spaces at their ends and control characters, and get composed letters. */
export function noteAltered(notes: Notes, labels: string, count: number, source: string): void {
  if (count === 0) return;
  const message = `${labels} had spaces at the ends, control characters or parted accents in the file, and lost them. Calls name places by the label in the chart.`;
  notes.changed('label_cleaned', message, { source });
}

/** `1 seat`, `2 seats`. */
export function countOf(count: number, singular: string, plural = `${singular}s`): string {
  return `${count} ${count === 1 ? singular : plural}`;
}

/** The way in which a file cannot be imported at all. No chart is made. */
export type ImportFault = {
  code:
    | 'empty_file'
    | 'unreadable_text'
    | 'broken_json'
    | 'broken_xml'
    | 'broken_csv'
    | 'broken_document'
    | 'unknown_format'
    | 'nothing_found'
    | 'too_many_seats'
    | 'too_large';
  message: string;
  /** From 1, where the fault has a place in the file. */
  line?: number;
  column?: number;
};

/** Ends an import. Only imports.ts catches it. */
export class Unimportable extends Error {
  readonly fault: ImportFault;

  constructor(fault: ImportFault) {
    super(fault.message);
    this.fault = fault;
  }
}

/** Throws for a file with more places than a chart may have. */
export function checkSeatCount(count: number, noun: string): void {
  if (count <= unitsPerChartMax) return;
  throw new Unimportable({
    code: 'too_many_seats',
    message: `The file has ${countOf(count, noun)}. A chart has at most ${unitsPerChartMax}. Split the file, and import each part.`,
  });
}
