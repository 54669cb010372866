/**
 * Aligns and distributes objects by their bounds, and changes what lies over what. Pieces of a row stay together. Pure.
 */
import type { ChartDocument, ChartObject } from '@parterre/shared/charts/document';
import { type Bounds, growBounds, middleOf, noBounds } from '../../src/rules/bounds.ts';
import type { Edit } from '../document/editor.ts';
import { changeObjects, floorCountOf, idOf, objectsOf, objectsOn, withObjects } from '../document/objects.ts';
import { placementOf } from '../document/placement.ts';
import { moved, shift } from './motion.ts';
import { unitsOf, withPieces } from './pieces.ts';

export type AlignSide = 'left' | 'centre' | 'right' | 'top' | 'middle' | 'bottom';
export type ArrangeOrder = 'front' | 'back' | 'forward' | 'backward';

type Unit = { objects: readonly ChartObject[]; bounds: Bounds };

/** To this side of the bounds of all, or to their middle. */
export function align(ids: ReadonlySet<string>, side: AlignSide): Edit {
  const isAcross = side === 'left' || side === 'centre' || side === 'right';
  return arrange(ids, (units) => {
    const to = placeOf(boundsOfUnits(units), side);
    return units.map(({ bounds }) => {
      const by = to - placeOf(bounds, side);
      return isAcross ? { dx: by, dy: 0 } : { dx: 0, dy: by };
    });
  });
}

function placeOf(bounds: Bounds, side: AlignSide): number {
  if (side === 'centre') return middleOf(bounds).x;
  return side === 'middle' ? middleOf(bounds).y : bounds[side];
}

/** Equal gaps between neighbours. The outermost two stay; fewer than three do not move. */
export function distribute(ids: ReadonlySet<string>, axis: 'across' | 'down'): Edit {
  const [from, to] = axis === 'across' ? (['left', 'right'] as const) : (['top', 'bottom'] as const);
  const place = axis === 'across' ? 'x' : 'y';
  return arrange(ids, (units) => {
    const moves = units.map(() => ({ dx: 0, dy: 0 }));
    if (units.length < 3) return moves;
    const order = [...units.keys()].sort(
      (a, b) => middleOf(units[a]!.bounds)[place] - middleOf(units[b]!.bounds)[place],
    );
    const sizes = units.map(({ bounds }) => bounds[to] - bounds[from]);
    const start = units[order[0]!]!.bounds[from];
    const end = units[order.at(-1)!]!.bounds[to];
    const gap = (end - start - sizes.reduce((sum, size) => sum + size, 0)) / (units.length - 1);
    let at = start;
    for (const unit of order) {
      const by = at - units[unit]!.bounds[from];
      moves[unit] = axis === 'across' ? { dx: by, dy: 0 } : { dx: 0, dy: by };
      at += sizes[unit]! + gap;
    }
    return moves;
  });
}

type Moves = readonly { dx: number; dy: number }[];

function arrange(ids: ReadonlySet<string>, movesOf: (units: readonly Unit[]) => Moves): Edit {
  return (document) => {
    const units = unitsOf(objectsOf(document, withPieces(document, ids))).map((objects) => {
      const bounds = noBounds();
      for (const object of objects) growBounds(bounds, placementOf(object).bounds);
      return { objects, bounds };
    });
    if (units.length < 2) return document;
    const motions = new Map<string, ReturnType<typeof shift>>();
    for (const [at, { dx, dy }] of movesOf(units).entries()) {
      if (Math.hypot(dx, dy) < 1e-6) continue;
      for (const object of units[at]!.objects) motions.set(idOf(object), shift(dx, dy));
    }
    return changeObjects(document, new Set(motions.keys()), (object) => moved(object, motions.get(idOf(object))!));
  };
}

function boundsOfUnits(units: readonly Unit[]): Bounds {
  const all = noBounds();
  for (const { bounds } of units) growBounds(all, bounds);
  return all;
}

/**
 * Objects are drawn in the order of their list, the last in front. An object belongs to the first section of the list
 * that holds it: of two sections that overlap, the one behind has the seats.
 */
export function reorder(ids: ReadonlySet<string>, order: ArrangeOrder): Edit {
  return (document) => {
    const all = withPieces(document, ids);
    let changed: ChartDocument = document;
    for (let floor = 0; floor < floorCountOf(document); floor++) {
      if (!objectsOn(document, floor).some((object) => all.has(idOf(object)))) continue;
      changed = withObjects(changed, floor, (objects) => reordered(objects, all, order));
    }
    return changed;
  };
}

function reordered(objects: readonly ChartObject[], ids: ReadonlySet<string>, order: ArrangeOrder) {
  const isChosen = (object: ChartObject) => ids.has(idOf(object));
  const others = objects.filter((object) => !isChosen(object));
  const chosen = objects.filter(isChosen);
  let after = order === 'front' ? [...others, ...chosen] : [...chosen, ...others];
  if (order === 'forward' || order === 'backward') {
    const units = unitsOf(order === 'forward' ? objects.toReversed() : objects);
    for (let at = 1; at < units.length; at++) {
      const before = units[at - 1]!;
      const unit = units[at]!;
      if (isChosen(unit[0]!) && !isChosen(before[0]!)) units.splice(at - 1, 2, unit, before);
    }
    after = order === 'forward' ? units.flat().reverse() : units.flat();
  }
  return after.every((object, at) => object === objects[at]) ? objects : after;
}
