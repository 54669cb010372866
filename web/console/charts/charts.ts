/**
 * The charts of a workspace with their pictures, search and archive, kept in the address; and what is done with them.
 */
import { roleHas } from '@parterre/shared/protocol/rights';
import { html, nothing, type TemplateResult } from 'lit-html';
import { repeat } from 'lit-html/directives/repeat.js';
import { addressOf, beside, type ViewAddress } from '../address.ts';
import { adopt } from '../frame/adopt.ts';
import type { PlainKey } from '../messages/words.ts';
import type { Ports, View } from '../view.ts';
import { type Chart, chartStateOf, matching } from './chart.ts';
import { ChartActs } from './chart-acts.ts';
import { ChartList } from './chart-list.ts';
import { looks } from './looks.ts';
import { Pictures } from './pictures.ts';

const formats = ['document', 'csv', 'pretix'] as const;

adopt(looks);

export function openCharts(place: ViewAddress, ports: Ports): View {
  return new Charts(place, ports);
}

class Charts implements View {
  readonly #ports: Ports;
  readonly #list: ChartList;
  readonly #pictures: Pictures;
  readonly #acts: ChartActs;
  #place: ViewAddress;

  constructor(place: ViewAddress, ports: Ports) {
    this.#place = place;
    this.#ports = ports;
    this.#list = new ChartList(ports.server, place.workspaceId, isArchive(place), ports.changed);
    this.#pictures = new Pictures(ports.server);
    this.#acts = new ChartActs(ports, () => void this.#list.read());
  }

  get title(): string {
    return this.#ports.words.text('charts.title');
  }

