/**
 * The names of rows. Each stands at both ends of its row where no seat is. Where a row runs out of the map, its name
 * sticks to the edge of the map.
 */
import type { Point } from '@parterre/shared/charts/plan';
import { type Bounds, overlaps } from '../rules/bounds.ts';
import { type Camera, type Size, seen, toScreen } from '../rules/camera.ts';
import { type Hall, rowsOf } from '../rules/hall.ts';
import { grown, type Plot } from './plot.ts';
import type { NamedRow, Scene } from './scene.ts';

const ROW_SEAT_PIXELS_MIN = 10;
/** Names at the edge would lie over each other where rows are closer. */
const STUCK_SEAT_PIXELS_MIN = 15;
/** The middle of a name at the edge, from the edge. */
const INSET_PIXELS = 15;
/** Names at the edge keep this distance between their middles. */
const APART_PIXELS = { across: 22, down: 15 };

type RowName = { text: string; x: number; y: number; size: number };

/** The names at the ends of rows that a part of the chart shows, by the size of their letters in CSS pixels. */
export function rowNamesIn(scene: Scene, { floor, rect, pixel }: Plot): RowName[] {
  return blocksIn(scene, floor, rect).flatMap((index) =>
    rowsIn(scene, index).flatMap(({ text, size, ends }) => {
      if (size / pixel < ROW_SEAT_PIXELS_MIN) return [];
      const shown = ends.filter(({ at, isFree }) => isFree && isIn(grown(rect, size), at));
      return shown.map(({ at }) => ({ text, ...at, size: lettersOf(size / pixel) }));
    }),
  );
}

/** The names of rows that run over the edge of the map, in CSS pixels. */
export function stuckNames(scene: Scene, floor: number, camera: Camera, size: Size): RowName[] {
  const names: RowName[] = [];
  if (scene.seatSize * camera.scale < STUCK_SEAT_PIXELS_MIN) return names;
  const part = seen(camera, size);
  const inner = grown(part, -INSET_PIXELS / camera.scale);
  for (const index of blocksIn(scene, floor, part)) {
    for (const { text, size: seat, line } of rowsIn(scene, index)) {
      for (const step of [1, -1] as const) {
        const entry = entryInto(inner, line, step);
        if (!entry) continue;
        const at = toScreen(camera, entry);
        const isApart = ({ x, y }: RowName) =>
          Math.abs(x - at.x) > APART_PIXELS.across || Math.abs(y - at.y) > APART_PIXELS.down;
        if (names.every(isApart)) names.push({ text, ...at, size: lettersOf(seat * camera.scale) });
      }
    }
  }
  return names;
}

export function drawStuckNames(
  pen: CanvasRenderingContext2D,
  scene: Scene,
  floor: number,
  camera: Camera,
  size: Size,
): void {
  const { theme } = scene;
  pen.textAlign = 'center';
  pen.textBaseline = 'middle';
  for (const { text, x, y, size: pixels } of stuckNames(scene, floor, camera, size)) {
    pen.font = `600 ${pixels}px ${theme.font}`;
    const wide = Math.max(pen.measureText(text).width + 8, pixels + 6);
    const high = pixels + 5;
    pen.fillStyle = theme.surface;
    pen.strokeStyle = theme.edge;
    pen.lineWidth = 1;
    pen.beginPath();
    pen.roundRect(x - wide / 2, y - high / 2, wide, high, 4);
    pen.fill();
    pen.stroke();
    pen.fillStyle = theme.text;
    pen.fillText(text, x, y + 0.5);
  }
}

/**
 * Where a line from outside comes into a rectangle, from its first point on or from its last (`step` −1); null for a
 * line that begins inside or stays outside.
 */
function entryInto(inner: Bounds, line: readonly Point[], step: 1 | -1): Point | null {
  const first = step === 1 ? 0 : line.length - 1;
  if (isIn(inner, line[first]!)) return null;
  for (let index = first + step; index >= 0 && index < line.length; index += step) {
    if (isIn(inner, line[index]!)) return crossing(inner, line[index - step]!, line[index]!);
  }
  return null;
}

