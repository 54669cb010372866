/**
 * The visible part of the chart: screen = chart × scale + offset, in CSS pixels. Every camera that leaves this file has
 * finite numbers, for a hall of nothing, of one point and on a map without a size too. Pure.
 */
import type { Point } from '@parterre/shared/charts/plan';
import { type Bounds, middleOf, soundBounds } from './bounds.ts';

export type Camera = { scale: number; x: number; y: number };
export type Size = { width: number; height: number };

/** From this many pixels on a seat is drawn as a seat; below, its section is one block. */
export const SEAT_PIXELS_MIN = 5;
/** From here on a seat shows its number. */
export const NUMBER_PIXELS_MIN = 19;
const SEAT_PIXELS_MAX = 64;
/** A hall of a single point is as large as this. */
const EXTENT_MIN = 40;
/** Around the whole hall; on a small screen less. */
const MARGIN_PIXELS = 36;
const MARGIN_SHARE = 0.05;
/** On a narrower screen the buttons above the map would lie on the hall. Their height, less the margin. */
const NARROW_PIXELS = 480;
const BUTTONS_PIXELS = 44;

/** The whole of `bounds`, in the middle. Without a margin of its own it stays clear of the buttons above the map. */
export function fitted(bounds: Bounds, { width, height }: Size, margin?: number): Camera {
  const sound = soundBounds(bounds);
  const around = margin ?? Math.min(MARGIN_PIXELS, Math.min(width, height) * MARGIN_SHARE);
  const above = margin === undefined && width < NARROW_PIXELS ? BUTTONS_PIXELS : 0;
  const wide = Math.max(sound.right - sound.left, EXTENT_MIN);
  const high = Math.max(sound.bottom - sound.top, EXTENT_MIN);
  const scale = Math.max(Math.min((width - 2 * around) / wide, (height - above - 2 * around) / high), 1e-6);
  return centred(middleOf(sound), scale, { width, height: height + above });
}

/** The camera with this point of the chart in the middle of the map. */
export function centred({ x, y }: Point, scale: number, { width, height }: Size): Camera {
  return { scale, x: width / 2 - x * scale, y: height / 2 - y * scale };
}

/** Scales by `factor`; the chart point under `at` stays there. */
export function zoomed(camera: Camera, factor: number, at: Point, limits: { min: number; max: number }): Camera {
  const scale = Math.min(Math.max(camera.scale * factor, limits.min), limits.max);
  const by = scale / camera.scale;
  return { scale, x: at.x - (at.x - camera.x) * by, y: at.y - (at.y - camera.y) * by };
}

/** From a little more than the whole chart to large seats. */
export function zoomLimits(bounds: Bounds, size: Size, seatSize: number): { min: number; max: number } {
  const whole = fitted(bounds, size).scale;
  return { min: whole * 0.8, max: Math.max(SEAT_PIXELS_MAX / seatSize, whole) };
}

/** False for a camera that shows nothing: of a place that is no number, or of a scale that is none. */
export const isCamera = ({ scale, x, y }: Camera): boolean =>
  Number.isFinite(scale) && scale > 0 && Number.isFinite(x) && Number.isFinite(y);

/** Moved back just far enough to keep some of the chart on screen. */
export function kept(camera: Camera, around: Bounds, { width, height }: Size): Camera {
  const bounds = soundBounds(around);
  const clamp = (offset: number, from: number, to: number, extent: number) =>
    Math.min(Math.max(offset, extent * 0.3 - to * camera.scale), extent * 0.7 - from * camera.scale);
  return {
    scale: camera.scale,
    x: clamp(camera.x, bounds.left, bounds.right, width),
    y: clamp(camera.y, bounds.top, bounds.bottom, height),
  };
}

export function seen(camera: Camera, { width, height }: Size): Bounds {
  const { scale, x, y } = camera;
  return { left: -x / scale, top: -y / scale, right: (width - x) / scale, bottom: (height - y) / scale };
}

export function toChart({ scale, x, y }: Camera, at: Point): Point {
  return { x: (at.x - x) / scale, y: (at.y - y) / scale };
}

export function toScreen({ scale, x, y }: Camera, at: Point): Point {
  return { x: at.x * scale + x, y: at.y * scale + y };
}

/**
 * A step of the way from one view to another, `t` from 0 to 1. The logarithm of the scale changes evenly, which looks
 * even.
 */
export function between(from: Camera, to: Camera, t: number): Camera {
  const eased = t < 0.5 ? 2 * t * t : 1 - (2 - 2 * t) ** 2 / 2;
  const scale = from.scale * (to.scale / from.scale) ** eased;
  const span = to.scale - from.scale;
  // The offset moves by the same share as the scale, which keeps the fixed point of the zoom in place.
  const share = Math.abs(span) < 1e-9 ? eased : (scale - from.scale) / span;
  return { scale, x: from.x + (to.x - from.x) * share, y: from.y + (to.y - from.y) * share };
}

/**
 * The directions in which one finger scrolls the page, as a CSS `touch-action`: where the map has nothing more to show.
 */
export function touchActionOf(camera: Camera, around: Bounds, { width, height }: Size): string {
  const bounds = soundBounds(around);
  const { left, top, right, bottom } = seen(camera, { width, height });
  const seesLeft = bounds.left >= left;
  const seesRight = bounds.right <= right;
  const seesTop = bounds.top >= top;
  const seesBottom = bounds.bottom <= bottom;
  if (seesLeft && seesRight && seesTop && seesBottom) return 'pan-x pan-y';
  const free = [
    [seesLeft, 'pan-left'],
    [seesRight, 'pan-right'],
    [seesTop, 'pan-up'],
    [seesBottom, 'pan-down'],
  ] as const;
  return free.flatMap(([sees, name]) => (sees ? [name] : [])).join(' ') || 'none';
}
