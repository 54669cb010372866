/**
 * Areas of general admission, split and joined. Places keep the labels of the area that they were made for, so sold
 * places stay sold: `inventorySegments` tells where they come from. Pure, but for fresh ids.
 */
import type { ChartDocument, GaArea } from '@parterre/shared/charts/document';
import type { Point } from '@parterre/shared/charts/plan';
import { extentOf } from '../../src/rules/bounds.ts';
import type { Edit, MakingEdit } from '../document/editor.ts';
import { changeObjects, everyObject, floorOf, freshId, idOf, objectsOf, withObjects } from '../document/objects.ts';
import { selectionOf } from '../document/selection.ts';
import { freshLabels } from './fresh-labels.ts';
import { tidy } from './motion.ts';
import { hullOf } from './outlines.ts';
import { without } from './overrides.ts';

type Segment = NonNullable<GaArea['inventorySegments']>[number];
const nothingMade: MakingEdit = { edit: (present) => present, selection: selectionOf([]) };

/** Splits an area along the line through two points. The places are shared by the ground of the parts. */
export function splitArea(document: ChartDocument, id: string, from: Point, to: Point): MakingEdit {
  const [area] = objectsOf(document, new Set([id]));
  if (area?.type !== 'gaArea' || (from.x === to.x && from.y === to.y)) return nothingMade;
  const parts = [sideOf(area, from, to), sideOf(area, to, from)] as const;
  if (parts.some(({ points }) => points.length < 3)) return nothingMade;
  const [first, second] = parts.map(groundOf);
  const count = Math.round((area.capacity * first!) / (first! + second!));
  const segments = segmentsOf(area);
  const secondId = freshId(document, 'gaArea');
  const halves: GaArea[] = [
    { ...area, ...parts[0], capacity: count, inventorySegments: placesFrom(segments, 0, count) },
    {
      ...without(area, 'displayLabel'),
      ...parts[1],
      id: secondId,
      label: freshLabels(document)('gaArea', area.label),
      capacity: area.capacity - count,
      inventorySegments: placesFrom(segments, count, area.capacity - count),
    },
  ];
  return {
    selection: selectionOf([id, secondId]),
    edit: (present) =>
      withObjects(present, floorOf(present, id), (objects) =>
        objects.flatMap((object) => (idOf(object) === id ? halves : [object])),
      ),
  };
}

/** The first area takes the places and the ground of the others on its floor: the hull around all outlines. */
export function mergeAreas(document: ChartDocument, ids: ReadonlySet<string>): MakingEdit {
  const areas = objectsOf(document, ids).filter((object) => object.type === 'gaArea');
  const floor = areas[0] ? floorOf(document, areas[0].id) : -1;
  const merged = areas.filter(({ id }) => floorOf(document, id) === floor);
  const [first, ...others] = merged;
  if (!first || others.length === 0) return nothingMade;
  const segments = joined(merged.flatMap(segmentsOf));
  const gone = new Set(others.map(({ id }) => id));
  const holes = merged.flatMap((area) => area.holes ?? []);
  const whole: GaArea = {
    ...without(first, 'inventorySegments'),
    points: hullOf(merged.flatMap(({ points }) => points)),
    ...(holes.length > 0 && { holes }),
    ...inSegments(first.id, segments),
  };
  return {
    selection: selectionOf([first.id]),
    edit: (present) =>
      changeObjects(
        changeObjects(present, gone, () => null),
        new Set([first.id]),
        () => whole,
      ),
  };
}

/**
 * Another number of places. The last ones go first. New places never take a label that a place of another area has, or
 * that a place between had.
 */
export function setCapacity(id: string, capacity: number): Edit {
  return (document) => {
    let next = 0;
    for (const object of everyObject(document)) {
      if (object.type !== 'gaArea') continue;
      for (const { sourceAreaId, startIndex, count } of segmentsOf(object)) {
        if (sourceAreaId === id) next = Math.max(next, startIndex + count);
      }
    }
    return changeObjects(document, new Set([id]), (object) => {
      if (object.type !== 'gaArea' || object.capacity === capacity) return object;
      const segments = segmentsOf(object);
      const total = segments.reduce((sum, { count }) => sum + count, 0);
      const added = { sourceAreaId: id, startIndex: next, count: capacity - total };
      const places = capacity > total ? joined([...segments, added]) : placesFrom(segments, 0, capacity);
      return { ...without(object, 'inventorySegments'), ...inSegments(id, places) } as GaArea;
    });
  };
}

