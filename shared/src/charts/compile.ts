/**
 * Compiles a published chart document to a `Plan`. Pure: the same document always gives the same units under the same
 * numbers, on every service. `publishIssues` (publish-issues.ts) checks that a document can be compiled; here a broken
 * document is a bug.
 */
import { Fault } from '../protocol/errors.ts';
import { wayOf, ways } from './accessibility.ts';
import type { ChartDocument, Floor, Row, Section } from './document.ts';
import { isChairRing, spacingOf } from './geometry.ts';
import { sectionFinder } from './membership.ts';
import { seatNumberIn } from './numbering.ts';
import { objectWords } from './place-names.ts';
import {
  bookingModeOf,
  centreOf,
  draftSeatTotal,
  type FloorObjects,
  hasSeats,
  isSeller,
  occupancyOf,
  type Place,
  partsOf,
  placesOf,
  type Seller,
} from './places.ts';
import {
  isArea,
  type Plan,
  type PlanObject,
  type PlanSection,
  type Point,
  type UnitColumn,
  ungroupedSection,
} from './plan.ts';
import { TextColumn } from './text-column.ts';
import { UnitLabels } from './unit-labels.ts';

export { categorySeats, draftCategorySeats, draftSeatTotal } from './places.ts';

/** Columns by unit, filled as objects are compiled. */
type Columns = Pick<Plan, 'objectOfUnit' | 'indexOfUnit' | 'categoryOfUnit' | 'accessibilityOfUnit'> &
  Positions & { wayOfUnit: Uint8Array };

/** In the coordinates of the document. */
type Positions = { x: Float64Array; y: Float64Array };

type Location = Pick<PlanObject, 'section' | 'outlineId' | 'zoneId'> & { outline: Section | null };

type Sections = { list: PlanSection[]; indexById: Map<string, number>; ownIds: string[] };

/**
 * The plan of a document without publish issues, named by `hash`. Units are numbered in document order, floor by floor.
 * `plan.sections` holds every section of the document, also empty ones, and `__ungrouped__` at its end.
 * Throws a `Fault` for a document that should not have been published.
 */
export function compilePlan(document: ChartDocument, hash: string): Plan {
  const columns = emptyColumns(draftSeatTotal(document));
  const labels: string[] = [];
  const seatNames: string[] = [];
  const categoryIndex = new Map(document.categories.map((category, index) => [category.key, index]));
  const parts = partsOf(document);
  const sections = sectionsOf(parts);
  const objects: PlanObject[] = [];
  const floorFocalPoints: (Point | null)[] = [];
  for (const part of parts) {
    const locate = locatorOf(part, sections);
    const floorFocalPoint = part.floor ? pointOf(part.floor.focalPoint) : null;
    let before: Seller | null = null;
    for (const object of part.objects) {
      if (!isSeller(object)) continue;
      const places = placesOf(object);
      if (places.length === 0) continue;
      appendPlaces(columns, labels, places, objects.length, categoryIndex);
      for (const place of places) seatNames.push(ownNameOf(place, object));
      const location = locate(centreOf(object, places));
      fillWays(columns.wayOfUnit, labels.length - places.length, places, object, location.outline);
      const made = planObjectOf(object, places, labels.length, location, part.floor);
      made.continues = before !== null && continuesRow(object, before) && isSameDivision(made, objects.at(-1)!);
      objects.push(made);
      before = object;
      floorFocalPoints.push(floorFocalPoint);
    }
  }
  const unitLabels = UnitLabels.of(labels);
  return {
    hash,
    name: document.name,
    adjusted: document.eventAdjustments !== undefined,
    refusesMissingPrices: document.missingPrices === 'refused',
    priceUnit: document.priceUnit ?? null,
    unitCount: labels.length,
    categories: document.categories,
    zones: (document.zones ?? []).map(({ id, label, focalPoint }) => ({
      id,
      label,
      focalPoint: focalPoint ? pointOf(focalPoint) : null,
    })),
    sections: sections.list,
    scopeIds: scopesOf(document, sections),
    objects,
    focalPoint: pointOf(document.focalPoint),
    floorFocalPoints,
    labels: unitLabels,
    seatNames: seatNames.some((name) => name !== '') ? TextColumn.of(seatNames) : null,
    areaByLabel: areasOf(objects),
    ...aroundCentre(columns),
    accessibilityOfUnit: columns.accessibilityOfUnit,
    wayOfUnit: columns.wayOfUnit.some((way) => way !== 0) ? columns.wayOfUnit : null,
    companionOf: companionsOf(parts, unitLabels),
    objectOfUnit: narrowed(columns.objectOfUnit),
    indexOfUnit: narrowed(columns.indexOfUnit),
    categoryOfUnit: narrowed(columns.categoryOfUnit),
  };
}

