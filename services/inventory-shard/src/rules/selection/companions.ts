/**
 * The companion rule: a companion's place, or any place at a companion tier, is sold only beside a wheelchair place
 * that the same call takes. Each wheelchair place pairs with one companion. Beside means that seats of one row, or
 * chairs of one table, follow each other; a skipped seat parts them, and chairs all around a table have no ends. A
 * place of both kinds is a companion's only at a companion tier.
 */
import { neighboursOf, type Plan } from '@parterre/shared/charts/plan';
import type { Line } from '@parterre/shared/protocol/records';
import { isCompanionsPlace, isWheelchairs, tierOf } from '../pricing/pricing.ts';

type TieredUnit = Pick<Line, 'unit' | 'tierId'>;

/**
 * The companion units that have no wheelchair place, neither among the lines nor among the lines that the caller had,
 * in unit order. A companion that was sold beside a wheelchair place keeps a place. A companion that the caller had
 * without a wheelchair place has no claim on a new one.
 */
export function unpairedCompanions(
  plan: Plan,
  lines: readonly TieredUnit[],
  had: readonly TieredUnit[] = [],
): number[] {
  if (!lines.some((line) => isCompanion(plan, line))) return [];
  const companionOf = new Map<number, number | null>();
  pair(had);
  return pair(lines);

  function pair(places: readonly TieredUnit[]): number[] {
    const companions: number[] = [];
    for (const place of places) {
      if (isCompanion(plan, place)) companions.push(place.unit);
      else if (isWheelchairs(plan, place.unit)) companionOf.set(place.unit, null);
    }
    return companions.sort((a, b) => a - b).filter((unit) => !isSeated(unit, new Set()));
  }

  /**
   * A companion who already has the place moves to the other side if possible, so that as many as possible are paired.
   */
  function isSeated(companion: number, asked: Set<number>): boolean {
    for (const unit of neighboursOf(plan, companion)) {
      const other = companionOf.get(unit);
      if (other === undefined || asked.has(unit)) continue;
      asked.add(unit);
      if (other !== null && !isSeated(other, asked)) continue;
      companionOf.set(unit, companion);
      return true;
    }
    return false;
  }
}

/** Whether a place at this tier may be sold only beside a wheelchair place. */
export function isCompanion(plan: Plan, { unit, tierId }: TieredUnit): boolean {
  if (isCompanionsPlace(plan, unit)) return true;
  if (tierId === undefined) return false;
  const tier = tierOf(plan, unit, tierId);
  return tier !== null && typeof tier === 'object' && tier.restriction === 'companion';
}
