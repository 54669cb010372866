/**
 * The places of areas that calls get: the lowest that are spare. Of each object it is known before which unit none is free that a
 * caller of some pool (reach.ts) may have: an index that follows from the state and is in no snapshot, made when it is first asked
 * for, set back by `apply` when a place becomes free, and moved on where a call comes by. Within a call a cursor goes on where the
 * selection before stopped, so that however many selections walk over an area once.
 */
import type { PlanObject } from '@parterre/shared/chart/plan';
import { unitStatus } from '@parterre/shared/records';
import { isOpenToBuyers } from '../availability/availability.ts';
import { isForSome, tierOf } from '../pricing/tiers.ts';
import { isIn, type Pool } from '../reach/reach.ts';
import { areaIndexesKept } from '../state/bounds.ts';
import { type EventState, ownedLines } from '../state/state.ts';
import { unitsByObject } from './labels.ts';
import type { Terms } from './selection.ts';

/** By object: no unit of it before this one is free and in the pool. */
export type FirstFree = { pool: Pool | null; units: Int32Array };

export function bytesOfFirstFree({ firstFree }: EventState): number {
  return firstFree?.reduce((bytes, { units }) => bytes + units.byteLength, 0) ?? 0;
}

/** The first free unit of this object that is in the pool; where it has none, the one behind its last. */
export function firstFreeOf(state: EventState, object: number, pool: Pool | null): number {
  const { units } = indexFor(state, pool);
  const { firstUnit, unitCount } = state.plan.objects[object]!;
  const unit = nextFreeIn(state, units[object]!, firstUnit + unitCount, pool);
  units[object] = unit;
  return unit;
}

/** The one asked for last stands last; that of a pool of another allocation gives way to the one that has its key now. */
function indexFor(state: EventState, pool: Pool | null): FirstFree {
  state.firstFree ??= [];
  const all = state.firstFree;
  const last = all.length - 1;
  if (last >= 0 && all[last]!.pool === pool) return all[last]!;
  const at = all.findIndex((known) => known.pool?.key === pool?.key);
  const before = at < 0 ? undefined : all.splice(at, 1)[0]!;
  const found =
    before?.pool === pool
      ? before!
      : { pool, units: Int32Array.from(state.plan.objects, ({ firstUnit }) => firstUnit) };
  if (all.push(found) > areaIndexesKept) all.shift();
  return found;
}

/** The first free unit in the pool from this one on, and before `end`; else `end`. */
export function nextFreeIn(state: EventState, from: number, end: number, pool: Pool | null): number {
  let unit = nextFree(state, from, end);
  while (unit < end && !isIn(pool, unit)) unit = nextFree(state, unit + 1, end);
  return unit;
}

function nextFree({ statuses }: EventState, from: number, end: number): number {
  if (from >= end || statuses[from] === unitStatus.free) return Math.min(from, end);
  // Over a long stretch of taken places the engine's own search is some twenty times as fast as a loop.
  const found = statuses.subarray(from, end).indexOf(unitStatus.free);
  return found < 0 ? end : from + found;
}

/** Part of the fold: this unit is free now. */
export function noteFree({ plan, firstFree }: EventState, unit: number): void {
  const object = plan.objectOfUnit[unit]!;
  for (let i = 0; i < firstFree!.length; i++) {
    const { pool, units } = firstFree![i]!;
    if (unit < units[object]! && isIn(pool, unit)) units[object] = unit;
  }
}

/**
 * Where the next place is looked for: among the free ones of a pool (by its place in the list) from `free` on, and those that the caller
 * gives up from `own` on.
 */
type Cursor = { tierId: string | null; isForSome: boolean; pool: number; free: number; own: number };

/** What areas give to one call. `isSpoken` is for units that the call names or has got. */
export class AreaPlaces {
  readonly #state: EventState;
  readonly #terms: Terms;
  readonly #isSpoken: (unit: number) => boolean;
  readonly #pools: readonly (Pool | null)[];
  readonly #cursors = new Map<string, Cursor>();
  /** Units of the hold that gives way, in their order. */
  #own: Map<PlanObject, number[]> | null = null;

