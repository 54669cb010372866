/** The selection, place by place: what is held, what is not held yet, and what was just removed. */
import { html, nothing, type TemplateResult } from 'lit-html';
import { repeat } from 'lit-html/directives/repeat.js';
import { labelName } from '../messages/places.ts';
import type { PanelView } from '../panel/panel-view.ts';
import * as choose from '../rules/selection.ts';
import { costsOfRows } from '../sale/total.ts';
import { type Costs, row } from './basket-row.ts';
import { sayTotal } from './totals.ts';

export function basket(view: PanelView): TemplateResult {
  const { sale, words } = view;
  const { text } = words;
  const { selection, hold, held } = sale.state;
  const chosen = [...selection.values()];
  const open = new Set(hold ? choose.notHeld(selection, held) : []);
  const isChanged = !choose.sameSelection(selection, held);
  const costs = costsOfRows(view, sale.state);
  return html`<section class="basket" part="basket" aria-label=${text('basket.label')} tabindex="-1">
    ${
      hold && isChanged
        ? html`<div class="pending" part="pending"><h3>${text('basket.pending')}</h3>${rows(view, [...open], costs)}${givenUp(view)}</div>`
        : nothing
    }
    ${rows(
      view,
      chosen.filter((each) => !open.has(each)),
      costs,
    )}
    ${undo(view)}
  </section>`;
}

function rows(view: PanelView, chosen: readonly choose.ChosenPlace[], costs: Costs): TemplateResult | typeof nothing {
  if (chosen.length === 0) return nothing;
  return html`<ul class="chosen" part="places">${repeat(
    chosen,
    ({ label }) => label,
    (each) => row(view, each, costs),
  )}</ul>`;
}

function givenUp({ words, hall, sale }: PanelView): TemplateResult | typeof nothing {
  const { selection, held } = sale.state;
  const dropped = [...held.keys()].filter((label) => !selection.has(label));
  if (dropped.length === 0) return nothing;
  const names = words.list(dropped.map((label) => labelName(words, hall, label)));
  return html`<p>${words.text('basket.givenUp', { names, count: dropped.length })}</p>`;
}

function undo(view: PanelView): TemplateResult | typeof nothing {
  const { sale, words, refocus } = view;
  const removed = sale.choice.removed();
  if (removed.length === 0) return nothing;
  const names = removed.map(({ label }) => labelName(words, view.hall, label));
  const back = () => {
    const { selection } = sale.state;
    sale.choice.undo();
    if (sale.state.selection !== selection) sayTotal(view);
    refocus('.chosen .remove', '.basket');
  };
  return html`<p class="undo" part="undo">
    <span>${words.text('basket.removed', { names: words.list(names, 2) })}</span>
    <button class="plain" part="button plain" data-action="undo" @click=${back}>${words.text('basket.undo')}</button>
  </p>`;
}
