/**
 * Reads a pretix seating plan, in both of its versions. Positions nest: zone, row and seat add up. The format has no
 * accessibility, no general admission and no floors, so the chart has none.
 */
import type { Point } from '../../chart/plan.ts';
import {
  colourOf,
  type Fields,
  fieldsOf,
  moved,
  numberOf,
  objectsOf,
  pointFrom,
  pointsFrom,
  textOf,
  turnedAbout,
} from '../reading.ts';
import { countOf, type Notes, quoted } from '../report.ts';
import type { FoundDecor, FoundItem, FoundRow, FoundSeat, FoundVenue } from '../venue.ts';

const nowhere: Point = { x: 0, y: 0 };

export function isPretix(value: unknown): boolean {
  const { zones } = fieldsOf(value);
  return Array.isArray(zones) && objectsOf(zones).some((zone) => Array.isArray(zone.rows) || Array.isArray(zone.areas));
}

export function readPretix(value: unknown, notes: Notes): FoundVenue {
  const root = fieldsOf(value);
  const categories = categoriesOf(root);
  const zones = objectsOf(root.zones);
  const names = zoneNames(zones);
  const items = zones.flatMap((zone, index) => readZone(zone, names[index]!, zones.length > 1, notes));
  notes.leftOut(
    'not_in_the_format',
    'Accessible places, standing areas and floors: a pretix plan has none of them. Add them in the designer.',
  );
  return {
    name: textOf(root.name) ?? 'Imported chart',
    categories,
    zones: [],
    areSectionsInLabels: false,
    floors: [{ name: '', focalPoint: null, items }],
    background: null,
  };
}

function categoriesOf(root: Fields): FoundVenue['categories'] {
  const seen = new Set<string>();
  return objectsOf(root.categories).flatMap(({ name, color }) => {
    const key = textOf(name);
    if (key === null || seen.has(key)) return [];
    seen.add(key);
    return [{ key, label: key, color: colourOf(color) }];
  });
}

/** A different name for each zone. */
function zoneNames(zones: readonly Fields[]): string[] {
  const taken = new Set<string>();
  return zones.map((zone, index) => {
    let name = textOf(zone.name) ?? textOf(zone.zone_id) ?? `Zone ${index + 1}`;
    while (taken.has(name)) name += ` (${index + 1})`;
    taken.add(name);
    return name;
  });
}

function readZone(zone: Fields, name: string, isSection: boolean, notes: Notes): FoundItem[] {
  const at = pointFrom(zone.position) ?? nowhere;
  const section = isSection ? name : null;
  const rows = objectsOf(zone.rows).flatMap((row, index) => readRow(row, index, at, section, notes) ?? []);
  const areas = objectsOf(zone.areas).flatMap((area, index) =>
    readShape(area, at, `area ${index + 1} of ${name}`, notes),
  );
  const isSeated = isSection && rows.length > 0;
  const source = textOf(zone.uuid) ?? `zone ${name}`;
  const nothing = { displayLabel: null, outline: null, zone: null, extra: {} };
  return [...areas, ...(isSeated ? [{ type: 'section' as const, source, label: name, ...nothing }] : []), ...rows];
}

function readRow(row: Fields, index: number, zoneAt: Point, section: string | null, notes: Notes): FoundRow | null {
  const own = textOf(row.row_number);
  const label = own ?? `?${index + 1}`;
  const source = textOf(row.uuid) ?? `row ${section === null ? '' : `${section}-`}${label}`;
  if (own === null) {
    const message = `Row ${index + 1} has no number in the file, and got the label ${quoted(label)}. Give it its label.`;
    notes.ambiguous('no_label', message, { source });
  }
  const at = moved(zoneAt, pointFrom(row.position) ?? nowhere);
  const seats: FoundSeat[] = [];
  let unplaced = 0;
  for (const [place, seat] of objectsOf(row.seats).entries()) {
    const position = pointFrom(seat.position);
    if (position === null) unplaced++;
    else seats.push({ ...moved(position, at), ...seatOf(seat, place, textOf(row.seat_label)) });
  }
  if (unplaced > 0) {
    const message = `${countOf(unplaced, 'seat')} of row ${quoted(label)}: the file has no position. Add them to the row.`;
    notes.leftOut('seat_without_position', message, { source });
  }
  if (seats.length === 0) {
    notes.leftOut('empty_row', `Row ${quoted(label)} has no seats.`, { source });
    return null;
  }
  return {
    type: 'row',
    source,
    section,
    label,
    displayLabel: textOf(row.row_label)?.replaceAll('%s', label) ?? null,
    seats,
    extra: {},
  };
}

