/**
 * Summaries of the free neighbouring seats of each row, so that best-available searches only rows that can serve a
 * query. They are a lookup beside the state (state/lookups.ts), built at the first query. Folds mark the rows that
 * change (some bits for each row), and a query refreshes the marked rows that it reaches.
 */
import type { Plan } from '@parterre/shared/charts/plan';
import { bestAvailableQtyMax } from '@parterre/shared/protocol/limits';
import { objectsInMask, type ReachMask } from '../reach/masks.ts';
import { type Lookup, lookupOf, type ReadState, summariesKept } from '../state/state.ts';
import { eachRun, isAtAisle, isClean, isCleanBesideCompanions, lengthOf, type Wanted } from './run-search.ts';
import type { Among } from './search.ts';
import type { CategoryScope } from './search-order.ts';
import { anyCategory, type SeatRows, seatRowsOf } from './seat-rows.ts';
import { eachSuitable, type Need, ordinary } from './suitable-runs.ts';

/** The seats that a summary counts: what a run needs, the caller's mask, the categories and the places of the query. */
export type SummaryOf = { need: Need; mask: ReachMask | null; scope: CategoryScope; among: Among | null };

/**
 * Columns by strip (see seat-rows.ts). Bit n of a pair of words (0 to 31, and 32 to 63) says that n neighbours can be
 * taken that suit the need. A summary of several categories has them in the first strip of each object.
 */
export type Summary = {
  name: string;
  of: SummaryOf;
  /** This summary's bit in `stale`. */
  bit: number;
  low: Uint32Array;
  high: Uint32Array;
  /** The same for neighbours that leave no single seat beside them. */
  cleanLow: Uint32Array;
  cleanHigh: Uint32Array;
};

/** The columns of a summary for one strip: low, high, cleanLow and cleanHigh. */
export type RunBits = Uint32Array;

/** All bits of `stale`: a change in a row outdates every summary at once. */
const everySummary = 2 ** (1 + summariesKept) - 1;

/** The summaries of an event. */
export class FreeRuns implements Lookup {
  /** By object: the bits of the summaries that are outdated. */
  readonly stale: Uint32Array;
  /** The summary of ordinary seats, by single categories, for callers who may take every seat. */
  readonly plain: Summary;
  /** Summaries for certain needs, masks or several categories, by name. The least recently used comes first. */
  readonly others = new Map<string, Summary>();
  readonly #plan: Plan;
  readonly #rowOf: Int32Array;
  readonly #bytesOfSummary: number;

  constructor(plan: Plan) {
    this.#plan = plan;
    this.#rowOf = seatRowsOf(plan).rowOf;
    this.stale = new Uint32Array(plan.objects.length).fill(everySummary);
    this.plain = newSummary(seatRowsOf(plan), '', plainOf, 1);
    const { low, high, cleanLow, cleanHigh } = this.plain;
    this.#bytesOfSummary = [low, high, cleanLow, cleanHigh].reduce((sum, { byteLength }) => sum + byteLength, 0);
  }

