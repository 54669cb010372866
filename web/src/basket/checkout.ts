/** The foot of the panel, always in sight: the time left, the total, and the next step. */
import { html, nothing, type TemplateResult } from 'lit-html';
import { placesText } from '../messages/places.ts';
import { namedFeesText } from '../messages/prices.ts';
import type { PanelView } from '../panel/panel-view.ts';
import { extendsLeft, mayExtendSoon } from '../rules/hold.ts';
import type { Cost } from '../rules/prices.ts';
import * as choose from '../rules/selection.ts';
import { isShut } from '../rules/waiting.ts';
import { feesOfSale } from '../sale/total.ts';
import { costShown } from './totals.ts';

const RUNNING_OUT_MS = 60_000;

export function checkout(view: PanelView): TemplateResult | typeof nothing {
  const { selection, hold, held } = view.sale.state;
  if (selection.size === 0 && !hold) return nothing;
  const isChanged = !choose.sameSelection(selection, held);
  return html`<footer class="checkout" part="checkout">
    ${hold ? countdown(view, hold.expiresAt - view.now) : nothing} ${totals(view, isChanged)}
    ${hold ? heldActions(view, isChanged) : openActions(view)}
  </footer>`;
}

function countdown({ words, sale }: PanelView, remaining: number): TemplateResult {
  const told = words.text(sale.state.busy === 'resume' ? 'hold.looking' : 'hold.yours');
  return html`<div class="countdown ${remaining < RUNNING_OUT_MS ? 'short' : ''}" part="countdown" role="timer" tabindex="-1">
    <span>${told}</span><b>${words.clock(remaining)}</b>
  </div>`;
}

type TotalCost = Pick<Cost, 'total' | 'fees'>;

/** The cost of the hold with its fees, and beside it the cost with the pending selection. */
function totals(view: PanelView, isChanged: boolean): TemplateResult {
  const { performances, sale, event, words } = view;
  const { length: count } = performances;
  const { selection, hold, held } = sale.state;
  const line = (key: 'basket.held' | 'basket.afterChange' | null, of: choose.Selection, cost: TotalCost) => {
    const guests = placesText(words, choose.guestsIn(of));
    const places = count === 0 ? guests : words.text('basket.placesForAll', { places: guests, count });
    const told = key === null ? places : words.text(key, { places });
    return html`<p class="total" part="total"><span>${told}</span><b>${words.money(cost.total, event)}</b></p>${feesOf(cost)}`;
  };
  const feesOf = ({ fees }: TotalCost) => {
    const told = namedFeesText(words, { ...fees, allIn: true }, event);
    return told === null ? nothing : html`<p class="fees" part="fees">${told}</p>`;
  };
  const shown = { total: costShown(view), fees: feesOfSale(view, sale.state) };
  if (!hold) return line(null, selection, shown);
  return html`${line(isChanged ? 'basket.held' : null, held, { total: choose.totalHeld(hold.items), fees: choose.feesHeld(hold.items) })}
  ${isChanged && selection.size > 0 ? line('basket.afterChange', selection, shown) : nothing}`;
}

function openActions(view: PanelView): TemplateResult {
  const { sale, waiting, words, refocus } = view;
  const { text } = words;
  const { busy, selection } = sale.state;
  const isOff = busy !== null || isShut(waiting);
  const clear = () => {
    if (isOff) return;
    sale.choice.clear();
    refocus('[data-action=undo]', '.basket');
  };
  return html`<div class="actions">
    ${holdButton(view, busy === 'hold' ? text('hold.holding') : text('hold.do', { count: choose.thingsIn(selection) }), true)}
    <button part="button" data-action="clear" aria-disabled=${isOff} @click=${clear}>${text('hold.clear')}</button>
  </div>`;
}

function holdButton(view: PanelView, name: string, isPrimary: boolean): TemplateResult {
  const isOff = view.sale.state.busy !== null || isShut(view.waiting);
  return html`<button class=${isPrimary ? 'primary' : ''} part="button ${isPrimary ? 'primary' : ''}" data-action="hold" aria-disabled=${isOff} @click=${() => isOff || act(view, 'hold')}>${name}</button>`;
}

function heldActions(view: PanelView, isChanged: boolean): TemplateResult {
  const { sale, now, words, goOn } = view;
  const { text } = words;
  const { busy, selection } = sale.state;
  const hold = sale.state.hold!;
  const waits = busy !== null;
  const left = extendsLeft(hold);
  const button = (action: Action, name: string, isOff = false) =>
    html`<button part="button" data-action=${action} aria-disabled=${isOff || waits} @click=${() => isOff || act(view, action)}>${name}</button>`;
  return html`<div class="actions">
    ${
      isChanged && selection.size > 0
        ? holdButton(view, text('hold.change'), true)
        : html`<slot name="continue"><button class="primary" part="button primary" data-action="continue" aria-disabled=${isChanged || waits} @click=${() => isChanged || waits || goOn()}>${text('hold.continue')}</button></slot>`
    }
    ${mayExtendSoon(hold.expiresAt - now) ? button('extend', left === 0 ? text('hold.extendNone') : text('hold.extend', { left }), left === 0) : nothing}
    ${sale.isFixed ? button('change', text('hold.changePlaces')) : nothing} ${button('release', text('hold.release'))}
  </div>`;
}

type Action = 'hold' | 'extend' | 'change' | 'release';

/**
 * While a call is on its way the pressed button keeps the focus: ARIA alone tells that it waits. The button may be gone
 * afterwards: the focus then goes to the next step.
 */
async function act({ sale, refocus }: PanelView, action: Action): Promise<void> {
  if (sale.state.busy) return;
  await sale[action]();
  refocus(`[data-action=${action}]`, '[role=timer]', '.basket');
}
