/**
 * Finds the best seats left. Runs of neighbours in one row that leave no single free seat beside them come first. Among
 * these, the run whose middle is nearest to its focal point wins (the zone's, otherwise the floor's, otherwise the
 * chart's), then the lower row id, then the lower seat index. Without such a run, a run that strands a single seat is
 * taken, otherwise the nearest seats anywhere.
 *
 * A query that names accessibility kinds gets at least one seat of these kinds, with ordinary seats beside it. The
 * query never gets ordinary seats alone. If the rows have nothing to give, chairs and booths are searched in the same
 * way, then the lowest places of areas.
 *
 * Rows are searched in the order of the least distance that a run in them can have. A row is skipped if its summary
 * (free-runs.ts) has no room. The search ends when the best run found is nearer than any run of the remaining rows can
 * be.
 */
import type { Plan } from '@parterre/shared/chart/plan';
import type { SeatQuery } from '@parterre/shared/commands';
import { done, type Outcome, refuse } from '@parterre/shared/errors';
import { isOpenToBuyers } from '../availability/availability.ts';
import type { ReachMask } from '../reach/reach.ts';
import { firstFreeOf, nextFreeIn } from '../selection/selection.ts';
import type { ReadState } from '../state/state.ts';
import { canGive, canGiveCleanly, type FreeRuns, freeRunsOf, refresh, type Summary, summaryOf } from './free-runs.ts';
import { eachRun, isClean, type Wanted } from './run-search.ts';
import { checkedQuery, kindsOf, qtyOf } from './seat-query.ts';
import { type SearchOrder, type SeatRows, searchOrderOf, seatRowsOf, sold } from './seat-rows.ts';
import { eachSuitable } from './suitable-runs.ts';

/** `summary` is the summary of the wanted kinds. */
type Search = {
  state: ReadState;
  plan: Plan;
  rows: SeatRows;
  runs: FreeRuns;
  summary: Summary;
  wanted: Wanted;
  qty: number;
};

/** `distance` is in grains. At equal distance the lower rank wins, then the lower unit. */
type Found = { distance: number; idRank: number; unit: number };

/** The chosen units: neighbours in seat order, other seats the nearest first. Seats outside the mask count as taken. */
export function bestAvailable(state: ReadState, query: SeatQuery, mask: ReachMask | null = null): Outcome<number[]> {
  const { plan } = state;
  const category = checkedQuery(plan, query);
  if (!category.ok) return category;
  const rows = seatRowsOf(plan);
  const named = kindsOf(query);
  const kinds = named & rows.everyKind;
  if (kinds === 0 && named !== 0) return tooFew(0);
  const runs = freeRunsOf(state);
  const summary = summaryOf(state, rows, kinds, mask);
  const wanted = { category: category.value, kinds, mask };
  const search: Search = { state, plan, rows, runs, summary, wanted, qty: qtyOf(query) };
  const order = searchOrderOf(plan, rows, category.value, query.zoneId ?? null);
  const units = bestOf(search, order);
  return units.length === search.qty ? done(units) : tooFew(units.length);
}

/**
 * Takes from the first sort of place that has anything to give: `qty` units, or all there are. Areas have no
 * accessibility kinds.
 */
function bestOf(search: Search, { seats, areas }: SearchOrder): number[] {
  const hasKinds = search.wanted.kinds !== 0;
  for (const strips of seats) {
    const units = hasKinds ? seatsOfKinds(search, strips) : anySeats(search, strips);
    if (units.length > 0) return units;
  }
  return hasKinds ? [] : lowestPlaces(search, areas);
}

function anySeats(search: Search, strips: Int32Array): number[] {
  return neighbours(search, strips) ?? nearestSeats(search, strips);
}

/** If no run has a seat of a named kind: the nearest seats anywhere, one of them of a named kind. */
function seatsOfKinds(search: Search, strips: Int32Array): number[] {
  const run = neighbours(search, strips);
  if (run || search.qty === 1) return run ?? [];
  const named = nearestRun({ ...search, qty: 1 }, strips, false);
  const nearest = named && nearestSeats(search, strips);
  if (!named || !nearest) return [];
  const isNamed = (unit: number): boolean => (search.plan.accessibilityOfUnit[unit]! & search.wanted.kinds) !== 0;
  return nearest.some(isNamed) ? nearest : [named.unit, ...nearest.slice(0, search.qty - 1)];
}

function tooFew(found: number): Outcome<never> {
  return found === 0
    ? refuse('conflict', 'No seat is left that matches the request. Ask for another category or zone.', {
        reason: 'sold_out',
      })
    : refuse('conflict', 'Fewer seats are left than the request asks for. Ask for fewer.', {
        reason: 'not_enough_together',
      });
}

/** The best run of neighbours, a clean run if possible. Null if no run is long enough. */
function neighbours(search: Search, strips: Int32Array): number[] | null {
  const found =
    nearestRun(search, strips, true) ?? (hasRoom(search, strips) ? nearestRun(search, strips, false) : null);
  return found && Array.from({ length: search.qty }, (_, i) => found.unit + i);
}

/** The nearest run. If `mustBeClean`, it leaves no single seat. If kinds are named, it has a seat of one of them. */
function nearestRun(search: Search, strips: Int32Array, mustBeClean: boolean): Found | null {
  const { state, rows, runs, summary, wanted, qty } = search;
  const { stale } = runs;
  let best: Found | null = null;
  for (const strip of strips) {
    const object = rows.objectOfStrip[strip]!;
    if (best && rows.nearest[object]! > best.distance) break;
    if ((stale[object]! & summary.bit) !== 0) {
      if (wanted.kinds !== 0 && (rows.kinds[object]! & wanted.kinds) === 0) continue;
      refresh(state, rows, runs, summary, object);
    }
    if (!(mustBeClean ? canGiveCleanly : canGive)(summary, strip, qty) || !isOpenToBuyers(state, object)) continue;
    best = nearestRunOf(search, object, mustBeClean, best);
  }
  return best;
}

