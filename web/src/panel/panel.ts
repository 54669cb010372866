/**
 * The side panel; on a phone a sheet below the map. Banners and the foot are always in sight, and the part between them
 * scrolls. A closed sheet shows the prices alone.
 */
import { html, nothing, type TemplateResult } from 'lit-html';
import { basket } from '../basket/basket.ts';
import { checkout } from '../basket/checkout.ts';
import { timeText } from '../rules/performances.ts';
import { isOnSale } from '../rules/waiting.ts';
import type { createAdvice } from './advice.ts';
import { banners } from './banners.ts';
import type { PanelView } from './panel-view.ts';
import { priceList } from './price-list.ts';

/** A longer list of performances is opened by the buyer. */
const PERFORMANCES_SHOWN = 3;

/** `advice` is null until the page has loaded it. */
export function panel(view: PanelView, advice: ReturnType<typeof createAdvice> | null): TemplateResult {
  const { sale, waiting, isMap } = view;
  const { selection, hold } = sale.state;
  const isEmpty = selection.size === 0 && !hold;
  return html`${head(view)} ${banners(view)}
    <div class="body" id="parterre-details">
      ${isEmpty && isMap && isOnSale(waiting) ? html`<p class="empty" part="empty">${hint(view)}</p>` : nothing}
      ${isEmpty ? nothing : basket(view)} ${isEmpty ? basketOfNothing(view) : nothing}
      ${advice?.questions(view) ?? nothing} ${priceList(view)} ${advice?.others(view) ?? nothing}
    </div>
    ${checkout(view)}`;
}

function hint({ words: { text }, isNear }: PanelView): string {
  return isNear ? text('basket.empty') : `${text('basket.empty')} ${text('basket.zoomIn')}`;
}

/** The last place was just removed: it may come back. */
function basketOfNothing(view: PanelView): TemplateResult | typeof nothing {
  return view.sale.choice.removed().length > 0 ? basket(view) : nothing;
}

function head(view: PanelView): TemplateResult {
  const { event, words, performances, isOpen, open } = view;
  const date = event.startsAt === null ? '' : words.date(event.startsAt, event.timezone, 'full');
  return html`<header part="header">
    <div class="title" part="title">
      <h2>${event.name}</h2>
      <p>${[date, event.venue].filter(Boolean).join(' · ')}</p>
    </div>
    <button class="grip" part="grip" aria-expanded=${isOpen} aria-controls="parterre-details" @click=${() => open(!isOpen)}>
      <span class="unseen">${words.text('sheet.details')}</span><i aria-hidden="true"></i>
    </button>
    ${performances.length > 0 ? performanceList(view) : nothing}
  </header>`;
}

function performanceList({ performances, words }: PanelView): TemplateResult {
  return html`<details class="performances" part="performances" ?open=${performances.length <= PERFORMANCES_SHOWN}>
    <summary>${words.text('panel.performances', { count: performances.length })}</summary>
    <ul>
      ${performances.map((each) => html`<li><b>${each.name}</b> <span>${timeText(words, each)}</span></li>`)}
    </ul>
  </details>`;
}
