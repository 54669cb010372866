/**
 * The objects of a document by floor and by id. With floors, the floors' objects are the venue, and `objects` mirrors
 * the first floor. The two are kept in step here and nowhere else. A document that changes nothing stays the same
 * document, and objects that do not change are shared. Pure, but for the random part of a fresh id.
 */
import type { ChartDocument, ChartObject } from '@parterre/shared/charts/document';
import { unitsPerChartMax } from '@parterre/shared/protocol/limits';
import { isFields } from './fields.ts';

/** An id that nothing in the document has: the wanted one where it is free, else a random one. */
export type FreshIds = (prefix: string, wanted?: string) => string;

/**
 * The map has a mark for each seat, so a few zeros too many in a count of seats would stop the page. No page opens a
 * chart with more places or takes one over from the server. No edit, undo or redo makes one. Only a merge may: each
 * side is within the bound, and both together may pass it. Then the page allows no more places, and a person makes the
 * chart smaller. A chart on sale has at most half as many: a draft that is too large to be sold can be made smaller
 * here.
 */
export const placesMax = 2 * unitsPerChartMax;

const idLetters = '23456789abcdefghjkmnpqrstuvwxyz';
const ID_RANDOM_LENGTH = 7;

/** Ids of decoration that the document left without one, by identity. A change of the object writes the id into it. */
const givenIds = new WeakMap<ChartObject, string>();

/** The id by which the designer knows an object. Only decoration may lack an id of its own. */
export function idOf(object: ChartObject): string {
  if (typeof object.id === 'string') return object.id;
  let id = givenIds.get(object);
  if (id === undefined) {
    id = randomId(object.type);
    givenIds.set(object, id);
  }
  return id;
}

/** A locked object lies still: presses pass through it, and only a person who names it alone selects it. */
export function isLocked(object: ChartObject): boolean {
  return (object as { locked?: unknown }).locked === true;
}

export function floorCountOf(document: ChartDocument): number {
  return Math.max(document.floors?.length ?? 0, 1);
}

/** None on a floor that the document lacks. */
export function objectsOn(document: ChartDocument, floor: number): readonly ChartObject[] {
  if (!document.floors?.length) return floor === 0 ? document.objects : [];
  return document.floors[floor]?.objects ?? [];
}

/** Floor by floor. */
export function* everyObject(document: ChartDocument): Generator<ChartObject> {
  for (let floor = 0; floor < floorCountOf(document); floor++) yield* objectsOn(document, floor);
}

export function placesIn(document: ChartDocument): number {
  let count = 0;
  for (const object of everyObject(document)) count += placeCountOf(object);
  return count;
}

/** Skipped seats count: they have a position. So do the chairs of a table that is sold as a whole. */
export function placeCountOf(object: ChartObject): number {
  if (object.type === 'row' || object.type === 'table') return object.seatCount;
  return object.type === 'gaArea' ? object.capacity : Number(object.type === 'booth');
}

export function objectsOf(document: ChartDocument, ids: ReadonlySet<string>): ChartObject[] {
  const found: ChartObject[] = [];
  if (ids.size === 0) return found;
  for (const object of everyObject(document)) if (ids.has(idOf(object))) found.push(object);
  return found;
}

/** -1 for an object that the document lacks. */
export function floorOf(document: ChartDocument, id: string): number {
  for (let floor = 0; floor < floorCountOf(document); floor++) {
    if (objectsOn(document, floor).some((object) => idOf(object) === id)) return floor;
  }
  return -1;
}

/** Keys of categories and ids of zones. */
export type Used = { readonly category: ReadonlySet<string>; readonly zone: ReadonlySet<string> };