/** Whether the summaries allow `qty` neighbours in any strip. */
function hasRoom({ summary, qty }: Search, strips: Int32Array): boolean {
  return strips.some((strip) => canGive(summary, strip, qty));
}

function nearestRunOf(search: Search, object: number, mustBeClean: boolean, before: Found | null): Found | null {
  const { state, plan, rows, wanted, qty } = search;
  const { x, y } = plan;
  const [focalX, focalY, idRank] = [rows.focalX[object]!, rows.focalY[object]!, rows.idRank[object]!];
  let best = before;
  eachRun(state, rows, object, wanted, (from, to, freeFrom, freeTo) => {
    if (to - from < qty) return;
    let [sumX, sumY] = [0, 0];
    for (let unit = from; unit < from + qty - 1; unit++) {
      sumX += x[unit]!;
      sumY += y[unit]!;
    }
    for (let unit = from; unit + qty <= to; unit++) {
      sumX += x[unit + qty - 1]!;
      sumY += y[unit + qty - 1]!;
      const distance = grainsOf(rows, sumX / qty - focalX, sumY / qty - focalY);
      sumX -= x[unit]!;
      sumY -= y[unit]!;
      if (mustBeClean && !isClean(unit, qty, freeFrom, freeTo)) continue;
      if (best && !isBefore(distance, idRank, unit, best)) continue;
      if (wanted.kinds !== 0 && !suitsKinds(search, unit)) continue;
      best = { distance, idRank, unit };
    }
  });
  return best;
}

function grainsOf({ grain }: SeatRows, dx: number, dy: number): number {
  // A small integer, at most a few times 65,536. A float would be a new object for every seat tested.
  return Math.round(Math.sqrt(dx * dx + dy * dy) / grain) | 0;
}

function isBefore(distance: number, idRank: number, unit: number, other: Found): boolean {
  if (distance !== other.distance) return distance < other.distance;
  return idRank !== other.idRank ? idRank < other.idRank : unit < other.unit;
}

function suitsKinds({ plan, rows, wanted, qty }: Search, first: number): boolean {
  let longest = 0;
  eachSuitable(plan, rows, wanted.kinds, first, first + qty, (suitable) => {
    longest = suitable;
  });
  return longest === qty;
}

/**
 * The nearest seats over all rows, up to `qty`. Companion places are left out: a companion place without its wheelchair
 * place would be refused.
 */
function nearestSeats(search: Search, strips: Int32Array): number[] {
  const { state, rows, runs, wanted, qty } = search;
  const plain = summaryOf(state, rows, 0, wanted.mask);
  const nearest: Found[] = [];
  for (const strip of strips) {
    const object = rows.objectOfStrip[strip]!;
    if (nearest.length === qty && rows.nearest[object]! > nearest[qty - 1]!.distance) break;
    const summary = (rows.kinds[object]! & wanted.kinds) === 0 ? plain : search.summary;
    refresh(state, rows, runs, summary, object);
    if (summary.free[strip]! > 0 && isOpenToBuyers(state, object)) addSeats(nearest, search, object);
  }
  return nearest.map(({ unit }) => unit);
}

function addSeats(nearest: Found[], { state, plan, rows, wanted, qty }: Search, object: number): void {
  const [focalX, focalY, idRank] = [rows.focalX[object]!, rows.focalY[object]!, rows.idRank[object]!];
  eachRun(state, rows, object, wanted, (from, to) => {
    for (let unit = from; unit < to; unit++) {
      if (rows.soldAs[unit] === sold.companion) continue;
      const distance = grainsOf(rows, plan.x[unit]! - focalX, plan.y[unit]! - focalY);
      const isFull = nearest.length === qty;
      if (isFull && !isBefore(distance, idRank, unit, nearest[qty - 1]!)) continue;
      // The farthest entry is reused for the new seat, so that nothing is left for the garbage collector.
      const found = isFull ? nearest.pop()! : { distance, idRank, unit };
      found.distance = distance;
      found.idRank = idRank;
      found.unit = unit;
      putInOrder(nearest, found);
    }
  });
}

function putInOrder(nearest: Found[], found: Found): void {
  let at = nearest.length;
  while (at > 0 && isBefore(found.distance, found.idRank, found.unit, nearest[at - 1]!)) at--;
  nearest.splice(at, 0, found);
}

/** The lowest free places of the nearest area that has `qty` of them, otherwise of several areas. */
function lowestPlaces({ state, plan, rows, wanted: { mask }, qty }: Search, areas: readonly number[]): number[] {
  const all: number[] = [];
  // A loop by index: there may be thousands of areas, and an iterator allocates an object for each.
  for (let i = 0; i < areas.length; i++) {
    const object = areas[i]!;
    const { firstUnit, unitCount } = plan.objects[object]!;
    const end = firstUnit + unitCount;
    let unit = firstFreeOf(state, object, mask);
    if (unit === end || !isOpenToBuyers(state, object)) continue;
    const units: number[] = [];
    for (; unit < end && units.length < qty; unit = nextFreeIn(state, unit + 1, end, mask)) {
      if (rows.soldAs[unit] === sold.alone) units.push(unit);
    }
    if (units.length === qty) return units;
    for (const each of units) if (all.length < qty) all.push(each);
  }
  return all;
}
