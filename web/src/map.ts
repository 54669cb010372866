/**
 * One map on a page. It opens the sale, follows the feed, and redraws changes, at most once a frame.
 *
 * States: opening → open → ended, by `destroy` or for good by the feed. A failure while opening is a refusal, shown in
 * place of the map. A map that is destroyed meanwhile leaves nothing behind. The feed starts while the drawing still
 * loads, and a feed that ends then is a refusal too. While the map is open, the feed, the clock and the buyer all act
 * through `sale`, and every action ends in `#redraw`.
 */
import type { Point } from '@parterre/shared/charts/plan';
import { canDraw } from './canvas.ts';
import { createChoosing } from './choosing.ts';
import type { Painter } from './draw/scene.ts';
import type { SeatFilter, View } from './draw/view.ts';
import { createFloors } from './floors.ts';
import { followSale } from './following.ts';
import { coverOf, type Frame, type FrameView, makeFrame } from './frame.ts';
import { createHovering, type Hovering } from './hovering.ts';
import { createVoice, type Speech, type Voice } from './messages/languages.ts';
import { type Problem, problemText } from './messages/problems.ts';
import type { Words } from './messages/words.ts';
import type { Mirror } from './mirror.ts';
import { baseUrlOf, type MapOptions } from './options.ts';
import { shownOf } from './panel/shown.ts';
import { createSide, type Shown, type Side } from './panel/side.ts';
import { type Pointed, tapOn } from './pointing.ts';
import { type Wanted, wantedOf } from './rules/selection.ts';
import { isAwaited, isShut, waitingNow } from './rules/waiting.ts';
import type { House, OpenedHouse } from './sale/house.ts';
import { Sale } from './sale/sale.ts';
import { saleEvents } from './sale/sale-events.ts';
import type { SaleState } from './sale/sale-state.ts';
import { totalOf } from './sale/total.ts';
import { type Selling, sellingOf } from './selling.ts';
import { describeSpot, type Judged } from './telling.ts';
import { walkedMirror } from './walking.ts';

type Drawing = typeof import('./drawing.ts');

/** Null where the browser cannot draw, or cannot load the drawing. */
async function loadDrawing(): Promise<Drawing | null> {
  if (!canDraw()) return null;
  try {
    return await import('./drawing.ts');
  } catch (error) {
    console.warn('no-drawing', error);
    return null;
  }
}

const SELECTION_MAX = 10;
const ZOOM_STEP = 1.6;
const isMac = /Mac|iPhone|iPad/.test(globalThis.navigator?.userAgent ?? '');

export function createMap(container: HTMLElement, options: MapOptions): ParterreMap {
  return new ParterreMap(container, sound(container, options));
}

/** The settings, if a map can be made of them. Throws a TypeError that names the first missing part. */
function sound(container: HTMLElement, options: MapOptions): MapOptions {
  if (typeof container?.attachShadow !== 'function') {
    throw new TypeError('createMap takes an element as its container.');
  }
  const { event, group, access } = (options ?? {}) as Partial<Record<'event' | 'group' | 'access', unknown>>;
  if (typeof event !== 'string' && typeof group !== 'string') {
    throw new TypeError('createMap takes { event, access } or { group, access }: name an event or a group.');
  }
  const isWay = typeof access === 'object' && access !== null;
  if (!isWay || !['publicKey', 'token', 'capability'].some((way) => way in access)) {
    throw new TypeError('createMap takes an access: { publicKey }, { token } or { capability }.');
  }
  return options;
}

function labelsIn(labels: unknown, method: string): readonly string[] {
  const list = typeof labels === 'string' ? [labels] : labels;
  if (Array.isArray(list) && list.every((label) => typeof label === 'string')) return list;
  throw new TypeError(`${method} takes labels of places as strings, for example 'C-3'.`);
}