  unitsChanged(units: readonly number[]): void {
    const { objectOfUnit } = this.#plan;
    for (let i = 0; i < units.length; i++) this.stale[this.#rowOf[objectOfUnit[units[i]!]!]!] = everySummary;
  }

  get bytes(): number {
    return this.stale.byteLength + (1 + this.others.size) * this.#bytesOfSummary;
  }
}

export function freeRunsOf(state: ReadState): FreeRuns {
  return lookupOf(state, newFreeRuns);
}

function newFreeRuns({ plan }: ReadState): FreeRuns {
  return new FreeRuns(plan);
}

const plainOf: SummaryOf = {
  need: ordinary,
  mask: null,
  scope: { category: anyCategory, categories: null, key: '' },
  among: null,
};

function newSummary({ objectOfStrip }: SeatRows, name: string, of: SummaryOf, bit: number): Summary {
  const column = (): Uint32Array => new Uint32Array(objectOfStrip.length);
  return { name, of, bit, low: column(), high: column(), cleanLow: column(), cleanHigh: column() };
}

/**
 * The summary for a need, a mask and categories. Past `summariesKept`, the least recently used summary makes room. A
 * summary for a mask of an older assignment is rebuilt under its name.
 */
export function summaryOf(state: ReadState, rows: SeatRows, of: SummaryOf): Summary {
  const { plain, others } = freeRunsOf(state);
  const { need, mask, scope, among } = of;
  const isPlain = need.kinds === 0 && !need.isAtAisle && among === null;
  if (isPlain && mask === null && scope.categories === null) return plain;
  const several = scope.categories === null ? '' : scope.key;
  const kind = `${need.kinds} ${need.count} ${need.isAccompanied}`;
  const terms = need.isAtAisle || among !== null ? `${need.isAtAisle} ${among === null ? '' : among.key}` : '';
  const name = `${kind} ${several} ${mask === null ? '' : mask.key} ${terms}`;
  let summary = others.get(name);
  if (!summary || summary.of.mask !== mask || summary.of.among !== among) {
    summary = spareSummary(others, rows, summary);
    Object.assign(summary, { name, of });
    begin(state, summary);
  }
  others.delete(name);
  others.set(name, summary);
  return summary;
}

/** Marks every object as outdated. Objects without a unit in the mask are cleared instead and never searched. */
function begin(state: ReadState, { bit, of: { mask }, low, high, cleanLow, cleanHigh }: Summary): void {
  const { stale } = freeRunsOf(state);
  const { rowOf } = seatRowsOf(state.plan);
  const objects = mask && objectsInMask(state, mask);
  if (objects) for (const column of [low, high, cleanLow, cleanHigh]) column.fill(0);
  for (let object = 0; object < stale.length; object++) {
    if (objects === null || objects[object] === 1) stale[rowOf[object]!]! |= bit;
    else if (rowOf[object] === object) stale[object]! &= ~bit;
  }
}

function spareSummary(others: FreeRuns['others'], rows: SeatRows, outdated: Summary | undefined): Summary {
  const [oldest] = others.values();
  if (outdated) return outdated;
  if (!oldest || others.size < summariesKept) return newSummary(rows, '', plainOf, 2 << others.size);
  others.delete(oldest.name);
  return oldest;
}

/** Rebuilds the summary of an object's strips if the object has changed. */
export function refresh(state: ReadState, rows: SeatRows, { stale }: FreeRuns, summary: Summary, object: number): void {
  if ((stale[object]! & summary.bit) === 0) return;
  stale[object]! &= ~summary.bit;
  sumUp(state, rows, summary, object);
}

function sumUp(state: ReadState, rows: SeatRows, summary: Summary, object: number): void {
  const { of, low, high, cleanLow, cleanHigh } = summary;
  const { need, mask, scope, among } = of;
  const first = rows.firstStrip[object]!;
  const end = scope.categories === null ? rows.firstStrip[object + 1]! : first + 1;
  // A row without a place of the kinds has nothing to give, and most rows are such.
  const hasKinds = need.kinds === 0 || (rows.kinds[object]! & need.kinds) !== 0;
  const { categories } = scope;
  const wanted: Wanted = { category: anyCategory, categories, among, kinds: need.kinds, mask, taken: null, own: null };
  const bits = new Uint32Array(4);
  for (let strip = first; strip < end; strip++) {
    if (scope.categories === null) wanted.category = rows.categoryOfStrip[strip]!;
    bits.fill(0);
    if (hasKinds) countRuns(bits, state, rows, object, wanted, need);
    low[strip] = bits[0]!;
    high[strip] = bits[1]!;
    cleanLow[strip] = bits[2]!;
    cleanHigh[strip] = bits[3]!;
  }
}

/** The bits of one object, counted now. */
export function bitsOf(state: ReadState, rows: SeatRows, object: number, wanted: Wanted, need: Need): RunBits {
  const bits = new Uint32Array(4);
  countRuns(bits, state, rows, object, wanted, need);
  return bits;
}

/**
 * This function is separate from `refresh`, which runs for every row: the captured variables of a closure are allocated
 * when its function begins.
 */
function countRuns(bits: RunBits, state: ReadState, rows: SeatRows, object: number, wanted: Wanted, need: Need): void {
  eachRun(state, rows, object, wanted, (from, to, freeFrom, freeTo) => {
    if (need.kinds === 0 && need.isAtAisle) addAtAisle(bits, state.plan, rows, object, from, to, freeFrom, freeTo);
    else if (need.kinds === 0) addPlain(bits, from, to, freeFrom, freeTo);
    else addSuitable(bits, state.plan, rows, object, need, from, to, freeFrom, freeTo);
  });
}

function addPlain(bits: RunBits, from: number, to: number, freeFrom: number, freeTo: number): void {
  const length = lengthOf(from, to, freeFrom);
  const most = Math.min(length, bestAvailableQtyMax);
  bits[0]! |= lowestBits(most);
  bits[1]! |= highestBits(most);
  // At most two starts strand a seat, one at each end. With three starts or more, one is clean.
  const sure = Math.min(length - 2, most);
  bits[2]! |= lowestBits(sure);
  bits[3]! |= highestBits(sure);
  for (let qty = Math.max(sure + 1, 1); qty <= most; qty++) {
    if (hasCleanStart(from, to, freeFrom, freeTo, qty)) setBit(bits, 2, qty);
  }
}

/** A row parts at its aisles, so that only the ends of a run may be at one. */
function addAtAisle(
  bits: RunBits,
  plan: Plan,
  rows: SeatRows,
  object: number,
  from: number,
  to: number,
  freeFrom: number,
  freeTo: number,
): void {
  for (let qty = Math.min(to - from, bestAvailableQtyMax); qty > 0; qty--) {
    for (const start of [from, to - qty]) {
      if (!isAtAisle(plan, rows, object, start, qty)) continue;
      setBit(bits, 0, qty);
      if (isClean(start, qty, freeFrom, freeTo)) setBit(bits, 2, qty);
    }
  }
}

function addSuitable(
  bits: RunBits,
  plan: Plan,
  rows: SeatRows,
  object: number,
  need: Need,
  from: number,
  to: number,
  freeFrom: number,
  freeTo: number,
): void {
  const most = Math.min(lengthOf(from, to, freeFrom), bestAvailableQtyMax);
  const allLow = lowestBits(most);
  const allHigh = highestBits(most);
  const among = { plan, rows };
  for (let start = from; start < to; start++) {
    // Every bit is set: another start adds nothing.
    if ((bits[2]! & allLow) === allLow && (bits[3]! & allHigh) === allHigh) return;
    eachSuitable(plan, rows, object, need, start, Math.min(to, start + most), (qty) => {
      if (need.isAtAisle && !isAtAisle(plan, rows, object, start, qty)) return;
      setBit(bits, 0, qty);
      if (isCleanBesideCompanions(among, object, start, qty, freeFrom, freeTo)) setBit(bits, 2, qty);
    });
  }
}

/** Bits 1 to `last` that are in the low word. */
function lowestBits(last: number): number {
  if (last < 1) return 0;
  return last >= 31 ? ~1 : (1 << (last + 1)) - 2;
}

/** Bits 32 to `last`, as bits of the high word. */
function highestBits(last: number): number {
  return lowestBits(last - 32) | (last >= 32 ? 1 : 0);
}

/** `word` is the index of the low word. */
function setBit(bits: RunBits, word: number, qty: number): void {
  if (qty < 32) bits[word]! |= 1 << qty;
  else bits[word + 1]! |= 1 << (qty - 32);
}

function hasCleanStart(from: number, to: number, freeFrom: number, freeTo: number, qty: number): boolean {
  for (let start = from; start + qty <= to; start++) if (isClean(start, qty, freeFrom, freeTo)) return true;
  return false;
}

/** Whether a pair of words has the bit of `qty`. */
export function hasBit(low: number, high: number, qty: number): boolean {
  return ((qty < 32 ? low >>> qty : high >>> (qty - 32)) & 1) === 1;
}
