/**
 * Finds the line of a row: straight, a circle's arc or a cubic curve with seats at equal distances. Positions of a
 * candidate come from the chart's own geometry, so the distance from the file's positions is exact.
 */
import type { Row } from '../../document.ts';
import { seatPositions } from '../../geometry.ts';
import type { Point } from '../../plan.ts';
import { fitCubic } from './fit-cubic.ts';

/** The fields of a row that place its seats. */
export type RowLineFields = Pick<Row, 'origin' | 'rotation' | 'curve' | 'seatSpacing' | 'path'>;

/** A seat and the slot of the row in which it stands. */
export type Slotted = Point & { slot: number };

/**
 * The distance, in chart units, from which a seat is moved by an override. Every imported seat is at most this far off.
 */
export const seatToleranceUnits = 0.25;

const degrees = (radians: number) => (radians * 180) / Math.PI;
/** Six decimals of a degree move the last of 1,000 seats by less than 0.01 units. */
const roundAngle = (angle: number) => Math.round(angle * 1e6) / 1e6;
export const roundUnits = (units: number) => Math.round(units * 1e3) / 1e3;

export type FittedLine = {
  line: RowLineFields;
  /** By slot: where the line puts its seats. */
  positions: Point[];
  /** Seats that the line puts elsewhere. */
  misses: number;
};

/**
 * The line that reaches most seats. `seats` are in the order of their slots; `slots` is the number of all slots, and
 * `spacing` the distance of neighbours for a row of one seat.
 */
export function fitLine(seats: readonly Slotted[], slots: number, spacing: number): FittedLine {
  const first = seats[0]!;
  if (seats.length === 1)
    return measured(seats, slots, { origin: pointOf(first), rotation: 0, curve: 0, seatSpacing: spacing });
  let best: FittedLine | null = null;
  for (const line of linesOf(seats, slots)) {
    const fitted = measured(seats, slots, line);
    if (best === null || fitted.misses < best.misses) best = fitted;
    if (best.misses === 0) break;
  }
  return best!;
}

function* linesOf(seats: readonly Slotted[], slots: number): Generator<RowLineFields> {
  yield straight(seats);
  if (seats.length >= 3) {
    const bent = arc(seats, slots);
    if (bent) yield bent;
  }
  if (seats.length >= 5) yield { ...straightFromNeighbours(seats), path: fitCubic(seats, slots) };
  yield straightFromNeighbours(seats);
}

function measured(seats: readonly Slotted[], slots: number, line: RowLineFields): FittedLine {
  const row = { ...line, type: 'row', id: '', label: '-', seatCount: slots, categoryKey: '' } as Row;
  const positions = seatPositions(row);
  let misses = 0;
  for (const seat of seats) if (distance(positions[seat.slot]!, seat) > seatToleranceUnits) misses++;
  return { line, positions, misses };
}

/** Least squares: the position as a linear function of the slot. */
function straight(seats: readonly Slotted[]): RowLineFields {
  const count = seats.length;
  let slot = 0;
  let x = 0;
  let y = 0;
  for (const seat of seats) {
    slot += seat.slot / count;
    x += seat.x / count;
    y += seat.y / count;
  }
  let squares = 0;
  let alongX = 0;
  let alongY = 0;
  for (const seat of seats) {
    squares += (seat.slot - slot) ** 2;
    alongX += (seat.slot - slot) * (seat.x - x);
    alongY += (seat.slot - slot) * (seat.y - y);
  }
  const step = { x: alongX / squares, y: alongY / squares };
  return straightLine({ x: x - slot * step.x, y: y - slot * step.y }, step);
}

/**
 * Through the first seat, in the direction of the row, with the usual distance of neighbours. For rows with one wide
 * gap.
 */
function straightFromNeighbours(seats: readonly Slotted[]): RowLineFields {
  const first = seats[0]!;
  const last = seats.at(-1)!;
  const length = distance(first, last);
  const spacing = medianStep(seats);
  const share = length === 0 ? 0 : spacing / length;
  const step = length === 0 ? { x: spacing, y: 0 } : { x: (last.x - first.x) * share, y: (last.y - first.y) * share };
  return straightLine({ x: first.x - first.slot * step.x, y: first.y - first.slot * step.y }, step);
}

