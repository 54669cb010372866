/**
 * Opens the room of the search, which finds the best places left for a party. In order:
 *
 * 1. Neighbours in one row, or chairs beside each other at one table, that leave no single free seat beside them; then
 *    neighbours that leave one (nearest-run.ts).
 * 2. One booth for one person, otherwise one table that is sold as a whole and fits (whole-places.ts).
 * 3. A split into row seats and chairs that leaves nobody alone: the longest run that does, chosen as in 1. The rest of
 *    the party is seated by the same rules, and the middle of all parts so far is its focal point.
 * 4. One area.
 * 5. Other splits, made in the same way.
 * 6. If no seat is left: places of several areas, then tables for a part of the party, then booths.
 * 7. Companions' places that are for everybody: all of them if no other place is left in the house, else those whose
 *    time has passed.
 *
 * A query that names accessibility kinds gets so many places of these kinds and no more, each beside a companion's or
 * an ordinary place for the rest of the party, if such places are left. A wheelchair place without company gets its
 * companions' places, wherever they are. A query at the aisle gets parts that begin or end at an aisle, apart from
 * these companions' places.
 */
import { companionPlacesOf, companionsPerWheelchairMax } from '@parterre/shared/charts/companions';
import type { Plan } from '@parterre/shared/charts/plan';
import { done, type Outcome, refuse } from '@parterre/shared/protocol/errors';
import type { Steps } from '../packed/packed.ts';
import type { ReachMask } from '../reach/masks.ts';
import type { ReadState } from '../state/state.ts';
import { boardOf, recount, sizesOf } from './board.ts';
import { hasBit, type RunBits } from './free-runs.ts';
import { type Hunt, middleOf, newHunt, type PartOfParty, unitAfter } from './hunt.ts';
import { type NearestRun, nearestRun } from './nearest-run.ts';
import { unitAt } from './run-search.ts';
import { type Choice, kindsOf, qtyOf, type Search } from './search.ts';
import { prepareSearchOrder, scopeOf } from './search-order.ts';
import { seatRowsInSteps, seatRowsOf, sold } from './seat-rows.ts';
import type { Need } from './suitable-runs.ts';
import { companionsPlace, isSpareFor, placesMax, placesOf, tableOrBooth, wholeUnit } from './whole-places.ts';

/** Makes what the first usual search on a plan would make, for all events on the plan. */
export function* prepareSearch(plan: Plan): Steps<void> {
  yield* prepareSearchOrder(plan, yield* seatRowsInSteps(plan));
}

/** Units outside the mask count as taken. */
export function bestAvailable(state: ReadState, query: Search, mask: ReachMask | null = null): Outcome<Choice> {
  const { plan } = state;
  const {
    preventOrphans = true,
    near = [],
    own = [],
    accessibleSeats = 1,
    among = null,
    taken = null,
    now = 0,
  } = query;
  const qty = qtyOf(query);
  const named = kindsOf(query);
  const kinds = named & seatRowsOf(plan).everyKind;
  if (kinds === 0 && named !== 0) return tooFew(true);
  const scope = scopeOf(plan, query.categoryKeys);
  const hunt = newHunt(state, { scope, divisions: query, among, mask, preventOrphans, near, own, taken, now });
  const accessible = kinds === 0 ? 0 : Math.min(accessibleSeats, qty);
  if (!seatParty(hunt, kinds, qty, accessible)) return tooFew(hunt.parts.length === 0);
  const parts = joined(hunt);
  return done({
    parts: parts.map(({ units }) => units),
    guests: parts.map(({ guests }) => guests),
    together: parts.length === 1,
  });
}

function tooFew(isNone: boolean): Outcome<never> {
  return isNone
    ? refuse('conflict', 'No seat is left that matches the request. Ask for another category or zone.', {
        reason: 'sold_out',
      })
    : refuse('conflict', 'Fewer seats are left than the request asks for. Ask for fewer.', {
        reason: 'not_enough_together',
      });
}

/** Fills the parts of the choice. False if places are missing. */
function seatParty(hunt: Hunt, kinds: number, qty: number, accessible: number): boolean {
  let rest = qty;
  let left = accessible;
  while (rest > 0) {
    const part = nextPart(hunt, kinds, rest, left);
    if (!part) return false;
    rest -= part.guests;
    left -= part.accessible;
    hunt.parts.push(part);
    if (rest > 0) take(hunt, part);
    if (part.accessible > 0 && rest > left) rest -= seatCompanions(hunt, kinds, part.units, rest - left);
  }
  return true;
}