function seatOf(seat: Fields, index: number, template: string | null): Omit<FoundSeat, 'x' | 'y'> {
  const number = textOf(seat.seat_number) ?? `?${index + 1}`;
  return {
    number,
    label: null,
    categoryKey: textOf(seat.category),
    kinds: [],
    displayLabel: template === null || template === '%s' ? null : template.replaceAll('%s', number),
    viewUrl: null,
    isRestrictedView: false,
  };
}

/** A drawn area of a zone, and its text. Areas sell nothing in pretix. */
function readShape(area: Fields, zoneAt: Point, source: string, notes: Notes): FoundDecor[] {
  const position = pointFrom(area.position);
  const at = moved(zoneAt, position ?? nowhere);
  const rotation = numberOf(area.rotation) ?? 0;
  const drawn = shapeOf(area, at, rotation);
  const text = textOf(fieldsOf(area.text).text);
  const fill = colourOf(area.color);
  const stroke = colourOf(area.border_color);
  const colours = { ...(fill !== null && { fill }), ...(stroke !== null && { stroke }) };
  const found: FoundDecor[] = [];
  if (drawn)
    found.push({ type: 'shape', source, place: drawn.place, fontSize: null, fields: { ...drawn.fields, ...colours } });
  if (text !== null) found.push(textIn(fieldsOf(area.text), text, at, source));
  if (found.length === 0)
    notes.leftOut('shape', `A drawn area of the shape ${quoted(textOf(area.shape) ?? '?')}.`, { source });
  return found;
}

type Drawn = { place: FoundDecor['place']; fields: Record<string, unknown> };

/** Rectangles turn about their position, which is their corner; circles and ellipses have it in the middle. */
function shapeOf(area: Fields, at: Point, rotation: number): Drawn | null {
  const polygon = pointsFrom(fieldsOf(area.polygon).points);
  if (polygon.length >= 3) {
    return { place: { points: polygon.map((point) => turnedAbout(at, point.x, point.y, rotation)) }, fields: {} };
  }
  const radii = fieldsOf(fieldsOf(area.ellipse).radius);
  const radius = numberOf(fieldsOf(area.circle).radius);
  const [x, y] = [numberOf(radii.x) ?? radius, numberOf(radii.y) ?? radius];
  if (x !== null && y !== null) {
    return { place: { center: at, width: 2 * x, height: 2 * y, rotation }, fields: { kind: 'ellipse' } };
  }
  const box = typeof area.rectangle === 'object' ? fieldsOf(area.rectangle) : area;
  const [width, height] = [numberOf(box.width), numberOf(box.height)];
  if (width === null || height === null) return null;
  const corners = [
    [0, 0],
    [width, 0],
    [width, height],
    [0, height],
  ] as const;
  return { place: { points: corners.map(([x, y]) => turnedAbout(at, x, y, rotation)) }, fields: {} };
}

function textIn(text: Fields, words: string, at: Point, source: string): FoundDecor {
  const color = colourOf(text.color);
  const center = moved(at, pointFrom(text.position) ?? nowhere);
  return {
    type: 'text',
    source: `text of ${source}`,
    place: { center, width: null, height: null, rotation: 0 },
    fontSize: numberOf(text.size),
    fields: { text: words, ...(color !== null && { color }) },
  };
}
