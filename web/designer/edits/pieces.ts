/** Rows in pieces (segmentedRow): what happens to one piece happens to all. Pure. */
import type { ChartDocument, ChartObject, Row } from '@parterre/shared/charts/document';
import { everyObject, idOf } from '../document/objects.ts';

/** The group of a piece; null for an object that is no piece. */
export function groupOf(object: ChartObject): string | null {
  const { segmentedRow } = object as Partial<Row>;
  if (object.type !== 'row' || segmentedRow?.kind !== 'segmented-row-v1') return null;
  return typeof segmentedRow.groupId === 'string' ? segmentedRow.groupId : null;
}

/** The ids with those of all pieces of the same rows; the same set where there are none. */
export function withPieces(document: ChartDocument, ids: ReadonlySet<string>): ReadonlySet<string> {
  const groups = new Set<string>();
  const pieces: [string, string][] = [];
  for (const object of everyObject(document)) {
    const group = groupOf(object);
    if (group === null) continue;
    const id = idOf(object);
    pieces.push([group, id]);
    if (ids.has(id)) groups.add(group);
  }
  if (groups.size === 0) return ids;
  return new Set([...ids, ...pieces.flatMap(([group, id]) => (groups.has(group) ? [id] : []))]);
}

/** Objects in the order of the list, the pieces of a row together. */
export function unitsOf(objects: Iterable<ChartObject>): ChartObject[][] {
  const units = new Map<string, ChartObject[]>();
  for (const object of objects) {
    const group = groupOf(object);
    const key = group === null ? `object ${idOf(object)}` : `group ${group}`;
    const unit = units.get(key);
    if (unit) unit.push(object);
    else units.set(key, [object]);
  }
  return [...units.values()];
}
