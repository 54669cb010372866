/**
 * The map on the screen: a camera over a hall, drawn only after a change. States: waiting → a frame asked for → drawn →
 * waiting; ended, after which nothing is drawn. A frame that leaves tiles undrawn asks for the next frame.
 */

import type { Point } from '@parterre/shared/charts/plan';
import { type Bounds, boundsOf, middleOf } from '../rules/bounds.ts';
import * as cameras from '../rules/camera.ts';
import { hasPlaceIn } from '../rules/find.ts';
import type { Hall } from '../rules/hall.ts';
import { type Board, drawMarks, type Marks } from './marks.ts';
import { type Minimap, makeMinimap } from './minimap.ts';
import { drawStuckNames } from './row-names.ts';
import { makeScene, type Painter, restyle, type Scene, type SeatFilter } from './scene.ts';
import { CHAIRS_REACH } from './seats.ts';
import { isNearAt, makeStage, type Stage } from './stage.ts';
import { type Theme, watchTheme } from './theme.ts';

/** With the view, and not with the page. */
export { listenToGestures } from './gestures.ts';
export type { Painter, SeatFilter } from './scene.ts';
export type { Theme } from './theme.ts';

const FLIGHT_MS = 350;

/** After this rest the map is drawn sharp in its present scale. */
const REST_MS = 110;

const HINT_MS = 1_600;

const RATIO_MAX = 2;

/** A seat that was visited is at least this large, so that a finger hits it. */
const VISITED_SEAT_PIXELS = 30;

const REVEALED_SEAT_PIXELS = 14;

/** `restyled`: the colours of the page have changed, and with them `colours`. */
export function createView(host: HTMLElement, restyled: () => void, board?: Board): View {
  return new View(host, restyled, board);
}

export class View {
  /** The work of the last frame, for measurements. `firstMs` is the time of the first picture. */
  readonly drawn = { frames: 0, spots: 0, ms: 0, firstMs: 0 };
  readonly size: cameras.Size;
  readonly #host: HTMLElement;
  readonly #stage: Stage;
  readonly #minimap: Minimap;
  readonly #themes: ReturnType<typeof watchTheme>;
  readonly #restyled: () => void;
  readonly #board: Board | undefined;
  readonly #calm = window.matchMedia('(prefers-reduced-motion: reduce)');
  readonly #watcher = new ResizeObserver(() => this.#resize());
  readonly #marks: Marks = { hover: null, focus: null, focusedBlock: null, hint: null };
  #theme: Theme;
  #camera: cameras.Camera = { scale: 1, x: 0, y: 0 };
  #scene: Scene | null = null;
  /** True until the buyer first moves the map. Until then the map shows the whole hall whenever its size changes. */
  #showsAll = true;
  #floor = 0;
  #isFloorChosen = false;
  #isMarked = true;
  #movedAt = 0;
  #zoomedAt = 0;
  #frame = 0;
  #flight = 0;
  #sharpLater: ReturnType<typeof setTimeout> | undefined;
  #hintEnds: ReturnType<typeof setTimeout> | undefined;
  #ended = false;

  constructor(host: HTMLElement, restyled: () => void, board?: Board) {
    const ratio = Math.min(window.devicePixelRatio || 1, RATIO_MAX);
    this.#host = host;
    this.#restyled = restyled;
    this.#board = board;
    this.size = sizeOf(host);
    this.#stage = makeStage(host, ratio);
    this.#minimap = makeMinimap(host, ratio, (x, y) => this.#centre({ x, y }, this.#camera.scale, true));
    this.#themes = watchTheme(host, () => this.recolour());
    this.#theme = this.#themes.read();
    this.#watcher.observe(host);
    this.#resize();
  }

  get camera(): cameras.Camera {
    return this.#camera;
  }

  get floor(): number {
    return this.#floor;
  }

  get theme(): Theme {
    return this.#theme;
  }

  /** By category, as they are drawn. */
  get colours(): readonly string[] {
    return this.#scene?.colours ?? [];
  }

  /** True when single seats are shown. */
  get isNear(): boolean {
    return this.#scene !== null && isNearAt(this.#scene, this.#camera.scale);
  }

