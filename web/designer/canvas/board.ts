/**
 * The designer's map: the document's floor on the drawing layer, under marks and tools. It follows the editor. After an
 * edit only the changed objects are placed again, and only their parts of the map are drawn again. While the brush has
 * something to paint, the places that have it already stand out.
 */

import type { ChartDocument } from '@parterre/shared/charts/document';
import type { Point } from '@parterre/shared/charts/plan';
import { type Drag, type GestureListener, listenToGestures } from '../../src/draw/gestures.ts';
import { makePictures } from '../../src/draw/pictures.ts';
import { grown } from '../../src/draw/plot.ts';
import type { Painter, Scene } from '../../src/draw/scene.ts';
import { isBody } from '../../src/draw/seats.ts';
import { createView, type View } from '../../src/draw/view.ts';
import { type Bounds, growBounds, overlaps } from '../../src/rules/bounds.ts';
import { type Camera, type Size, seen } from '../../src/rules/camera.ts';
import type { Hall } from '../../src/rules/hall.ts';
import { categoryColours } from '../../src/rules/palette.ts';
import { freeGlyph } from '../../src/telling.ts';
import type { Change, Editor } from '../document/editor.ts';
import { idOf } from '../document/objects.ts';
import type { PaintWhat } from '../painting/painting.ts';
import { CardPrices, type PriceRange, pricesIn } from './card-prices.ts';
import { FloorBelow, type Shadow } from './floor-below.ts';
import { type Lens, lensOf } from './lens.ts';
import { LiveHall } from './live-hall.ts';

export type BoardListener = {
  overlay(pen: CanvasRenderingContext2D, camera: Camera, size: Size): void;
  press(at: Point, event: PointerEvent): Drag | null;
  hover: GestureListener['hover'];
  /** The text of a section's or an area's card: its places. */
  places(count: number): string;
  /** A further line of the card, while prices are shown. */
  price(range: PriceRange): string;
};

/** The camera may leave the chart by its own size and by this many chart units. */
const ROOM = 1_500;

/**
 * Numbers on seats that are only proposed: they stand on the map in place of the document's own.
 *
 * By object id: the text of each seat by its index; a seat without one keeps its own.
 */
type Labels = ReadonlyMap<string, readonly (string | undefined)[]>;

export class Previews {
  /** By spot, the document's own number. */
  readonly #own = new Map<number, string>();
  labels: Labels | null = null;

  /** Returns the parts of the map that look different. */
  show(live: LiveHall, labels: Labels | null): Bounds[] {
    const { hall } = live;
    const parts: Bounds[] = [];
    const shown = new Set([...(this.labels?.keys() ?? []), ...(labels?.keys() ?? [])]);
    for (const [spot, number] of this.#own) hall.numbers[spot] = number;
    this.#own.clear();
    this.labels = labels;
    if (shown.size === 0) return parts;
    for (const object of live.objects) {
      if (!shown.has(idOf(object))) continue;
      const bounds = live.boundsOf(object);
      if (bounds) parts.push(bounds);
      const its = labels?.get(idOf(object));
      for (const spot of its ? live.spotsOf(object) : []) {
        const text = its?.[hall.indexOf[spot]!];
        if (text === undefined) continue;
        this.#own.set(spot, hall.numbers[spot]!);
        hall.numbers[spot] = text;
      }
    }
    return parts;
  }
}

export class Board {
  readonly view: View;
  readonly #editor: Editor;
  readonly #painter: Painter;
  readonly #previews = new Previews();
  readonly #stop: () => void;
  #live: LiveHall;
  #scene: Scene;
  #categories: ChartDocument['categories'];
  #painted: PaintWhat | null = null;
  #lens: Lens | null = null;
  readonly #prices = new CardPrices();
  readonly #below = new FloorBelow();

