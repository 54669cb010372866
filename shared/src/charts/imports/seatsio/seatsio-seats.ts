/** Reads what all places of a seats.io drawing share, and the seats of its rows and tables. */
import type { AccessibilityKind } from '../../accessibility.ts';
import type { Point } from '../../plan.ts';
import {
  type Fields,
  fieldsOf,
  isAltered,
  isTrue,
  moved,
  objectsOf,
  pictureUrlOf,
  pointFrom,
  textOf,
} from '../reading.ts';
import { countOf, type Notes, noteAltered, quoted } from '../report.ts';
import type { UnreadFields } from '../unread-fields.ts';
import type { FoundSeat } from '../venue.ts';
import type { SeatsioKind } from './seatsio-fields.ts';

export type Categories = {
  /** The keys of categories whose places are all accessible. */
  accessible: ReadonlySet<string>;
  /** The key that an object names, or the key of the only category with the label that it names. */
  keyOf(object: Fields): string | null;
};

/** The drawing that an object is in. */
export type Within = {
  /** The drawing's corner, and its units in units of the file. */
  at: Point;
  scale: number;
  section: string | null;
  /** The category of places without one. */
  categoryKey: string | null;
  categories: Categories;
  notes: Notes;
  unread: UnreadFields<SeatsioKind>;
};

export function placed(point: Point, { at, scale }: Within): Point {
  return moved({ x: point.x * scale, y: point.y * scale }, at);
}

export type Shared = ReturnType<typeof sharedOf>;

/** Null for the mark of seats.io for an object without a label, too. */
export function labelOf({ label }: Fields): string | null {
  const text = textOf(label);
  return text === '?' ? null : text;
}

/** The fields that all places share, and the way to name the object in notes. */
export function sharedOf(object: Fields, kind: SeatsioKind, within: Within) {
  const { notes } = within;
  within.unread.see(kind, object);
  const own = labelOf(object);
  const label = own ?? '?';
  const section = textOf(object.sectionLabel) ?? within.section;
  const source = notes.nameOf(textOf(object.uuid) ?? `${kind} ${section === null ? '' : `${section}-`}${label}`);
  if (own === null) {
    notes.ambiguous('no_label', `A ${kind} has no label in the file. It is labelled "?". Give it its label.`, {
      source,
    });
  }
  noteAltered(notes, `The label of ${kind} ${quoted(label)}`, Number(isAltered(object.label)), source);
  return {
    source,
    section,
    label,
    displayLabel: textOf(object.displayLabel) ?? textOf(object.displayedLabel),
    extra: extraOf(object, `${kind} ${quoted(label)}`, source, notes),
  };
}

/** The entrance and the view of a section or of a row, table, booth or area. `name` is for notes. */
export function extraOf(object: Fields, name: string, source: string, notes: Notes) {
  const entrance = textOf(object.entrance);
  const view = viewOf(object);
  if (view === 'unreadable') noteViews(notes, `The view from ${name}`, source);
  return {
    ...(entrance !== null && { entrance }),
    ...(view !== null && view !== 'unreadable' && { viewFromSeatUrl: view }),
  };
}

/** The address of the picture, also of one that is an object with an address. */
function viewOf({ viewFromYourSeatImage: view }: Fields): string | 'unreadable' | null {
  if (view === undefined || view === null || view === '' || view === false) return null;
  const fields = fieldsOf(view);
  return [view, fields.url, fields.imageUrl].map(pictureUrlOf).find((each) => each !== null) ?? 'unreadable';
}

function noteViews(notes: Notes, views: string, source: string): void {
  notes.leftOut('view', `${views}: the file has no address of the picture. Upload it again in the designer.`, {
    source,
  });
}

export function readSeats(
  list: unknown,
  { source, label }: { source: string; label: string },
  within: Within,
): FoundSeat[] {
  const seats: FoundSeat[] = [];
  const counts = { unplaced: 0, nameless: 0, altered: 0, distanced: 0, views: 0, entrances: 0 };
  for (const [index, seat] of objectsOf(list).entries()) {
    within.unread.see('seat', seat);
    const at = pointFrom(seat);
    const { isViewUnreadable, ...found } = seatOf(seat, index, within);
    if (at === null) {
      counts.unplaced++;
      continue;
    }
    seats.push({ ...placed(at, within), ...found });
    if (labelOf(seat) === null) counts.nameless++;
    if (isAltered(seat.label)) counts.altered++;
    if (isTrue(seat.disabledBySocialDistancingRules)) counts.distanced++;
    if (isViewUnreadable) counts.views++;
    if (textOf(seat.entrance) !== null) counts.entrances++;
  }
  noteSeats(counts, quoted(label), source, within.notes);
  return seats;
}

type SeatCounts = Record<'unplaced' | 'nameless' | 'altered' | 'distanced' | 'views' | 'entrances', number>;

function noteSeats(counts: SeatCounts, of: string, source: string, notes: Notes): void {
  const { unplaced, nameless, altered, distanced, views, entrances } = counts;
  if (unplaced > 0) {
    const message = `${countOf(unplaced, 'seat')} of ${of}: the file has no position. Add them to the row.`;
    notes.leftOut('seat_without_position', message, { source });
  }
  if (nameless > 0) {
    const message = `${countOf(nameless, 'seat')} of ${of} ${nameless === 1 ? 'has' : 'have'} no number in the file, and got "?" with the place in the row. Number the row anew.`;
    notes.ambiguous('seat_without_number', message, { source });
  }
  noteAltered(notes, `The numbers of ${countOf(altered, 'seat')} of ${of}`, altered, source);
  if (distanced > 0) {
    const message = `${countOf(distanced, 'seat')} of ${of} ${distanced === 1 ? 'is' : 'are'} closed in the file to keep people apart. Here every seat is on sale. Take them off sale in the event.`;
    notes.changed('social_distancing', message, { source });
  }
  if (views > 0) noteViews(notes, `The views from ${countOf(views, 'seat')} of ${of}`, source);
  if (entrances > 0) {
    const message = `Entrances of single seats of ${of}. A section or row has one entrance.`;
    notes.leftOut('seat_entrance', message, { source });
  }
}

function seatOf(seat: Fields, index: number, { categoryKey, categories }: Within) {
  const own = categories.keyOf(seat) ?? categoryKey;
  const view = viewOf(seat);
  return {
    number: labelOf(seat) ?? `?${index + 1}`,
    label: null,
    categoryKey: own,
    kinds: kindsOf(seat, own !== null && categories.accessible.has(own)),
    displayLabel: textOf(seat.displayLabel) ?? textOf(seat.displayedLabel),
    viewUrl: view === 'unreadable' ? null : view,
    isRestrictedView: isTrue(seat.restrictedView),
    isViewUnreadable: view === 'unreadable',
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
