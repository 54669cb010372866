/** News above the panel: why nothing is sold, refusals, a purchase, the way back to lost places. */
import { html, nothing, type TemplateResult } from 'lit-html';
import { itemName, labelName, leftOutText } from '../messages/places.ts';
import { ruleText } from '../messages/problems.ts';
import { totalHeld } from '../rules/selection.ts';
import { countdownTo, isShut, type SalePause } from '../rules/waiting.ts';
import { regain } from '../sale/regain.ts';
import type { Bought } from '../sale/sale-state.ts';
import type { PanelView } from './panel-view.ts';

const closings = new Set([
  'journal_lost_records',
  'event_closed',
  'channel_paused',
  'sales_not_started',
  'sales_ended',
]);

export function banners(view: PanelView): TemplateResult {
  const { notice, bought, lost, hold } = view.sale.state;
  const { waiting } = view;
  // A refusal for the reason that stands above it would say the same once more.
  const isSaid = isShut(waiting) && closings.has(notice?.code ?? '');
  return html`<div class="banners">
    ${waiting && !bought && (!hold || waiting.reason === 'stale') ? waitingBanner(view) : nothing}
    ${notice && !isSaid ? html`<p class="notice ${notice.kind}" part="notice">${notice.text}</p>` : nothing}
    ${rules(view)} ${lost && !hold ? wayBack(view) : nothing} ${bought ? boughtNote(view, bought) : nothing}
  </div>`;
}

/**
 * The event's rules that the choice breaks so far, in sight on a phone too. The server decides: its refusal stands
 * alone, until the choice is changed.
 */
function rules({ hall, sale, broken, words }: PanelView): TemplateResult | typeof nothing {
  if (broken.length === 0 || toldRules.has(sale.state.notice?.code ?? '')) return nothing;
  const nameOf = (label: string) => labelName(words, hall, label);
  return html`<div role="status"><ul class="rules" part="rules">${broken.map((each) => html`<li>${ruleText(words, each, nameOf)}</li>`)}</ul></div>`;
}

const toldRules = new Set(['selection_rules_broken', 'companion_pair_required']);

/** Where a time is known, it takes the place of the hint. */
const opening: Partial<Record<SalePause['reason'], 'waiting.begins' | 'waiting.opens' | 'waiting.more'>> = {
  not_started: 'waiting.begins',
  presale: 'waiting.opens',
  sold_out: 'waiting.more',
};

function waitingBanner({ words, waiting, event, now }: PanelView): TemplateResult {
  const { text, date } = words;
  const { reason, opensAt } = waiting!;
  const when = opensAt === null ? null : date(opensAt, event.timezone, 'full', true);
  const key = opening[reason];
  const left = countdownTo(waiting, now);
  return html`<section class="notice waiting ${reason}" part="notice" aria-label=${text(`waiting.${reason}`)}>
    <b>${text(`waiting.${reason}`)}</b>
    <p>${when === null || !key ? text(`waiting.${reason}.hint`) : text(key, { when })}</p>
    ${left === null ? nothing : html`<p class="countdown" role="timer"><span>${text('waiting.in')}</span> <b>${words.clock(left)}</b></p>`}
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
  const price = (amount: number) => words.money(amount, event);
  return html`<section class="notice bought" part="notice" aria-label=${text('bought.label')}>
    <p><b>${text('bought.title')}</b> ${text('bought.yours', { count: items.length })}</p>
    <ul>
      ${items.map(
        (item) => html`<li><span>${itemName(words, hall, item)}</span><b>${price(totalHeld([item]))}</b></li>`,
      )}
      <li><span>${text('bought.total')}</span><b>${price(totalHeld(items))}</b></li>
    </ul>
    ${
      leftOut.length > 0
        ? html`<p>${leftOutText(
            words,
            leftOut.map((label) => labelName(words, hall, label)),
          )}</p>`
        : nothing
    }
  </section>`;
}
