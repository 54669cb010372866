/**
 * Positions as spreadsheets write them: `1234.5`, `1.234,5`, `1,234.5`, `1 234,5`, `1'234.5`. A number such as `1,234`
 * has two meanings. The other numbers of the file decide between them.
 */
import { numberOf } from '../reading.ts';
import type { Notes } from '../report.ts';
import type { FoundSeat } from '../venue.ts';

type Axis = 'x' | 'y';

/** A dot before its last three digits: a fraction, unless the file writes fractions with a comma. */
const ONE_DOT = /^-?[1-9]\d{0,2}\.\d{3}$/;
const ONE_COMMA = /^-?\d*,\d+$/;
const DOUBTFUL_COMMA = /^-?[1-9]\d{0,2},\d{3}$/;
const DOTS_IN_THOUSANDS = /^-?\d{1,3}(?:\.\d{3})+(?:,\d+)?$/;
const COMMAS_IN_THOUSANDS = /^-?\d{1,3}(?:,\d{3})+(?:\.\d+)?$/;
/** Longer texts are no numbers. */
const LENGTH_MAX = 40;

export class Positions {
  readonly #dots: Record<Axis, FoundSeat[]> = { x: [], y: [] };
  readonly #commas: Record<Axis, FoundSeat[]> = { x: [], y: [] };
  #withDecimalComma = 0;
  #withDecimalDot = 0;
  #withThousands = 0;

  /** Sets a position of the seat. False where the text is no number; the seat then keeps its position. */
  read(seat: FoundSeat, axis: Axis, text: string): boolean {
    const plain = numberOf(text);
    const value = plain ?? this.#valueOf(text, seat, axis);
    if (value === null) return false;
    if (plain !== null && text.includes('.')) {
      if (ONE_DOT.test(text)) this.#dots[axis].push(seat);
      else this.#withDecimalDot++;
    }
    seat[axis] = value;
    return true;
  }

  #valueOf(text: string, seat: FoundSeat, axis: Axis): number | null {
    if (text.length > LENGTH_MAX) return null;
    const compact = text.replace(/(?<=\d)[\s'’](?=\d)/gu, '').replace(/^[−–]/, '-');
    if (ONE_COMMA.test(compact)) {
      if (DOUBTFUL_COMMA.test(compact)) this.#commas[axis].push(seat);
      else this.#withDecimalComma++;
      return numberOf(compact.replace(',', '.'));
    }
    const hasDots = DOTS_IN_THOUSANDS.test(compact);
    if (hasDots || COMMAS_IN_THOUSANDS.test(compact)) {
      this.#withThousands++;
      if (hasDots) this.#withDecimalComma++;
      else this.#withDecimalDot++;
      return numberOf(hasDots ? compact.replaceAll('.', '').replace(',', '.') : compact.replaceAll(',', ''));
    }
    const value = numberOf(compact);
    if (value !== null) this.#withThousands++;
    return value;
  }

  /** Decides the numbers with two meanings. A file whose cells are parted by commas is written with decimal dots. */
  finish(delimiter: string, notes: Notes): void {
    const commas = this.#commas.x.length + this.#commas.y.length;
    const isDecided = this.#withDecimalComma > 0 !== this.#withDecimalDot > 0;
    const isComma =
      this.#withDecimalComma === this.#withDecimalDot
        ? delimiter !== ','
        : this.#withDecimalComma > this.#withDecimalDot;
    if (commas > 0 && !isDecided) {
      const read = isComma ? 'fractions, so 1,234 is a little more than 1' : 'thousands, so 1,234 is more than 1000';
      notes.ambiguous('comma_in_positions', `Positions have a comma before three digits. The import read ${read}.`);
    }
    if (!isComma) this.#enlarge(this.#commas);
    if (isComma && this.#withDecimalComma > 0 && this.#withDecimalDot === 0) this.#enlarge(this.#dots);
    if (this.#withDecimalComma > 0 || (isComma && commas > 0)) {
      notes.changed('decimal_comma', 'Commas in positions were read as decimal points.');
    }
    if (this.#withThousands > 0) {
      notes.changed('thousands_signs', 'Positions have signs between thousands. They were read without the signs.');
    }
  }

  #enlarge(seats: Record<Axis, FoundSeat[]>): void {
    for (const axis of ['x', 'y'] as const) {
      for (const seat of seats[axis]) {
        seat[axis] = Math.round(seat[axis] * 1_000);
        this.#withThousands++;
      }
    }
  }
}
