/**
 * Makes the chart document of a venue that a format has read, and the report. Every unit of the document has a category
 * and a label, and stands where the file has it (`seatToleranceUnits`).
 */
import type { ChartDocument, ChartObject, Section } from '../document.ts';
import { pointsOf, supposedFocalPoint } from '../focal-point.ts';
import type { Seller } from '../places.ts';
import type { Point } from '../plan.ts';
import { publishIssues } from '../publish-issues.ts';
import { completeCategories } from './categories.ts';
import { countsOf } from './counts.ts';
import { noteDamage } from './damage.ts';
import { roundedPoint, roundUnits } from './fitting/fit-line.ts';
import { fitRow } from './fitting/fit-row.ts';
import { fitTable } from './fitting/fit-table.ts';
import { cleanText } from './reading.ts';
import {
  checkSeatCount,
  type ImportFormat,
  type ImportNote,
  type ImportReport,
  type Notes,
  quoted,
  sourceName,
  Unimportable,
} from './report.ts';
import { scaleOf, scaleVenue } from './scale.ts';
import { noteStrays, outlineAround, smallestFirst } from './section-outlines.ts';
import {
  type FoundDecor,
  type FoundFloor,
  type FoundPicture,
  type FoundSection,
  type FoundSeller,
  type FoundVenue,
  isFoundSeller,
} from './venue.ts';

export type Imported = { document: ChartDocument; report: ImportReport };

type AssembledObject = { object: Seller; section: string | null; source: string };

/** `venue` is used up. Throws `Unimportable` where no chart can hold it. */
export function assemble(
  venue: FoundVenue,
  { format, version, notes }: { format: ImportFormat; version: string | null; notes: Notes },
): Imported {
  checkSize(venue);
  const scale = scaleOf(venue);
  scaleVenue(venue, scale);
  if (scale !== 1) {
    notes.changed(
      'scaled',
      `All positions are ${scale} times those of the file, so that seats stand about 20 units apart.`,
    );
  }
  const categories = completeCategories(venue, notes);
  noteDamage(venue, notes);
  const labelOf = sectionLabels(venue, notes);
  const ids = new Ids();
  const floors = venue.floors.map((floor) => ({
    id: ids.next('floor'),
    name: floor.name,
    objects: objectsOf(floor, labelOf, ids, notes),
    focalPoint: floor.focalPoint,
    background: floor.background ?? null,
  }));
  const focalPoints = focalPointsOf(venue, floors, notes);
  const known = floors.findIndex(({ focalPoint }) => focalPoint !== null);
  const document = documentOf(venue, { categories, floors, focalPoints, focalPoint: focalPoints[Math.max(known, 0)]! });
  const understood = countsOf(document);
  if (understood.seats + understood.chairs + understood.tables + understood.booths + understood.areas === 0) {
    throw new Unimportable({
      code: 'nothing_found',
      message:
        'The file has no seat, table, booth or standing area that an import understands. Nothing was made of it.',
    });
  }
  const report: ImportReport = {
    format,
    version,
    understood,
    scale,
    notes: named(notes.list, ids),
    notesTotal: notes.total,
    publishIssues: publishIssues(document),
  };
  return { document, report };
}

type AssembledFloor = Pick<FoundFloor, 'name' | 'focalPoint' | 'background'> & { id: string; objects: ChartObject[] };

function documentOf(
  venue: FoundVenue,
  {
    categories,
    floors,
    focalPoints,
    focalPoint,
  }: Pick<ChartDocument, 'categories' | 'focalPoint'> & {
    floors: AssembledFloor[];
    focalPoints: readonly ChartDocument['focalPoint'][];
  },
): ChartDocument {
  const isMixed = floors.some(({ objects }) => objects.some(({ type }) => isSellerOtherThanRow(type)));
  return {
    version: 1,
    name: venue.name,
    venueType: isMixed ? 'MIXED' : 'SIMPLE',
    ...(venue.priceDigits !== null && { priceUnit: 'minor' as const }),
    focalPoint,
    categories,
    ...(venue.zones.length > 0 && { zones: venue.zones.map(zoneOf) }),
    ...(floors.length > 1 && {
      floors: floors.map(({ background, ...floor }, at) => ({
        ...floor,
        focalPoint: focalPoints[at]!,
        ...(background && { backgroundImage: pictureOf(background) }),
      })),
    }),
    objects: floors[0]!.objects,
    ...(venue.background && { backgroundImage: pictureOf(venue.background) }),
  };
}

/**
 * The labels of rows, tables, booths and areas in the chart. The labels of units must differ over the whole chart.
 * Where the same labels stand in several sections of a file, the label of the section comes first in all of them:
 * `A-1-12`.
 */
