/** Ticket releases that are asked for on a page of their own: applications, and purchases on invoice. */
import { html, nothing, type TemplateResult } from 'lit-html';
import { performanceNames } from '../rules/performances.ts';
import type { PanelView } from './panel-view.ts';
import { priceBefore } from './price-before.ts';

export function linkedOffers(view: PanelView): TemplateResult | typeof nothing {
  const { words, offers, performances, event } = view;
  const names = performanceNames(words, performances);
  const all = offers.flatMap(({ linked = [] }, index) => {
    const performance = names.get(performances[index]?.eventKey ?? '');
    return linked.filter(({ actionUrl }) => isPage(actionUrl)).map((offer) => ({ ...offer, performance }));
  });
  if (all.length === 0) return nothing;
  const { text, money } = words;
  return html`<section class="linked" part="offers" aria-label=${text('offers.title')}>
    <h3>${text('offers.title')}</h3>
    <ul>
      ${all.map(({ offerName, action, actionUrl, price, previousPrice = null, performance }) => {
        const act = text(`offers.${action}`);
        return html`<li>
          <span><b>${offerName}</b>${performance === undefined ? nothing : html`<br />${performance}`}</span>
          <span>${priceBefore(view, previousPrice !== null && previousPrice > price ? previousPrice : null)}${money(price, event)}</span>
          <a part="offer" href=${actionUrl} target="_blank" rel="noopener" aria-label=${`${offerName}: ${act}`}>${act}</a>
        </li>`;
      })}
    </ul>
  </section>`;
}

const isPage = (address: string): boolean => URL.canParse(address) && new URL(address).protocol === 'https:';
