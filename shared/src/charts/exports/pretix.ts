/**
 * A chart as a pretix seating plan, in its newer form. A zone is a section of a floor; a row is a row or a table. The
 * plan has no accessibility, no standing areas to sell and no floors: areas are drawn, and the list of left-out things
 * names them. pretix wants integers for sizes and radii of circles; positions may be fractions.
 */
import type { ChartDocument, ChartObject, Row, Table } from '../document.ts';
import { numberOf, pointFrom, pointsFrom, turnedAbout } from '../imports/reading.ts';
import { sectionFinder } from '../membership.ts';
import { seatNumberIn } from '../numbering.ts';
import { centreOf, type FloorObjects, hasSeats, isSeller, type Place, partsOf, placesOf } from '../places.ts';
import type { Point } from '../plan.ts';
import { categoryNames } from './category-names.ts';
import { type Exported, type Lack, leftOutOf } from './left-out.ts';

type Zone = { name: string; position: Point; rows: unknown[]; areas: unknown[] };

/** The room around the drawing. */
const MARGIN = 40;
const SEAT_RADIUS = 8;
const COLOUR = '#dddddd';
const BORDER = '#999999';

const FONT_SIZE = 16;
const TEXT_COLOUR = '#333333';

const lacks: readonly Lack[] = [
  ...(['wholeTables', 'tableForms', 'areas', 'booths', 'accessibility', 'seatDisplayLabels'] as const),
  ...(['sectionDisplayLabels', 'seatViews', 'otherViews', 'outlines', 'zones', 'floors', 'prices'] as const),
  ...(['focalPoints', 'pictures'] as const),
];

export function pretixOf(document: ChartDocument): Exported {
  const names = categoryNames(document.categories);
  const floors = partsOf(document);
  const { least, most } = cornersOf(floors);
  const guids = new Set<string>();
  const zones = floors.flatMap((floor) => zonesOf(floor, { names, corner: least, guids }));
  const categories = document.categories.map(({ key, color }) => ({ name: names.get(key)!, color }));
  const size = { width: Math.ceil(most.x - least.x), height: Math.ceil(most.y - least.y) };
  const text = JSON.stringify({ name: document.name, zones, categories, size });
  return { text, leftOut: leftOutOf(document, lacks) };
}

/** The parts of a plan that all its zones share. Each seat has a guid of its own. */
type Plan = { names: ReadonlyMap<string, string>; corner: Point; guids: Set<string> };

function cornersOf(floors: readonly FloorObjects[]): { least: Point; most: Point } {
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
  if (isSeller(object)) return placesOf(object);
  const { middle, outline } = drawnOf(object);
  return middle === null ? outline : [middle, ...outline];
}

/** Positions nest: a zone stands at the drawing's corner, so that the rest has the chart's positions from there. */
function zonesOf({ floor, objects }: FloorObjects, plan: Plan): Zone[] {
  const { corner } = plan;
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
    } else if (object.type === 'shape' || object.type === 'text') {
      const area = areaOf(object, corner);
      if (area !== null) zoneAt(-1).areas.push(area);
    } else if (hasSeats(object)) {
      const places = placesOf(object);
      if (places.length > 0) zoneAt(find(centreOf(object, places))).rows.push(rowOf(object, places, plan));
    }
  }
  return [...zones.values()];
}

function rowOf({ label, displayLabel }: Row | Table, places: readonly Place[], { names, corner, guids }: Plan) {
  const seats = places.map((place) => ({
    seat_guid: guidOf(place.label, guids),
    seat_number: seatNumberIn(place.label, label),
    position: relative(place, corner),
    category: names.get(place.categoryKey) ?? '',
    radius: SEAT_RADIUS,
  }));
  const named = typeof displayLabel === 'string' && displayLabel !== '' ? { row_label: displayLabel } : {};
  return { row_number: label, ...named, position: { x: 0, y: 0 }, seats };
}

/** The label, which is unique in a chart that can be published. */
function guidOf(label: string, guids: Set<string>): string {
  let guid = label;
  for (let number = 2; guids.has(guid); number++) guid = `${label} (${number})`;
  guids.add(guid);
  return guid;
}

/** Null for a shape or text without a position. */
function areaOf(object: ChartObject, corner: Point) {
  const { middle, outline, label, colour, fontSize, rotation } = drawnOf(object);
  if (object.type === 'shape' && outline.length >= 3) {
    const { width, height } = object as Record<string, unknown>;
    if (!isRound(object) || middle === null) return polygon(outline, corner, colour ?? COLOUR, label);
    const radius = { x: rounded(Number(width) / 2), y: rounded(Number(height) / 2) };
    const looks = { color: colour ?? COLOUR, border_color: BORDER, rotation };
    const text = label === '' ? {} : { text: textAt({ x: 0, y: 0 }, label, TEXT_COLOUR, FONT_SIZE) };
    return { shape: 'ellipse', ...looks, position: relative(middle, corner), ellipse: { radius }, ...text };
  }
  if (object.type === 'shape' || middle === null || label === '') return null;
  const text = textAt({ x: 0, y: 0 }, label, colour ?? TEXT_COLOUR, fontSize);
  return { shape: 'text', rotation, position: relative(middle, corner), text };
}

function polygon(points: readonly Point[], corner: Point, color: string, label: string) {
  const all = points.map((point) => relative(point, corner));
  const middle = {
    x: rounded(all.reduce((sum, { x }) => sum + x, 0) / all.length),
    y: rounded(all.reduce((sum, { y }) => sum + y, 0) / all.length),
  };
  return {
    shape: 'polygon',
    color,
    border_color: BORDER,
    rotation: 0,
    position: { x: 0, y: 0 },
    polygon: { points: all },
    ...(label !== '' && { text: textAt(middle, label, TEXT_COLOUR, FONT_SIZE) }),
  };
}

function textAt(position: Point, text: string, color: string, size: number) {
  return { text, position, color, size: Math.max(1, Math.round(size)) };
}

/** Shapes and texts follow no schema. The designer writes these fields. */
function drawnOf(object: ChartObject) {
  const { points, center, width, height, rotation, fill, color, label, text, fontSize } = object as Record<
    string,
    unknown
  >;
  const turn = numberOf(rotation) ?? 0;
  const middle = pointFrom(center) ?? pointFrom(object);
  const x = (numberOf(width) ?? 0) / 2;
  const y = (numberOf(height) ?? 0) / 2;
  const corners = [
    [-x, -y],
    [x, -y],
    [x, y],
    [-x, y],
  ] as const;
  const box = middle === null || x <= 0 || y <= 0 ? [] : corners.map(([dx, dy]) => turnedAbout(middle, dx, dy, turn));
  return {
    middle: Array.isArray(points) ? null : middle,
    outline: Array.isArray(points) ? pointsFrom(points) : box,
    label: [text, label].find((each): each is string => typeof each === 'string') ?? '',
    colour: [fill, color].find((each): each is string => typeof each === 'string') ?? null,
    fontSize: numberOf(fontSize) ?? FONT_SIZE,
    rotation: turn,
  };
}

function isRound(object: ChartObject): boolean {
  const { kind, shape } = object as Record<string, unknown>;
  return ['circle', 'ellipse'].includes(String(kind ?? shape));
}

function relative({ x, y }: Point, corner: Point): Point {
  return { x: rounded(x - corner.x), y: rounded(y - corner.y) };
}

function rounded(value: number): number {
  return Math.round(value * 1e3) / 1e3;
}
