/**
 * Pointing at the map: a tap chooses a seat, adds a place of an area or enters a section; hovering shows a description.
 * A tap on a seat that is too small to hit zooms to it instead.
 */
import type { Point } from '@parterre/shared/charts/plan';
import type { Tap } from './draw/gestures.ts';
import type { View } from './draw/view.ts';
import { areaAt, blockAt, spotAt } from './rules/find.ts';
import type { Hall } from './rules/hall.ts';

/** The reach of a finger around the middle of its touch. */
const TOUCH_REACH_PIXELS = 14;
/** A finger chooses no smaller seat, and a mouse none smaller than the second (WCAG 2.2, target size). */
const TOUCHED_SEAT_PIXELS_MIN = 24;
const CLICKED_SEAT_PIXELS_MIN = 9;

export type Pointed = { choose(spot: number): void; addPlace(areaId: string): void };

/** The seat, table or area under a tap, and its height on the map in pixels; null for a section or nothing. */
export type Tapped = (({ spot: number } | { area: number }) & { y: number }) | null;

export function tapOn(view: View, hall: Hall, { at, isTouch }: Tap, { choose, addPlace }: Pointed): Tapped {
  const point = view.toChart(at);
  const spot = view.isNear ? spotAt(hall, view.floor, point, TOUCH_REACH_PIXELS / view.camera.scale) : null;
  if (spot !== null) {
    const pixelsMin = isTouch ? TOUCHED_SEAT_PIXELS_MIN : CLICKED_SEAT_PIXELS_MIN;
    const isSmall = hall.size[spot]! * view.camera.scale < pixelsMin;
    if (isSmall) view.visitSpot(spot);
    else choose(spot);
    return { spot, y: isSmall ? view.size.height / 2 : at.y };
  }
  const area = areaAt(hall, view.floor, point);
  const block = view.isNear ? null : blockAt(hall, view.floor, point);
  if (area) addPlace(area.id);
  else if (block) view.visit(block.bounds);
  return area && { area: hall.areas.indexOf(area), y: at.y };
}

export function hoveredSpot(view: View, hall: Hall, at: Point | null): number | null {
  return at && view.isNear ? spotAt(hall, view.floor, view.toChart(at), 0) : null;
}

/** The section under the pointer, where sections are shown instead of their seats; its index in the hall. */
export function hoveredBlock(view: View, hall: Hall, at: Point | null): number | null {
  if (!at || view.isNear) return null;
  const block = blockAt(hall, view.floor, view.toChart(at));
  return block ? hall.blocks.indexOf(block) : null;
}

/**
 * A CSS transform that puts a box beside a point and keeps the box within the map. Percentages are shares of the box,
 * so its size need not be known.
 */
export function placeBeside({ x, y }: Point, { width, height }: View['size']): string {
  const across = `clamp(8px, ${Math.round(x) + 14}px, max(8px, ${Math.round(width) - 8}px - 100%))`;
  const down = `clamp(8px, ${Math.round(y) - 14}px - 100%, max(8px, ${Math.round(height) - 8}px - 100%))`;
  return `translate(${across}, ${down})`;
}
