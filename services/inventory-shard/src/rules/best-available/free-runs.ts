/**
 * What each row still has of neighbouring free seats, in short, so that best-available looks only into rows that can serve it.
 * An index that follows from the state and is in no snapshot: made when it is first asked for, told by `apply` which
 * rows change (one byte each), and brought up to date row by row where a query comes by.
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
  /** By object: the bits of the summaries that must be made anew of it. */
  stale: Uint32Array;
  /** Of seats without an accessibility kind, for whoever may have every one. */
  plain: Summary;
  /** Those of some accessibility kinds or some callers, by their names; the one that was asked for least lately first. */
  others: Map<string, Summary>;
};

/**
 * By strip (see seat-rows.ts). Bit n of a pair of words: n neighbours can be taken; 0 to 31, and 32 to 63. Where it is of kinds
 * they have one of these among them, and for each companion's place the wheelchair's that goes with it.
 */
export type Summary = {
  name: string;
  kinds: number;
  /** Seats that are not in it count as taken. */
  pool: Pool | null;
  /** In `stale`. */
  bit: number;
  low: Uint32Array;
  high: Uint32Array;
  /** The same of neighbours that leave no single seat beside them. */
  cleanLow: Uint32Array;
  cleanHigh: Uint32Array;
  /** Seats that can be taken by themselves. */
  free: Uint32Array;
};

/** Of `stale`: a change in a row is told to all summaries at once. */
export const everySummary = 2 ** (1 + summariesKept) - 1;

/** Which seats a query may take: a category or `anyCategory`, the accessibility kinds it names, as bits, and those of a pool. */
export type Wanted = { category: number; kinds: number; pool: Pool | null };

/** Seats `from` until `to` may be taken; the free seats of which they are a part begin at `freeFrom` and end before `freeTo`. */
export type VisitRun = (from: number, to: number, freeFrom: number, freeTo: number) => void;

/** With what the plan's index (seat-rows.ts) has beside it. */
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
 * That of the kinds that a query names (0: none) among the seats of a pool. One that was not asked for lately gives its place where there
 * are too many; one of another allocation's pool is made anew under its name.
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

/** All of it is to be made anew; but of what has no unit in the pool there is nothing, and nothing to look into. */
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

/** Sums up the strips of an object anew where something of it has changed. */
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

/** Apart from `refresh`, which searches call for every row: what a closure holds is allocated where its function begins. */
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
  // Two places to begin at can strand a seat, one at either end: with three to choose from one does not.
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
    // Another place to begin at adds nothing any more.
    if ((cleanLow[strip]! & allLow) === allLow && (cleanHigh[strip]! & allHigh) === allHigh) return;
    eachSuitable(plan, rows, kinds, start, Math.min(to, start + most), (qty) => {
      setBit(low, high, strip, qty);
      if (isClean(start, qty, freeFrom, freeTo)) setBit(cleanLow, cleanHigh, strip, qty);
    });
  }
}

/** Bits 1 to `last`, as far as a word has them. */
function lowestBits(last: number): number {
  if (last < 1) return 0;
  return last >= 31 ? ~1 : (1 << (last + 1)) - 2;
}

/** Bits 32 to `last`, as the other word has them. */
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

/** Whether taking these seats out of a run of free ones leaves no single one at either side. */
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
 * Visits the longest runs of neighbouring seats of an object that may be taken, in the order of their seats. Neighbours follow each
 * other by index: a skipped seat parts them, as does one that is not free, not for sale, or not in the pool.
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
