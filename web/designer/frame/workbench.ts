/**
 * The map with its tools: it hands the pointer and the keys to the tool in use, and draws the tool's marks. The pointer
 * hides the cursor of the keyboard.
 */
import type { ChartObject } from '@parterre/shared/charts/document';
import type { Point } from '@parterre/shared/charts/plan';
import type { Drag } from '../../src/draw/gestures.ts';
import { type Bounds, boundsOf } from '../../src/rules/bounds.ts';
import { Board } from '../canvas/board.ts';
import type { PriceRange } from '../canvas/card-prices.ts';
import { Overlay } from '../canvas/overlay.ts';
import type { Change, Edit, Editor } from '../document/editor.ts';
import { focalFloor, focalPointOf } from '../document/focal-points.ts';
import { idOf } from '../document/objects.ts';
import { placementOf } from '../document/placement.ts';
import { nothingSelected } from '../document/selection.ts';
import { type Guide, Snapper } from '../edits/snapping.ts';
import { type MessageKey, tell, type Words } from '../messages/words.ts';
import { amountsOf, amountText } from '../painting/money.ts';
import type { PaintWhat } from '../painting/painting.ts';
import type { ArrowStep } from '../tools/arrow-keys.ts';
import { drawSelection } from '../tools/selecting.ts';
import { firstSettings, type Settings } from '../tools/settings.ts';
import type { Dragged, Pointed, Tool, ToolName, Workbench } from '../tools/tool.ts';
import { groupsFor, makeTools, type Tools } from '../tools/tools.ts';
import { MapCursor } from './map-cursor.ts';

const REACH_PIXELS = 9;
const TOUCH_REACH_PIXELS = 18;

export type BenchHost = {
  canvas: HTMLElement;
  editor: Editor;
  words(): Words;
  say(text: string): void;
  notice(text: string): void;
  redraw(): void;
  painting(): PaintWhat | null;
  drawn(): void;
  currency(): string | null;
};

export class Bench implements Workbench {
  readonly editor: Editor;
  readonly board: Board;
  readonly settings: Settings = firstSettings();
  readonly tools: Tools;
  readonly words: () => Words;
  readonly say: (text: string) => void;
  readonly notice: (text: string) => void;
  readonly painting: () => PaintWhat | null;
  readonly drawn: () => void;
  readonly #host: BenchHost;
  readonly #cursor: MapCursor;
  #tool: Tool;
  #guides: readonly Guide[] = [];
  #snapper: { of: unknown; its: Snapper } | null = null;
  #issues: ReadonlyMap<string, string> = new Map();
  #holdsSpace = false;
  /** The drag of the pointer that is down, unless Escape took it back. */
  #drag: Drag | null = null;

  constructor(host: BenchHost) {
    this.#host = host;
    this.editor = host.editor;
    this.words = host.words;
    this.say = host.say;
    this.notice = host.notice;
    this.painting = host.painting;
    this.drawn = host.drawn;
    this.board = new Board(host.canvas, host.editor, {
      overlay: (pen, camera, size) => this.#draw(new Overlay(pen, camera, size, this.board.view.theme)),
      press: (at, event) => this.#press(at, event),
      hover: (at, event) => this.#hover(at, event),
      places: (count) => host.words().text('draw.places', { count }),
      price: (range) => this.#priceText(range),
    });
    this.tools = makeTools(this);
    this.#tool = this.tools.get('select')!;
    this.#cursor = new MapCursor(this);
  }

  #priceText({ from, to }: PriceRange): string {
    const { text, locale } = this.words();
    const amounts = amountsOf(this.editor.document, this.#host.currency());
    const told = { from: amountText(locale, from, amounts), to: amountText(locale, to, amounts) };
    return from === to ? text('draw.price', told) : text('draw.prices', told);
  }

  get tool(): Tool {
    return this.#tool;
  }

  /** The tools that the session allows. */
  get toolGroups(): readonly (readonly Tool[])[] {
    return groupsFor(this.tools, this.editor.may);
  }

  /** True for a tool that sets points. */
  get isDrawing(): boolean {
    return this.#tool.name !== 'select' && this.#tool.name !== 'pan';
  }

  /** The place of the keyboard's cursor, while it is shown. */
  get cursor(): Point | null {
    return this.#cursor.at;
  }

