/** Areas can be chosen here as well as on the map, where a standing place has no dot to hit. */
import { html, nothing, type TemplateResult } from 'lit-html';
import { stepper } from '../basket/stepper.ts';
import { sayTotal } from '../basket/totals.ts';
import type { Area } from '../rules/hall.ts';
import { ofArea } from '../rules/selection.ts';
import type { PanelView } from './panel-view.ts';

export function areas(view: PanelView): TemplateResult | typeof nothing {
  const { hall, words } = view;
  if (hall.areas.length === 0) return nothing;
  return html`<section class="areas" part="areas" aria-label=${words.text('panel.areas')}>
    ${hall.areas.map((each) => areaCard(view, each))}
  </section>`;
}

export function areaCard(view: PanelView, { id, label, name }: Area): TemplateResult {
  const { sale, statuses, words } = view;
  const { text } = words;
  const free = statuses.freeInArea.get(id) ?? 0;
  const chosen = () => ofArea(sale.state.selection, id)?.quantity ?? 0;
  const value = chosen();
  const open = sale.choice.openIn(id, label);
  // Places of the hold that the buyer has given up are free for this buyer alone.
  const left = Math.max(free, open - value);
  const change = (by: 1 | -1) => {
    sale.choice.setArea(id, chosen() + by);
    sayTotal(view);
  };
  return html`<div class="area" part="area">
    <span><b>${name}</b><br />${left > 0 || value > 0 ? text('panel.areaFree', { count: left }) : text('map.soldOut')}</span>
    ${stepper(words, name, { value, max: Math.max(open, value), isDisabled: sale.isFixed, change })}
  </div>`;
}
