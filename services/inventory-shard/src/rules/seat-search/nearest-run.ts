/**
 * Finds the run of neighbours that is nearest to its focal point. At equal distance the lower row id wins, then the
 * lower seat index.
 *
 * If each row has its own focal point, rows are searched in the order of the least distance that a run in them can
 * have, and the search ends when the best run found is nearer than any run of the remaining rows can be. If one point
 * counts for all rows, the row whose box is nearest to the point is searched first, and then the rows whose boxes are
 * not farther away than the run that it gave. A row is skipped if its summary (free-runs.ts) has no room.
 */
import { isOpenToBuyers } from '../availability/availability.ts';
import { boardHas, boardOf, sizesOf } from './board.ts';
import { hasBit, refresh, type Summary, summaryOf } from './free-runs.ts';
import { type Board, grainsOf, type Hunt, unitAfter, unitBefore, wantedBy } from './hunt.ts';
import { distanceToBox } from './row-geometry.ts';
import { eachRun, isAtAisle, isClean, isCleanBesideCompanions, lengthOf, type Wanted } from './run-search.ts';
import { focusIn } from './seat-rows.ts';
import { eachSuitable, type Need } from './suitable-runs.ts';

/** `position` names the run's first seat, see run-search.ts. `distance` is in grains. */
export type NearestRun = { object: number; position: number; unit: number; distance: number; idRank: number };

/** One pass over the rows. If `isBeside`, the run has a neighbour among the units that the query names. */
type Pass = { hunt: Hunt; need: Need; wanted: Wanted; qty: number; mustBeClean: boolean; isBeside: boolean };

/**
 * The nearest run of `qty` seats, one that leaves no single seat if possible. Null if no run is long enough. Most
 * searches end with the first pass. Only the others make a board.
 */
export function nearestRun(hunt: Hunt, need: Need, qty: number): NearestRun | null {
  const { focus, preventOrphans, boards, state, rows, mask, scope, among } = hunt;
  const wanted = wantedBy(hunt, need);
  const pass: Pass = { hunt, need, wanted, qty, mustBeClean: preventOrphans, isBeside: false };
  // No summary knows the units that the query counts as taken.
  if (focus === null && boards.length === 0 && hunt.taken === null) {
    const found = alongOrder(pass, summaryOf(state, rows, { need, mask, scope, among }));
    if (found) return found;
  }
  const board = boardOf(hunt, need);
  const sizes = sizesOf(board);
  if (!hasBit(sizes[0]!, sizes[1]!, qty)) return null;
  pass.mustBeClean = preventOrphans && hasBit(sizes[2]!, sizes[3]!, qty);
  return focus === null ? alongBoard(pass, board) : (besideNear(pass, board) ?? aroundFocus(pass, board));
}

function alongOrder(pass: Pass, summary: Summary): NearestRun | null {
  const { hunt, need, qty, mustBeClean } = pass;
  const { state, rows, runs, order, ownRows } = hunt;
  const { seats } = order;
  const { stale } = runs;
  const { objectOfStrip, nearest } = rows;
  const [low, high] = mustBeClean ? [summary.cleanLow, summary.cleanHigh] : [summary.low, summary.high];
  let best: NearestRun | null = null;
  for (let i = 0; i < seats.length; i++) {
    const strip = seats[i]!;
    const object = objectOfStrip[strip]!;
    if (best && nearest[object]! > best.distance) break;
    const isOwn = ownRows?.has(object);
    if (!isOwn) {
      if ((stale[object]! & summary.bit) !== 0) {
        if (need.kinds !== 0 && (rows.kinds[object]! & need.kinds) === 0) continue;
        refresh(state, rows, runs, summary, object);
      }
      if (!hasBit(low[strip]!, high[strip]!, qty)) continue;
    }
    if (isOpenToBuyers(state, object)) best = nearestRunOf(pass, object, best);
  }
  return best;
}