/**
 * Seats the party at the companions' places of the accessible places that have no company in their run, one after the
 * other. Returns their number.
 */
function seatCompanions(hunt: Hunt, kinds: number, units: readonly number[], most: number): number {
  const { plan, rows } = hunt;
  const isNamed = (unit: number): boolean =>
    rows.soldAs[unit] === sold.alone && (plan.accessibilityOfUnit[unit]! & kinds) !== 0;
  const alone = units.filter((unit, i) => {
    const beside = [units[i - 1], units[i + 1]].filter((other) => other !== undefined);
    return isNamed(unit) && beside.every(isNamed);
  });
  let seated = 0;
  for (let nth = 0; nth < companionsPerWheelchairMax; nth++) {
    for (const unit of alone) {
      const place =
        seated < most ? companionPlacesOf(plan, unit).find((each) => isSpareFor(hunt, kinds, each)) : undefined;
      if (place === undefined) continue;
      const part = { units: [place], guests: 1, accessible: 0, isRun: true };
      hunt.parts.push(part);
      take(hunt, part);
      seated++;
    }
  }
  return seated;
}

function take(hunt: Hunt, { units, isRun }: PartOfParty): void {
  const { plan, rows, parts, boards } = hunt;
  hunt.taken ??= new Set();
  for (const unit of units) hunt.taken.add(unit);
  hunt.focus = middleOf(plan, parts);
  if (isRun) for (const board of boards) recount(hunt, board, rows.rowOf[plan.objectOfUnit[units[0]!]!]!);
}

function nextPart(hunt: Hunt, kinds: number, rest: number, accessible: number): PartOfParty | null {
  const { plain } = hunt;
  const need = accessible === 0 ? plain : { ...plain, kinds, count: accessible, isAccompanied: rest > accessible };
  const run = runPart(hunt, need, rest);
  if (run) return run;
  if (accessible > 0) return accessiblePart(hunt, kinds, rest, accessible);
  if (hunt.isInRows) return strictSplit(hunt, rest);
  const whole = wholeUnit(hunt, rest);
  if (whole) return whole;
  const area = placesOf(hunt, rest);
  if (area) {
    hunt.isInRows = fitsInRows(hunt, rest);
    return hunt.isInRows ? strictSplit(hunt, rest) : area;
  }
  return splitPart(hunt, plain, rest, rest - 1) ?? scattered(hunt, rest) ?? companionsPlace(hunt);
}

/** Whether row seats and chairs can have the rest of the party with nobody alone. The hunt stays as it is. */
function fitsInRows(hunt: Hunt, rest: number): boolean {
  const trial: Hunt = { ...hunt, parts: [...hunt.parts], taken: hunt.taken && new Set(hunt.taken), boards: [] };
  for (let left = rest; left > 0; ) {
    const part = runPart(trial, trial.plain, left) ?? strictSplit(trial, left);
    if (!part) return false;
    left -= part.guests;
    trial.parts.push(part);
    if (left > 0) take(trial, part);
  }
  return true;
}

/** The longest run that leaves nobody alone. */
function strictSplit(hunt: Hunt, rest: number): PartOfParty | null {
  const [low, high] = sizesOf(boardOf(hunt, hunt.plain));
  for (let size = rest - 2; size > 1; size--) if (hasBit(low!, high!, size)) return runPart(hunt, hunt.plain, size);
  return null;
}

/** As many accessible places as one run can have. Without company for each, places alone are taken. */
function accessiblePart(hunt: Hunt, kinds: number, rest: number, accessible: number): PartOfParty | null {
  const most = Math.min(accessible, placesOfKindsMax(hunt, kinds));
  for (const isAccompanied of rest > accessible ? [true, false] : [false]) {
    for (let count = most; count > 0; count--) {
      const part = splitPart(hunt, { ...hunt.plain, kinds, count, isAccompanied }, rest, rest - (accessible - count));
      if (part) return part;
    }
  }
  return null;
}

