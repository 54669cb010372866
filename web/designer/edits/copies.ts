/**
 * Copies of objects, with labels that no object has: their own where these are free, else the next free ones. Rows that
 * share a label go on sharing one, and the pieces of a row stay a row. Pure, but for fresh ids.
 */
import type { Category, ChartDocument, ChartObject, Row, Zone } from '@parterre/shared/charts/document';
import type { Point } from '@parterre/shared/charts/plan';
import { middleOf } from '../../src/rules/bounds.ts';
import type { Edit, MakingEdit } from '../document/editor.ts';
import { type Fields, isFields } from '../document/fields.ts';
import {
  changeObjects,
  type FreshIds,
  floorOf,
  freshIds,
  idOf,
  objectsOf,
  objectsOn,
  withObjects,
} from '../document/objects.ts';
import { placementOf } from '../document/placement.ts';
import { type Selection, selectionOf } from '../document/selection.ts';
import { LabelIndex } from '../labelling/label-index.ts';
import { changeOverrides, liveSeats } from '../painting/overrides.ts';
import { arePlacesFree } from './areas.ts';
import { freshLabels } from './fresh-labels.ts';
import { moved, shift } from './motion.ts';
import { hasSeats, withOverrides } from './overrides.ts';
import { areOfChart } from './pasted.ts';
import { groupOf, withPieces } from './pieces.ts';
import { middleOfObjects } from './transform.ts';

/** Copied objects, for this chart or another. JSON. */
export type Clip = {
  readonly kind: 'parterre-objects';
  readonly objects: readonly ChartObject[];
  /** The categories and zones that they name. */
  readonly categories: readonly Category[];
  readonly zones: readonly Zone[];
};

/** A copy of a copy stands this far from it. */
const PASTE_OFFSET = 20;
/** The search for a free place ends after this many steps. */
const STEPS_MAX = 1_000;

export function copyOf(document: ChartDocument, { objects: ids }: Selection): Clip {
  const objects = objectsOf(document, withPieces(document, ids));
  const keys = new Set(objects.flatMap(keysOf));
  return {
    kind: 'parterre-objects',
    objects,
    categories: document.categories.filter(({ key }) => keys.has(key)),
    zones: (document.zones ?? []).filter(({ id }) => objects.some((object) => object.zone === id)),
  };
}

/** Null for anything that is no clip, such as a text of another program. */
export function clipOf(text: string): Clip | null {
  try {
    const value: unknown = JSON.parse(text);
    const isClip = isFields(value) && value.kind === 'parterre-objects' && areOfChart(value);
    return isClip ? (value as Clip) : null;
  } catch {
    return null;
  }
}

/**
 * At a point, by the middle of all, else where the objects stood. It steps aside until no object stands on another of
 * its kind. Missing categories and zones come along.
 */
export function paste(document: ChartDocument, floor: number, clip: Clip, at: Point | null = null): MakingEdit {
  const middle = middleOfObjects(clip.objects);
  const by = at ? { x: at.x - middle.x, y: at.y - middle.y } : { x: 0, y: 0 };
  return addCopies(document, floor, clip, asideOf(document, floor, clip.objects, by));
}

/** As far from the originals as `by` says, else a little aside. */
export function duplicate(document: ChartDocument, selection: Selection, by?: Point): MakingEdit {
  const clip = copyOf(document, selection);
  const [first] = clip.objects;
  const floor = first ? floorOf(document, idOf(first)) : 0;
  return addCopies(document, floor, clip, by ?? asideOf(document, floor, clip.objects, { x: 0, y: 0 }));
}

/** The first way of `by` and some steps more on which no object comes to stand on another of its kind. */
function asideOf(document: ChartDocument, floor: number, objects: readonly ChartObject[], by: Point): Point {
  const taken = new Set(objectsOn(document, floor).map((object) => standOf(object, { x: 0, y: 0 })));
  let way = by;
  for (let step = 1; step < STEPS_MAX && objects.some((object) => taken.has(standOf(object, way))); step++) {
    way = { x: by.x + step * PASTE_OFFSET, y: by.y + step * PASTE_OFFSET };
  }
  return way;
}

/** Kind and middle. Middles are often whole or half units, so the border between two units lies beside both. */
function standOf(object: ChartObject, { x, y }: Point): string {
  const middle = middleOf(placementOf(object).bounds);
  return `${object.type} ${Math.floor(middle.x + x + 0.25)} ${Math.floor(middle.y + y + 0.25)}`;
}

