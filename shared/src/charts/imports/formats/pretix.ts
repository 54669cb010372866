/**
 * Reads a pretix seating plan, in both of its versions. Positions nest: zone, row and seat add up. The format has no
 * accessibility, no general admission and no floors, so the chart has none.
 */
import type { Point } from '../../plan.ts';
import { Prices, priceFrom } from '../prices.ts';
import { colourOf, type Fields, fieldsOf, isAltered, moved, objectsOf, pointFrom, textOf } from '../reading.ts';
import { countOf, type Notes, noteAltered, quoted } from '../report.ts';
import { type KnownFields, UnreadFields } from '../unread-fields.ts';
import type { FoundItem, FoundRow, FoundSeat, FoundVenue } from '../venue.ts';
import { readArea } from './pretix-areas.ts';

const nowhere: Point = { x: 0, y: 0 };

type Kind = 'plan' | 'category' | 'zone' | 'row' | 'seat' | 'area';

/** The fields that are read, and those that are only about the look of seats and row numbers in pretix. */
const knownFields: KnownFields<Kind> = {
  plan: new Set(['name', 'zones', 'categories', 'size']),
  category: new Set(['name', 'color', 'price']),
  zone: new Set(['name', 'zone_id', 'uuid', 'position', 'rows', 'areas', 'displayed']),
  row: new Set([
    'row_number',
    'row_label',
    'seat_label',
    'uuid',
    'position',
    'seats',
    'row_number_position',
    'number_of_seats',
    'seats_spacing',
  ]),
  seat: new Set(['seat_guid', 'seat_number', 'uuid', 'position', 'category', 'radius', 'start_direction']),
  area: new Set([
    'shape',
    'color',
    'border_color',
    'rotation',
    'position',
    'uuid',
    'width',
    'height',
    'polygon',
    'rectangle',
    'ellipse',
    'circle',
    'text',
  ]),
};

/** What the whole plan tells once. */
type Reading = { notes: Notes; unread: UnreadFields<Kind>; prices: Prices; guids: number; directions: number };

export function isPretix(value: unknown): boolean {
  const { zones } = fieldsOf(value);
  return Array.isArray(zones) && objectsOf(zones).some((zone) => Array.isArray(zone.rows) || Array.isArray(zone.areas));
}

export function readPretix(value: unknown, notes: Notes): FoundVenue {
  const root = fieldsOf(value);
  const reading: Reading = {
    notes,
    unread: new UnreadFields(knownFields),
    prices: new Prices(),
    guids: 0,
    directions: 0,
  };
  reading.unread.see('plan', root);
  const categories = categoriesOf(root, reading);
  const zones = objectsOf(root.zones);
  const names = zoneNames(zones);
  const items = zones.flatMap((zone, index) => readZone(zone, names[index]!, zones.length > 1, reading));
  noteLosses(reading, zones);
  return {
    name: textOf(root.name) ?? 'Imported chart',
    categories,
    priceDigits: reading.prices.finish(notes),
    zones: [],
    areSectionsInLabels: false,
    floors: [{ name: '', focalPoint: null, items }],
    background: null,
  };
}

function noteLosses({ notes, unread, guids, directions }: Reading, zones: readonly Fields[]): void {
  notes.leftOut(
    'not_in_the_format',
    'Accessible places, standing areas and floors: a pretix plan has none of them. Add them in the designer.',
  );
  const [only] = zones.length === 1 ? zones : [];
  const name = only === undefined ? null : (textOf(only.name) ?? textOf(only.zone_id));
  if (name !== null) {
    const message = `The name ${quoted(name)} of the only zone. A chart of one section needs none; draw a section if buyers should see the name.`;
    notes.leftOut('zone_name', message);
  }
  if (guids > 0) {
    const message = `The pretix ids (seat_guid) of ${countOf(guids, 'seat')}. Calls name seats by the labels in the chart.`;
    notes.leftOut('seat_guids', message);
  }
  if (directions > 0) {
    const message = `The start of ordered booking (start_direction) at ${countOf(directions, 'seat')}. Best-available goes by the focal point.`;
    notes.leftOut('start_direction', message);
  }
  unread.tell(notes);
}

