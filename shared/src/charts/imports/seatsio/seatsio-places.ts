/** Reads the places of a seats.io drawing: rows, tables, booths and areas of general admission. */
import type { Point } from '../../plan.ts';
import {
  boxAround,
  boxOutline,
  countFrom,
  ellipseOutline,
  type Fields,
  isTrue,
  moved,
  numberOf,
  pointFrom,
  pointsFrom,
  textOf,
} from '../reading.ts';
import { type Notes, quoted } from '../report.ts';
import type { FoundArea, FoundBooth, FoundRow, FoundSeat, FoundTable } from '../venue.ts';
import { placed, readSeats, type Shared, sharedOf, type Within } from './seatsio-seats.ts';

/** Null for a row without seats. */
export function readRow(row: Fields, within: Within): FoundRow | null {
  const shared = sharedOf(row, 'row', within);
  const seats = readSeats(row.seats, shared, inside(row, within));
  if (seats.length === 0) {
    within.notes.leftOut('empty_row', `Row ${quoted(shared.label)} has no seats.`, shared);
    return null;
  }
  return { type: 'row', ...shared, seats };
}

/** A seat without a category takes that of its row or table. */
function inside(object: Fields, within: Within): Within {
  const own = within.categories.keyOf(object);
  return own === null ? within : { ...within, categoryKey: own };
}

/** Null for a table without a position. */
export function readTable(table: Fields, within: Within): FoundTable | null {
  const shared = sharedOf(table, 'table', within);
  const seats = readSeats(table.seats, shared, inside(table, within));
  const own = pointFrom(table.center);
  const center = own ? placed(own, within) : middleOf(seats);
  if (center === null) {
    within.notes.leftOut('table_without_position', `Table ${quoted(shared.label)}: the file has no position.`, shared);
    return null;
  }
  const width = numberOf(table.width);
  const height = numberOf(table.height);
  const isRound = textOf(table.type) === 'round' || width === null || height === null;
  const shape = isRound
    ? ({ kind: 'round', radius: (numberOf(table.radius) ?? 24) * within.scale } as const)
    : ({ kind: 'rect', width: width * within.scale, height: height * within.scale } as const);
  const booking = bookingOf(table, seats.length);
  noteMixedTable(seats, booking, shared, within.notes);
  noteEmptyTable(table, seats.length, shared, within.notes);
  const rotation = numberOf(table.rotationAngle) ?? 0;
  const categoryKey = within.categories.keyOf(table) ?? (seats.length === 0 ? within.categoryKey : null);
  return { type: 'table', ...shared, center, shape, rotation, seats, categoryKey, booking };
}

function bookingOf(table: Fields, chairs: number): FoundTable['booking'] {
  if (!isTrue(table.bookAsAWhole)) return { mode: 'individual', minOccupancy: null, maxOccupancy: null };
  if (!isTrue(table.variableOccupancy)) return { mode: 'whole', minOccupancy: null, maxOccupancy: null };
  const maxOccupancy = countFrom(table.maxOccupancy) ?? chairs;
  return { mode: 'variable', minOccupancy: countFrom(table.minOccupancy) ?? 1, maxOccupancy };
}

/** The number of guests of a table follows from its chairs. */
function noteEmptyTable(table: Fields, chairs: number, { source, label }: Shared, notes: Notes): void {
  const capacity = countFrom(table.capacity);
  if (chairs > 0) {
    if (capacity === null || capacity === chairs) return;
    const message = `Table ${quoted(label)} has a capacity of ${capacity} in the file, and ${chairs} chairs. Its chairs count here.`;
    notes.ambiguous('table_capacity', message, { source });
    return;
  }
  const told = capacity === null ? '' : ` The file has a capacity of ${capacity} for it.`;
  const message = `Table ${quoted(label)} has no chairs in the file, so nobody can sit at it.${told} Set the number of its chairs.`;
  notes.ambiguous('table_without_chairs', message, { source });
}

function noteMixedTable(
  seats: readonly FoundSeat[],
  { mode }: FoundTable['booking'],
  { source, label }: Shared,
  notes: Notes,
): void {
  if (mode === 'individual') return;
  if (new Set(seats.map(({ categoryKey }) => categoryKey)).size > 1) {
    const message = `The chairs of ${quoted(label)} have several categories, and the table is sold as a whole. It got the category of most chairs.`;
    notes.ambiguous('mixed_table', message, { source });
  }
  if (seats.some(({ kinds }) => kinds.length > 0)) {
    const message = `The accessible chairs of ${quoted(label)}: the table is sold as a whole, so its chairs are no places.`;
    notes.leftOut('accessible_chairs', message, { source });
  }
}

