/**
 * Pointing at the map: a tap chooses a seat, adds a place of an area or enters a section; hovering shows a description.
 */
import type { Point } from '@parterre/shared/chart/plan';
import type { View } from './draw/view.ts';
import { areaAt, blockAt, spotAt } from './rules/find.ts';
import type { Hall } from './rules/hall.ts';

/** The reach of a finger around the middle of its touch. */
const TOUCH_REACH_PIXELS = 14;

export type Pointed = { choose(spot: number): void; addPlace(areaId: string): void };

export function tapOn(view: View, hall: Hall, at: Point, { choose, addPlace }: Pointed): void {
  const point = view.toChart(at);
  const spot = view.isNear ? spotAt(hall, view.floor, point, TOUCH_REACH_PIXELS / view.camera.scale) : null;
  if (spot !== null) {
    choose(spot);
    return;
  }
  const area = areaAt(hall, view.floor, point);
  const block = view.isNear ? null : blockAt(hall, view.floor, point);
  if (area) addPlace(area.id);
  else if (block) view.visit(block.bounds);
}

export function hoveredSpot(view: View, hall: Hall, at: Point | null): number | null {
  return at && view.isNear ? spotAt(hall, view.floor, view.toChart(at), 0) : null;
}