function categoriesOf(root: Fields, { notes, unread, prices }: Reading): FoundVenue['categories'] {
  const seen = new Set<string>();
  return objectsOf(root.categories).flatMap((category) => {
    unread.see('category', category);
    const key = textOf(category.name);
    if (key === null) {
      notes.leftOut('category_without_name', 'A category without a name.');
      return [];
    }
    if (seen.has(key)) {
      notes.leftOut('category_twice', `The file has the category ${quoted(key)} twice. The first counts.`);
      return [];
    }
    seen.add(key);
    const price = prices.read(priceFrom(category.price), `category ${quoted(key)}`);
    return [{ key, label: key, color: colourOf(category.color), ...(price !== null && { price }) }];
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

function readZone(zone: Fields, name: string, isSection: boolean, reading: Reading): FoundItem[] {
  const { notes, unread } = reading;
  unread.see('zone', zone);
  const at = pointFrom(zone.position) ?? nowhere;
  const section = isSection ? name : null;
  const rowLabels = labelsOf(zone, section);
  const rows = objectsOf(zone.rows).flatMap(
    (row, index) => readRow(row, rowLabels[index]!, at, section, reading) ?? [],
  );
  const areas = objectsOf(zone.areas).flatMap((area, index) => {
    unread.see('area', area);
    return readArea(area, at, notes.nameOf(textOf(area.uuid) ?? `area ${index + 1} of ${name}`), notes);
  });
  if (!isSection || rows.length === 0) return [...areas, ...rows];
  const source = notes.nameOf(textOf(zone.uuid) ?? `zone ${name}`);
  const outlined = { displayLabel: null, outline: null, zone: null, extra: {} };
  return [...areas, { type: 'section', source, label: name, ...outlined }, ...rows];
}

/** A row without a number gets its place as number. The only row of a section, as of a box, gets the section's name. */
function labelsOf(zone: Fields, section: string | null): RowLabel[] {
  const own = objectsOf(zone.rows).map((row) => textOf(row.row_number));
  const taken = new Set(own);
  return own.map((label, index) => {
    if (label !== null) return { label, isGiven: true, isNameless: false };
    if (section !== null && own.length === 1) return { label: section, isGiven: false, isNameless: true };
    return { label: freeNumber(index + 1, taken), isGiven: false, isNameless: false };
  });
}

type RowLabel = { label: string; isGiven: boolean; isNameless: boolean };

/** The number, or the next that nothing else has. */
function freeNumber(from: number, taken: Set<string | null>): string {
  let number = from;
  while (taken.has(String(number))) number++;
  taken.add(String(number));
  return String(number);
}

function readRow(
  row: Fields,
  { label, isGiven, isNameless }: RowLabel,
  zoneAt: Point,
  section: string | null,
  reading: Reading,
): FoundRow | null {
  const { notes, unread } = reading;
  unread.see('row', row);
  const source = notes.nameOf(textOf(row.uuid) ?? `row ${section === null ? '' : `${section}-`}${label}`);
  if (!isGiven) {
    const message = `A row has no number in the file, and got the label ${quoted(label)}. Look whether it fits.`;
    notes.ambiguous('no_label', message, { source });
  }
  const at = moved(zoneAt, pointFrom(row.position) ?? nowhere);
  const template = textOf(row.seat_label);
  const seats: FoundSeat[] = [];
  const counts = { unplaced: 0, nameless: 0, altered: Number(isAltered(row.row_number)) };
  const taken = new Set(objectsOf(row.seats).map((seat) => textOf(seat.seat_number)));
  for (const [place, seat] of objectsOf(row.seats).entries()) {
    unread.see('seat', seat);
    const position = pointFrom(seat.position);
    if (position === null) {
      counts.unplaced++;
      continue;
    }
    const found = seatOf(seat, textOf(seat.seat_number) ?? freeNumber(place + 1, taken), template);
    seats.push({ ...moved(position, at), ...found });
    const guid = textOf(seat.seat_guid);
    if (guid !== null && guid !== `${label}-${found.number}`) reading.guids++;
    if (textOf(seat.start_direction) !== null) reading.directions++;
    if (textOf(seat.seat_number) === null) counts.nameless++;
    if (isAltered(seat.seat_number)) counts.altered++;
  }
  noteSeats(counts, quoted(label), source, notes);
  if (seats.length === 0) {
    notes.leftOut('empty_row', `Row ${quoted(label)} has no seats.`, { source });
    return null;
  }
  const displayLabel = textOf(row.row_label)?.replaceAll('%s', label) ?? null;
  return { type: 'row', source, section, label, isNameless, displayLabel, seats, extra: {} };
}

type SeatCounts = { unplaced: number; nameless: number; altered: number };

function noteSeats({ unplaced, nameless, altered }: SeatCounts, row: string, source: string, notes: Notes): void {
  if (unplaced > 0) {
    const message = `${countOf(unplaced, 'seat')} of row ${row}: the file has no position. Add them to the row.`;
    notes.leftOut('seat_without_position', message, { source });
  }
  if (nameless > 0) {
    const message = `${countOf(nameless, 'seat')} of row ${row} ${nameless === 1 ? 'has' : 'have'} no number in the file, and got the place in the row, or the next free number. Look whether it fits.`;
    notes.ambiguous('seat_without_number', message, { source });
  }
  noteAltered(notes, `${countOf(altered, 'label')} of row ${row}`, altered, source);
}

function seatOf(seat: Fields, number: string, template: string | null): Omit<FoundSeat, 'x' | 'y'> {
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
