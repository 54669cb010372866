/**
 * Summaries of the free neighbouring seats of each row, so that best-available searches only rows that can serve a
 * query. They are a lookup beside the state (state/lookups.ts), built at the first query. Folds mark the rows that
 * change (some bits for each row), and a query refreshes the marked rows that it reaches.
 */
import type { Plan } from '@parterre/shared/chart/plan';
import { bestAvailableQtyMax } from '@parterre/shared/limits';
import { objectsInMask, type ReachMask } from '../reach/reach.ts';
import { type Lookup, lookupOf, type ReadState, summariesKept } from '../state/state.ts';
import { eachRun, isClean } from './run-search.ts';
import { type SeatRows, seatRowsOf, sold } from './seat-rows.ts';
import { eachSuitable } from './suitable-runs.ts';

/**
 * Columns by strip (see seat-rows.ts). Bit n of a pair of words (0 to 31, and 32 to 63) says that n neighbours can be
 * taken. If the summary has kinds, the neighbours include a seat of one of them, and a wheelchair place for each
 * companion's place.
 */
export type Summary = {
  name: string;
  kinds: number;
  /** Seats outside the mask count as taken. */
  mask: ReachMask | null;
  /** This summary's bit in `stale`. */
  bit: number;
  low: Uint32Array;
  high: Uint32Array;
  /** The same for neighbours that leave no single seat beside them. */
  cleanLow: Uint32Array;
  cleanHigh: Uint32Array;
  /** The number of seats that can be taken singly. */
  free: Uint32Array;
};

/** All bits of `stale`: a change in a row outdates every summary at once. */
const everySummary = 2 ** (1 + summariesKept) - 1;

/** The summaries of an event. */
export class FreeRuns implements Lookup {
  /** By object: the bits of the summaries that are outdated. */
  readonly stale: Uint32Array;
  /** The summary of seats without an accessibility kind, for callers who may take every seat. */
  readonly plain: Summary;
  /** Summaries for certain accessibility kinds or masks, by name. The least recently used comes first. */
  readonly others = new Map<string, Summary>();
  readonly #plan: Plan;
  readonly #rowOf: Int32Array;
  readonly #bytesOfSummary: number;

  constructor(plan: Plan) {
    this.#plan = plan;
    this.#rowOf = seatRowsOf(plan).rowOf;
    this.stale = new Uint32Array(plan.objects.length).fill(everySummary);
    this.plain = newSummary(seatRowsOf(plan), { name: '', kinds: 0, mask: null, bit: 1 });
    const { low, high, cleanLow, cleanHigh, free } = this.plain;
    this.#bytesOfSummary = [low, high, cleanLow, cleanHigh, free].reduce((sum, { byteLength }) => sum + byteLength, 0);
  }

