/**
 * Who has the places that are chosen on the map: a booking, a basket with its end, a reservation, a listing.
 *
 * States: nothing chosen → reading → shown or failed. Another choice drops the answer of the last one. The log tells
 * who began a basket; without an answer of the log the basket is told without the name.
 */
import { html, nothing, type TemplateResult } from 'lit-html';
import { addressOf } from '../address.ts';
import type { EventRoom } from '../event/tab.ts';
import { personOf } from './people.ts';

export type Holder = {
  label: string;
  status: string;
  bookingRef: string | null;
  hold: {
    holdRef: string;
    labels: string[];
    createdAt: number;
    expiresAt: number;
    extends: number;
    buyerRef: string | null;
    partnerRef: string | null;
  } | null;
  reservation: { id: string; name: string; until: number } | null;
  listing: { listingId: string; labels: string[] } | null;
};

type LogEntry = { action: string; ref: string | null; source: string; actor: string | null };

const PLACES_MAX = 50;
const LOG_ENTRIES = 200;

export class Holders {
  readonly #room: EventRoom;
  #reading = new AbortController();
  #asked = '';
  #holders: readonly Holder[] = [];
  #begunBy = new Map<string, LogEntry>();
  #state: 'none' | 'reading' | 'shown' | 'failed' = 'none';

  constructor(room: EventRoom) {
    this.#room = room;
  }

  close(): void {
    this.#reading.abort();
  }

  /** The choice on the map may be another. */
  follow(): void {
    const labels = [...this.#room.map().chosen].slice(0, PLACES_MAX);
    if (labels.join() === this.#asked) return;
    this.#asked = labels.join();
    void this.#read(labels);
  }

  async #read(labels: readonly string[]): Promise<void> {
    this.#reading.abort();
    const reading = new AbortController();
    this.#reading = reading;
    this.#holders = [];
    this.#state = labels.length === 0 ? 'none' : 'reading';
    if (labels.length === 0) return;
    const { key, ports } = this.#room;
    const path = `events/${encodeURIComponent(key)}`;
    const sent = { body: { labels }, signal: reading.signal };
    const answer = await ports.server.send<{ holders: Holder[] }>('POST', `${path}/holders`, sent);
    if (reading.signal.aborted) return;
    this.#state = answer.ok ? 'shown' : 'failed';
    if (answer.ok) this.#holders = answer.value.holders;
    ports.changed();
    if (!this.#holders.some(({ hold }) => hold !== null)) return;
    const log = await ports.server.get<{ entries: LogEntry[] }>(`${path}/log?limit=${LOG_ENTRIES}`, reading.signal);
    if (reading.signal.aborted || !log.ok) return;
    const begun = log.value.entries.filter(({ action, ref }) => action === 'hold' && ref !== null);
    this.#begunBy = new Map(begun.map((entry) => [entry.ref!, entry]));
    ports.changed();
  }

  draw(): TemplateResult | typeof nothing {
    const { text } = this.#room.ports.words;
    if (this.#state === 'none') return html`<p class="muted">${text('bookings.holders.hint')}</p>`;
    return html`<section aria-labelledby="holders"><h3 id="holders">${text('bookings.holders')}</h3>
      ${this.#state === 'reading' ? html`<p role="status">${text('console.loading')}</p>` : nothing}
      ${this.#state === 'failed' ? html`<p role="alert">${text('bookings.holders.failed')}</p>` : nothing}
      <ul>${this.#holders.map((holder) => html`<li class="card"><strong>${holder.label}</strong> ${this.#told(holder)}</li>`)}</ul>
      <p><button @click=${() => void this.#read([...this.#room.map().chosen].slice(0, PLACES_MAX))}
        >${text('bookings.holders.again')}</button></p></section>`;
  }

  #told({ bookingRef, hold, reservation, listing, status }: Holder): TemplateResult {
    const { ports, meta, place } = this.#room;
    const { text, date } = ports.words;
    const { timezone } = meta();
    const here = place();
    const address = (ref: string): string => addressOf({ ...here, path: [...here.path.slice(0, 2), 'bookings', ref] });
    const isFree = bookingRef === null && hold === null && reservation === null;
    return html`${bookingRef === null ? nothing : html`<p>${text('bookings.holders.booked')} <a href=${address(bookingRef)}>${bookingRef}</a></p>`}
      ${listing === null ? nothing : html`<p>${text('bookings.holders.listed', { count: listing.labels.length })}</p>`}
      ${hold === null ? nothing : this.#basket(hold)}
      ${reservation === null ? nothing : html`<p>${text('bookings.holders.reserved', { name: reservation.name, time: date(reservation.until, timezone, 'medium', true) })}</p>`}
      ${isFree ? html`<p>${text(status === 'blocked' ? 'bookings.holders.blocked' : 'bookings.holders.free')}</p>` : nothing}`;
  }

  #basket({
    holdRef,
    labels,
    createdAt,
    expiresAt,
    buyerRef,
    partnerRef,
  }: NonNullable<Holder['hold']>): TemplateResult {
    const { ports, meta } = this.#room;
    const { words, who, server } = ports;
    const { text, date, left } = words;
    const { timezone } = meta();
    const begun = this.#begunBy.get(holdRef);
    const buyer = buyerRef ?? partnerRef;
    const time = date(createdAt, timezone, 'medium');
    const since = begun
      ? text('bookings.holders.sinceBy', { time, who: personOf(words, who, begun.source, begun.actor) })
      : text('bookings.holders.since', { time });
    return html`<p>${text('bookings.holders.held', {
      count: labels.length,
      time: date(expiresAt, timezone, 'medium', true),
      left: left(Math.max(expiresAt - server.now(), 0)),
    })}</p>
      <p class="muted">${since} ${buyer ?? nothing}</p>`;
  }
}
