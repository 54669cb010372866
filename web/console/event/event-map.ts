/**
 * An event on its live map: true statuses, the names of reservations, and a selection by press, by search and by
 * reservation. The address keeps the selection.
 */
import { html, nothing, type TemplateResult } from 'lit-html';
import { createView, listenToGestures, type View as MapView } from '../../src/draw/view.ts';
import { partAround, spotAt } from '../../src/rules/find.ts';
import { addressOf, beside, type ViewAddress } from '../address.ts';
import type { Ports, View } from '../view.ts';
import { type LiveHall, openLiveHall } from './hall-live.ts';
import { createHallPainter } from './hall-painter.ts';

const TOUCH_REACH_PIXELS = 14;
const statusNames = ['free', 'held', 'booked', 'blocked', 'not_for_sale'] as const;

export function openEventMap(place: ViewAddress, ports: Ports): View {
  return new EventMap(place, ports);
}

class EventMap implements View {
  readonly #ports: Ports;
  readonly #live: LiveHall;
  readonly #host = document.createElement('div');
  /** Made once its place is on the page, where it finds its colours. */
  #map: MapView | null = null;
  #stopGestures: () => void = () => {};
  #place: ViewAddress;
  #chosen: ReadonlySet<string>;
  #search = '';
  #isLeft = false;

  constructor(place: ViewAddress, ports: Ports) {
    this.#place = place;
    this.#ports = ports;
    this.#chosen = chosenIn(place);
    this.#host.className = 'hall';
    this.#host.setAttribute('aria-hidden', 'true');
    this.#live = openLiveHall(ports.server, place.path[1]!, (isNewHall) => this.#changed(isNewHall));
  }

  get title(): string {
    return this.#live.event?.name ?? this.#place.path[1]!;
  }

  moved(place: ViewAddress): boolean {
    if (addressOf({ ...place, query: {} }) !== addressOf({ ...this.#place, query: {} })) return false;
    this.#place = place;
    this.#choose(chosenIn(place));
    return true;
  }

  close(): void {
    this.#isLeft = true;
    this.#live.close();
    this.#stopGestures();
    this.#map?.end();
  }

  #changed(isNewHall: boolean): void {
    if (this.#isLeft) return;
    this.#ports.changed();
    const { hall } = this.#live;
    if (!isNewHall || !hall) {
      this.#map?.refresh();
      return;
    }
    if (!this.#host.isConnected) {
      requestAnimationFrame(() => this.#changed(isNewHall));
      return;
    }
    this.#map ??= this.#openMap();
    const isChosen = (label: string): boolean => this.#chosen.has(label);
    this.#map.show(hall, createHallPainter(this.#live, hall, this.#ports.words, isChosen));
  }

  #openMap(): MapView {
    const map = createView(this.#host, () => {});
    this.#stopGestures = this.#listen(map);
    return map;
  }

  #choose(chosen: ReadonlySet<string>): void {
    this.#chosen = chosen;
    this.#map?.refresh();
    this.#ports.changed();
  }

  /** The address has the selection, so that it outlives a reload and can be sent. */
  #keep(chosen: ReadonlySet<string>): void {
    const query = chosen.size === 0 ? {} : { seats: [...chosen].join(',') };
    this.#ports.go({ ...this.#place, query }, 'replace');
  }

  #toggle(label: string): void {
    const chosen = new Set(this.#chosen);
    if (!chosen.delete(label)) chosen.add(label);
    this.#keep(chosen);
  }

  #listen(map: MapView): () => void {
    return listenToGestures(this.#host, {
      pan: (x, y) => map.panBy(x, y),
      zoom: (factor, at) => map.zoomAt(factor, at),
      tap: ({ at }) => {
        const { hall } = this.#live;
        if (!hall) return;
        const reach = TOUCH_REACH_PIXELS / map.camera.scale;
        const spot = spotAt(hall, map.floor, map.toChart(at), reach);
        if (spot !== null) this.#toggle(hall.labels[spot]!);
      },
      hover: () => {},
      ignoredWheel: () => {},
    });
  }

