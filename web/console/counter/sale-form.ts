/**
 * The fields of a sale and its button: the reference, the buyer, how it is paid, a note.
 *
 * States of the act: ready → sending → sold; refused (the fields stay); unknown (the same reference again sells once:
 * the reference names the sale).
 */
import { html, type TemplateResult } from 'lit-html';
import { type Item, labelsOfItems } from '../event/line-items.ts';
import { saleTold } from '../event/sale-refusals.ts';
import { Act } from '../frame/act.ts';
import type { Desk } from './desk.ts';
import type { SaleFields } from './kept.ts';
import { noteOf, randomReference } from './rules/draft.ts';

const payments = ['cash', 'card', 'invoice', 'free'] as const;
const REFERENCE_LENGTH_MAX = 128;
const NOTE_LENGTH_MAX = 400;

type SaleAnswer = { booked: string[]; items: Item[] };

export class SaleForm {
  readonly #desk: Desk;
  readonly #act: Act;

  constructor(desk: Desk) {
    this.#desk = desk;
    this.#act = new Act(desk.room.ports.changed);
  }

  /** `terms` are the body of the sale without these fields; `price` stands on the button. */
  draw(price: string, call: string, terms: Record<string, unknown>): TemplateResult {
    const { fields } = this.#desk;
    const { words } = this.#desk.room.ports;
    const { text } = words;
    const { state } = this.#act;
    return html`<form class="fields" @submit=${(event: SubmitEvent) => void this.#sell(event, call, terms)}>
      <label>${text('counter.reference')} <input name="bookingRef" required maxlength=${REFERENCE_LENGTH_MAX}
        autocomplete="off" .value=${fields.bookingRef} @input=${this.#typed}></label>
      <label>${text('counter.buyer')} <input name="buyerRef" maxlength="64" autocomplete="off" .value=${fields.buyerRef}
        @input=${this.#typed}></label>
      <p class="muted">${text('counter.buyer.hint')}</p>
      <label>${text('counter.payment')} <select name="payment" @change=${this.#typed}>
        <option value="" ?selected=${fields.payment === ''}>${text('counter.payment.none')}</option>
        ${payments.map(
          (name) =>
            html`<option value=${name} ?selected=${fields.payment === name}>${text(`counter.payment.${name}`)}</option>`,
        )}</select></label>
      <label>${text('counter.note')} <input name="note" maxlength=${NOTE_LENGTH_MAX} autocomplete="off"
        .value=${fields.note} @input=${this.#typed}></label>
      <p role="alert">${saleTold(state, words)}</p>
      <p class="buttons"><button class="primary" ?disabled=${state.kind === 'sending'}>${
        state.kind === 'unknown' ? text('console.again') : text('counter.sell', { price })
      }</button></p></form>`;
  }

  #typed = (event: Event): void => {
    const { name, value } = event.target as HTMLInputElement;
    this.#desk.fields[name as keyof SaleFields] = value;
    this.#desk.keep();
    // Another reference would be another sale: the first may have happened.
    if (this.#act.state.kind === 'refused') this.#act.renew();
    this.#desk.room.ports.changed();
  };

  async #sell(event: SubmitEvent, call: string, terms: Record<string, unknown>): Promise<void> {
    event.preventDefault();
    const { fields } = this.#desk;
    const { text } = this.#desk.room.ports.words;
    const bookingRef = fields.bookingRef.trim();
    const buyerRef = fields.buyerRef.trim();
    const payment = payments.find((name) => name === fields.payment);
    const note = noteOf(payment ? text(`counter.payment.${payment}`) : '', fields.note);
    const body = { ...terms, bookingRef, ...(buyerRef !== '' && { buyerRef }), ...(note !== undefined && { note }) };
    // The first try may have sold the places: a repetition books nothing more, and names them all the same.
    const isAgain = this.#act.state.kind === 'unknown';
    const sold = await this.#act.send((key) => this.#desk.post<SaleAnswer>(call, body, key));
    if (sold) this.#done(bookingRef, isAgain ? labelsOfItems(sold.value.items) : sold.value.booked);
  }

  #done(bookingRef: string, booked: readonly string[]): void {
    const { room, fields } = this.#desk;
    const { text } = room.ports.words;
    const isPlatform = room.meta().ownership === 'platform';
    Object.assign(fields, { bookingRef: randomReference(), buyerRef: '', payment: '', note: '' });
    const count = booked.length;
    room.ports.tell({
      text: text('counter.sold', { count, reference: bookingRef }),
      ...(isPlatform &&
        count > 0 && { undo: (key: string) => this.#desk.post('unbook', { bookingRef, labels: booked }, key) }),
    });
    this.#desk.sold(bookingRef);
  }
}
