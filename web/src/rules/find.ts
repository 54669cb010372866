/** The spot at a point of the chart, and the neighbour in a direction. Pure. */
import { pointInOutline } from '@parterre/shared/charts/membership';
import type { Point } from '@parterre/shared/charts/plan';
import { type Bounds, boundsOf, growBounds, noBounds, overlaps } from './bounds.ts';
import type { Area, Block, Hall } from './hall.ts';

/** The nearest spot among those that cover a point or lie within `reach` of it; null for none. */
export function spotAt(hall: Hall, floor: number, { x, y }: Point, reach: number): number | null {
  let found: number | null = null;
  let nearest = Infinity;
  for (const { bounds, spots, floor: itsFloor } of hall.blocks) {
    if (itsFloor !== floor || x < bounds.left - reach || x > bounds.right + reach) continue;
    if (y < bounds.top - reach || y > bounds.bottom + reach) continue;
    for (const spot of spots) {
      const distance = Math.hypot(hall.x[spot]! - x, hall.y[spot]! - y);
      if (distance < nearest && distance <= Math.max(hall.size[spot]! / 2, reach)) {
        nearest = distance;
        found = spot;
      }
    }
  }
  return found;
}

export function areaAt(hall: Hall, floor: number, point: Point): Area | null {
  const holds = ({ points, holes }: Area) =>
    pointInOutline(point, points) && !holes.some((hole) => pointInOutline(point, hole));
  return hall.areas.find((area) => area.floor === floor && holds(area)) ?? null;
}

export function blockAt(hall: Hall, floor: number, point: Point): Block | null {
  const holds = ({ outline }: Block) => outline !== null && pointInOutline(point, outline);
  return hall.blocks.find((block) => block.floor === floor && holds(block)) ?? null;
}

export type Rows = readonly { readonly spots: readonly number[] }[];
export type Direction = 'left' | 'right' | 'up' | 'down' | 'first' | 'last';

/** The spot to which an arrow key leads: along the row, or to the nearest spot of the next row. */
export function neighbourOf(hall: Hall, rows: Rows, spot: number, direction: Direction): number {
  const rowIndex = rows.findIndex(({ spots }) => spots.includes(spot));
  const row = rows[rowIndex]?.spots ?? [spot];
  const index = row.indexOf(spot);
  if (direction === 'first') return row[0]!;
  if (direction === 'last') return row.at(-1)!;
  if (direction === 'left' || direction === 'right') return row[index + (direction === 'left' ? -1 : 1)] ?? spot;
  const next = rows[rowIndex + (direction === 'up' ? -1 : 1)]?.spots;
  if (!next) return spot;
  const distance = (other: number) => Math.hypot(hall.x[other]! - hall.x[spot]!, hall.y[other]! - hall.y[spot]!);
  return next.reduce((best, other) => (distance(other) < distance(best) ? other : best));
}

/** A found seat is shown with this many seats on each side. */
const SURROUNDING_SEATS = 4;

/** A part of one floor. */
export type FloorPart = { floor: number; bounds: Bounds };

/**
 * The part of the hall around these seats, tables and areas, on the floor that has most of them; null for places
 * without a position.
 */
export function partAround(hall: Hall, labels: readonly string[]): FloorPart | null {
  const parts = labels.flatMap((label) => placeOf(hall, label) ?? []);
  const counts = new Map<number, number>();
  for (const { floor } of parts) counts.set(floor, (counts.get(floor) ?? 0) + 1);
  const [floor] = [...counts].reduce<readonly [number | null, number]>(
    (most, each) => (each[1] > most[1] ? each : most),
    [null, 0],
  );
  if (floor === null) return null;
  const bounds = noBounds();
  for (const part of parts) if (part.floor === floor) growBounds(bounds, part.bounds);
  return { floor, bounds };
}

function placeOf(hall: Hall, label: string): FloorPart | null {
  const spot = hall.spotOf.get(label);
  if (spot === undefined) {
    const area = hall.areas.find((each) => each.label === label);
    return area ? { floor: area.floor, bounds: boundsOf(area.points) } : null;
  }
  const x = hall.x[spot]!;
  const y = hall.y[spot]!;
  const reach = hall.size[spot]! * SURROUNDING_SEATS;
  const bounds = { left: x - reach, top: y - reach, right: x + reach, bottom: y + reach };
  return { floor: floorOf(hall, spot), bounds };
}

export const floorOf = (hall: Hall, spot: number): number => hall.objects[hall.objectOf[spot]!]!.floor;

/** True if a seat, table or area of this floor is in this part of the chart. */
export function hasPlaceIn(hall: Hall, floor: number, part: Bounds): boolean {
  const isIn = (spot: number) => {
    const x = hall.x[spot]!;
    const y = hall.y[spot]!;
    return x >= part.left && x <= part.right && y >= part.top && y <= part.bottom;
  };
  const isSeen = (block: Block) => block.floor === floor && overlaps(block.bounds, part) && block.spots.some(isIn);
  return (
    hall.blocks.some(isSeen) || hall.areas.some((area) => area.floor === floor && overlaps(boundsOf(area.points), part))
  );
}