  constructor(host: HTMLElement, editor: Editor, listener: BoardListener) {
    this.#editor = editor;
    this.#live = new LiveHall(editor.document, editor.floor);
    this.#categories = editor.document.categories;
    this.#painter = painterOf(
      () => this.#live.hall,
      () => this.#lens,
      this.#prices,
      listener,
    );
    this.view = createView(host, () => {}, {
      overlay: (pen, camera, size) => listener.overlay(pen, camera, size),
      reach: () => this.#reach(),
    });
    this.#scene = this.view.show(this.#live.hall, this.#painter);
    this.#stop = listenToGestures(host, {
      pan: (x, y) => this.view.panBy(x, y),
      zoom: (factor, at) => this.view.zoomAt(factor, at),
      tap: () => {},
      hover: (at, event) => listener.hover(at, event),
      ignoredWheel: () => {},
      press: (at, event) => listener.press(at, event),
    });
  }

  get live(): LiveHall {
    return this.#live;
  }

  get hall(): Hall {
    return this.#live.hall;
  }

  /** Follows the editor. */
  follow(change: Change): void {
    if (change.isFloor || this.#live.floor !== this.#editor.floor) {
      this.#live = new LiveHall(this.#editor.document, this.#editor.floor);
      this.#scene = this.view.show(this.#live.hall, this.#painter);
      this.#prices.forget();
      this.#look();
      if (!this.#isInView()) this.view.fit();
    } else if (change.isDocument) this.#change();
    this.view.spoilOverlay();
  }

  /** Other numbers on seats than the document's, or null. */
  preview(labels: Labels | null): void {
    this.view.spoil(this.#previews.show(this.#live, labels));
  }

  /** Shows which places have what the brush paints; null ends it. */
  highlight(what: PaintWhat | null): void {
    if (JSON.stringify(what) === JSON.stringify(this.#painted)) return;
    this.#painted = what;
    this.#look();
  }

  /** Prices on the cards of sections and areas. */
  showPrices(areShown: boolean): void {
    if (this.#prices.areShown === areShown) return;
    this.#prices.areShown = areShown;
    this.view.refresh();
  }

  end(): void {
    this.#stop();
    this.view.end();
  }

  #change(): void {
    const { document } = this.#editor;
    const labels = this.#previews.labels;
    this.#previews.show(this.#live, null);
    const { parts, blocks, hasNewPictures } = this.#live.change(document);
    for (const block of blocks) {
      this.#scene.rows[block] = undefined;
      this.#scene.bright[block] = undefined;
    }
    if (hasNewPictures) {
      this.#scene.pictures = makePictures(
        this.hall,
        (address) => this.#painter.addressOf(address),
        () => this.view.refresh(),
      );
    }
    this.#prices.forget(blocks);
    this.view.spoil(this.#withCards(parts, blocks), true);
    this.#followLens(document);
    this.#followCategories(document);
    if (labels) this.preview(labels);
  }

  #look(): void {
    this.#lens = lensOf(this.#painted, this.#live, this.#editor.document);
    this.view.setFilter(this.#lens);
  }

  /** From afar a section is as bright as its brightest place. */
  #withCards(parts: Bounds[] | null, blocks: ReadonlySet<number>): Bounds[] | null {
    if (!this.#lens || !parts) return parts;
    const cards = [...blocks].map((index) => this.hall.blocks[index]!).filter(({ outline }) => outline !== null);
    return [...parts, ...cards.map(({ bounds }) => ({ ...bounds }))];
  }

  /** The places of changed objects are drawn again already; a tier also changes by the labels that it names. */
  #followLens(document: ChartDocument): void {
    if (!this.#painted) return;
    const before = this.#lens;
    const now = lensOf(this.#painted, this.#live, document);
    this.#lens = now;
    this.#scene.filter = now;
    if (!before && !now) return;
    // Without labels a tier is for all places of its category.
    const isOther = !before || !now || (before.labels.size === 0) !== (now.labels.size === 0);
    if (isOther) this.view.setFilter(now);
    else if (before.labels !== now.labels) this.#repaintLabels(differing(before.labels, now.labels));
  }

  #repaintLabels(labels: ReadonlySet<string>): void {
    if (labels.size === 0) return;
    const { hall } = this;
    const spots: number[] = [];
    for (const [spot, label] of hall.labels.entries()) {
      if (labels.has(label) && hall.blockOf[spot]! >= 0) spots.push(spot);
    }
    const areas = hall.areas.flatMap(({ label }, index) => (labels.has(label) ? [index] : []));
    this.view.repaint(spots, areas);
  }

  #followCategories({ categories }: ChartDocument): void {
    const before = this.#categories;
    if (categories === before) return;
    this.#categories = categories;
    const looks = (list: typeof categories) => JSON.stringify(list.map(({ key, color }) => [key, color]));
    if (looks(categories) !== looks(before)) this.view.recolour();
    this.#prices.forget();
    if (this.#prices.areShown && pricesIn(categories) !== pricesIn(before)) this.view.refresh();
  }

  /** Floors lie over each other: the camera stays where it shows a part of the floor, or where nothing is drawn. */
  #isInView(): boolean {
    const { camera, size } = this.view;
    return this.#live.objects.length === 0 || overlaps(this.hall.bounds, seen(camera, size));
  }

  /** The floor below the floor in sight. */
  get below(): Shadow | null {
    return this.#below.of(this.#editor.document, this.#editor.floor);
  }

  #reach(): Bounds {
    const bounds = { ...this.hall.bounds };
    const { below } = this;
    if (below) growBounds(bounds, below.bounds);
    return grown(bounds, ROOM + Math.max(bounds.right - bounds.left, bounds.bottom - bounds.top) / 2);
  }
}

/** Labels of one of the sets alone. */
function differing(one: ReadonlySet<string>, other: ReadonlySet<string>): Set<string> {
  const apart = new Set<string>();
  for (const label of one) if (!other.has(label)) apart.add(label);
  for (const label of other) if (!one.has(label)) apart.add(label);
  return apart;
}

/** Every place looks free, in the colour of its category. */
function painterOf(
  hall: () => Hall,
  lens: () => Lens | null,
  prices: CardPrices,
  { places, price }: BoardListener,
): Painter {
  const looks = new Map<string, { glyph: ReturnType<typeof freeGlyph>; category: number }>();
  const objectOf = (spot: number) => hall().objects[hall().objectOf[spot]!]!;
  const lines = (count: number, range: PriceRange | null) => [places(count), ...(range ? [price(range)] : [])];
  return {
    lookOf(spot) {
      const plain = freeGlyph(hall().accessibilityOf[spot]!);
      const isMarked = plain === 'free' && lens()?.isDotted && lens()!.spot(spot) && !isBody(objectOf(spot));
      const glyph = isMarked ? 'special' : plain;
      const category = hall().categoryOf[spot]!;
      const key = `${glyph}${category}`;
      const look = looks.get(key) ?? { glyph, category };
      looks.set(key, look);
      return look;
    },
    cardOf(block) {
      const count = hall().blocks[block]!.spots.length;
      return { share: count === 0 ? 0 : 1, lines: lines(count, prices.ofBlock(hall(), block)), isOurs: false };
    },
    areaCardOf(index) {
      const { capacity, category } = hall().areas[index]!;
      return { share: 1, lines: lines(capacity, prices.ofCategory(hall(), category)), isOurs: false };
    },
    coloursOn({ ground, floor, surface, contrastMin }) {
      return categoryColours(hall().categories, true, { grounds: [ground, floor, surface], contrastMin });
    },
    addressOf: (picture) => new URL(picture, document.baseURI).href,
  };
}
