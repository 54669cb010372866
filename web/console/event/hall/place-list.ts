/**
 * The places of the hall as a list: sections, their rows, and the seats of a row. It does for a keyboard and a screen
 * reader what clicks do on the map: it chooses a seat, a stretch of a row (with Shift), a row, a section, an area.
 * Only an opened section and an opened row have their parts on the page, since a hall may have 100,000 seats.
 */
import { html, nothing, type TemplateResult } from 'lit-html';
import { type Hall, rowsOf } from '../../../src/rules/hall.ts';
import type { Ports } from '../../view.ts';
import { inBlock, labelsOfSpots } from './choosing.ts';
import type { LiveHall } from './live.ts';
import { nameOfBlock, nameOfSpot, statusAt } from './place-words.ts';

/** The map that the list belongs to. */
type ListedMap = {
  live: LiveHall;
  chosen: ReadonlySet<string>;
  toggle(label: string): void;
  toggleAll(labels: readonly string[]): void;
  extend(label: string): void;
  visitBlock(block: number): void;
  ring(spot: number | null): void;
};

type Row = { label: string; spots: number[] };

export class PlaceList {
  readonly #pane: ListedMap;
  readonly #ports: Ports;
  #isOpen = false;
  #openBlock: number | null = null;
  /** The first spot of the row: rows may share a name. */
  #openRow: number | null = null;
  #rows: readonly Row[] = [];

  constructor(pane: ListedMap, ports: Ports) {
    this.#pane = pane;
    this.#ports = ports;
  }

  /** The chart has changed. */
  reset(): void {
    this.#openBlock = null;
    this.#openRow = null;
  }

  draw(): TemplateResult {
    const { text } = this.#ports.words;
    const { hall, statuses } = this.#pane.live;
    return html`<details class="place-list" ?open=${this.#isOpen} @toggle=${this.#toggled}>
      <summary>${text('map.list')}</summary>
      ${this.#isOpen && hall && statuses ? this.#sections(hall) : nothing}</details>`;
  }

  #toggled = ({ currentTarget }: Event): void => {
    this.#isOpen = (currentTarget as HTMLDetailsElement).open;
    this.#ports.changed();
  };

  #sections(hall: Hall): TemplateResult {
    const blocks = hall.blocks.flatMap((block, index) => (block.spots.length > 0 ? [index] : []));
    return html`<ul>${blocks.map((block) => this.#section(hall, block))}
      ${hall.areas.map((_, area) => this.#area(hall, area))}</ul>`;
  }

  #section(hall: Hall, index: number): TemplateResult {
    const block = hall.blocks[index]!;
    const isOpen = this.#openBlock === index;
    const name = nameOfBlock(this.#ports.words, hall, block);
    const free = this.#pane.live.statuses!.inBlock[index]![0]!;
    const open = (): void => {
      this.#openBlock = isOpen ? null : index;
      this.#openRow = null;
      this.#rows = rowsOf(hall, block);
      if (!isOpen) this.#pane.visitBlock(index);
      this.#ports.changed();
    };
    return html`<li>${this.#opener(name, isOpen, { free, count: block.spots.length }, open)}
      ${this.#chooser(name, () => inBlock(hall, index))}
      ${isOpen ? html`<ul>${this.#rows.map((row) => this.#row(hall, row))}</ul>` : nothing}</li>`;
  }

  #row(hall: Hall, { label, spots }: Row): TemplateResult {
    const { text } = this.#ports.words;
    const { of } = this.#pane.live.statuses!;
    const first = spots[0]!;
    const isOpen = this.#openRow === first;
    const isRow = hall.objects[hall.objectOf[first]!]!.type === 'row';
    const name = isRow ? text('map.row', { row: label }) : label || text('map.booths');
    const free = spots.filter((spot) => statusAt(of, spot) === 'free').length;
    const open = (): void => {
      this.#openRow = isOpen ? null : first;
      this.#ports.changed();
    };
    return html`<li>${this.#opener(name, isOpen, { free, count: spots.length }, open)}
      ${this.#chooser(name, () => labelsOfSpots(hall, spots))}
      ${isOpen ? html`<ul class="seats">${spots.map((spot) => this.#seat(hall, spot))}</ul>` : nothing}</li>`;
  }

  #seat(hall: Hall, spot: number): TemplateResult {
    const { words } = this.#ports;
    const label = hall.labels[spot]!;
    const status = statusAt(this.#pane.live.statuses!.of, spot);
    const name = `${nameOfSpot(words, hall, spot)}, ${words.text(`map.status.${status}`)}`;
    const press = ({ shiftKey }: MouseEvent): void => {
      if (shiftKey) this.#pane.extend(label);
      else this.#pane.toggle(label);
    };
    return html`<li><button class="seat" data-status=${status} aria-pressed=${this.#pane.chosen.has(label)} aria-label=${name}
      @click=${press} @focus=${() => this.#pane.ring(spot)} @blur=${() => this.#pane.ring(null)}
      >${hall.numbers[spot]!}</button></li>`;
  }

  #area(hall: Hall, index: number): TemplateResult {
    const { text } = this.#ports.words;
    const { label, name, capacity } = hall.areas[index]!;
    const free = this.#pane.live.statuses!.inArea[index]![0]!;
    return html`<li><span>${name} <span class="muted">${text('map.free', { free, count: capacity })}</span></span>
      ${this.#chooser(name, () => [label])}</li>`;
  }

  #opener(name: string, isOpen: boolean, places: { free: number; count: number }, open: () => void): TemplateResult {
    return html`<button class="opener" aria-expanded=${isOpen} @click=${open}><span>${name}</span>
      <span class="muted">${this.#ports.words.text('map.free', places)}</span></button>`;
  }

  #chooser(name: string, labels: () => string[]): TemplateResult {
    const { text } = this.#ports.words;
    return html`<button aria-label=${text('map.choose.of', { name })} @click=${() => this.#pane.toggleAll(labels())}
      >${text('map.choose')}</button>`;
  }
}