/** `plan.scopeIds` without the rest of the plan. */
export function scopeIdsOf(document: ChartDocument): ReadonlySet<string> {
  return scopesOf(document, sectionsOf(partsOf(document)));
}

function scopesOf({ zones = [] }: ChartDocument, { indexById, ownIds }: Sections): Set<string> {
  return new Set([...indexById.keys(), ...ownIds, ...zones.map(({ id }) => id)]);
}

const pointOf = ({ x, y }: Point): Point => ({ x, y });

function emptyColumns(unitCount: number): Columns {
  return {
    objectOfUnit: new Uint32Array(unitCount),
    indexOfUnit: new Uint32Array(unitCount),
    categoryOfUnit: new Uint32Array(unitCount),
    accessibilityOfUnit: new Uint8Array(unitCount),
    wayOfUnit: new Uint8Array(unitCount),
    x: new Float64Array(unitCount),
    y: new Float64Array(unitCount),
  };
}

/**
 * Sections in document order. Sections that share a logicalSectionId become one section at the place of the first. The
 * label comes from the first, and the zone from the first that names a zone.
 */
function sectionsOf(parts: readonly FloorObjects[]): Sections {
  const byId = new Map<string, PlanSection>();
  const ownIds: string[] = [];
  for (const { objects } of parts) {
    for (const object of objects) {
      if (object.type !== 'section') continue;
      const id = planSectionId(object);
      ownIds.push(object.id);
      const known = byId.get(id);
      if (!known) byId.set(id, { id, label: object.label, zoneId: object.zone ?? null });
      else known.zoneId ??= object.zone ?? null;
    }
  }
  const list = [...byId.values(), { id: ungroupedSection, label: 'Ungrouped', zoneId: null }];
  return { list, indexById: new Map(list.map(({ id }, index) => [id, index])), ownIds };
}

function planSectionId(section: Section): string {
  return section.logicalSectionId ?? section.id;
}

/** Finds the section and zone at a centre. Floors may overlap, so each floor looks among its own outlines. */
function locatorOf(part: FloorObjects, sections: Sections): (centre: Point) => Location {
  const outlines = part.objects.filter((object) => object.type === 'section');
  const find = sectionFinder(outlines);
  const ungrouped = { section: sections.list.length - 1, outlineId: null, zoneId: null, outline: null };
  return (centre) => {
    const outline = outlines[find(centre)];
    if (!outline) return ungrouped;
    const section = sections.indexById.get(planSectionId(outline))!;
    return { section, outlineId: outline.id, zoneId: outline.zone ?? null, outline };
  };
}

/** By unit, for the few places whose override names their wheelchair place. */
function companionsOf(parts: readonly FloorObjects[], labels: UnitLabels): Map<number, number> {
  const companionOf = new Map<number, number>();
  for (const object of parts.flatMap(({ objects }) => objects)) {
    if (!hasSeats(object) || !object.overrides?.some((override) => override.companionOf !== undefined)) continue;
    for (const place of placesOf(object)) {
      const of = place.companionOf === undefined ? undefined : labels.unitOf(place.companionOf);
      if (of !== undefined) companionOf.set(labels.unitOf(place.label)!, of);
    }
  }
  return companionOf;
}

function appendPlaces(
  columns: Columns,
  labels: string[],
  places: readonly Place[],
  objectIndex: number,
  categoryIndex: ReadonlyMap<string, number>,
): void {
  for (const place of places) {
    const unit = labels.length;
    const category = categoryIndex.get(place.categoryKey);
    if (category === undefined) throw new Fault(`compile plan: ${place.label} is of unknown category`);
    labels.push(place.label);
    columns.objectOfUnit[unit] = objectIndex;
    columns.indexOfUnit[unit] = place.index;
    columns.categoryOfUnit[unit] = category;
    columns.accessibilityOfUnit[unit] = place.accessibility;
    columns.x[unit] = place.x;
    columns.y[unit] = place.y;
  }
}

