/**
 * A small map of the whole floor in a corner, while only a part of it is on the screen. It frames the part, and a press
 * or drag on it moves the part. Its picture is drawn anew at most once a second.
 */
import { type Camera, fitted, type Size, seen, toChart, toScreen } from '../rules/camera.ts';
import { drawGround } from './ground.ts';
import { grown, inChartUnits, type Plot } from './plot.ts';
import type { Scene } from './scene.ts';
import { drawSeats } from './seats.ts';
import { penOf } from './tiles.ts';

const REDRAW_EVERY_MS = 1_000;
/** The map is shown when the hall is this many times as large as on a fitting screen. */
const ZOOM_MIN = 1.5;
/** A smaller screen has no room for it. */
const ROOM_PIXELS_MIN = 300;
const MARGIN_PIXELS = 5;

export type Minimap = {
  draw(scene: Scene, floor: number, camera: Camera, size: Size): void;
  spoil(): void;
  end(): void;
};

export function makeMinimap(host: HTMLElement, ratio: number, goTo: (chartX: number, chartY: number) => void): Minimap {
  const canvas = document.createElement('canvas');
  canvas.className = 'minimap';
  canvas.setAttribute('part', 'minimap');
  canvas.hidden = true;
  const pen = penOf(canvas);
  const base = document.createElement('canvas');
  const basePen = penOf(base);
  /** The whole floor on the small map. */
  let here: Camera | null = null;
  let drawnFor: Scene | null = null;
  let drawnFloor = -1;
  let drawnAt = 0;
  let isStale = true;
  const ending = new AbortController();

  function press(event: PointerEvent): void {
    event.stopPropagation();
    if (event.type === 'pointerdown') canvas.setPointerCapture(event.pointerId);
    else if (!canvas.hasPointerCapture(event.pointerId)) return;
    const { left, top } = canvas.getBoundingClientRect();
    if (!here) return;
    const { x, y } = toChart(here, { x: event.clientX - left, y: event.clientY - top });
    goTo(x, y);
  }

  for (const name of ['pointerdown', 'pointermove'] as const) {
    canvas.addEventListener(name, press, { signal: ending.signal });
  }
  canvas.addEventListener('pointerup', (event) => event.stopPropagation(), { signal: ending.signal });
  host.append(canvas);

  return {
    draw(scene, floor, camera, size) {
      const { bounds } = scene.hall;
      const isShown =
        camera.scale > fitted(bounds, size).scale * ZOOM_MIN && Math.min(size.width, size.height) >= ROOM_PIXELS_MIN;
      if (canvas.hidden === isShown) canvas.hidden = !isShown;
      if (!isShown) return;
      const now = performance.now();
      if (drawnFor !== scene || drawnFloor !== floor || (isStale && now - drawnAt > REDRAW_EVERY_MS)) {
        const own = sizeFor(bounds.right - bounds.left, bounds.bottom - bounds.top, size);
        for (const each of [canvas, base]) {
          each.width = Math.round(own.width * ratio);
          each.height = Math.round(own.height * ratio);
        }
        canvas.style.width = `${own.width}px`;
        canvas.style.height = `${own.height}px`;
        here = drawHall(basePen, scene, floor, own, ratio);
        [drawnFor, drawnFloor, drawnAt, isStale] = [scene, floor, now, false];
      }
      frame(camera, size, scene);
    },
    spoil() {
      isStale = true;
    },
    end() {
      ending.abort();
      canvas.remove();
    },
  };

  /** The part on the screen. */
  function frame(camera: Camera, size: Size, { theme }: Scene): void {
    const { left, top, right, bottom } = seen(camera, size);
    const from = toScreen(here!, { x: left, y: top });
    const to = toScreen(here!, { x: right, y: bottom });
    pen.setTransform(1, 0, 0, 1, 0, 0);
    pen.drawImage(base, 0, 0);
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    for (const [colour, width] of [
      [theme.surface, 4],
      [theme.text, 2],
    ] as const) {
      pen.strokeStyle = colour;
      pen.lineWidth = width;
      pen.strokeRect(from.x, from.y, to.x - from.x, to.y - from.y);
    }
  }
}

/** Returns the camera of the small map, which is as large as `size`. */
function drawHall(pen: CanvasRenderingContext2D, scene: Scene, floor: number, size: Size, ratio: number): Camera {
  const { hall, theme } = scene;
  const camera = fitted(hall.bounds, size, MARGIN_PIXELS);
  const units = camera.scale * ratio;
  const pixel = 1 / camera.scale;
  const rect = grown(hall.bounds, Math.max(size.width, size.height) * pixel);
  const plot: Plot = {
    floor,
    rect,
    units,
    left: -camera.x * ratio,
    top: -camera.y * ratio,
    ratio,
    pixel,
    isNear: false,
  };
  pen.setTransform(1, 0, 0, 1, 0, 0);
  pen.fillStyle = theme.surface;
  pen.fillRect(0, 0, size.width * ratio, size.height * ratio);
  inChartUnits(pen, plot);
  drawGround(pen, scene, plot);
  drawSeats(pen, scene, plot);
  return camera;
}

/** Of the hall's form, and small beside the map. */
function sizeFor(wide: number, high: number, { width, height }: Size): Size {
  const scale = Math.min(
    Math.min(width * 0.26, 170) / Math.max(wide, 1),
    Math.min(height * 0.24, 120) / Math.max(high, 1),
  );
  return {
    width: Math.max(Math.round(wide * scale) + 2 * MARGIN_PIXELS, 40),
    height: Math.max(Math.round(high * scale) + 2 * MARGIN_PIXELS, 30),
  };
}
