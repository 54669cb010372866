/**
 * Two bookings give each other as many places. The server tells both price differences before anything happens.
 *
 * States: no other booking → reading → its places are shown, or missing; then the price: none → told or refused; then
 * the act, which is undone by the swap back.
 */
import { html, nothing, type TemplateResult } from 'lit-html';
import { labelsOfItems } from '../event/line-items.ts';
import { moneyOf } from '../event/priced-list.ts';
import { saleTold } from '../event/sale-refusals.ts';
import { Act } from '../frame/act.ts';
import { activeItems, type Booking, nameOfItem } from './booking.ts';
import type { BookingDesk } from './desk.ts';

type Side = { priceDifference: number; items: { place: { name: string } }[] };
type Swapped = { a: Side; b: Side; currency: string; priceUnit: 'major' | 'minor' };

export class SwapPart {
  readonly #desk: BookingDesk;
  /** The look at the other booking and the price: neither changes anything. */
  readonly #look: Act;
  readonly #act: Act;
  #other: Booking | null = null;
  readonly #names = new Set<string>();
  #told: Swapped | null = null;

  constructor(desk: BookingDesk) {
    this.#desk = desk;
    this.#look = new Act(desk.room.ports.changed);
    this.#act = new Act(desk.room.ports.changed);
  }

  draw(booking: Booking): TemplateResult {
    const { words } = this.#desk.room.ports;
    const { text, list } = words;
    const own = this.#desk.chosen();
    const { state } = this.#act;
    return html`<section class="card" aria-labelledby="swap"><h3 id="swap">${text('bookings.swap')}</h3>
      <p>${text('bookings.swap.own', {
        reference: booking.bookingRef,
        places: list(
          own.map(({ place }) => place.name),
          12,
        ),
      })}</p>
      <form class="fields" @submit=${this.#find}><label>${text('bookings.swap.other')}
        <input name="reference" required autocomplete="off"></label>
        <p class="buttons"><button>${text('bookings.swap.find')}</button></p></form>
      ${this.#other ? this.#places(this.#other) : nothing}
      <p role="alert">${saleTold(this.#look.state, words) || saleTold(state, words)}</p>
      ${this.#told ? this.#difference(this.#told) : nothing}
      <p class="buttons">${
        this.#told
          ? html`<button class="primary" ?disabled=${state.kind === 'sending'} @click=${() => void this.#swap()}
            >${text(state.kind === 'unknown' ? 'console.again' : 'bookings.swap.now')}</button>`
          : html`<button ?disabled=${this.#names.size === 0} @click=${() => void this.#ask()}>${text('bookings.swap.ask')}</button>`
      }</p></section>`;
  }

  #find = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    const reference = String(new FormData(form).get('reference')).trim();
    const { server } = this.#desk.room.ports;
    this.#forget();
    this.#other = null;
    this.#names.clear();
    const path = `${this.#desk.path}/bookings/${encodeURIComponent(reference)}`;
    const found = await this.#look.send(() => server.get<{ booking: Booking }>(path));
    if (found) this.#other = found.value.booking;
    this.#desk.room.ports.changed();
  };

  #forget(): void {
    this.#told = null;
    this.#look.renew();
    this.#act.renew();
  }

  #places(other: Booking): TemplateResult {
    const { text } = this.#desk.room.ports.words;
    return html`<fieldset class="labels"><legend>${text('bookings.swap.theirs', { reference: other.bookingRef })}</legend>
      ${activeItems(other).map((item) => {
        const name = nameOfItem(item);
        return html`<label><input type="checkbox" .checked=${this.#names.has(name)} @change=${() => this.#toggle(name)}> ${item.place.name}</label>`;
      })}</fieldset>`;
  }

  #toggle(name: string): void {
    if (!this.#names.delete(name)) this.#names.add(name);
    this.#forget();
    this.#desk.room.ports.changed();
  }

  #body(): { swap: true; a: { bookingRef: string; labels: string[] }; b: { bookingRef: string; labels: string[] } } {
    const theirs = activeItems(this.#other!).filter((item) => this.#names.has(nameOfItem(item)));
    return {
      swap: true,
      a: { bookingRef: this.#desk.booking().bookingRef, labels: labelsOfItems(this.#desk.chosen()) },
      b: { bookingRef: this.#other!.bookingRef, labels: labelsOfItems(theirs) },
    };
  }

  async #ask(): Promise<void> {
    const { server, changed } = this.#desk.room.ports;
    const body = { ...this.#body(), dryRun: true };
    const told = await this.#look.send((key) =>
      server.send<Swapped>('POST', `${this.#desk.path}/exchange`, { body, key }),
    );
    if (told) this.#told = told.value;
    changed();
  }

  #difference({ a, b, currency, priceUnit }: Swapped): TemplateResult {
    const { words } = this.#desk.room.ports;
    const unit = { currency, priceUnit };
    const row = (reference: string, { priceDifference }: Side) =>
      html`<p role="status">${words.text('bookings.swap.difference', { reference, amount: moneyOf(words, unit, priceDifference) })}</p>`;
    return html`${row(this.#desk.booking().bookingRef, a)} ${row(this.#other!.bookingRef, b)}`;
  }

  async #swap(): Promise<void> {
    const { room, path, go, done } = this.#desk;
    const { server, tell, words } = room.ports;
    const body = this.#body();
    const swapped = await this.#act.send((key) => server.send<Swapped>('POST', `${path}/exchange`, { body, key }));
    if (!swapped) return;
    const { a, b } = body;
    const back = { swap: true, a: { ...a, labels: b.labels }, b: { ...b, labels: a.labels } };
    tell({
      text: words.text('bookings.swapped', { one: a.bookingRef, other: b.bookingRef }),
      undo: async (key) => {
        const undone = await server.send('POST', `${path}/exchange`, { body: back, key });
        if (undone.ok) done();
        return undone;
      },
    });
    this.#forget();
    this.#other = null;
    this.#names.clear();
    go({ act: undefined, places: undefined });
    done();
  }
}
