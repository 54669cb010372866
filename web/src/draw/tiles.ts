/**
 * The hall at one scale, drawn piece by piece on square tiles. A moved map is a copy of tiles, for a hall of any size.
 *
 * States of a tile: absent → waiting for its first drawing → drawn → stale in a part of it → drawn. A stale tile shows
 * its old picture until its turn. A caller gives each frame a budget of time, and at least one tile is drawn a frame,
 * so drawing always ends. The number of tiles is bounded; the tiles farthest from the screen go first.
 */
import type { Point } from '@parterre/shared/charts/plan';
import { type Bounds, growBounds, overlaps } from '../rules/bounds.ts';
import type { Camera, Size } from '../rules/camera.ts';
import { type Captions, drawCaptions, layCaptions, type Measure } from './captions.ts';
import { drawGround } from './ground.ts';
import { grown, inChartUnits, type Plot } from './plot.ts';
import type { Scene } from './scene.ts';
import { drawSeats } from './seats.ts';

/** In CSS pixels. */
const TILE = 256;
/** Device pixels of all tiles of a layer: 64 MB. */
const PIXELS_MAX = 16_000_000;
/** Rows and columns of tiles around the screen that are drawn while nothing else is to do. */
const RING = 1;

/** A screen and the ring around it are never forgotten. */
const TILES_MIN = 40;
/** Rings and texts reach this far beyond their seat or section. */
const SEAT_REACH_PIXELS = 4;
const CAPTION_REACH_PIXELS = 40;

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

/** `isBehind`: tiles are left to be drawn. `isChanged`: a tile on the screen was drawn. */
type Filled = { isBehind: boolean; isChanged: boolean };

/** `isNear`: single seats are drawn, not only their sections. */
type LayerPlace = { scale: number; floor: number; ratio: number; isNear: boolean };

export class Layer {
  readonly scale: number;
  readonly floor: number;
  readonly #scene: Scene;
  readonly #measure: Measure;
  readonly #place: LayerPlace;
  /** The width of a tile in device pixels. */
  readonly #side: number;
  readonly #tiles = new Map<number, Tile>();
  #captions: Captions | null = null;

  constructor(scene: Scene, place: LayerPlace, measure: Measure) {
    this.scale = place.scale;
    this.floor = place.floor;
    this.#scene = scene;
    this.#place = place;
    this.#measure = measure;
    this.#side = TILE * place.ratio;
  }

  /** Draws tiles until the clock reaches `until`, those on the screen first. */
  fill(camera: Camera, size: Size, until: number): Filled {
    let drawn = 0;
    let isChanged = false;
    for (const ring of [0, RING]) {
      for (const [column, row] of this.#cells(camera, size, ring)) {
        const tile = this.#tileAt(column, row);
        if (tile?.isDrawn && !tile.stale) continue;
        if (drawn > 0 && performance.now() >= until) return { isBehind: true, isChanged };
        this.#draw(tile ?? this.#make(column, row));
        drawn++;
        isChanged ||= ring === 0;
      }
    }
    this.#forget({ x: size.width / 2 - camera.x, y: size.height / 2 - camera.y });
    return { isBehind: false, isChanged };
  }

  /** True if every tile on the screen has a picture. */
  covers(camera: Camera, size: Size): boolean {
    return this.#cells(camera, size, 0).every(([column, row]) => this.#tileAt(column, row)?.isDrawn);
  }

  /** The number of seats on the screen that have been drawn. */
  seatsOn(camera: Camera, size: Size): number {
    const cells = this.#cells(camera, size, 0);
    return cells.reduce((sum, [column, row]) => sum + (this.#tileAt(column, row)?.seats ?? 0), 0);
  }

  copyTo(pen: CanvasRenderingContext2D, camera: Camera, size: Size): void {
    const { scale, ratio } = this.#place;
    const by = camera.scale / scale;
    const edge = (index: number, offset: number) => Math.round((index * TILE * by + offset) * ratio);
    for (const { column, row, canvas, isDrawn } of this.#tiles.values()) {
      if (!isDrawn) continue;
      const left = edge(column, camera.x);
      const top = edge(row, camera.y);
      const right = edge(column + 1, camera.x);
      const bottom = edge(row + 1, camera.y);
      if (right <= 0 || bottom <= 0 || left >= size.width * ratio || top >= size.height * ratio) continue;
      pen.drawImage(canvas, left, top, right - left, bottom - top);
    }
  }

  /**
   * These parts of the chart look different now; without them, everything does. `isWrong`: old pictures are dropped.
   */
  spoil(parts?: readonly Bounds[], isWrong = false): void {
    const reach = (this.#place.isNear ? SEAT_REACH_PIXELS : CAPTION_REACH_PIXELS) / this.scale;
    const changed = parts?.map((part) => grown(part, reach));
    this.#captions = null;
    for (const tile of this.#tiles.values()) {
      const whole = this.#partOf(tile);
      for (const part of changed ?? [whole]) {
        if (!tile.isDrawn || !overlaps(whole, part)) continue;
        if (isWrong) tile.isDrawn = false;
        else if (tile.stale) growBounds(tile.stale, part);
        else tile.stale = { ...part };
      }
    }
  }

  #tileAt(column: number, row: number): Tile | undefined {
    return this.#tiles.get(keyOf(column, row));
  }

  #make(column: number, row: number): Tile {
    const canvas = document.createElement('canvas');
    canvas.width = canvas.height = this.#side;
    const tile = { column, row, canvas, pen: penOf(canvas), isDrawn: false, seats: 0, stale: null };
    this.#tiles.set(keyOf(column, row), tile);
    return tile;
  }

  #partOf({ column, row }: Tile): Bounds {
    const unit = TILE / this.scale;
    return { left: column * unit, top: row * unit, right: (column + 1) * unit, bottom: (row + 1) * unit };
  }

