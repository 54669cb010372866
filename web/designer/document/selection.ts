/** The chosen objects and seats. A selection never changes; each function returns another one. Pure. */
import type { ChartDocument } from '@parterre/shared/charts/document';
import { idOf, objectsOn } from './objects.ts';

export type SeatRef = { readonly objectId: string; readonly index: number };

/** `seats` has the chosen seats of rows and tables (by object id); `objects` whole objects. */
export type Selection = {
  readonly objects: ReadonlySet<string>;
  readonly seats: ReadonlyMap<string, ReadonlySet<number>>;
};

export const nothingSelected: Selection = { objects: new Set(), seats: new Map() };

export function selectionOf(objectIds: Iterable<string>, seats: Iterable<SeatRef> = []): Selection {
  const byObject = new Map<string, Set<number>>();
  for (const { objectId, index } of seats) {
    const indices = byObject.get(objectId);
    if (indices) indices.add(index);
    else byObject.set(objectId, new Set([index]));
  }
  return { objects: new Set(objectIds), seats: byObject };
}

/** The chosen seats with more of them, or with fewer; no objects. */
export function withSeats({ seats }: Selection, others: Selection['seats'], areMore: boolean): Selection {
  const all = new Map(seats);
  for (const [id, indices] of others) {
    const its = new Set(all.get(id));
    for (const index of indices) {
      if (areMore) its.add(index);
      else its.delete(index);
    }
    if (its.size > 0) all.set(id, its);
    else all.delete(id);
  }
  return { objects: new Set(), seats: all };
}

export function isNothing({ objects, seats }: Selection): boolean {
  return objects.size === 0 && seats.size === 0;
}

/** The objects of which something is selected. */
export function touchedIds({ objects, seats }: Selection): ReadonlySet<string> {
  return seats.size === 0 ? objects : new Set([...objects, ...seats.keys()]);
}

export function isSameSelection(a: Selection, b: Selection): boolean {
  if (a === b) return true;
  if (!isSameSet(a.objects, b.objects) || a.seats.size !== b.seats.size) return false;
  return [...a.seats].every(([id, indices]) => b.seats.has(id) && isSameSet(indices, b.seats.get(id)!));
}

function isSameSet<T>(a: ReadonlySet<T>, b: ReadonlySet<T>): boolean {
  return a.size === b.size && [...a].every((each) => b.has(each));
}

/** The part of a selection that a floor of the document has; the same selection when it has all of it. */
export function keptSelection(selection: Selection, document: ChartDocument, floor: number): Selection {
  if (isNothing(selection)) return selection;
  const touched = touchedIds(selection);
  const seatCounts = new Map<string, number>();
  for (const object of objectsOn(document, floor)) {
    const id = idOf(object);
    if (touched.has(id)) seatCounts.set(id, seatCountOf(object));
  }
  const objects = new Set([...selection.objects].filter((id) => seatCounts.has(id)));
  const seats = new Map<string, ReadonlySet<number>>();
  for (const [id, indices] of selection.seats) {
    const count = seatCounts.get(id) ?? 0;
    const kept = [...indices].filter((index) => index < count);
    if (kept.length > 0) seats.set(id, kept.length === indices.size ? indices : new Set(kept));
  }
  const kept = { objects, seats };
  return isSameSelection(kept, selection) ? selection : kept;
}

function seatCountOf(object: { type: string; seatCount?: unknown }): number {
  return typeof object.seatCount === 'number' ? object.seatCount : 0;
}
