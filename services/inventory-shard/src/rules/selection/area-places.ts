/**
 * The places of areas that calls get: the lowest spare places. A lookup beside the state (state/lookups.ts) has, for
 * each object and reach mask, a unit before which no unit is free and in the mask. Folds move it back when a place
 * becomes free, and calls move it forward. Within a call, a cursor continues where the selection before stopped, so
 * that all selections together walk over an area once.
 */
import type { PlanObject } from '@parterre/shared/charts/plan';
import { unitStatus } from '@parterre/shared/protocol/records';
import { isOpenToBuyers } from '../availability/availability.ts';
import { isForSome, tierOf } from '../pricing/pricing.ts';
import { isIn, type ReachMask } from '../reach/masks.ts';
import { areaIndexesKept, heldLines, isBlocked, type Lookup, lookupOf, type ReadState } from '../state/state.ts';
import { everyPlace, unitsByObject } from './labels.ts';
import type { Terms } from './terms.ts';

/** By object: no unit of the object before this unit is free and in the mask. */
type FirstFree = { mask: ReachMask | null; units: Int32Array };

/** The lookup of an event, with an entry for each of the last used masks. */
class FirstFreeIndex implements Lookup {
  readonly #state: ReadState;
  /** The last used entry stands last. */
  readonly #entries: FirstFree[] = [];

  constructor(state: ReadState) {
    this.#state = state;
  }

