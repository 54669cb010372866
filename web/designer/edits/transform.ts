/**
 * Moves, turns, stretches and mirrors the selection. Chosen seats of an object that is not chosen itself move alone;
 * the other transforms take whole objects. Pieces of a row stay together. Pure.
 */
import type { ChartObject } from '@parterre/shared/charts/document';
import type { Point } from '@parterre/shared/charts/plan';
import { growBounds, middleOf, noBounds } from '../../src/rules/bounds.ts';
import type { Edit } from '../document/editor.ts';
import { changeObjects, objectsOf } from '../document/objects.ts';
import { placementOf } from '../document/placement.ts';
import type { Selection } from '../document/selection.ts';
import { changeOverrides } from '../painting/overrides.ts';
import { mirrored, type Numbers } from './mirror.ts';
import { flip, type Motion, moved, shift, stretch, stretched, tidy, turn } from './motion.ts';
import { hasSeats, without } from './overrides.ts';
import { withPieces } from './pieces.ts';

export function move(selection: Selection, dx: number, dy: number): Edit {
  if (dx === 0 && dy === 0) return (document) => document;
  const by = shift(dx, dy);
  return (document) => {
    const ids = withPieces(document, selection.objects);
    const alone = new Set([...selection.seats.keys()].filter((id) => !ids.has(id)));
    const whole = changeObjects(document, ids, (object) => moved(object, by));
    return changeObjects(whole, alone, (object) => withMovedSeats(object, selection, by));
  };
}

function withMovedSeats(object: ChartObject, { seats }: Selection, { point }: Motion): ChartObject {
  if (!hasSeats(object)) return object;
  return changeOverrides(object, seats.get(object.id)!, (entry) => {
    const { x, y } = point({ x: entry.dx ?? 0, y: entry.dy ?? 0 });
    return x === 0 && y === 0 ? without(entry, 'dx', 'dy') : { ...entry, dx: x, dy: y };
  });
}

/** Clockwise, by default about the middle of the chosen objects. */
export function rotate(selection: Selection, degrees: number, about?: Point): Edit {
  return transform(selection, about, (middle) => {
    const by = turn(degrees, middle);
    return (object) => moved(object, by);
  });
}

/** Factors above 0. `about` stays where it is. */
export function scale(selection: Selection, factorX: number, factorY: number, about?: Point): Edit {
  const [x, y] = [factorX, factorY].map((factor) => (Number.isFinite(factor) && factor > 0 ? factor : 1));
  return transform(selection, about, (middle) => {
    const by = stretch(x!, y!, middle);
    return (object) => stretched(object, by);
  });
}

/** `across`: left and right change places; `down`: top and bottom. */
export function mirror(
  selection: Selection,
  axis: 'across' | 'down',
  { labels = 'keep', about }: { labels?: Numbers; about?: Point } = {},
): Edit {
  return transform(selection, about, (middle) => {
    const by = flip(axis, middle);
    return (object) => mirrored(object, by, labels);
  });
}

function transform(
  { objects }: Selection,
  about: Point | undefined,
  changeAbout: (about: Point) => (object: ChartObject) => ChartObject,
): Edit {
  return (document) => {
    const ids = withPieces(document, objects);
    if (ids.size === 0) return document;
    return changeObjects(document, ids, changeAbout(about ?? middleOfObjects(objectsOf(document, ids))));
  };
}

/** The middle of the bounds of all. */
export function middleOfObjects(objects: readonly ChartObject[]): Point {
  const bounds = noBounds();
  for (const object of objects) growBounds(bounds, placementOf(object).bounds);
  const { x, y } = middleOf(bounds);
  return { x: tidy(x), y: tidy(y) };
}
