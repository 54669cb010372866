/**
 * One booking: its lines with prices and fees, its state, its history, and what a person who sells may do with it. The
 * address has the chosen lines (`places`) and the open part (`act`); the map has the places to move to.
 *
 * States: reading → shown or failed (there is no such booking, or no answer: the person tries again). It is read anew
 * after each act. An answer that comes after the page was left, or after a newer reading began, is dropped.
 */
import { roleHas } from '@parterre/shared/protocol/rights';
import { html, nothing, type TemplateResult } from 'lit-html';
import { createLooks, type Painter } from '../../src/draw/scene.ts';
import type { Hall } from '../../src/rules/hall.ts';
import { addressOf } from '../address.ts';
import { labelsOfItems } from '../event/line-items.ts';
import type { People } from '../event/people.ts';
import { pricedList } from '../event/priced-list.ts';
import type { EventRoom } from '../event/tab.ts';
import { type Activity, activeItems, type BookedItem, type Booking, nameOfItem } from './booking.ts';
import { cancelQuestion, listQuestion, removeQuestion } from './booking-questions.ts';
import type { BookingDesk, Listing } from './desk.ts';
import { ExchangePart } from './exchange-part.ts';
import { drawHistory } from './history.ts';
import type { Holder } from './holders.ts';
import { SwapPart } from './swap-part.ts';

type Answer = { booking: Booking; activity: Activity[]; activityTruncated: boolean };
const LISTED_LABELS_MAX = 1_000;

export class BookingPage {
  readonly bookingRef: string;
  readonly #room: EventRoom;
  readonly #people: People;
  readonly #desk: BookingDesk;
  readonly #exchange: ExchangePart;
  readonly #swap: SwapPart;
  #reading = new AbortController();
  #answer: Answer | null = null;
  #listings: readonly Listing[] = [];
  #state: 'reading' | 'shown' | 'missing' | 'failed' = 'reading';
  #carried: { from: string; to: string | null } | null = null;

  constructor(room: EventRoom, bookingRef: string, people: People) {
    this.#room = room;
    this.#people = people;
    this.bookingRef = bookingRef;
    this.#desk = {
      room,
      path: `events/${encodeURIComponent(room.key)}`,
      booking: () => this.#answer!.booking,
      chosen: () => this.#chosen(),
      done: () => void this.#read(),
      go: (changes) => this.#go(changes),
    };
    this.#exchange = new ExchangePart(this.#desk);
    this.#swap = new SwapPart(this.#desk);
    const pane = room.map();
    pane.repaint((usual, hall) => this.#paint(usual, hall));
    if (this.#maySell) {
      pane.carry({
        mayLift: (label) => this.#own().has(label),
        over: (carried) => {
          this.#carried = carried;
          pane.refresh();
        },
        drop: (from, to) => this.#drop(from, to),
      });
    }
    void this.#read();
  }

  close(): void {
    this.#reading.abort();
    this.#exchange.close();
    const pane = this.#room.map();
    pane.carry(null);
    pane.repaint(null);
  }

  moved(): void {
    if (this.#act() === 'exchange' && this.#answer) this.#exchange.follow();
    this.#room.map().refresh();
  }

  get #maySell(): boolean {
    return roleHas(this.#room.ports.who.user.role, 'sell');
  }

  #act(): string | undefined {
    return this.#room.place().query.act;
  }

  #own(): ReadonlySet<string> {
    return new Set(this.#answer?.booking.activeLabels);
  }

