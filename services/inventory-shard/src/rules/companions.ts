/**
 * The companion rule (wire contract 3.1): who is sold a companion's place, or any place at a companion's tier, sits beside a
 * wheelchair place that the same call takes; each wheelchair place pairs with one companion. Beside means the seats of
 * one row, or the chairs of one table, that follow each other: a skipped seat parts them. A place of both kinds is a
 * companion's only at a companion's tier.
 */
import type { Plan } from '@parterre/shared/chart/plan';
import type { Line } from '@parterre/shared/records';
import { isCompanionsPlace, isWheelchairs, tierOf } from './tiers.ts';

type Place = Pick<Line, 'unit' | 'tierId'>;

/** Units of companions whose wheelchair place is neither among the lines nor among those that the caller had, in unit order. */
export function unpairedCompanions(plan: Plan, lines: readonly Place[], had: readonly Place[] = []): number[] {
  if (!lines.some((line) => isCompanion(plan, line))) return [];
  const companions: number[] = [];
  const wheelchairs = new Set<number>();
  for (const line of [...had, ...lines]) {
    if (isCompanion(plan, line)) companions.push(line.unit);
    else if (isWheelchairs(plan, line.unit)) wheelchairs.add(line.unit);
  }
  // From the left, each takes the place on its left first: nobody who comes later could, so as many pair as can.
  companions.sort((a, b) => a - b);
  const unpaired = companions.filter((unit) => {
    if (areNeighbours(plan, unit - 1, unit) && wheelchairs.delete(unit - 1)) return false;
    return !(areNeighbours(plan, unit, unit + 1) && wheelchairs.delete(unit + 1));
  });
  if (had.length === 0 || unpaired.length === 0) return unpaired;
  const units = new Set(lines.map(({ unit }) => unit));
  return unpaired.filter((unit) => units.has(unit));
}

/** Whether what is sold so may be sold beside a wheelchair place alone. */
export function isCompanion(plan: Plan, { unit, tierId }: Place): boolean {
  if (isCompanionsPlace(plan, unit)) return true;
  if (tierId === undefined) return false;
  const tier = tierOf(plan, unit, tierId);
  return tier !== null && typeof tier === 'object' && tier.restriction === 'companion';
}

function areNeighbours(plan: Plan, unit: number, next: number): boolean {
  return plan.objectOfUnit[unit] === plan.objectOfUnit[next] && plan.indexOfUnit[next]! - plan.indexOfUnit[unit]! === 1;
}
