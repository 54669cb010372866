/**
 * Selections of a floor's objects: all of them, or those of a kind, a category or a box. Locked objects stay out. Pure.
 */
import type { ChartDocument, ChartObject } from '@parterre/shared/charts/document';
import { pointInOutline, sectionFinder } from '@parterre/shared/charts/membership';
import { hasSeats, isSeller } from '@parterre/shared/charts/places';
import type { Point } from '@parterre/shared/charts/plan';
import { type Bounds, boundsOf, overlaps } from '../../src/rules/bounds.ts';
import { floorCountOf, idOf, isLocked, objectsOn } from './objects.ts';
import { placementOf } from './placement.ts';
import { nothingSelected, type SeatRef, type Selection, selectionOf } from './selection.ts';

/** `whole`: objects that lie within the box; `touching`: those that reach into it. */
export function inBox(document: ChartDocument, floor: number, box: Bounds, way: 'whole' | 'touching'): Selection {
  return chosenOn(document, floor, (object) => {
    const { bounds } = placementOf(object);
    if (way === 'touching') return overlaps(bounds, box);
    const { left, top, right, bottom } = bounds;
    return left >= box.left && right <= box.right && top >= box.top && bottom <= box.bottom;
  });
}

/** The seats and chairs whose middle is in the box. */
export function seatsInBox(document: ChartDocument, floor: number, box: Bounds): Selection {
  const { left, top, right, bottom } = box;
  return seatsIn(document, floor, box, ({ x, y }) => x >= left && x <= right && y >= top && y <= bottom);
}

/** The seats and chairs whose middle is within a line around them. */
export function seatsInOutline(document: ChartDocument, floor: number, outline: readonly Point[]): Selection {
  return seatsIn(document, floor, boundsOf(outline), (point) => pointInOutline(point, outline));
}

/** Tables that are sold as a whole have no seats of their own. */
function seatsIn(document: ChartDocument, floor: number, box: Bounds, isIn: (seat: Point) => boolean): Selection {
  const seats: SeatRef[] = [];
  for (const object of objectsOn(document, floor)) {
    if (!isSeller(object) || !hasSeats(object) || isLocked(object)) continue;
    const { x, y, index, bounds } = placementOf(object);
    if (!overlaps(bounds, box)) continue;
    for (let seat = 0; seat < index.length; seat++) {
      if (isIn({ x: x[seat]!, y: y[seat]! })) seats.push({ objectId: object.id, index: index[seat]! });
    }
  }
  return selectionOf([], seats);
}

export function ofKind(document: ChartDocument, floor: number, types: ReadonlySet<ChartObject['type']>): Selection {
  return chosenOn(document, floor, ({ type }) => types.has(type));
}

/** Objects of a category as a whole, and single seats of it in other objects. */
export function ofCategory(document: ChartDocument, floor: number, key: string): Selection {
  const ids: string[] = [];
  const seats: SeatRef[] = [];
  for (const object of objectsOn(document, floor)) {
    if (!('categoryKey' in object) || isLocked(object)) continue;
    const overrides = object.type === 'row' || object.type === 'table' ? object.overrides : undefined;
    const own = new Map(overrides?.map(({ index, categoryKey }) => [index, categoryKey ?? object.categoryKey]));
    const isWhole = object.categoryKey === key && [...own.values()].every((each) => each === key);
    if (isWhole) ids.push(idOf(object));
    else if (object.type === 'row' || object.type === 'table') {
      for (const index of placementOf(object).index) {
        if ((own.get(index) ?? object.categoryKey) === key) seats.push({ objectId: object.id, index });
      }
    }
  }
  return selectionOf(ids, seats);
}

export function everythingOn(document: ChartDocument, floor: number): Selection {
  return chosenOn(document, floor, () => true);
}

/** The other objects of the floor; where seats alone are chosen, the other seats of their objects. */
export function inverted(document: ChartDocument, floor: number, { objects, seats }: Selection): Selection {
  if (objects.size > 0 || seats.size === 0) return chosenOn(document, floor, (object) => !objects.has(idOf(object)));
  const others: SeatRef[] = [];
  for (const object of objectsOn(document, floor)) {
    const chosen = seats.get(idOf(object));
    if (!chosen) continue;
    for (const index of placementOf(object).index)
      if (!chosen.has(index)) others.push({ objectId: idOf(object), index });
  }
  return selectionOf([], others);
}

/** Sections with the objects in them: an outline that moves alone would leave its seats behind. */
export function withContents(document: ChartDocument, selection: Selection): Selection {
  const ids = new Set(selection.objects);
  for (let floor = 0; floor < floorCountOf(document); floor++) {
    const objects = objectsOn(document, floor);
    const sections = objects.filter((object) => object.type === 'section');
    if (!sections.some(({ id }) => selection.objects.has(id))) continue;
    const find = sectionFinder(sections);
    for (const object of objects) {
      if (object.type === 'section') continue;
      const section = sections[find(placementOf(object).centre)];
      if (section && selection.objects.has(section.id)) ids.add(idOf(object));
    }
  }
  return ids.size === selection.objects.size ? selection : { ...selection, objects: ids };
}

/** The ids of objects by a test of each. */
function chosenOn(document: ChartDocument, floor: number, isChosen: (object: ChartObject) => boolean): Selection {
  const ids = objectsOn(document, floor)
    .filter((object) => !isLocked(object) && isChosen(object))
    .map(idOf);
  return ids.length === 0 ? nothingSelected : selectionOf(ids);
}
