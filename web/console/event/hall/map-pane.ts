/**
 * The live map of an event beside the panel of a tab: the hall, its painter, and the selection. The address keeps the
 * selection, so that it outlives a reload and can be sent; a selection that is too long for an address is kept in the
 * browser's tab. Every tab of the event shows the same pane, so the camera and the selection stay where they were.
 *
 * States: no hall → shown, or shown anew with another chart. While the place of the map is off the page, a hall or
 * other looks wait for the next drawing, which puts the place there.
 */
import type { Point } from '@parterre/shared/charts/plan';
import type { TemplateResult } from 'lit-html';
import type { Drag } from '../../../src/draw/gestures.ts';
import type { Painter } from '../../../src/draw/scene.ts';
import { createView, listenToGestures, type View as MapView } from '../../../src/draw/view.ts';
import { areaAt, blockAt, partAround, spotAt } from '../../../src/rules/find.ts';
import type { Hall } from '../../../src/rules/hall.ts';
import type { ViewAddress } from '../../address.ts';
import { adopt } from '../../frame/adopt.ts';
import type { Ports } from '../../view.ts';
import { type Carrier, liftAt } from './carrying.ts';
import { inBlock, rowOfSpot, stretch } from './choosing.ts';
import { addressOfChosen, chosenOfAddress } from './chosen-address.ts';
import { type HallChange, type LiveHall, openLiveHall } from './live.ts';
import { looks } from './looks.ts';
import { createHallPainter } from './painter.ts';
import { drawPane } from './pane-frame.ts';
import { PlaceList } from './place-list.ts';
import { HallSelection } from './selection.ts';
import { dragOf, type HallTool } from './tools.ts';
import { type Counts, countsOf } from './true-statuses.ts';

const TOUCH_REACH_PIXELS = 14;

/** Paints over the usual looks: by channel, by momentum. */
export type Repaint = (usual: Painter, hall: Hall) => Painter;

export type Address = { place(): ViewAddress; ports: Ports };

adopt(looks);

export class MapPane {
  readonly live: LiveHall;
  readonly #eventKey: string;
  readonly #address: Address;
  readonly #host = document.createElement('div');
  readonly #selection = new HallSelection();
  readonly #list: PlaceList;
  /** Made once its place is on the page, where it finds its colours. */
  #map: MapView | null = null;
  #stopGestures: () => void = () => {};
  #repaint: Repaint | null = null;
  #carrier: Carrier | null = null;
  #tool: HallTool = 'seat';
  /** The place of the last click, from which a click with Shift goes on. */
  #last: string | null = null;
  #refused: ReadonlySet<string> = new Set();
  /** Places of a selection that the address names and that only another tab has. */
  #lost = 0;
  /** The map has something to show that it could not show off the page. */
  #isWaiting = false;
  #isLeft = false;