function fillWays(
  column: Uint8Array,
  first: number,
  places: readonly Place[],
  object: Seller,
  section: Section | null,
) {
  for (const [i, { way }] of places.entries()) {
    const its = wayOf(way, object, section);
    if (its !== null) column[first + i] = 1 + ways.indexOf(its);
  }
}

/** A display label that only repeats the seat's number is none. */
function ownNameOf({ label, displayLabel }: Place, object: Seller): string {
  return displayLabel === seatNumberIn(label, object.label) ? '' : displayLabel;
}

/** `unitsSoFar` counts units up to and including this object's units. */
function planObjectOf(
  object: Seller,
  places: readonly Place[],
  unitsSoFar: number,
  { outline, ...location }: Location,
  floor: Floor | null,
): PlanObject {
  return {
    id: object.id,
    label: object.label,
    ...objectWords(object, outline, floor),
    type: object.type,
    ...location,
    firstUnit: unitsSoFar - places.length,
    unitCount: places.length,
    bookingMode: bookingModeOf(object),
    ...occupancyOf(object),
    continues: false,
    seatSpacing: object.type === 'row' ? spacingOf(object) : 0,
    isRing: object.type === 'table' && isChairRing(object),
  };
}

function continuesRow(second: Seller, first: Seller): boolean {
  return second.type === 'row' && first.type === 'row' && continuesPiece(second.segmentedRow, first.segmentedRow);
}

type Piece = Row['segmentedRow'];

/**
 * Rows in pieces. A piece is a row of the chart that names its group and its place in the group. Where nothing parts a
 * piece from the piece before, the last seat of one and the first seat of the other are neighbours. Pure.
 *
 * Whether both are pieces of one row, and nothing parts the second piece from the first.
 */
function continuesPiece(second: Piece, first: Piece): boolean {
  if (!second || !first || second.kind !== 'segmented-row-v1' || first.kind !== second.kind) return false;
  if (second.boundaryBefore !== 'continuous' || typeof second.groupId !== 'string') return false;
  return first.groupId === second.groupId && second.componentIndex === Number(first.componentIndex) + 1;
}

/** Availability opens and closes objects by division. A row therefore ends where its division ends. */
function isSameDivision(a: PlanObject, b: PlanObject): boolean {
  return a.section === b.section && a.outlineId === b.outlineId && a.zoneId === b.zoneId;
}

/** Metres of a map projection have seven digits before the point, and a Float32 has room for seven digits. */
function aroundCentre({ x, y }: Positions): Pick<Plan, 'centre' | 'x' | 'y'> {
  const centre = { x: middleOf(x), y: middleOf(y) };
  return {
    centre,
    x: Float32Array.from(x, (each) => each - centre.x),
    y: Float32Array.from(y, (each) => each - centre.y),
  };
}

/** Halfway between the least and the greatest value; 0 without values. */
function middleOf(values: Float64Array): number {
  let least = Number.POSITIVE_INFINITY;
  let greatest = Number.NEGATIVE_INFINITY;
  for (const value of values) {
    if (value < least) least = value;
    if (value > greatest) greatest = value;
  }
  return values.length === 0 ? 0 : least + (greatest - least) / 2;
}

function narrowed(column: UnitColumn): UnitColumn {
  let greatest = 0;
  for (const value of column) if (value > greatest) greatest = value;
  if (greatest < 2 ** 8) return Uint8Array.from(column);
  return greatest < 2 ** 16 ? Uint16Array.from(column) : column;
}

/** Indexes of `objects`. */
function areasOf(objects: readonly PlanObject[]): Map<string, number> {
  const areaByLabel = new Map<string, number>();
  for (let index = 0; index < objects.length; index++) {
    const object = objects[index]!;
    if (isArea(object)) areaByLabel.set(object.label, index);
  }
  return areaByLabel;
}
