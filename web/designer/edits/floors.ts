/** Floors. The first floor that is added takes the objects that the venue has. Pure, but for fresh ids. */
import type { ChartDocument, Floor } from '@parterre/shared/charts/document';
import type { Edit } from '../document/editor.ts';
import { freshId, objectsOn, withFloors } from '../document/objects.ts';

/** `firstName` names the floor of the present objects, where there are no floors yet. */
export function addFloor(name: string, firstName: string): Edit {
  return (document) => {
    const floors = document.floors ?? [];
    // The point of an empty floor goes to the rows that are drawn on it.
    const focalPoint = { ...document.focalPoint, supposed: true };
    const fresh: Floor = { id: freshId(document, 'floor'), name, objects: [], focalPoint };
    if (floors.length > 0) return withFloors(document, [...floors, fresh]);
    const { objects } = document;
    const first: Floor = {
      id: freshId(document, 'floor'),
      name: firstName,
      objects,
      focalPoint: document.focalPoint,
    };
    return withFloors(document, [first, fresh]);
  };
}

/** Changes fields of a floor, such as its name, focal point and background. */
export function changeFloor(floor: number, change: (floor: Floor) => Floor): Edit {
  return (document) => {
    const before = document.floors?.[floor];
    if (!before) return document;
    const after = change(before);
    return after === before ? document : withFloors(document, document.floors!.with(floor, after));
  };
}

/**
 * Removes a floor. Its objects go with it, or move to the end of the floor `objectsTo` (an index before the removal).
 * Without other floors the objects stay, and the chart has no floors.
 */
export function removeFloor(floor: number, objectsTo: number | null): Edit {
  return (document) => {
    const { floors } = document;
    if (!floors?.[floor]) return document;
    if (floors.length === 1) return withoutFloors(document);
    const moving = objectsTo === null || objectsTo === floor ? [] : objectsOn(document, floor);
    const kept = floors.map((each, index) =>
      index === objectsTo && moving.length > 0 ? { ...each, objects: [...each.objects, ...moving] } : each,
    );
    return withFloors(document, kept.toSpliced(floor, 1));
  };
}

/** All objects stand on one level, floor after floor. */
export function withoutFloors(document: ChartDocument): ChartDocument {
  if (!document.floors) return document;
  const { floors, ...rest } = document;
  return {
    ...rest,
    objects: floors.length > 0 ? floors.flatMap(({ objects }) => objects) : document.objects,
  } as ChartDocument;
}

export function moveFloor(from: number, to: number): Edit {
  return (document) => {
    const { floors } = document;
    const moving = floors?.[from];
    if (!moving || from === to || to < 0 || to >= floors!.length) return document;
    return withFloors(document, floors!.toSpliced(from, 1).toSpliced(to, 0, moving));
  };
}
