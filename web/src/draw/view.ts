/**
 * The map on the screen: the visible part of the hall, drawn only after a change. Owns the two canvases. States:
 * waiting → a frame asked for → drawn → waiting; ended, after which nothing is drawn.
 */
import 'pixi.js/unsafe-eval';
import type { Point } from '@parterre/shared/chart/plan';
import { Application, Container } from 'pixi.js';
import type { Words } from '../messages/words.ts';
import { type Bounds, middleOf, overlaps } from '../rules/bounds.ts';
import * as cameras from '../rules/camera.ts';
import type { Hall } from '../rules/hall.ts';
import type { Statuses } from '../rules/statuses.ts';
import { type Glyphs, makeGlyphs } from './glyphs.ts';
import { type Ground, makeGround } from './ground.ts';
import { makeOverlay, OVERLAY_EVERY_MS, type Overlay } from './overlay.ts';
import { type Look, makeSeats, type Seats } from './seats.ts';

export type Painter = {
  words(): Words;
  /** Called before the looks of another chart's seats are read. */
  begin(): void;
  lookOf(spot: number): Look;
  inkOf(spot: number): string | null;
  chosenIn(block: number): number;
};

const FLIGHT_MS = 350;
/** At most this many seats are made in one frame. The other blocks keep their distant look until the next frame. */
const SEATS_MADE_MAX = 3_000;

type Scene = {
  hall: Hall;
  statuses: Statuses;
  painter: Painter;
  ground: Ground;
  seats: Seats;
  world: Container;
  seatSize: number;
};

export async function createView(host: HTMLElement): Promise<View> {
  const app = new Application();
  const pixelRatio = Math.min(window.devicePixelRatio || 1, 2);
  await app.init({
    ...sizeOf(host),
    resolution: pixelRatio,
    autoDensity: true,
    backgroundAlpha: 0,
    autoStart: false,
    preference: 'webgl',
  });
  return new View(host, app, pixelRatio);
}

export class View {
  /** The work of the last frame, for measurements. */
  readonly drawn = { frames: 0, spots: 0, ms: 0 };
  readonly size: cameras.Size;
  readonly #host: HTMLElement;
  readonly #app: Application;
  readonly #overlay: Overlay;
  readonly #theme: { accent: string; font: string };
  readonly #glyphs: Glyphs = makeGlyphs();
  readonly #calm = window.matchMedia('(prefers-reduced-motion: reduce)');
  readonly #watcher = new ResizeObserver(() => this.#resize());
  #camera: cameras.Camera = { scale: 1, x: 0, y: 0 };
  #scene: Scene | null = null;
  /** True until the buyer first moves the map. Until then the map shows the whole hall whenever its size changes. */
  #showsAll = true;
  #floor = 0;
  #focus: number | null = null;
  #focusedBlock: number | null = null;
  #blocks: number[] = [];
  #colours: number[] = [];
  #frame = 0;
  #flight = 0;
  #textLater: ReturnType<typeof setTimeout> | undefined;
  #ended = false;

