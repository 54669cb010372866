/**
 * Finds the cubic Bézier curve whose seats at equal distances are closest to the seats of a row. The ends are the first
 * and the last seat. The control points follow by least squares once the parameter of each seat is known. The
 * parameters follow from the curve, since seats stand at equal distances along it. A few rounds of both settle.
 */
import type { Row } from '../../document.ts';
import type { Point } from '../../plan.ts';

type Path = NonNullable<Row['path']>;

const ROUNDS = 24;
/** Straight pieces that measure the curve. */
const PIECES = 128;

/** At least three seats, by their slots. `slots` is the number of all slots; the ends of the row have seats. */
export function fitCubic(seats: readonly (Point & { slot: number })[], slots: number): Path {
  const start = rounded(seats[0]!);
  const end = rounded(seats.at(-1)!);
  const shares = seats.map(({ slot }) => slot / (slots - 1));
  let parameters = shares;
  let path: Path = { start, control1: start, control2: end, end };
  for (let round = 0; round < ROUNDS; round++) {
    path = leastSquares(seats, parameters, start, end);
    parameters = parametersAt(path, shares);
  }
  return { ...path, control1: rounded(path.control1), control2: rounded(path.control2) };
}

/** Two unknown points: one system of two equations for x, and one for y. */
function leastSquares(seats: readonly Point[], parameters: readonly number[], start: Point, end: Point): Path {
  let c11 = 0;
  let c12 = 0;
  let c22 = 0;
  const first = { x: 0, y: 0 };
  const second = { x: 0, y: 0 };
  for (const [i, seat] of seats.entries()) {
    const [b0, b1, b2, b3] = weights(parameters[i]!);
    c11 += b1 * b1;
    c12 += b1 * b2;
    c22 += b2 * b2;
    for (const axis of ['x', 'y'] as const) {
      const rest = seat[axis] - b0 * start[axis] - b3 * end[axis];
      first[axis] += b1 * rest;
      second[axis] += b2 * rest;
    }
  }
  const determinant = c11 * c22 - c12 * c12 || 1;
  const control1 = { x: first.x * c22 - second.x * c12, y: first.y * c22 - second.y * c12 };
  const control2 = { x: second.x * c11 - first.x * c12, y: second.y * c11 - first.y * c12 };
  return { start, control1: divided(control1, determinant), control2: divided(control2, determinant), end };
}

/** The Bernstein polynomials of degree three. */
function weights(t: number): [number, number, number, number] {
  const u = 1 - t;
  return [u * u * u, 3 * u * u * t, 3 * u * t * t, t * t * t];
}

/** The parameters at these shares of the curve's length, which rise. */
function parametersAt({ start, control1, control2, end }: Path, shares: readonly number[]): number[] {
  const lengths = [0];
  let before = start;
  for (let piece = 1; piece <= PIECES; piece++) {
    const [b0, b1, b2, b3] = weights(piece / PIECES);
    const x = b0 * start.x + b1 * control1.x + b2 * control2.x + b3 * end.x;
    const y = b0 * start.y + b1 * control1.y + b2 * control2.y + b3 * end.y;
    lengths.push(lengths.at(-1)! + Math.hypot(x - before.x, y - before.y));
    before = { x, y };
  }
  const total = lengths.at(-1)!;
  let piece = 1;
  return shares.map((share) => {
    while (piece < PIECES && lengths[piece]! < share * total) piece++;
    const length = lengths[piece]! - lengths[piece - 1]!;
    const inPiece = length === 0 ? 0 : (share * total - lengths[piece - 1]!) / length;
    return (piece - 1 + inPiece) / PIECES;
  });
}

function divided({ x, y }: Point, by: number): Point {
  return { x: x / by, y: y / by };
}

function rounded({ x, y }: Point): Point {
  return { x: Math.round(x * 1e3) / 1e3, y: Math.round(y * 1e3) / 1e3 };
}