function straightLine(origin: Point, step: Point): RowLineFields {
  return {
    origin: { x: roundUnits(origin.x), y: roundUnits(origin.y) },
    rotation: roundAngle(degrees(Math.atan2(step.y, step.x))),
    curve: 0,
    seatSpacing: roundUnits(Math.hypot(step.x, step.y)),
  };
}

/**
 * An arc of the chart puts seat i at the angle `90° + rotation − i·step` about its centre (geometry.ts, y grows
 * downward). So rotation and step follow from the angles of the seats about the circle's centre. Null without a circle.
 */
function arc(seats: readonly Slotted[], slots: number): RowLineFields | null {
  const circle = circleThrough(seats);
  if (!circle || slots < 2) return null;
  const { center, radius } = circle;
  const angles: number[] = [];
  for (const seat of seats) {
    const angle = Math.atan2(seat.y - center.y, seat.x - center.x);
    const before = angles.at(-1) ?? angle;
    angles.push(before + nearTurn(angle - before));
  }
  // The angle as a linear function of the slot, by least squares.
  const slot = mean(seats.map((seat) => seat.slot));
  const angle = mean(angles);
  let squares = 0;
  let along = 0;
  for (const [i, seat] of seats.entries()) {
    squares += (seat.slot - slot) ** 2;
    along += (seat.slot - slot) * (angles[i]! - angle);
  }
  const step = along / squares;
  if (step === 0 || Math.abs(step) >= Math.PI) return null;
  const start = angle - slot * step;
  return {
    origin: { x: roundUnits(center.x + radius * Math.cos(start)), y: roundUnits(center.y + radius * Math.sin(start)) },
    rotation: roundAngle(degrees(start) - 90),
    curve: roundAngle(degrees(-step) * (slots - 1)),
    seatSpacing: roundUnits(2 * radius * Math.sin(Math.abs(step) / 2)),
  };
}

/** An angle's difference as −π to π. */
function nearTurn(angle: number): number {
  return angle - 2 * Math.PI * Math.round(angle / (2 * Math.PI));
}

/**
 * The circle of least algebraic distance (Kåsa): x² + y² = 2ax + 2by + c, in coordinates about the mean of the points.
 * Null where the points are on a line.
 */
function circleThrough(points: readonly Point[]): { center: Point; radius: number } | null {
  const middle = { x: mean(points.map(({ x }) => x)), y: mean(points.map(({ y }) => y)) };
  let xx = 0;
  let xy = 0;
  let yy = 0;
  let xz = 0;
  let yz = 0;
  let z = 0;
  for (const point of points) {
    const x = point.x - middle.x;
    const y = point.y - middle.y;
    const square = x * x + y * y;
    xx += x * x;
    xy += x * y;
    yy += y * y;
    xz += x * square;
    yz += y * square;
    z += square;
  }
  const determinant = xx * yy - xy * xy;
  if (Math.abs(determinant) < 1e-9 * (xx + yy) ** 2) return null;
  const a = (xz * yy - yz * xy) / (2 * determinant);
  const b = (yz * xx - xz * xy) / (2 * determinant);
  const radius = Math.sqrt(a * a + b * b + z / points.length);
  return { center: { x: middle.x + a, y: middle.y + b }, radius };
}

/** The usual distance of neighbours; a row with gaps has some longer ones. */
export function medianStep(points: readonly Point[]): number {
  const steps: number[] = [];
  for (let i = 1; i < points.length; i++) steps.push(distance(points[i - 1]!, points[i]!));
  return median(steps);
}

export function median(values: number[]): number {
  if (values.length === 0) return 0;
  const sorted = values.sort((a, b) => a - b);
  return sorted[Math.floor((sorted.length - 1) / 2)]!;
}

export function distance(a: Point, b: Point): number {
  return Math.hypot(a.x - b.x, a.y - b.y);
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function pointOf({ x, y }: Point): Point {
  return roundedPoint({ x, y });
}

export function roundedPoint({ x, y }: Point): Point {
  return { x: roundUnits(x), y: roundUnits(y) };
}