/** The categories and zones that objects use. Seats name categories of their own. */
export function usedBy(objects: Iterable<ChartObject>): Used {
  const used = { category: new Set<string>(), zone: new Set<string>() };
  const add = (names: Set<string>, name: unknown): void => {
    if (typeof name === 'string') names.add(name);
  };
  for (const object of objects) {
    add(used.category, object.categoryKey);
    add(used.zone, object.zone);
    if (!Array.isArray(object.overrides)) continue;
    for (const entry of object.overrides) if (isFields(entry)) add(used.category, entry.categoryKey);
  }
  return used;
}

type ObjectsChange = (objects: readonly ChartObject[]) => readonly ChartObject[];

export function withObjects(document: ChartDocument, floor: number, change: ObjectsChange): ChartDocument {
  const before = objectsOn(document, floor);
  const after = change(before);
  if (after === before) return document;
  // The type of a document has writable lists. Nothing writes to them.
  const objects = after as ChartObject[];
  if (!document.floors?.length) return floor === 0 ? { ...document, objects } : document;
  const known = document.floors[floor];
  if (!known) return document;
  return withFloors(document, document.floors.with(floor, { ...known, objects }));
}

/** Without floors in the list, the first floor's objects become the venue. */
export function withFloors(document: ChartDocument, floors: NonNullable<ChartDocument['floors']>): ChartDocument {
  if (floors.length > 0) return { ...document, floors, objects: floors[0]!.objects };
  const { floors: _, ...rest } = document;
  return rest as ChartDocument;
}

/** Changes objects on any floor; null deletes. `change` returns the same object where it changes nothing. */
export function changeObjects(
  document: ChartDocument,
  ids: ReadonlySet<string>,
  change: (object: ChartObject) => ChartObject | null,
): ChartDocument {
  if (ids.size === 0) return document;
  let changed = document;
  for (let floor = 0; floor < floorCountOf(document); floor++) {
    changed = withObjects(changed, floor, (objects) => changeList(objects, ids, change));
  }
  return changed;
}

/** `changeObjects` of one list. */
export function changeList(
  objects: readonly ChartObject[],
  ids: ReadonlySet<string>,
  change: (object: ChartObject) => ChartObject | null,
): readonly ChartObject[] {
  let changed: ChartObject[] | null = null;
  for (const [position, object] of objects.entries()) {
    const id = idOf(object);
    const next = ids.has(id) ? change(object) : object;
    if (next !== object) changed ??= objects.slice(0, position);
    if (next !== null) changed?.push(next === object || typeof next.id === 'string' ? next : { ...next, id });
  }
  return changed ?? objects;
}

/** Moves objects to the end of another floor. */
export function moveToFloor(document: ChartDocument, ids: ReadonlySet<string>, floor: number): ChartDocument {
  if (floor >= floorCountOf(document)) return document;
  const there = new Set(objectsOn(document, floor).map(idOf));
  const moving = new Set([...ids].filter((id) => !there.has(id)));
  const moved = objectsOf(document, moving);
  if (moved.length === 0) return document;
  const removed = changeObjects(document, moving, () => null);
  return withObjects(removed, floor, (objects) => [...objects, ...moved]);
}

export function freshId(document: ChartDocument, prefix: string): string {
  return freshIds(document)(prefix);
}

/**
 * Ids are random: two people who draw at once give different ids, and the id of a deleted area, which may still stand
 * in the labels of sold places, never comes back. Each answer differs from all before.
 */
export function freshIds(document: ChartDocument): FreshIds {
  const taken = new Set<unknown>();
  for (const object of everyObject(document)) taken.add(object.id);
  for (const { id } of [...(document.floors ?? []), ...(document.zones ?? [])]) taken.add(id);
  return (prefix, wanted) => {
    let id = wanted ?? randomId(prefix);
    while (taken.has(id)) id = randomId(prefix);
    taken.add(id);
    return id;
  };
}

function randomId(prefix: string): string {
  const random = crypto.getRandomValues(new Uint8Array(ID_RANDOM_LENGTH));
  return `${prefix}-${Array.from(random, (byte) => idLetters[byte % idLetters.length]).join('')}`;
}
