/**
 * The bookings of an event, newest first, found by reference, seat or buyer. Pages of the server are read as their rows
 * come into sight.
 *
 * States: reading → shown (whole, or with more behind its end) or failed (the person tries again). A new search drops
 * the answers of the old one.
 */
import { html, nothing, type TemplateResult } from 'lit-html';
import { addressOf } from '../address.ts';
import { moneyOf } from '../event/priced-list.ts';
import type { EventRoom } from '../event/tab.ts';
import { Rows } from '../frame/rows.ts';
import type { Booking } from './booking.ts';

type Page = { bookings: Booking[]; nextCursor: string | null };

const ROWS_PER_PAGE = 200;
const TYPING_MS = 250;
const states = ['booked', 'partially_cancelled', 'cancelled'] as const;

export class BookingList {
  readonly #room: EventRoom;
  readonly #table: Rows<Booking>;
  #reading = new AbortController();
  #typing: ReturnType<typeof setTimeout> | undefined;
  #rows: readonly Booking[] = [];
  #next: string | null = null;
  #state: 'reading' | 'shown' | 'failed' = 'reading';
  #asked: string | null = null;

  constructor(room: EventRoom) {
    this.#room = room;
    this.#table = new Rows(room.ports.words.text('bookings.title'), room.ports.changed);
  }

  close(): void {
    this.#reading.abort();
    clearTimeout(this.#typing);
  }

  /** The address has another search. */
  moved(): void {
    const { q = '', state = '' } = this.#room.place().query;
    const asked = JSON.stringify([q, state]);
    if (asked === this.#asked) return;
    this.#asked = asked;
    void this.#read(null);
  }

  /** Null begins anew. */
  async #read(after: string | null): Promise<void> {
    this.#reading.abort();
    const reading = new AbortController();
    this.#reading = reading;
    this.#state = 'reading';
    const { key, ports, place } = this.#room;
    const { q = '', state = '' } = place().query;
    const query = new URLSearchParams({ limit: String(ROWS_PER_PAGE) });
    if (q.trim() !== '') query.set('q', q.trim());
    if (state !== '') query.set('state', state);
    if (after !== null) query.set('cursor', after);
    ports.changed();
    const path = `events/${encodeURIComponent(key)}/bookings?${query}`;
    const answer = await ports.server.get<Page>(path, reading.signal);
    if (reading.signal.aborted) return;
    this.#state = answer.ok ? 'shown' : 'failed';
    if (answer.ok) {
      this.#rows = after === null ? answer.value.bookings : [...this.#rows, ...answer.value.bookings];
      this.#next = answer.value.nextCursor;
    }
    ports.changed();
  }

  /** `above` stands between the search and the table. */
  draw(above: unknown): TemplateResult {
    const { text } = this.#room.ports.words;
    const { q = '', state = '' } = this.#room.place().query;
    return html`<h2>${text('bookings.title')}</h2>
      <div class="filters"><input type="search" aria-label=${text('bookings.search')} placeholder=${text('bookings.search')}
        .value=${q} @input=${this.#search}>
      <select aria-label=${text('bookings.state')} @change=${(event: Event) => this.#filter({ state: (event.target as HTMLSelectElement).value })}>
        <option value="" ?selected=${state === ''}>${text('bookings.state.any')}</option>
        ${states.map((each) => html`<option value=${each} ?selected=${each === state}>${text(`bookings.state.${each}`)}</option>`)}
      </select></div>
      ${above}
      <p role="status">${this.#told()}</p>
      ${this.#state === 'failed' ? html`<p><button @click=${() => void this.#read(null)}>${text('console.again')}</button></p>` : nothing}
      ${this.#rows.length > 0 ? this.#drawTable() : nothing}`;
  }

  #search = (event: Event): void => {
    const { value } = event.target as HTMLInputElement;
    clearTimeout(this.#typing);
    this.#typing = setTimeout(() => this.#filter({ q: value }), TYPING_MS);
  };

  #filter(change: Record<string, string>): void {
    const place = this.#room.place();
    const query = Object.entries({ ...place.query, ...change }).filter(([, value]) => value !== '');
    this.#room.ports.go({ ...place, query: Object.fromEntries(query) }, 'replace');
  }

  #told(): string {
    const { text } = this.#room.ports.words;
    if (this.#state === 'failed') return text('bookings.failed');
    if (this.#state === 'reading' && this.#rows.length === 0) return text('console.loading');
    const { q = '', state = '' } = this.#room.place().query;
    const count = this.#rows.length;
    if (count === 0) return text(q === '' && state === '' ? 'bookings.none' : 'bookings.none.found');
    return text(this.#next === null ? 'bookings.count' : 'bookings.count.more', { count });
  }

  #drawTable(): TemplateResult {
    const { words } = this.#room.ports;
    const { text, number, date } = words;
    const place = this.#room.place();
    const { timezone } = this.#room.meta();
    const last = this.#rows.at(-1);
    const addressOfBooking = (bookingRef: string): string =>
      addressOf({ ...place, path: [...place.path.slice(0, 2), 'bookings', bookingRef] });
    return this.#table.draw(this.#rows, [
      {
        id: 'reference',
        title: text('bookings.reference'),
        draw: (row) => {
          if (row === last) this.#more();
          return html`<a href=${addressOfBooking(row.bookingRef)}>${row.bookingRef}</a>
            ${row.state === 'booked' ? nothing : html`<small class="muted">${text(`bookings.state.${row.state}`)}</small>`}
            ${row.buyerRef === null ? nothing : html`<br><small class="muted">${row.buyerRef}</small>`}`;
        },
      },
      { id: 'places', title: text('bookings.places'), isNumber: true, draw: (row) => number(row.activeQuantity) },
      {
        id: 'value',
        title: text('bookings.value'),
        isNumber: true,
        draw: (row) => moneyOf(words, row, row.activeTotal),
      },
      { id: 'sold', title: text('bookings.soldAt'), draw: (row) => date(row.bookedAt, timezone, 'medium') },
    ]);
  }

  /** The end of the list has come into sight. */
  #more(): void {
    if (this.#next !== null && this.#state === 'shown') void this.#read(this.#next);
  }
}
