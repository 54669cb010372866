/** A table of line items with their prices, fees and sum, as every part of an event shows it. */
import { html, nothing, type TemplateResult } from 'lit-html';
import { adopt } from '../frame/adopt.ts';
import type { Words } from '../messages/words.ts';
import { feesOfItems, type Item, totalOfItems } from './line-items.ts';

adopt(`
.priced tfoot th { font-weight: 400; }
.priced .sum :is(th, td) { font-weight: 650; }
.priced td { overflow-wrap: anywhere; }
`);

type Drawn<Of extends Item> = {
  words: Words;
  items: readonly Of[];
  /** Names the table. */
  caption: string;
  /** In front of the place. */
  before?: (item: Of) => unknown;
  /** In place of the ticket type. */
  ticket?: (item: Of) => unknown;
  /** Behind the place. */
  after?: (item: Of) => unknown;
  /** The items that the sum is of. [all] */
  summed?: readonly Of[];
};

export function pricedList<Of extends Item>(drawn: Drawn<Of>): TemplateResult {
  const { words, items, caption, before, after, summed = items } = drawn;
  const { text } = words;
  return html`<table class="priced"><caption class="unseen">${caption}</caption>
    <thead><tr><th scope="col">${text('counter.item.place')}</th><th scope="col">${text('counter.item.ticket')}</th>
      <th scope="col" class="number">${text('counter.item.total')}</th></tr></thead>
    <tbody>${items.map(
      (item) => html`<tr><td>${before?.(item)} ${item.place.name} ${timesOf(words, item)} ${after?.(item)}</td>
        <td>${drawn.ticket?.(item) ?? ticketOf(item)}</td><td class="number">${moneyOf(words, item, item.total)}</td></tr>`,
    )}</tbody>
    ${summed.length > 0 ? sums(words, summed) : nothing}</table>`;
}

const timesOf = ({ number }: Words, { quantity }: Item): string =>
  quantity === undefined ? '' : `× ${number(quantity)}`;

const ticketOf = ({ categoryLabel, tierName }: Item): string =>
  tierName === null ? categoryLabel : `${categoryLabel} · ${tierName}`;

function sums(words: Words, items: readonly Item[]): TemplateResult {
  const { text } = words;
  const [first] = items;
  return html`<tfoot>${feesOfItems(items).map(
    ({ name, amount, isInside }) =>
      html`<tr><th scope="row" colspan="2">${text(isInside ? 'counter.item.fee.inside' : 'counter.item.fee.onTop', {
        fee: name,
      })}</th><td class="number">${moneyOf(words, first!, amount)}</td></tr>`,
  )}
    <tr class="sum"><th scope="row" colspan="2">${text('counter.item.sum')}</th>
      <td class="number">${moneyOf(words, first!, totalOfItems(items))}</td></tr></tfoot>`;
}

export const moneyOf = ({ money }: Words, unit: Pick<Item, 'currency' | 'priceUnit'>, amount: number | null): string =>
  amount === null ? '' : money(amount, unit);