  /** Places of the first of `pools` go before those of the next. */
  constructor(state: EventState, terms: Terms, pools: readonly (Pool | null)[], isSpoken: (unit: number) => boolean) {
    this.#state = state;
    this.#terms = terms;
    this.#pools = pools;
    this.#isSpoken = isSpoken;
  }

  /** The lowest places that this tier is for, at most so many. */
  take(area: PlanObject, tierId: string | null, most: number): number[] {
    const object = this.#objectOf(area);
    const cursor = this.#cursorOf(object, tierId);
    const own = this.#ownIn(area);
    const end = area.firstUnit + area.unitCount;
    const units: number[] = [];
    while (units.length < most) {
      cursor.free = nextFreeIn(this.#state, cursor.free, end, this.#pools[cursor.pool]!);
      const given = own[cursor.own] ?? end;
      const unit = Math.min(cursor.free, given);
      if (unit === end) {
        if (cursor.pool + 1 === this.#pools.length) break;
        cursor.free = this.#firstFree(object, ++cursor.pool);
        continue;
      }
      if (unit === given) cursor.own++;
      else cursor.free++;
      if (!this.#isSpoken(unit) && this.#applies(cursor, unit)) units.push(unit);
    }
    return units;
  }

  /** Whether this tier is for any place of the area, spare or not. */
  hasTier(area: PlanObject, tierId: string | null): boolean {
    const cursor = this.#cursorOf(this.#objectOf(area), tierId);
    if (!cursor.isForSome) return true;
    for (let place = 0; place < area.unitCount; place++) {
      if (this.#applies(cursor, area.firstUnit + place)) return true;
    }
    return false;
  }

  #objectOf({ firstUnit }: PlanObject): number {
    return this.#state.plan.objectOfUnit[firstUnit]!;
  }

  #applies({ isForSome, tierId }: Cursor, unit: number): boolean {
    return !isForSome || tierOf(this.#state.plan, unit, tierId) !== 'ticket_option_not_applicable';
  }

  /** Tiers that are for every place share one. */
  #cursorOf(object: number, tierId: string | null): Cursor {
    const { plan } = this.#state;
    const { firstUnit } = plan.objects[object]!;
    const isRestricted = isForSome(plan, firstUnit, tierId);
    const key = isRestricted ? `${object} ${tierId === null ? '' : `=${tierId}`}` : `${object}`;
    let cursor = this.#cursors.get(key);
    if (!cursor) {
      cursor = { tierId, isForSome: isRestricted, pool: 0, free: this.#firstFree(object, 0), own: 0 };
      this.#cursors.set(key, cursor);
    }
    return cursor;
  }

  /** A buyer takes nothing that is hidden or closed, but keeps what he holds. */
  #firstFree(object: number, pool: number): number {
    const { firstUnit, unitCount } = this.#state.plan.objects[object]!;
    const isOff = this.#terms.caller.source === 'buyer' && !isOpenToBuyers(this.#state, object);
    return isOff ? firstUnit + unitCount : firstFreeOf(this.#state, object, this.#pools[pool]!);
  }

  #ownIn(area: PlanObject): readonly number[] {
    const { replaced } = this.#terms;
    if (!replaced) return none;
    this.#own ??= ownPlaces(this.#state, replaced);
    return this.#own.get(area) ?? none;
  }
}

const none: readonly number[] = [];

/** What it has in checkout from a listing is sold whole: no area gives it. */
function ownPlaces(state: EventState, replaced: NonNullable<Terms['replaced']>): Map<PlanObject, number[]> {
  const units = ownedLines(state, replaced).map(({ unit }) => unit);
  const own = units.filter((unit) => !state.listingOf.has(unit)).sort((a, b) => a - b);
  return unitsByObject(state.plan, own);
}