type LabelOf = (item: FoundSeller) => string;

function sectionLabels(venue: FoundVenue, notes: Notes): LabelOf {
  const withSection: LabelOf = (item) =>
    item.section === null || (item.type === 'row' && item.isNameless) ? item.label : `${item.section}-${item.label}`;
  if (venue.areSectionsInLabels) return withSection;
  const repeated = repeatedLabel(venue);
  if (repeated === null) return ({ label }) => label;
  notes.changed(
    'section_in_labels',
    `Several sections have the label ${quoted(repeated)}. Labels differ over the whole chart, so every label starts ` +
      'with its section, as A-1-12 for seat 12 of row 1 of section A.',
  );
  return withSection;
}

/** A label that stands in two sections; null if there is none. */
function repeatedLabel({ floors }: FoundVenue): string | null {
  const sectionOf = new Map<string, string | null>();
  for (const item of floors.flatMap(({ items }) => items)) {
    if (!isFoundSeller(item)) continue;
    for (const label of labelsOf(item)) {
      const other = sectionOf.get(label);
      if (other !== undefined && other !== item.section) return cleanText(label);
      sectionOf.set(label, item.section);
    }
  }
  return null;
}

function labelsOf(item: FoundSeller): string[] {
  const isByChair = item.type === 'row' || (item.type === 'table' && item.booking.mode === 'individual');
  if (!isByChair) return [item.label];
  return item.seats.map((seat) => seat.label ?? `${item.label}-${seat.number}`);
}

function checkSize({ floors }: FoundVenue): void {
  let seats = 0;
  let others = 0;
  for (const item of floors.flatMap(({ items }) => items)) {
    if (item.type === 'row' || item.type === 'table') seats += item.seats.length;
    else if (item.type === 'booth') others++;
    else if (item.type === 'gaArea') others += item.capacity;
  }
  checkSeatCount(seats + others, others === 0 ? 'seat' : 'place');
}

class Ids {
  readonly #last = new Map<string, number>();
  /** The object that was made of a source; null for a source of several objects. */
  readonly ofSource = new Map<string, string | null>();