/** Whether no area of the document has one of the places of this one. */
export function arePlacesFree(document: ChartDocument, area: GaArea): boolean {
  for (const object of everyObject(document)) {
    if (object.type === 'gaArea' && segmentsOf(object).some((segment) => segmentsOf(area).some(meets(segment))))
      return false;
  }
  return true;
}

const meets =
  (one: Segment) =>
  (other: Segment): boolean =>
    one.sourceAreaId === other.sourceAreaId &&
    one.startIndex < other.startIndex + other.count &&
    other.startIndex < one.startIndex + one.count;

function segmentsOf({ id, capacity, inventorySegments }: GaArea): readonly Segment[] {
  return inventorySegments ?? [{ sourceAreaId: id, startIndex: 0, count: capacity }];
}

/** Without a list where the places are the area's own from the first. */
function inSegments(id: string, segments: Segment[]): Pick<GaArea, 'capacity' | 'inventorySegments'> {
  const capacity = segments.reduce((sum, { count }) => sum + count, 0);
  const [only, ...more] = segments;
  const isOwn = !only || (more.length === 0 && only.sourceAreaId === id && only.startIndex === 0);
  return isOwn ? { capacity } : { capacity, inventorySegments: segments };
}

/** `count` places from the place `first`. */
function placesFrom(segments: readonly Segment[], first: number, count: number): Segment[] {
  const found: Segment[] = [];
  let passed = 0;
  for (const segment of segments) {
    const from = Math.max(first - passed, 0);
    const length = Math.min(segment.count, first + count - passed) - from;
    if (length > 0) found.push({ ...segment, startIndex: segment.startIndex + from, count: length });
    passed += segment.count;
  }
  return found;
}

/** Segments that go on one from the other are one. */
function joined(segments: readonly Segment[]): Segment[] {
  const found: Segment[] = [];
  for (const segment of segments) {
    const last = found.at(-1);
    const goesOn = last?.sourceAreaId === segment.sourceAreaId && last.startIndex + last.count === segment.startIndex;
    if (last && goesOn) found[found.length - 1] = { ...last, count: last.count + segment.count };
    else if (segment.count > 0) found.push(segment);
  }
  return found;
}

type Ground = Pick<GaArea, 'points' | 'holes'>;

function groundOf({ points, holes = [] }: Ground): number {
  return Math.max(extentOf(points) - holes.reduce((sum, hole) => sum + extentOf(hole), 0), 1e-9);
}

/** The part on the right hand of somebody who goes from one point to the other. */
function sideOf(area: GaArea, from: Point, to: Point): Ground {
  const points = clipped(area.points, from, to);
  const holes = (area.holes ?? []).map((hole) => clipped(hole, from, to)).filter(({ length }) => length >= 3);
  return area.holes ? { points, holes } : { points };
}

/**
 * Sutherland and Hodgman's clipping by one line. Of an outline that is not convex, parts may hang together by a line.
 */
function clipped(points: readonly Point[], from: Point, to: Point): Point[] {
  const side = ({ x, y }: Point): number => (to.x - from.x) * (y - from.y) - (to.y - from.y) * (x - from.x);
  const kept: Point[] = [];
  let last = points.at(-1);
  for (const point of points) {
    const before = side(last!);
    const now = side(point);
    if (before > 0 !== now > 0 && before !== 0 && now !== 0) {
      const share = before / (before - now);
      kept.push({ x: tidy(last!.x + (point.x - last!.x) * share), y: tidy(last!.y + (point.y - last!.y) * share) });
    }
    if (now >= 0) kept.push(point);
    last = point;
  }
  // A part that only touches the line has no ground.
  return extentOf(kept) > 1e-6 ? kept : [];
}
