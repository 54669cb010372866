/**
 * One floor of the document as a hall of the drawing layer, changed object by object. An object is known by its
 * identity: an edit shares all objects that it does not change. So a change costs a look at each object of the floor,
 * and the places of the changed objects alone.
 *
 * An object keeps its index in the hall while an object of its id lives, and a block while the hall lives. The spots of
 * a changed object are given back at the end of the change, so no spot has two owners within one.
 */
import type { ChartDocument, ChartObject, GaArea, Section } from '@parterre/shared/charts/document';
import { sectionFinder } from '@parterre/shared/charts/membership';
import { objectName } from '@parterre/shared/charts/place-names';
import { centreOf, isSeller, placesOf, type Seller } from '@parterre/shared/charts/places';
import type { Point } from '@parterre/shared/charts/plan';
import { CHAIRS_REACH } from '../../src/draw/seats.ts';
import { type Bounds, boundsOf, growBounds, noBounds } from '../../src/rules/bounds.ts';
import {
  type Block,
  blockOf,
  emptyHall,
  extentOfHall,
  finish,
  type Hall,
  LOOSE_BLOCK_SPOTS,
  setObject,
  sizeOf,
} from '../../src/rules/hall.ts';
import { idOf, objectsOn } from '../document/objects.ts';
import { boundsOfFlat, FlatParts } from './flat-parts.ts';

type Placed = {
  /** Around all that is drawn of it; null where only the drawing knows. */
  bounds: Bounds | null;
  /** In `hall.objects`; -1 for objects without seats. */
  index: number;
  spots: number[];
  block: number;
  /** Decides its section. */
  centre: Point | null;
  round: number;
};

export type Changed = {
  /** The parts of the floor that look different; null for everything. */
  parts: Bounds[] | null;
  /** The blocks whose spots changed. */
  blocks: ReadonlySet<number>;
  hasNewPictures: boolean;
};

/** A block before a change. */
type Before = { bounds: Bounds; category: number; count: number; size: number; outline: Block['outline'] };
type Touched = Map<number, Before>;

/** More parts than this count as everything. */
const PARTS_MAX = 400;
/** A floor without objects is this large. */
const emptyFloor: Bounds = { left: 0, top: 0, right: 1200, bottom: 800 };

export class LiveHall {
  readonly hall: Hall;
  readonly floor: number;
  readonly #placed = new Map<ChartObject, Placed>();
  readonly #flat = new FlatParts();
  #objects: readonly ChartObject[] = [];
  #categoryKeys: readonly string[] | null = null;
  #categories: (key: string) => number = () => -1;
  #sections: readonly Section[] = [];
  #blockOfSection = new Map<string, number>();
  #find: (centre: Point) => number = () => -1;
  readonly #loose: number[] = [];
  /** By object of the hall: the width of its seats before rows are fitted. */
  readonly #sizes: number[] = [];
  readonly #free: { spots: number[]; objects: number[] } = { spots: [], objects: [] };
  #round = 0;

  constructor(document: ChartDocument, floor: number) {
    this.hall = emptyHall(document);
    this.floor = floor;
    this.change(document);
  }

  get objects(): readonly ChartObject[] {
    return this.#objects;
  }

  /** Null for an object of another floor, and for one whose bounds only the drawing knows. */
  boundsOf(object: ChartObject): Bounds | null {
    return this.#placed.get(object)?.bounds ?? null;
  }

  spotsOf(object: ChartObject): readonly number[] {
    return this.#placed.get(object)?.spots ?? [];
  }

  /** The section of an object; null for an object in no section, and for objects that are not sold. */
  sectionOf(object: ChartObject): Section | null {
    const centre = this.#placed.get(object)?.centre ?? (object.type === 'gaArea' ? centreOf(object, []) : null);
    return centre && this.sectionAt(centre);
  }

  sectionAt(centre: Point): Section | null {
    return this.#sections[this.#find(centre)] ?? null;
  }

