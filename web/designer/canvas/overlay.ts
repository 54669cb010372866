/** Marks of the designer over its map. Points of the chart become CSS pixels here; sizes of marks are CSS pixels. */
import type { Point } from '@parterre/shared/charts/plan';
import type { Theme } from '../../src/draw/theme.ts';
import type { Bounds } from '../../src/rules/bounds.ts';
import { type Camera, type Size, seen, toScreen } from '../../src/rules/camera.ts';
import type { Shadow } from './floor-below.ts';

/** A line that is drawn twice, the ground's colour under its own, is seen on every colour. */
const HALO_PIXELS = 2;
const GRID_PIXELS_MIN = 9;
/** Of a seat of another floor, in chart units. */
const SHADOW_WIDTH = 12;
/** Rings of more seats than this would take longer than a frame. */
const RINGS_MAX = 4_000;
export const HANDLE_PIXELS = 9;

export class Overlay {
  readonly camera: Camera;
  readonly size: Size;
  readonly theme: Theme;
  /** The part of the chart on the screen. */
  readonly part: Bounds;
  readonly #pen: CanvasRenderingContext2D;

  constructor(pen: CanvasRenderingContext2D, camera: Camera, size: Size, theme: Theme) {
    this.#pen = pen;
    this.camera = camera;
    this.size = size;
    this.theme = theme;
    this.part = seen(camera, size);
  }

