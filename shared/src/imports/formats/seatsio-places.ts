/** Reads the places of a seats.io drawing: rows, tables, booths and areas of general admission. */
import type { AccessibilityKind } from '../../chart/accessibility.ts';
import type { Point } from '../../chart/plan.ts';
import {
  boxOutline,
  countFrom,
  ellipseOutline,
  type Fields,
  isTrue,
  moved,
  numberOf,
  objectsOf,
  pictureUrlOf,
  pointFrom,
  pointsFrom,
  textOf,
} from '../reading.ts';
import { countOf, type Notes, quoted } from '../report.ts';
import type { FoundArea, FoundBooth, FoundRow, FoundSeat, FoundTable } from '../venue.ts';

/** The drawing that an object is in. */
export type Within = {
  /** The drawing's corner, and its units in units of the file. */
  at: Point;
  scale: number;
  section: string | null;
  /** The category of places without one. */
  categoryKey: string | null;
  /** Categories whose places are all accessible. */
  accessible: ReadonlySet<string>;
  notes: Notes;
};

export function placed(point: Point, { at, scale }: Within): Point {
  return moved({ x: point.x * scale, y: point.y * scale }, at);
}

/** The fields that all places share, and the way to name the object in notes. */
function sharedOf(object: Fields, kind: string, within: Within) {
  const { notes } = within;
  const own = textOf(object.label);
  const label = own ?? '?';
  const section = textOf(object.sectionLabel) ?? within.section;
  const source = textOf(object.uuid) ?? `${kind} ${section === null ? '' : `${section}-`}${label}`;
  if (own === null) {
    notes.ambiguous('no_label', `A ${kind} has no label in the file. It is labelled "?". Give it its label.`, {
      source,
    });
  }
  const entrance = textOf(object.entrance);
  const view = pictureUrlOf(object.viewFromYourSeatImage);
  return {
    source,
    section,
    label,
    displayLabel: textOf(object.displayLabel) ?? textOf(object.displayedLabel),
    extra: { ...(entrance !== null && { entrance }), ...(view !== null && { viewFromSeatUrl: view }) },
  };
}

/** Null for a row without seats. */
export function readRow(row: Fields, within: Within): FoundRow | null {
  const shared = sharedOf(row, 'row', within);
  const seats = readSeats(row.seats, shared, within);
  if (seats.length === 0) {
    within.notes.leftOut('empty_row', `Row ${quoted(shared.label)} has no seats.`, shared);
    return null;
  }
  return { type: 'row', ...shared, seats };
}

function readSeats(list: unknown, { source, label }: { source: string; label: string }, within: Within): FoundSeat[] {
  const seats: FoundSeat[] = [];
  let unplaced = 0;
  let hasEntrances = false;
  for (const [index, seat] of objectsOf(list).entries()) {
    const at = pointFrom(seat);
    if (at === null) unplaced++;
    else seats.push({ ...placed(at, within), ...seatOf(seat, index, within) });
    hasEntrances ||= textOf(seat.entrance) !== null;
  }
  const { notes } = within;
  if (unplaced > 0) {
    const message = `${countOf(unplaced, 'seat')} of ${quoted(label)}: the file has no position. Add them to the row.`;
    notes.leftOut('seat_without_position', message, { source });
  }
  const nameless = seats.filter(({ number }) => number.startsWith('?')).length;
  if (nameless > 0) {
    const message = `${countOf(nameless, 'seat')} of ${quoted(label)} ${nameless === 1 ? 'has' : 'have'} no number in the file, and got "?" with the place in the row. Number the row anew.`;
    notes.ambiguous('seat_without_number', message, { source });
  }
  if (hasEntrances) {
    notes.leftOut(
      'seat_entrance',
      `Entrances of single seats of ${quoted(label)}. A section or row has one entrance.`,
      { source },
    );
  }
  return seats;
}

function seatOf(seat: Fields, index: number, { categoryKey, accessible }: Within): Omit<FoundSeat, 'x' | 'y'> {
  const own = textOf(seat.categoryKey) ?? categoryKey;
  return {
    number: textOf(seat.label) ?? `?${index + 1}`,
    label: null,
    categoryKey: own,
    kinds: kindsOf(seat, own !== null && accessible.has(own)),
    displayLabel: textOf(seat.displayLabel) ?? textOf(seat.displayedLabel),
    viewUrl: pictureUrlOf(seat.viewFromYourSeatImage),
    isRestrictedView: isTrue(seat.restrictedView),
  };
}

