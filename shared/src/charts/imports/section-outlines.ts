/** Outlines of sections that a file names without drawing them, and the check that each seller is in its section. */
import type { Section } from '../document.ts';
import { sectionFinder } from '../membership.ts';
import { centreOf, placesOf, type Seller } from '../places.ts';
import type { Point } from '../plan.ts';
import { roundedPoint } from './fitting/fit-line.ts';
import { countOf, type Notes, quoted } from './report.ts';

/** The room around the seats of a section without an outline. */
const MARGIN = 14;

/**
 * The convex outline of the points, with a margin: the corners of a box about each point, and the hull of all corners.
 */
export function outlineAround(points: readonly Point[]): Point[] {
  const corners = points.flatMap(({ x, y }) => [
    { x: x - MARGIN, y: y - MARGIN },
    { x: x + MARGIN, y: y - MARGIN },
    { x: x + MARGIN, y: y + MARGIN },
    { x: x - MARGIN, y: y + MARGIN },
  ]);
  return hullOf(corners).map(roundedPoint);
}

/** Andrew's monotone chain. */
function hullOf(points: Point[]): Point[] {
  const sorted = points.sort((a, b) => a.x - b.x || a.y - b.y);
  const half = (walk: Iterable<Point>) => {
    const chain: Point[] = [];
    for (const point of walk) {
      while (chain.length >= 2 && !turnsLeft(chain.at(-2)!, chain.at(-1)!, point)) chain.pop();
      chain.push(point);
    }
    chain.pop();
    return chain;
  };
  return [...half(sorted), ...half([...sorted].reverse())];
}

function turnsLeft(a: Point, b: Point, c: Point): boolean {
  return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x) > 0;
}

/** `section` is the label in the file. */
type FiledSeller = { object: Seller; section: string | null; source: string };

/** The sellers that the chart counts to another section than the file, and that section; null for none. */
function* straysOf(
  sections: readonly Section[],
  sellers: readonly FiledSeller[],
): Generator<FiledSeller & { section: string; inChart: string | null }> {
  if (sections.length === 0) return;
  const find = sectionFinder(sections);
  for (const { object, section, source } of sellers) {
    if (section === null) continue;
    // Only the middle of a row depends on its places. An area may have any number of them.
    const index = find(centreOf(object, object.type === 'row' ? placesOf(object) : []));
    const inChart = index === -1 ? null : sections[index]!.label;
    if (inChart !== section) yield { object, section, source, inChart };
  }
}

/**
 * A place is in the first section whose outline has its middle. A section may lie in the outline of another, as a box
 * in a ring of stands: the smaller comes first then. Sections keep the order of the file where that is right.
 */
export function smallestFirst(sections: Section[], sellers: readonly FiledSeller[]): Section[] {
  const straysIn = (order: readonly Section[]) => [...straysOf(order, sellers)].length;
  const strays = straysIn(sections);
  if (strays === 0) return sections;
  const sorted = [...sections].sort((a, b) => extentOf(a.outline) - extentOf(b.outline));
  return straysIn(sorted) < strays ? sorted : sections;
}

/** The area of an outline. */
function extentOf(outline: readonly Point[]): number {
  let doubled = 0;
  let a = outline.at(-1)!;
  for (const b of outline) {
    doubled += a.x * b.y - b.x * a.y;
    a = b;
  }
  return Math.abs(doubled) / 2;
}

/** Notes the sellers that the chart counts to another section than the file. */
export function noteStrays(sections: readonly Section[], sellers: readonly FiledSeller[], notes: Notes): void {
  let strays = 0;
  for (const { object, section, source, inChart } of straysOf(sections, sellers)) {
    strays++;
    const counted = inChart === null ? 'in no section' : `in section ${quoted(inChart)}`;
    notes.ambiguous(
      'outside_its_section',
      `${quoted(object.label)} belongs to section ${quoted(section)} in the file, and its middle lies ${counted}. ` +
        'Its label and its seats are right. Move the outline of the section over it.',
      { source, objectId: object.id },
    );
  }
  if (strays > 1) {
    notes.ambiguous(
      'outlines_overlap',
      `${countOf(strays, 'row, table or area', 'rows, tables and areas')} lie outside the outline of their section.`,
    );
  }
}
