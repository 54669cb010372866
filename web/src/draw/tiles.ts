/**
 * The hall at one scale, drawn piece by piece on square tiles: a moved map is a copy of tiles, whatever the hall holds.
 *
 * States of a tile: absent → waiting for its first drawing → drawn → stale in a part of it → drawn. A stale tile shows
 * its old picture until its turn. A caller gives each frame a budget of time, and at least one tile is drawn a frame, so
 * drawing always ends. The number of tiles is bounded; the tiles farthest from the screen go first.
 */
import type { Point } from '@parterre/shared/chart/plan';
import { type Bounds, growBounds, overlaps } from '../rules/bounds.ts';
import type { Camera, Size } from '../rules/camera.ts';
import { type Captions, layCaptions, type Measure } from './captions.ts';
import { drawPicture } from './picture.ts';
import { grown, type Plot } from './plot.ts';
import type { Scene } from './scene.ts';

/** In CSS pixels. */
const TILE = 256;
/** Device pixels of all tiles of a layer: 64 MB. */
const PIXELS_MAX = 16_000_000;
/** Rows and columns of tiles around the screen that are drawn while nothing else is to do. */
const RING = 1;

type Tile = {
  column: number;
  row: number;
  canvas: HTMLCanvasElement;
  pen: CanvasRenderingContext2D;
  isDrawn: boolean;
  seats: number;
  /** The part to be drawn again, in chart units. */
  stale: Bounds | null;
};

export type Layer = {
  readonly scale: number;
  readonly floor: number;
  readonly isNear: boolean;
  /** Draws tiles until the clock reaches `until`, those on the screen first. */
  fill(camera: Camera, size: Size, until: number): Filled;
  /** True if every tile on the screen has a picture. */
  covers(camera: Camera, size: Size): boolean;
  copyTo(pen: CanvasRenderingContext2D, camera: Camera, size: Size): void;
  /** These parts of the chart look different now; without them, everything does. */
  spoil(parts?: readonly Bounds[]): void;
  /** The number of seats on the screen that have been drawn. */
  seatsOn(camera: Camera, size: Size): number;
};

/** `isBehind`: tiles are left to be drawn. `isChanged`: a tile on the screen was drawn. */
export type Filled = { isBehind: boolean; isChanged: boolean };