  toChart(at: Point): Point {
    return cameras.toChart(this.#camera, at);
  }

  toScreen(at: Point): Point {
    return cameras.toScreen(this.#camera, at);
  }

  /**
   * Shows another chart. The caller may change this hall until the next call.
   *
   * A map that shows the whole hall shows the whole new hall. A view of the buyer's own stays, unless it has no place
   * in sight while nothing is chosen (`isChoosing`): such a buyer waits for places that may appear elsewhere.
   */
  show(hall: Hall, painter: Painter, isChoosing = false): Scene {
    const before = this.#scene;
    const part = cameras.seen(this.#camera, this.size);
    const isBare = before === null || !hasPlaceIn(before.hall, this.#floor, part);
    this.#scene = makeScene(hall, painter, this.#theme, () => this.refresh());
    this.#scene.filter = before?.filter ?? null;
    Object.assign(this.#marks, { hover: null, focus: null, focusedBlock: null });
    this.#floor = this.#floorIn(hall);
    if (this.#showsAll || (isBare && !isChoosing)) this.#showAll(this.#scene);
    this.#minimap.spoil();
    this.#mark();
    return this.#scene;
  }

  showFloor(floor: number): void {
    this.#isFloorChosen = true;
    if (floor === this.#floor) return;
    this.#floor = floor;
    if (this.#scene) this.#showAll(this.#scene);
    this.#minimap.spoil();
    this.#mark();
  }

  /** These seats, and areas by their index, look different now, and with them the cards of their sections. */
  repaint(spots: Iterable<number>, areas: Iterable<number> = []): void {
    const scene = this.#scene;
    if (!scene) return;
    this.spoil(changedParts(scene, spots, areas, this.#floor, this.isNear));
  }

  /** These parts of the chart look different now; null for everything. `hasMoved`: their old pictures are wrong. */
  spoil(parts: readonly Bounds[] | null, hasMoved = false): void {
    if (parts?.length === 0) return;
    this.#stage.spoil(parts ?? undefined, hasMoved);
    this.#minimap.spoil();
    this.#invalidate();
  }

  /** The overlay of a board looks different now. */
  spoilOverlay(): void {
    this.#mark();
  }

  /** Everything looks different now: prices, words, pictures. */
  refresh(): void {
    if (this.#scene) this.#scene.bright.length = 0;
    this.#stage.spoil();
    this.#minimap.spoil();
    this.#mark();
  }

  /** Dims all places but these. */
  setFilter(filter: SeatFilter): void {
    if (!this.#scene) return;
    this.#scene.filter = filter;
    this.refresh();
  }

  hover(spot: number | null): void {
    this.#mark({ hover: spot });
  }

  focus(spot: number | null): void {
    this.#mark({ focus: spot });
  }

  focusBlock(block: number | null): void {
    this.#mark({ focusedBlock: block });
  }

  /** Shows a text in the middle for a moment. */
  hint(text: string): void {
    clearTimeout(this.#hintEnds);
    this.#hintEnds = setTimeout(() => this.#mark({ hint: null }), HINT_MS);
    this.#mark({ hint: text });
  }

  look(to: cameras.Camera): void {
    if (!this.#scene || !cameras.isCamera(to)) return;
    this.#showsAll = false;
    const before = this.#camera.scale;
    this.#camera = cameras.kept(to, this.#board?.reach() ?? this.#scene.hall.bounds, this.size);
    this.#movedAt = performance.now();
    if (before !== this.#camera.scale) this.#zoomedAt = this.#movedAt;
    this.#invalidate();
  }

  panBy(x: number, y: number): void {
    this.look({ ...this.#camera, x: this.#camera.x + x, y: this.#camera.y + y });
  }

  zoomAt(factor: number, at: Point): void {
    if (this.#scene) this.look(cameras.zoomed(this.#camera, factor, at, this.#limits(this.#scene)));
  }

  zoomBy(factor: number): void {
    const middle = { x: this.size.width / 2, y: this.size.height / 2 };
    if (this.#scene) this.#fly(cameras.zoomed(this.#camera, factor, middle, this.#limits(this.#scene)));
  }

  fit(): void {
    if (!this.#scene) return;
    this.#fly(cameras.fitted(this.#scene.hall.bounds, this.size), true);
  }

  /** Shows all of a part of a floor, its seats large enough to choose. A buyer's are no larger than a finger needs. */
  visit(bounds: Bounds, floor = this.#floor): void {
    const scene = this.#scene;
    if (!scene) return;
    this.showFloor(floor);
    const wanted = Math.max(cameras.fitted(bounds, this.size, 48).scale, cameras.SEAT_PIXELS_MIN / scene.seatSize);
    const most = this.#board ? this.#limits(scene).max : VISITED_SEAT_PIXELS / scene.seatSize;
    this.#centre(middleOf(bounds), Math.min(wanted, most));
  }

  /** Zooms to a seat until a finger hits it. */
  visitSpot(spot: number): void {
    const scene = this.#scene;
    if (!scene) return;
    const scale = Math.max(VISITED_SEAT_PIXELS / scene.hall.size[spot]!, this.#camera.scale);
    this.#centre({ x: scene.hall.x[spot]!, y: scene.hall.y[spot]! }, scale);
  }

  /** Moves no further than needed to show a point well inside the screen, at a legible size. */
  reveal(at: Point): void {
    if (!this.#scene) return;
    const { width, height } = this.size;
    const scale = Math.max(this.#camera.scale, REVEALED_SEAT_PIXELS / this.#scene.seatSize);
    const { x, y } = cameras.toScreen(this.#camera, at);
    const isSeen = Math.abs(x / width - 0.5) < 0.35 && Math.abs(y / height - 0.5) < 0.35;
    if (!isSeen || scale !== this.#camera.scale) this.#centre(at, scale);
  }

  end(): void {
    this.#ended = true;
    cancelAnimationFrame(this.#frame);
    cancelAnimationFrame(this.#flight);
    clearTimeout(this.#sharpLater);
    clearTimeout(this.#hintEnds);
    this.#watcher.disconnect();
    this.#themes.end();
    this.#minimap.end();
    this.#stage.end();
  }

  #centre({ x, y }: Point, scale: number, isAtOnce = false): void {
    const to = cameras.centred({ x, y }, scale, this.size);
    if (isAtOnce) this.look(to);
    else this.#fly(to);
  }

  #showAll({ hall }: Scene): void {
    cancelAnimationFrame(this.#flight);
    this.#camera = cameras.fitted(hall.bounds, this.size);
    this.#showsAll = true;
  }

  /** The floor that was chosen; before, the first floor that has places. */
  #floorIn({ floors, objects, areas }: Hall): number {
    const hasPlaces = (floor: number) => [...objects, ...areas].some((each) => each.floor === floor);
    const now = Math.min(this.#floor, floors.length - 1);
    if (this.#isFloorChosen || hasPlaces(now)) return now;
    return Math.max([...floors.keys()].findIndex(hasPlaces), 0);
  }

  #limits({ hall, seatSize }: Scene): { min: number; max: number } {
    return cameras.zoomLimits(this.#board?.reach() ?? hall.bounds, this.size, seatSize);
  }

  #mark(marks: Partial<Marks> = {}): void {
    Object.assign(this.#marks, marks);
    this.#isMarked = true;
    this.#invalidate();
  }

  #invalidate(): void {
    if (this.#frame === 0 && !this.#ended) this.#frame = requestAnimationFrame(() => this.#draw());
  }

  #draw(): void {
    this.#frame = 0;
    const scene = this.#scene;
    if (this.#ended || !scene) return;
    const since = performance.now();
    const camera = this.#camera;
    const size = this.size;
    const floor = this.#floor;
    const isMoving = since - this.#movedAt < REST_MS;
    const isZooming = since - this.#zoomedAt < REST_MS;
    const frame = { scene, camera, size, floor, isMoving, isZooming };
    const isBehind = this.#stage.draw(frame, since, this.#isMarked, (pen) => {
      if (!this.#board) drawStuckNames(pen, scene, floor, camera, size);
      drawMarks(pen, scene, camera, size, this.#marks);
      this.#board?.overlay(pen, camera, size);
    });
    this.#isMarked = false;
    this.#minimap.draw(scene, floor, camera, size);
    this.#host.style.touchAction = this.#board ? 'none' : cameras.touchActionOf(camera, scene.hall.bounds, size);
    this.drawn.ms = performance.now() - since;
    this.drawn.frames++;
    this.drawn.spots = this.#stage.seatsOn(camera, size);
    if (this.drawn.firstMs === 0) this.#tellFirst();
    clearTimeout(this.#sharpLater);
    if (!this.#stage.isSharp(camera)) this.#sharpLater = setTimeout(() => this.#invalidate(), REST_MS);
    if (isBehind) this.#invalidate();
  }

  #tellFirst(): void {
    this.drawn.firstMs = performance.now();
    performance.mark('parterre-first-picture');
  }

  /** Other colours of the page, or of the chart's categories. */
  recolour(): void {
    this.#theme = this.#themes.read();
    if (this.#scene) restyle(this.#scene, this.#theme);
    this.#stage.reset(this.size);
    this.#minimap.spoil();
    this.#mark();
    this.#restyled();
  }

  #resize(): void {
    const { width, height } = this.size;
    Object.assign(this.size, sizeOf(this.#host));
    const { scale, x, y } = this.#camera;
    // The middle of the map stays in the middle.
    this.#camera = { scale, x: x + (this.size.width - width) / 2, y: y + (this.size.height - height) / 2 };
    if (this.#showsAll && this.#scene) this.#showAll(this.#scene);
    this.#stage.reset(this.size);
    // A resized canvas is empty until it is drawn: the page must not paint it empty.
    this.#isMarked = true;
    cancelAnimationFrame(this.#frame);
    this.#draw();
  }

  /** `isWhole`: the flight ends at the whole hall. */
  #fly(to: cameras.Camera, isWhole = false): void {
    cancelAnimationFrame(this.#flight);
    if (this.#calm.matches) {
      this.look(to);
      this.#showsAll = isWhole;
      return;
    }
    const from = this.#camera;
    const since = performance.now();
    const step = (now: number): void => {
      const t = Math.min(Math.max((now - since) / FLIGHT_MS, 0), 1);
      this.look(cameras.between(from, to, t));
      if (t < 1 && !this.#ended) this.#flight = requestAnimationFrame(step);
      else this.#showsAll = isWhole;
    };
    this.#flight = requestAnimationFrame(step);
  }
}

/** More parts than this count as everything. */
const PARTS_MAX = 400;

/**
 * The parts of a chart that look different after places have changed.
 *
 * Null for everything. From afar a section changes with its seats.
 */
function changedParts(
  scene: Scene,
  spots: Iterable<number>,
  areas: Iterable<number>,
  floor: number,
  isNear: boolean,
): Bounds[] | null {
  const { hall, bright } = scene;
  const parts = [...areas].map((area) => boundsOf(hall.areas[area]!.points));
  const blocks = new Set<number>();
  for (const spot of spots) {
    const index = hall.blockOf[spot]!;
    const block = hall.blocks[index]!;
    bright[index] = undefined;
    if (block.floor !== floor) continue;
    if (isNear || block.outline === null) parts.push(placeOf(hall, spot));
    else blocks.add(index);
    if (parts.length > PARTS_MAX) {
      bright.length = 0;
      return null;
    }
  }
  return [...parts, ...[...blocks].map((index) => ({ ...hall.blocks[index]!.bounds }))];
}

/** Half of a seat, its ring included. */
const RING_SHARE = 0.62;

/** All that is drawn for a spot. */
function placeOf(hall: Hall, spot: number): Bounds {
  const { body } = hall.objects[hall.objectOf[spot]!]!;
  const isRound = body?.type === 'table' && body.shape === 'round';
  const extent = isRound ? 2 * (body.radius ?? 40) : Math.hypot(body?.width ?? 80, body?.height ?? 50);
  const reach = body ? extent / 2 + CHAIRS_REACH : hall.size[spot]! * RING_SHARE;
  const x = hall.x[spot]!;
  const y = hall.y[spot]!;
  return { left: x - reach, top: y - reach, right: x + reach, bottom: y + reach };
}

function sizeOf({ clientWidth, clientHeight }: HTMLElement): cameras.Size {
  return { width: Math.max(clientWidth, 1), height: Math.max(clientHeight, 1) };
}
