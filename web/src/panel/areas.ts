/** Areas can be chosen here as well as on the map, where a standing place has no dot to hit. */
import { html, nothing, type TemplateResult } from 'lit-html';
import { stepper } from '../basket/stepper.ts';
import { sayTotal } from '../basket/totals.ts';
import { entranceText, tellsApart } from '../messages/places.ts';
import type { Area } from '../rules/hall.ts';
import { ofArea } from '../rules/selection.ts';
import { type Standing, standingOfArea } from '../rules/supply.ts';
import { isAwaited, isShut } from '../rules/waiting.ts';
import { standingKeys } from '../telling.ts';
import type { PanelView } from './panel-view.ts';

export function areas(view: PanelView): TemplateResult | typeof nothing {
  const { hall, words } = view;
  if (hall.areas.length === 0) return nothing;
  return html`<section class="areas" part="areas" aria-label=${words.text('panel.areas')}>
    ${hall.areas.map((each) => areaCard(view, each))}
  </section>`;
}

export function areaCard(view: PanelView, area: Area): TemplateResult {
  const { sale, hall, offers, statuses, words, waiting } = view;
  const { id, label, name } = area;
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
  const entrance = entranceText(words, area);
  const standing = left > 0 || value > 0 ? 'free' : standingOfArea(hall, offers, statuses, area);
  const told = [
    ...tellsApart(hall, area),
    ...(entrance === null ? [] : [entrance]),
    standingText(view, standing, left),
  ];
  const isShown = value > 0 || (standing !== 'not_for_sale' && !isShut(waiting));
  return html`<div class="area" part="area">
    <span><b>${name}</b><br />${told.join(' · ')}</span>
    ${isShown ? stepper(words, name, { value, max: Math.max(open, value), isDisabled: sale.isFixed, change }) : nothing}
  </div>`;
}

/** Nothing invites to a closed sale: the places that are free are not counted. */
function standingText({ waiting, words: { text } }: PanelView, standing: Standing, left: number): string {
  if (isShut(waiting)) return text(isAwaited(waiting) ? 'status.notYet' : 'status.notNow');
  return standing === 'free' ? text('panel.areaFree', { count: left }) : text(standingKeys[standing]);
}
