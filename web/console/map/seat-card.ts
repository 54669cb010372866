/**
 * The card of one place: its words, status, category and price, who has it and until when, its channel, its
 * reservation, and the last entries of its history.
 *
 * States: nothing → reading → shown, or failed: the person tries again. The card reads anew when the status of its
 * place changes. An answer about another place, or about an earlier status, is dropped. The chart's part of the card
 * needs no answer.
 */
import { accessibilityKinds } from '@parterre/shared/charts/accessibility';
import { html, nothing, type TemplateResult } from 'lit-html';
import { addressOf, beside } from '../address.ts';
import type { MapPane } from '../event/hall/map-pane.ts';
import { nameOfSpot, whereIsSpot } from '../event/hall/place-words.ts';
import { People } from '../event/people.ts';
import type { EventRoom } from '../event/tab.ts';
import type { PlainKey } from '../messages/words.ts';
import { pricesOf } from './category-price.ts';

type Detail = {
  channelId: string | null;
  hold: { expiresAt: number; labels: string[]; buyerRef: string | null } | null;
  bookingRef: string | null;
  unitPrice: number | null;
};
type Entry = {
  id: number;
  at: number;
  action: string;
  ref: string | null;
  actor: string | null;
  source: string;
  reason?: string;
};
type ReadCard = { detail: Detail; entries: readonly Entry[]; channel: string | null };

const ENTRIES_SHOWN = 5;

const actionTexts: Readonly<Record<string, PlainKey>> = {
  hold: 'map.log.hold',
  extend: 'map.log.extend',
  release: 'map.log.release',
  expire: 'map.log.expire',
  end_holds: 'map.log.end',
  book: 'map.log.book',
  unbook: 'map.log.unbook',
  block: 'map.log.block',
  unblock: 'map.log.unblock',
  exchanged: 'map.log.exchange',
  make_reservation: 'map.log.reserve',
  change_reservation: 'map.log.reserve',
  end_reservation: 'map.log.unreserve',
  book_reservation: 'map.log.book',
  assign_channel: 'map.log.channel',
  list_resale: 'map.log.list',
  remove_resale: 'map.log.unlist',
  resell: 'map.log.resell',
};

export class SeatCard {
  readonly #room: EventRoom;
  readonly #pane: MapPane;
  readonly #people: People;
  /** The place and the status that were read last. */
  #asked = '';
  #reading = new AbortController();
  #state: 'reading' | 'failed' | ReadCard = 'reading';

  constructor(room: EventRoom) {
    this.#room = room;
    this.#pane = room.map();
    this.#people = new People(room.ports);
  }

  close(): void {
    this.#reading.abort();
    this.#people.close();
  }