  /** Follows the document. */
  change(document: ChartDocument): Changed {
    const objects = objectsOn(document, this.floor);
    this.#objects = objects;
    this.#round++;
    const touched: Touched = new Map();
    const parts: (Bounds | null)[] = [];
    const isRenumbered = this.#followCategories(document);
    const fresh = objects.filter((object) => {
      const placed = isRenumbered ? undefined : this.#placed.get(object);
      if (placed) placed.round = this.#round;
      return !placed;
    });
    const freed: number[] = [];
    const gone = this.#takeGone(touched, parts, freed);
    const isSectioned = this.#followSections(objects, touched);
    for (const object of fresh) {
      const placed = this.#place(object, gone.get(idOf(object))?.index ?? -1, touched);
      if (placed.index >= 0) gone.delete(idOf(object));
      this.#placed.set(object, placed);
      parts.push(placed.bounds);
    }
    if (isSectioned) this.#sort(touched);
    for (const [index, before] of touched) parts.push(...this.#finish(index, before));
    for (const { index } of gone.values()) this.#bury(index);
    for (const spot of freed) this.#free.spots.push(spot);
    const ground = this.#flat.change(this.hall, document, this.floor, objects, this.#categories);
    const { hasNewPictures, hasNewGround } = ground;
    const extent = extentOfHall(this.hall);
    this.hall.bounds = extent.left <= extent.right ? extent : { ...emptyFloor };
    const isAll = parts.length > PARTS_MAX || parts.includes(null) || isRenumbered || hasNewPictures || hasNewGround;
    return { parts: isAll ? null : (parts as Bounds[]), blocks: new Set(touched.keys()), hasNewPictures };
  }

  /** True when all objects must be placed again, since categories have other indexes. */
  #followCategories({ categories }: ChartDocument): boolean {
    this.hall.categories = categories;
    const keys = categories.map(({ key }) => key);
    const before = this.#categoryKeys;
    if (before?.length === keys.length && keys.every((key, index) => key === before[index])) return false;
    const indexOf = new Map(keys.map((key, index) => [key, index]));
    this.#categoryKeys = keys;
    this.#categories = (key) => indexOf.get(key) ?? -1;
    return before !== null;
  }

  /** By id, the objects that are no longer in the document as they were. Their spots belong to no block. */
  #takeGone(touched: Touched, parts: (Bounds | null)[], freed: number[]): Map<string, Placed> {
    const gone = new Map<string, Placed>();
    for (const [object, placed] of this.#placed) {
      if (placed.round === this.#round) continue;
      this.#placed.delete(object);
      parts.push(placed.bounds);
      if (placed.index < 0) continue;
      // Two objects have the same id: no new object takes the spots of the first.
      const other = gone.get(idOf(object));
      if (other) this.#bury(other.index);
      gone.set(idOf(object), placed);
      this.#touch(placed.block, touched);
      this.hall.views.ofObject.delete(placed.index);
      for (const spot of placed.spots) {
        this.hall.blockOf[spot] = -1;
        this.hall.views.ofSpot.delete(spot);
        freed.push(spot);
      }
    }
    return gone;
  }