  grid(step: number): void {
    let unit = step;
    while (unit * this.camera.scale < GRID_PIXELS_MIN) unit *= 5;
    this.#pen.beginPath();
    for (let x = Math.ceil(this.part.left / unit) * unit; x <= this.part.right; x += unit) {
      const across = Math.round(this.#at({ x, y: 0 }).x) + 0.5;
      this.#pen.moveTo(across, 0);
      this.#pen.lineTo(across, this.size.height);
    }
    for (let y = Math.ceil(this.part.top / unit) * unit; y <= this.part.bottom; y += unit) {
      const down = Math.round(this.#at({ x: 0, y }).y) + 0.5;
      this.#pen.moveTo(0, down);
      this.#pen.lineTo(this.size.width, down);
    }
    this.#pen.globalAlpha = 0.1;
    this.#pen.strokeStyle = this.theme.text;
    this.#pen.lineWidth = 1;
    this.#pen.stroke();
    this.#pen.globalAlpha = 1;
  }

  /** Around an outline or along a line of points. */
  line(points: readonly Point[], isClosed: boolean, isDashed = false): void {
    if (points.length === 0) return;
    this.#trace(points, isClosed);
    this.#stroke(this.theme.accent, 2, isDashed ? [6, 4] : []);
  }

  /** Behind the seats of a row: a band as wide as they are. */
  band(points: readonly Point[], width: number): void {
    this.#trace(points.length === 1 ? [points[0]!, points[0]!] : points, false);
    this.#pen.lineCap = 'round';
    this.#pen.lineJoin = 'round';
    this.#pen.strokeStyle = this.theme.accent;
    this.#pen.lineWidth = Math.max(width * this.camera.scale + 4, 6);
    this.#pen.globalAlpha = 0.28;
    this.#pen.stroke();
    this.#pen.globalAlpha = 1;
    this.#pen.lineCap = 'butt';
  }

  box({ left, top, right, bottom }: Bounds, look: 'frame' | 'rubber' | 'issue'): void {
    const from = this.#at({ x: left, y: top });
    const to = this.#at({ x: right, y: bottom });
    const grow = look === 'rubber' ? 0 : 5;
    this.#pen.beginPath();
    this.#pen.rect(from.x - grow, from.y - grow, to.x - from.x + 2 * grow, to.y - from.y + 2 * grow);
    if (look === 'rubber') {
      this.#pen.fillStyle = this.theme.accent;
      this.#pen.globalAlpha = 0.12;
      this.#pen.fill();
      this.#pen.globalAlpha = 1;
    }
    this.#stroke(
      look === 'issue' ? issueColour(this.theme) : this.theme.accent,
      look === 'issue' ? 2.5 : 1.5,
      look === 'frame' ? [5, 4] : [],
    );
    if (look === 'issue') badge(this.#pen, { x: to.x + grow, y: from.y - grow }, this.theme);
  }

  /** Rings around seats, x and y in turn. */
  rings(places: readonly number[], width: number): void {
    this.#pen.beginPath();
    const radius = Math.max((width * this.camera.scale) / 2 + 2, 4);
    let count = 0;
    for (let i = 0; i < places.length && count < RINGS_MAX; i += 2) {
      const x = places[i]!;
      const y = places[i + 1]!;
      if (
        x < this.part.left - width ||
        x > this.part.right + width ||
        y < this.part.top - width ||
        y > this.part.bottom + width
      )
        continue;
      const on = this.#at({ x, y });
      this.#pen.moveTo(on.x + radius, on.y);
      this.#pen.arc(on.x, on.y, radius, 0, 2 * Math.PI);
      count++;
    }
    this.#stroke(this.theme.accent, 2.5);
  }

  /** Seats that are not there yet. */
  ghosts(places: readonly number[], width: number): void {
    this.#pen.beginPath();
    const radius = Math.max((width * this.camera.scale) / 2, 1);
    for (let i = 0; i < places.length && i < 2 * RINGS_MAX; i += 2) {
      const { x, y } = this.#at({ x: places[i]!, y: places[i + 1]! });
      this.#pen.moveTo(x + radius, y);
      this.#pen.arc(x, y, radius, 0, 2 * Math.PI);
    }
    this.#pen.fillStyle = this.theme.accent;
    this.#pen.globalAlpha = 0.45;
    this.#pen.fill();
    this.#pen.globalAlpha = 1;
  }

  veil(points: readonly Point[]): void {
    this.#trace(points, true);
    this.#pen.fillStyle = this.theme.accent;
    this.#pen.globalAlpha = 0.18;
    this.#pen.fill();
    this.#pen.globalAlpha = 1;
    this.#stroke(this.theme.accent, 2, [6, 4]);
  }

  handle(point: Point, shape: 'square' | 'round' | 'small', isActive = false): void {
    const { x, y } = this.#at(point);
    const half = shape === 'small' ? 3.5 : HANDLE_PIXELS / 2;
    this.#pen.beginPath();
    if (shape === 'square') this.#pen.rect(x - half, y - half, 2 * half, 2 * half);
    else this.#pen.arc(x, y, half + (shape === 'round' ? 0.5 : 0), 0, 2 * Math.PI);
    this.#pen.fillStyle = isActive ? this.theme.accent : this.theme.surface;
    this.#pen.fill();
    this.#pen.strokeStyle = this.theme.accent;
    this.#pen.lineWidth = 2;
    this.#pen.stroke();
  }

  /** A line through the whole map, to which something snaps. */
  guide(from: Point, to: Point): void {
    this.#trace([from, to], false);
    this.#pen.setLineDash([4, 4]);
    this.#pen.strokeStyle = issueColour(this.theme);
    this.#pen.lineWidth = 1.5;
    this.#pen.stroke();
    this.#pen.setLineDash([]);
  }

  /** The cursor of the keyboard. */
  crosshair(point: Point): void {
    const { x, y } = this.#at(point);
    this.#pen.beginPath();
    for (const [dx, dy] of [
      [1, 0],
      [-1, 0],
      [0, 1],
      [0, -1],
    ] as const) {
      this.#pen.moveTo(x + 4 * dx, y + 4 * dy);
      this.#pen.lineTo(x + 16 * dx, y + 16 * dy);
    }
    this.#stroke(this.theme.accent, 2.5);
    this.#pen.beginPath();
    this.#pen.arc(x, y, 10, 0, 2 * Math.PI);
    this.#stroke(this.theme.accent, 2);
  }

  /** Another floor, faintly. */
  shadow({ places, outlines }: Shadow): void {
    const { left, top, right, bottom } = this.part;
    const half = Math.max(SHADOW_WIDTH * this.camera.scale, 2) / 2;
    this.#pen.beginPath();
    let count = 0;
    for (let i = 0; i < places.length && count < 2 * RINGS_MAX; i += 2) {
      const x = places[i]!;
      const y = places[i + 1]!;
      if (x < left || x > right || y < top || y > bottom) continue;
      const on = this.#at({ x, y });
      this.#pen.rect(on.x - half, on.y - half, 2 * half, 2 * half);
      count++;
    }
    this.#pen.globalAlpha = 0.14;
    this.#pen.fillStyle = this.theme.text;
    this.#pen.fill();
    this.#pen.strokeStyle = this.theme.text;
    this.#pen.lineWidth = 1;
    this.#pen.globalAlpha = 0.3;
    for (const points of outlines) {
      this.#trace(points, true);
      this.#pen.stroke();
    }
    this.#pen.globalAlpha = 1;
  }

  /** A focal point, with its name. */
  focal(point: Point, text: string): void {
    const { x, y } = this.#at(point);
    this.#pen.beginPath();
    this.#pen.arc(x, y, 7, 0, 2 * Math.PI);
    for (const [dx, dy] of [
      [1, 0],
      [-1, 0],
      [0, 1],
      [0, -1],
    ] as const) {
      this.#pen.moveTo(x + 3 * dx, y + 3 * dy);
      this.#pen.lineTo(x + 12 * dx, y + 12 * dy);
    }
    this.#stroke(this.theme.text, 1.5);
    this.#pen.font = `500 11px ${this.theme.font}`;
    this.#pen.textAlign = 'center';
    this.#pen.textBaseline = 'bottom';
    this.#pen.lineWidth = 3;
    this.#pen.strokeStyle = this.theme.surface;
    this.#pen.strokeText(text, x, y - 13);
    this.#pen.fillStyle = this.theme.text;
    this.#pen.fillText(text, x, y - 13);
  }

  /** A few words beside a point: a this.size, a count. */
  note(point: Point, text: string): void {
    const { x, y } = this.#at(point);
    this.#pen.font = `600 12px ${this.theme.font}`;
    this.#pen.textAlign = 'left';
    this.#pen.textBaseline = 'middle';
    const width = this.#pen.measureText(text).width + 16;
    const left = Math.min(Math.max(x + 14, 4), this.size.width - width - 4);
    const top = Math.min(Math.max(y + 14, 4), this.size.height - 28);
    this.#pen.beginPath();
    this.#pen.roundRect(left, top, width, 24, 6);
    this.#pen.fillStyle = this.theme.text;
    this.#pen.fill();
    this.#pen.fillStyle = this.theme.surface;
    this.#pen.fillText(text, left + 8, top + 12.5);
  }

  /** An object without any extent. */
  cross(point: Point): void {
    const { x, y } = this.#at(point);
    this.#pen.beginPath();
    this.#pen.moveTo(x - 5, y - 5);
    this.#pen.lineTo(x + 5, y + 5);
    this.#pen.moveTo(x + 5, y - 5);
    this.#pen.lineTo(x - 5, y + 5);
    this.#stroke(issueColour(this.theme), 2);
  }

  #at(point: Point): Point {
    return toScreen(this.camera, point);
  }

  #trace(points: readonly Point[], isClosed: boolean): void {
    this.#pen.beginPath();
    for (const point of points) {
      const { x, y } = this.#at(point);
      this.#pen.lineTo(x, y);
    }
    if (isClosed) this.#pen.closePath();
  }

  #stroke(colour: string, width: number, dash: readonly number[] = []): void {
    const pen = this.#pen;
    pen.lineJoin = 'round';
    pen.setLineDash([]);
    pen.strokeStyle = this.theme.surface;
    pen.lineWidth = width + HALO_PIXELS;
    pen.globalAlpha = 0.7;
    pen.stroke();
    pen.globalAlpha = 1;
    pen.setLineDash([...dash]);
    pen.strokeStyle = colour;
    pen.lineWidth = width;
    pen.stroke();
    pen.setLineDash([]);
  }
}

/** Red on light ground, light red on dark. */
function issueColour({ surface }: Theme): string {
  return Number.parseInt(surface.slice(1, 3), 16) < 128 ? '#f2938a' : '#b3261e';
}

function badge(pen: CanvasRenderingContext2D, { x, y }: Point, theme: Theme): void {
  pen.beginPath();
  pen.arc(x, y, 8, 0, 2 * Math.PI);
  pen.fillStyle = issueColour(theme);
  pen.fill();
  pen.font = `700 12px ${theme.font}`;
  pen.textAlign = 'center';
  pen.textBaseline = 'middle';
  pen.fillStyle = theme.surface;
  pen.fillText('!', x, y + 0.5);
}
