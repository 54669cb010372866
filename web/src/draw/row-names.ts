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
  const names: RowName[] = [];
  for (const index of blocksIn(scene, floor, rect)) {
    for (const { text, size, ends } of rowsIn(scene, index)) {
      if (size / pixel < ROW_SEAT_PIXELS_MIN) break;
      const part = grown(rect, size);
      for (const { at, isFree } of ends) {
        if (isFree && isIn(part, at.x, at.y)) names.push({ text, ...at, size: lettersOf(size / pixel) });
      }
    }
  }
  return names;
}

/** The names of rows that run over the edge of the map, in CSS pixels. */
export function stuckNames(scene: Scene, floor: number, camera: Camera, size: Size): RowName[] {
  const names: RowName[] = [];
  if (scene.seatSize * camera.scale < STUCK_SEAT_PIXELS_MIN) return names;
  const part = seen(camera, size);
  const inner = grown(part, -INSET_PIXELS / camera.scale);
  for (const index of blocksIn(scene, floor, part)) {
    for (const row of rowsIn(scene, index)) {
      for (const isForward of [true, false]) {
        const entry = entryInto(inner, scene.hall, row, isForward);
        if (!entry) continue;
        const at = toScreen(camera, entry);
        const isApart = ({ x, y }: RowName) =>
          Math.abs(x - at.x) > APART_PIXELS.across || Math.abs(y - at.y) > APART_PIXELS.down;
        if (names.every(isApart)) names.push({ text: row.text, ...at, size: lettersOf(row.size * camera.scale) });
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

/** Where a row from outside comes into a rectangle; null for a row that begins inside or stays outside. */
function entryInto(inner: Bounds, hall: Hall, { spots, ends }: NamedRow, isForward: boolean): Point | null {
  const start = isForward ? ends[0] : ends[1];
  if (!start || isIn(inner, start.at.x, start.at.y)) return null;
  let before = start.at;
  for (let index = 0; index < spots.length; index++) {
    const spot = spots[isForward ? index : spots.length - 1 - index]!;
    const x = hall.x[spot]!;
    const y = hall.y[spot]!;
    if (isIn(inner, x, y)) {
      const last = spots[isForward ? index - 1 : spots.length - index];
      if (last !== undefined) before = { x: hall.x[last]!, y: hall.y[last]! };
      return crossing(inner, before, { x, y });
    }
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

const isIn = ({ left, top, right, bottom }: Bounds, x: number, y: number): boolean =>
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
    const size = hall.size[spots[0]!]!;
    const places = [beyond(hall, spots[0]!, spots[1])];
    if (spots.length > 1) places.push(beyond(hall, spots.at(-1)!, spots.at(-2)));
    const ends = places.map((at) => ({ at, isFree: isFreeAt(hall, near, at, size * 0.8) }));
    rows.push({ text: label, size, spots, ends });
  }
  return rows;
}

function isFreeAt({ x, y }: Hall, spots: readonly number[], at: Point, reach: number): boolean {
  for (const spot of spots) {
    const dx = x[spot]! - at.x;
    const dy = y[spot]! - at.y;
    if (dx * dx + dy * dy <= reach * reach) return false;
  }
  return true;
}

/** The spots of a block, and those of other blocks of its floor that the names of its rows may meet. */
function neighbours({ blocks, size, x, y }: Hall, index: number): readonly number[] {
  const { floor, bounds, spots } = blocks[index]!;
  const part = grown(bounds, 2 * (size[spots[0]!] ?? 0));
  const all = [...spots];
  for (const [other, block] of blocks.entries()) {
    if (other === index || block.floor !== floor || !overlaps(block.bounds, part)) continue;
    for (const spot of block.spots) if (isIn(part, x[spot]!, y[spot]!)) all.push(spot);
  }
  return all;
}

/** Beside the last seat of a row, away from its neighbour. */
function beyond({ x, y, size }: Hall, end: number, next: number | undefined): Point {
  if (next === undefined) return { x: x[end]! - size[end]! * 1.2, y: y[end]! };
  const dx = x[end]! - x[next]!;
  const dy = y[end]! - y[next]!;
  const reach = (size[end]! * 1.2) / Math.max(Math.hypot(dx, dy), 1e-6);
  return { x: x[end]! + dx * reach, y: y[end]! + dy * reach };
}