  #bury(index: number): void {
    this.hall.objects[index] = { ...this.hall.objects[index]!, body: null };
    this.#free.objects.push(index);
  }

  /** True when objects may now be in another section. */
  #followSections(objects: readonly ChartObject[], touched: Touched): boolean {
    const sections = objects.filter((object) => object.type === 'section');
    const before = this.#sections;
    if (sections.length === before.length && sections.every((each, index) => each === before[index])) return false;
    const known = new Set(before);
    const blocks = new Map<string, number>();
    for (const section of sections) {
      const index = this.#blockOfSection.get(section.id) ?? this.hall.blocks.length;
      const { label, outline, holes } = blockOf(section, 0);
      this.hall.blocks[index] ??= blockOf(section, 0);
      this.#touch(index, touched);
      if (!known.has(section)) Object.assign(this.hall.blocks[index], { label, outline, holes });
      blocks.set(section.id, index);
    }
    for (const [id, index] of this.#blockOfSection) {
      if (blocks.has(id)) continue;
      this.#touch(index, touched);
      Object.assign(this.hall.blocks[index]!, { label: '', outline: null, holes: [] });
    }
    this.#sections = sections;
    this.#blockOfSection = blocks;
    this.#find = sectionFinder(sections);
    return true;
  }

  #place(object: ChartObject, index: number, touched: Touched): Placed {
    const placed: Placed = { bounds: null, index: -1, spots: [], block: -1, centre: null, round: this.#round };
    if (object.type === 'section') placed.bounds = boundsOf(object.outline);
    else if (isSeller(object) && object.type !== 'gaArea') this.#seat(object, placed, index, touched);
    else placed.bounds = boundsOfFlat(object);
    return placed;
  }

  #seat(object: Exclude<Seller, GaArea>, placed: Placed, index: number, touched: Touched): void {
    const { hall } = this;
    const places = placesOf(object);
    placed.centre = centreOf(object, places);
    placed.block = this.#blockFor(placed.centre, -1);
    this.#touch(placed.block, touched);
    let next = hall.labels.length;
    placed.spots = places.map(() => this.#free.spots.pop() ?? next++);
    placed.index = index >= 0 ? index : (this.#free.objects.pop() ?? hall.objects.length);
    const section = this.sectionAt(placed.centre);
    setObject(hall, placed.index, { object, places, section, spots: placed.spots, floor: 0 }, this.#categories);
    this.#sizes[placed.index] = sizeOf(object);
    this.#join(placed.block, placed.spots);
    placed.bounds = this.#boundsOfSeats(object, placed.spots);
  }

  /** One by one: a call has no room for the seats of a very long row. */
  #join(block: number, spots: readonly number[]): void {
    for (const spot of spots) {
      this.hall.blockOf[spot] = block;
      this.hall.blocks[block]!.spots.push(spot);
    }
  }

  /** The block of a section, or a block of seats in no section: the present one if it is one. */
  #blockFor(centre: Point, present: number): number {
    const section = this.#find(centre);
    if (section >= 0) return this.#blockOfSection.get(this.#sections[section]!.id)!;
    if (this.#loose.includes(present)) return present;
    const open = this.#loose.findLast((index) => this.hall.blocks[index]!.spots.length < LOOSE_BLOCK_SPOTS);
    if (open !== undefined) return open;
    this.#loose.push(this.hall.blocks.push(blockOf(null, 0)) - 1);
    return this.#loose.at(-1)!;
  }

  /** Moves objects between blocks after their sections have changed. */
  #sort(touched: Touched): void {
    for (const [object, placed] of this.#placed) {
      if (!placed.centre) continue;
      this.hall.objects[placed.index]!.name = objectName(object as Seller, this.sectionAt(placed.centre));
      const block = this.#blockFor(placed.centre, placed.block);
      if (block === placed.block) continue;
      this.#touch(placed.block, touched);
      this.#touch(block, touched);
      placed.block = block;
      this.#join(block, placed.spots);
    }
  }

  #touch(index: number, touched: Touched): void {
    if (touched.has(index)) return;
    const { bounds, category, spots, outline } = this.hall.blocks[index]!;
    touched.set(index, { bounds, category, count: spots.length, size: this.#sizeIn(spots), outline });
  }

  #sizeIn(spots: readonly number[]): number {
    return spots.length > 0 ? this.hall.size[spots[0]!]! : 0;
  }

  /** Returns the parts that look different beside the changed objects themselves. */
  #finish(index: number, before: Before): Bounds[] {
    const { hall } = this;
    const block = hall.blocks[index]!;
    const { objectOf, indexOf } = hall;
    block.spots = block.spots
      .filter((spot) => hall.blockOf[spot] === index)
      .sort((a, b) => objectOf[a]! - objectOf[b]! || indexOf[a]! - indexOf[b]!);
    for (const spot of block.spots) hall.size[spot] = this.#sizes[objectOf[spot]!]!;
    block.bounds = noBounds();
    finish(hall, block);
    const { spots, category, outline } = block;
    const isSameCard = category === before.category && spots.length === before.count && outline === before.outline;
    const isSame = this.#sizeIn(spots) === before.size && (outline === null || isSameCard);
    return isSame ? [] : [before.bounds, block.bounds].filter(({ left, right }) => left <= right);
  }

  #boundsOfSeats(object: Exclude<Seller, GaArea>, spots: readonly number[]): Bounds {
    const { hall } = this;
    const bounds = noBounds();
    const grow = ({ x, y }: Point, reach: number) =>
      growBounds(bounds, { left: x - reach, top: y - reach, right: x + reach, bottom: y + reach });
    // The name of a row stands beyond its last seat.
    const share = object.type === 'row' ? 2.2 : 0.62;
    for (const spot of spots) grow({ x: hall.x[spot]!, y: hall.y[spot]! }, hall.size[spot]! * share);
    if (object.type === 'row') return bounds;
    const isRound = object.type === 'table' && object.shape === 'round';
    const extent = isRound ? (object.radius ?? 40) : Math.hypot(object.width ?? 80, object.height ?? 50) / 2;
    grow(object.center, CHAIRS_REACH + extent);
    return bounds;
  }
}