  /** The card of this place. */
  draw(label: string): TemplateResult | typeof nothing {
    const { hall } = this.#pane.live;
    const spot = hall?.spotOf.get(label);
    if (!hall || spot === undefined) return nothing;
    const asked = `${this.#pane.live.statusOf(label)} ${label}`;
    if (asked !== this.#asked) {
      this.#asked = asked;
      void this.#read(label);
    }
    const { words } = this.#room.ports;
    const { text } = words;
    const category = hall.categories[hall.categoryOf[spot]!]!;
    const kinds = accessibilityKinds.filter((_, bit) => hall.accessibilityOf[spot]! & (1 << bit));
    const reservation = this.#pane.live.reservationOf(label);
    return html`<section class="seat-card" aria-labelledby="card"><h2 id="card">${nameOfSpot(words, hall, spot)}</h2>
      <dl>
        ${this.#fact('map.card.label', label)}
        ${this.#fact('map.card.where', words.join(whereIsSpot(hall, spot)))}
        ${this.#fact('map.card.status', text(`map.status.${this.#pane.live.statusOf(label)}`))}
        ${this.#fact('map.card.category', category.label)}
        ${this.#fact('map.card.price', pricesOf(words, category, this.#room.meta()))}
        ${this.#fact('map.card.kinds', words.join(kinds.map((kind) => text(`map.kind.${kind}`))))}
        ${reservation ? this.#fact('map.card.reservation', reservation.name) : nothing}
        ${typeof this.#state === 'object' ? this.#holder(this.#state) : nothing}
      </dl>
      ${this.#history()}</section>`;
  }

  #fact(key: PlainKey, value: unknown): TemplateResult | typeof nothing {
    if (value === '' || value === null) return nothing;
    return html`<div><dt>${this.#room.ports.words.text(key)}</dt><dd>${value}</dd></div>`;
  }

  async #read(label: string): Promise<void> {
    this.#reading.abort();
    this.#reading = new AbortController();
    const { signal } = this.#reading;
    const { server } = this.#room.ports;
    const path = `events/${encodeURIComponent(this.#room.key)}`;
    const [holders, log] = await Promise.all([
      server.send<{ holders: Detail[] }>('POST', `${path}/holders`, { body: { labels: [label] }, signal }),
      server.get<{ entries: Entry[] }>(`${path}/log?limit=${ENTRIES_SHOWN}&label=${encodeURIComponent(label)}`, signal),
    ]);
    if (signal.aborted) return;
    const [detail] = holders.ok ? holders.value.holders : [];
    const channel = detail ? await this.#channelOf(path, detail.channelId, signal) : null;
    if (signal.aborted) return;
    this.#state = detail && log.ok ? { detail, entries: log.value.entries, channel } : 'failed';
    this.#room.ports.changed();
  }

  /** Its id stands in for a name that cannot be read. */
  async #channelOf(path: string, id: string | null, signal: AbortSignal): Promise<string | null> {
    if (id === null) return null;
    const answer = await this.#room.ports.server.get<{ channels: { id: string; name: string }[] }>(
      `${path}/channels`,
      signal,
    );
    return (answer.ok && answer.value.channels.find((channel) => channel.id === id)?.name) || id;
  }

  #holder({ detail, channel }: ReadCard): TemplateResult {
    const { words } = this.#room.ports;
    const { text } = words;
    const { hold, bookingRef, unitPrice } = detail;
    const { timezone } = this.#room.meta();
    return html`${hold ? this.#fact('map.card.until', words.date(hold.expiresAt, timezone, 'medium', true)) : nothing}
      ${
        hold
          ? this.#fact(
              'map.card.hold',
              html`${text('map.places', { count: hold.labels.length })}: ${words.list(hold.labels)}
            <button @click=${() => this.#pane.choose(hold.labels)}>${text('map.card.hold.choose')}</button>`,
            )
          : nothing
      }
      ${hold?.buyerRef ? this.#fact('map.card.buyer', hold.buyerRef) : nothing}
      ${bookingRef === null ? nothing : this.#fact('map.card.booking', this.#bookingLink(bookingRef))}
      ${unitPrice === null ? nothing : this.#fact('map.card.sold', words.money(unitPrice, this.#room.meta()))}
      ${this.#fact('map.card.channel', channel)}`;
  }

  #bookingLink(bookingRef: string): TemplateResult {
    const place = beside(this.#room.place(), ['event', this.#room.key, 'bookings', bookingRef]);
    return html`<a href=${addressOf(place)}>${bookingRef}</a>`;
  }

  #history(): TemplateResult {
    const { words } = this.#room.ports;
    const { text } = words;
    if (this.#state === 'reading') return html`<p role="status">${text('console.loading')}</p>`;
    if (this.#state === 'failed') {
      return html`<p role="alert">${text('map.card.failed')}</p>
        <button @click=${this.#again}>${text('console.again')}</button>`;
    }
    const { entries } = this.#state;
    if (entries.length === 0) return html`<p class="muted">${text('map.card.noHistory')}</p>`;
    return html`<h3>${text('map.card.history')}</h3><ol class="history">${entries.map((entry) => this.#entry(entry))}</ol>`;
  }

  #entry({ at, action, ref, actor, source, reason }: Entry): TemplateResult {
    const { words } = this.#room.ports;
    const key = actionTexts[action];
    const time = words.date(at, this.#room.meta().timezone, 'medium');
    const who = words.join([
      this.#people.wordsFor(source, actor),
      ...(ref === null ? [] : [ref]),
      ...(reason ? [reason] : []),
    ]);
    return html`<li><span>${key ? words.text(key) : action}</span> <span class="muted">${time}, ${who}</span></li>`;
  }

  #again = (): void => {
    this.#state = 'reading';
    this.#asked = '';
    this.#room.ports.changed();
  };
}