  draw(): TemplateResult {
    const { text } = this.#ports.words;
    return html`<h1>${this.title}</h1>
      <p role="status">${this.#told()}</p>
      ${
        this.#live.state === 'failed'
          ? html`<button @click=${() => this.#live.again()}>${text('console.again')}</button>`
          : nothing
      }
      <div class="beside">${this.#host}<aside>${this.#finder()} ${this.#chosenList()} ${this.#reservations()}</aside></div>
      <p><a href=${addressOf(beside(this.#place, ['events']))}>${text('events.title')}</a></p>`;
  }

  #told(): string {
    const { text } = this.#ports.words;
    const { state, objects } = this.#live;
    if (state === 'opening') return text('console.loading');
    if (state === 'failed') return text('map.failed');
    if (state === 'behind') return text('map.behind');
    return objects?.stale ? text('map.stale') : text('map.live');
  }

  #finder(): TemplateResult {
    const { text } = this.#ports.words;
    return html`<form @submit=${this.#find}>
      <label>${text('map.find')} <input name="label" autocomplete="off" .value=${this.#search}></label>
    </form>`;
  }

  #find = (event: SubmitEvent): void => {
    event.preventDefault();
    const wanted = String(new FormData(event.currentTarget as HTMLFormElement).get('label')).trim();
    const hall = this.#live.hall;
    const label = hall?.labels.find((each) => each.toLowerCase() === wanted.toLowerCase());
    this.#search = label === undefined ? wanted : '';
    if (label !== undefined) {
      this.#visit([label]);
      this.#keep(new Set([...this.#chosen, label]));
    }
  };

  #visit(labels: readonly string[]): void {
    const part = this.#live.hall && partAround(this.#live.hall, labels);
    if (!part) return;
    this.#map?.visit(part.bounds, part.floor);
  }

  #chosenList(): TemplateResult {
    const { text } = this.#ports.words;
    return html`<section aria-labelledby="chosen"><h2 id="chosen">${text('map.chosen', { count: this.#chosen.size })}</h2>
      <ul>${[...this.#chosen].map((label) => this.#chosenRow(label))}</ul></section>`;
  }

  #chosenRow(label: string): TemplateResult {
    const { text } = this.#ports.words;
    const status = this.#live.statusOf(label);
    const known = statusNames.includes(status) ? status : 'not_for_sale';
    const reservation = this.#live.reservationOf(label);
    return html`<li><strong>${label}</strong> ${text(`map.status.${known}`)}
      ${reservation ? html`<span class="muted">${reservation.name}</span>` : nothing}
      <button aria-label=${text('map.leave', { seat: label })} @click=${() => this.#toggle(label)}>×</button></li>`;
  }

  #reservations(): TemplateResult | typeof nothing {
    const { text } = this.#ports.words;
    const byName = new Map<string, { name: string; labels: string[] }>();
    for (const [label, { id, name }] of Object.entries(this.#live.objects?.reservations ?? {})) {
      const its = byName.get(id) ?? { name, labels: [] };
      its.labels.push(label);
      byName.set(id, its);
    }
    if (byName.size === 0) return nothing;
    const rows = [...byName.values()].sort((one, other) => one.name.localeCompare(other.name));
    return html`<section aria-labelledby="reserved"><h2 id="reserved">${text('map.reservations')}</h2>
      <ul>${rows.map(
        ({ name, labels }) => html`<li><button @click=${() => this.#show(labels)}>${name}</button>
          ${text('map.places', { count: labels.length })}</li>`,
      )}</ul></section>`;
  }

  #show(labels: readonly string[]): void {
    this.#visit(labels);
    this.#keep(new Set(labels));
  }
}

const chosenIn = ({ query }: ViewAddress): ReadonlySet<string> => new Set(query.seats ? query.seats.split(',') : []);