  #names(): ReadonlySet<string> {
    const { places } = this.#room.place().query;
    return new Set(places ? places.split(',') : []);
  }

  #chosen(): BookedItem[] {
    const names = this.#names();
    const active = activeItems(this.#answer!.booking);
    const some = active.filter((item) => names.has(nameOfItem(item)));
    return some.length > 0 ? some : active;
  }

  #go(changes: Readonly<Record<string, string | undefined>>): void {
    const place = this.#room.place();
    const all: [string, string | undefined][] = Object.entries({ ...place.query, ...changes });
    const query = all.filter((entry): entry is [string, string] => entry[1] !== undefined && entry[1] !== '');
    this.#room.ports.go({ ...place, query: Object.fromEntries(query) }, 'replace');
  }

  async #read(): Promise<void> {
    this.#reading.abort();
    const reading = new AbortController();
    this.#reading = reading;
    const { ports, map } = this.#room;
    const path = `${this.#desk.path}/bookings/${encodeURIComponent(this.bookingRef)}`;
    const answer = await ports.server.get<Answer>(path, reading.signal);
    if (reading.signal.aborted) return;
    const isFirst = this.#answer === null;
    if (answer.ok) {
      this.#answer = answer.value;
      this.#state = 'shown';
      if (isFirst) map().visit(answer.value.booking.activeLabels);
      this.moved();
    } else this.#state = answer.status === 404 ? 'missing' : 'failed';
    map().repaint((usual, hall) => this.#paint(usual, hall));
    ports.changed();
    if (answer.ok) await this.#readListings(answer.value.booking, reading.signal);
  }

  async #readListings({ activeLabels }: Booking, signal: AbortSignal): Promise<void> {
    const labels = activeLabels.slice(0, LISTED_LABELS_MAX);
    if (labels.length === 0) return;
    const { server, changed } = this.#room.ports;
    const path = `${this.#desk.path}/holders`;
    const answer = await server.send<{ holders: Holder[] }>('POST', path, { body: { labels }, signal });
    if (signal.aborted || !answer.ok) return;
    const listings = answer.value.holders.flatMap(({ listing }) => (listing ? [listing] : []));
    this.#listings = [...new Map(listings.map((listing) => [listing.listingId, listing])).values()];
    changed();
  }

  /** The booking's own places are marked; the place under a carried one looks chosen. */
  #paint(usual: Painter, hall: Hall): Painter {
    const own = this.#own();
    const look = createLooks();
    return {
      ...usual,
      lookOf: (spot) => {
        const label = hall.labels[spot]!;
        const category = hall.categoryOf[spot]!;
        if (this.#carried?.to === label && this.#carried.from !== label) return look('chosen', category);
        return own.has(label) ? look('booked', category, true) : usual.lookOf(spot);
      },
    };
  }

  /** A place that is lifted and put back is chosen, or left out. */
  #drop(from: string, to: string): void {
    const item = activeItems(this.#desk.booking()).find((each) => labelsOfItems([each]).includes(from));
    if (!item) return;
    const name = nameOfItem(item);
    const names = new Set(this.#names());
    if (from === to) {
      if (!names.delete(name)) names.add(name);
      this.#go({ places: [...names].join(',') });
      return;
    }
    if (this.#own().has(to)) return;
    const seats = [...new Set([...this.#exchange.targets(), to])].join(',');
    this.#go({ act: 'exchange', places: [...names.add(name)].join(','), seats });
  }

  draw(): TemplateResult {
    const place = this.#room.place();
    const { text } = this.#room.ports.words;
    const { places: _, act: __, ...query } = place.query;
    const list = { ...place, path: [...place.path.slice(0, 2), 'bookings'], query };
    return html`<p><a href=${addressOf(list)}>${text('bookings.all')}</a></p>
      <h2>${this.bookingRef}</h2>${this.#body()}`;
  }

  #body(): TemplateResult {
    const { text } = this.#room.ports.words;
    if (this.#state === 'missing' || this.#state === 'failed') {
      return html`<p role="alert">${text(this.#state === 'missing' ? 'counter.refused.booking' : 'bookings.one.failed')}</p>
        <p><button @click=${() => void this.#read()}>${text('console.again')}</button></p>`;
    }
    if (!this.#answer) return html`<p role="status">${text('console.loading')}</p>`;
    const { booking, activity, activityTruncated } = this.#answer;
    return html`${this.#facts(booking)} ${this.#lines(booking)}
      ${this.#maySell && booking.activeLabels.length > 0 ? this.#acts(booking) : nothing}
      ${this.#listings.map((listing) => this.#listing(listing))}
      ${drawHistory(this.#room, this.#people, activity, activityTruncated)}`;
  }

  #facts(booking: Booking): TemplateResult {
    const { ports, meta } = this.#room;
    const { text, date } = ports.words;
    return html`<dl><dt>${text('bookings.state')}</dt><dd>${text(`bookings.state.${booking.state}`)}</dd>
      <dt>${text('bookings.soldAt')}</dt><dd>${date(booking.bookedAt, meta().timezone, 'medium', true)}</dd>
      <dt>${text('bookings.by')}</dt><dd>${this.#people.wordsFor(booking.source, booking.bookedBy)}</dd>
      ${booking.buyerRef === null ? nothing : html`<dt>${text('bookings.buyer')}</dt><dd>${booking.buyerRef}</dd>`}</dl>`;
  }

  #lines(booking: Booking): TemplateResult {
    const { words } = this.#room.ports;
    const { text } = words;
    const names = this.#names();
    return pricedList<BookedItem>({
      words,
      items: booking.objects,
      summed: activeItems(booking),
      caption: text('bookings.lines'),
      before: (item) => {
        if (item.state === 'cancelled' || !this.#maySell) return nothing;
        const name = nameOfItem(item);
        return html`<input type="checkbox" aria-label=${text('bookings.choose', { place: item.place.name })}
          .checked=${names.has(name)} @change=${() => this.#choose(name)}>`;
      },
      after: (item) => (item.state === 'booked' ? nothing : html`<small class="state">${this.#endOf(item)}</small>`),
    });
  }

  #endOf({ resoldTo, exchangeId }: BookedItem): string {
    const { text } = this.#room.ports.words;
    if (resoldTo !== undefined) return text('bookings.line.resold', { reference: resoldTo });
    return text(exchangeId === undefined ? 'bookings.line.cancelled' : 'bookings.line.exchanged');
  }

  #choose(name: string): void {
    const names = new Set(this.#names());
    if (!names.delete(name)) names.add(name);
    this.#go({ places: [...names].join(',') });
  }

  #acts(booking: Booking): TemplateResult {
    const { text } = this.#room.ports.words;
    const act = this.#act();
    const count = labelsOfItems(this.#chosen()).length;
    const isPlatform = this.#room.meta().ownership === 'platform';
    const open = (name: string): void => this.#go({ act: act === name ? undefined : name });
    return html`<p class="muted">${text('bookings.chosen', { count })}</p>
      <p class="buttons"><button aria-expanded=${act === 'exchange'} @click=${() => open('exchange')}>${text('bookings.exchange')}</button>
        <button aria-expanded=${act === 'swap'} @click=${() => open('swap')}>${text('bookings.swap')}</button>
        <button @click=${() => listQuestion(this.#desk)}>${text('bookings.list')}</button>
        ${isPlatform ? html`<button class="danger" @click=${() => cancelQuestion(this.#desk)}>${text('bookings.cancel', { count })}</button>` : nothing}</p>
      ${isPlatform ? nothing : html`<p class="muted">${text('counter.refused.managed')}</p>`}
      ${act === 'exchange' ? this.#exchange.draw() : nothing}
      ${act === 'swap' ? this.#swap.draw(booking) : nothing}`;
  }

  #listing(listing: Listing): TemplateResult {
    const { text, list } = this.#room.ports.words;
    return html`<section class="card"><p>${text('bookings.listed', { places: list(listing.labels) })}</p>
      ${this.#maySell ? html`<p class="buttons"><button @click=${() => removeQuestion(this.#desk, listing)}>${text('bookings.remove')}</button></p>` : nothing}</section>`;
  }
}
