/**
 * A summary of the free neighbouring seats of each row, so that best-available searches only rows that can serve a
 * query. The summaries are an index: they follow from the state and are in no snapshot. They are built at the first
 * query. `apply` marks changed rows (some bits for each), and a query refreshes the marked rows that it reaches.
 */
import type { Plan } from '@parterre/shared/chart/plan';
import { bestAvailableQtyMax } from '@parterre/shared/limits';
import { unitStatus } from '@parterre/shared/records';
import { isIn, objectsOf, type Pool } from '../reach/reach.ts';
import { summariesKept } from '../state/bounds.ts';
import type { EventState } from '../state/state.ts';
import { anyCategory, type SeatRows, seatRowsOf, sold } from './seat-rows.ts';
import { eachSuitable } from './suitable-runs.ts';

export type FreeRuns = {
  /** By object: the bits of the summaries that are outdated. */
  stale: Uint32Array;
  /** The summary of seats without an accessibility kind, for callers who may take every seat. */
  plain: Summary;
  /** Summaries for certain accessibility kinds or pools, by name. The least recently used comes first. */
  others: Map<string, Summary>;
};

/**
 * Columns by strip (see seat-rows.ts). Bit n of a pair of words (0 to 31, and 32 to 63) says that n neighbours can be
 * taken. If the summary has kinds, the neighbours include a seat of one of them, and a wheelchair place for each
 * companion's place.
 */
