/**
 * Choosing places without the map: by search, by a pasted list of labels, by category, status or section, between two
 * seats, all, none, and the others. Each way works by keyboard alone. What is typed stays until it has found places.
 */
import { html, nothing, type TemplateResult } from 'lit-html';
import type { Hall } from '../../../src/rules/hall.ts';
import { findPlaces, isSearch } from '../../../src/rules/search.ts';
import type { Ports } from '../../view.ts';
import { boxBetween, everyLabel, inBlock, labelsOfSpots, namedIn, ofCategory } from './choosing.ts';
import type { MapPane } from './map-pane.ts';
import { nameOfBlock, nameOfSpot, placeTexts, whereIsSpot } from './place-words.ts';
import { trueStatuses } from './true-statuses.ts';

const FOUND_SHOWN_MAX = 20;
const UNKNOWN_NAMED_MAX = 12;

export class Finder {
  readonly #pane: MapPane;
  readonly #ports: Ports;
  #found: readonly string[] | null = null;
  #unknown: readonly string[] = [];
  #isNoBox = false;

  constructor(pane: MapPane, ports: Ports) {
    this.#pane = pane;
    this.#ports = ports;
  }

  draw(): TemplateResult | typeof nothing {
    const { hall } = this.#pane.live;
    const { text } = this.#ports.words;
    if (!hall) return nothing;
    return html`<section aria-labelledby="finder"><h2 id="finder">${text('map.finder')}</h2>
      <p class="choices">
        <button @click=${() => this.#pane.choose(everyLabel(hall))}>${text('map.all')}</button>
        <button @click=${() => this.#pane.choose([])}>${text('map.none')}</button>
        <button @click=${() => this.#invert(hall)}>${text('map.invert')}</button>
      </p>
      ${this.#searchForm(hall)} ${this.#kindForm(hall)} ${this.#listForm(hall)} ${this.#boxForm(hall)}</section>`;
  }

