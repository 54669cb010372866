/**
 * Reservations of the event: places that an operator keeps under a name until a time. They are listed page by page,
 * made of the choice on the map, changed, booked whole or in part, and ended.
 *
 * States of the list: reading → shown (whole, or with more behind its end) or failed. The list is read anew after each
 * change. An answer that comes after the part was left, or after a newer reading began, is dropped.
 */
import { html, nothing, type TemplateResult } from 'lit-html';
import { Rows } from '../frame/rows.ts';
import type { Desk } from './desk.ts';
import { bookQuestion, changeQuestion, endQuestion, makeQuestion, type Reservation } from './reservation-questions.ts';

type Page = { reservations: Reservation[]; nextCursor?: string };

const ROWS_PER_PAGE = 200;

export class Reservations {
  readonly #desk: Desk;
  readonly #left = new AbortController();
  readonly #table: Rows<Reservation>;
  #rows: readonly Reservation[] = [];
  #next: string | undefined = undefined;
  #state: 'reading' | 'shown' | 'failed' = 'reading';
  #reading = 0;
  #isWhole = false;
  #openId: string | null = null;

  constructor(desk: Desk) {
    this.#desk = desk;
    this.#table = new Rows(desk.room.ports.words.text('counter.part.reservations'), desk.room.ports.changed);
    this.#openId = desk.room.place().query.reservation ?? null;
    void this.#read(null);
  }

  close(): void {
    this.#left.abort();
  }

  /** Null begins anew. */
  async #read(after: string | null): Promise<void> {
    const reading = ++this.#reading;
    this.#state = 'reading';
    const { server, changed } = this.#desk.room.ports;
    const query = new URLSearchParams({ limit: String(ROWS_PER_PAGE) });
    if (!this.#isWhole) query.set('state', 'active');
    if (after !== null) query.set('cursor', after);
    const answer = await server.get<Page>(`${this.#desk.path}/reservations?${query}`, this.#left.signal);
    if (this.#left.signal.aborted || reading !== this.#reading) return;
    this.#state = answer.ok ? 'shown' : 'failed';
    if (answer.ok) {
      this.#rows = after === null ? answer.value.reservations : [...this.#rows, ...answer.value.reservations];
      this.#next = answer.value.nextCursor;
    }
    changed();
  }

  draw(): TemplateResult {
    const { ports, map } = this.#desk.room;
    const { text } = ports.words;
    const free = [...map().chosen].filter((label) => map().live.statusOf(label) === 'free');
    const open = this.#rows.find(({ id }) => id === this.#openId);
    return html`<h2>${text('counter.part.reservations')}</h2>
      <p class="buttons"><button class="primary" ?disabled=${free.length === 0}
        @click=${() => makeQuestion(this.#desk, free, () => void this.#read(null))}
        >${text('counter.reserve', { count: free.length })}</button></p>
      <label class="inline"><input type="checkbox" .checked=${this.#isWhole} @change=${this.#widen}>
        ${text('counter.reserve.over')}</label>
      <p role="status">${this.#told()}</p>
      ${this.#state === 'failed' ? html`<p><button @click=${() => void this.#read(null)}>${text('console.again')}</button></p>` : nothing}
      ${this.#rows.length > 0 ? this.#drawTable() : nothing}
      ${open ? this.#card(open) : nothing}`;
  }

  #widen = (event: Event): void => {
    this.#isWhole = (event.target as HTMLInputElement).checked;
    void this.#read(null);
  };

  #told(): string {
    const { text } = this.#desk.room.ports.words;
    if (this.#state === 'reading') return text('console.loading');
    if (this.#state === 'failed') return text('counter.reserve.failed');
    return text('counter.reserve.count', { count: this.#rows.length });
  }

  #drawTable(): TemplateResult {
    const { words } = this.#desk.room.ports;
    const { text, number, date } = words;
    const { timezone } = this.#desk.room.meta();
    const last = this.#rows.at(-1);
    return this.#table.draw(this.#rows, [
      {
        id: 'name',
        title: text('counter.reserve.name'),
        draw: (row) => {
          if (row === last) this.#more();
          return html`<button aria-pressed=${row.id === this.#openId} @click=${() => this.#open(row)}>${row.name}</button>
            ${row.state === 'active' ? nothing : html`<small class="muted">${text(`counter.reserve.${row.state}`)}</small>`}`;
        },
      },
      {
        id: 'places',
        title: text('counter.reserve.places'),
        isNumber: true,
        draw: ({ labels }) => number(labels.length),
      },
      { id: 'until', title: text('counter.reserve.until'), draw: ({ until }) => date(until, timezone, 'medium') },
    ]);
  }

  /** The end of the list has come into sight. */
  #more(): void {
    if (this.#next !== undefined && this.#state === 'shown') void this.#read(this.#next);
  }

  #open(reservation: Reservation): void {
    const { ports, place, map } = this.#desk.room;
    this.#openId = this.#openId === reservation.id ? null : reservation.id;
    const { reservation: _, ...query } = place().query;
    const its = this.#openId === null ? query : { ...query, reservation: reservation.id };
    ports.go({ ...place(), query: its }, 'replace');
    if (this.#openId !== null) map().visit(reservation.labels);
  }

  #card(reservation: Reservation): TemplateResult {
    const { ports, map, meta } = this.#desk.room;
    const { text, list, date } = ports.words;
    const again = (): void => void this.#read(null);
    const { name, labels, until, note, state } = reservation;
    return html`<section class="card" aria-labelledby="reservation"><h3 id="reservation">${name}</h3>
      <p>${text('counter.reserve.about', { count: labels.length, time: date(until, meta().timezone, 'full', true) })}</p>
      <p class="muted">${list(labels, 24)}</p>
      ${note === null ? nothing : html`<p>${note}</p>`}
      <p class="buttons"><button @click=${() => map().choose(labels)}>${text('counter.reserve.show')}</button>
      ${
        state === 'active'
          ? html`<button @click=${() => changeQuestion(this.#desk, reservation, again)}>${text('counter.reserve.change')}</button>
            <button @click=${() => endQuestion(this.#desk, reservation, again)}>${text('counter.reserve.end')}</button>
            <button class="primary" @click=${() => bookQuestion(this.#desk, reservation, again)}>${text('counter.reserve.book')}</button>`
          : nothing
      }</p></section>`;
  }
}
