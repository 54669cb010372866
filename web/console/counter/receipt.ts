/**
 * The receipt of a sale, as it prints. It is read from the booking, so it outlives a reload.
 *
 * States: reading → shown or failed (the person tries again).
 */
import { html, nothing, type TemplateResult } from 'lit-html';
import { addressOf, beside } from '../address.ts';
import type { Item } from '../event/line-items.ts';
import { pricedList } from '../event/priced-list.ts';
import type { Desk } from './desk.ts';

type Booking = { bookingRef: string; bookedAt: number; buyerRef: string | null; objects: (Item & { state: string })[] };
type Answer = { booking: Booking; activity: { action: string; reason?: string }[] };

export class Receipt {
  readonly bookingRef: string;
  readonly #desk: Desk;
  readonly #left = new AbortController();
  #answer: Answer | null = null;
  #isFailed = false;

  constructor(desk: Desk, bookingRef: string) {
    this.#desk = desk;
    this.bookingRef = bookingRef;
    void this.#read();
  }

  close(): void {
    this.#left.abort();
  }

  async #read(): Promise<void> {
    const { server, changed } = this.#desk.room.ports;
    const path = `${this.#desk.path}/bookings/${encodeURIComponent(this.bookingRef)}`;
    const answer = await server.get<Answer>(path, this.#left.signal);
    if (this.#left.signal.aborted) return;
    this.#isFailed = !answer.ok;
    if (answer.ok) this.#answer = answer.value;
    changed();
  }

  draw(): TemplateResult {
    const { room } = this.#desk;
    const { text } = room.ports.words;
    const booking = beside(room.place(), ['event', room.key, 'bookings', this.bookingRef]);
    return html`<section class="receipt" aria-labelledby="receipt"><h2 id="receipt">${text('counter.receipt')}</h2>${this.#paper()}</section>
      <p class="buttons no-print"><button class="primary" @click=${() => this.#desk.leaveHold()}>${text('counter.new')}</button>
        ${this.#answer ? html`<button @click=${() => print()}>${text('counter.print')}</button>` : nothing}
        <a href=${addressOf(booking)}>${text('counter.booking')}</a></p>`;
  }

  #paper(): TemplateResult {
    const { meta, ports } = this.#desk.room;
    const { words, who } = ports;
    const { text, date } = words;
    if (this.#isFailed) {
      return html`<p role="alert">${text('counter.receipt.failed', { reference: this.bookingRef })}</p>
        <p class="no-print"><button @click=${() => void this.#read()}>${text('console.again')}</button></p>`;
    }
    if (!this.#answer) return html`<p role="status">${text('console.loading')}</p>`;
    const { booking, activity } = this.#answer;
    const { name, startsAt, timezone } = meta();
    const items = booking.objects.filter(({ state }) => state === 'booked');
    const note = activity.find(({ action }) => action === 'book')?.reason;
    return html`<p><strong>${name}</strong>${startsAt === null ? nothing : html`<br>${date(startsAt, timezone, 'full', true)}`}</p>
      <dl><dt>${text('counter.reference')}</dt><dd>${booking.bookingRef}</dd>
        <dt>${text('counter.soldAt')}</dt><dd>${date(booking.bookedAt, timezone, 'medium', true)}</dd>
        ${booking.buyerRef === null ? nothing : html`<dt>${text('counter.buyer')}</dt><dd>${booking.buyerRef}</dd>`}
        ${note === undefined ? nothing : html`<dt>${text('counter.note')}</dt><dd>${note}</dd>`}
        <dt>${text('counter.seller')}</dt><dd>${who.organisation.name}</dd></dl>
      ${pricedList({ words, items, caption: text('counter.receipt') })}`;
  }
}