  #add(labels: readonly string[]): void {
    this.#pane.choose([...this.#pane.chosen, ...labels]);
  }

  #invert(hall: Hall): void {
    const { chosen } = this.#pane;
    this.#pane.choose(everyLabel(hall).filter((label) => !chosen.has(label)));
  }

  #searchForm(hall: Hall): TemplateResult {
    const { text } = this.#ports.words;
    return html`<form @submit=${(event: SubmitEvent) => this.#find(event, hall)}>
      <label>${text('map.find')} <input name="label" type="search" autocomplete="off"></label>
    </form>${this.#results(hall)}`;
  }

  #find(event: SubmitEvent, hall: Hall): void {
    event.preventDefault();
    const wanted = String(fieldsOf(event).get('label')).trim();
    const { known } = namedIn(hall, wanted);
    this.#found = null;
    if (known.length === 1) {
      (event.currentTarget as HTMLFormElement).reset();
      this.#pane.visit(known);
      this.#add(known);
    } else if (isSearch(wanted)) {
      const { words } = this.#ports;
      const { spots, areas } = findPlaces(hall, placeTexts(words), wanted);
      this.#found = [...labelsOfSpots(hall, spots), ...areas.map((area) => hall.areas[area]!.label)];
    }
    this.#ports.changed();
  }

  #results(hall: Hall): TemplateResult | typeof nothing {
    const { text } = this.#ports.words;
    const found = this.#found;
    if (found === null) return nothing;
    const all = (): void => {
      this.#pane.visit(found);
      this.#add(found);
    };
    return html`<div class="found"><p role="status">${found.length === 0 ? text('map.found.none') : text('map.found', { count: found.length })}</p>
      ${found.length > 1 ? html`<button @click=${all}>${text('map.found.all', { count: found.length })}</button>` : nothing}
      <ul>${found.slice(0, FOUND_SHOWN_MAX).map(
        (label) => html`<li><button aria-pressed=${this.#pane.chosen.has(label)}
        @click=${() => this.#press(label)}>${this.#nameOf(hall, label)}</button></li>`,
      )}</ul></div>`;
  }

  #press(label: string): void {
    this.#pane.visit([label]);
    this.#pane.toggle(label);
  }

  #nameOf(hall: Hall, label: string): string {
    const spot = hall.spotOf.get(label);
    if (spot === undefined) return hall.areas.find((area) => area.label === label)?.name ?? label;
    return [nameOfSpot(this.#ports.words, hall, spot), ...whereIsSpot(hall, spot)].join(' · ');
  }

  #kindForm(hall: Hall): TemplateResult {
    const { words } = this.#ports;
    const { text } = words;
    const sections = hall.blocks.map((block, index) => ({ index, name: nameOfBlock(words, hall, block) }));
    const options = (group: string, rows: readonly { value: string; name: string }[]): TemplateResult =>
      html`<optgroup label=${group}>${rows.map(({ value, name }) => html`<option value=${value}>${name}</option>`)}</optgroup>`;
    return html`<form class="kinds" @submit=${(event: SubmitEvent) => this.#takeKind(event, hall)}>
      <label>${text('map.by')} <select name="kind">
        ${options(
          text('map.by.status'),
          trueStatuses.slice(0, 4).map((status) => ({ value: `status:${status}`, name: text(`map.status.${status}`) })),
        )}
        ${options(
          text('map.by.category'),
          hall.categories.map(({ label }, index) => ({ value: `category:${index}`, name: label })),
        )}
        ${options(
          text('map.by.section'),
          sections.map(({ index, name }) => ({ value: `section:${index}`, name })),
        )}
      </select></label>
      <p class="choices"><button name="how" value="add">${text('map.add')}</button>
        <button name="how" value="leave">${text('map.leaveOut')}</button>
        <button name="how" value="keep">${text('map.keep')}</button></p></form>`;
  }

  #takeKind(event: SubmitEvent, hall: Hall): void {
    event.preventDefault();
    const [kind, value = ''] = String(fieldsOf(event).get('kind')).split(':');
    const labels = this.#ofKind(hall, kind!, value);
    const how = (event.submitter as HTMLButtonElement | null)?.value ?? 'add';
    const its = new Set(labels);
    if (how === 'add') this.#add(labels);
    else this.#pane.choose([...this.#pane.chosen].filter((label) => its.has(label) === (how === 'keep')));
  }

  #ofKind(hall: Hall, kind: string, value: string): string[] {
    if (kind === 'category') return ofCategory(hall, Number(value));
    if (kind === 'section') return inBlock(hall, Number(value));
    const { of, inArea } = this.#pane.live.statuses!;
    const code = trueStatuses.indexOf(value as (typeof trueStatuses)[number]);
    const spots = hall.labels.filter((_, spot) => of[spot] === code);
    return [...spots, ...hall.areas.filter((_, area) => inArea[area]![code]! > 0).map(({ label }) => label)];
  }

  #listForm(hall: Hall): TemplateResult {
    const { text, list } = this.#ports.words;
    const named = this.#unknown.slice(0, UNKNOWN_NAMED_MAX);
    return html`<details><summary>${text('map.paste')}</summary>
      <form @submit=${(event: SubmitEvent) => this.#takeList(event, hall)}>
        <label>${text('map.paste.labels')} <textarea name="labels" rows="4"></textarea></label>
        <button>${text('map.paste.choose')}</button>
      </form>
      <p role="alert">${
        named.length === 0
          ? nothing
          : text('map.paste.unknown', { count: this.#unknown.length, places: list(named, UNKNOWN_NAMED_MAX) })
      }</p></details>`;
  }

  #takeList(event: SubmitEvent, hall: Hall): void {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    const { known, unknown } = namedIn(hall, String(fieldsOf(event).get('labels')));
    this.#unknown = unknown;
    if (known.length > 0) {
      this.#pane.visit(known.slice(0, FOUND_SHOWN_MAX));
      this.#add(known);
    }
    // The unknown labels stay, to be corrected.
    form.querySelector('textarea')!.value = unknown.join('\n');
    this.#ports.changed();
  }

  #boxForm(hall: Hall): TemplateResult {
    const { text } = this.#ports.words;
    return html`<details><summary>${text('map.between')}</summary>
      <form class="between" @submit=${(event: SubmitEvent) => this.#takeBox(event, hall)}>
        <label>${text('map.between.from')} <input name="from" autocomplete="off" required></label>
        <label>${text('map.between.to')} <input name="to" autocomplete="off" required></label>
        <button>${text('map.between.choose')}</button>
      </form>
      <p role="alert">${this.#isNoBox ? text('map.between.none') : nothing}</p></details>`;
  }

  #takeBox(event: SubmitEvent, hall: Hall): void {
    event.preventDefault();
    const fields = fieldsOf(event);
    const [from, to] = ['from', 'to'].map((name) => namedIn(hall, String(fields.get(name))).known[0] ?? '');
    const labels = boxBetween(hall, from!, to!);
    this.#isNoBox = labels === null;
    if (labels) this.#add(labels);
    this.#ports.changed();
  }
}

const fieldsOf = ({ currentTarget }: SubmitEvent): FormData => new FormData(currentTarget as HTMLFormElement);