function middleOf(points: readonly Point[]): Point | null {
  if (points.length === 0) return null;
  const sum = points.reduce((all, point) => moved(all, point), { x: 0, y: 0 });
  return { x: sum.x / points.length, y: sum.y / points.length };
}

export function readBooth(booth: Fields, within: Within): FoundBooth | null {
  const shared = sharedOf(booth, 'booth', within);
  const box = boxOf(booth, within);
  if (box === null) {
    within.notes.leftOut('booth_without_position', `Booth ${quoted(shared.label)}: the file has no position.`, shared);
    return null;
  }
  const categoryKey = within.categories.keyOf(booth) ?? within.categoryKey;
  return { type: 'booth', ...shared, ...box, rotation: numberOf(booth.rotationAngle) ?? 0, categoryKey };
}

const BOOTH_SIDE = 20;

function boxOf(booth: Fields, within: Within): { center: Point; width: number; height: number } | null {
  const points = pointsFrom(booth.points).map((point) => placed(point, within));
  const width = numberOf(booth.width);
  const height = numberOf(booth.height);
  const size = { width: (width ?? BOOTH_SIDE) * within.scale, height: (height ?? BOOTH_SIDE) * within.scale };
  const center = pointFrom(booth.center);
  if (center) return { center: placed(center, within), ...size };
  const corner = pointFrom(booth.topLeft) ?? pointFrom(booth);
  if (corner) return { center: moved(placed(corner, within), { x: size.width / 2, y: size.height / 2 }), ...size };
  if (points.length === 0) return null;
  const { left, top, right, bottom } = boxAround(points);
  return { center: { x: (left + right) / 2, y: (top + bottom) / 2 }, width: right - left, height: bottom - top };
}

export function readArea(area: Fields, within: Within): FoundArea | null {
  const shared = sharedOf(area, 'area', within);
  const { notes } = within;
  const points = outlineOf(area, within);
  if (points.length < 3) {
    notes.leftOut('area_without_outline', `Area ${quoted(shared.label)}: the file has no outline.`, shared);
    return null;
  }
  const capacity = countFrom(area.capacity);
  if (capacity === null) {
    const message = `Area ${quoted(shared.label)} has no capacity in the file. It got 0. Set its capacity.`;
    notes.ambiguous('area_without_capacity', message, shared);
  }
  if (isTrue(area.bookAsAWhole)) {
    const message = `Area ${quoted(shared.label)} is sold as a whole in the file. Here its places are sold one by one. Draw a table if it must stay whole.`;
    notes.changed('whole_area', message, shared);
  }
  noteOccupancy(area, shared, notes);
  const categoryKey = within.categories.keyOf(area) ?? within.categoryKey;
  return { type: 'gaArea', ...shared, points, capacity: capacity ?? 0, categoryKey };
}

/** An area here is sold place by place, from 1 to all of them. */
function noteOccupancy(area: Fields, { source, label }: Shared, notes: Notes): void {
  const least = countFrom(area.minOccupancy);
  const most = countFrom(area.maxOccupancy);
  const bounds = [
    ...(least !== null && least > 1 ? [`at least ${least}`] : []),
    ...(most !== null && most > 0 && most !== countFrom(area.capacity) ? [`at most ${most}`] : []),
  ];
  if (bounds.length === 0) return;
  const message = `Area ${quoted(label)} is sold to groups of ${bounds.join(' and ')} in the file. Here its places are sold one by one.`;
  notes.leftOut('area_occupancy', message, { source });
}

/** A circle, a rectangle or a polygon, turned. */
function outlineOf(area: Fields, within: Within): Point[] {
  const own = pointFrom(area.center);
  const rotation = numberOf(area.rotationAngle) ?? 0;
  const type = textOf(area.type);
  const radius1 = numberOf(area.radius1) ?? numberOf(area.radius);
  const radius2 = numberOf(area.radius2);
  const width = numberOf(area.width);
  const height = numberOf(area.height);
  if (own && type !== 'polygon' && type !== 'rectangle' && radius1 !== null) {
    return ellipseOutline(placed(own, within), radius1 * within.scale, (radius2 ?? radius1) * within.scale, rotation);
  }
  if (own && type !== 'polygon' && width !== null && height !== null) {
    return boxOutline(placed(own, within), width * within.scale, height * within.scale, rotation);
  }
  return pointsFrom(area.points).map((point) => placed(point, within));
}
