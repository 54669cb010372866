/** News above the panel: why nothing is sold, refusals, a purchase, the way back to lost places. */
import { html, nothing, type TemplateResult } from 'lit-html';
import { labelName, leftOutText } from '../messages/places.ts';
import { totalHeld } from '../rules/selection.ts';
import { isShut } from '../rules/waiting.ts';
import { regain } from '../sale/regain.ts';
import type { Bought } from '../sale/sale-state.ts';
import type { PanelView } from './panel-view.ts';

const closings = new Set(['journal_lost_records', 'event_closed', 'channel_paused']);

export function banners(view: PanelView): TemplateResult {
  const { notice, bought, lost, hold } = view.sale.state;
  const { waiting } = view;
  // A refusal for the reason that stands above it would say the same once more.
  const isSaid = isShut(waiting) && closings.has(notice?.code ?? '');
  return html`<div class="banners">
    ${waiting && !bought && (!hold || waiting.reason === 'stale') ? waitingBanner(view) : nothing}
    ${notice && !isSaid ? html`<p class="notice ${notice.kind}" part="notice">${notice.text}</p>` : nothing}
    ${lost && !hold ? wayBack(view) : nothing} ${bought ? boughtNote(view, bought) : nothing}
  </div>`;
}

function waitingBanner({ words: { text, date }, waiting, event }: PanelView): TemplateResult {
  const { reason, opensAt } = waiting!;
  const when = opensAt === null ? null : date(opensAt, event.timezone, 'full');
  return html`<section class="notice waiting ${reason}" part="notice" aria-label=${text(`waiting.${reason}`)}>
    <b>${text(`waiting.${reason}`)}</b>
    <p>${reason === 'presale' && when !== null ? text('waiting.opens', { when }) : text(`waiting.${reason}.hint`)}</p>
  </section>`;
}

function wayBack({ sale, words, refocus }: PanelView): TemplateResult {
  const { text } = words;
  const again = async () => {
    if (sale.state.busy) return;
    await regain(sale, words);
    refocus('[role=timer]', '.basket');
  };
  return html`<section class="notice lost" part="notice" aria-label=${text('lost.title')}>
    <b>${text('lost.title')}</b>
    <div class="actions">
      <button class="primary" part="button primary" aria-disabled=${sale.state.busy !== null} @click=${again}>${text('lost.again')}</button>
      <button part="button" @click=${() => sale.forgetLost()}>${text('lost.no')}</button>
    </div>
  </section>`;
}

function boughtNote({ event, hall, words }: PanelView, { items, leftOut }: Bought): TemplateResult {
  const { text } = words;
  const price = (amount: number) => words.money(amount, event.currency);
  return html`<section class="notice bought" part="notice" aria-label=${text('bought.label')}>
    <p><b>${text('bought.title')}</b> ${text('bought.yours', { count: items.length })}</p>
    <ul>
      ${items.map(
        ({ label, unitPrice, quantity = 1 }) =>
          html`<li><span>${quantity > 1 ? text('bought.item', { place: labelName(words, hall, label), quantity }) : labelName(words, hall, label)}</span><b>${price(unitPrice * quantity)}</b></li>`,
      )}
      <li><span>${text('bought.total')}</span><b>${price(totalHeld(items))}</b></li>
    </ul>
    ${leftOut.length > 0 ? html`<p>${leftOutText(words, leftOut)}</p>` : nothing}
  </section>`;
}