  unitsChanged(units: readonly number[]): void {
    const { objectOfUnit } = this.#plan;
    for (let i = 0; i < units.length; i++) this.stale[this.#rowOf[objectOfUnit[units[i]!]!]!] = everySummary;
  }

  /** The bytes include the event's share of the plan's index (seat-rows.ts). */
  get bytes(): number {
    return this.#plan.unitCount + this.stale.byteLength + (1 + this.others.size) * this.#bytesOfSummary;
  }
}

export function freeRunsOf(state: ReadState): FreeRuns {
  return lookupOf(state, newFreeRuns);
}

function newFreeRuns({ plan }: ReadState): FreeRuns {
  return new FreeRuns(plan);
}

function newSummary({ objectOfStrip }: SeatRows, of: Pick<Summary, 'name' | 'kinds' | 'mask' | 'bit'>): Summary {
  const column = (): Uint32Array => new Uint32Array(objectOfStrip.length);
  return { ...of, low: column(), high: column(), cleanLow: column(), cleanHigh: column(), free: column() };
}

/**
 * The summary for the kinds that a query names (0: none) and a mask. Past `summariesKept`, the least recently used
 * summary makes room. A summary for a mask of an older assignment is rebuilt under its name.
 */
export function summaryOf(state: ReadState, rows: SeatRows, kinds: number, mask: ReachMask | null): Summary {
  const { plain, others } = freeRunsOf(state);
  if (kinds === 0 && mask === null) return plain;
  const name = mask === null ? `${kinds}` : `${kinds} ${mask.key}`;
  let summary = others.get(name);
  if (summary?.mask !== mask || !summary) {
    summary = spareSummary(others, rows, summary);
    Object.assign(summary, { name, kinds, mask });
    begin(state, summary);
  }
  others.delete(name);
  others.set(name, summary);
  return summary;
}

/** Marks every object as outdated. Objects without a unit in the mask are cleared instead and never searched. */
function begin(state: ReadState, { bit, mask, low, high, cleanLow, cleanHigh, free }: Summary): void {
  const { stale } = freeRunsOf(state);
  const { rowOf } = seatRowsOf(state.plan);
  const objects = mask && objectsInMask(state, mask);
  if (objects) for (const column of [low, high, cleanLow, cleanHigh, free]) column.fill(0);
  for (let object = 0; object < stale.length; object++) {
    if (objects === null || objects[object] === 1) stale[rowOf[object]!]! |= bit;
    else if (rowOf[object] === object) stale[object]! &= ~bit;
  }
}

function spareSummary(others: FreeRuns['others'], rows: SeatRows, outdated: Summary | undefined): Summary {
  const [oldest] = others.values();
  if (outdated) return outdated;
  if (!oldest || others.size < summariesKept) {
    return newSummary(rows, { name: '', kinds: 0, mask: null, bit: 2 << others.size });
  }
  others.delete(oldest.name);
  return oldest;
}

/** Rebuilds the summary of an object's strips if the object has changed. */
export function refresh(state: ReadState, rows: SeatRows, { stale }: FreeRuns, summary: Summary, object: number): void {
  if ((stale[object]! & summary.bit) === 0) return;
  stale[object]! &= ~summary.bit;
  sumUp(state, rows, summary, object);
}

/**
 * This function is separate from `refresh`, which runs for every row: the captured variables of a closure are allocated
 * when its function begins.
 */
function sumUp(state: ReadState, rows: SeatRows, summary: Summary, object: number): void {
  const { kinds, mask, low, high, cleanLow, cleanHigh, free } = summary;
  for (let strip = rows.firstStrip[object]!; strip < rows.firstStrip[object + 1]!; strip++) {
    low[strip] = high[strip] = cleanLow[strip] = cleanHigh[strip] = free[strip] = 0;
    const wanted = { category: rows.categoryOfStrip[strip]!, kinds, mask };
    eachRun(state, rows, object, wanted, (from, to, freeFrom, freeTo) => {
      if (kinds === 0) addPlain(summary, strip, from, to, freeFrom, freeTo);
      else addOfKinds(state.plan, rows, summary, strip, from, to, freeFrom, freeTo);
    });
  }
}

function addPlain(summary: Summary, strip: number, from: number, to: number, freeFrom: number, freeTo: number): void {
  const most = Math.min(to - from, bestAvailableQtyMax);
  summary.free[strip]! += to - from;
  summary.low[strip]! |= lowestBits(most);
  summary.high[strip]! |= highestBits(most);
  // At most two starts strand a seat, one at each end. With three starts or more, one is clean.
  const sure = Math.min(to - from - 2, most);
  summary.cleanLow[strip]! |= lowestBits(sure);
  summary.cleanHigh[strip]! |= highestBits(sure);
  for (let qty = Math.max(sure + 1, 1); qty <= most; qty++) {
    if (hasCleanStart(from, to, freeFrom, freeTo, qty)) setBit(summary.cleanLow, summary.cleanHigh, strip, qty);
  }
}

function addOfKinds(
  plan: Plan,
  rows: SeatRows,
  { kinds, low, high, cleanLow, cleanHigh, free }: Summary,
  strip: number,
  from: number,
  to: number,
  freeFrom: number,
  freeTo: number,
): void {
  for (let unit = from; unit < to; unit++) if (rows.soldAs[unit] === sold.alone) free[strip]!++;
  const most = Math.min(to - from, bestAvailableQtyMax);
  const [allLow, allHigh] = [lowestBits(most), highestBits(most)];
  for (let start = from; start < to; start++) {
    // Every bit is set: another start adds nothing.
    if ((cleanLow[strip]! & allLow) === allLow && (cleanHigh[strip]! & allHigh) === allHigh) return;
    eachSuitable(plan, rows, kinds, start, Math.min(to, start + most), (qty) => {
      setBit(low, high, strip, qty);
      if (isClean(start, qty, freeFrom, freeTo)) setBit(cleanLow, cleanHigh, strip, qty);
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

function setBit(low: Uint32Array, high: Uint32Array, strip: number, qty: number): void {
  if (qty < 32) low[strip]! |= 1 << qty;
  else high[strip]! |= 1 << (qty - 32);
}

function hasCleanStart(from: number, to: number, freeFrom: number, freeTo: number, qty: number): boolean {
  for (let start = from; start + qty <= to; start++) if (isClean(start, qty, freeFrom, freeTo)) return true;
  return false;
}

export function canGive({ low, high }: Summary, strip: number, qty: number): boolean {
  return hasBit(low, high, strip, qty);
}

export function canGiveCleanly({ cleanLow, cleanHigh }: Summary, strip: number, qty: number): boolean {
  return hasBit(cleanLow, cleanHigh, strip, qty);
}

function hasBit(low: Uint32Array, high: Uint32Array, strip: number, qty: number): boolean {
  return ((qty < 32 ? low[strip]! >>> qty : high[strip]! >>> (qty - 32)) & 1) === 1;
}
