/**
 * The labels of a plan's units, in few bytes and both ways: a plan of 100,000 seats is kept by every service, and strings
 * with a Map of them would take most of its memory. All text stands in one array of character codes, one byte each
 * where the chart's labels allow it; units are found through a hash table of unit numbers (open addressing, linear probing).
 * What the table points at is compared with the label asked for, so a unit found is never another's.
 */
import { Fault } from '../errors.ts';
import { hashText } from '../text-hash.ts';

/** Of the table's places that are taken: fuller ones are smaller and slower. */
const load = 0.6;
const nobody = -1;

export class UnitLabels {
  readonly #codes: Uint8Array | Uint16Array;
  /** The same bytes, to make strings of. */
  readonly #bytes: Buffer;
  /** Where each label begins in `#codes`, and where the last one ends. */
  readonly #starts: Uint32Array;
  readonly #table: Int32Array;
  readonly length: number;

  /** What they take in memory. */
  get bytes(): number {
    return this.#codes.byteLength + this.#starts.byteLength + this.#table.byteLength;
  }

  /** By unit. Throws a `Fault` where a label stands twice. */
  constructor(labels: readonly string[]) {
    this.length = labels.length;
    this.#starts = new Uint32Array(labels.length + 1);
    for (let unit = 0; unit < labels.length; unit++) {
      this.#starts[unit + 1] = this.#starts[unit]! + labels[unit]!.length;
    }
    this.#codes = codesOf(labels.join(''));
    this.#bytes = Buffer.from(this.#codes.buffer, this.#codes.byteOffset, this.#codes.byteLength);
    this.#table = new Int32Array(Math.ceil(labels.length / load) + 1).fill(nobody);
    for (let unit = 0; unit < labels.length; unit++) {
      const place = this.#placeOf(labels[unit]!);
      if (this.#table[place] !== nobody) throw new Fault(`index labels: ${labels[unit]} stands twice`);
      this.#table[place] = unit;
    }
  }

  at(unit: number): string {
    return this.#textOf(this.#starts[unit]!, this.#starts[unit + 1]!);
  }

  unitOf(label: string): number | undefined {
    const unit = this.#table[this.#placeOf(label)]!;
    return unit === nobody ? undefined : unit;
  }

  has(label: string): boolean {
    return this.#table[this.#placeOf(label)] !== nobody;
  }

  /** All of them by unit, made anew: quicker than `at` for whoever wants most. */
  all(): string[] {
    const text = this.#textOf(0, this.#codes.length);
    const labels = new Array<string>(this.length);
    for (let unit = 0; unit < labels.length; unit++) {
      labels[unit] = text.slice(this.#starts[unit], this.#starts[unit + 1]);
    }
    return labels;
  }

  #textOf(start: number, end: number): string {
    const isLatin1 = this.#codes.BYTES_PER_ELEMENT === 1;
    return isLatin1 ? this.#bytes.toString('latin1', start, end) : this.#bytes.toString('utf16le', 2 * start, 2 * end);
  }

  /** The place of this label in the table, or the free one where it would stand. */
  #placeOf(label: string): number {
    const table = this.#table;
    let place = Math.floor((hashText(label) / 2 ** 32) * table.length);
    for (;;) {
      const unit = table[place]!;
      if (unit === nobody || this.#is(unit, label)) return place;
      place = place + 1 === table.length ? 0 : place + 1;
    }
  }

  #is(unit: number, label: string): boolean {
    const start = this.#starts[unit]!;
    if (this.#starts[unit + 1]! - start !== label.length) return false;
    const codes = this.#codes;
    // Labels near each other differ at their end.
    for (let i = label.length - 1; i >= 0; i--) {
      if (codes[start + i] !== label.charCodeAt(i)) return false;
    }
    return true;
  }
}

/** One byte a character where all are of Latin-1, else two: UTF-16 as JavaScript has it. */
function codesOf(text: string): Uint8Array | Uint16Array {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: a label may hold any character.
  const isLatin1 = /^[\u0000-\u00ff]*$/.test(text);
  const codes = isLatin1 ? new Uint8Array(text.length) : new Uint16Array(text.length);
  for (let i = 0; i < codes.length; i++) codes[i] = text.charCodeAt(i);
  return codes;
}