  /** An entry for a mask of an older assignment is replaced by the mask that now has its key. */
  entryFor(mask: ReachMask | null): FirstFree {
    const all = this.#entries;
    const last = all.length - 1;
    if (last >= 0 && all[last]!.mask === mask) return all[last]!;
    const at = all.findIndex((known) => known.mask?.key === mask?.key);
    const before = at < 0 ? undefined : all.splice(at, 1)[0]!;
    const found =
      before?.mask === mask
        ? before!
        : { mask, units: Int32Array.from(this.#state.plan.objects, ({ firstUnit }) => firstUnit) };
    if (all.push(found) > areaIndexesKept) all.shift();
    return found;
  }

  unitsChanged(changed: readonly number[], areFree: boolean): void {
    if (!areFree) return;
    const { objectOfUnit } = this.#state.plan;
    for (const { mask, units } of this.#entries) {
      for (const unit of changed) {
        const object = objectOfUnit[unit]!;
        if (unit < units[object]! && isIn(mask, unit)) units[object] = unit;
      }
    }
  }

  get bytes(): number {
    return this.#entries.reduce((bytes, { units }) => bytes + units.byteLength, 0);
  }
}

function newFirstFreeIndex(state: ReadState): FirstFreeIndex {
  return new FirstFreeIndex(state);
}

/** The object's first free unit in the mask, otherwise the unit after its last. */
export function firstFreeOf(state: ReadState, object: number, mask: ReachMask | null): number {
  const { units } = lookupOf(state, newFirstFreeIndex).entryFor(mask);
  const { firstUnit, unitCount } = state.plan.objects[object]!;
  const unit = nextFreeIn(state, units[object]!, firstUnit + unitCount, mask);
  units[object] = unit;
  return unit;
}

/** The first free unit in the mask from `from` on and before `end`, otherwise `end`. */
export function nextFreeIn(state: ReadState, from: number, end: number, mask: ReachMask | null): number {
  let unit = nextFree(state, from, end);
  while (unit < end && !isIn(mask, unit)) unit = nextFree(state, unit + 1, end);
  return unit;
}

function nextFree({ statuses }: ReadState, from: number, end: number): number {
  if (from >= end || statuses[from] === unitStatus.free) return Math.min(from, end);
  // Over a long stretch of taken places, the engine's own search is some twenty times as fast as a loop.
  const found = statuses.subarray(from, end).indexOf(unitStatus.free);
  return found < 0 ? end : from + found;
}

/**
 * The position of the search: free places of a mask (`mask` is its index in the list) from `free` on, and places of the
 * replaced hold from `own` on.
 */
type Cursor = { tierId: string | null; isForSome: boolean; mask: number; free: number; own: number };

/** The places that areas give to one call. `isSpokenFor` is true for units that the call names or already has. */
export class AreaPlaces {
  readonly #state: ReadState;
  readonly #terms: Terms;
  readonly #isSpokenFor: (unit: number) => boolean;
  readonly #masks: readonly (ReachMask | null)[];
  readonly #cursors = new Map<string, Cursor>();
  /** Units of the replaced hold, in order. */
  #own: Map<PlanObject, number[]> | null = null;

  /** Places of the first of `masks` come before places of the next. */
  constructor(
    state: ReadState,
    terms: Terms,
    masks: readonly (ReachMask | null)[],
    isSpokenFor: (unit: number) => boolean,
  ) {
    this.#state = state;
    this.#terms = terms;
    this.#masks = masks;
    this.#isSpokenFor = isSpokenFor;
  }

  /** The lowest places to which the tier applies, at most `most`. */
  take(area: PlanObject, tierId: string | null, most: number): number[] {
    const object = this.#objectOf(area);
    const cursor = this.#cursorOf(object, tierId);
    let own = this.#ownIn(area, cursor.mask);
    const end = area.firstUnit + area.unitCount;
    const units: number[] = [];
    while (units.length < most) {
      cursor.free = nextFreeIn(this.#state, cursor.free, end, this.#masks[cursor.mask]!);
      const given = own[cursor.own] ?? end;
      const unit = Math.min(cursor.free, given);
      if (unit === end) {
        if (cursor.mask + 1 === this.#masks.length) break;
        cursor.free = this.#firstFree(object, ++cursor.mask);
        if (this.#terms.fromBlock) {
          own = this.#ownIn(area, cursor.mask);
          cursor.own = 0;
        }
        continue;
      }
      if (unit === given) cursor.own++;
      else cursor.free++;
      if (!this.#isSpokenFor(unit) && this.#applies(cursor, unit)) units.push(unit);
    }
    return units;
  }

  /** Whether the tier applies to any place of the area, spare or not. */
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

  /** Tiers that apply to every place share one cursor. */
  #cursorOf(object: number, tierId: string | null): Cursor {
    const { plan } = this.#state;
    const { firstUnit } = plan.objects[object]!;
    const isRestricted = isForSome(plan, firstUnit, tierId);
    const key = isRestricted ? `${object} ${tierId === null ? '' : `=${tierId}`}` : `${object}`;
    let cursor = this.#cursors.get(key);
    if (!cursor) {
      cursor = { tierId, isForSome: isRestricted, mask: 0, free: this.#firstFree(object, 0), own: 0 };
      this.#cursors.set(key, cursor);
    }
    return cursor;
  }

  /** A buyer cannot take hidden or closed places, but keeps the places in the buyer's hold. */
  #firstFree(object: number, mask: number): number {
    const { firstUnit, unitCount } = this.#state.plan.objects[object]!;
    const isOff = this.#terms.caller.source === 'buyer' && !isOpenToBuyers(this.#state, object);
    return isOff ? firstUnit + unitCount : firstFreeOf(this.#state, object, this.#masks[mask]!);
  }

  #ownIn(area: PlanObject, mask: number): readonly number[] {
    const { replaced, fromBlock } = this.#terms;
    if (fromBlock) return everyPlace(area).filter((unit) => this.#isBlockedIn(unit, mask));
    if (!replaced) return none;
    this.#own ??= ownPlaces(this.#state, replaced);
    return this.#own.get(area) ?? none;
  }

  /** A sale from a block replaces no hold. A blocked place comes at the turn of its mask, as a free one does. */
  #isBlockedIn(unit: number, mask: number): boolean {
    return isBlocked(this.#state, unit) && isIn(this.#masks[mask]!, unit);
  }
}

const none: readonly number[] = [];

/** Units from a listing in checkout are sold as a whole: no area gives them. */
function ownPlaces(state: ReadState, replaced: NonNullable<Terms['replaced']>): Map<PlanObject, number[]> {
  const units = heldLines(state, replaced).map(({ unit }) => unit);
  const own = units.filter((unit) => !state.listingOf.has(unit)).sort((a, b) => a - b);
  return unitsByObject(state.plan, own);
}