  set holdsSpace(holds: boolean) {
    this.#holdsSpace = holds;
    this.redraw();
  }

  get isPanning(): boolean {
    return this.#holdsSpace || this.#tool.name === 'pan';
  }

  use(name: ToolName): void {
    this.#tool.leave();
    this.#tool.hover(null);
    this.#tool = this.tools.get(name)!;
    if (name !== 'focal') this.settings.focalZone = null;
    if (!this.isDrawing) this.#cursor.hide();
    const { text } = this.words();
    this.say(`${text(`draw.tool.${name}`)}. ${text(`draw.help.${name}`)}`);
    this.redraw();
  }

  apply(edit: Edit, name: MessageKey, gesture?: string): boolean {
    const refusal = this.editor.apply(edit, name, gesture);
    if (refusal) this.notice(tell(this.words(), refusal));
    return refusal === null;
  }

  follow(change: Change): void {
    this.board.follow(change);
    // A fresh session may forbid the tool in use.
    if (!this.toolGroups.some((group) => group.includes(this.#tool))) this.use('select');
  }

  remark(): void {
    this.board.view.spoilOverlay();
  }

  redraw(): void {
    this.board.view.spoilOverlay();
    this.#host.redraw();
  }

  /** Draws these objects as faulty. */
  mark(issues: ReadonlyMap<string, string>): void {
    this.#issues = issues;
    this.board.view.spoilOverlay();
  }

  snap(to: Pointed, without: ReadonlySet<string> = new Set()): Point {
    const { dx, dy } = this.snapBox(boundsOf([to.at]), to, without);
    return { x: to.at.x + dx, y: to.at.y + dy };
  }

  snapBox(box: Bounds, { reach, isFree }: Pointed, without: ReadonlySet<string>): { dx: number; dy: number } {
    const { snaps, grid } = this.settings;
    if (isFree || !snaps) {
      this.#guides = [];
      return { dx: 0, dy: 0 };
    }
    const { document, floor } = this.editor;
    // The objects of a drag are the same set from its start to its end, and nothing else moves meanwhile.
    const of = without.size > 0 ? without : document;
    if (this.#snapper?.of !== of) this.#snapper = { of, its: new Snapper(document, floor, without) };
    const { dx, dy, guides } = this.#snapper.its.snap(box, { reach, grid });
    this.#guides = guides;
    return { dx, dy };
  }

  dropGuides(): void {
    this.#guides = [];
    this.#snapper = null;
    this.board.view.spoilOverlay();
  }

  /** Moves the keyboard's cursor. */
  moveCursor(step: ArrowStep): void {
    const at = this.#tool.name === 'select' ? this.#cursor.hop(step) : this.#cursor.move(step);
    this.#tool.hover(this.#pointedAt(at));
    this.redraw();
  }

  /** Where nothing is drawn, the next arrow moves the selection again. */
  hideCursor(): void {
    this.#cursor.hide();
    this.board.view.spoilOverlay();
  }

  /** Enter at the keyboard's cursor. In the tool that selects, the first Enter shows the cursor. */
  enter(isMore: boolean): void {
    const { enter, name } = this.#tool;
    if (!enter) return;
    const { at } = this.#cursor;
    this.redraw();
    if (!at && name === 'select') {
      this.#cursor.showAtSelection();
      return;
    }
    const pointed = this.#pointedAt(at ?? this.#cursor.show());
    if (!at) this.#tool.hover(pointed);
    enter({ ...pointed, isMore });
  }

  /** Escape: takes a drag back; else gives up the points or the handle, then the tool, the cursor, the selection. */
  leave(): void {
    const drag = this.#drag;
    if (drag) {
      drag.cancel();
      return;
    }
    if (this.#tool.leave()) return;
    if (this.#tool.name !== 'select') this.use('select');
    else if (!this.#cursor.at) this.editor.select(nothingSelected);
    this.#cursor.hide();
    this.redraw();
  }

  end(): void {
    this.board.end();
  }

  #pointedAt(at: Point): Pointed {
    return { at, reach: 0.5, isMore: false, isToggle: false, isFree: true, clicks: 1 };
  }

  #pointed(screen: Point, event: PointerEvent | null): Pointed {
    const { view } = this.board;
    const pixels = event?.pointerType === 'touch' ? TOUCH_REACH_PIXELS : REACH_PIXELS;
    return {
      at: view.toChart(screen),
      reach: pixels / view.camera.scale,
      isMore: event?.shiftKey ?? false,
      isToggle: event ? event.ctrlKey || event.metaKey : false,
      isFree: event ? event.ctrlKey || event.metaKey || event.altKey : false,
      clicks: this.#clicks,
    };
  }

  #clicks = 1;
  #clickedAt: { x: number; y: number; time: number } | null = null;

  /** Pointer events do not count clicks. */
  #countClicks({ x, y }: Point, time: number): void {
    const last = this.#clickedAt;
    const isAgain = last && time - last.time < 400 && Math.hypot(last.x - x, last.y - y) < 6;
    this.#clicks = isAgain ? this.#clicks + 1 : 1;
    this.#clickedAt = { x, y, time };
  }

  #press(screen: Point, event: PointerEvent): Drag | null {
    this.#cursor.hide();
    this.#countClicks(screen, event.timeStamp);
    const dragged: Dragged | null = this.isPanning ? null : this.#tool.press(this.#pointed(screen, event));
    if (!dragged) return null;
    const end = (): void => {
      this.#drag = null;
      this.redraw();
    };
    const drag: Drag = {
      move: (at, event) => {
        if (this.#drag === drag) dragged.move(this.#pointed(at, event));
      },
      end: (at, event) => {
        if (this.#drag === drag) dragged.end(this.#pointed(at, event));
        end();
      },
      cancel: () => {
        if (this.#drag === drag) dragged.cancel();
        end();
      },
    };
    this.#drag = drag;
    return drag;
  }

  #hover(at: Point | null, event: PointerEvent | null): void {
    if (at) this.#cursor.hide();
    this.#clicks = 1;
    // The ghost shows the point that a click would set, so Shift and Ctrl count here too.
    this.#tool.hover(at && this.#pointed(at, event));
  }

  #scale = 0;

  #draw(overlay: Overlay): void {
    // The page shows the scale.
    if (overlay.camera.scale !== this.#scale) this.#host.redraw();
    this.#scale = overlay.camera.scale;
    if (this.settings.showsGrid) overlay.grid(this.settings.grid);
    const { below } = this.board;
    if (this.settings.showsBelow && below) overlay.shadow(below);
    const { empty, faulty } = this.#marks();
    for (const object of empty) overlay.cross(placementOf(object).centre);
    this.#drawFocalPoints(overlay);
    for (const object of faulty) overlay.box(placementOf(object).bounds, 'issue');
    if (this.#tool.name !== 'select') drawSelection(overlay, this);
    this.#tool.draw(overlay);
    for (const { from, to } of this.#guides) overlay.guide(from, to);
    if (this.#cursor.at) overlay.crosshair(this.#cursor.at);
  }

  /** Where the best seats are near: of the floor in sight, once it has places, and of its zones. */
  #drawFocalPoints(overlay: Overlay): void {
    const { document, floor } = this.editor;
    if (this.board.hall.labels.length + this.board.hall.areas.length === 0) return;
    const { text } = this.words();
    overlay.focal(focalPointOf(document, focalFloor(document, floor)), text('chart.focalPoint'));
    for (const { label, focalPoint } of document.zones ?? []) {
      if (focalPoint) overlay.focal(focalPoint, text('draw.focal.zone', { name: label }));
    }
  }

  #marked: { of: readonly ChartObject[]; issues: unknown; empty: ChartObject[]; faulty: ChartObject[] } | null = null;

  /** Rows without seats, and objects with issues: found anew after a change of the objects or of the issues. */
  #marks(): { empty: readonly ChartObject[]; faulty: readonly ChartObject[] } {
    const { objects } = this.board.live;
    const issues = this.#issues;
    if (this.#marked?.of === objects && this.#marked.issues === issues) return this.#marked;
    const empty = objects.filter((object) => object.type === 'row' && object.seatCount === 0);
    const faulty = issues.size === 0 ? [] : objects.filter((object) => issues.has(idOf(object)));
    this.#marked = { of: objects, issues, empty, faulty };
    return this.#marked;
  }
}
