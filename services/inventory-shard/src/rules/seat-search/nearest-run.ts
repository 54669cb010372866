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
import { bitsOf, hasBit, type RunBits, refresh, type Summary, summaryOf } from './free-runs.ts';
import { grainsOf, type Hunt, unitAfter, unitBefore, wantedBy } from './hunt.ts';
import { distanceToBox } from './row-geometry.ts';
import { eachRun, isClean, lengthOf, unitAt, type Wanted } from './run-search.ts';
import { eachSuitable, type Need } from './suitable-runs.ts';

/** `position` is that of the run's first seat, see run-search.ts. `distance` is in grains. */
export type Found = { object: number; position: number; unit: number; distance: number; idRank: number };

/** One pass over the rows. If `isBeside`, the run has a neighbour among the units that the query names. */
type Pass = {
  hunt: Hunt;
  need: Need;
  summary: Summary;
  wanted: Wanted;
  qty: number;
  mustBeClean: boolean;
  isBeside: boolean;
};

/** The nearest run of `qty` seats, one that leaves no single seat if possible. Null if no run is long enough. */
export function nearestRun(hunt: Hunt, need: Need, qty: number): Found | null {
  const { order, focus, preventOrphans } = hunt;
  const summary = summaryFor(hunt, need);
  const pass: Pass = {
    ...{ hunt, need, summary, wanted: wantedBy(hunt, need), qty },
    mustBeClean: preventOrphans,
    isBeside: false,
  };
  if (focus === null) {
    const clean = preventOrphans ? alongOrder(pass, order.seats) : null;
    // The first pass has refreshed every summary.
    if (preventOrphans && (clean || !hasRoom(pass))) return clean;
    pass.mustBeClean = false;
    return alongOrder(pass, order.seats);
  }
  const sizes = sizesOf(hunt, need);
  if (!hasBit(sizes[0]!, sizes[1]!, qty)) return null;
  pass.mustBeClean = preventOrphans && hasBit(sizes[2]!, sizes[3]!, qty);
  return besideNear(pass) ?? aroundFocus(pass, summary);
}

function summaryFor({ state, rows, mask, scope }: Hunt, need: Need): Summary {
  return summaryOf(state, rows, { need, mask, scope });
}

/** Whether the summaries allow `qty` neighbours in any row. */
function hasRoom({ hunt, summary, qty }: Pass): boolean {
  const { order, touched } = hunt;
  return touched.size > 0 || order.seats.some((strip) => hasBit(summary.low[strip]!, summary.high[strip]!, qty));
}

function alongOrder(pass: Pass, strips: Int32Array): Found | null {
  const { rows } = pass.hunt;
  let best: Found | null = null;
  for (let i = 0; i < strips.length; i++) {
    const object = rows.objectOfStrip[strips[i]!]!;
    if (best && rows.nearest[object]! > best.distance) break;
    if (canGive(pass, strips[i]!, object)) best = nearestRunOf(pass, object, best);
  }
  return best;
}

function canGive(pass: Pass, strip: number, object: number): boolean {
  const { hunt, summary, wanted, need, qty, mustBeClean } = pass;
  const { state, rows, runs, touched } = hunt;
  const { low, high, cleanLow, cleanHigh } = summary;
  if (touched.size > 0 && touched.has(object)) {
    const bits = bitsOf(state, rows, object, wanted, need);
    const [at, next] = mustBeClean ? [2, 3] : [0, 1];
    return hasBit(bits[at]!, bits[next]!, qty) && isOpenToBuyers(state, object);
  }
  if ((runs.stale[object]! & summary.bit) !== 0) {
    if (need.kinds !== 0 && (rows.kinds[object]! & need.kinds) === 0) return false;
    refresh(state, rows, runs, summary, object);
  }
  const can = mustBeClean ? hasBit(cleanLow[strip]!, cleanHigh[strip]!, qty) : hasBit(low[strip]!, high[strip]!, qty);
  return can && isOpenToBuyers(state, object);
}

function nearestRunOf(pass: Pass, object: number, before: Found | null): Found | null {
  const { hunt, need, wanted, qty, mustBeClean, isBeside } = pass;
  const { state, plan, rows, focus } = hunt;
  const { x, y } = plan;
  const [focalX, focalY] = focus ? [focus.x, focus.y] : [rows.focalX[object]!, rows.focalY[object]!];
  const idRank = rows.idRank[object]!;
  const end = rows.endOfRow[object]!;
  const count = end - plan.objects[object]!.firstUnit;
  let best = before;
  eachRun(state, rows, object, wanted, (from, to, freeFrom, freeTo) => {
    if (lengthOf(from, to, freeFrom) < qty) return;
    let [sumX, sumY] = [0, 0];
    for (let position = from; position < from + qty - 1; position++) {
      const unit = unitAt(position, end, count);
      sumX += x[unit]!;
      sumY += y[unit]!;
    }
    for (let position = from; position + qty <= to; position++) {
      const unit = unitAt(position, end, count);
      const last = unitAt(position + qty - 1, end, count);
      sumX += x[last]!;
      sumY += y[last]!;
      const distance = grainsOf(rows, sumX / qty - focalX, sumY / qty - focalY);
      sumX -= x[unit]!;
      sumY -= y[unit]!;
      if (mustBeClean && !isClean(position, qty, freeFrom, freeTo)) continue;
      if (best && !isBefore(distance, idRank, unit, best)) continue;
      if (need.kinds !== 0 && !suits(pass, object, position)) continue;
      if (isBeside && !adjoinsNear(pass, object, position)) continue;
      best = { object, position, unit, distance, idRank };
    }
  });
  return best;
}

