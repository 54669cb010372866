/**
 * The list of events of a mode and workspace, with live counts, search, filters and an order, all kept in the address.
 * event-list.ts reads them; event-card.ts shows the chosen event with its moves.
 */
import { roleHas } from '@parterre/shared/protocol/rights';
import { html, nothing, type TemplateResult } from 'lit-html';
import { addressOf, beside, type ViewAddress } from '../address.ts';
import { adopt } from '../frame/adopt.ts';
import { type Column, type Order, Rows } from '../frame/rows.ts';
import type { Ports, View } from '../view.ts';
import { EventCard } from './event-card.ts';
import { EventList } from './event-list.ts';
import { type Filters, filtered, filtersIn, type ListedEvent, queryOf, shownStates, stateOf } from './listed-event.ts';
import { looks } from './looks.ts';

type Named = { id: string; name: string };

const countNames = ['free', 'held', 'booked', 'blocked'] as const;

adopt(looks);

export function openEvents(place: ViewAddress, ports: Ports): View {
  return new Events(place, ports);
}

class Events implements View {
  readonly #ports: Ports;
  readonly #list: EventList;
  readonly #card: EventCard;
  readonly #rows: Rows<ListedEvent>;
  readonly #left = new AbortController();
  #place: ViewAddress;
  /** By id; empty while they are unknown. */
  #charts = new Map<string, string>();
  #workspaces = new Map<string, string>();
  #last: { of: readonly ListedEvent[]; key: string; found: ReturnType<typeof filtered> } | null = null;