/** The fields of a seat, and the kinds that they mean. */
const kindFields: readonly (readonly [field: string, kind: AccessibilityKind])[] = [
  ['accessible', 'wheelchair'],
  ['companionSeat', 'companion'],
  ['semiAmbulatorySeat', 'semi-ambulatory'],
  ['hearingImpairedSeat', 'hearing'],
  ['hearingImpaired', 'hearing'],
  ['signLanguageSeat', 'sign-language'],
  ['signLanguage', 'sign-language'],
  ['plusSize', 'plus-size'],
  ['plusSizeSeat', 'plus-size'],
  ['liftUpArmrests', 'lift-armrest'],
  ['liftUpArmrestsSeat', 'lift-armrest'],
];

function kindsOf(seat: Fields, isOfAccessibleCategory: boolean): AccessibilityKind[] {
  const kinds = new Set(kindFields.filter(([field]) => isTrue(seat[field])).map(([, kind]) => kind));
  if (isOfAccessibleCategory && (seat.accessible === undefined || seat.accessible === null)) kinds.add('wheelchair');
  return [...kinds];
}

/** Null for a table without a position. */
export function readTable(table: Fields, within: Within): FoundTable | null {
  const shared = sharedOf(table, 'table', within);
  const seats = readSeats(table.seats, shared, within);
  const own = pointFrom(table.center);
  const center = own ? placed(own, within) : middleOf(seats);
  if (center === null) {
    within.notes.leftOut('table_without_position', `Table ${quoted(shared.label)}: the file has no position.`, shared);
    return null;
  }
  const [width, height] = [numberOf(table.width), numberOf(table.height)];
  const isRound = textOf(table.type) === 'round' || width === null || height === null;
  const shape = isRound
    ? ({ kind: 'round', radius: (numberOf(table.radius) ?? 24) * within.scale } as const)
    : ({ kind: 'rect', width: width * within.scale, height: height * within.scale } as const);
  const booking = bookingOf(table, seats.length);
  noteMixedTable(seats, booking, shared, within.notes);
  const rotation = numberOf(table.rotationAngle) ?? 0;
  const categoryKey = textOf(table.categoryKey) ?? null;
  return { type: 'table', ...shared, center, shape, rotation, seats, categoryKey, booking };
}

function bookingOf(table: Fields, chairs: number): FoundTable['booking'] {
  if (!isTrue(table.bookAsAWhole)) return { mode: 'individual', minOccupancy: null, maxOccupancy: null };
  if (!isTrue(table.variableOccupancy)) return { mode: 'whole', minOccupancy: null, maxOccupancy: null };
  const maxOccupancy = countFrom(table.maxOccupancy) ?? chairs;
  return { mode: 'variable', minOccupancy: countFrom(table.minOccupancy) ?? 1, maxOccupancy };
}

function noteMixedTable(
  seats: readonly FoundSeat[],
  { mode }: FoundTable['booking'],
  { source, label }: { source: string; label: string },
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
  const categoryKey = textOf(booth.categoryKey) ?? within.categoryKey;
  return { type: 'booth', ...shared, ...box, rotation: numberOf(booth.rotationAngle) ?? 0, categoryKey };
}

const BOOTH_SIDE = 20;

function boxOf(booth: Fields, within: Within): { center: Point; width: number; height: number } | null {
  const points = pointsFrom(booth.points).map((point) => placed(point, within));
  const [xs, ys] = [points.map(({ x }) => x), points.map(({ y }) => y)];
  const [width, height] = [numberOf(booth.width), numberOf(booth.height)];
  const size = { width: (width ?? BOOTH_SIDE) * within.scale, height: (height ?? BOOTH_SIDE) * within.scale };
  const center = pointFrom(booth.center);
  if (center) return { center: placed(center, within), ...size };
  const corner = pointFrom(booth.topLeft) ?? pointFrom(booth);
  if (corner) return { center: moved(placed(corner, within), { x: size.width / 2, y: size.height / 2 }), ...size };
  if (points.length === 0) return null;
  const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
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
  const categoryKey = textOf(area.categoryKey) ?? within.categoryKey;
  return { type: 'gaArea', ...shared, points, capacity: capacity ?? 0, categoryKey };
}

/** A circle, a rectangle or a polygon, turned. */
function outlineOf(area: Fields, within: Within): Point[] {
  const own = pointFrom(area.center);
  const rotation = numberOf(area.rotationAngle) ?? 0;
  const type = textOf(area.type);
  const [radius1, radius2] = [numberOf(area.radius1) ?? numberOf(area.radius), numberOf(area.radius2)];
  const [width, height] = [numberOf(area.width), numberOf(area.height)];
  if (own && type !== 'polygon' && type !== 'rectangle' && radius1 !== null) {
    return ellipseOutline(placed(own, within), radius1 * within.scale, (radius2 ?? radius1) * within.scale, rotation);
  }
  if (own && type !== 'polygon' && width !== null && height !== null) {
    return boxOutline(placed(own, within), width * within.scale, height * within.scale, rotation);
  }
  return pointsFrom(area.points).map((point) => placed(point, within));
}
