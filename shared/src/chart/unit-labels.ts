/**
 * The labels of a plan's units, compact and in both directions. Every service keeps plans of 100,000 seats, whose
 * memory would mostly be strings and a Map of them. All text stands in one array of character codes, one byte each
 * where the chart's labels allow it. A hash table of unit numbers (open addressing, linear probing) finds units. A
 * lookup compares the found label with the label asked for, so it never returns another unit.
 */
import { Fault } from '../errors.ts';
import { hashText } from '../text-hash.ts';

/** The share of the table's places that are taken. A fuller table is smaller and slower. */
const load = 0.6;
const noUnit = -1;

export class UnitLabels {
  readonly #codes: Uint8Array | Uint16Array;
  /** The same bytes as a Buffer, which makes strings. */
  readonly #bytes: Buffer;
  /** The start of each label in `#codes`, and the end of the last label. */
  readonly #starts: Uint32Array;
  readonly #table: Int32Array;
  readonly length: number;

  /** The bytes of memory. */
  get bytes(): number {
    return this.#codes.byteLength + this.#starts.byteLength + this.#table.byteLength;
  }

  /** By unit. Throws a `Fault` when a label occurs twice. */
  constructor(labels: readonly string[]) {
    this.length = labels.length;
    this.#starts = new Uint32Array(labels.length + 1);
    for (let unit = 0; unit < labels.length; unit++) {
      this.#starts[unit + 1] = this.#starts[unit]! + labels[unit]!.length;
    }
    this.#codes = codesOf(labels.join(''));
    this.#bytes = bytesOf(this.#codes);
    this.#table = new Int32Array(Math.ceil(labels.length / load) + 1).fill(noUnit);
    for (let unit = 0; unit < labels.length; unit++) {
      const place = this.#placeOf(labels[unit]!);
      if (this.#table[place] !== noUnit) throw new Fault(`index labels: ${labels[unit]} stands twice`);
      this.#table[place] = unit;
    }
  }

  at(unit: number): string {
    return this.#textOf(this.#starts[unit]!, this.#starts[unit + 1]!);
  }

  unitOf(label: string): number | undefined {
    const unit = this.#table[this.#placeOf(label)]!;
    return unit === noUnit ? undefined : unit;
  }

  has(label: string): boolean {
    return this.#table[this.#placeOf(label)] !== noUnit;
  }

  /** Whether the first units have the labels of `other`, unit by unit. Compares bytes: a large plan takes 0.1 ms. */
  beginsWith(other: UnitLabels): boolean {
    const { length } = other;
    if (length > this.length || this.#codes.BYTES_PER_ELEMENT !== other.#codes.BYTES_PER_ELEMENT) return false;
    const isSame = (own: ArrayBufferView, others: ArrayBufferView): boolean =>
      bytesOf(others).equals(bytesOf(own).subarray(0, others.byteLength));
    return isSame(this.#starts, other.#starts) && isSame(this.#codes, other.#codes);
  }

  /** All labels by unit, newly made: quicker than `at` for a caller that needs most of them. */
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

  /** The place of this label in the table, or the free place for it. */
  #placeOf(label: string): number {
    const table = this.#table;
    let place = Math.floor((hashText(label) / 2 ** 32) * table.length);
    for (;;) {
      const unit = table[place]!;
      if (unit === noUnit || this.#is(unit, label)) return place;
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

/** The same bytes, not copied. */
function bytesOf({ buffer, byteOffset, byteLength }: ArrayBufferView): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}

/** One byte a character when all are Latin-1, else two: UTF-16 as in JavaScript. */
function codesOf(text: string): Uint8Array | Uint16Array {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: a label may hold any character.
  const isLatin1 = /^[\u0000-\u00ff]*$/.test(text);
  const codes = isLatin1 ? new Uint8Array(text.length) : new Uint16Array(text.length);
  for (let i = 0; i < codes.length; i++) codes[i] = text.charCodeAt(i);
  return codes;
}
