/**
 * The units behind the labels of a reservation. A unit's label names the unit, once. An area that is named n times
 * gives n places: first those that the reservation has, then the lowest free ones, those of public sale first.
 */
import type { PlanObject } from '@parterre/shared/charts/plan';
import { done, type Outcome } from '@parterre/shared/protocol/errors';
import {
  areaConflict,
  areaNamed,
  type Conflict,
  conflictsOf,
  conflictWith,
  everyPlace,
  unknownLabels,
} from '../selection/selection.ts';
import { isFree, publicSale, type ReadState, type Reservation } from '../state/state.ts';

/** Every label or none. `own` is the reservation that changes. */
export function placesToReserve(
  state: ReadState,
  labels: readonly string[],
  own: Reservation | null,
): Outcome<number[]> {
  const { plan } = state;
  const units = new Set<number>();
  const areas = new Map<PlanObject, number>();
  const unknown: string[] = [];
  for (const label of labels) {
    const unit = plan.labels.unitOf(label);
    const area = unit === undefined ? areaNamed(plan, label) : null;
    if (unit !== undefined) units.add(unit);
    else if (area) areas.set(area, (areas.get(area) ?? 0) + 1);
    else unknown.push(label);
  }
  if (unknown.length > 0) return unknownLabels(unknown);
  const isOwn = (unit: number): boolean => own !== null && state.slotOf[unit] === own.slot;
  const taken = [...units].filter((unit) => !isFree(state, unit) && !isOwn(unit));
  const conflicts: Conflict[] = conflictsOf(state, taken);
  for (const [area, wanted] of areas) {
    const spare = everyPlace(area).filter((unit) => !units.has(unit) && (isFree(state, unit) || isOwn(unit)));
    if (spare.length < wanted) conflicts.push(areaConflict(area.label, spare.length));
    for (const unit of firstOf(state, spare, wanted, isOwn)) units.add(unit);
  }
  return conflicts.length > 0
    ? { ok: false, refusal: conflictWith(conflicts) }
    : done([...units].sort((a, b) => a - b));
}

function firstOf(
  { channels }: ReadState,
  spare: readonly number[],
  wanted: number,
  isOwn: (unit: number) => boolean,
): readonly number[] {
  const rankOf = (unit: number): number => {
    if (isOwn(unit)) return 0;
    return (channels.of?.[unit] ?? publicSale) === publicSale ? 1 : 2;
  };
  return spare.toSorted((a, b) => rankOf(a) - rankOf(b) || a - b).slice(0, wanted);
}
