/**
 * Makes a table of the chart from a table in a file. The chart puts chairs 16 units outside the edge; files have other
 * distances. The chairs stay where the file has them, and the size of the table gives way.
 */
import type { Table } from '../../document.ts';
import { chairPositions } from '../../geometry.ts';
import type { Point } from '../../plan.ts';
import { turnedAbout } from '../reading.ts';
import type { FoundSeat, FoundTable } from '../venue.ts';
import { distance, median, roundedPoint, roundUnits, seatToleranceUnits } from './fit-line.ts';
import { overridesOf, usualCategory } from './seat-overrides.ts';

/** The distance of chairs from the edge in the chart (geometry.ts). */
const CHAIR_DISTANCE = 16;
const RADIUS_MIN = 6;
const SIDE_MIN = 12;

type Seated = { table: Table; seats: FoundSeat[] };

export function fitTable(found: FoundTable, label: string, id: string, otherwise: string): Table {
  const { mode, minOccupancy, maxOccupancy } = found.booking;
  const { table, seats } =
    found.shape.kind === 'round' ? round(found, found.shape.radius) : rectangular(found, found.shape);
  const categoryKey = found.categoryKey ?? usualCategory(seats, otherwise);
  const overrides =
    mode === 'individual'
      ? overridesOf(seats, (seat) => seat.label ?? `${label}-${seat.number}`, {
          positions: chairPositions(table),
          labelAt: (index) => `${label}-${index + 1}`,
          categoryKey,
        })
      : [];
  return {
    ...table,
    id,
    label,
    ...(found.displayLabel !== null && { displayLabel: found.displayLabel }),
    categoryKey,
    ...(overrides.length > 0 && { overrides }),
    ...(mode === 'whole' && { bookAsWhole: true }),
    ...(mode === 'variable' && { variableOccupancy: true }),
    ...(mode === 'variable' && minOccupancy !== null && { minOccupancy }),
    ...(mode === 'variable' && maxOccupancy !== null && { maxOccupancy }),
    ...found.extra,
  };
}

function tableOf(found: FoundTable, fields: Partial<Table>): Table {
  const table = { type: 'table', id: '', label: '-', categoryKey: '', seatCount: found.seats.length } as const;
  return { ...table, center: roundedPoint(found.center), shape: 'round', rotation: 0, ...fields };
}

/** A ring, or an arc with an open side, clockwise or not. */
function round(found: FoundTable, radius: number): Seated {
  const { center, seats } = found;
  const size = { radius: roundUnits(Math.max(RADIUS_MIN, radius)) };
  if (seats.length === 0) return { table: tableOf(found, size), seats };
  const reach = median(seats.map((seat) => distance(seat, center)));
  size.radius = roundUnits(Math.max(RADIUS_MIN, reach - CHAIR_DISTANCE));
  const backward = [...seats].reverse();
  const candidates = [seats, backward].flatMap((order) =>
    turnsOf(order, center).map((turn) => ({ table: tableOf(found, { ...size, ...turn }), seats: order })),
  );
  return closest(candidates);
}

/** The chairs all around from the first, and the chairs over an arc. */
function turnsOf(seats: readonly FoundSeat[], center: Point): Partial<Table>[] {
  const angles = seats.map((seat) => (Math.atan2(seat.y - center.y, seat.x - center.x) * 180) / Math.PI);
  const first = roundUnits(angles[0]!);
  const steps = angles.slice(1).map((angle, i) => (((angle - angles[i]!) % 360) + 360) % 360);
  const arc = median(steps) * steps.length;
  const ring = { rotation: first };
  if (steps.length === 0 || arc <= 0 || arc >= 360) return [ring];
  return [ring, { rotation: roundUnits(first - (360 - arc) / 2), seatArc: roundUnits(arc) }];
}

/** Where the chair stands beside the unturned table. */
function turnedBack(seat: Point, { center, rotation }: FoundTable): Point {
  return turnedAbout({ x: 0, y: 0 }, seat.x - center.x, seat.y - center.y, -rotation);
}

/** Each chair belongs to the side that it is farthest out of. */
function rectangular(found: FoundTable, { width, height }: { width: number; height: number }): Seated {
  const local = found.seats.map((seat) => ({ seat, ...turnedBack(seat, found) }));
  const sideOf = ({ x, y }: Point) => {
    const across = Math.abs(x) - width / 2;
    const upright = Math.abs(y) - height / 2;
    if (upright >= across) return y < 0 ? 'top' : 'bottom';
    return x < 0 ? 'left' : 'right';
  };
  const sides = { top: [], bottom: [], left: [], right: [] } as Record<ReturnType<typeof sideOf>, typeof local>;
  for (const chair of local) sides[sideOf(chair)].push(chair);
  for (const side of ['top', 'bottom'] as const) sides[side].sort((a, b) => a.x - b.x);
  for (const side of ['left', 'right'] as const) sides[side].sort((a, b) => a.y - b.y);
  const seats = Object.values(sides).flatMap((chairs) => chairs.map(({ seat }) => seat));
  const seatCountsBySide = Object.fromEntries(Object.entries(sides).map(([side, chairs]) => [side, chairs.length]));
  const shared = { shape: 'rect', rotation: roundUnits(found.rotation), seatCountsBySide } as const;
  const sizes = [{ width, height }, sizeOf(sides, width, height)];
  return closest(
    sizes.map((size) => ({
      table: tableOf(found, { ...shared, width: roundUnits(size.width), height: roundUnits(size.height) }),
      seats,
    })),
  );
}

/** The size whose chairs, at the chart's distance from the edge, stand where the file has them. */
function sizeOf(sides: Record<string, readonly Point[]>, width: number, height: number) {
  const level = [...sides.top!, ...sides.bottom!];
  const upright = [...sides.left!, ...sides.right!];
  const tall = level.length > 0 ? 2 * (median(level.map(({ y }) => Math.abs(y))) - CHAIR_DISTANCE) : null;
  const wide = upright.length > 0 ? 2 * (median(upright.map(({ x }) => Math.abs(x))) - CHAIR_DISTANCE) : null;
  return {
    width: Math.max(SIDE_MIN, wide ?? lengthOf([sides.top!, sides.bottom!], 'x') ?? width),
    height: Math.max(SIDE_MIN, tall ?? lengthOf([sides.left!, sides.right!], 'y') ?? height),
  };
}

/** Chairs stand in the middle of equal parts of their side: the side is as long as its parts together. */
function lengthOf(sides: readonly (readonly Point[])[], axis: 'x' | 'y'): number | null {
  const longest = sides.reduce((long, side) => (side.length > long.length ? side : long));
  if (longest.length < 2) return null;
  return ((longest.at(-1)![axis] - longest[0]![axis]) / (longest.length - 1)) * longest.length;
}

/** The table that puts most chairs where the file has them. */
function closest(tables: readonly Seated[]): Seated {
  let best = tables[0]!;
  let most = -1;
  for (const each of tables) {
    const positions = chairPositions(each.table);
    const hits = each.seats.filter((seat, index) => distance(seat, positions[index]!) <= seatToleranceUnits).length;
    if (hits <= most) continue;
    best = each;
    most = hits;
  }
  return best;
}
