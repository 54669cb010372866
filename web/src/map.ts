/**
 * One map on a page. It opens the sale, follows the feed, and redraws changes, at most once a frame.
 *
 * States: opening → open → ended, by `destroy` or for good by the feed. A failure while opening is a refusal, shown in
 * place of the map. A map that is destroyed meanwhile leaves nothing behind. While it is open, the feed, the clock and
 * the buyer all act through `sale`, and every action ends in `#redraw`.
 */
import type { Point } from '@parterre/shared/chart/plan';
import { listenToGestures } from './draw/gestures.ts';
import type { Painter } from './draw/scene.ts';
import type { SeatFilter, View } from './draw/view.ts';
import { type Frame, type FrameView, makeFrame } from './frame.ts';
import { createVoice, type Speech, type Voice } from './messages/languages.ts';
import { placeName } from './messages/places.ts';
import { type Problem, problemText } from './messages/problems.ts';
import type { Words } from './messages/words.ts';
import { createMirror, type Mirror } from './mirror.ts';
import type { MapOptions } from './options.ts';
import { createPainter, describeSpot, ownSpots } from './painter.ts';
import { panel } from './panel.ts';
import { hoveredBlock, hoveredSpot, type Pointed, tapOn, tipAt } from './pointing.ts';
import { bareOffers } from './rules/prices.ts';
import { costOf, ofArea, totalHeld, type Wanted, wantedOf } from './rules/selection.ts';
import { isShut } from './rules/waiting.ts';
import type { House, OpenedHouse } from './sale/house.ts';
import { keepAsking, whenOnline } from './feed/keep-asking.ts';
import { Sale } from './sale/sale.ts';
import { saleEvents } from './sale/sale-events.ts';
import type { SaleState } from './sale/sale-state.ts';
import { type Selling, sellingOf } from './selling.ts';

const SELECTION_MAX = 10;
const TICK_MS = 250;
const ZOOM_STEP = 1.6;
const isMac = /Mac|iPhone|iPad/.test(globalThis.navigator?.userAgent ?? '');
/** The pause between two checks whether sales are closed, give or take a third. */
const SALE_EVERY_MS = 30_000;

export function createMap(container: HTMLElement, options: MapOptions): ParterreMap {
  return new ParterreMap(container, options);
}