  constructor(host: HTMLElement, app: Application, pixelRatio: number) {
    this.#host = host;
    this.#app = app;
    this.size = sizeOf(host);
    this.#overlay = makeOverlay(pixelRatio);
    this.#theme = themeOf(host);
    host.append(app.canvas, this.#overlay.canvas);
    this.#watcher.observe(host);
    this.#resize();
  }

  get camera(): cameras.Camera {
    return this.#camera;
  }

  get floor(): number {
    return this.#floor;
  }

  /** True when single seats are shown. */
  get isNear(): boolean {
    return this.#scene !== null && this.#scene.seatSize * this.#camera.scale >= cameras.SEAT_PIXELS_MIN;
  }

  toChart(at: Point): Point {
    return cameras.toChart(this.#camera, at);
  }

  toScreen(at: Point): Point {
    return cameras.toScreen(this.#camera, at);
  }

  /** Shows another chart. The camera stays, unless this is the first chart. */
  show(hall: Hall, statuses: Statuses, colours: readonly number[], painter: Painter): void {
    this.#scene?.world.destroy({ children: true });
    painter.begin();
    const world = this.#app.stage.addChild(new Container());
    const ground = makeGround(hall, colours);
    const seats = makeSeats(hall, this.#glyphs, painter.lookOf);
    world.addChild(ground.layer, seats.layer);
    const isFirst = this.#scene === null;
    this.#scene = { hall, statuses, painter, ground, seats, world, seatSize: median(hall.size) };
    this.#focus = null;
    this.#focusedBlock = null;
    this.#floor = Math.min(this.#floor, hall.floors.length - 1);
    ground.showFloor(this.#floor);
    if (isFirst) this.#camera = cameras.fitted(hall.bounds, this.size);
    this.#invalidate();
  }

  showFloor(floor: number): void {
    this.#floor = floor;
    this.#scene?.ground.showFloor(floor);
    this.#invalidate();
  }

  repaint(spots: Iterable<number>): void {
    this.#scene?.seats.repaint(spots);
    this.#invalidate();
  }

  focus(spot: number | null): void {
    this.#focus = spot;
    this.#invalidate();
  }

  focusBlock(block: number | null): void {
    this.#focusedBlock = block;
    this.#invalidate();
  }

  look(to: cameras.Camera): void {
    if (!this.#scene) return;
    this.#showsAll = false;
    this.#camera = cameras.kept(to, this.#scene.hall.bounds, this.size);
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
    this.#fly(cameras.fitted(this.#scene.hall.bounds, this.size));
    this.#showsAll = this.#calm.matches;
  }

  /** Shows all of `bounds`, as far as its seats stay large enough to choose. */
  visit(bounds: Bounds): void {
    if (!this.#scene) return;
    const wanted = cameras.fitted(bounds, this.size, 48).scale;
    const scale = Math.max(wanted, cameras.SEAT_PIXELS_MIN / this.#scene.seatSize);
    this.#centre(middleOf(bounds), Math.min(scale, this.#limits(this.#scene).max));
  }

  /** Moves no further than needed to show a point well inside the screen, at a legible size. */
  reveal(at: Point): void {
    if (!this.#scene) return;
    const { width, height } = this.size;
    const scale = Math.max(this.#camera.scale, 14 / this.#scene.seatSize);
    const { x, y } = cameras.toScreen(this.#camera, at);
    const isSeen = Math.abs(x / width - 0.5) < 0.35 && Math.abs(y / height - 0.5) < 0.35;
    if (!isSeen || scale !== this.#camera.scale) this.#centre(at, scale);
  }

  end(): void {
    this.#ended = true;
    cancelAnimationFrame(this.#frame);
    cancelAnimationFrame(this.#flight);
    clearTimeout(this.#textLater);
    this.#watcher.disconnect();
    this.#app.destroy({ removeView: true }, { children: true });
    this.#overlay.canvas.remove();
  }

  #centre({ x, y }: Point, scale: number): void {
    this.#fly({ scale, x: this.size.width / 2 - x * scale, y: this.size.height / 2 - y * scale });
  }

  #limits({ hall, seatSize }: Scene): { min: number; max: number } {
    return cameras.zoomLimits(hall.bounds, this.size, seatSize);
  }

  #invalidate(): void {
    if (this.#frame === 0 && !this.#ended) this.#frame = requestAnimationFrame(() => this.#draw());
  }

  #draw(): void {
    this.#frame = 0;
    const scene = this.#scene;
    if (this.#ended || !scene) return;
    const since = performance.now();
    const { hall, statuses, ground, world } = scene;
    const { scale, x, y } = this.#camera;
    world.scale.set(scale);
    world.position.set(x, y);
    const seen = cameras.seen(this.#camera, this.size);
    const isBehind = this.#drawBlocks(scene, seen);
    for (const [index, { id }] of hall.areas.entries()) ground.paintArea(index, (statuses.freeInArea.get(id) ?? 0) > 0);
    this.#app.render();
    this.#drawText(scene);
    this.drawn.frames++;
    this.drawn.ms = performance.now() - since;
    if (isBehind) this.#invalidate();
  }

  /** True when seats on screen are still to be made. */
  #drawBlocks({ hall, statuses, ground, seats }: Scene, seen: Bounds): boolean {
    const { isNear } = this;
    const madeMax = seats.made + SEATS_MADE_MAX;
    let isBehind = false;
    this.drawn.spots = 0;
    this.#blocks.length = 0;
    for (let index = 0; index < hall.blocks.length; index++) {
      const block = hall.blocks[index]!;
      const isSeen = block.floor === this.#floor && overlaps(block.bounds, seen);
      const isWanted = isSeen && (isNear || block.outline === null);
      const isShown = isWanted && seats.show(index, madeMax - seats.made);
      if (isShown) this.drawn.spots += block.spots.length;
      else seats.hide(index);
      if (!isSeen) continue;
      isBehind ||= isWanted && !isShown;
      this.#blocks.push(index);
      const share = statuses.freeInBlock[index]! / Math.max(block.spots.length, 1);
      this.#colours[index] = ground.paintBlock(index, share, isShown);
    }
    return isBehind;
  }

  #drawText({ hall, statuses, painter: { words, inkOf, chosenIn } }: Scene): void {
    const captioned = {
      ...{ words: words(), hall, inkOf, chosenIn, ...this.#theme },
      camera: this.#camera,
      size: this.size,
      floor: this.#floor,
      blocks: this.#blocks,
      areNear: this.isNear,
      focus: this.#focus,
      focusedBlock: this.#focusedBlock,
      freeIn: (block: number) => statuses.freeInBlock[block]!,
      freeInArea: (id: string) => statuses.freeInArea.get(id) ?? 0,
      colourOf: (block: number) => this.#colours[block] ?? 0xffffff,
    };
    const isBehind = this.#overlay.draw(captioned, performance.now());
    clearTimeout(this.#textLater);
    if (isBehind) this.#textLater = setTimeout(() => this.#invalidate(), OVERLAY_EVERY_MS);
  }

  #resize(): void {
    const { width, height } = this.size;
    Object.assign(this.size, sizeOf(this.#host));
    const { scale, x, y } = this.#camera;
    // The middle of the map stays in the middle.
    this.#camera = { scale, x: x + (this.size.width - width) / 2, y: y + (this.size.height - height) / 2 };
    if (this.#showsAll && this.#scene) this.#camera = cameras.fitted(this.#scene.hall.bounds, this.size);
    this.#app.renderer.resize(this.size.width, this.size.height);
    this.#overlay.resize(this.size);
    this.#invalidate();
  }

  #fly(to: cameras.Camera): void {
    cancelAnimationFrame(this.#flight);
    if (this.#calm.matches) {
      this.look(to);
      return;
    }
    const from = this.#camera;
    const since = performance.now();
    const step = (now: number): void => {
      const t = Math.min(Math.max((now - since) / FLIGHT_MS, 0), 1);
      this.look(cameras.between(from, to, t));
      if (t < 1 && !this.#ended) this.#flight = requestAnimationFrame(step);
    };
    this.#flight = requestAnimationFrame(step);
  }
}

function themeOf(host: HTMLElement): { accent: string; font: string } {
  const style = getComputedStyle(host);
  return { accent: style.getPropertyValue('--accent').trim() || '#0b57d0', font: style.fontFamily };
}

function sizeOf({ clientWidth, clientHeight }: HTMLElement): cameras.Size {
  return { width: Math.max(clientWidth, 1), height: Math.max(clientHeight, 1) };
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1] ?? 20;
}
