/** The state of one search: its query, and the part of the choice that is made. */
import type { Plan, Point } from '@parterre/shared/charts/plan';
import type { ReachMask } from '../reach/masks.ts';
import type { ReadState } from '../state/state.ts';
import { type FreeRuns, freeRunsOf } from './free-runs.ts';
import { unitAt, type Wanted } from './run-search.ts';
import type { Among } from './search.ts';
import { type CategoryScope, type Divisions, type SearchOrder, searchOrderOf } from './search-order.ts';
import { isApart, type SeatRows, seatRowsOf } from './seat-rows.ts';
import { type Need, ordinary, ordinaryAtAisle } from './suitable-runs.ts';

/**
 * `near` and `own` are units that the query names: the places to sit beside, and places of the caller that count as
 * free. `taken` are units of the parts so far.
 */
export type Hunt = {
  state: ReadState;
  plan: Plan;
  rows: SeatRows;
  runs: FreeRuns;
  order: SearchOrder;
  scope: CategoryScope;
  divisions: Divisions;
  among: Among | null;
  /** The need of a run of ordinary seats. */
  plain: Need;
  mask: ReachMask | null;
  preventOrphans: boolean;
  near: ReadonlySet<number>;
  own: ReadonlySet<number>;
  /** The rows of `own`, as objects. No summary counts their runs. Null if `own` is empty. */
  ownRows: ReadonlySet<number> | null;
  /** Whether the rest of the party sits in rows, with nobody alone: no table and no area comes first then. */
  isInRows: boolean;
  /** The time of the call: some companions' places are for everybody from a time on. */
  now: number;
  /** Companions' places that are left for everybody; null before they are asked for. */
  companions: Set<number> | null;
  /** Null before the first part, if the query has none. */
  taken: Set<number> | null;
  parts: PartOfParty[];
  boards: Board[];
  /** The middle of the parts so far, otherwise of `near`. Null: each object has its own focal point. */
  focus: Point | null;
};

/**
 * See board.ts. `bits` has the four words of each row, in the order of `objects`: the nearest rows first. `distances`
 * has room for a number for each row.
 */
export type Board = { need: Need; objects: Int32Array; bits: Uint32Array; distances: Float64Array };

/** `guests` is the number of people, more than units at a table that is sold as a whole. */
export type PartOfParty = { units: number[]; guests: number; accessible: number; isRun: boolean };

export type HuntQuery = {
  scope: CategoryScope;
  divisions: Divisions;
  among: Among | null;
  mask: ReachMask | null;
  preventOrphans: boolean;
  near: readonly number[];
  own: readonly number[];
  taken: ReadonlySet<number> | null;
  now: number;
};

const none: ReadonlySet<number> = new Set();

export function newHunt(state: ReadState, query: HuntQuery): Hunt {
  const { scope, divisions, among, mask, preventOrphans, near, own, taken, now } = query;
  const { plan } = state;
  const rows = seatRowsOf(plan);
  const rowsOf = (units: readonly number[]): Set<number> =>
    new Set(units.map((unit) => rows.rowOf[plan.objectOfUnit[unit]!]!));
  // Most queries name no units, and most choices are one part: sets that are not needed are not made.
  return {
    state,
    plan,
    rows,
    runs: freeRunsOf(state),
    order: searchOrderOf(plan, rows, scope, divisions),
    scope,
    divisions,
    among,
    plain: divisions.aisle ? ordinaryAtAisle : ordinary,
    mask,
    preventOrphans,
    near: near.length === 0 ? none : new Set(near),
    own: own.length === 0 ? none : new Set(own),
    ownRows: own.length === 0 ? null : rowsOf(own),
    isInRows: false,
    now,
    companions: null,
    taken: taken && new Set(taken),
    parts: [],
    boards: [],
    focus: near.length === 0 ? null : middleOf(plan, [{ units: near, guests: near.length }]),
  };
}

/** The mean place of all people. */
export function middleOf({ x, y }: Plan, parts: readonly { units: readonly number[]; guests: number }[]): Point {
  let sumX = 0;
  let sumY = 0;
  let people = 0;
  for (const { units, guests } of parts) {
    const share = guests / units.length;
    for (const unit of units) {
      sumX += x[unit]! * share;
      sumY += y[unit]! * share;
    }
    people += guests;
  }
  return { x: sumX / people, y: sumY / people };
}

export function wantedBy({ scope, among, mask, taken, own }: Hunt, { kinds }: Need): Wanted {
  return {
    category: scope.category,
    categories: scope.categories,
    among,
    kinds,
    mask,
    taken,
    own: own.size === 0 ? null : own,
  };
}

/** The unit of the seat before a position, or -1 where the seat has no neighbour. */
export function unitBefore(hunt: Hunt, object: number, position: number): number {
  const { plan, rows } = hunt;
  const { firstUnit, isRing } = plan.objects[object]!;
  const end = rows.endOfRow[object]!;
  const count = rows.endOfRow[object]! - firstUnit;
  const unit = unitAt(position, end, count);
  if (isApart(rows, unit)) return -1;
  return unit > firstUnit ? unit - 1 : isRing ? end - 1 : -1;
}

/** The unit of the seat after a position, or -1 where the seat has no neighbour. */
export function unitAfter(hunt: Hunt, object: number, position: number): number {
  const { plan, rows } = hunt;
  const { firstUnit, isRing } = plan.objects[object]!;
  const end = rows.endOfRow[object]!;
  const count = rows.endOfRow[object]! - firstUnit;
  const unit = unitAt(position, end, count) + 1;
  const next = unit < end ? unit : isRing ? firstUnit : -1;
  return next < 0 || isApart(rows, next) ? -1 : next;
}

/** In grains: a small integer. A float would be a new object for every seat tested. */
export function grainsOf({ grain }: SeatRows, dx: number, dy: number): number {
  return Math.round(Math.sqrt(dx * dx + dy * dy) / grain) | 0;
}
