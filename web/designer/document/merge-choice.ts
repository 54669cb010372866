/** The choice of a side in a conflict of a merge. Pure. */
import type { ChartDocument } from '@parterre/shared/charts/document';
import { nameOf } from '@parterre/shared/charts/document';
import { type Fields, isFields } from './fields.ts';
import type { MergeConflict } from './merge.ts';
import type { Side } from './merge-fields.ts';
import { changeObjects, moveToFloor, withFloors } from './objects.ts';

/**
 * The document with this side of a conflict. An element that is gone meanwhile stays gone. A floor that its side
 * deleted stays while objects stand on it: the deletion did not know them.
 */
export function withSide(document: ChartDocument, conflict: MergeConflict, side: Side): ChartDocument {
  const { kind, id, fields } = conflict;
  const chosen = conflict[side];
  const change = <T extends Fields>(element: T): T | null =>
    chosen === null ? null : (withFields(element, fields, chosen) as T);
  if (kind === 'document') return change(document) ?? document;
  if (kind === 'object') {
    if (!fields.includes('floor')) return changeObjects(document, new Set([id!]), change);
    const floor = document.floors?.findIndex((each) => each.id === chosen?.floor) ?? -1;
    return floor < 0 ? document : moveToFloor(document, new Set([id!]), floor);
  }
  const list = ({ category: 'categories', zone: 'zones', floor: 'floors' } as const)[kind];
  const elements: readonly Fields[] = document[list] ?? [];
  const changed = elements.flatMap((element) => {
    if (nameOf(element) !== id || (chosen === null && isUsedFloor(kind, element))) return [element];
    return change(element) ?? [];
  });
  if (kind === 'floor') return withFloors(document, changed as NonNullable<ChartDocument['floors']>);
  return { ...document, [list]: changed } as ChartDocument;
}

function isUsedFloor(kind: MergeConflict['kind'], { objects }: Fields): boolean {
  return kind === 'floor' && Array.isArray(objects) && objects.length > 0;
}

/** `overrides.3.dx` names a field of the override of the seat with index 3. */
function withFields(element: Fields, names: readonly string[], from: Fields): Fields {
  const changed: Record<string, unknown> = { ...element };
  for (const name of names) {
    const [list, index, field] = name.split('.');
    if (field !== undefined) changed[list!] = withOverride(changed[list!], Number(index), field, from[list!]);
    else if (from[name] === undefined) delete changed[name];
    else changed[name] = from[name];
  }
  return changed;
}

function withOverride(overrides: unknown, index: number, field: string, from: unknown): Fields[] {
  const [entries, others] = [overrides, from].map((list) => (Array.isArray(list) ? list.filter(isFields) : []));
  const { [field]: _, ...entry } = entries!.find((each) => each.index === index) ?? { index };
  const value = others!.find((each) => each.index === index)?.[field];
  const changed = value === undefined ? entry : { ...entry, [field]: value };
  const rest = entries!.filter((each) => each.index !== index);
  if (Object.keys(changed).every((name) => name === 'index')) return rest;
  return [...rest, changed].sort((a, b) => Number(a.index) - Number(b.index));
}
