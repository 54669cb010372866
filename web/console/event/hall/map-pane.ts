/**
 * The live map of an event beside the panel of a tab: the hall, its painter, and the selection. The address keeps the
 * selection, so that it outlives a reload and can be sent. Every tab of the event shows the same pane, so the camera and
 * the selection stay where they were.
 *
 * States: no hall → shown, or shown anew with another chart. The place of the map may not be on the page yet when the
 * hall arrives: the next frame tries again.
 */
import { html, type TemplateResult } from 'lit-html';
import type { Painter } from '../../../src/draw/scene.ts';
import { createView, listenToGestures, type View as MapView } from '../../../src/draw/view.ts';
import { partAround, spotAt } from '../../../src/rules/find.ts';
import type { Hall } from '../../../src/rules/hall.ts';
import type { ViewAddress } from '../../address.ts';
import type { Ports } from '../../view.ts';
import { type LiveHall, openLiveHall } from './live.ts';
import { createHallPainter } from './painter.ts';

const TOUCH_REACH_PIXELS = 14;

/** Paints over the usual looks: by channel, by momentum. */
export type Repaint = (usual: Painter, hall: Hall) => Painter;

export type Address = { place(): ViewAddress; ports: Ports };

export class MapPane {
  readonly live: LiveHall;
  readonly #address: Address;
  readonly #host = document.createElement('div');
  /** Made once its place is on the page, where it finds its colours. */
  #map: MapView | null = null;
  #stopGestures: () => void = () => {};
  #chosen: ReadonlySet<string>;
  #repaint: Repaint | null = null;
  #isLeft = false;

  constructor(eventKey: string, address: Address) {
    this.#address = address;
    this.#chosen = chosenIn(address.place());
    this.#host.className = 'hall';
    this.#host.setAttribute('aria-hidden', 'true');
    this.live = openLiveHall(address.ports.server, eventKey, (isNewHall) => this.#changed(isNewHall));
  }

  /** Labels of the chosen places. */
  get chosen(): ReadonlySet<string> {
    return this.#chosen;
  }

  /** The address has changed within the event. */
  moved(): void {
    const chosen = chosenIn(this.#address.place());
    if ([...chosen].join() === [...this.#chosen].join()) return;
    this.#chosen = chosen;
    this.refresh();
  }

  choose(labels: Iterable<string>): void {
    const { place, ports } = this.#address;
    const { seats: _, ...query } = place().query;
    const chosen = [...new Set(labels)];
    ports.go({ ...place(), query: chosen.length === 0 ? query : { ...query, seats: chosen.join(',') } }, 'replace');
  }

  toggle(label: string): void {
    const chosen = new Set(this.#chosen);
    if (!chosen.delete(label)) chosen.add(label);
    this.choose(chosen);
  }

  /** Moves the map to these places. */
  visit(labels: readonly string[]): void {
    const part = this.live.hall && partAround(this.live.hall, labels);
    if (part) this.#map?.visit(part.bounds, part.floor);
  }

  /** Null for the usual looks. */
  repaint(repaint: Repaint | null): void {
    this.#repaint = repaint;
    this.#show();
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
    return html`${this.#host}`;
  }

  #changed(isNewHall: boolean): void {
    if (this.#isLeft) return;
    this.#address.ports.changed();
    if (isNewHall && this.live.hall) this.#show();
    else this.#map?.refresh();
  }

  #show(): void {
    const { hall } = this.live;
    if (this.#isLeft || !hall) return;
    if (!this.#host.isConnected) {
      requestAnimationFrame(() => this.#show());
      return;
    }
    this.#map ??= this.#openMap();
    const { server, words } = this.#address.ports;
    const isChosen = (label: string): boolean => this.#chosen.has(label);
    const usual = createHallPainter(this.live, hall, words, server.origin, isChosen);
    this.#map.show(hall, this.#repaint?.(usual, hall) ?? usual);
  }

  #openMap(): MapView {
    const map = createView(this.#host, () => {});
    this.#stopGestures = listenToGestures(this.#host, {
      pan: (x, y) => map.panBy(x, y),
      zoom: (factor, at) => map.zoomAt(factor, at),
      tap: ({ at }) => {
        const { hall } = this.live;
        if (!hall) return;
        const spot = spotAt(hall, map.floor, map.toChart(at), TOUCH_REACH_PIXELS / map.camera.scale);
        if (spot !== null) this.toggle(hall.labels[spot]!);
      },
      hover: () => {},
      ignoredWheel: () => {},
    });
    return map;
  }
}

const chosenIn = ({ query }: ViewAddress): ReadonlySet<string> => new Set(query.seats ? query.seats.split(',') : []);