export class ParterreMap {
  readonly #options: MapOptions;
  readonly #frame: Frame;
  readonly #voice: Voice;
  readonly #selling: Selling;
  readonly #sale: Sale;
  readonly #mirror: Mirror;
  readonly #pointed: Pointed = {
    choose: (spot) => this.#choose(spot),
    addPlace: (areaId) => this.#addPlace(areaId),
  };
  readonly #endings: (() => void)[] = [];
  #opened: OpenedHouse | null = null;
  #view: View | null = null;
  #connection: FrameView['connection'] = 'opening';
  #cover: Problem | 'opening' | null = 'opening';
  #tip: FrameView['tip'] = null;
  /** The spot that was just chosen: its tooltip stays away until the pointer moves to a neighbour. */
  #untold: number | null = null;
  /** The buyer's places that the map shows. */
  #painted: Pick<SaleState, 'selection' | 'held' | 'bought'> | null = null;
  #painter: Painter | null = null;
  #planned = 0;
  #ended = false;

  constructor(container: HTMLElement, options: MapOptions) {
    this.#options = options;
    this.#frame = makeFrame(container);
    this.#voice = createVoice(container, options);
    this.#selling = sellingOf(options, () => this.#words);
    const { counter, kept } = this.#selling;
    this.#sale = new Sale({
      ...{ counter, kept, maxSelection: options.maxSelection ?? SELECTION_MAX },
      words: () => this.#words,
      hall: () => this.#house.hall,
      statuses: () => this.#house.statuses,
      isClosed: () => isShut(this.#house.waiting),
      now: this.#selling.clock.now,
      total: () => this.#total(),
      lackingOf: (label) => this.#house.lackingOf(label),
      events: saleEvents(options, {
        sale: () => this.#sale,
        words: () => this.#words,
        changed: () => this.#redraw(),
        selectionChanged: () => this.#selectionChanged(),
        outdated: () => void this.#opened?.readSale(true),
        say: (text) => this.#frame.say(text),
      }),
    });
    this.#mirror = this.#makeMirror();
    void this.#start();
  }

  hold(): Promise<boolean> {
    return this.#sale.hold();
  }

  extend(): Promise<boolean> {
    return this.#sale.extend();
  }

  release(): Promise<boolean> {
    return this.#sale.release();
  }

  clear(): void {
    this.#sale.choice.clear();
  }

  /** Another language, or other texts: the choice and the hold stay. */
  async speak(speech: Speech): Promise<void> {
    await this.#voice.speak(speech);
    this.#view?.refresh();
    this.#redraw();
  }

  /** Chooses seats by label, or drops them from the choice. Labels that are not free or unknown are ignored. */
  toggle(labels: readonly string[]): void {
    for (const spot of labels.map((label) => this.#house.hall.spotOf.get(label))) {
      if (spot !== undefined) this.#sale.choice.toggle(spot);
    }
  }

  state(): { connection: FrameView['connection']; selection: Wanted[]; hold: SaleState['hold'] } {
    const selection = this.#opened ? wantedOf(this.#house.hall, this.#sale.state.selection) : [];
    return { connection: this.#connection, selection, hold: this.#sale.state.hold };
  }

  /**
   * The position of a seat on the map, in CSS pixels from its corner, for the host's hints; null for an unknown label.
   */
  placeOf(label: string): Point | null {
    const { hall } = this.#house;
    const spot = hall.spotOf.get(label);
    return spot === undefined ? null : (this.#view?.toScreen({ x: hall.x[spot]!, y: hall.y[spot]! }) ?? null);
  }

  /** Dims all places but these on the map; null ends it. */
  setFilter(filter: SeatFilter): void {
    this.#view?.setFilter(filter);
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

  async #start(): Promise<void> {
    // The drawing is loaded beside the sale, and not with the page.
    const drawing = import('./draw/view.ts').catch(() => null);
    const opening = this.#selling.open({
      rebuilt: () => this.#showHall(),
      changed: ({ spots, areas }) => {
        const { hall } = this.#house;
        this.#view?.repaint(
          spots,
          areas.map((id) => hall.areas.findIndex((area) => area.id === id)).filter((index) => index >= 0),
        );
        this.#redraw();
      },
      heard: (statusOf) => this.#sale.heard(statusOf),
      priced: () => {
        this.#view?.refresh();
        this.#sale.checkOpen();
      },
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
    const [drawn] = await Promise.all([drawing, this.#voice.chooseFor(answer.value.house.event.locale)]);
    if (this.#ended) return;
    if (!drawn) {
      this.#refuse({ code: 'no_answer' });
      return;
    }
    const view = drawn.createView(this.#frame.canvas, () => this.#redraw());
    this.#view = view;
    this.#cover = null;
    this.#drawNow();
    this.#showHall();
    this.#listen(view, answer.value);
    await this.#sale.resumeStored();
  }

  #listen(view: View, { follow, readSale }: OpenedHouse): void {
    const stopGestures = listenToGestures(this.#frame.canvas, {
      pan: (x, y) => view.panBy(x, y),
      zoom: (factor, at) => view.zoomAt(factor, at),
      tap: (tap) => tapOn(view, this.#house.hall, tap, this.#pointed),
      hover: (at) => this.#hover(view, at),
      ignoredWheel: () => view.hint(this.#words.text('map.wheel', { key: isMac ? '⌘' : 'Ctrl' })),
    });
    const feed = follow({
      connection: (state) => {
        if (this.#connection === state) return;
        const isBack = state === 'live' && this.#connection === 'waiting';
        if (isBack) void readSale();
        if (isBack || state === 'waiting')
          this.#frame.say(this.#words.text(isBack ? 'map.connected' : 'map.connectingAgain'));
        this.#connection = state;
        if (state === 'live') this.#sale.connected();
        this.#redraw();
      },
      ended: (problem) => this.#refuse(problem),
    });
    const ticking = setInterval(() => {
      this.#sale.tick(this.#selling.clock.now());
      if (this.#sale.state.hold) this.#redraw();
    }, TICK_MS);
    const stopHoping = whenOnline(() => this.#sale.connected());
    const stopAsking = keepAsking(() => void readSale(), SALE_EVERY_MS);
    this.#endings.push(stopGestures, feed.stop, stopAsking, stopHoping, () => clearInterval(ticking));
  }

  #makeMirror(): Mirror {
    return createMirror(
      this.#frame.mirror,
      () => ({
        words: this.#words,
        hall: this.#house.hall,
        floor: this.#view!.floor,
        freeIn: (block) => this.#house.statuses.freeInBlock[block]!,
        freeInArea: (areaId) => this.#freeInArea(areaId),
        describe: (spot) => this.#describe(spot).join(', '),
        isChosen: (spot) => this.#sale.state.selection.has(this.#house.hall.labels[spot]!),
      }),
      {
        ...this.#pointed,
        focusSpot: (spot) => {
          const { x, y } = this.#house.hall;
          this.#view?.focus(spot);
          if (spot !== null) this.#view?.reveal({ x: x[spot]!, y: y[spot]! });
        },
        focusBlock: (block) => this.#view?.focusBlock(block),
        enter: (block) => this.#view?.visit(this.#house.hall.blocks[block]!.bounds),
        zoom: (step) => this.#zoom(step),
        changed: () => this.#drawNow(),
      },
    );
  }

  #describe(spot: number): string[] {
    return describeSpot(this.#words, this.#house, this.#sale.state, spot);
  }

  /** The prices of a group are sums over its events, which no hold is held to. */
  #total(): number | null {
    const { hall, offers, performances } = this.#house;
    const { selection, held, hold, quote } = this.#sale.state;
    if (performances.length > 0 || offers.includes(bareOffers)) return null;
    return quote ? totalHeld(quote) : costOf(hall, offers, selection, held, hold?.items ?? []);
  }

  #freeInArea(areaId: string): number {
    return this.#house.statuses.freeInArea.get(areaId) ?? 0;
  }

  #addPlace(areaId: string): void {
    const wanted = () => ofArea(this.#sale.state.selection, areaId)?.quantity ?? 0;
    this.#sale.choice.setArea(areaId, wanted() + 1);
    this.#frame.say(this.#words.text('say.areaChosen', { count: wanted() }));
  }

  #choose(spot: number): void {
    const { hall } = this.#house;
    const { state } = this.#sale;
    const before = state.selection;
    this.#untold = spot;
    this.#tip = null;
    this.#sale.choice.toggle(spot);
    const isIn = state.selection.has(hall.labels[spot]!);
    if (this.#sale.isFixed || state.notice?.kind === 'problem') return;
    if (before === state.selection) this.#explain(spot);
    else {
      const told = { place: placeName(this.#words, hall, spot), count: state.selection.size };
      this.#frame.say(this.#words.text(isIn ? 'say.chosen' : 'say.givenUp', told));
    }
  }

  /** A place that cannot be chosen. A finger has no tooltip, so the panel tells what a partly free seat lacks. */
  #explain(spot: number): void {
    const lacking = this.#house.lackingOf(this.#house.hall.labels[spot]!);
    if (lacking.length > 0) {
      const told = { place: placeName(this.#words, this.#house.hall, spot), performances: this.#words.list(lacking) };
      this.#sale.inform(this.#words.text('note.lacking', told));
    }
    this.#frame.say(this.#describe(spot).join(', '));
  }

  #selectionChanged(): void {
    const { selection } = this.#sale.state;
    this.#options.onSelectionChange?.(wantedOf(this.#house.hall, selection));
  }

  #zoom(step: 1 | -1 | 0): void {
    if (step === 0) this.#view?.fit();
    else this.#view?.zoomBy(step > 0 ? ZOOM_STEP : 1 / ZOOM_STEP);
  }

  #hover(view: View, at: Point | null): void {
    const { hall } = this.#house;
    const spot = hoveredSpot(view, hall, at);
    const block = hoveredBlock(view, hall, at);
    this.#frame.canvas.classList.toggle('on-seat', spot !== null || block !== null);
    view.hover(spot);
    if (spot !== this.#untold) this.#untold = null;
    const told = spot !== null ? this.#describe(spot) : block === null ? [] : this.#blockText(block);
    const isTold = at !== null && told.length > 0 && (spot === null || spot !== this.#untold);
    if (!isTold && this.#tip === null) return;
    this.#tip = isTold ? tipAt(view, at, told) : null;
    this.#redraw();
  }

  #blockText(block: number): string[] {
    return [this.#house.hall.blocks[block]!.label, ...(this.#painter?.cardOf(block).lines ?? [])];
  }

  #showHall(): void {
    this.#mirror.reset();
    this.#painter = createPainter({
      words: () => this.#words,
      house: () => this.#house,
      sale: this.#sale.state,
      hasOwnColours: this.#options.colours !== 'palette',
      baseUrl: this.#options.baseUrl ?? location.origin,
    });
    this.#painted = null;
    this.#view?.show(this.#house.hall, this.#painter);
    this.#redraw();
  }

  /** The map shows the buyer's places as they are now. */
  #paintOwn(): void {
    const { selection, held, bought } = this.#sale.state;
    const before = this.#painted;
    if (before?.selection === selection && before.held === held && before.bought === bought) return;
    this.#painted = { selection, held, bought };
    const { hall } = this.#house;
    const areas = hall.areas.map((_, index) => index);
    this.#view?.repaint([...(before ? ownSpots(this.#house, before) : []), ...ownSpots(this.#house, this.#painted)], areas);
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
    const isOpen = this.#view !== null && this.#cover === null;
    if (isOpen) this.#paintOwn();
    this.#frame.draw({
      words: this.#words,
      floors: isOpen ? this.#house.hall.floors : [],
      floor: this.#view?.floor ?? 0,
      connection: this.#connection,
      cover: this.#coverText(),
      closed: isOpen && isShut(this.#house.waiting),
      tip: this.#tip,
      mirror: isOpen ? this.#mirror.template() : null,
      panel: isOpen ? this.#panel() : null,
      zoom: (step) => this.#zoom(step),
      showFloor: (floor) => {
        this.#view?.showFloor(floor);
        this.#mirror.reset();
        this.#redraw();
      },
    });
  }

  #coverText(): string | null {
    if (this.#cover === 'opening') return this.#words.text('map.opening');
    return this.#cover && problemText(this.#words, this.#cover);
  }

  #panel() {
    const { event, hall, offers, performances } = this.#house;
    const shown = { hall, offers, performances };
    const legend = { ...shown, colours: this.#view?.colours ?? [], currency: event.currency, words: this.#words };
    const freeInArea = (areaId: string) => this.#freeInArea(areaId);
    return panel({
      ...{ ...shown, event, sale: this.#sale, legend, freeInArea, now: this.#selling.clock.now() },
      isNear: this.#view?.isNear ?? false,
      say: (text) => this.#frame.say(text),
      refocus: (...selectors) => {
        this.#drawNow();
        this.#frame.refocus(...selectors);
      },
    });
  }
}
