/** Generated charts as a designer has them, and generated changes of them. */
import fc from 'fast-check';
import type { ChartDocument, ChartObject } from '../../../shared/src/charts/document.ts';
import {
  changeObjects,
  everyObject,
  floorCountOf,
  idOf,
  moveToFloor,
  objectsOn,
  withObjects,
} from '../../../web/designer/document/objects.ts';
import { chart, row, section } from '../../support/charts.ts';
import { anyVenue } from '../../support/venues.ts';

/** Venues with and without floors, with unknown fields, sections, decoration and objects without an id. */
export function drawnVenue(): fc.Arbitrary<ChartDocument> {
  return fc.tuple(anyVenue(), fc.nat(3), fc.boolean()).map(([{ objects }, floorCount, hasDecor]) => {
    const decor = [
      { type: 'text', label: 'Bar' },
      { type: 'shape', id: 'stage', x: 1, y: 2, width: 3, height: 4 },
    ];
    const all = [section(), ...objects, ...(hasDecor ? (decor as ChartObject[]) : [])];
    if (floorCount === 0) return chart(all, { unknown: { deep: [1, null] } });
    const floors = Array.from({ length: floorCount }, (_, floor) => ({
      id: `floor-${floor}`,
      name: `Floor ${floor}`,
      focalPoint: { x: 0, y: 0 },
      objects: all.filter((_, i) => i % floorCount === floor),
    }));
    return chart(floors[0]!.objects, { floors, theme: { ground: '#fff' } });
  });
}

export type Step = { kind: 'move' | 'label' | 'delete' | 'add' | 'front' | 'floor' | 'name' | 'seat'; at: number };

export function someSteps(): fc.Arbitrary<Step[]> {
  const kind = fc.constantFrom<Step['kind']>('move', 'label', 'delete', 'add', 'front', 'floor', 'name', 'seat');
  return fc.array(fc.record({ kind, at: fc.nat(20) }), { maxLength: 6 });
}

let added = 0;

export function changedBy(document: ChartDocument, steps: readonly Step[]): ChartDocument {
  return steps.reduce(change, document);
}

export function change(document: ChartDocument, { kind, at }: Step): ChartDocument {
  const ids = Array.from(everyObject(document), idOf);
  const id = ids[at % Math.max(ids.length, 1)];
  const floor = at % floorCountOf(document);
  if (kind === 'name') return { ...document, name: `Hall ${at}` };
  if (kind === 'add') {
    const object = row({ id: `added-${added++}`, label: `N${added}` });
    return withObjects(document, floor, (objects) => objects.toSpliced(at % (objects.length + 1), 0, object));
  }
  if (id === undefined) return document;
  const only = new Set([id]);
  if (kind === 'delete') return changeObjects(document, only, () => null);
  if (kind === 'floor') return moveToFloor(document, only, floor);
  if (kind === 'front') {
    const own = Array.from({ length: floorCountOf(document) }, (_, each) => each).find((each) =>
      objectsOn(document, each).some((object) => idOf(object) === id),
    )!;
    return withObjects(document, own, (objects) => {
      const moved = objects.filter((object) => idOf(object) === id);
      return [...moved, ...objects.filter((object) => idOf(object) !== id)];
    });
  }
  const fields = { move: { rotation: at }, label: { label: `L${at}` }, seat: { overrides: [{ index: at, dx: at }] } };
  return changeObjects(document, only, (object) => ({ ...object, ...fields[kind] }) as ChartObject);
}
