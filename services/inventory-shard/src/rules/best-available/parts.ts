/**
 * The parts of chosen units. They follow from the units alone, so that a repeated call tells the parts of its first
 * answer (I5).
 */
import { followsNeighbour, labelsOf, objectOf, type Plan } from '@parterre/shared/charts/plan';
import { isApart, seatRowsOf } from '../seat-search/seat-rows.ts';

/** Units that are neighbours, or places of one area, are one part. Units and parts keep their order. */
export function partsOf(plan: Plan, units: readonly number[]): number[][] {
  const parts: number[][] = [];
  for (const unit of units) {
    const beside = parts.filter((part) => part.some((other) => areTogether(plan, other, unit)));
    const [first, ...others] = beside;
    if (!first) parts.push([unit]);
    else first.push(...others.flat(), unit);
    for (const other of others) parts.splice(parts.indexOf(other), 1);
  }
  return parts;
}

/** The parts as labels. */
export function partLabels(plan: Plan, units: readonly number[]): string[][] {
  return partsOf(plan, units).map((part) => labelsOf(plan, part));
}

function areTogether(plan: Plan, one: number, other: number): boolean {
  const object = objectOf(plan, one);
  if (object.type === 'gaArea') return object === objectOf(plan, other);
  const [before, after] = one < other ? [one, other] : [other, one];
  const rows = seatRowsOf(plan);
  if (after === before + 1) return followsNeighbour(plan, after) && !isApart(rows, after);
  const { isRing, firstUnit, unitCount } = objectOf(plan, before);
  return isRing && before === firstUnit && after === firstUnit + unitCount - 1 && !isApart(rows, before);
}
