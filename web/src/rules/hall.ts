/**
 * A chart as the picker draws and walks it, made of the buyer's chart document. A spot is chosen alone (a seat, a
 * chair, a booth, a table sold as a whole). It has a number from 0, which is its index in each column. Places of
 * general admission are no spots: an area is chosen by quantity. A block is drawn as a single shape from afar: a
 * section, or a part of the seats in no section. Pure; positions, labels and membership come from the server's own
 * chart modules.
 */
import { accessibilityKinds, type Way, wayOf, ways } from '@parterre/shared/charts/accessibility';
import type { Category, ChartDocument, ChartObject, GaArea, Section } from '@parterre/shared/charts/document';
import { chairPositions } from '@parterre/shared/charts/geometry';
import { sectionFinder } from '@parterre/shared/charts/membership';
import { objectName, objectWords, seatName } from '@parterre/shared/charts/place-names';
import {
  bookingModeOf,
  centreOf,
  isSeller,
  occupancyOf,
  type Place,
  partsOf,
  placesOf,
  type Seller,
} from '@parterre/shared/charts/places';
import type { Point } from '@parterre/shared/charts/plan';
import { type Bounds, boundsOf, growBounds, legibleTurn, noBounds, soundBounds, turnedBounds } from './bounds.ts';
import { type Decor, decorOf, type Picture, pictureOf } from './decor.ts';
import { namedSeats, pictureAddress } from './names.ts';

export type HallObject = {
  id: string;
  label: string;
  /** For people (place-names.ts in `shared`): without the section, which has a name of its own. */
  name: string;
  /** The name of its section; null outside every section. */
  section: string | null;
  entrance: string | null;
  type: Seller['type'];
  mode: 'individual' | 'whole' | 'variable';
  /** Guests that one of its spots takes. */
  min: number;
  max: number;
  floor: number;
  /** The table or booth under its chairs. */
  body: Extract<Seller, { type: 'table' | 'booth' }> | null;
  /** The chairs of a table that is sold as a whole, to be drawn. */
  chairs: readonly Point[];
};

export type Block = {
  label: string;
  floor: number;
  /** Null for seats in no section. */
  outline: readonly Point[] | null;
  holes: readonly (readonly Point[])[];
  /** The angle of its name, in degrees clockwise. */
  turn: number;
  spots: number[];
  bounds: Bounds;
  /** The category of most of its spots. */
  category: number;
};

export type Area = {
  id: string;
  /** Names the area in calls. */
  label: string;
  /** For people. */
  name: string;
  section: string | null;
  entrance: string | null;
  floor: number;
  points: readonly Point[];
  holes: readonly (readonly Point[])[];
  capacity: number;
  /** The labels of its places, by the area that they were made for. `startIndex` 0 is the place numbered 1. */
  segments: NonNullable<GaArea['inventorySegments']>;
  category: number;
  /** As `wayOf` of a spot. */
  way: number;
  centre: Point;
};

export type Hall = {
  name: string;
  categories: readonly Category[];
  floors: readonly string[];
  /** The point of the best view, by floor. */
  focalPoints: Point[];
  objects: HallObject[];
  blocks: Block[];
  areas: Area[];
  decor: Decor[];
  /** The first lie lowest. */
  pictures: Picture[];
  bounds: Bounds;
  /** Addresses of pictures of the view from a seat, by object and, where a seat has its own, by spot. */
  views: { ofObject: Map<number, string>; ofSpot: Map<number, string> };
  /** Spots with a restricted view. */
  restricted: Set<number>;
  /** By spot. */
  labels: string[];
  /** The text on the seat: its display label, else its number. */
  numbers: string[];
  spotOf: Map<string, number>;
  x: number[];
  y: number[];
  /** Diameter in chart units. */
  size: number[];
  categoryOf: number[];
  objectOf: number[];
  /** The number of its place in its row or at its table, skipped places counted. */
  indexOf: number[];
  blockOf: number[];
  /** Bit i is `accessibilityKinds[i]`. */
  accessibilityOf: number[];
  /** 0, or 1 more than the index of its way in `ways`. */
  wayOf: number[];
  /** The labels of the wheelchair places that companions' places name. */
  companionOf: Map<number, string>;
};

const wayNumber = (way: Way | null): number => (way === null ? 0 : 1 + ways.indexOf(way));