  next(prefix: string, source?: string): string {
    const number = (this.#last.get(prefix) ?? 0) + 1;
    this.#last.set(prefix, number);
    const id = `${prefix}-${number}`;
    if (source !== undefined) {
      const name = sourceName(source);
      this.ofSource.set(name, this.ofSource.has(name) ? null : id);
    }
    return id;
  }
}

/** Decoration lies lowest, then the sections, then the places. */
function objectsOf({ items }: FoundFloor, labelOf: LabelOf, ids: Ids, notes: Notes): ChartObject[] {
  const made = items.filter(isFoundSeller).flatMap((item) => {
    const label = labelOf(item);
    // A label that begins with its section is shown without it.
    const displayLabel = item.displayLabel ?? (label === item.label ? null : item.label);
    return madeOf({ ...item, displayLabel }, label, ids);
  });
  const decor = items.filter((item) => 'place' in item).map((item) => decorOf(item, ids));
  const sections = smallestFirst(
    items
      .filter((item) => item.type === 'section')
      .flatMap((item) => sectionOf(item, made, ids) ?? notAnOutline(item, notes)),
    made,
  );
  noteStrays(sections, made, notes);
  return [...decor, ...sections, ...made.map(({ object }) => object)];
}

function madeOf(item: FoundSeller, label: string, ids: Ids): AssembledObject[] {
  const { section, source } = item;
  const made = (object: Seller): AssembledObject => ({ object, section, source });
  const shared = {
    label,
    ...(item.displayLabel !== null && { displayLabel: item.displayLabel }),
    categoryKey: item.type === 'row' ? '' : (item.categoryKey ?? ''),
    ...item.extra,
  };
  switch (item.type) {
    case 'row': {
      const id = ids.next('row', source);
      return fitRow(item, label, (piece) => (piece === 0 ? id : `${id}-${piece + 1}`)).map(made);
    }
    case 'table':
      return [made(fitTable(item, label, ids.next('table', source), ''))];
    case 'booth': {
      const size = { width: roundUnits(item.width), height: roundUnits(item.height), rotation: item.rotation };
      return [
        made({ type: 'booth', id: ids.next('booth', source), center: roundedPoint(item.center), ...size, ...shared }),
      ];
    }
    case 'gaArea': {
      const place = { points: item.points.map(roundedPoint), capacity: item.capacity };
      return [made({ type: 'gaArea', id: ids.next('area', source), ...place, ...shared })];
    }
  }
}

/** Null for a section without an outline and without anything in it. */
function sectionOf(found: FoundSection, made: readonly AssembledObject[], ids: Ids): Section | null {
  const inside = () => made.filter(({ section }) => section === found.label).flatMap(({ object }) => pointsOf(object));
  const points = found.outline?.map(roundedPoint) ?? inside();
  if (points.length === 0) return null;
  return {
    type: 'section',
    id: ids.next('section', found.source),
    label: found.label,
    ...(found.displayLabel !== null && { displayLabel: found.displayLabel }),
    outline: found.outline ? points : outlineAround(points),
    ...(found.zone !== null && { zone: found.zone }),
    ...found.extra,
  };
}

function notAnOutline({ label, source }: FoundSection, notes: Notes): never[] {
  notes.leftOut('section_without_outline', `Section ${label} has neither an outline nor seats.`, { source });
  return [];
}

function decorOf({ type, source, place, fontSize, fields }: FoundDecor, ids: Ids): ChartObject {
  const id = ids.next(type === 'decorImage' ? 'image' : type, source);
  const size = fontSize === null ? {} : { fontSize: roundUnits(fontSize) };
  if ('points' in place) return { type, id, points: place.points.map(roundedPoint), ...size, ...fields };
  const { center, width, height, rotation } = place;
  return {
    type,
    id,
    center: roundedPoint(center),
    ...(width !== null && { width: roundUnits(width) }),
    ...(height !== null && { height: roundUnits(height) }),
    rotation,
    ...size,
    ...fields,
  };
}

function zoneOf({ id, label, color, focalPoint }: FoundVenue['zones'][number]) {
  return { id, label, ...(color !== null && { color }), ...(focalPoint && { focalPoint: roundedPoint(focalPoint) }) };
}

function pictureOf({ url, center, width, height, opacity }: FoundPicture) {
  const size = { width: roundUnits(width), height: roundUnits(height) };
  return { url, center: roundedPoint(center), ...size, ...(opacity !== null && { opacity }) };
}

/** The middle of the focal points of zones. Best-available measures from it where a place has no zone of its own. */
function focalPointOfZones({ zones, floors }: FoundVenue, notes: Notes): Point | null {
  const withPoint = new Map(zones.flatMap(({ id, focalPoint }) => (focalPoint ? [[id, focalPoint] as const] : [])));
  const points = [...withPoint.values()];
  if (points.length === 0) return null;
  const items = floors.flatMap((floor) => floor.items);
  const zoned = new Set(
    items.flatMap((item) => (item.type === 'section' && withPoint.has(item.zone ?? '') ? [item.label] : [])),
  );
  if (items.some((item) => isFoundSeller(item) && !zoned.has(item.section ?? ''))) {
    notes.ambiguous(
      'no_focal_point',
      'The file says where the stage is for its zones alone. For all other places the focal point is the middle of the ' +
        'focal points of the zones. Move it to the stage.',
    );
  }
  const sum = points.reduce((all, { x, y }) => ({ x: all.x + x, y: all.y + y }), { x: 0, y: 0 });
  return { x: sum.x / points.length, y: sum.y / points.length };
}

/** By floor. A floor without one has the first that the file gives. Without any the points are supposed. */
function focalPointsOf(
  venue: FoundVenue,
  floors: readonly { objects: readonly ChartObject[]; focalPoint: Point | null }[],
  notes: Notes,
): ChartDocument['focalPoint'][] {
  const given = floors.find(({ focalPoint }) => focalPoint !== null)?.focalPoint ?? focalPointOfZones(venue, notes);
  if (given) return floors.map(({ focalPoint }) => roundedPoint(focalPoint ?? given));
  notes.ambiguous(
    'no_focal_point',
    'The file does not say where the best seats are. The focal point is in the middle of the stage, or above the middle ' +
      'of the seats where no stage is drawn: best-available measures from it. Look at it on the map.',
  );
  return floors.map(({ objects }) => {
    const others = floors.flatMap((floor) => (floor.objects === objects ? [] : floor.objects));
    return { ...roundedPoint(supposedFocalPoint(objects, others) ?? { x: 0, y: 0 }), supposed: true };
  });
}

function isSellerOtherThanRow(type: ChartObject['type']): boolean {
  return type === 'table' || type === 'booth' || type === 'gaArea';
}

/** Gives the notes the ids of their objects. A note of several objects names none of them. */
function named(notes: readonly ImportNote[], { ofSource }: Ids): ImportNote[] {
  return notes.map((note) => {
    const objectId = note.objectId ?? ofSource.get(note.source ?? '') ?? null;
    return objectId === null ? note : { ...note, objectId };
  });
}