function isBefore(distance: number, idRank: number, unit: number, other: Found): boolean {
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
function besideNear(pass: Pass): Found | null {
  const { hunt } = pass;
  const { plan, rows, order, near, parts } = hunt;
  if (near.size === 0 || parts.length > 0) return null;
  const objects = new Set(Array.from(near, (unit) => rows.rowOf[plan.objectOfUnit[unit]!]!));
  const beside = { ...pass, isBeside: true };
  let best: Found | null = null;
  for (const strip of order.seats) {
    const object = rows.objectOfStrip[strip]!;
    if (objects.has(object) && canGive(beside, strip, object)) best = nearestRunOf(beside, object, best);
  }
  return best;
}

function adjoinsNear({ hunt, qty }: Pass, object: number, position: number): boolean {
  const { plan, rows, near } = hunt;
  if (qty === rows.endOfRow[object]! - plan.objects[object]!.firstUnit) return false;
  return near.has(unitBefore(hunt, object, position)) || near.has(unitAfter(hunt, object, position + qty - 1));
}

function aroundFocus(pass: Pass, summary: Summary): Found | null {
  const { hunt } = pass;
  const { rows } = hunt;
  const { x, y } = hunt.focus!;
  const strips = withRuns(hunt, pass.need, summary);
  let [first, least] = [-1, Number.POSITIVE_INFINITY];
  for (let i = 0; i < strips.length; i++) {
    const object = rows.objectOfStrip[strips[i]!]!;
    if (!canGive(pass, strips[i]!, object)) continue;
    const distance = distanceToBox(rows.boxes, object, x, y);
    if (distance >= least) continue;
    [first, least] = [object, distance];
  }
  let best = first < 0 ? null : nearestRunOf(pass, first, null);
  for (let i = 0; i < strips.length; i++) {
    const object = rows.objectOfStrip[strips[i]!]!;
    if (object === first || !canGive(pass, strips[i]!, object)) continue;
    // One grain less, since the distance of the best run is rounded.
    if (best && distanceToBox(rows.boxes, object, x, y) > (best.distance + 1) * rows.grain) continue;
    best = nearestRunOf(pass, object, best);
  }
  return best;
}

/** The sizes of all runs that suit the need, as the bits of a summary. */
export function sizesOf(hunt: Hunt, need: Need): RunBits {
  const { state, rows, runs, touched } = hunt;
  const summary = summaryFor(hunt, need);
  const { low, high, cleanLow, cleanHigh } = summary;
  const wanted = wantedBy(hunt, need);
  const strips = withRuns(hunt, need, summary);
  const sizes = new Uint32Array(4);
  for (let i = 0; i < strips.length; i++) {
    const strip = strips[i]!;
    const object = rows.objectOfStrip[strip]!;
    if (touched.has(object)) {
      const bits = bitsOf(state, rows, object, wanted, need);
      for (let word = 0; word < 4; word++) sizes[word]! |= bits[word]!;
      continue;
    }
    refresh(state, rows, runs, summary, object);
    sizes[0]! |= low[strip]!;
    sizes[1]! |= high[strip]!;
    sizes[2]! |= cleanLow[strip]!;
    sizes[3]! |= cleanHigh[strip]!;
  }
  return sizes;
}

/** The strips with any run for the need, the same for all parts of a choice: a part only takes seats away. */
function withRuns(hunt: Hunt, need: Need, summary: Summary): Int32Array {
  const { state, rows, runs, order, touched, candidates } = hunt;
  const key = `${need.kinds} ${need.count} ${need.isAccompanied}`;
  const known = candidates.get(key);
  if (known) return known;
  const found = new Int32Array(order.seats.length);
  let count = 0;
  for (let i = 0; i < order.seats.length; i++) {
    const strip = order.seats[i]!;
    const object = rows.objectOfStrip[strip]!;
    if (need.kinds !== 0 && (rows.kinds[object]! & need.kinds) === 0) continue;
    refresh(state, rows, runs, summary, object);
    const hasAny = summary.low[strip] !== 0 || summary.high[strip] !== 0 || touched.has(object);
    if (hasAny && isOpenToBuyers(state, object)) found[count++] = strip;
  }
  const strips = found.subarray(0, count);
  candidates.set(key, strips);
  return strips;
}