export function makeLayer(
  scene: Scene,
  view: { scale: number; floor: number; ratio: number; isNear: boolean },
  measure: Measure,
): Layer {
  const { scale, floor, ratio, isNear } = view;
  const tiles = new Map<number, Tile>();
  const side = TILE * ratio;
  const tilesMax = Math.max(Math.floor(PIXELS_MAX / (side * side)), 40);
  let captions: Captions | null = null;

  function tileAt(column: number, row: number): Tile | undefined {
    return tiles.get(keyOf(column, row));
  }

  function makeTile(column: number, row: number): Tile {
    const canvas = document.createElement('canvas');
    canvas.width = canvas.height = side;
    const tile = { column, row, canvas, pen: penOf(canvas), isDrawn: false, seats: 0, stale: null };
    tiles.set(keyOf(column, row), tile);
    return tile;
  }

  function partOf({ column, row }: Tile): Bounds {
    const unit = TILE / scale;
    return { left: column * unit, top: row * unit, right: (column + 1) * unit, bottom: (row + 1) * unit };
  }

  function draw(tile: Tile): void {
    captions ??= layCaptions(scene, scale, floor, isNear, measure);
    const part = partOf(tile);
    const rect = tile.isDrawn && tile.stale ? common(tile.stale, part) : part;
    const [left, top] = [tile.column * side, tile.row * side];
    const plot: Plot = { floor, rect, units: scale * ratio, left, top, ratio, pixel: 1 / scale, isNear };
    const seats = drawPicture(tile.pen, scene, plot, captions);
    if (rect.left <= part.left && rect.right >= part.right && rect.top <= part.top && rect.bottom >= part.bottom)
      tile.seats = seats;
    tile.isDrawn = true;
    tile.stale = null;
  }

  function forget(middle: Point): void {
    if (tiles.size <= tilesMax) return;
    const distance = ({ column, row }: Tile) =>
      Math.hypot((column + 0.5) * TILE - middle.x, (row + 0.5) * TILE - middle.y);
    const sorted = [...tiles].sort(([, one], [, other]) => distance(other) - distance(one));
    for (const [key] of sorted.slice(0, tiles.size - tilesMax)) tiles.delete(key);
  }

  return {
    scale,
    floor,
    isNear,
    seatsOn: (camera, size) =>
      cellsOf(camera, size, 0).reduce((sum, [column, row]) => sum + (tileAt(column, row)?.seats ?? 0), 0),
    fill(camera, size, until) {
      let drawn = 0;
      let isChanged = false;
      for (const ring of [0, RING]) {
        for (const [column, row] of cellsOf(camera, size, ring)) {
          const tile = tileAt(column, row);
          if (tile?.isDrawn && !tile.stale) continue;
          if (drawn > 0 && performance.now() >= until) return { isBehind: true, isChanged };
          draw(tile ?? makeTile(column, row));
          drawn++;
          isChanged ||= ring === 0;
        }
      }
      forget({ x: size.width / 2 - camera.x, y: size.height / 2 - camera.y });
      return { isBehind: false, isChanged };
    },
    covers: (camera, size) => cellsOf(camera, size, 0).every(([column, row]) => tileAt(column, row)?.isDrawn),
    copyTo(pen, camera, size) {
      const by = camera.scale / scale;
      const edge = (index: number, offset: number) => Math.round((index * TILE * by + offset) * ratio);
      for (const { column, row, canvas, isDrawn } of tiles.values()) {
        if (!isDrawn) continue;
        const [left, top] = [edge(column, camera.x), edge(row, camera.y)];
        const [right, bottom] = [edge(column + 1, camera.x), edge(row + 1, camera.y)];
        if (right <= 0 || bottom <= 0 || left >= size.width * ratio || top >= size.height * ratio) continue;
        pen.drawImage(canvas, left, top, right - left, bottom - top);
      }
    },
    spoil(parts) {
      captions = null;
      for (const tile of tiles.values()) {
        const part = partOf(tile);
        if (!parts) tile.stale = part;
        // Rings and texts reach beyond their seat or section.
        else for (const each of parts) spoilPart(tile, part, grown(each, isNear ? 4 / scale : 40 / scale));
      }
    },
  };

  function spoilPart(tile: Tile, part: Bounds, changed: Bounds): void {
    if (!tile.isDrawn || !overlaps(part, changed)) return;
    if (tile.stale) growBounds(tile.stale, changed);
    else tile.stale = { ...changed };
  }

  /** The tiles on the screen, those in the middle first. */
  function cellsOf(camera: Camera, { width, height }: Size, ring: number): [number, number][] {
    const by = camera.scale / scale;
    const first = (offset: number) => Math.floor(-offset / by / TILE) - ring;
    const last = (offset: number, extent: number) => Math.ceil((extent - offset) / by / TILE) - 1 + ring;
    const [fromColumn, toColumn] = [first(camera.x), last(camera.x, width)];
    const [fromRow, toRow] = [first(camera.y), last(camera.y, height)];
    const cells: [number, number][] = [];
    for (let row = fromRow; row <= toRow; row++) {
      for (let column = fromColumn; column <= toColumn; column++) cells.push([column, row]);
    }
    const [x, y] = [(fromColumn + toColumn) / 2, (fromRow + toRow) / 2];
    const distance = ([column, row]: [number, number]) => Math.hypot(column - x, row - y);
    return cells.sort((one, other) => distance(one) - distance(other));
  }
}

/** Software canvases: tiles of a graphics card would be read back by the browser where there is none. */
export function penOf(canvas: HTMLCanvasElement): CanvasRenderingContext2D {
  const pen = canvas.getContext('2d', { alpha: false, willReadFrequently: true });
  if (!pen) throw new Error('The browser has no canvas for the map.');
  return pen;
}

const keyOf = (column: number, row: number): number => (row + 0x8000) * 0x10000 + column + 0x8000;

function common(one: Bounds, other: Bounds): Bounds {
  return {
    left: Math.max(one.left, other.left),
    top: Math.max(one.top, other.top),
    right: Math.min(one.right, other.right),
    bottom: Math.min(one.bottom, other.bottom),
  };
}
