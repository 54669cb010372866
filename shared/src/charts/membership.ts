/** The section of an object: the first section of its floor whose outline holds the object's centre. */
import type { Section } from './document.ts';
import type { Point } from './plan.ts';

/**
 * The distance from an edge, relative to the numbers involved, at which a point still counts as on it: the rounding of
 * rotated seats.
 */
const EDGE_TOLERANCE = 1e-9;

/**
 * Returns a function that finds the index in `sections` of the section that holds a centre, or -1. Each lookup compares
 * bounding boxes first, so 200 outlines cost hardly more than the few near the point.
 */
export function sectionFinder(sections: readonly Section[]): (centre: Point) => number {
  const boxes = Float64Array.from(sections.flatMap((section) => boxOf(section.outline)));
  return (centre) => {
    for (let i = 0; i < sections.length; i++) {
      const box = 4 * i;
      if (centre.x < boxes[box]! || centre.y < boxes[box + 1]!) continue;
      if (centre.x > boxes[box + 2]! || centre.y > boxes[box + 3]!) continue;
      if (holds(sections[i]!, centre)) return i;
    }
    return -1;
  };
}

/** Left, top, right, bottom, a tolerance wider than the outline so that its edge is inside. */
function boxOf(outline: readonly Point[]): [number, number, number, number] {
  const box: [number, number, number, number] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const { x, y } of outline) {
    const slack = EDGE_TOLERANCE * (1 + Math.abs(x) + Math.abs(y));
    box[0] = Math.min(box[0], x - slack);
    box[1] = Math.min(box[1], y - slack);
    box[2] = Math.max(box[2], x + slack);
    box[3] = Math.max(box[3], y + slack);
  }
  return box;
}

/** The outline's edge belongs to the section; a hole's edge belongs to the hole. */
function holds(section: Section, centre: Point): boolean {
  if (!pointInOutline(centre, section.outline)) return false;
  return !section.holes?.some((hole) => pointInOutline(centre, hole));
}

/**
 * Whether a point lies inside a closed outline or on its edge. Even-odd rule: a ray to the right crosses the outline an
 * odd number of times.
 */
export function pointInOutline(point: Point, outline: readonly Point[]): boolean {
  let inside = false;
  let a = outline.at(-1);
  if (!a) return false;
  for (const b of outline) {
    if (isOnEdge(point, a, b)) return true;
    // Half-open in y, so that a corner the ray passes through is counted once.
    if (a.y > point.y !== b.y > point.y && point.x < ((b.x - a.x) * (point.y - a.y)) / (b.y - a.y) + a.x) {
      inside = !inside;
    }
    a = b;
  }
  return inside;
}

/**
 * The cross product is the doubled area of the triangle. Divided by the edge's length, it is the distance of the point
 * from the edge.
 */
function isOnEdge(point: Point, a: Point, b: Point): boolean {
  const length = Math.hypot(b.x - a.x, b.y - a.y);
  const slack = EDGE_TOLERANCE * (1 + Math.abs(point.x) + Math.abs(point.y));
  if (length <= slack) return Math.hypot(point.x - a.x, point.y - a.y) <= slack;
  const cross = (b.x - a.x) * (point.y - a.y) - (b.y - a.y) * (point.x - a.x);
  if (Math.abs(cross) > slack * length) return false;
  const along = (point.x - a.x) * (b.x - a.x) + (point.y - a.y) * (b.y - a.y);
  return along >= -slack * length && along <= (length + slack) * length;
}
