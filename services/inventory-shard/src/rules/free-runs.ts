/**
 * What each row still has of neighbouring free seats, in short, so that best-available looks only into rows that can serve it.
 * An index that follows from the state and is in no snapshot: made when it is first asked for, told by `apply` which
 * rows change (one byte each), and brought up to date row by row where a query comes by.
 */
import { bestAvailableQtyMax } from '@parterre/shared/limits';
import { unitStatus } from '@parterre/shared/records';
import { anyCategory, type SeatRows, seatRowsOf, sold } from './seat-rows.ts';
import type { EventState } from './state.ts';

/** By strip (see seat-rows.ts), but for `isStale`. Of seats without an accessibility kind. */
export type FreeRuns = {
  /** By object: 1 where its strips must be summed up anew. */
  isStale: Uint8Array;
  /** Bit n: n neighbours can be taken and leave no single seat beside them; 0 to 31, and 32 to 63. */
  cleanLow: Uint32Array;
  cleanHigh: Uint32Array;
  /** Most neighbours that can be taken, up to `bestAvailableQtyMax`. */
  longest: Uint8Array;
  /** Seats that can be taken. */
  free: Uint32Array;
};

/** Which seats a query may take: a category or `anyCategory`, and the accessibility kinds it names, as bits. */
export type Wanted = { category: number; kinds: number };

/** Seats `from` until `to` may be taken; the free seats of which they are a part begin at `freeFrom` and end before `freeTo`. */
export type VisitRun = (from: number, to: number, freeFrom: number, freeTo: number) => void;

/** With what the plan's index (seat-rows.ts) has beside it. */
export function bytesOfFreeRuns({ freeRuns, plan }: EventState): number {
  if (!freeRuns) return 0;
  const { isStale, cleanLow, cleanHigh, longest, free } = freeRuns;
  const columns = [isStale, cleanLow, cleanHigh, longest, free];
  return columns.reduce((bytes, { byteLength }) => bytes + byteLength, plan.unitCount);
}

export function freeRunsOf(state: EventState): FreeRuns {
  if (state.freeRuns) return state.freeRuns;
  const strips = seatRowsOf(state.plan).objectOfStrip.length;
  state.freeRuns = {
    isStale: new Uint8Array(state.plan.objects.length).fill(1),
    cleanLow: new Uint32Array(strips),
    cleanHigh: new Uint32Array(strips),
    longest: new Uint8Array(strips),
    free: new Uint32Array(strips),
  };
  return state.freeRuns;
}

/** Sums up the strips of an object anew. */
export function refresh(state: EventState, rows: SeatRows, runs: FreeRuns, object: number): void {
  runs.isStale[object] = 0;
  for (let strip = rows.firstStrip[object]!; strip < rows.firstStrip[object + 1]!; strip++) {
    let [low, high, longest, free] = [0, 0, 0, 0];
    const wanted = { category: rows.categoryOfStrip[strip]!, kinds: 0 };
    eachRun(state, rows, object, wanted, (from, to, freeFrom, freeTo) => {
      free += to - from;
      const most = Math.min(to - from, bestAvailableQtyMax);
      longest = Math.max(longest, most);
      // Two places to begin at can strand a seat, one at either end: with three to choose from one does not.
      const sure = Math.min(to - from - 2, most);
      low |= lowestBits(sure);
      high |= lowestBits(sure - 32) | (sure >= 32 ? 1 : 0);
      for (let qty = Math.max(sure + 1, 1); qty <= most; qty++) {
        if (!hasCleanStart(from, to, freeFrom, freeTo, qty)) continue;
        if (qty < 32) low |= 1 << qty;
        else high |= 1 << (qty - 32);
      }
    });
    runs.cleanLow[strip] = low;
    runs.cleanHigh[strip] = high;
    runs.longest[strip] = longest;
    runs.free[strip] = free;
  }
}

/** Bits 1 to `last`, as far as a word has them. */
function lowestBits(last: number): number {
  if (last < 1) return 0;
  return last >= 31 ? ~1 : (1 << (last + 1)) - 2;
}

function hasCleanStart(from: number, to: number, freeFrom: number, freeTo: number, qty: number): boolean {
  for (let start = from; start + qty <= to; start++) if (isClean(start, qty, freeFrom, freeTo)) return true;
  return false;
}

/** Whether taking these seats out of a run of free ones leaves no single one at either side. */
export function isClean(start: number, qty: number, freeFrom: number, freeTo: number): boolean {
  return start - freeFrom !== 1 && freeTo - (start + qty) !== 1;
}

export function canGiveCleanly(runs: FreeRuns, strip: number, qty: number): boolean {
  const bits = qty < 32 ? runs.cleanLow[strip]! >>> qty : runs.cleanHigh[strip]! >>> (qty - 32);
  return (bits & 1) === 1;
}

/**
 * Visits the longest runs of neighbouring seats of an object that may be taken, in the order of their seats. Neighbours follow each
 * other by index: a skipped seat parts them, as does one that is not free or not for sale.
 */
export function eachRun(
  { plan, statuses }: EventState,
  { isMixed, soldAs }: SeatRows,
  object: number,
  { category, kinds }: Wanted,
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
    return statuses[unit] === unitStatus.free && soldAs[unit] !== sold.never;
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
