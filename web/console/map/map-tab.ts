/**
 * The tab of the live map: the selection in sight with its statuses, what can be done with it, the card of one place,
 * ways to choose without the map, and reservations. `map-pane.ts` has the map itself.
 */
import { roleHas } from '@parterre/shared/protocol/rights';
import { html, nothing, type TemplateResult } from 'lit-html';
import { addressOf, beside } from '../address.ts';
import { Finder } from '../event/hall/finder.ts';
import type { LiveHall } from '../event/hall/live.ts';
import type { MapPane } from '../event/hall/map-pane.ts';
import { type Counts, sumOf, trueStatuses } from '../event/hall/true-statuses.ts';
import type { EventRoom, Tab } from '../event/tab.ts';
import { adopt } from '../frame/adopt.ts';
import { HallActions } from './actions.ts';
import { looks } from './looks.ts';
import { inPieces } from './pieces.ts';
import { SeatCard } from './seat-card.ts';

const CHOSEN_SHOWN_MAX = 40;
const LABELS_PER_CALL = 50_000;

adopt(looks);

export function openMapTab(room: EventRoom): Tab {
  return new MapTab(room);
}

class MapTab implements Tab {
  readonly #room: EventRoom;
  readonly #pane: MapPane;
  readonly #finder: Finder;
  readonly #actions: HallActions;
  readonly #card: SeatCard;

  constructor(room: EventRoom) {
    this.#room = room;
    this.#pane = room.map();
    this.#finder = new Finder(this.#pane, room.ports);
    this.#actions = new HallActions(room);
    this.#card = new SeatCard(room);
  }

