/**
 * A chart as a pretix seating plan, in its newer form. A zone is a section of a floor; a row is a row or a table. The
 * plan has no accessibility, no standing areas to sell and no floors: areas are drawn, and the caller is told.
 */
import type { Category, ChartDocument, ChartObject, Row, Table } from '../chart/document.ts';
import { sectionFinder } from '../chart/membership.ts';
import { seatNumberIn } from '../chart/numbering.ts';
import {
  centreOf,
  hasSeats,
  isSeller,
  type Part,
  type Place,
  partsOf,
  placesOf,
} from '../chart/places.ts';
import type { Point } from '../chart/plan.ts';
import { type Exported, leftOutOf } from './left-out.ts';

type Zone = { name: string; position: Point; rows: unknown[]; areas: unknown[] };

/** The room around the drawing. */
const MARGIN = 40;
const SEAT_RADIUS = 8;
const COLOUR = '#dddddd';

export function pretixOf(document: ChartDocument): Exported {
  const names = categoryNames(document.categories);
  const floors = partsOf(document);
  const corner = cornersOf(floors);
  const zones = floors.flatMap((floor) => zonesOf(floor, names, corner.least));
  const categories = document.categories.map((category) => ({ name: names.get(category.key)!, color: category.color }));
  const size = { width: corner.most.x - corner.least.x, height: corner.most.y - corner.least.y };
  const text = JSON.stringify({ name: document.name, zones, categories, size });
  const leftOut = leftOutOf(document, {
    table: 'tables that are sold as a whole',
    areas: true,
    booths: true,
    accessibility: true,
    floors: true,
    prices: true,
  });
  return { text, leftOut };
}

/** pretix names categories by their labels, which must differ. */
function categoryNames(categories: readonly Category[]): Map<string, string> {
  const taken = new Set<string>();
  const names = new Map<string, string>();
  for (const { key, label } of categories) {
    const name = taken.has(label) || label === '' ? `${label} (${key})` : label;
    taken.add(name);
    names.set(key, name);
  }
  return names;
}

function cornersOf(floors: readonly Part[]): { least: Point; most: Point } {
  const least = { x: Infinity, y: Infinity };
  const most = { x: -Infinity, y: -Infinity };
  for (const { objects } of floors) {
    for (const { x, y } of objects.flatMap(pointsOf)) {
      least.x = Math.min(least.x, x - MARGIN);
      least.y = Math.min(least.y, y - MARGIN);
      most.x = Math.max(most.x, x + MARGIN);
      most.y = Math.max(most.y, y + MARGIN);
    }
  }
  return least.x <= most.x ? { least, most } : { least: { x: 0, y: 0 }, most: { x: 1, y: 1 } };
}

function pointsOf(object: ChartObject): readonly Point[] {
  if (object.type === 'section') return object.outline;
  if (object.type === 'gaArea') return object.points;
  return isSeller(object) ? placesOf(object) : outlineOf(object);
}

/** Positions nest: a zone stands at the drawing's corner, so that the rest has the chart's positions from there. */
function zonesOf({ floor, objects }: Part, names: ReadonlyMap<string, string>, corner: Point): Zone[] {
  const sections = objects.filter((object) => object.type === 'section');
  const find = sectionFinder(sections);
  const zones = new Map<number, Zone>();
  const before = floor === null ? '' : `${floor.name} `;
  const zoneAt = (index: number) => {
    const known = zones.get(index);
    if (known) return known;
    const name = `${before}${index === -1 ? (floor === null ? 'Seats' : '') : sections[index]!.label}`.trim();
    const zone: Zone = { name, position: { x: 0, y: 0 }, rows: [], areas: [] };
    zones.set(index, zone);
    return zone;
  };
  for (const object of objects) {
    if (object.type === 'gaArea') {
      zoneAt(find(centreOf(object, []))).areas.push(polygon(object.points, corner, COLOUR, object.label));
    } else if (object.type === 'shape') {
      const points = outlineOf(object);
      if (points.length >= 3) zoneAt(-1).areas.push(polygon(points, corner, colourOf(object), textIn(object)));
    } else if (hasSeats(object)) {
      const places = placesOf(object);
      if (places.length > 0) zoneAt(find(centreOf(object, places))).rows.push(rowOf(object, places, names, corner));
    }
  }
  return [...zones.values()];
}

function rowOf({ label }: Row | Table, places: readonly Place[], names: ReadonlyMap<string, string>, corner: Point) {
  const seats = places.map((place) => ({
    seat_guid: place.label,
    seat_number: seatNumberIn(place.label, label),
    position: relative(place, corner),
    category: names.get(place.categoryKey) ?? '',
    radius: SEAT_RADIUS,
  }));
  return { row_number: label, position: { x: 0, y: 0 }, seats };
}

function polygon(points: readonly Point[], corner: Point, color: string, label: string) {
  const all = points.map((point) => relative(point, corner));
  const middle = {
    x: rounded(all.reduce((sum, { x }) => sum + x, 0) / all.length),
    y: rounded(all.reduce((sum, { y }) => sum + y, 0) / all.length),
  };
  const text = { text: label, position: middle, color: '#333333', size: 16 };
  return {
    shape: 'polygon',
    color,
    border_color: '#999999',
    rotation: 0,
    position: { x: 0, y: 0 },
    polygon: { points: all },
    ...(label !== '' && { text }),
  };
}

function outlineOf(object: ChartObject): Point[] {
  const { points, center, width, height } = object as Record<string, unknown>;
  if (Array.isArray(points)) return points as Point[];
  if (typeof width !== 'number' || typeof height !== 'number') return [];
  const { x, y } = (center ?? {}) as Partial<Point>;
  if (typeof x !== 'number' || typeof y !== 'number') return [];
  const [left, right, top, bottom] = [x - width / 2, x + width / 2, y - height / 2, y + height / 2];
  return [
    { x: left, y: top },
    { x: right, y: top },
    { x: right, y: bottom },
    { x: left, y: bottom },
  ];
}

function colourOf(object: ChartObject): string {
  const { fill } = object as Record<string, unknown>;
  return typeof fill === 'string' ? fill : COLOUR;
}

function textIn(object: ChartObject): string {
  const { label } = object as Record<string, unknown>;
  return typeof label === 'string' ? label : '';
}

function relative({ x, y }: Point, corner: Point): Point {
  return { x: rounded(x - corner.x), y: rounded(y - corner.y) };
}

function rounded(value: number): number {
  return Math.round(value * 1e3) / 1e3;
}