/** Takes chosen objects away. Chosen seats are skipped: the others keep their numbers. A row without seats goes. */
export function remove(selection: Selection): Edit {
  return (document) => {
    const left = changeObjects(document, selection.objects, () => null);
    return changeObjects(left, new Set(selection.seats.keys()), (object) => {
      if (!hasSeats(object)) return object;
      const skipped = changeOverrides(object, selection.seats.get(object.id)!, ({ index }) => ({ index, skip: true }));
      return liveSeats(skipped).length === 0 ? null : skipped;
    });
  };
}

function addCopies(document: ChartDocument, floor: number, clip: Clip, by: Point): MakingEdit {
  const motion = shift(by.x, by.y);
  const copies = freshCopies(
    document,
    clip.objects.map((object) => moved(object, motion)),
  );
  const categories = missing(document.categories, clip.categories ?? [], ({ key }) => key);
  const zones = missing(document.zones ?? [], clip.zones ?? [], ({ id }) => id);
  return {
    selection: selectionOf(copies.map(idOf)),
    edit: (present) => {
      if (copies.length === 0) return present;
      const added = withObjects(present, floor, (objects) => [...objects, ...copies]);
      return {
        ...added,
        ...(categories.length > 0 && { categories: [...added.categories, ...categories] }),
        ...(zones.length > 0 && { zones: [...(added.zones ?? []), ...zones] }),
      };
    },
  };
}

function missing<T>(known: readonly T[], wanted: readonly T[], nameOf: (element: T) => string): T[] {
  const names = new Set(known.map(nameOf));
  return wanted.filter((element) => !names.has(nameOf(element)));
}

/**
 * Names that the originals share, their copies share. An object whose label is free comes back as it was, after a cut
 * or in another chart: with its id, so that the places of an area stay the places that were sold.
 */
function freshCopies(document: ChartDocument, objects: readonly ChartObject[]): ChartObject[] {
  const idFor = freshIds(document);
  const labelFor = freshLabels(document);
  const shared = new Map<string, string>();
  const once = (name: string, make: () => string): string => {
    const known = shared.get(name) ?? make();
    shared.set(name, known);
    return known;
  };
  const copies = objects.map((object) => {
    const copy: Record<string, unknown> = { ...object };
    const { label } = object as Fields;
    const isDecor = object.type === 'shape' || object.type === 'text' || object.type === 'decorImage';
    if (typeof label === 'string' && !isDecor)
      copy.label = once(`${object.type} ${label}`, () => labelFor(object.type, label));
    const isBack = !isDecor && copy.label === label && (object.type !== 'gaArea' || arePlacesFree(document, object));
    copy.id = idFor(object.type, isBack ? idOf(object) : undefined);
    const group = groupOf(object);
    if (group !== null) {
      copy.segmentedRow = { ...(object as Row).segmentedRow, groupId: once(`group ${group}`, () => idFor('group')) };
    }
    return isBack ? (copy as unknown as ChartObject) : renamed(copy as unknown as ChartObject, once, idFor);
  });
  return withFreeSeatLabels(document, copies);
}

/** Without the names that are the original's: a name for people, a logical section, the places of an area. */
function renamed(copy: ChartObject, once: (name: string, make: () => string) => string, idFor: FreshIds): ChartObject {
  const { displayLabel: _, logicalSectionId, ...rest } = copy as ChartObject & Fields;
  const changed: Record<string, unknown> = rest;
  if (typeof logicalSectionId === 'string')
    changed.logicalSectionId = once(`logical ${logicalSectionId}`, () => idFor('section'));
  if (copy.type === 'gaArea') delete changed.inventorySegments;
  if (groupOf(copy) !== null && 'displayLabel' in (copy as Row).segmentedRow!)
    changed.segmentedRow = { ...(copy as Row).segmentedRow, displayLabel: changed.label };
  return changed as unknown as ChartObject;
}

/** Single seats with labels of their own lose these where another seat has one of them. */
function withFreeSeatLabels(document: ChartDocument, copies: ChartObject[]): ChartObject[] {
  const named = copies.filter((copy) => hasSeats(copy) && copy.overrides?.some(({ label }) => label !== undefined));
  if (named.length === 0) return copies;
  const clashing = new Set(new LabelIndex(document).clashesIf(named).map(({ objectId }) => objectId));
  return copies.map((copy) => {
    if (!hasSeats(copy) || !clashing.has(copy.id)) return copy;
    const overrides = copy.overrides!.map(({ label: _, ...entry }) => entry);
    return withOverrides(copy, overrides);
  });
}

function keysOf(object: ChartObject): string[] {
  const overrides = hasSeats(object) ? (object.overrides ?? []) : [];
  const keys = [object, ...overrides].map((each) => (each as Fields).categoryKey);
  return keys.filter((key) => typeof key === 'string');
}
