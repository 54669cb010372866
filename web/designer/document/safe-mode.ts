/**
 * Judges each edit by the rule that the server applies to a whole document when it is saved. Only objects whose seats
 * an edit names anew are looked at: a move or another category costs nothing. An edit is refused for the labels that it
 * loses itself, not for those that were lost before. Pure.
 */
import type { ChartDocument, ChartObject } from '@parterre/shared/charts/document';
import { isSeller, partsOf, type Seller } from '@parterre/shared/charts/places';
import { lostLabels, type SafeOptions } from '@parterre/shared/charts/safe-changes';
import type { ObjectChange } from './changes.ts';
import { type Fields, isSame } from './fields.ts';
import { everyObject } from './objects.ts';
import type { Permissions, SafeJudge } from './permissions.ts';

/** The fields that give seats their labels, or tables their guests. */
const identityFields = [
  ...(['type', 'label', 'seatCount', 'seatLabelStart', 'seatNumbering', 'capacity', 'inventorySegments'] as const),
  ...(['bookAsWhole', 'variableOccupancy', 'minOccupancy', 'maxOccupancy'] as const),
];
/** Labels that a refusal names. */
const namedMax = 5;

/** Without a published version everything may change. */
export function safeJudge(published: ChartDocument, safe: NonNullable<Permissions['safe']>): SafeJudge {
  const options: SafeOptions = {
    allowDeletingObjects: safe.mayDelete,
    allowEditingAreaCapacity: safe.mayChangeCapacity,
  };
  const sold = partsOf(published).flatMap(({ objects }) => objects.filter(isSeller));
  const soldById = new Map(sold.map((object) => [object.id, object]));
  const soldAreas = sold.filter(({ type }) => type === 'gaArea');
  return ({ objects }, before, after) => {
    const renamed = objects.filter(isRenamed);
    if (renamed.length === 0) return null;
    // A place of an area may move to another area, so areas are judged together.
    const hasAreas = renamed.some(({ before: was, after: is }) => was?.type === 'gaArea' || is?.type === 'gaArea');
    const judged = renamed.flatMap(({ id }) => soldById.get(id) ?? []).filter(({ type }) => type !== 'gaArea');
    const wanted = hasAreas ? [...judged, ...soldAreas] : judged;
    if (wanted.length === 0) return null;
    const lost = lostLabels(wanted, drawn(renamed, 'after', hasAreas ? after : null), options);
    if (lost.length === 0) return null;
    const old = new Set(lostLabels(wanted, drawn(renamed, 'before', hasAreas ? before : null), options));
    const fresh = lost.filter((label) => !old.has(label));
    if (fresh.length === 0) return null;
    const labels = fresh.slice(0, namedMax).join(', ') + (fresh.length > namedMax ? ' …' : '');
    return { key: 'edit.safe', values: { count: fresh.length, labels } };
  };
}

function drawn(changes: readonly ObjectChange[], side: 'before' | 'after', areasOf: ChartDocument | null): Seller[] {
  const sellers = changes
    .map((change) => change[side])
    .filter((object): object is Seller => !!object && isSeller(object));
  if (!areasOf) return sellers;
  const areas = Array.from(everyObject(areasOf)).filter((object) => object.type === 'gaArea');
  return [...sellers.filter(({ type }) => type !== 'gaArea'), ...areas];
}

/** Whether seats may have other labels, or tables other guests. */
export function isRenamed({ before, after }: ObjectChange): boolean {
  if (!before || !after) return isSeller((before ?? after)!);
  if (!isSeller(before) && !isSeller(after)) return false;
  return identityFields.some((name) => !isSame(before[name], after[name])) || !isSame(named(before), named(after));
}

/** What overrides say about the identity of seats. */
function named(object: ChartObject): unknown {
  const { overrides } = object as { overrides?: readonly Fields[] };
  return overrides?.flatMap(({ index, skip, label }) =>
    skip || label !== undefined ? [[index, skip === true, label]] : [],
  );
}
