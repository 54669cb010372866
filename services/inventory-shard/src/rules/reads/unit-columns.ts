/**
 * Every unit as it stands, with whoever has it and for how much: what the report is made of that has a line a unit. An answer is one
 * message, so that of a large event it may take several: each goes on from the unit that the one before ended at.
 */
import type { SoldTerms, UnitColumns } from '@parterre/shared/answers';
import type { Line } from '@parterre/shared/records';
import { unitColumnsBytesMax } from '../state/bounds.ts';
import { eachBookedLine } from '../state/packed-holders.ts';
import { type EventState, ownedLines } from '../state/state.ts';

/** What a unit takes in a message, one that somebody has takes beside, a text and a row of a table do; estimated upwards. */
const unitBytes = 3;
const ownedUnitBytes = 8;
const textBytes = 3;
const rowBytes = 64;
/** A UTF-16 unit is at most this long in UTF-8. */
const textUnitBytes = 3;

const nobody = -1;

/** Of the units `from` on: `most` of them, or as many as fit. */
export function unitColumns(state: EventState, from: number, most = state.plan.unitCount): UnitColumns {
  const { ownerOf: claimOf, owners: claims, termsOf: formOf, terms } = claimsOn(state, from, most);
  const owners = new Told(
    claims,
    (claim) => (typeof claim === 'string' ? claim : state.bookings.keyAt(claim)),
    bytesOfText,
  );
  const sold = new Told(terms.rows, (row) => row, bytesOfTerms);
  const [ownerOf, termsOf]: [number[], number[]] = [[], []];
  let told = 0;
  for (let bytes = 0; told < claimOf.length; told++) {
    if (bytes + owners.bytes + sold.bytes >= unitColumnsBytesMax) break;
    bytes += claimOf[told] === nobody ? unitBytes : unitBytes + ownedUnitBytes;
    ownerOf.push(owners.indexOf(claimOf[told]!));
    termsOf.push(sold.indexOf(formOf[told]!));
  }
  const { plan, version, config } = state;
  const statuses = state.statuses.slice(from, from + told);
  const tables = { ownerOf, owners: owners.rows, termsOf, sold: sold.rows };
  return { planHash: plan.hash, version, currency: config.currency, from, statuses, ...tables };
}

/**
 * By unit, counted from `from`: which of `owners` has it and on which of `terms`. An owner is the id of a hold, or where a booking
 * is kept: most references are looked at by the answer that tells of them, and not by every one.
 */
function claimsOn(state: EventState, from: number, most: number) {
  const size = Math.max(Math.min(most, state.plan.unitCount - from), 0);
  const ownerOf = new Int32Array(size).fill(nobody);
  const termsOf = new Int32Array(size).fill(nobody);
  const owners: (string | number)[] = [];
  const terms = new Terms();
  const note = (line: Line, owner: string | number): void => {
    const place = line.unit - from;
    if (place < 0 || place >= size) return;
    if (owners.at(-1) !== owner) owners.push(owner);
    ownerOf[place] = owners.length - 1;
    termsOf[place] = terms.indexOf(line);
  };
  for (const hold of state.holds.active.values()) for (const line of ownedLines(state, hold)) note(line, hold.id);
  // Last, since what is in checkout from a listing is its booking's still.
  eachBookedLine(state.bookings, note);
  return { ownerOf, owners, termsOf, terms };
}

/** Rows that units share, in the order in which these come, without those that none of them has. */
class Told<Row, Shown> {
  readonly rows: Shown[] = [];
  bytes = 0;
  readonly #all: readonly Row[];
  readonly #shownOf: (row: Row) => Shown;
  readonly #bytesOf: (shown: Shown) => number;
  readonly #indexOf: Int32Array;

  constructor(all: readonly Row[], shownOf: (row: Row) => Shown, bytesOf: (shown: Shown) => number) {
    this.#all = all;
    this.#shownOf = shownOf;
    this.#bytesOf = bytesOf;
    this.#indexOf = new Int32Array(all.length).fill(nobody);
  }

  indexOf(row: number): number {
    if (row === nobody) return nobody;
    if (this.#indexOf[row] === nobody) {
      const shown = this.#shownOf(this.#all[row]!);
      this.bytes += this.#bytesOf(shown);
      this.#indexOf[row] = this.rows.push(shown) - 1;
    }
    return this.#indexOf[row]!;
  }
}

/** The terms of lines, alike ones once. */
class Terms {
  readonly rows: SoldTerms[] = [];
  readonly #indexOf = new Map<string, number>();
  #last = nobody;

  indexOf(line: Line): number {
    if (this.#last !== nobody && isSame(this.rows[this.#last]!, line)) return this.#last;
    const { unit: _unit, group: _group, ...terms } = line;
    const key = JSON.stringify(terms);
    this.#last = this.#indexOf.get(key) ?? this.rows.push(terms) - 1;
    this.#indexOf.set(key, this.#last);
    return this.#last;
  }
}

function isSame(a: SoldTerms, b: SoldTerms): boolean {
  const isSoldAlike = a.price === b.price && a.quantity === b.quantity && a.tierId === b.tierId;
  return isSoldAlike && a.accessSource === b.accessSource && a.channelId === b.channelId && a.releaseId === b.releaseId;
}

function bytesOfText(text: string): number {
  return textBytes + Buffer.byteLength(text);
}

function bytesOfTerms(terms: SoldTerms): number {
  return rowBytes + textUnitBytes * JSON.stringify(terms).length;
}