export class ParterreMap {
  readonly #options: MapOptions;
  readonly #frame: Frame;
  readonly #voice: Voice;
  readonly #selling: Selling;
  readonly #sale: Sale;
  readonly #mirror: Mirror;
  readonly #side: Side;
  readonly #floors: ReturnType<typeof createFloors>;
  readonly #hovering: Hovering;
  readonly #choosing: Pointed;
  readonly #pointed: Pointed = {
    choose: (spot) => this.#choose(spot),
    addPlace: (areaId) => this.#choosing.addPlace(areaId),
  };
  readonly #endings: (() => void)[] = [];
  #opened: OpenedHouse | null = null;
  #view: View | null = null;
  #connection: FrameView['connection'] = 'opening';
  #cover: Problem | 'opening' | null = 'opening';
  #painter: Painter | null = null;
  #drawing: Drawing | null = null;
  #paintsOwn: ReturnType<Drawing['createOwnPaint']> | null = null;
  #judged: Judged = { marked: new Set(), isForAll: () => false };
  #planned = 0;
  #ended = false;

  constructor(container: HTMLElement, options: MapOptions) {
    this.#options = options;
    this.#frame = makeFrame(container);
    this.#voice = createVoice(container, options);
    this.#selling = sellingOf(options, () => this.#words);
    const { counter, kept } = this.#selling;
    this.#sale = new Sale({
      counter,
      kept,
      maxSelection: options.maxSelection ?? SELECTION_MAX,
      words: () => this.#words,
      hall: () => this.#house.hall,
      statuses: () => this.#house.statuses,
      rules: () => this.#house.event.selectionRules ?? {},
      isClosed: () => this.#isShut(),
      isAwaited: () => isAwaited(this.#house.waiting),
      now: this.#selling.clock.now,
      total: () => totalOf(this.#house, this.#sale.state),
      lackingOf: (label) => this.#house.lackingOf(label),
      events: saleEvents(options, {
        sale: () => this.#sale,
        words: () => this.#words,
        hall: () => this.#house.hall,
        changed: () => this.#redraw(),
        selectionChanged: () => this.#options.onSelectionChange?.(this.state().selection),
        outdated: () => void this.#opened?.readSale(true),
        say: (text) => this.#frame.say(text),
      }),
    });
    const redraw = () => this.#redraw();
    this.#side = createSide({ redraw, filtered: (filter, isAsked) => this.#filter(filter, isAsked) });
    this.#floors = createFloors({
      house: () => this.#house,
      sale: this.#sale.state,
      words: () => this.#words,
      view: () => this.#view,
      turned: () => {
        this.#hovering.forgetTap();
        this.#mirror.reset();
        this.#redraw();
      },
    });
    this.#choosing = createChoosing({
      sale: this.#sale,
      house: () => this.#house,
      words: () => this.#words,
      describe: (spot) => this.#describe(spot),
      say: (text) => this.#frame.say(text),
    });
    this.#hovering = createHovering({
      hall: () => this.#house.hall,
      painter: () => this.#painter,
      sale: this.#sale.state,
      canvas: this.#frame.canvas,
      redraw,
    });
    this.#mirror = walkedMirror(this.#frame.mirror, {
      sale: this.#sale,
      house: () => this.#house,
      words: () => this.#words,
      view: () => this.#view,
      pointed: this.#pointed,
      describe: (spot) => this.#describe(spot),
      judged: () => this.#judged,
      focused: (spot) => this.#hovering.focus(spot),
      zoom: (step) => this.#zoom(step),
      changed: () => this.#drawNow(),
    });
    void this.#start();
  }

  /** Holds the choice. False for an empty choice, and after a refusal, which the map shows. */
  hold(): Promise<boolean> {
    return this.#sale.hold();
  }

  extend(): Promise<boolean> {
    return this.#sale.extend();
  }

  release(): Promise<boolean> {
    return this.#sale.release();
  }

  /** Drops the whole choice. A hold stays. */
  clear(): void {
    if (this.#opened) this.#sale.choice.clear();
  }

  /** Another language, or other texts: the choice and the hold stay. */
  async speak(speech: Speech): Promise<void> {
    if (typeof speech !== 'object' || speech === null) {
      throw new TypeError("speak takes { locale, messages }, for example { locale: 'de' }.");
    }
    await this.#voice.speak(speech);
    this.#view?.refresh();
    this.#redraw();
  }

  /**
   * Chooses seats by label, or drops them from the choice: a label, or a list of labels. Labels that are not free or
   * unknown are ignored, and all are while the map opens. Throws a TypeError for anything else.
   */
  toggle(labels: string | readonly string[]): void {
    const asked = labelsIn(labels, 'toggle');
    const spotOf = this.#opened?.house.hall.spotOf;
    for (const spot of asked.map((label) => spotOf?.get(label))) {
      if (spot !== undefined) this.#sale.choice.toggle(spot);
    }
  }

  state(): { connection: FrameView['connection']; selection: Wanted[]; hold: SaleState['hold'] } {
    const selection = this.#opened ? wantedOf(this.#house.hall, this.#sale.state.selection) : [];
    return { connection: this.#connection, selection, hold: this.#sale.state.hold };
  }

  /**
   * The position of a seat on the map, in CSS pixels from its corner, for the host's hints; null for an unknown label,
   * and while the map opens. Throws a TypeError for anything but a label.
   */
  placeOf(label: string): Point | null {
    const [asked] = labelsIn([label], 'placeOf');
    if (!this.#opened || !this.#view) return null;
    const { hall } = this.#house;
    const spot = hall.spotOf.get(asked!);
    return spot === undefined ? null : this.#view.toScreen({ x: hall.x[spot]!, y: hall.y[spot]! });
  }

  /** Dims all places but these on the map, and shows a floor that has them; null ends it. */
  setFilter(filter: SeatFilter): void {
    this.#filter(filter, true);
  }

  /** The view, to steer and to measure; null while opening. */
  get view(): View | null {
    return this.#view;
  }

  destroy(): void {
    this.#ended = true;
    cancelAnimationFrame(this.#planned);
    for (const end of this.#endings) end();
    this.#view?.end();
    this.#frame.end();
  }

  get #words(): Words {
    return this.#voice.words();
  }

  get #house(): House {
    return this.#opened!.house;
  }

  #isShut(): boolean {
    return isShut(waitingNow(this.#house.waiting, this.#house.statuses));
  }

  async #start(): Promise<void> {
    // The drawing is loaded beside the sale, and not with the page.
    const drawing = loadDrawing();
    const opening = this.#selling.open({
      rebuilt: () => this.#showHall(),
      changed: ({ spots, areas }) => {
        const { hall } = this.#house;
        const indexes = [...hall.areas.keys()].filter((index) => areas.includes(hall.areas[index]!.id));
        this.#view?.repaint(spots, indexes);
        this.#redraw();
      },
      heard: (statusOf) => this.#sale.heard(statusOf),
      priced: () => this.#priced(),
    });
    await this.#voice.choose();
    this.#drawNow();
    const answer = await opening;
    if (this.#ended) return;
    if (!answer.ok) {
      this.#refuse(answer.problem);
      return;
    }
    this.#opened = answer.value;
    this.#follow(answer.value);
    const [drawn] = await Promise.all([drawing, this.#voice.chooseFor(answer.value.house.event.locale)]);
    if (this.#ended || this.#connection === 'ended') return;
    // A page that cannot load the drawing, or cannot draw, still has the list.
    this.#drawing = drawn;
    this.#view = drawn?.createView(this.#frame.canvas, () => this.#redraw()) ?? null;
    this.#cover = null;
    this.#drawNow();
    this.#showHall();
    this.#sale.checkOpen();
    if (drawn && this.#view) this.#listenTo(this.#view, drawn.listenToGestures);
    await this.#sale.resumeStored();
    this.#floors.showHeld();
  }

  #listenTo(view: View, listenToGestures: Drawing['listenToGestures']): void {
    const stop = listenToGestures(this.#frame.canvas, {
      pan: (x, y) => {
        this.#hovering.forgetTap();
        view.panBy(x, y);
      },
      zoom: (factor, at) => {
        this.#hovering.forgetTap();
        view.zoomAt(factor, at);
      },
      tap: (tap) => {
        const target = tapOn(view, this.#house.hall, tap, this.#pointed);
        this.#hovering.tapped(tap.isTouch ? target : null);
      },
      hover: (at) => this.#hovering.hover(view, at),
      ignoredWheel: () => view.hint(this.#words.text('map.wheel', { key: isMac ? '⌘' : 'Ctrl' })),
    });
    this.#endings.push(stop);
  }

  #follow(opened: OpenedHouse): void {
    const end = followSale(opened, {
      sale: this.#sale,
      words: () => this.#words,
      now: this.#selling.clock.now,
      say: (text) => this.#frame.say(text),
      connected: (state) => {
        this.#connection = state;
        this.#redraw();
      },
      ended: (problem) => this.#refuse(problem),
      redraw: () => this.#redraw(),
      turned: () => this.#priced(),
    });
    this.#endings.push(end);
  }

  /** The prices may come before the map is open. */
  #priced(): void {
    if (!this.#opened) return;
    this.#side.refresh(this.#house, false);
    this.#view?.refresh();
    this.#sale.checkOpen();
  }

  #describe(spot: number): string[] {
    return describeSpot(this.#words, this.#house, this.#sale.state, this.#judged, spot);
  }

  #choose(spot: number): void {
    this.#hovering.chose(spot);
    this.#choosing.choose(spot);
  }

  #filter(filter: SeatFilter, isAsked: boolean): void {
    this.#view?.setFilter(filter);
    if (this.#opened) this.#floors.filter(filter, isAsked);
  }

  #zoom(step: 1 | -1 | 0): void {
    if (step === 0) this.#view?.fit();
    else this.#view?.zoomBy(step > 0 ? ZOOM_STEP : 1 / ZOOM_STEP);
  }

  #showHall(): void {
    this.#sale.rebuilt();
    this.#hovering.reset();
    this.#mirror.reset();
    this.#side.refresh(this.#house, true);
    if (this.#drawing && this.#view) this.#paint(this.#drawing, this.#view);
    this.#redraw();
  }

  #paint({ createPainter, createOwnPaint }: Drawing, view: View): void {
    this.#painter = createPainter({
      words: () => this.#words,
      house: () => this.#house,
      sale: this.#sale.state,
      marked: () => this.#judged.marked,
      hasOwnColours: this.#options.colours !== 'palette',
      baseUrl: baseUrlOf(this.#options),
    });
    this.#paintsOwn = createOwnPaint();
    const { selection, hold } = this.#sale.state;
    view.show(this.#house.hall, this.#painter, selection.size > 0 || hold !== null);
  }

  #refuse(problem: Problem): void {
    this.#cover = problem;
    this.#connection = 'ended';
    this.#options.onError?.({ ...problem, text: problemText(this.#words, problem) });
    this.#drawNow();
  }

  #redraw(): void {
    if (this.#planned === 0 && !this.#ended) this.#planned = requestAnimationFrame(() => this.#drawNow());
  }

  #drawNow(): void {
    cancelAnimationFrame(this.#planned);
    this.#planned = 0;
    if (this.#ended) return;
    const isOpen = this.#opened !== null && this.#cover === null;
    const view = this.#view;
    if (isOpen) this.#judged = this.#side.judge(this.#house, this.#sale.state);
    if (isOpen && view) this.#paintsOwn?.(this.#house, { ...this.#sale.state, marked: this.#judged.marked }, view);
    const shown = isOpen ? this.#shown() : null;
    this.#frame.draw({
      words: this.#words,
      floors: isOpen ? this.#floors.told() : [],
      floor: view?.floor ?? 0,
      connection: this.#connection,
      cover: coverOf(this.#cover, this.#words, this.#opened === null ? () => this.#retry() : null),
      closed: isOpen && this.#isShut() && !isAwaited(this.#house.waiting),
      isOpen: this.#side.isOpen,
      surface: this.#side.surface,
      hasMap: view !== null || this.#cover !== null,
      card: shown && view && this.#hovering.card(shown, view),
      mirror: isOpen && view ? this.#mirror.template() : null,
      list: shown && (!view || this.#side.surface === 'list') ? this.#side.list(shown, this.#pointed) : null,
      panel: shown && this.#side.panel(shown),
      show: (surface) => this.#side.show(surface),
      zoom: (step) => this.#zoom(step),
      showFloor: this.#floors.show,
    });
  }

  #retry(): void {
    this.#cover = 'opening';
    this.#connection = 'opening';
    void this.#start();
  }

  #shown(): Shown {
    const { maxSelection = SELECTION_MAX } = this.#options;
    const parts = {
      house: this.#house,
      judged: this.#judged,
      sale: this.#sale,
      words: this.#words,
      view: this.#view,
      maxSelection,
    };
    return shownOf(
      { ...parts, baseUrl: baseUrlOf(this.#options) },
      {
        now: this.#selling.clock.now(),
        goOn: () => this.#options.onContinue?.(this.#sale.state.hold!),
        show: this.#floors.visit,
        say: (text) => this.#frame.say(text),
        refocus: (...selectors) => {
          this.#drawNow();
          this.#frame.refocus(...selectors);
        },
      },
    );
  }
}
