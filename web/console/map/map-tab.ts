/** The tab of the live map: true statuses, the names of reservations, and a selection by press, search and reservation. */
import { html, nothing, type TemplateResult } from 'lit-html';
import type { LiveHall } from '../event/hall/live.ts';
import type { MapPane } from '../event/hall/map-pane.ts';
import type { EventRoom, Tab } from '../event/tab.ts';

const statusNames = ['free', 'held', 'booked', 'blocked', 'not_for_sale'] as const;

export function openMapTab(room: EventRoom): Tab {
  return new MapTab(room);
}

class MapTab implements Tab {
  readonly #room: EventRoom;
  readonly #pane: MapPane;
  #search = '';

  constructor(room: EventRoom) {
    this.#room = room;
    this.#pane = room.map();
  }

  get #live(): LiveHall {
    return this.#pane.live;
  }

  close(): void {}

  draw(): TemplateResult {
    const { text } = this.#room.ports.words;
    return html`<p role="status">${this.#told()}</p>
      ${
        this.#live.state === 'failed'
          ? html`<button @click=${() => this.#live.again()}>${text('console.again')}</button>`
          : nothing
      }
      <div class="beside">${this.#pane.draw()}<aside>${this.#finder()} ${this.#chosenList()} ${this.#reservations()}</aside></div>`;
  }

  #told(): string {
    const { text } = this.#room.ports.words;
    const { state, objects } = this.#live;
    if (state === 'opening') return text('console.loading');
    if (state === 'failed') return text('map.failed');
    if (state === 'behind') return text('map.behind');
    return objects?.stale ? text('map.stale') : text('map.live');
  }

  #finder(): TemplateResult {
    const { text } = this.#room.ports.words;
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
      this.#pane.visit([label]);
      this.#pane.choose([...this.#pane.chosen, label]);
    }
  };

  #chosenList(): TemplateResult {
    const { text } = this.#room.ports.words;
    return html`<section aria-labelledby="chosen"><h2 id="chosen">${text('map.chosen', { count: this.#pane.chosen.size })}</h2>
      <ul>${[...this.#pane.chosen].map((label) => this.#chosenRow(label))}</ul></section>`;
  }

  #chosenRow(label: string): TemplateResult {
    const { text } = this.#room.ports.words;
    const status = this.#live.statusOf(label);
    const known = statusNames.includes(status) ? status : 'not_for_sale';
    const reservation = this.#live.reservationOf(label);
    return html`<li><strong>${label}</strong> ${text(`map.status.${known}`)}
      ${reservation ? html`<span class="muted">${reservation.name}</span>` : nothing}
      <button aria-label=${text('map.leave', { seat: label })} @click=${() => this.#pane.toggle(label)}>×</button></li>`;
  }

  #reservations(): TemplateResult | typeof nothing {
    const { text } = this.#room.ports.words;
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
    this.#pane.visit(labels);
    this.#pane.choose(labels);
  }
}
