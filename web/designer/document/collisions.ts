/** Labels that two objects have only since a merge. Pure. */
import type { ChartDocument, ChartObject } from '@parterre/shared/charts/document';
import { isSeller, placesOf, type Seller } from '@parterre/shared/charts/places';
import { isSame } from './fields.ts';
import { everyObject, idOf } from './objects.ts';

export type Collision = { readonly label: string; readonly objectIds: readonly [string, string] };

/** More are of no use to a person. */
const collisionsMax = 1_000;

/** Labels that two objects share, of which neither side had both as they are now. */
export function collisionsOf(merged: ChartDocument, mine: ChartDocument, theirs: ChartDocument): Collision[] {
  const owners = new Map<string, Seller>();
  const sides = [byId(mine), byId(theirs)];
  const isOldOn = (side: Map<string, ChartObject>, object: Seller): boolean => isSame(side.get(idOf(object)), object);
  const found: Collision[] = [];
  for (const object of everyObject(merged)) {
    if (!isSeller(object)) continue;
    const labels = placesOf(object).map(({ label }) => label);
    if (object.type === 'gaArea') labels.push(object.label);
    for (const label of labels) {
      const owner = owners.get(label);
      if (owner === undefined) owners.set(label, object);
      else if (!sides.some((side) => isOldOn(side, owner) && isOldOn(side, object))) {
        found.push({ label, objectIds: [idOf(owner), idOf(object)] });
        if (found.length >= collisionsMax) return found;
      }
    }
  }
  return found;
}

function byId(document: ChartDocument): Map<string, ChartObject> {
  return new Map(Array.from(everyObject(document), (object) => [idOf(object), object]));
}
