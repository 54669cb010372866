/**
 * The companion rule (wire contract 3.1): who is sold a companion's place, or any place at a companion's tier, sits beside a
 * wheelchair place that the same call takes; each wheelchair place pairs with one companion. Beside means the seats of
 * one row, or the chairs of one table, that follow each other: a skipped seat parts them. A place of both kinds is a
 * companion's only at a companion's tier.
 */
import type { Plan } from '@parterre/shared/chart/plan';
import type { Line } from '@parterre/shared/records';
import { isCompanionsPlace, isWheelchairs, tierOf } from '../pricing/tiers.ts';

type Place = Pick<Line, 'unit' | 'tierId'>;

/**
 * Units of companions for whom no wheelchair place is left, neither among the lines nor among those that the caller had, in
 * unit order. Who was sold beside one keeps one; a companion whom the caller had alone has no claim on a new one.
 */
export function unpairedCompanions(plan: Plan, lines: readonly Place[], had: readonly Place[] = []): number[] {
  if (!lines.some((line) => isCompanion(plan, line))) return [];
  const companionOf = new Map<number, number | null>();
  pair(had);
  return pair(lines);

  function pair(places: readonly Place[]): number[] {
    const companions: number[] = [];
    for (const place of places) {
      if (isCompanion(plan, place)) companions.push(place.unit);
      else if (isWheelchairs(plan, place.unit)) companionOf.set(place.unit, null);
    }
    return companions.sort((a, b) => a - b).filter((unit) => !isSeated(unit, new Set()));
  }

  /** Whoever sits there already moves over, where he can: so as many pair as can. */
  function isSeated(companion: number, asked: Set<number>): boolean {
    for (const unit of [companion - 1, companion + 1]) {
      const other = companionOf.get(unit);
      if (other === undefined || asked.has(unit) || !areNeighbours(plan, companion, unit)) continue;
      asked.add(unit);
      if (other !== null && !isSeated(other, asked)) continue;
      companionOf.set(unit, companion);
      return true;
    }
    return false;
  }
}

/** Whether what is sold so may be sold beside a wheelchair place alone. */
export function isCompanion(plan: Plan, { unit, tierId }: Place): boolean {
  if (isCompanionsPlace(plan, unit)) return true;
  if (tierId === undefined) return false;
  const tier = tierOf(plan, unit, tierId);
  return tier !== null && typeof tier === 'object' && tier.restriction === 'companion';
}

function areNeighbours({ objectOfUnit, indexOfUnit }: Plan, unit: number, other: number): boolean {
  return objectOfUnit[unit] === objectOfUnit[other] && Math.abs(indexOfUnit[unit]! - indexOfUnit[other]!) === 1;
}
