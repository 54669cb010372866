/**
 * The labels of a plan's units, compact and in both directions. Every service keeps plans of 100,000 seats, whose
 * memory would mostly be strings and a Map of them. A hash table of unit numbers (open addressing, linear probing)
 * finds units. A lookup compares the found label with the label asked for, so it never returns another unit.
 */
import { Fault } from '../protocol/errors.ts';
import { hashText, threadSeed } from '../runtime/text-hash.ts';
import { type TextArrays, TextColumn } from './text-column.ts';

/** The share of the table's places that are taken. A fuller table is smaller and slower. */
const load = 0.6;
const noUnit = -1;

/** The labels as plain data, for another thread. */
export type LabelArrays = {
  texts: TextArrays;
  table: Int32Array;
  /** The seed of the table's hashes. */
  seed: number;
};

export class UnitLabels {
  readonly #texts: TextColumn;
  readonly #table: Int32Array;
  readonly #seed: number;
  readonly length: number;

  constructor({ texts, table, seed }: LabelArrays) {
    this.#texts = new TextColumn(texts);
    this.#table = table;
    this.#seed = seed;
    this.length = this.#texts.length;
  }

  /** By unit. Throws a `Fault` when a label occurs twice. */
  static of(labels: readonly string[]): UnitLabels {
    const table = new Int32Array(Math.ceil(labels.length / load) + 1).fill(noUnit);
    const made = new UnitLabels({ texts: TextColumn.of(labels).arrays, table, seed: threadSeed });
    for (let unit = 0; unit < labels.length; unit++) {
      const place = made.#placeOf(labels[unit]!);
      if (table[place] !== noUnit) throw new Fault(`index labels: ${labels[unit]} stands twice`);
      table[place] = unit;
    }
    return made;
  }

  get arrays(): LabelArrays {
    return { texts: this.#texts.arrays, table: this.#table, seed: this.#seed };
  }

  /** The bytes of memory. */
  get bytes(): number {
    return this.#texts.bytes + this.#table.byteLength;
  }

  at(unit: number): string {
    return this.#texts.at(unit);
  }

  unitOf(label: string): number | undefined {
    const unit = this.#table[this.#placeOf(label)]!;
    return unit === noUnit ? undefined : unit;
  }

  has(label: string): boolean {
    return this.#table[this.#placeOf(label)] !== noUnit;
  }

  /** Whether this unit exists and has this label. Quicker than `unitOf`. */
  is(unit: number, label: string): boolean {
    return unit >= 0 && unit < this.length && this.#texts.is(unit, label);
  }

  /** Whether the first units have the labels of `other`, unit by unit. */
  beginsWith(other: UnitLabels): boolean {
    return this.#texts.beginsWith(other.#texts);
  }

  /** All labels by unit, newly made: quicker than `at` for a caller that needs most of them. */
  all(): string[] {
    return this.range(0, this.length);
  }

  /** The labels of the units from `from` to `to`, without `to`. */
  range(from: number, to: number): string[] {
    return this.#texts.range(from, to);
  }

  /** The place of this label in the table, or the free place for it. */
  #placeOf(label: string): number {
    const table = this.#table;
    const texts = this.#texts;
    let place = Math.floor((hashText(label, this.#seed) / 2 ** 32) * table.length);
    for (;;) {
      const unit = table[place]!;
      if (unit === noUnit || texts.is(unit, label)) return place;
      place = place + 1 === table.length ? 0 : place + 1;
    }
  }
}
