/**
 * The designer's map: the document's floor on the drawing layer, under marks and tools. It follows the editor. After an
 * edit only the changed objects are placed again, and only their parts of the map are drawn again.
 */
import type { ChartDocument } from '@parterre/shared/chart/document';
import type { Point } from '@parterre/shared/chart/plan';
import { type Drag, listenToGestures } from '../../src/draw/gestures.ts';
import { makePictures } from '../../src/draw/pictures.ts';
import { grown } from '../../src/draw/plot.ts';
import type { Painter, Scene } from '../../src/draw/scene.ts';
import { createView, type View } from '../../src/draw/view.ts';
import { freeGlyph } from '../../src/painter.ts';
import type { Bounds } from '../../src/rules/bounds.ts';
import type { Camera, Size } from '../../src/rules/camera.ts';
import type { Hall } from '../../src/rules/hall.ts';
import { categoryColours } from '../../src/rules/palette.ts';
import type { Change, Editor } from '../document/editor.ts';
import { LiveHall } from './live-hall.ts';
import { type Labels, Previews } from './previews.ts';

export type BoardListener = {
  overlay(pen: CanvasRenderingContext2D, camera: Camera, size: Size): void;
  press(at: Point, event: PointerEvent): Drag | null;
  hover(at: Point | null): void;
  /** The text of a section's or an area's card: its places. */
  places(count: number): string;
};

/** The camera may leave the chart by its own size and by this many chart units. */
const ROOM = 1_500;

export class Board {
  readonly view: View;
  readonly #editor: Editor;
  readonly #painter: Painter;
  readonly #previews = new Previews();
  readonly #stop: () => void;
  #live: LiveHall;
  #scene: Scene;
  #categories: ChartDocument['categories'];

  constructor(host: HTMLElement, editor: Editor, listener: BoardListener) {
    this.#editor = editor;
    this.#live = new LiveHall(editor.document, editor.floor);
    this.#categories = editor.document.categories;
    this.#painter = painterOf(() => this.#live.hall, listener);
    this.view = createView(host, () => {}, {
      overlay: (pen, camera, size) => listener.overlay(pen, camera, size),
      reach: () => this.#reach(),
    });
    this.#scene = this.view.show(this.#live.hall, this.#painter);
    this.#stop = listenToGestures(host, {
      pan: (x, y) => this.view.panBy(x, y),
      zoom: (factor, at) => this.view.zoomAt(factor, at),
      tap: () => {},
      hover: (at) => listener.hover(at),
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
      this.view.fit();
    } else if (change.isDocument) this.#change();
    this.view.spoilOverlay();
  }

  /** Other numbers on seats than the document's, or null. */
  preview(labels: Labels | null): void {
    this.view.spoil(this.#previews.show(this.#live, labels));
  }

  /** Draws the map again in the present language. */
  speak(): void {
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
      this.#scene.rowNames[block] = undefined;
      this.#scene.bright[block] = undefined;
    }
    if (hasNewPictures) {
      this.#scene.pictures = makePictures(
        this.hall,
        (address) => this.#painter.addressOf(address),
        () => this.view.refresh(),
      );
    }
    if (document.categories !== this.#categories) {
      this.#categories = document.categories;
      this.view.recolour();
    } else this.view.spoil(parts, true);
    if (labels) this.preview(labels);
  }

  #reach(): Bounds {
    const { bounds } = this.hall;
    return grown(bounds, ROOM + Math.max(bounds.right - bounds.left, bounds.bottom - bounds.top) / 2);
  }
}

/** Every place looks free, in the colour of its category. */
function painterOf(hall: () => Hall, { places }: BoardListener): Painter {
  const looks = new Map<string, { glyph: ReturnType<typeof freeGlyph>; category: number }>();
  return {
    lookOf(spot) {
      const glyph = freeGlyph(hall().accessibilityOf[spot]!);
      const category = hall().categoryOf[spot]!;
      const key = `${glyph}${category}`;
      const look = looks.get(key) ?? { glyph, category };
      looks.set(key, look);
      return look;
    },
    cardOf(block) {
      const count = hall().blocks[block]!.spots.length;
      return { share: count === 0 ? 0 : 1, lines: [places(count)], isOurs: false };
    },
    areaCardOf(index) {
      const { capacity } = hall().areas[index]!;
      return { share: 1, lines: [places(capacity)], isOurs: false };
    },
    coloursOn({ ground, floor, surface, contrastMin }) {
      return categoryColours(hall().categories, true, { grounds: [ground, floor, surface], contrastMin });
    },
    addressOf: (picture) => new URL(picture, document.baseURI).href,
  };
}