/** The most places of the kinds in one row of the plan: an upper bound for any part of the house. */
function placesOfKindsMax({ plan, rows }: Hunt, kinds: number): number {
  let most = rows.mostOfKinds.get(kinds);
  if (most !== undefined) return most;
  most = 0;
  for (let object = 0; object < plan.objects.length; object++) {
    if (rows.rowOf[object] !== object || (rows.kinds[object]! & kinds) === 0) continue;
    let count = 0;
    for (let unit = plan.objects[object]!.firstUnit; unit < rows.endOfRow[object]!; unit++) {
      if ((plan.accessibilityOfUnit[unit]! & kinds) !== 0) count++;
    }
    most = Math.max(most, count);
  }
  rows.mostOfKinds.set(kinds, most);
  return most;
}

/** A run for a part of the rest of the party, `most` people at most. */
function splitPart(hunt: Hunt, need: Need, rest: number, most: number): PartOfParty | null {
  const size = bestSize(sizesOf(boardOf(hunt, need)), rest, most);
  return size === 0 ? null : runPart(hunt, need, size);
}

/** The greatest size that leaves nobody alone, otherwise the greatest. 0 if there is none. */
function bestSize(sizes: RunBits, rest: number, most: number): number {
  const greatest = Math.min(most, rest - 1);
  for (let size = greatest; size > 1; size--) {
    if (rest - size !== 1 && hasBit(sizes[0]!, sizes[1]!, size)) return size;
  }
  for (let size = greatest; size > 0; size--) if (hasBit(sizes[0]!, sizes[1]!, size)) return size;
  return 0;
}

/** All seats are taken. An area gives as many places as a run would. */
function scattered(hunt: Hunt, rest: number): PartOfParty | null {
  const most = placesMax(hunt, rest);
  const sizes = Uint32Array.of(0, 0);
  for (let size = 1; size <= most; size++) sizes[size >> 5]! |= 1 << (size & 31);
  const size = bestSize(sizes, rest, rest - 1);
  return size === 0 ? tableOrBooth(hunt, rest) : placesOf(hunt, size);
}

function runPart(hunt: Hunt, need: Need, qty: number): PartOfParty | null {
  const found = nearestRun(hunt, need, qty);
  return found && { units: unitsOf(hunt, found, qty), guests: qty, accessible: need.count, isRun: true };
}

function unitsOf({ plan, rows }: Hunt, { object, position }: NearestRun, qty: number): number[] {
  const end = rows.endOfRow[object]!;
  const count = end - plan.objects[object]!.firstUnit;
  return Array.from({ length: qty }, (_, i) => unitAt(position + i, end, count));
}

/** Parts that turn out to be neighbours are one part, in the place of the first of them. */
function joined(hunt: Hunt): PartOfParty[] {
  const { parts } = hunt;
  if (parts.length === 1) return parts;
  const beginning = new Map(parts.map((part) => [part.units[0]!, part]));
  const after = new Map(parts.map((part) => [part, partAfter(hunt, part, beginning)]));
  const followers = new Set(after.values());
  const left = new Set(parts);
  const chains: PartOfParty[] = [];
  for (const first of parts) {
    if (!left.has(first) || (followers.has(first) && !isInCircle(first, after))) continue;
    const chain: PartOfParty[] = [];
    for (let part: PartOfParty | null = first; part && left.delete(part); part = after.get(part)!) chain.push(part);
    chains.push({
      units: chain.flatMap(({ units }) => units),
      guests: chain.reduce((sum, { guests }) => sum + guests, 0),
      accessible: chain.reduce((sum, { accessible }) => sum + accessible, 0),
      isRun: first.isRun,
    });
  }
  return chains;
}

/** Parts all around a table follow each other in a circle. A part of all chairs follows itself. */
function isInCircle(part: PartOfParty, after: ReadonlyMap<PartOfParty, PartOfParty | null>): boolean {
  let next = after.get(part);
  while (next && next !== part) next = after.get(next);
  return next === part;
}

function partAfter(
  hunt: Hunt,
  { units, isRun }: PartOfParty,
  beginning: ReadonlyMap<number, PartOfParty>,
): PartOfParty | null {
  if (!isRun) return null;
  const { plan, rows } = hunt;
  const last = units.at(-1)!;
  return beginning.get(unitAfter(hunt, rows.rowOf[plan.objectOfUnit[last]!]!, last)) ?? null;
}
