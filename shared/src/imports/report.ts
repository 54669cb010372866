/**
 * What an import tells its user: the counts of the things that it understood, and a note for each thing that it left
 * out, changed or could read in two ways. A note names the object in the file and in the chart. Notes are bounded, and
 * all of them are counted.
 */
import type { Issue } from '../errors.ts';

export type ImportFormat = 'seatsio' | 'pretix' | 'csv' | 'svg';

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
  understood: ImportCounts;
  /** Chart units of one unit of the file. */
  scale: number;
  notes: ImportNote[];
  /** With the notes past `notesMax`. */
  notesTotal: number;
  /** The reasons why the chart cannot be published yet. */
  publishIssues: Issue[];
};

/** Notes in one report. */
export const notesMax = 1_000;
/** Labels of the file are cut to this length in messages. */
const quotedLengthMax = 80;

export class Notes {
  readonly list: ImportNote[] = [];
  total = 0;

  leftOut(code: string, message: string, of: { source?: string; objectId?: string } = {}): void {
    this.#add('left_out', code, message, of);
  }

  changed(code: string, message: string, of: { source?: string; objectId?: string } = {}): void {
    this.#add('changed', code, message, of);
  }

  ambiguous(code: string, message: string, of: { source?: string; objectId?: string } = {}): void {
    this.#add('ambiguous', code, message, of);
  }

  #add(kind: NoteKind, code: string, message: string, { source, objectId }: { source?: string; objectId?: string }) {
    this.total++;
    if (this.list.length >= notesMax) return;
    const named = source === undefined ? {} : { source: source.slice(0, quotedLengthMax) };
    this.list.push({ kind, code, message, ...named, ...(objectId !== undefined && { objectId }) });
  }
}

/** A text of the file in a message: in quotes, and cut. */
export function quoted(text: string): string {
  const cut = [...text.slice(0, 2 * quotedLengthMax)].slice(0, quotedLengthMax).join('');
  return `"${cut}${cut.length < text.length ? '…' : ''}"`;
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
    | 'forbidden_xml'
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
