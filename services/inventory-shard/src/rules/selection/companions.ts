/**
 * The companion rule: a companion's place, or any place at a companion tier, is sold only with a wheelchair place to
 * which it belongs (charts/companions.ts), and which the same call takes or the caller's booking has. Each wheelchair
 * place takes up to three companions. A companion's place is for everybody once no other ordinary place is left, or
 * once its wheelchair places are sold and the event's `companionsUntil` has passed.
 */
import {
  companionsPerWheelchairMax,
  isCompanionsPlace,
  isWheelchairs,
  wheelchairPlacesOf,
} from '@parterre/shared/charts/companions';
import { categoryOf, type Plan } from '@parterre/shared/charts/plan';
import { type Line, unitStatus } from '@parterre/shared/protocol/records';
import { tierOf } from '../pricing/pricing.ts';
import { isFree, type ReadState } from '../state/state.ts';

type TieredUnit = Pick<Line, 'unit' | 'tierId'>;

/**
 * The companion units that have no wheelchair place, neither among the lines nor among the lines that the caller had,
 * in unit order. A companion that was sold with a wheelchair place keeps a place. A companion that the caller had
 * without a wheelchair place has no claim on a new one.
 */
export function unpairedCompanions(
  plan: Plan,
  lines: readonly TieredUnit[],
  had: readonly TieredUnit[] = [],
): number[] {
  if (!lines.some((line) => isCompanion(plan, line))) return [];
  const companionsBy = new Map<number, number[]>();
  pair(had);
  return pair(lines);

  function pair(places: readonly TieredUnit[]): number[] {
    const companions: number[] = [];
    for (const place of places) {
      if (isCompanion(plan, place)) companions.push(place.unit);
      else if (isWheelchairs(plan, place.unit)) companionsBy.set(place.unit, []);
    }
    return companions.sort((a, b) => a - b).filter((unit) => !isSeated(unit, new Set()));
  }

  /** A companion who has a place moves to another wheelchair place if possible, so that as many as possible sit. */
  function isSeated(companion: number, asked: Set<number>): boolean {
    for (const unit of wheelchairPlacesOf(plan, companion)) {
      const seated = companionsBy.get(unit);
      if (seated === undefined || asked.has(unit)) continue;
      asked.add(unit);
      if (seated.length < companionsPerWheelchairMax) {
        seated.push(companion);
        return true;
      }
      const at = seated.findIndex((other) => isSeated(other, asked));
      if (at < 0) continue;
      seated[at] = companion;
      return true;
    }
    return false;
  }
}

/** Whether a place at this tier may be sold only with a wheelchair place. */
export function isCompanion(plan: Plan, { unit, tierId }: TieredUnit): boolean {
  if (isCompanionsPlace(plan, unit)) return true;
  if (tierId === undefined) return false;
  const tier = tierOf(plan, unit, tierId);
  return tier !== null && typeof tier === 'object' && tier.restriction === 'companion';
}

/**
 * Whether a companion's place is for everybody because its time has passed. A place between two wheelchair places waits
 * until both are sold.
 */
export function isReleasedCompanions({ plan, config, statuses }: ReadState, unit: number, now: number): boolean {
  const { companionsUntil } = config;
  if (companionsUntil === undefined || now < companionsUntil) return false;
  return wheelchairPlacesOf(plan, unit).every((place) => statuses[place] === unitStatus.booked);
}

/**
 * Whether no ordinary place is left beside those that the call takes: then companions' places are for everybody. The
 * places that the call gives back count as left. O(units) at the worst; most walks end at the first free place.
 */
export function areCompanionsPlacesForAll(
  state: ReadState,
  taken: ReadonlySet<number>,
  back: ReadonlySet<number>,
): boolean {
  const { plan, statuses } = state;
  const isLeft = (unit: number): boolean =>
    plan.accessibilityOfUnit[unit] === 0 &&
    !taken.has(unit) &&
    !categoryOf(plan, unit).notForSale &&
    typeof tierOf(plan, unit, null) !== 'string';
  for (const unit of back) if (isLeft(unit)) return false;
  // Over a long stretch of taken places, the engine's own search is some twenty times as fast as a loop.
  for (let unit = statuses.indexOf(unitStatus.free); unit >= 0; unit = statuses.indexOf(unitStatus.free, unit + 1)) {
    if (isFree(state, unit) && isLeft(unit)) return false;
  }
  return true;
}
