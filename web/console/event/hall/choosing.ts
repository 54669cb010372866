/**
 * The places of a hall that a person means: inside a box or a loop, in a row, of a section or a category, of a list of
 * labels. Results are labels of seats, tables, booths and areas. Pure.
 */
import type { Point } from '@parterre/shared/charts/plan';
import { grown } from '../../../src/draw/plot.ts';
import { type Bounds, boundsOf, overlaps } from '../../../src/rules/bounds.ts';
import { floorOf } from '../../../src/rules/find.ts';
import { type Hall, rowsOf } from '../../../src/rules/hall.ts';

export function inBox(hall: Hall, floor: number, box: Bounds): string[] {
  const isIn = (x: number, y: number): boolean => x >= box.left && x <= box.right && y >= box.top && y <= box.bottom;
  return placesWhere(hall, floor, box, isIn);
}

/** Inside a closed line that a hand has drawn. */
export function inLoop(hall: Hall, floor: number, loop: readonly Point[]): string[] {
  const edges = loop.map((point, index) => boundsOf([point, loop[(index + 1) % loop.length]!]));
  const isIn = insideOf(loop);
  // A block that no edge comes near is wholly inside or outside: few blocks are looked at seat by seat.
  const isCut = (bounds: Bounds): boolean => edges.some((edge) => overlaps(edge, bounds));
  return placesWhere(hall, floor, boundsOf(loop), isIn, isCut);
}

/** By the even-odd rule, without an object for each of many seats. */
function insideOf(loop: readonly Point[]): IsIn {
  const xs = Float64Array.from(loop, ({ x }) => x);
  const ys = Float64Array.from(loop, ({ y }) => y);
  return (x, y) => {
    let isInside = false;
    for (let at = 0, before = xs.length - 1; at < xs.length; before = at++) {
      const isBetween = ys[at]! > y !== ys[before]! > y;
      if (!isBetween) continue;
      const crossing = xs[at]! + ((y - ys[at]!) / (ys[before]! - ys[at]!)) * (xs[before]! - xs[at]!);
      if (x < crossing) isInside = !isInside;
    }
    return isInside;
  };
}

type IsIn = (x: number, y: number) => boolean;

function placesWhere(
  hall: Hall,
  floor: number,
  part: Bounds,
  isIn: IsIn,
  isCut?: (bounds: Bounds) => boolean,
): string[] {
  const labels: string[] = [];
  for (const block of hall.blocks) {
    if (block.floor !== floor || !overlaps(block.bounds, part)) continue;
    const isWhole = isCut?.(block.bounds) === false;
    const first = block.spots[0];
    if (isWhole && first !== undefined) {
      if (isIn(hall.x[first]!, hall.y[first]!)) labels.push(...labelsOfSpots(hall, block.spots));
      continue;
    }
    for (const spot of block.spots) {
      const x = hall.x[spot]!;
      const y = hall.y[spot]!;
      const isNear = x >= part.left && x <= part.right && y >= part.top && y <= part.bottom;
      if (isNear && isIn(x, y)) labels.push(hall.labels[spot]!);
    }
  }
  for (const area of hall.areas)
    if (area.floor === floor && isIn(area.centre.x, area.centre.y)) labels.push(area.label);
  return labels;
}

/** The box around two places of one floor, with all that stands in it; null for places that have no box. */
export function boxBetween(hall: Hall, from: string, to: string): string[] | null {
  const [one, other] = [from, to].map((label) => hall.spotOf.get(label));
  if (one === undefined || other === undefined || floorOf(hall, one) !== floorOf(hall, other)) return null;
  // Rows may be curved: half a seat around has the seats between.
  const around = Math.max(hall.size[one]!, hall.size[other]!) / 2;
  const ends = boundsOf([one, other].map((spot) => ({ x: hall.x[spot]!, y: hall.y[spot]! })));
  return inBox(hall, floorOf(hall, one), grown(ends, around));
}

/** The row, table or booth of a spot, in the order of its seats. */
export function rowOfSpot(hall: Hall, spot: number): string[] {
  const block = hall.blocks[hall.blockOf[spot]!]!;
  const row = rowsOf(hall, block).find(({ spots }) => spots.includes(spot));
  return labelsOfSpots(hall, row?.spots ?? [spot]);
}

/** The seats of a row from one to another, in either direction; null for seats of different rows. */
export function stretch(hall: Hall, from: string, to: string): string[] | null {
  const start = hall.spotOf.get(from);
  if (start === undefined) return null;
  const row = rowOfSpot(hall, start);
  const ends = [row.indexOf(from), row.indexOf(to)].sort((one, other) => one - other);
  return ends[0]! < 0 ? null : row.slice(ends[0]!, ends[1]! + 1);
}

/** Also the areas in the section. */
export function inBlock(hall: Hall, block: number): string[] {
  const { label, floor, spots } = hall.blocks[block]!;
  const areas = hall.areas.filter((area) => label !== '' && area.section === label && area.floor === floor);
  return [...labelsOfSpots(hall, spots), ...areas.map((area) => area.label)];
}

export function ofCategory(hall: Hall, category: number): string[] {
  const spots = hall.labels.filter((_, spot) => hall.categoryOf[spot] === category);
  return [...spots, ...hall.areas.filter((area) => area.category === category).map(({ label }) => label)];
}

export const everyLabel = (hall: Hall): string[] => [...hall.labels, ...hall.areas.map(({ label }) => label)];

export const labelsOfSpots = (hall: Hall, spots: readonly number[]): string[] =>
  spots.map((spot) => hall.labels[spot]!);

/**
 * The places that a pasted list names, with lines, commas, semicolons or tabs between the labels. A label that has a
 * comma itself stands on a line of its own. Letters may be small or large. `unknown` are those that the chart lacks.
 */
export function namedIn(hall: Hall, text: string): { known: string[]; unknown: string[] } {
  const lines = text.split(/[\n\r]+/).map((line) => ({ line, parts: line.split(/[,;\t]/).map((part) => part.trim()) }));
  const byName = labelsNamed(hall, new Set(lines.flatMap(({ line, parts }) => [line, ...parts].map(nameOf))));
  const known = new Set<string>();
  const unknown = new Set<string>();
  for (const { line, parts } of lines) {
    const names = byName.has(nameOf(line)) ? [line] : parts.filter(Boolean);
    for (const name of names) {
      const label = byName.get(nameOf(name));
      if (label === undefined) unknown.add(name);
      else known.add(label);
    }
  }
  return { known: [...known], unknown: [...unknown] };
}

const nameOf = (text: string): string => text.trim().toLowerCase();

/** One pass over all labels: a table of 100,000 names takes ten times as long. */
function labelsNamed(hall: Hall, wanted: ReadonlySet<string>): Map<string, string> {
  const found = new Map<string, string>();
  for (const label of everyLabel(hall)) {
    const name = nameOf(label);
    if (wanted.has(name)) found.set(name, label);
  }
  return found;
}