export type Summary = {
  name: string;
  kinds: number;
  /** Seats outside the pool count as taken. */
  pool: Pool | null;
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
export const everySummary = 2 ** (1 + summariesKept) - 1;

/** The seats that a query may take: a category or `anyCategory`, the named accessibility kinds as bits, and a pool. */
export type Wanted = { category: number; kinds: number; pool: Pool | null };

/**
 * Seats from `from` to before `to` may be taken. The run of free seats around them begins at `freeFrom` and ends before
 * `freeTo`.
 */
export type VisitRun = (from: number, to: number, freeFrom: number, freeTo: number) => void;

/** The estimated bytes, with the event's share of the plan's index (seat-rows.ts). */
export function bytesOfFreeRuns({ freeRuns, plan }: EventState): number {
  if (!freeRuns) return 0;
  const { stale, plain, others } = freeRuns;
  const columns = [plain.low, plain.high, plain.cleanLow, plain.cleanHigh, plain.free];
  const summary = columns.reduce((bytes, { byteLength }) => bytes + byteLength, 0);
  return plan.unitCount + stale.byteLength + (1 + others.size) * summary;
}

export function freeRunsOf(state: EventState): FreeRuns {
  state.freeRuns ??= {
    stale: new Uint32Array(state.plan.objects.length).fill(everySummary),
    plain: newSummary(seatRowsOf(state.plan), { name: '', kinds: 0, pool: null, bit: 1 }),
    others: new Map(),
  };
  return state.freeRuns;
}

function newSummary({ objectOfStrip }: SeatRows, of: Pick<Summary, 'name' | 'kinds' | 'pool' | 'bit'>): Summary {
  const column = (): Uint32Array => new Uint32Array(objectOfStrip.length);
  return { ...of, low: column(), high: column(), cleanLow: column(), cleanHigh: column(), free: column() };
}

/**
 * The summary for the kinds that a query names (0: none) and a pool. Past `summariesKept`, the least recently used
 * summary makes room. A summary for a pool of an older assignment is rebuilt under its name.
 */
export function summaryOf(state: EventState, rows: SeatRows, kinds: number, pool: Pool | null): Summary {
  const { plain, others } = freeRunsOf(state);
  if (kinds === 0 && pool === null) return plain;
  const name = pool === null ? `${kinds}` : `${kinds} ${pool.key}`;
  let summary = others.get(name);
  if (summary?.pool !== pool || !summary) {
    summary = spareSummary(others, rows, summary);
    Object.assign(summary, { name, kinds, pool });
    begin(state, summary);
  }
  others.delete(name);
  others.set(name, summary);
  return summary;
}

/** Marks every object as outdated. Objects without a unit in the pool are cleared instead and never searched. */
function begin(state: EventState, { bit, pool, low, high, cleanLow, cleanHigh, free }: Summary): void {
  const { stale } = freeRunsOf(state);
  const objects = pool && objectsOf(state, pool);
  if (objects) for (const column of [low, high, cleanLow, cleanHigh, free]) column.fill(0);
  for (let object = 0; object < stale.length; object++) {
    if (objects === null || objects[object] === 1) stale[object]! |= bit;
    else stale[object]! &= ~bit;
  }
}

function spareSummary(others: FreeRuns['others'], rows: SeatRows, outdated: Summary | undefined): Summary {
  const [oldest] = others.values();
  if (outdated) return outdated;
  if (!oldest || others.size < summariesKept) {
    return newSummary(rows, { name: '', kinds: 0, pool: null, bit: 2 << others.size });
  }
  others.delete(oldest.name);
  return oldest;
}

/** Rebuilds the summary of an object's strips if the object has changed. */
export function refresh(
  state: EventState,
  rows: SeatRows,
  { stale }: FreeRuns,
  summary: Summary,
  object: number,
): void {
  if ((stale[object]! & summary.bit) === 0) return;
  stale[object]! &= ~summary.bit;
  sumUp(state, rows, summary, object);
}

/**
 * Separate from `refresh`, which runs for every row: the captured variables of a closure are allocated when its
 * function begins.
 */
function sumUp(state: EventState, rows: SeatRows, summary: Summary, object: number): void {
  const { kinds, pool, low, high, cleanLow, cleanHigh, free } = summary;
  for (let strip = rows.firstStrip[object]!; strip < rows.firstStrip[object + 1]!; strip++) {
    low[strip] = high[strip] = cleanLow[strip] = cleanHigh[strip] = free[strip] = 0;
    const wanted = { category: rows.categoryOfStrip[strip]!, kinds, pool };
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

/** Whether taking these seats from a run of free seats leaves no single seat on either side. */
export function isClean(start: number, qty: number, freeFrom: number, freeTo: number): boolean {
  return start - freeFrom !== 1 && freeTo - (start + qty) !== 1;
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

/**
 * Visits the longest runs of neighbouring seats of an object that may be taken, in seat order. Neighbours have
 * consecutive indexes. A skipped seat parts a run, and so does a seat that is not free, not for sale or not in the
 * pool.
 */
export function eachRun(
  { plan, statuses }: EventState,
  { isMixed, soldAs }: SeatRows,
  object: number,
  { category, kinds, pool }: Wanted,
  visit: VisitRun,
): void {
  const { accessibilityOfUnit, categoryOfUnit, indexOfUnit } = plan;
  const { firstUnit, unitCount } = plan.objects[object]!;
  const end = firstUnit + unitCount;
  for (let freeFrom = firstUnit; freeFrom < end; freeFrom++) {
    if (!isFreeForSale(freeFrom)) continue;
    let freeTo = freeFrom + 1;
    while (freeTo < end && indexOfUnit[freeTo] === indexOfUnit[freeTo - 1]! + 1 && isFreeForSale(freeTo)) freeTo++;
    if (isMixed[object] === 1) visitParts(freeFrom, freeTo);
    else visit(freeFrom, freeTo, freeFrom, freeTo);
    freeFrom = freeTo - 1;
  }

  function isFreeForSale(unit: number): boolean {
    return statuses[unit] === unitStatus.free && soldAs[unit] !== sold.never && (pool === null || isIn(pool, unit));
  }

  function visitParts(freeFrom: number, freeTo: number): void {
    for (let from = freeFrom; from < freeTo; from++) {
      let to = from;
      while (to < freeTo && isWanted(to)) to++;
      if (to === from) continue;
      visit(from, to, freeFrom, freeTo);
      from = to - 1;
    }
  }

  function isWanted(unit: number): boolean {
    const its = accessibilityOfUnit[unit]!;
    const isMeant = its === 0 ? soldAs[unit] === sold.alone : (its & kinds) !== 0;
    return isMeant && (category === anyCategory || categoryOfUnit[unit] === category);
  }
}
