/** A sale without a hold: the price that the server has told, and the fields of the sale. */
import { html, type TemplateResult } from 'lit-html';
import { placesOfItems } from '../event/line-items.ts';
import { pricedList } from '../event/priced-list.ts';
import { priceOf } from './basket.ts';
import { counterSale, type Desk, type Quote } from './desk.ts';
import { SaleForm } from './sale-form.ts';

export class QuotePart {
  readonly #desk: Desk;
  readonly #quote: Quote;
  readonly #form: SaleForm;

  constructor(desk: Desk, quote: Quote) {
    this.#desk = desk;
    this.#quote = quote;
    this.#form = new SaleForm(desk);
  }

  draw(): TemplateResult {
    const { words } = this.#desk.room.ports;
    const { text } = words;
    const { items, body } = this.#quote;
    return html`<h2>${text('counter.basket', { count: placesOfItems(items) })}</h2>
      <p class="muted">${text('counter.notHeld')}</p>
      ${pricedList({ words, items, caption: text('counter.basket.table') })}
      <p class="buttons"><button @click=${() => this.#desk.openQuote(null)}>${text('counter.back')}</button></p>
      ${this.#form.draw(priceOf(words, items), counterSale(this.#desk), body)}`;
  }
}
