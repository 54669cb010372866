/** The difference of two documents of one history. Objects that are shared cost a comparison of identities. Pure. */
import type { ChartDocument, ChartObject } from '@parterre/shared/charts/document';
import { floorCountOf, idOf, objectsOn } from './objects.ts';

/** An object before and after a change: null before it was drawn and after it was deleted. */
export type ObjectChange = {
  readonly id: string;
  readonly before: ChartObject | null;
  readonly after: ChartObject | null;
};

export type Changes = {
  readonly objects: readonly ObjectChange[];
  /** Objects stand in another order or on other floors, or the floors differ. */
  readonly isArranged: boolean;
  /** Fields of the document that differ, without `objects`. */
  readonly fields: readonly string[];
};

export function changesBetween(before: ChartDocument, after: ChartDocument): Changes {
  const objects: ObjectChange[] = [];
  let isArranged = floorIdsOf(before) !== floorIdsOf(after);
  const apart: [ChartObject[], ChartObject[]] = [[], []];
  for (let floor = 0; floor < Math.max(floorCountOf(before), floorCountOf(after)); floor++) {
    const old = objectsOn(before, floor);
    const now = objectsOn(after, floor);
    if (old === now) continue;
    let first = 0;
    // Most edits keep the order: each object is then compared with the object at its place.
    while (first < old.length && first < now.length) {
      const one = old[first]!;
      const other = now[first]!;
      if (one !== other) {
        const id = idOf(one);
        if (id !== idOf(other)) break;
        objects.push({ id, before: one, after: other });
      }
      first++;
    }
    for (const object of old.slice(first)) apart[0].push(object);
    for (const object of now.slice(first)) apart[1].push(object);
  }
  if (apart[0].length + apart[1].length > 0) isArranged = compareApart(apart, objects) || isArranged;
  return { objects, isArranged, fields: fieldsBetween(before, after) };
}

/** Adds the changes of objects whose places differ. Returns whether those in both lists have another order. */
function compareApart([old, now]: readonly [ChartObject[], ChartObject[]], objects: ObjectChange[]): boolean {
  const remaining = new Map(old.map((object) => [idOf(object), object]));
  const common: string[] = [];
  for (const after of now) {
    const id = idOf(after);
    const before = remaining.get(id) ?? null;
    remaining.delete(id);
    if (before) common.push(id);
    if (before !== after) objects.push({ id, before, after });
  }
  for (const [id, before] of remaining) objects.push({ id, before, after: null });
  const kept = new Set(common);
  const order = old.map(idOf).filter((id) => kept.has(id));
  return order.some((id, position) => id !== common[position]);
}

function floorIdsOf({ floors = [] }: ChartDocument): string {
  return JSON.stringify(floors.map(({ id }) => id));
}

function fieldsBetween(before: ChartDocument, after: ChartDocument): string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  names.delete('objects');
  return [...names].filter((name) => (name === 'floors' ? !isSameFloors(before, after) : before[name] !== after[name]));
}

/** Whether the floors differ in their objects alone. */
function isSameFloors({ floors: a }: ChartDocument, { floors: b }: ChartDocument): boolean {
  if (a === b) return true;
  if (!a || !b || a.length !== b.length) return false;
  return a.every((floor, index) => {
    const other = b[index]!;
    if (floor === other) return true;
    const names = new Set([...Object.keys(floor), ...Object.keys(other)]);
    return [...names].every((name) => name === 'objects' || floor[name] === other[name]);
  });
}
