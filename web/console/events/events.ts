/**
 * The events of a mode and workspace, with live counts. The server gives pages of 200 for both modes of a user, so the
 * view keeps those of its mode.
 *
 * States: reading → shown (whole, or with more to read) or failed; a failed reading is tried again by the person. A
 * view that is left while an answer is on its way drops the answer.
 */
import { html, nothing, type TemplateResult } from 'lit-html';
import { addressOf, beside, type ViewAddress } from '../address.ts';
import type { Ports, View } from '../view.ts';

type Listed = {
  key: string;
  name: string;
  mode: string;
  status: string;
  startsAt: number | null;
  timezone: string | null;
  counts?: { free: number; held: number; booked: number; blocked: number };
};
type Answer = { events: Listed[]; nextCursor?: string };

const EVENTS_PER_PAGE = 200;
const countNames = ['free', 'held', 'booked', 'blocked'] as const;

export function openEvents(place: ViewAddress, ports: Ports): View {
  return new Events(place, ports);
}

class Events implements View {
  readonly #ports: Ports;
  #place: ViewAddress;
  #events: readonly Listed[] = [];
  #next: string | undefined = undefined;
  #state: 'reading' | 'shown' | 'failed' = 'reading';
  readonly #left = new AbortController();

  constructor(place: ViewAddress, ports: Ports) {
    this.#place = place;
    this.#ports = ports;
    void this.#read();
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
  }

  async #read(): Promise<void> {
    this.#state = 'reading';
    const { workspaceId } = this.#place;
    const query = new URLSearchParams({ limit: String(EVENTS_PER_PAGE) });
    if (workspaceId !== null) query.set('workspaceId', workspaceId);
    if (this.#next !== undefined) query.set('cursor', this.#next);
    const answer = await this.#ports.server.get<Answer>(`events?${query}`, this.#left.signal);
    if (this.#left.signal.aborted) return;
    if (answer.ok) {
      this.#events = [...this.#events, ...answer.value.events.filter(({ mode }) => mode === this.#place.mode)];
      this.#next = answer.value.nextCursor;
    }
    this.#state = answer.ok ? 'shown' : 'failed';
    this.#ports.changed();
  }

  draw(): TemplateResult {
    const { text } = this.#ports.words;
    const { search = '' } = this.#place.query;
    const found = this.#found(search);
    return html`<h1>${text('events.title')}</h1>
      <input type="search" aria-label=${text('events.search')} placeholder=${text('events.search')} .value=${search}
        @input=${(event: Event) => this.#search((event.target as HTMLInputElement).value)}>
      <p role="status">${this.#told(found.length)}</p>
      ${found.length > 0 ? this.#table(found) : nothing}
      ${this.#state === 'failed' || this.#next !== undefined ? this.#more() : nothing}`;
  }

  #found(search: string): readonly Listed[] {
    const wanted = search.trim().toLowerCase();
    return this.#events.filter(({ name, key }) => `${name} ${key}`.toLowerCase().includes(wanted));
  }

  #search(search: string): void {
    this.#ports.go({ ...this.#place, query: search === '' ? {} : { search } }, 'replace');
  }

  #told(count: number): string {
    const { text } = this.#ports.words;
    if (this.#state === 'reading') return text('console.loading');
    if (this.#state === 'failed') return text('events.failed');
    if (this.#events.length === 0) return text('events.none');
    return count === 0 ? text('events.none.found') : text('events.shown', { count });
  }

  #more(): TemplateResult {
    const { text } = this.#ports.words;
    return html`<button @click=${() => void this.#read()} ?disabled=${this.#state === 'reading'}
      >${text(this.#state === 'failed' ? 'console.again' : 'events.more')}</button>`;
  }

  #table(events: readonly Listed[]): TemplateResult {
    const { text } = this.#ports.words;
    return html`<table>
      <thead><tr>
        <th scope="col">${text('events.name')}</th><th scope="col">${text('events.date')}</th>
        <th scope="col">${text('events.status')}</th>
        ${countNames.map((name) => html`<th scope="col" class="number">${text(`events.${name}`)}</th>`)}
      </tr></thead>
      <tbody>${events.map((event) => this.#row(event))}</tbody>
    </table>`;
  }

  #row({ key, name, startsAt, timezone, status, counts }: Listed): TemplateResult {
    const { date, number, text } = this.#ports.words;
    const state = status === 'closed' || status === 'archived' ? status : 'active';
    return html`<tr>
      <th scope="row"><a href=${addressOf(beside(this.#place, ['event', key, 'map']))}>${name}</a><br><small class="muted">${key}</small></th>
      <td>${startsAt === null ? nothing : date(startsAt, timezone, 'medium', true)}</td>
      <td>${text(`events.status.${state}`)}</td>
      ${countNames.map((each) => html`<td class="number">${counts ? number(counts[each]) : nothing}</td>`)}
    </tr>`;
  }
}
