/** The overrides of a row or table whose seats differ from the seats that the chart computes. */
import type { Override } from '../../document.ts';
import type { Point } from '../../plan.ts';
import type { FoundSeat } from '../venue.ts';
import { distance, roundUnits, seatToleranceUnits } from './fit-line.ts';

/** What the chart computes for the seat at an index, without overrides. */
export type Computed = { positions: readonly Point[]; labelAt(index: number): string; categoryKey: string };

/** `seats` by index; null where no seat stands. `labelOf` gives the label that a seat must have. */
export function overridesOf(
  seats: readonly (FoundSeat | null)[],
  labelOf: (seat: FoundSeat) => string,
  { positions, labelAt, categoryKey }: Computed,
): Override[] {
  const overrides: Override[] = [];
  for (const [index, seat] of seats.entries()) {
    if (seat === null) {
      overrides.push({ index, skip: true });
      continue;
    }
    const own = ownOf(seat);
    const at = positions[index]!;
    if (distance(at, seat) > seatToleranceUnits) {
      own.dx = roundUnits(seat.x - at.x);
      own.dy = roundUnits(seat.y - at.y);
    }
    const label = labelOf(seat);
    if (label !== labelAt(index)) own.label = label;
    if (seat.categoryKey !== null && seat.categoryKey !== categoryKey) own.categoryKey = seat.categoryKey;
    if (Object.keys(own).length > 0) overrides.push({ index, ...own });
  }
  return overrides;
}

function ownOf({ kinds, way, displayLabel, viewUrl, isRestrictedView }: FoundSeat): Omit<Override, 'index'> {
  return {
    ...(kinds.length > 0 && { accessibility: [...kinds] }),
    ...(way === 'step-free' && { stepFree: true }),
    ...(way === 'lift' && { lift: true }),
    ...(displayLabel !== null && { displayLabel }),
    ...(viewUrl !== null && { viewFromSeatUrl: viewUrl }),
    ...(isRestrictedView && { restrictedView: true }),
  };
}

/** The category of most seats; `otherwise` where none has one. */
export function usualCategory(seats: readonly FoundSeat[], otherwise: string): string {
  const counts = new Map<string, number>();
  for (const { categoryKey } of seats) {
    if (categoryKey !== null) counts.set(categoryKey, (counts.get(categoryKey) ?? 0) + 1);
  }
  let best = otherwise;
  let most = 0;
  for (const [key, count] of counts) {
    if (count <= most) continue;
    best = key;
    most = count;
  }
  return best;
}