  constructor(place: ViewAddress, ports: Ports) {
    this.#place = place;
    this.#ports = ports;
    this.#list = new EventList(ports.server, place.workspaceId, ports.changed);
    this.#card = new EventCard(ports, this.#list);
    this.#rows = new Rows(ports.words.text('events.title'), ports.changed, {
      read: () => orderIn(this.#place),
      write: ({ id, isDown }) => this.#ask({ sort: id, down: isDown ? '1' : '' }),
    });
    void this.#readNames();
  }

  get title(): string {
    return this.#ports.words.text('events.title');
  }

  moved(place: ViewAddress): boolean {
    const { mode, workspaceId, path } = place;
    if (path[0] !== 'events' || mode !== this.#place.mode || workspaceId !== this.#place.workspaceId) return false;
    this.#place = place;
    return true;
  }

  close(): void {
    this.#left.abort();
    this.#list.close();
  }

  /** Without these names the list has no filter by chart, and no column of workspaces. */
  async #readNames(): Promise<void> {
    const { server, changed } = this.#ports;
    const { signal } = this.#left;
    const [charts, workspaces] = await Promise.all([
      server.get<{ charts: Named[] }>('charts?limit=200', signal),
      server.get<{ workspaces: Named[] }>('workspaces', signal),
    ]);
    if (signal.aborted) return;
    if (charts.ok) this.#charts = namesOf(charts.value.charts);
    if (workspaces.ok) this.#workspaces = namesOf(workspaces.value.workspaces);
    changed();
  }

  /** Changes the query of the address; '' leaves a part out. */
  #ask(change: Record<string, string>): void {
    const asked = { ...this.#place.query, ...change };
    const query = Object.fromEntries(Object.entries(asked).filter(([, value]) => value !== ''));
    this.#ports.go({ ...this.#place, query }, 'replace');
  }

  #filter(change: Partial<Filters>): void {
    const { sort = '', down = '', event = '' } = this.#place.query;
    const filters = { ...filtersIn(this.#place.query), ...change };
    const query = { ...queryOf(filters), ...(sort && { sort }), ...(down && { down }), ...(event && { event }) };
    this.#ports.go({ ...this.#place, query }, 'replace');
  }

  /** The same array for the same events and filters, which the table sorts once. */
  #found(filters: Filters): ReturnType<typeof filtered> {
    const of = this.#list.events;
    const key = JSON.stringify(filters);
    if (this.#last?.of !== of || this.#last.key !== key) this.#last = { of, key, found: filtered(of, filters) };
    return this.#last.found;
  }

  draw(): TemplateResult {
    const { text } = this.#ports.words;
    const filters = filtersIn(this.#place.query);
    const { shown, inArchive } = this.#found(filters);
    const chosen = this.#list.events.find(({ key }) => key === this.#place.query.event);
    return html`<header class="list-head"><h1>${text('events.title')}</h1><span class="space"></span>${this.#make()}</header>
      ${this.#list.events.length > 0 || Object.keys(queryOf(filters)).length > 0 ? this.#filters(filters) : nothing}
      <div role="status" class="list-told">${this.#told(shown.length, inArchive)}</div>
      ${this.#list.state === 'failed' ? this.#again() : nothing}
      ${!chosen && this.#isGone ? html`<p role="alert">${text('events.card.gone')}</p>` : nothing}
      <div class=${chosen ? 'list-beside' : nothing}>
        ${chosen ? this.#card.draw(this.#place, chosen, () => this.#choose('')) : nothing}
        ${shown.length > 0 ? html`<div class="events-table">${this.#rows.draw(shown, this.#columns())}</div>` : nothing}
      </div>
      ${this.#list.hasMore ? html`<p><button @click=${() => void this.#list.more()}>${text('events.more')}</button></p>` : nothing}`;
  }

  /** The event of the address is in no page of the list. */
  get #isGone(): boolean {
    const { state, hasMore } = this.#list;
    return (this.#place.query.event ?? '') !== '' && state === 'shown' && !hasMore;
  }

  #make(): TemplateResult | typeof nothing {
    const { who, words } = this.#ports;
    if (!roleHas(who.user.role, 'manage')) return nothing;
    const to = addressOf(beside(this.#place, ['new-event']));
    return html`<a class="button primary" href=${to}>${words.text(`events.new.${this.#place.mode}`)}</a>`;
  }

  #again(): TemplateResult {
    return html`<button @click=${() => void this.#list.more()}>${this.#ports.words.text('console.again')}</button>`;
  }

  #filters({ search, state, chart, from, to }: Filters): TemplateResult {
    const { text } = this.#ports.words;
    const value = (event: Event) => (event.target as HTMLInputElement | HTMLSelectElement).value;
    const charts = new Set(this.#list.events.map(({ chartId }) => chartId));
    return html`<search class="filters">
      <label class="wide">${text('events.search')}
        <input type="search" .value=${search} @input=${(event: Event) => this.#filter({ search: value(event) })}></label>
      <label>${text('events.status')}
        <select @change=${(event: Event) => this.#filter({ state: value(event) as Filters['state'] })}>
          ${shownStates.map((each) => html`<option value=${each} ?selected=${each === state}>${text(`events.state.${each}`)}</option>`)}
        </select></label>
      ${
        charts.size > 1 || chart !== ''
          ? html`<label>${text('events.chart')}
        <select @change=${(event: Event) => this.#filter({ chart: value(event) })}>
          <option value="">${text('events.chart.all')}</option>
          ${[...charts].map((id) => html`<option value=${id} ?selected=${id === chart}>${this.#charts.get(id) ?? id}</option>`)}
        </select></label>`
          : nothing
      }
      <label>${text('events.from')} <input type="date" .value=${from} max=${to || nothing}
        @change=${(event: Event) => this.#filter({ from: value(event) })}></label>
      <label>${text('events.to')} <input type="date" .value=${to} min=${from || nothing}
        @change=${(event: Event) => this.#filter({ to: value(event) })}></label>
      ${
        search || chart || from || to || state !== 'current'
          ? html`<button @click=${() => this.#filter({ search: '', state: 'current', chart: '', from: '', to: '' })}
            >${text('events.filters.clear')}</button>`
          : nothing
      }
    </search>`;
  }

  #told(count: number, inArchive: number): TemplateResult | string {
    const { date, text } = this.#ports.words;
    const { state, events, isBehind, readAt } = this.#list;
    if (state === 'reading') return text('console.loading');
    if (state === 'failed') return text('events.failed');
    if (events.length === 0) return this.#empty();
    const found = count === 0 ? text('events.none.found') : text('events.shown', { count });
    const archived = inArchive > 0 ? text('events.archive.more', { count: inArchive }) : '';
    const behind = isBehind ? text('events.behind', { time: date(readAt, null, 'medium') }) : '';
    return html`${found} ${archived} ${behind === '' ? nothing : html`<strong>${behind}</strong>`}`;
  }

  /** What to do first. */
  #empty(): TemplateResult {
    const { who, words } = this.#ports;
    const { text } = words;
    const mode = this.#place.mode;
    if (!roleHas(who.user.role, 'manage'))
      return html`<p>${text(`events.none.${mode}`)} ${text('events.none.ask')}</p>`;
    const link = (path: string, label: string) =>
      html`<a class="button" href=${addressOf(beside(this.#place, [path]))}>${label}</a>`;
    return html`<p>${text(`events.none.${mode}`)} ${this.#charts.size === 0 ? text('events.none.first') : nothing}</p>
      <p class="buttons start">${this.#charts.size === 0 ? nothing : link('new-event', text('events.none.from_chart'))}
        ${link('new-chart', text('charts.new'))} ${link('import-chart', text('charts.import'))}</p>`;
  }

  #columns(): readonly Column<ListedEvent>[] {
    const { date, number, text } = this.#ports.words;
    const hasWorkspaces = this.#place.workspaceId === null && this.#workspaces.size > 1;
    const workspace: Column<ListedEvent> = {
      id: 'workspace',
      title: text('frame.workspace'),
      draw: ({ workspaceId }) => this.#workspaces.get(workspaceId) ?? workspaceId,
      sortBy: ({ workspaceId }) => this.#workspaces.get(workspaceId) ?? workspaceId,
    };
    return [
      {
        id: 'name',
        title: text('events.name'),
        draw: (event) => this.#name(event),
        sortBy: ({ name }) => name.toLowerCase(),
      },
      {
        id: 'date',
        title: text('events.date'),
        draw: ({ startsAt, timezone }) => (startsAt === null ? nothing : date(startsAt, timezone, 'medium', true)),
        sortBy: ({ startsAt }) => startsAt,
      },
      {
        id: 'status',
        title: text('events.status'),
        draw: (event) =>
          html`<span class="state" data-state=${stateOf(event)}>${text(`events.status.${stateOf(event)}`)}</span>`,
        sortBy: (event) => text(`events.status.${stateOf(event)}`),
      },
      ...(hasWorkspaces ? [workspace] : []),
      ...countNames.map(
        (each): Column<ListedEvent> => ({
          id: each,
          title: text(`events.${each}`),
          isNumber: true,
          draw: ({ counts }) =>
            counts ? number(counts[each]) : html`<span title=${text('events.counts.missing')}>–</span>`,
          sortBy: ({ counts }) => counts?.[each] ?? null,
        }),
      ),
      { id: 'more', title: text('events.actions'), draw: (event) => this.#choice(event) },
    ];
  }

  #name({ key, name }: ListedEvent): TemplateResult {
    return html`<a href=${addressOf(beside(this.#place, ['event', key, 'map']))}>${name}</a><br><small class="muted">${key}</small>`;
  }

  #choice({ key, name }: ListedEvent): TemplateResult {
    const { text } = this.#ports.words;
    const isChosen = this.#place.query.event === key;
    return html`<button aria-pressed=${isChosen} aria-label=${text('events.manage.of', { name })}
      @click=${() => this.#choose(isChosen ? '' : key)}>${text('events.manage')}</button>`;
  }

  #choose(event: string): void {
    this.#ask({ event });
    if (event !== '') requestAnimationFrame(() => document.querySelector<HTMLElement>('#event-card')?.focus());
  }
}

function namesOf(named: readonly Named[]): Map<string, string> {
  return new Map(named.map(({ id, name }) => [id, name]));
}

function orderIn({ query: { sort, down } }: ViewAddress): Order | null {
  return sort === undefined ? null : { id: sort, isDown: down === '1' };
}