  #draw(tile: Tile): void {
    const { scale, floor, ratio, isNear } = this.#place;
    this.#captions ??= layCaptions(this.#scene, scale, floor, isNear, this.#measure);
    const whole = this.#partOf(tile);
    const rect = tile.stale && tile.isDrawn ? common(tile.stale, whole) : whole;
    const left = tile.column * this.#side;
    const top = tile.row * this.#side;
    const plot: Plot = { floor, rect, units: scale * ratio, left, top, ratio, pixel: 1 / scale, isNear };
    const seats = drawPicture(tile.pen, this.#scene, plot, this.#captions);
    if (isSame(rect, whole)) tile.seats = seats;
    tile.isDrawn = true;
    tile.stale = null;
  }

  #forget(middle: Point): void {
    const tilesMax = Math.max(Math.floor(PIXELS_MAX / this.#side ** 2), TILES_MIN);
    if (this.#tiles.size <= tilesMax) return;
    const distance = ({ column, row }: Tile) =>
      Math.hypot((column + 0.5) * TILE - middle.x, (row + 0.5) * TILE - middle.y);
    const sorted = [...this.#tiles].sort(([, one], [, other]) => distance(other) - distance(one));
    for (const [key] of sorted.slice(0, this.#tiles.size - tilesMax)) this.#tiles.delete(key);
  }

  /** The columns and rows of tiles on the screen and `ring` around it, those in the middle first. */
  #cells(camera: Camera, { width, height }: Size, ring: number): [number, number][] {
    const side = (TILE * camera.scale) / this.scale;
    const first = (offset: number) => Math.floor(-offset / side) - ring;
    const last = (offset: number, extent: number) => Math.ceil((extent - offset) / side) - 1 + ring;
    const fromColumn = first(camera.x);
    const toColumn = last(camera.x, width);
    const fromRow = first(camera.y);
    const toRow = last(camera.y, height);
    const cells: [number, number][] = [];
    for (let row = fromRow; row <= toRow; row++) {
      for (let column = fromColumn; column <= toColumn; column++) cells.push([column, row]);
    }
    const x = (fromColumn + toColumn) / 2;
    const y = (fromRow + toRow) / 2;
    const distance = ([column, row]: [number, number]) => Math.hypot(column - x, row - y);
    return cells.sort((one, other) => distance(one) - distance(other));
  }
}

/** Returns the number of seats drawn. Draws nothing outside `plot.rect`. */
function drawPicture(pen: CanvasRenderingContext2D, scene: Scene, plot: Plot, captions: Captions): number {
  const { units, left, top, rect } = plot;
  pen.save();
  pen.setTransform(1, 0, 0, 1, 0, 0);
  const x = Math.floor(rect.left * units - left);
  const y = Math.floor(rect.top * units - top);
  const right = Math.ceil(rect.right * units - left);
  const bottom = Math.ceil(rect.bottom * units - top);
  pen.beginPath();
  pen.rect(x, y, right - x, bottom - y);
  pen.clip();
  pen.fillStyle = scene.theme.ground;
  pen.fillRect(x, y, right - x, bottom - y);
  inChartUnits(pen, plot);
  drawGround(pen, scene, plot);
  const seats = drawSeats(pen, scene, plot);
  drawCaptions(pen, scene, plot, captions);
  pen.restore();
  return seats;
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

function isSame(one: Bounds, other: Bounds): boolean {
  return one.left === other.left && one.top === other.top && one.right === other.right && one.bottom === other.bottom;
}
