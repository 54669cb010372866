/**
 * Copies of objects, with fresh ids and labels that no object has. Rows that share a label share the next free one, and
 * the pieces of a row stay a row. A copied area has places of its own. Pure, but for fresh ids.
 */
import type { Category, ChartDocument, ChartObject, Row, Zone } from '@parterre/shared/chart/document';
import type { Point } from '@parterre/shared/chart/plan';
import type { Edit } from '../document/editor.ts';
import { type Fields, isFields } from '../document/fields.ts';
import { changeObjects, type FreshIds, floorOf, freshIds, idOf, objectsOf, withObjects } from '../document/objects.ts';
import { type Selection, selectionOf } from '../document/selection.ts';
import { changeOverrides, liveSeats } from '../painting/overrides.ts';
import { type FreshLabels, freshLabels } from './fresh-labels.ts';
import { moved, shift } from './motion.ts';
import { hasSeats, withOverrides } from './overrides.ts';
import { areOfChart } from './pasted.ts';
import { groupOf, withPieces } from './pieces.ts';
import { middleOfObjects } from './transform.ts';

/** An edit that makes objects, and the selection of these objects. */
export type Made = { readonly edit: Edit; readonly selection: Selection };

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
/** A copy in lines has at most this many objects. */
export const copiesMax = 5_000;

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

/** At a point, by the middle of all, else a little aside. Missing categories and zones come along. */
export function paste(document: ChartDocument, floor: number, clip: Clip, at: Point | null = null): Made {
  const middle = middleOfObjects(clip.objects);
  const by = at ? shift(at.x - middle.x, at.y - middle.y) : shift(PASTE_OFFSET, PASTE_OFFSET);
  const copies = clip.objects.map((object) => moved(object, by));
  return addCopies(document, floor, [copies], clip);
}

export function duplicate(document: ChartDocument, selection: Selection, dx = PASTE_OFFSET, dy = PASTE_OFFSET): Made {
  return arrayCopy(document, selection, { columns: 2, rows: 1, dx, dy: 0, columnDy: dy });
}

export type Lines = {
  /** With the original. */
  readonly columns: number;
  readonly rows: number;
  /** From a column to the next across, and from a row to the next down. */
  readonly dx: number;
  readonly dy: number;
  /** For lines that are not upright: from a column to the next down, and from a row to the next across. */
  readonly columnDy?: number;
  readonly rowDx?: number;
};

/** Copies in columns and rows. The original is the first; more than `copiesMax` objects are cut off. */
export function arrayCopy(document: ChartDocument, selection: Selection, lines: Lines): Made {
  const { columns, rows, dx, dy, columnDy = 0, rowDx = 0 } = lines;
  const clip = copyOf(document, selection);
  const sets: ChartObject[][] = [];
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      if (row + column === 0) continue;
      if ((sets.length + 1) * clip.objects.length > copiesMax) break;
      const by = shift(column * dx + row * rowDx, column * columnDy + row * dy);
      sets.push(clip.objects.map((object) => moved(object, by)));
    }
  }
  const [first] = clip.objects;
  return addCopies(document, first ? floorOf(document, idOf(first)) : 0, sets, clip);
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

function addCopies(document: ChartDocument, floor: number, sets: readonly ChartObject[][], clip: Clip): Made {
  const idFor = freshIds(document);
  const labelFor = freshLabels(document);
  const copies = sets.flatMap((objects) => freshCopies(objects, idFor, labelFor));
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

/** One set of copies. Names that the originals share, their copies share. */
function freshCopies(objects: readonly ChartObject[], idFor: FreshIds, labelFor: FreshLabels): ChartObject[] {
  const shared = new Map<string, string>();
  const once = (name: string, make: () => string): string => {
    const known = shared.get(name) ?? make();
    shared.set(name, known);
    return known;
  };
  return objects.map((object) => {
    const copy: Record<string, unknown> = { ...object, id: idFor(object.type) };
    const { label, logicalSectionId } = object as Fields;
    const isDecor = object.type === 'shape' || object.type === 'text' || object.type === 'decorImage';
    if (typeof label === 'string' && !isDecor) {
      copy.label = once(`${object.type} ${label}`, () => labelFor(object.type, label));
      // A name for people would be the original's.
      delete copy.displayLabel;
    }
    if (typeof logicalSectionId === 'string') {
      copy.logicalSectionId = once(`logical ${logicalSectionId}`, () => idFor('section'));
    }
    // The places of the original keep their labels.
    if (object.type === 'gaArea') delete copy.inventorySegments;
    const group = groupOf(object);
    if (group !== null) {
      copy.segmentedRow = { ...(object as Row).segmentedRow, groupId: once(`group ${group}`, () => idFor('group')) };
      if ('displayLabel' in (object as Row).segmentedRow!)
        Object.assign(copy.segmentedRow!, { displayLabel: copy.label });
    }
    return hasSeats(object) ? withoutLabels(copy as unknown as typeof object) : (copy as unknown as ChartObject);
  });
}

/** Labels of single seats would stand twice. */
function withoutLabels<T extends Extract<ChartObject, { type: 'row' | 'table' }>>(object: T): T {
  if (!object.overrides?.some(({ label }) => label !== undefined)) return object;
  return withOverrides(
    object,
    object.overrides.map(({ label: _, ...entry }) => entry),
  );
}

function keysOf(object: ChartObject): string[] {
  const overrides = hasSeats(object) ? (object.overrides ?? []) : [];
  const keys = [object, ...overrides].map((each) => (each as Fields).categoryKey);
  return keys.filter((key) => typeof key === 'string');
}
