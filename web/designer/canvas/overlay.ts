/** Marks of the designer over its map. Points of the chart become CSS pixels here; sizes of marks are CSS pixels. */
import type { Point } from '@parterre/shared/chart/plan';
import type { Theme } from '../../src/draw/theme.ts';
import type { Bounds } from '../../src/rules/bounds.ts';
import { type Camera, type Size, seen, toScreen } from '../../src/rules/camera.ts';

export type Overlay = ReturnType<typeof makeOverlay>;

/** A line that is drawn twice, the ground's colour under its own, is seen on every colour. */
const HALO_PIXELS = 2;
const GRID_PIXELS_MIN = 9;
/** Rings of more seats than this would take longer than a frame. */
const RINGS_MAX = 4_000;
export const HANDLE_PIXELS = 9;

export function makeOverlay(pen: CanvasRenderingContext2D, camera: Camera, size: Size, theme: Theme) {
  const at = (point: Point): Point => toScreen(camera, point);
  const part = seen(camera, size);

  function trace(points: readonly Point[], isClosed: boolean): void {
    pen.beginPath();
    for (const point of points) {
      const { x, y } = at(point);
      pen.lineTo(x, y);
    }
    if (isClosed) pen.closePath();
  }

  function stroke(colour: string, width: number, dash: readonly number[] = []): void {
    pen.lineJoin = 'round';
    pen.setLineDash([]);
    pen.strokeStyle = theme.surface;
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

  return {
    camera,
    size,
    theme,
    /** The part of the chart on the screen. */
    part,
    grid(step: number): void {
      let unit = step;
      while (unit * camera.scale < GRID_PIXELS_MIN) unit *= 5;
      pen.beginPath();
      for (let x = Math.ceil(part.left / unit) * unit; x <= part.right; x += unit) {
        const across = Math.round(at({ x, y: 0 }).x) + 0.5;
        pen.moveTo(across, 0);
        pen.lineTo(across, size.height);
      }
      for (let y = Math.ceil(part.top / unit) * unit; y <= part.bottom; y += unit) {
        const down = Math.round(at({ x: 0, y }).y) + 0.5;
        pen.moveTo(0, down);
        pen.lineTo(size.width, down);
      }
      pen.globalAlpha = 0.1;
      pen.strokeStyle = theme.text;
      pen.lineWidth = 1;
      pen.stroke();
      pen.globalAlpha = 1;
    },
    /** Around an outline or along a line of points. */
    line(points: readonly Point[], isClosed: boolean, isDashed = false): void {
      if (points.length === 0) return;
      trace(points, isClosed);
      stroke(theme.accent, 2, isDashed ? [6, 4] : []);
    },
    /** Behind the seats of a row: a band as wide as they are. */
    band(points: readonly Point[], width: number): void {
      trace(points.length === 1 ? [points[0]!, points[0]!] : points, false);
      pen.lineCap = 'round';
      pen.lineJoin = 'round';
      pen.strokeStyle = theme.accent;
      pen.lineWidth = Math.max(width * camera.scale + 8, 8);
      pen.globalAlpha = 0.28;
      pen.stroke();
      pen.globalAlpha = 1;
      pen.lineCap = 'butt';
    },
    box({ left, top, right, bottom }: Bounds, look: 'frame' | 'rubber' | 'issue'): void {
      const [from, to] = [at({ x: left, y: top }), at({ x: right, y: bottom })];
      const grow = look === 'rubber' ? 0 : 5;
      pen.beginPath();
      pen.rect(from.x - grow, from.y - grow, to.x - from.x + 2 * grow, to.y - from.y + 2 * grow);
      if (look === 'rubber') {
        pen.fillStyle = theme.accent;
        pen.globalAlpha = 0.12;
        pen.fill();
        pen.globalAlpha = 1;
      }
      stroke(
        look === 'issue' ? issueColour(theme) : theme.accent,
        look === 'issue' ? 2.5 : 1.5,
        look === 'frame' ? [5, 4] : [],
      );
      if (look === 'issue') badge(pen, { x: to.x + grow, y: from.y - grow }, theme);
    },
    /** Rings around seats, x and y in turn. */
    rings(places: readonly number[], width: number): void {
      pen.beginPath();
      const radius = Math.max((width * camera.scale) / 2 + 2, 4);
      let count = 0;
      for (let i = 0; i < places.length && count < RINGS_MAX; i += 2) {
        const [x, y] = [places[i]!, places[i + 1]!];
        if (x < part.left - width || x > part.right + width || y < part.top - width || y > part.bottom + width)
          continue;
        const on = at({ x, y });
        pen.moveTo(on.x + radius, on.y);
        pen.arc(on.x, on.y, radius, 0, 2 * Math.PI);
        count++;
      }
      stroke(theme.accent, 2.5);
    },
    /** Seats that are not there yet. */
    ghosts(places: readonly number[], width: number): void {
      pen.beginPath();
      const radius = Math.max((width * camera.scale) / 2, 1);
      for (let i = 0; i < places.length && i < 2 * RINGS_MAX; i += 2) {
        const { x, y } = at({ x: places[i]!, y: places[i + 1]! });
        pen.moveTo(x + radius, y);
        pen.arc(x, y, radius, 0, 2 * Math.PI);
      }
      pen.fillStyle = theme.accent;
      pen.globalAlpha = 0.45;
      pen.fill();
      pen.globalAlpha = 1;
    },
    veil(points: readonly Point[]): void {
      trace(points, true);
      pen.fillStyle = theme.accent;
      pen.globalAlpha = 0.18;
      pen.fill();
      pen.globalAlpha = 1;
      stroke(theme.accent, 2, [6, 4]);
    },
    handle(point: Point, shape: 'square' | 'round' | 'small', isActive = false): void {
      const { x, y } = at(point);
      const half = shape === 'small' ? 3.5 : HANDLE_PIXELS / 2;
      pen.beginPath();
      if (shape === 'square') pen.rect(x - half, y - half, 2 * half, 2 * half);
      else pen.arc(x, y, half + (shape === 'round' ? 0.5 : 0), 0, 2 * Math.PI);
      pen.fillStyle = isActive ? theme.accent : theme.surface;
      pen.fill();
      pen.strokeStyle = theme.accent;
      pen.lineWidth = 2;
      pen.stroke();
    },
    /** A line through the whole map, to which something snaps. */
    guide(from: Point, to: Point): void {
      trace([from, to], false);
      pen.setLineDash([4, 4]);
      pen.strokeStyle = issueColour(theme);
      pen.lineWidth = 1.5;
      pen.stroke();
      pen.setLineDash([]);
    },
    /** The cursor of the keyboard. */
    crosshair(point: Point): void {
      const { x, y } = at(point);
      pen.beginPath();
      for (const [dx, dy] of [
        [1, 0],
        [-1, 0],
        [0, 1],
        [0, -1],
      ] as const) {
        pen.moveTo(x + 4 * dx, y + 4 * dy);
        pen.lineTo(x + 16 * dx, y + 16 * dy);
      }
      stroke(theme.accent, 2.5);
      pen.beginPath();
      pen.arc(x, y, 10, 0, 2 * Math.PI);
      stroke(theme.accent, 2);
    },
    /** A few words beside a point: a size, a count. */
    note(point: Point, text: string): void {
      const { x, y } = at(point);
      pen.font = `600 12px ${theme.font}`;
      pen.textAlign = 'left';
      pen.textBaseline = 'middle';
      const width = pen.measureText(text).width + 16;
      const left = Math.min(Math.max(x + 14, 4), size.width - width - 4);
      const top = Math.min(Math.max(y + 14, 4), size.height - 28);
      pen.beginPath();
      pen.roundRect(left, top, width, 24, 6);
      pen.fillStyle = theme.text;
      pen.fill();
      pen.fillStyle = theme.surface;
      pen.fillText(text, left + 8, top + 12.5);
    },
    /** An object without any extent. */
    cross(point: Point): void {
      const { x, y } = at(point);
      pen.beginPath();
      pen.moveTo(x - 5, y - 5);
      pen.lineTo(x + 5, y + 5);
      pen.moveTo(x + 5, y - 5);
      pen.lineTo(x - 5, y + 5);
      stroke(issueColour(theme), 2);
    },
  };
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
