/**
 * Every unit with its status, its holder and its terms: the source of the report with one line for each unit. An answer
 * is one message, so a large event takes several answers. Each answer goes on after the last unit of the answer before.
 */
import type { SoldTerms, UnitColumns } from '@parterre/shared/protocol/answers';
import type { Line } from '@parterre/shared/protocol/records';
import { eachBookedLine, heldLines, type ReadState, unitColumnsBytesMax } from '../state/state.ts';

/**
 * Bytes in a message, estimated upwards: of a unit, of a unit with a holder in addition, of a text, of a row of a
 * table.
 */
const unitBytes = 3;
const heldUnitBytes = 8;
const textBytes = 3;
const rowBytes = 64;
/** The most bytes of one UTF-16 unit in UTF-8. */
const textUnitBytes = 3;

const nobody = -1;

/** The columns from unit `from` on: `most` units, or as many as fit into one answer. */
export function unitColumns(state: ReadState, from: number, most = state.plan.unitCount): UnitColumns {
  const [first] = unitColumnsInPieces(state, from, most);
  return first!;
}

/** All answers from unit `from` on, one behind the other, at least one. */
export function* unitColumnsInPieces(
  state: ReadState,
  from: number,
  most = state.plan.unitCount,
): Generator<UnitColumns> {
  const held = holdersOn(state, from, most);
  let told = 0;
  do {
    const piece = pieceOf(state, held, from, told);
    yield piece;
    told += piece.statuses.length;
  } while (told < held.holderOf.length);
}

/** The answer that goes on behind `told` of the held units, which begin at unit `start`. */
function pieceOf(
  state: ReadState,
  { holderOf, holders, rowOf, terms }: HoldersOn,
  start: number,
  told: number,
): UnitColumns {
  const owners = new UsedRows(
    holders,
    (holder) => (typeof holder === 'string' ? holder : state.bookings.keyAt(holder)),
    bytesOfTextInMessage,
  );
  const sold = new UsedRows(terms.rows, (row) => row, bytesOfTerms);
  const [ownerOf, termsOf]: [number[], number[]] = [[], []];
  for (let at = told, bytes = 0; at < holderOf.length; at++) {
    if (bytes + owners.bytes + sold.bytes >= unitColumnsBytesMax) break;
    bytes += holderOf[at] === nobody ? unitBytes : unitBytes + heldUnitBytes;
    ownerOf.push(owners.indexOf(holderOf[at]!));
    termsOf.push(sold.indexOf(rowOf[at]!));
  }
  const { plan, version, config } = state;
  const from = start + told;
  const statuses = state.statuses.slice(from, from + ownerOf.length);
  const tables = { ownerOf, owners: owners.rows, termsOf, sold: sold.rows };
  return { planHash: plan.hash, version, currency: config.currency, from, statuses, ...tables };
}

type HoldersOn = ReturnType<typeof holdersOn>;

/**
 * By unit, counted from `from`: the index of its holder in `holders` (`holderOf`), and of its terms in `terms`
 * (`rowOf`). A holder is the id of a hold or the position of a booking. References of bookings are read only for the
 * units of the answer.
 */
function holdersOn(state: ReadState, from: number, most: number) {
  const size = Math.max(Math.min(most, state.plan.unitCount - from), 0);
  const holderOf = new Int32Array(size).fill(nobody);
  const rowOf = new Int32Array(size).fill(nobody);
  const holders: (string | number)[] = [];
  const terms = new Terms();
  const note = (line: Line, holder: string | number): void => {
    const place = line.unit - from;
    if (place < 0 || place >= size) return;
    if (holders.at(-1) !== holder) holders.push(holder);
    holderOf[place] = holders.length - 1;
    rowOf[place] = terms.indexOf(line);
  };
  for (const hold of state.holds.active.values()) for (const line of heldLines(state, hold)) note(line, hold.id);
  // Bookings come last: a listed unit in checkout still belongs to its booking.
  eachBookedLine(state.bookings, note);
  return { holderOf, holders, rowOf, terms };
}

/** Rows that units share, in the order of their first use. Unused rows are left out. */
class UsedRows<Row, Shown> {
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

/** The terms of lines. Equal terms share a row. */
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
  if (!isSoldAlike || a.fees !== b.fees) return false;
  return a.accessSource === b.accessSource && a.channelId === b.channelId && a.releaseId === b.releaseId;
}

function bytesOfTextInMessage(text: string): number {
  return textBytes + Buffer.byteLength(text);
}

function bytesOfTerms(terms: SoldTerms): number {
  return rowBytes + textUnitBytes * JSON.stringify(terms).length;
}
