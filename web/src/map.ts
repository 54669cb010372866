/**
 * One map on a page. It opens the sale, follows the feed, and redraws changes, at most once a frame.
 *
 * States: opening → open → ended, by `destroy` or for good by the feed. A failure while opening is a refusal, shown in
 * place of the map. A map that is destroyed meanwhile leaves nothing behind. While it is open, the feed, the clock and
 * the buyer all act through `sale`, and every action ends in `#redraw`.
 */
import type { Point } from '@parterre/shared/chart/plan';
import type { TemplateResult } from 'lit-html';
import { listenToGestures } from './draw/gestures.ts';
import { createView, type View } from './draw/view.ts';
import { type Frame, type FrameView, makeFrame } from './frame.ts';
import { createVoice, type Speech, type Voice } from './messages/languages.ts';
import { placeName } from './messages/places.ts';
import { mayPass, type Problem, problemText } from './messages/problems.ts';
import type { Words } from './messages/words.ts';
import { createMirror, type Mirror } from './mirror.ts';
import type { MapOptions } from './options.ts';
import { createPainter, describeSpot } from './painter.ts';
import { type Card, card } from './panel/card.ts';
import { createSide, type Shown, type Side } from './panel/side.ts';
import { hoveredSpot, type Pointed, tapOn } from './pointing.ts';
import { growBounds, noBounds } from './rules/bounds.ts';
import { categoryColours, colourNumber } from './rules/palette.ts';
import { bareOffers } from './rules/prices.ts';
import { costOf, ofArea, type Selection, totalHeld, type Wanted, wantedOf } from './rules/selection.ts';
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
  #card: Card | null = null;
  readonly #side: Side;
  /** The spot that was just chosen: its card stays away until the pointer moves to a neighbour. */
  #untold: number | null = null;
  /** The selection that the map shows. */
  #painted: Selection = new Map();
  /** The spot that has the keyboard's focus. */
  #focused: number | null = null;
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
    this.#side = createSide({ redraw: () => this.#redraw(), filtered: () => {} });
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

  #colours(): string[] {
    return categoryColours(this.#house.hall.categories, this.#options.colours === 'chart');
  }

  async #start(): Promise<void> {
    const opening = this.#selling.open({
      rebuilt: () => this.#showHall(),
      changed: ({ spots }) => {
        this.#view?.repaint(spots);
        this.#redraw();
      },
      heard: (statusOf) => this.#sale.heard(statusOf),
      priced: () => {
        this.#side.refresh(this.#house, false);
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
    const [view] = await Promise.all([
      // A browser that cannot draw still has the list.
      createView(this.#frame.canvas).catch(() => null),
      this.#voice.chooseFor(answer.value.house.event.locale),
    ]);
    if (this.#ended) {
      view?.end();
      return;
    }
    this.#view = view;
    this.#cover = null;
    this.#drawNow();
    this.#showHall();
    if (view) this.#listenTo(view);
    this.#follow(answer.value);
    await this.#sale.resumeStored();
  }

  #listenTo(view: View): void {
    const stop = listenToGestures(this.#frame.canvas, {
      pan: (x, y) => view.panBy(x, y),
      zoom: (factor, at) => view.zoomAt(factor, at),
      tap: (at) => tapOn(view, this.#house.hall, at, this.#pointed),
      hover: (at) => this.#hover(view, at),
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
          this.#view?.focus(spot);
          this.#focused = spot;
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
    this.#card = null;
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
    const touched = [...this.#painted.values(), ...selection.values()];
    this.#painted = selection;
    this.#view?.repaint(touched.flatMap(({ spot }) => (spot === null ? [] : [spot])));
    this.#options.onSelectionChange?.(wantedOf(this.#house.hall, selection));
  }

  #zoom(step: 1 | -1 | 0): void {
    if (step === 0) this.#view?.fit();
    else this.#view?.zoomBy(step > 0 ? ZOOM_STEP : 1 / ZOOM_STEP);
  }

  #hover(view: View, at: Point | null): void {
    const spot = hoveredSpot(view, this.#house.hall, at);
    this.#frame.canvas.classList.toggle('on-seat', spot !== null);
    if (spot !== this.#untold) this.#untold = null;
    if ((spot === null || spot === this.#untold) && this.#card === null) return;
    this.#card = spot === null || spot === this.#untold ? null : this.#cardOf(view, spot);
    this.#redraw();
  }

  /** Beside the seat, wherever the pointer is on it. */
  #cardOf(view: View, spot: number): Card {
    const { x, y } = this.#house.hall;
    return { spot, ...view.toScreen({ x: x[spot]!, y: y[spot]! }), height: view.size.height };
  }

  #showHall(): void {
    this.#mirror.reset();
    const { hall, statuses } = this.#house;
    this.#side.refresh(this.#house, true);
    const colours = () => this.#colours().map(colourNumber);
    this.#view?.show(
      hall,
      statuses,
      colours(),
      createPainter(
        () => this.#words,
        () => this.#house,
        this.#sale.state,
        colours,
      ),
    );
    this.#redraw();
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
    const shown = isOpen ? this.#shown() : null;
    this.#frame.draw({
      words: this.#words,
      floors: isOpen ? this.#house.hall.floors : [],
      floor: view?.floor ?? 0,
      connection: this.#connection,
      cover: this.#coverNow(),
      closed: isOpen && isShut(this.#house.waiting),
      ...{ isOpen: this.#side.isOpen, surface: this.#side.surface, hasMap: view !== null || this.#cover !== null },
      card: shown && view && this.#cardNow(shown, view),
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

  #cardNow(shown: Shown, view: View): TemplateResult | null {
    const at = this.#card ?? (this.#focused === null ? null : this.#cardOf(view, this.#focused));
    return at && card({ ...shown, viewOf: () => null }, at);
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
      colours: this.#colours(),
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
