/** A price of before, struck through. Screen readers hear the word that the line says to the eye. */
import { html, nothing, type TemplateResult } from 'lit-html';
import { defaultAt } from '../rules/prices.ts';
import type { PanelView } from './panel-view.ts';

type PriceView = Pick<PanelView, 'words' | 'event'>;

export function priceBefore({ words, event }: PriceView, previous: number | null): TemplateResult | typeof nothing {
  if (previous === null) return nothing;
  return html`<s><span class="unseen">${words.text('price.before')} </span>${words.money(previous, event)}</s> `;
}

/** Of a place that the buyer has not chosen, at the ticket that a choice begins with. */
export function before(
  view: PriceView & Pick<PanelView, 'hall' | 'offers' | 'sale'>,
  spot: number,
): TemplateResult | typeof nothing {
  const { hall, offers, sale } = view;
  const label = hall.labels[spot]!;
  if (sale.state.selection.has(label) || sale.state.held.has(label)) return nothing;
  const priced = defaultAt(hall, offers, hall.categoryOf[spot]!, label, hall.accessibilityOf[spot]!);
  return priceBefore(view, priced.previous);
}