  constructor(eventKey: string, address: Address) {
    this.#eventKey = eventKey;
    this.#address = address;
    this.#host.className = 'hall';
    this.#host.setAttribute('aria-hidden', 'true');
    this.#list = new PlaceList(this, address.ports);
    this.live = openLiveHall(address.ports.server, eventKey, (change) => this.#changed(change));
    this.#take();
  }

  /** Labels of the chosen places. */
  get chosen(): ReadonlySet<string> {
    return this.#selection.labels;
  }

  isChosen(spot: number): boolean {
    return this.#selection.has(spot);
  }

  /** Chosen places; an area counts with all of its places. */
  get chosenPlaces(): number {
    const seats = Object.values(this.chosenCounts).reduce((sum, count) => sum + count, 0);
    return this.live.statuses ? seats + this.#selection.unknown : this.chosen.size;
  }

  /** The chosen places by status. */
  get chosenCounts(): Counts {
    return this.live.statuses ? this.#selection.counts(this.live.statuses) : countsOf([]);
  }

  get tool(): HallTool {
    return this.#tool;
  }

  /** Places that the server has refused in the last act. */
  get refused(): ReadonlySet<string> {
    return this.#refused;
  }

  get lost(): number {
    return this.#lost;
  }

  get floor(): number {
    return this.#map?.floor ?? 0;
  }

  /** The address has changed within the event. */
  moved(): void {
    this.#take();
    this.#address.ports.changed();
  }

  choose(labels: Iterable<string>): void {
    const { place, ports } = this.#address;
    const { seats: _, ...query } = place().query;
    const chosen = [...new Set(labels)];
    const seats = addressOfChosen(chosen);
    keep(this.#eventKey, seats?.startsWith('*') ? chosen : null);
    ports.go({ ...place(), query: seats === undefined ? query : { ...query, seats } }, 'replace');
  }

  toggle(label: string): void {
    this.toggleAll([label]);
    this.#last = label;
  }

  /** Chooses all of these places; leaves them out where all of them are chosen. */
  toggleAll(labels: readonly string[]): void {
    const chosen = new Set(this.chosen);
    const areAllChosen = labels.every((label) => chosen.has(label));
    for (const label of labels)
      if (areAllChosen) chosen.delete(label);
      else chosen.add(label);
    this.choose(chosen);
  }

  /** Chooses from the place of the last click to this one, where both are in a row. */
  extend(label: string): void {
    const { hall } = this.live;
    const stretched = this.#last !== null && hall ? stretch(hall, this.#last, label) : null;
    if (stretched) this.choose([...this.chosen, ...stretched]);
    else this.toggle(label);
  }

  take(tool: HallTool): void {
    this.#tool = tool;
    this.#host.dataset.tool = tool;
    this.#address.ports.changed();
  }

  /** Marks places that were refused, until the next act. */
  mark(labels: Iterable<string>): void {
    this.#refused = new Set(labels);
    this.refresh();
  }

  /** Moves the map to these places. */
  visit(labels: readonly string[]): void {
    const part = this.live.hall && partAround(this.live.hall, labels);
    if (part) this.#map?.visit(part.bounds, part.floor);
  }

  visitBlock(block: number): void {
    const { bounds, floor } = this.live.hall!.blocks[block]!;
    this.#map?.visit(bounds, floor);
  }

  showFloor(floor: number): void {
    this.#map?.showFloor(floor);
    this.#address.ports.changed();
  }

  /** Closer (1), further away (-1), or the whole hall (0). */
  zoom(step: 1 | -1 | 0): void {
    if (step === 0) this.#map?.fit();
    else this.#map?.zoomBy(step > 0 ? 1.6 : 1 / 1.6);
  }

  /** Rings a place for the keyboard; null for none. */
  ring(spot: number | null): void {
    this.#map?.focus(spot);
    const { hall } = this.live;
    if (spot !== null && hall) this.#map?.reveal({ x: hall.x[spot]!, y: hall.y[spot]! });
  }

  /** Null for the usual looks. */
  repaint(repaint: Repaint | null): void {
    this.#repaint = repaint;
    this.#show();
  }

  /** Lets the pointer carry places to other places. Null ends it. */
  carry(carrier: Carrier | null): void {
    this.#carrier = carrier;
  }

  refresh(): void {
    this.#map?.refresh();
    this.#address.ports.changed();
  }

  close(): void {
    this.#isLeft = true;
    this.live.close();
    this.#stopGestures();
    this.#map?.end();
  }

  draw(): TemplateResult {
    // The page has the place of the map once the present drawing is done.
    if (this.#isWaiting) queueMicrotask(() => this.#show());
    return drawPane(this, this.#host, this.#list, this.#address.ports.words);
  }

  /** Takes the selection of the address. */
  #take(): void {
    const { seats } = this.#address.place().query;
    const named = chosenOfAddress(seats);
    const labels = Array.isArray(named) ? named : kept(this.#eventKey, named.count);
    this.#lost = labels === null && !Array.isArray(named) ? named.count : 0;
    const { spots, areas } = this.#selection.choose(labels ?? [], this.live.hall);
    this.#map?.repaint(spots, areas);
  }

  #changed({ isNewHall, spots, areas }: HallChange): void {
    if (this.#isLeft) return;
    if (isNewHall) {
      this.#selection.choose(this.chosen, this.live.hall);
      this.#list.reset();
      this.#show();
    } else this.#map?.repaint(spots, areas);
    this.#address.ports.changed();
  }

  #show(): void {
    const { hall } = this.live;
    if (this.#isLeft || !hall) return;
    this.#isWaiting = !this.#host.isConnected;
    if (this.#isWaiting) return;
    this.#map ??= this.#openMap();
    const painted = {
      live: this.live,
      selection: this.#selection,
      isRefused: (label: string): boolean => this.#refused.has(label),
      origin: this.#address.ports.server.origin,
    };
    const usual = createHallPainter(painted, hall, this.#address.ports.words);
    this.#map.show(hall, this.#repaint?.(usual, hall) ?? usual);
    this.#address.ports.changed();
  }

  #openMap(): MapView {
    const map = createView(this.#host, () => {});
    let hasShift = false;
    this.#stopGestures = listenToGestures(this.#host, {
      pan: (x, y) => map.panBy(x, y),
      zoom: (factor, at) => map.zoomAt(factor, at),
      tap: ({ at }) => this.#click(at, hasShift),
      hover: () => {},
      ignoredWheel: () => {},
      press: (at, event) => {
        hasShift = event.shiftKey;
        const lifted = this.#carrier && liftAt(this.#carrier, (point) => this.#labelAt(point), at);
        return lifted ?? this.#dragFrom(at, hasShift);
      },
    });
    return map;
  }

  /** With Shift every tool of clicks draws a box. */
  #dragFrom(start: Point, hasShift: boolean): Drag | null {
    const { hall } = this.live;
    const tool = this.#tool === 'loop' ? 'loop' : this.#tool === 'box' || hasShift ? 'box' : null;
    if (tool === null || !hall || !this.#map) return null;
    const map = this.#map;
    const ground = { host: this.#host, hall, floor: map.floor, toChart: (at: Point) => map.toChart(at) };
    return dragOf(tool, ground, start, {
      clicked: (at) => this.#click(at, hasShift),
      chosen: (labels, event) => {
        const inside = new Set(labels);
        if (event.altKey) this.choose([...this.chosen].filter((label) => !inside.has(label)));
        else this.choose([...this.chosen, ...labels]);
      },
    });
  }

  /** The seat, table or booth at a point of the screen. */
  #labelAt(at: Point): string | null {
    const { hall } = this.live;
    const map = this.#map;
    if (!hall || !map) return null;
    const spot = spotAt(hall, map.floor, map.toChart(at), TOUCH_REACH_PIXELS / map.camera.scale);
    return spot === null ? null : hall.labels[spot]!;
  }

  #click(at: Point, hasShift: boolean): void {
    const { hall } = this.live;
    const map = this.#map;
    if (!hall || !map) return;
    const point = map.toChart(at);
    const block = blockAt(hall, map.floor, point);
    const isFar = block !== null && !map.isNear;
    const spot = isFar ? null : spotAt(hall, map.floor, point, TOUCH_REACH_PIXELS / map.camera.scale);
    if (this.#tool === 'section' && (spot !== null || block)) {
      this.toggleAll(inBlock(hall, spot === null ? hall.blocks.indexOf(block!) : hall.blockOf[spot]!));
    } else if (spot !== null && this.#tool === 'row') this.toggleAll(rowOfSpot(hall, spot));
    else if (spot !== null && hasShift) this.extend(hall.labels[spot]!);
    else if (spot !== null) this.toggle(hall.labels[spot]!);
    else {
      const area = areaAt(hall, map.floor, point);
      if (area) this.toggle(area.label);
      else if (isFar) map.visit(block.bounds, block.floor);
    }
  }
}

const nameOf = (eventKey: string): string => `parterre:console:chosen:${eventKey}`;

const memory = new Map<string, readonly string[]>();
let storing: ReturnType<typeof setTimeout> | undefined;

/** The tab's storage is slow for a long selection: it hears of the last of several quick changes. */
const STORE_AFTER_MS = 250;

function keep(eventKey: string, labels: readonly string[] | null): void {
  memory.set(eventKey, labels ?? []);
  clearTimeout(storing);
  storing = setTimeout(() => store(eventKey, labels), STORE_AFTER_MS);
}

/** The tab may have no room or no storage: then the selection does not outlive a reload. */
function store(eventKey: string, labels: readonly string[] | null): void {
  try {
    if (labels === null) sessionStorage.removeItem(nameOf(eventKey));
    else sessionStorage.setItem(nameOf(eventKey), JSON.stringify(labels));
  } catch {}
}

/** Null if this tab does not have the selection of this many places. */
function kept(eventKey: string, count: number): readonly string[] | null {
  const labels = memory.get(eventKey) ?? stored(eventKey);
  return labels?.length === count ? labels : null;
}

function stored(eventKey: string): readonly string[] | null {
  try {
    return JSON.parse(sessionStorage.getItem(nameOf(eventKey)) ?? 'null');
  } catch {
    return null;
  }
}
