/**
 * Focal points that follow the drawing (shared/src/charts/focal-point.ts): a point that nobody has set moves with the
 * stage and the rows. The first rows of an empty chart or floor begin it. Pure.
 */
import type { ChartDocument, ChartObject } from '@parterre/shared/charts/document';
import { supposedFocalPointOn } from '@parterre/shared/charts/focal-point';
import { isSeller } from '@parterre/shared/charts/places';
import { floorCountOf, objectsOn } from './objects.ts';

export type FocalPoint = ChartDocument['focalPoint'];

/** The document after an edit. A focal point that the edit itself sets stays. */
export function withFocalPoints(before: ChartDocument, after: ChartDocument): ChartDocument {
  if (before.objects === after.objects && before.floors === after.floors) return after;
  let changed = after;
  const old = new Map(before.floors?.map((floor) => [floor.id, floor]));
  const isFirst = follows(before, objectsOn(before, 0), after.focalPoint);
  if (isFirst) changed = atFloor(changed, null, supposedFor(after, 0, after.focalPoint));
  for (const [at, floor] of (after.floors ?? []).entries()) {
    const was = old.get(floor.id) ?? floor;
    if (follows(was, was.objects, floor.focalPoint))
      changed = atFloor(changed, at, supposedFor(after, at, floor.focalPoint));
  }
  return changed;
}

/** Puts the point of a floor, or of the chart (null), where the rule supposes it. */
export function suppose(floor: number | null): (document: ChartDocument) => ChartDocument {
  return (document) => atFloor(document, floor, supposedFor(document, floor ?? 0, focalPointOf(document, floor)));
}

/** Of a floor, or of the chart. */
export function focalPointOf(document: ChartDocument, floor: number | null): FocalPoint {
  return (floor === null ? null : document.floors?.[floor]?.focalPoint) ?? document.focalPoint;
}

/** The floor whose point a chart shows: null for a chart without floors. */
export const focalFloor = (document: ChartDocument, floor: number): number | null =>
  document.floors?.length ? floor : null;

/** A point that a person sets follows nothing any more. */
export function setFocalPoint(floor: number | null, { x, y }: { x: number; y: number }) {
  return (document: ChartDocument): ChartDocument => {
    const { supposed: _, ...point } = focalPointOf(document, floor);
    return atFloor(document, floor, { ...point, x, y });
  };
}

/**
 * Where each of two sides has a supposed point, or one side a point that a person set, both get one: nobody has to
 * choose between points that the page placed itself.
 */
export function withSamePoints(
  mine: ChartDocument,
  theirs: ChartDocument,
): [mine: ChartDocument, theirs: ChartDocument] {
  let one = mine;
  let other = theirs;
  const meet = (own: number | null, their: number | null): void => {
    const [a, b] = [focalPointOf(one, own), focalPointOf(other, their)];
    if (b.supposed) other = atFloor(other, their, a);
    else if (a.supposed) one = atFloor(one, own, b);
  };
  meet(null, null);
  for (const [at, { id }] of (mine.floors ?? []).entries()) {
    const their = theirs.floors?.findIndex((floor) => floor.id === id) ?? -1;
    if (their >= 0) meet(at, their);
  }
  return [one, other];
}

type Before = { focalPoint: FocalPoint };

/** `now`: the point after the edit, which is another object where the edit sets it. */
function follows({ focalPoint }: Before, objects: readonly ChartObject[], now: FocalPoint): boolean {
  if (now.supposed) return true;
  if (now !== focalPoint) return false;
  return now.x === 0 && now.y === 0 && !objects.some(isSeller);
}

function supposedFor(document: ChartDocument, floor: number, point: FocalPoint): FocalPoint {
  const place = floor < floorCountOf(document) ? supposedFocalPointOn(document, floor) : null;
  return place ? { ...point, ...place, supposed: true } : point;
}

function atFloor(document: ChartDocument, floor: number | null, focalPoint: FocalPoint): ChartDocument {
  const { x, y, supposed } = focalPointOf(document, floor);
  if (focalPoint.x === x && focalPoint.y === y && focalPoint.supposed === supposed) return document;
  if (floor === null) return { ...document, focalPoint };
  const floors = document.floors!.map((each, at) => (at === floor ? { ...each, focalPoint } : each));
  return { ...document, floors };
}