function nearestRunOf(pass: Pass, object: number, before: NearestRun | null): NearestRun | null {
  const { hunt, need, wanted, qty, mustBeClean, isBeside } = pass;
  const { state, plan, rows, focus } = hunt;
  const { x, y } = plan;
  const { x: focalX, y: focalY } = focus ?? focusIn(rows, object);
  const idRank = rows.idRank[object]!;
  const end = rows.endOfRow[object]!;
  const count = end - plan.objects[object]!.firstUnit;
  let best = before;
  eachRun(state, rows, object, wanted, (from, to, freeFrom, freeTo) => {
    if (lengthOf(from, to, freeFrom) < qty) return;
    let sumX = 0;
    let sumY = 0;
    for (let position = from; position < from + qty - 1; position++) {
      const unit = position < end ? position : position - count;
      sumX += x[unit]!;
      sumY += y[unit]!;
    }
    for (let position = from; position + qty <= to; position++) {
      const unit = position < end ? position : position - count;
      const last = position + qty - 1 < end ? position + qty - 1 : position + qty - 1 - count;
      sumX += x[last]!;
      sumY += y[last]!;
      const distance = grainsOf(rows, sumX / qty - focalX, sumY / qty - focalY);
      sumX -= x[unit]!;
      sumY -= y[unit]!;
      if (mustBeClean && !isCleanRun(pass, object, position, freeFrom, freeTo)) continue;
      if (need.isAtAisle && !isAtAisle(plan, rows, object, position, qty)) continue;
      if (best && !isBefore(distance, idRank, unit, best)) continue;
      if (need.kinds !== 0 && !suits(pass, object, position)) continue;
      if (isBeside && !adjoinsNear(pass, object, position)) continue;
      best = { object, position, unit, distance, idRank };
    }
  });
  return best;
}

function isCleanRun({ hunt, need, qty }: Pass, object: number, position: number, freeFrom: number, freeTo: number) {
  if (need.kinds === 0) return isClean(position, qty, freeFrom, freeTo);
  return isCleanBesideCompanions(hunt, object, position, qty, freeFrom, freeTo);
}

function isBefore(distance: number, idRank: number, unit: number, other: NearestRun): boolean {
  if (distance !== other.distance) return distance < other.distance;
  return idRank !== other.idRank ? idRank < other.idRank : unit < other.unit;
}

function suits({ hunt, need, qty }: Pass, object: number, position: number): boolean {
  let longest = 0;
  eachSuitable(hunt.plan, hunt.rows, object, need, position, position + qty, (suitable) => {
    longest = suitable;
  });
  return longest === qty;
}

/** The nearest run that begins or ends beside a unit that the query names. Only the first part sits there. */
function besideNear(pass: Pass, board: Board): NearestRun | null {
  const { plan, rows, near, parts } = pass.hunt;
  if (near.size === 0 || parts.length > 0) return null;
  const beside = { ...pass, isBeside: true };
  let best: NearestRun | null = null;
  for (const object of new Set(Array.from(near, (unit) => rows.rowOf[plan.objectOfUnit[unit]!]!))) {
    const at = board.objects.indexOf(object);
    if (at >= 0 && boardHas(board, at, pass.qty, pass.mustBeClean)) best = nearestRunOf(beside, object, best);
  }
  return best;
}

function adjoinsNear({ hunt, qty }: Pass, object: number, position: number): boolean {
  const { plan, rows, near } = hunt;
  if (qty === rows.endOfRow[object]! - plan.objects[object]!.firstUnit) return false;
  return near.has(unitBefore(hunt, object, position)) || near.has(unitAfter(hunt, object, position + qty - 1));
}

/** The rows of the caller's own seats stand at the end of a board, so that every row is looked at. */
function alongBoard(pass: Pass, board: Board): NearestRun | null {
  const { nearest } = pass.hunt.rows;
  const { objects } = board;
  let best: NearestRun | null = null;
  for (let i = 0; i < objects.length; i++) {
    if (best && nearest[objects[i]!]! > best.distance) continue;
    if (boardHas(board, i, pass.qty, pass.mustBeClean)) best = nearestRunOf(pass, objects[i]!, best);
  }
  return best;
}

function aroundFocus(pass: Pass, board: Board): NearestRun | null {
  const { hunt, qty, mustBeClean } = pass;
  const { boxes, grain } = hunt.rows;
  const { x, y } = hunt.focus!;
  const { objects, distances } = board;
  let first = -1;
  for (let i = 0; i < objects.length; i++) {
    distances[i] = Number.POSITIVE_INFINITY;
    if (!boardHas(board, i, qty, mustBeClean)) continue;
    distances[i] = distanceToBox(boxes, objects[i]!, x, y);
    if (first < 0 || distances[i]! < distances[first]!) first = i;
  }
  if (first < 0) return null;
  let best = nearestRunOf(pass, objects[first]!, null);
  for (let i = 0; i < objects.length; i++) {
    if (i === first || distances[i] === Number.POSITIVE_INFINITY) continue;
    // One grain more, since the distance of the best run is rounded.
    if (best && distances[i]! > (best.distance + 1) * grain) continue;
    best = nearestRunOf(pass, objects[i]!, best);
  }
  return best;
}