  get #live(): LiveHall {
    return this.#pane.live;
  }

  close(): void {
    this.#card.close();
  }

  draw(): TemplateResult {
    const { text } = this.#room.ports.words;
    const isDeleted = this.#live.state === 'deleted';
    return html`<p role=${isDeleted ? 'alert' : 'status'} class="told">${this.#told()}</p>
      ${
        this.#live.state === 'failed'
          ? html`<button @click=${() => this.#live.again()}>${text('console.again')}</button>`
          : nothing
      }
      <div class="beside">${this.#pane.draw()}<aside class="map-side">${isDeleted ? nothing : this.#side()}</aside></div>`;
  }

  #side(): TemplateResult {
    const [first] = this.#pane.chosen;
    return html`${this.#chosen()} ${this.#actions.draw()}
      ${this.#pane.chosen.size === 1 ? this.#card.draw(first!) : nothing}
      ${this.#finder.draw()} ${this.#reservations()} ${this.#whole()}`;
  }

  #told(): string {
    const { text } = this.#room.ports.words;
    const { state, statuses } = this.#live;
    if (state === 'opening') return text('console.loading');
    if (state === 'live') return statuses?.isStale ? text('map.stale') : text('map.live');
    return text(`map.${state}`);
  }

  #countsList(counts: Counts): TemplateResult {
    const { text, number } = this.#room.ports.words;
    const some = trueStatuses.filter((status) => counts[status] > 0);
    return html`<ul class="counts">${some.map(
      (status) => html`<li>${text(`map.status.${status}`)} <strong>${number(counts[status])}</strong></li>`,
    )}</ul>`;
  }

  #chosen(): TemplateResult {
    const { text } = this.#room.ports.words;
    const { chosen, lost } = this.#pane;
    const shown = [...chosen].slice(0, CHOSEN_SHOWN_MAX);
    const more = chosen.size - shown.length;
    const count = this.#pane.chosenPlaces;
    return html`<section aria-labelledby="chosen"><h2 id="chosen" aria-live="polite">${count === 0 ? text('map.chosen.none') : text('map.chosen', { count })}</h2>
      ${lost > 0 ? html`<p role="alert">${text('map.lost', { count: lost })}</p>` : nothing}
      ${chosen.size > 1 ? this.#countsList(this.#pane.chosenCounts) : nothing}
      ${this.#refused()}
      <ul class="chosen-list">${shown.map((label) => this.#chosenRow(label))}</ul>
      ${more > 0 ? html`<p class="muted">${text('map.chosen.more', { count: more })}</p>` : nothing}</section>`;
  }

  #chosenRow(label: string): TemplateResult {
    const { text } = this.#room.ports.words;
    const area = this.#live.hall?.areas.findIndex((each) => each.label === label) ?? -1;
    const reservation = this.#live.reservationOf(label);
    const told =
      area < 0
        ? text(`map.status.${this.#live.statusOf(label)}`)
        : text('map.free', {
            free: this.#live.statuses!.inArea[area]![0]!,
            count: this.#live.hall!.areas[area]!.capacity,
          });
    return html`<li><strong>${label}</strong> ${told}
      ${reservation ? html`<span class="muted">${reservation.name}</span>` : nothing}
      <button aria-label=${text('map.leave', { seat: label })} @click=${() => this.#pane.toggle(label)}>×</button></li>`;
  }

  #refused(): TemplateResult | typeof nothing {
    const { text, list } = this.#room.ports.words;
    const { refused } = this.#pane;
    if (refused.size === 0) return nothing;
    return html`<div class="refused" role="alert"><p>${text('map.refused', { count: refused.size, places: list([...refused]) })}</p>
      <button @click=${() => this.#show([...refused])}>${text('map.refused.choose')}</button>
      <button @click=${() => this.#pane.mark([])}>${text('frame.close')}</button></div>`;
  }

  #reservations(): TemplateResult | typeof nothing {
    const { text } = this.#room.ports.words;
    const byName = new Map<string, { name: string; labels: string[] }>();
    for (const [label, { id, name }] of this.#live.reservations) {
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

  #whole(): TemplateResult | typeof nothing {
    const { words, who } = this.#room.ports;
    const { text } = words;
    const { statuses } = this.#live;
    if (!statuses) return nothing;
    const counts = sumOf([...statuses.inBlock, ...statuses.inArea]);
    const sale = beside(this.#room.place(), ['event', this.#room.key, 'sale']);
    const mayUnblock = roleHas(who.user.role, 'sell') && counts.blocked > 0;
    return html`<section aria-labelledby="whole"><h2 id="whole">${text('map.event')}</h2>
      ${this.#countsList(counts)} <p><a href=${addressOf(sale)}>${text('map.sections')}</a></p>
      ${mayUnblock ? html`<button @click=${() => this.#unblockAll(counts.blocked)}>${text('map.unblockAll')}</button>` : nothing}
    </section>`;
  }

  #unblockAll(blocked: number): void {
    const { ports } = this.#room;
    const { text } = ports.words;
    const path = `events/${encodeURIComponent(this.#room.key)}`;
    const reserved = this.#live.reservations.size;
    ports.ask({
      title: text('map.unblockAll.title'),
      isDanger: true,
      draw: () => html`<p>${text('map.unblock.goes', { count: Math.max(blocked - reserved, 0) })}</p>
        ${reserved > 0 ? html`<p>${text('map.stays.reserved', { count: reserved })}</p>` : nothing}
        <p class="muted">${text('map.unblock.undo')}</p>`,
      confirm: text('map.unblockAll.confirm'),
      send: (_form, key) => ports.server.send<{ freed: string[] }>('POST', `${path}/unblock-all`, { key }),
      done: ({ freed }) => {
        const undo = (key: string) =>
          inPieces(freed, LABELS_PER_CALL, key, (labels, pieceKey) =>
            ports.server.send('POST', `${path}/block`, { body: { labels }, key: pieceKey }),
          );
        ports.tell({ text: text('map.unblock.done', { count: freed.length }), ...(freed.length > 0 && { undo }) });
      },
    });
  }

  #show(labels: readonly string[]): void {
    this.#pane.visit(labels);
    this.#pane.choose(labels);
  }
}
