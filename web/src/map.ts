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
import { createHovering, type Hovering } from './hovering.ts';
import { createVoice, type Speech, type Voice } from './messages/languages.ts';
import { placeName } from './messages/places.ts';
import { mayPass, type Problem, problemText } from './messages/problems.ts';
import type { Words } from './messages/words.ts';
import { createMirror, type Mirror } from './mirror.ts';
import type { MapOptions } from './options.ts';
import { createPainter, describeSpot, ownSpots } from './painter.ts';
import { createSide, type Shown, type Side } from './panel/side.ts';
import { type Pointed, tapOn } from './pointing.ts';
import { growBounds, noBounds } from './rules/bounds.ts';
import { bareOffers } from './rules/prices.ts';
import { costOf, ofArea, totalHeld, type Wanted, wantedOf } from './rules/selection.ts';
import { isShut, waitingNow } from './rules/waiting.ts';
import type { House, OpenedHouse } from './sale/house.ts';
import { keepAsking, whenOnline } from './feed/keep-asking.ts';
import { Sale } from './sale/sale.ts';
import { saleEvents } from './sale/sale-events.ts';
import type { SaleState } from './sale/sale-state.ts';
import { type Selling, sellingOf } from './selling.ts';

const SELECTION_MAX = 10;
const TICK_MS = 250;
const ZOOM_STEP = 1.6;
/** A found seat is shown with this many seats on each side. */
const SURROUNDING = 4;
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
  readonly #side: Side;
  readonly #hovering: Hovering;
  readonly #pointed: Pointed = {
    choose: (spot) => this.#choose(spot),
    addPlace: (areaId) => this.#addPlace(areaId),
  };
  readonly #endings: (() => void)[] = [];
  #opened: OpenedHouse | null = null;
  #view: View | null = null;
  #connection: FrameView['connection'] = 'opening';
  #cover: Problem | 'opening' | null = 'opening';
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
    this.#side = createSide({
      redraw: () => this.#redraw(),
      filtered: (filter) => this.setFilter(filter),
    });
    this.#hovering = createHovering({
      hall: () => this.#house.hall,
      painter: () => this.#painter,
      canvas: this.#frame.canvas,
      redraw: () => this.#redraw(),
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
        if (this.#opened) this.#side.refresh(this.#house, false);
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
    // A browser that cannot draw the map still has the list.
    this.#view = drawn && viewOrNull(() => drawn.createView(this.#frame.canvas, () => this.#redraw()));
    this.#cover = null;
    this.#drawNow();
    this.#showHall();
    if (this.#view) this.#listenTo(this.#view);
    this.#follow(answer.value);
    await this.#sale.resumeStored();
  }

  #listenTo(view: View): void {
    const stop = listenToGestures(this.#frame.canvas, {
      pan: (x, y) => view.panBy(x, y),
      zoom: (factor, at) => view.zoomAt(factor, at),
      tap: (tap) => tapOn(view, this.#house.hall, tap, this.#pointed),
      hover: (at) => this.#hovering.hover(view, at),
      ignoredWheel: () => view.hint(this.#words.text('map.wheel', { key: isMac ? '⌘' : 'Ctrl' })),
    });
    this.#endings.push(stop);
  }

  #follow({ follow, readSale }: OpenedHouse): void {
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
    this.#endings.push(feed.stop, stopAsking, stopHoping, () => clearInterval(ticking));
  }

  #makeMirror(): Mirror {
    return createMirror(
      this.#frame.mirror,
      () => ({
        words: this.#words,
        hall: this.#house.hall,
        floor: this.#view?.floor ?? 0,
        freeIn: (block) => this.#house.statuses.freeInBlock[block]!,
        freeInArea: (areaId) => this.#freeInArea(areaId),
        describe: (spot) => this.#describe(spot).join(', '),
        isChosen: (spot) => this.#sale.state.selection.has(this.#house.hall.labels[spot]!),
      }),
      {
        ...this.#pointed,
        focusSpot: (spot) => {
          const { x, y } = this.#house.hall;
          this.#hovering.focus(spot);
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
    this.#hovering.chose(spot);
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

  #showHall(): void {
    this.#mirror.reset();
    this.#side.refresh(this.#house, true);
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
    const isOpen = this.#opened !== null && this.#cover === null;
    const view = this.#view;
    if (isOpen) this.#paintOwn();
    const shown = isOpen ? this.#shown() : null;
    this.#frame.draw({
      words: this.#words,
      floors: isOpen ? this.#house.hall.floors : [],
      floor: view?.floor ?? 0,
      connection: this.#connection,
      cover: this.#coverNow(),
      closed: isOpen && isShut(this.#house.waiting),
      ...{ isOpen: this.#side.isOpen, surface: this.#side.surface, hasMap: view !== null || this.#cover !== null },
      card: shown && view && this.#hovering.card(shown, view),
      mirror: isOpen && view ? this.#mirror.template() : null,
      list: shown && this.#side.list({ ...shown, choose: (spot) => this.#choose(spot) }),
      panel: shown && this.#side.panel(shown),
      show: (surface) => this.#side.show(surface),
      zoom: (step) => this.#zoom(step),
      showFloor: (floor) => {
        this.#view?.showFloor(floor);
        this.#mirror.reset();
        this.#redraw();
      },
    });
  }

  #coverNow(): FrameView['cover'] {
    const cover = this.#cover;
    if (cover === null) return null;
    if (cover === 'opening') return { isOpening: true, text: this.#words.text('map.opening'), retry: null };
    const retry = this.#opened === null && mayPass(cover) ? () => this.#retry() : null;
    return { isOpening: false, text: problemText(this.#words, cover), retry };
  }

  #retry(): void {
    this.#cover = 'opening';
    this.#connection = 'opening';
    void this.#start();
  }

  #shown(): Shown {
    const { event, hall, offers, performances, statuses, waiting } = this.#house;
    return {
      ...{ event, hall, offers, performances, statuses, sale: this.#sale, words: this.#words },
      waiting: waitingNow(waiting, statuses),
      maxSelection: this.#options.maxSelection ?? SELECTION_MAX,
      colours: this.#view?.colours ?? hall.categories.map(({ color }) => color),
      now: this.#selling.clock.now(),
      isNear: this.#view?.isNear ?? true,
      describe: (spot) => this.#describe(spot),
      goOn: () => this.#goOn(),
      show: (labels) => this.#visit(labels),
      say: (text) => this.#frame.say(text),
      refocus: (...selectors) => {
        this.#drawNow();
        this.#frame.refocus(...selectors);
      },
    };
  }

  #goOn(): void {
    const { hold } = this.#sale.state;
    if (hold) this.#options.onContinue?.(hold);
  }

  #visit(labels: readonly string[]): void {
    const { hall } = this.#house;
    const bounds = noBounds();
    for (const label of labels) {
      const spot = hall.spotOf.get(label);
      if (spot === undefined) continue;
      const [x, y, reach] = [hall.x[spot]!, hall.y[spot]!, hall.size[spot]! * SURROUNDING];
      growBounds(bounds, { left: x - reach, top: y - reach, right: x + reach, bottom: y + reach });
    }
    if (bounds.left < bounds.right) this.#view?.visit(bounds);
  }
}

function viewOrNull(make: () => View): View | null {
  try {
    return make();
  } catch {
    return null;
  }
}