/** Bits of `accessibilityOf`. */
export const WHEELCHAIR = 1 << accessibilityKinds.indexOf('wheelchair');
export const COMPANION = 1 << accessibilityKinds.indexOf('companion');

/** Seats in no section are drawn in blocks of this many, so that only visible seats are drawn. */
export const LOOSE_BLOCK_SPOTS = 1_000;
/** The share of the distance to its neighbour that a seat fills. */
const SEAT_SHARE = 0.82;
const CHAIR_SIZE = 18;

export function hallOf(document: ChartDocument): Hall {
  const steps = hallInSteps(document);
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

/** The hall, made step by step: a page that makes a large one may draw between two steps of about a millisecond. */
export function* hallInSteps(document: ChartDocument): Generator<undefined, Hall> {
  const hall = emptyHall(document);
  hall.floors = document.floors?.map(({ name }) => name) ?? [''];
  if (hall.floors.length === 0) hall.floors = [''];
  const indexOf = new Map(document.categories.map(({ key }, index) => [key, index]));
  for (const [floor, part] of partsOf(document).entries()) {
    for (const owner of [document, part.floor]) {
      const picture = pictureOf((owner as { backgroundImage?: unknown } | null)?.backgroundImage, floor);
      if (picture) hall.pictures.push(picture);
    }
    hall.focalPoints.push(part.floor?.focalPoint ?? document.focalPoint);
    yield* addFloor(hall, part.objects, floor, (key) => indexOf.get(key) ?? 0);
  }
  for (const block of hall.blocks) {
    finish(hall, block);
    yield;
  }
  hall.blocks = hall.blocks.filter((block) => block.spots.length > 0 || block.outline !== null);
  for (const [index, block] of hall.blocks.entries()) for (const spot of block.spots) hall.blockOf[spot] = index;
  hall.bounds = extentOfHall(hall);
  return hall;
}

/** Around all that is drawn; the ground of an empty hall for nothing. */
export function extentOfHall({ blocks, decor, pictures, areas }: Hall): Bounds {
  const all = noBounds();
  for (const { bounds } of blocks) growBounds(all, bounds);
  for (const { bounds, rotation: by } of [...decor, ...pictures]) if (bounds) growBounds(all, turnedBounds(bounds, by));
  for (const area of areas) growBounds(all, boundsOf(area.points));
  return soundBounds(all);
}

/** A hall of one floor without objects, with the categories of a document. */
export function emptyHall(document: ChartDocument): Hall {
  return {
    name: document.name,
    categories: document.categories,
    floors: [''],
    focalPoints: [],
    objects: [],
    blocks: [],
    areas: [],
    decor: [],
    pictures: [],
    bounds: soundBounds(noBounds()),
    views: { ofObject: new Map(), ofSpot: new Map() },
    restricted: new Set(),
    labels: [],
    numbers: [],
    spotOf: new Map(),
    x: [],
    y: [],
    size: [],
    categoryOf: [],
    objectOf: [],
    indexOf: [],
    blockOf: [],
    accessibilityOf: [],
    wayOf: [],
    companionOf: new Map(),
  };
}

/** The index of a category by its key. */
export type CategoryIndex = (key: string) => number;

/** Objects of one step. */
const STEP_OBJECTS = 20;

function* addFloor(
  hall: Hall,
  objects: readonly ChartObject[],
  floor: number,
  categories: CategoryIndex,
): Generator<undefined, void> {
  const sections = objects.filter((object) => object.type === 'section');
  const find = sectionFinder(sections);
  const firstBlock = hall.blocks.length;
  for (const section of sections) hall.blocks.push(blockOf(section, floor));
  let loose: Block | null = null;
  for (const [at, object] of objects.entries()) {
    if (at % STEP_OBJECTS === 0) yield;
    if (object.type === 'gaArea') {
      const section = sections[find(centreOf(object, []))] ?? null;
      hall.areas.push(areaOf(object, section, floor, categories));
    } else if (isSeller(object)) {
      const places = placesOf(object);
      if (places.length === 0) continue;
      const index = find(centreOf(object, places));
      const section = sections[index] ?? null;
      if (section === null && (loose === null || loose.spots.length >= LOOSE_BLOCK_SPOTS)) {
        loose = blockOf(null, floor);
        hall.blocks.push(loose);
      }
      const block = section === null ? loose! : hall.blocks[firstBlock + index]!;
      addObject(hall, { object, places, section, floor }, block, categories);
    } else if (object.type === 'decorImage') {
      const picture = pictureOf(object, floor);
      if (picture) hall.pictures.push(picture);
    } else if (object.type !== 'section') {
      const drawn = decorOf(object, floor);
      if (drawn) hall.decor.push(drawn);
    }
  }
}

/** A block without places; of no section for null. */
export function blockOf(section: Section | null, floor: number): Block {
  const { outline = null, holes = [] } = section ?? {};
  const label = section ? objectName(section, null) : '';
  const { labelRotation } = (section ?? {}) as { labelRotation?: unknown };
  const turn = Number.isFinite(labelRotation) ? legibleTurn(labelRotation as number) : 0;
  return { label, floor, outline, holes, turn, spots: [], bounds: noBounds(), category: 0 };
}

export function areaOf(area: GaArea, section: Section | null, floor: number, categories: CategoryIndex): Area {
  const { id, points, holes = [], capacity } = area;
  const category = categories(area.categoryKey);
  const segments = area.inventorySegments ?? [{ sourceAreaId: id, startIndex: 0, count: capacity }];
  const centre = centreOf(area, []);
  const { name, sectionName, entrance } = objectWords(area, section, null);
  const words = { label: area.label, name, section: sectionName, entrance };
  return {
    id,
    ...words,
    floor,
    points,
    holes,
    capacity,
    segments,
    category,
    way: wayNumber(wayOf(area, section)),
    centre,
  };
}

/** An object with its places and its section; null for an object outside every section. */
type Placed = {
  object: Exclude<Seller, GaArea>;
  places: readonly Place[];
  section: Section | null;
  floor: number;
};

function addObject(hall: Hall, placed: Placed, block: Block, categories: CategoryIndex): void {
  const { places } = placed;
  const first = hall.labels.length;
  const spots = places.map((_, index) => first + index);
  setObject(hall, hall.objects.length, { ...placed, spots }, categories);
  for (const [index, { label }] of places.entries()) hall.spotOf.set(label, first + index);
  for (const spot of spots) block.spots.push(spot);
}

/** An object and the columns of its places, at an index and at spots that are new or its own. */
export function setObject(
  hall: Hall,
  index: number,
  made: Placed & { spots: readonly number[] },
  categories: CategoryIndex,
): void {
  const { object, places, section, spots, floor } = made;
  const { minOccupancy: min, maxOccupancy: max } = occupancyOf(object);
  const { id, label, type } = object;
  const mode = bookingModeOf(object);
  const body = object.type === 'row' ? null : object;
  const chairs = object.type === 'table' && mode !== 'individual' ? chairPositions(object) : [];
  const own = namedSeats(object);
  const { viewFromSeatUrl, restrictedView } = object as { viewFromSeatUrl?: unknown; restrictedView?: unknown };
  const view = pictureAddress(viewFromSeatUrl);
  if (view) hall.views.ofObject.set(index, view);
  const { name, sectionName, entrance } = objectWords(object, section, null);
  const words = { label, name, section: sectionName, entrance };
  hall.objects[index] = { id, ...words, type, mode, min, max, floor, body, chairs };
  const size = sizeOf(object);
  for (const [position, place] of places.entries()) {
    const spot = spots[position]!;
    const seat = own?.get(place.index);
    if (seat?.view) hall.views.ofSpot.set(spot, seat.view);
    if (seat?.isRestricted ?? restrictedView === true) hall.restricted.add(spot);
    else hall.restricted.delete(spot);
    hall.labels[spot] = place.label;
    hall.numbers[spot] = seatName(place.label, object, seat?.name ?? null);
    hall.x[spot] = place.x;
    hall.y[spot] = place.y;
    hall.size[spot] = size;
    hall.categoryOf[spot] = categories(place.categoryKey);
    hall.objectOf[spot] = index;
    hall.indexOf[spot] = place.index;
    hall.accessibilityOf[spot] = place.accessibility;
    hall.wayOf[spot] = wayNumber(wayOf(place.way, object, section));
    if (place.companionOf === undefined) hall.companionOf.delete(spot);
    else hall.companionOf.set(spot, place.companionOf);
  }
}

/** The width of its seats in chart units, before rows are fitted between their neighbours. More than nothing. */
export function sizeOf(object: Exclude<Seller, GaArea>): number {
  const size = Math.abs(drawnSizeOf(object));
  return size > 0 ? size : CHAIR_SIZE;
}

function drawnSizeOf(object: Exclude<Seller, GaArea>): number {
  if (object.type === 'booth') return Math.min(object.width, object.height) * 0.9;
  if (object.type === 'row') return object.path ? CHAIR_SIZE : object.seatSpacing * SEAT_SHARE;
  if (bookingModeOf(object) === 'individual') return CHAIR_SIZE;
  const { shape, radius = 40, width = 80, height = 50 } = object;
  return 0.9 * (shape === 'round' ? 2 * radius : Math.min(width, height));
}

/** The address of a picture of the view from a seat, as the chart has it; null where the chart has none. */
export function viewFromSeat(hall: Hall, spot: number): string | null {
  return hall.views.ofSpot.get(spot) ?? hall.views.ofObject.get(hall.objectOf[spot]!) ?? null;
}

/** Rows closer than their seats make the seats smaller, for the whole block alike. Rows on one another do not. */
function fitBetweenRows(hall: Hall, { spots }: Block): void {
  const seats = spots.filter((spot) => hall.objects[hall.objectOf[spot]!]!.type === 'row');
  const rows = new Map<number, number[]>();
  for (const spot of seats) if (!rows.get(hall.objectOf[spot]!)?.push(spot)) rows.set(hall.objectOf[spot]!, [spot]);
  const list = [...rows.values()];
  let pitch = Infinity;
  for (const [index, row] of list.entries()) {
    const from = row[row.length >> 1]!;
    for (const other of [...(list[index + 1] ?? []), ...(list[index + 2] ?? [])]) {
      const apart = Math.hypot(hall.x[other]! - hall.x[from]!, hall.y[other]! - hall.y[from]!);
      if (apart > hall.size[from]! / 4) pitch = Math.min(pitch, apart);
    }
  }
  for (const spot of seats) hall.size[spot] = Math.min(hall.size[spot]!, pitch * SEAT_SHARE);
}

/** The sizes, bounds and category of a block whose places are all set. */
export function finish(hall: Hall, block: Block): void {
  fitBetweenRows(hall, block);
  const counts = new Map<number, number>();
  for (const spot of block.spots) {
    const reach = Math.max(hall.size[spot]! / 2, reachOf(hall.objects[hall.objectOf[spot]!]!));
    const x = hall.x[spot]!;
    const y = hall.y[spot]!;
    growBounds(block.bounds, { left: x - reach, top: y - reach, right: x + reach, bottom: y + reach });
    counts.set(hall.categoryOf[spot]!, (counts.get(hall.categoryOf[spot]!) ?? 0) + 1);
  }
  if (block.outline) growBounds(block.bounds, boundsOf(block.outline));
  block.category = [...counts].sort((a, b) => b[1] - a[1])[0]?.[0] ?? 0;
}

/** The distance from the middle to the edge of the shape under a seat. */
function reachOf({ body }: HallObject): number {
  if (!body) return 0;
  if (body.type === 'table' && body.shape === 'round') return body.radius ?? 40;
  return Math.hypot(body.width ?? 80, body.height ?? 50) / 2;
}

/**
 * The spots of a block row by row, in the order of the keyboard: rows with the same label are one, each in its own
 * direction.
 */
export function rowsOf(hall: Hall, block: Block): { label: string; spots: number[] }[] {
  const rows = new Map<string, number[]>();
  for (const spot of block.spots) {
    const { label, type } = hall.objects[hall.objectOf[spot]!]!;
    const name = type === 'booth' ? '' : label;
    const row = rows.get(name);
    if (row) row.push(spot);
    else rows.set(name, [spot]);
  }
  return [...rows].map(([label, spots]) => {
    const { name } = hall.objects[hall.objectOf[spots[0]!]!]!;
    return { label: label === '' ? '' : name, spots: alongRow(hall, spots) };
  });
}

function alongRow(hall: Hall, spots: number[]): number[] {
  const first = spots[0]!;
  const last = spots.at(-1)!;
  const dx = hall.x[last]! - hall.x[first]!;
  const dy = hall.y[last]! - hall.y[first]!;
  const along = (spot: number) => hall.x[spot]! * dx + hall.y[spot]! * dy;
  return hall.objects[hall.objectOf[first]!]!.type === 'row' ? [...spots].sort((a, b) => along(a) - along(b)) : spots;
}