  moved(place: ViewAddress): boolean {
    const isSame =
      place.path[0] === 'charts' &&
      place.mode === this.#place.mode &&
      place.workspaceId === this.#place.workspaceId &&
      isArchive(place) === isArchive(this.#place);
    if (isSame) this.#place = place;
    return isSame;
  }

  close(): void {
    this.#list.close();
    this.#pictures.close();
  }

  get #isManager(): boolean {
    return roleHas(this.#ports.who.user.role, 'manage');
  }

  draw(): TemplateResult {
    const { text } = this.#ports.words;
    const { search = '' } = this.#place.query;
    const found = matching(this.#list.charts, search);
    return html`<header class="list-head"><h1>${text('charts.title')}</h1><span class="space"></span>${this.#make()}</header>
      <search class="filters">
        <label class="wide">${text('charts.search')} <input type="search" .value=${search}
          @input=${(event: Event) => this.#search((event.target as HTMLInputElement).value)}></label>
        <a class="button" href=${this.#otherList()}>${text(isArchive(this.#place) ? 'charts.list.usual' : 'charts.list.archive')}</a>
      </search>
      <div role="status" class="list-told">${this.#told(found.length)}</div>
      ${this.#list.state === 'failed' ? html`<button @click=${() => void this.#list.read()}>${text('console.again')}</button>` : nothing}
      <ul class="charts">${repeat(
        found,
        ({ id }) => id,
        (chart) => this.#card(chart),
      )}</ul>
      ${this.#list.hasMore ? html`<button @click=${() => void this.#list.read(true)}>${text('charts.more')}</button>` : nothing}`;
  }

  #make(): TemplateResult | typeof nothing {
    const { text } = this.#ports.words;
    if (!this.#isManager) return nothing;
    const link = (path: string, label: string, looks: string) =>
      html`<a class=${`button ${looks}`} href=${addressOf(beside(this.#place, [path]))}>${label}</a>`;
    return html`${link('import-chart', text('charts.import'), '')} ${link('new-chart', text('charts.new'), 'primary')}`;
  }

  #otherList(): string {
    const { archive, ...query } = this.#place.query;
    return addressOf({ ...this.#place, query: archive === '1' ? query : { ...query, archive: '1' } });
  }

  #search(search: string): void {
    const { search: _, ...query } = this.#place.query;
    this.#ports.go({ ...this.#place, query: search === '' ? query : { ...query, search } }, 'replace');
  }

  #told(count: number): TemplateResult | string {
    const { text } = this.#ports.words;
    const { state, charts, isBehind } = this.#list;
    if (state === 'reading') return text('console.loading');
    if (state === 'failed') return text('charts.failed');
    if (charts.length === 0 && isArchive(this.#place)) return text('charts.none.archive');
    if (charts.length === 0) return text(this.#isManager ? 'charts.none.first' : 'charts.none');
    const found = count === 0 ? text('charts.none.found') : text('charts.shown', { count });
    return html`${found} ${isBehind ? html`<strong>${text('charts.behind')}</strong>` : nothing}`;
  }

  #card(chart: Chart): TemplateResult {
    const { date, text } = this.#ports.words;
    const { id, name, seatTotal, publishedVersion, updatedAt } = chart;
    const state = chartStateOf(chart);
    const told = this.#acts.told(chart);
    return html`<li class="chart-card" data-state=${state}>
      ${this.#pictures.of(chart)}
      <h2>${name}</h2>
      <p><span class="state" data-state=${state === 'published' ? 'on_sale' : state}>${text(`charts.state.${state}`)}</span>
        ${text('events.places', { count: seatTotal })}${publishedVersion === null ? nothing : html` · ${text('charts.version', { version: publishedVersion })}`}</p>
      <p class="muted">${text('charts.changed_at', { time: date(updatedAt, null, 'medium') })}</p>
      ${this.#isManager ? this.#buttons(chart, state) : nothing}
      ${told === '' ? nothing : html`<p role="alert">${told}</p>`}
      <details><summary>${text('charts.download')}</summary>
        <p class="buttons start">${formats.map(
          (
            format,
          ) => html`<a class="button" download href=${`/v1/charts/${encodeURIComponent(id)}/export?format=${format}`}
            aria-label=${text(`charts.download.of.${format}`, { name })}>${text(`charts.download.${format}`)}</a>`,
        )}</p></details>
    </li>`;
  }

  #buttons(chart: Chart, state: ReturnType<typeof chartStateOf>): TemplateResult {
    const { text } = this.#ports.words;
    const { name, id } = chart;
    const named = (act: PlainKey): string => text('charts.act.of', { act: text(act), name });
    const button = (
      word: 'design' | 'publish' | 'duplicate' | 'archive' | 'unarchive' | 'delete',
      act: () => void,
      looks = '',
    ) =>
      html`<button class=${looks} aria-label=${named(`charts.${word}`)} @click=${act}>${text(`charts.${word}`)}</button>`;
    if (state === 'archived') {
      return html`<p class="buttons start">${button('unarchive', () => this.#acts.unarchive(chart))}
        ${button('delete', () => this.#acts.delete(chart))}</p>`;
    }
    const event = addressOf(beside(this.#place, ['new-event'], { chart: id }));
    return html`<p class="buttons start">${button('design', () => void this.#acts.design(chart), 'primary')}
        ${
          state === 'published'
            ? html`<a class="button" href=${event} aria-label=${named('charts.new_event')}>${text('charts.new_event')}</a>`
            : button('publish', () => this.#acts.publish(chart))
        }</p>
      <details><summary>${text('charts.acts')}</summary>
        <p class="buttons start">${state === 'published' ? button('publish', () => this.#acts.publish(chart)) : nothing}
          ${state === 'changed' ? html`<a class="button" href=${event} aria-label=${named('charts.new_event')}>${text('charts.new_event')}</a>` : nothing}
          ${button('duplicate', () => this.#acts.duplicate(chart))}
          ${button('archive', () => this.#acts.archive(chart))} ${button('delete', () => this.#acts.delete(chart))}</p></details>`;
  }
}

const isArchive = ({ query }: ViewAddress): boolean => query.archive === '1';