/** The point of the way from outside to inside a rectangle that lies on its edge. */
function crossing({ left, top, right, bottom }: Bounds, from: Point, to: Point): Point {
  const shares = [
    from.x < left ? (left - from.x) / (to.x - from.x) : 0,
    from.x > right ? (right - from.x) / (to.x - from.x) : 0,
    from.y < top ? (top - from.y) / (to.y - from.y) : 0,
    from.y > bottom ? (bottom - from.y) / (to.y - from.y) : 0,
  ];
  const share = Math.max(...shares);
  return { x: from.x + (to.x - from.x) * share, y: from.y + (to.y - from.y) * share };
}

const isIn = ({ left, top, right, bottom }: Bounds, { x, y }: Point): boolean =>
  x >= left && x <= right && y >= top && y <= bottom;

const lettersOf = (seatPixels: number): number => Math.min(Math.max(seatPixels * 0.62, 9), 14);

function blocksIn({ hall, seatSize }: Scene, floor: number, part: Bounds): number[] {
  return [...hall.blocks.keys()].filter((index) => {
    const { bounds, floor: its } = hall.blocks[index]!;
    return its === floor && overlaps(grown(bounds, seatSize * 2), part);
  });
}

/** The rows of a block with their names. Made when the block is first drawn near. */
function rowsIn(scene: Scene, index: number): readonly NamedRow[] {
  scene.rows[index] ??= findRows(scene.hall, index);
  return scene.rows[index]!;
}

function findRows(hall: Hall, index: number): NamedRow[] {
  const block = hall.blocks[index]!;
  const near = neighbours(hall, index);
  const rows: NamedRow[] = [];
  for (const { label, spots } of rowsOf(hall, block)) {
    if (hall.objects[hall.objectOf[spots[0]!]!]!.type !== 'row') continue;
    const text = label.split('-').at(-1)!;
    const size = hall.size[spots[0]!]!;
    const isFree = (at: Point) =>
      near.every((spot) => Math.hypot(hall.x[spot]! - at.x, hall.y[spot]! - at.y) > size * 0.8);
    const first = beyond(hall, spots[0]!, spots[1]);
    const last = spots.length > 1 ? beyond(hall, spots.at(-1)!, spots.at(-2)) : null;
    const ends = [first, ...(last ? [last] : [])].map((at) => ({ at, isFree: isFree(at) }));
    const seats = spots.map((spot) => ({ x: hall.x[spot]!, y: hall.y[spot]! }));
    rows.push({ text, size, line: [first, ...seats, ...(last ? [last] : [])], ends });
  }
  return rows;
}

/** The spots of a block, and those of other blocks of its floor that the names of its rows may meet. */
function neighbours({ blocks, size, x, y }: Hall, index: number): number[] {
  const { floor, bounds, spots } = blocks[index]!;
  const part = grown(bounds, 2 * (size[spots[0]!] ?? 0));
  const others = blocks.filter(
    (block, other) => other !== index && block.floor === floor && overlaps(block.bounds, part),
  );
  const beside = others.flatMap((block) => block.spots.filter((spot) => isIn(part, { x: x[spot]!, y: y[spot]! })));
  return [...spots, ...beside];
}

/** Beside the last seat of a row, away from its neighbour. */
function beyond({ x, y, size }: Hall, end: number, next: number | undefined): Point {
  if (next === undefined) return { x: x[end]! - size[end]! * 1.2, y: y[end]! };
  const dx = x[end]! - x[next]!;
  const dy = y[end]! - y[next]!;
  const reach = (size[end]! * 1.2) / Math.max(Math.hypot(dx, dy), 1e-6);
  return { x: x[end]! + dx * reach, y: y[end]! + dy * reach };
}
