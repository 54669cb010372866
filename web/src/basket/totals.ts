/** The cost of the selection, as its rows show it. */
import { placesText } from '../messages/places.ts';
import type { PanelView } from '../panel/panel-view.ts';
import * as choose from '../rules/selection.ts';
import { costOfSale } from '../sale/total.ts';

export function costShown(view: PanelView): number {
  return costOfSale(view, view.sale.state);
}

export function sayTotal(view: PanelView): void {
  const { words, event, sale, say } = view;
  const total = words.money(costShown(view), event);
  say(words.text('basket.total', { places: placesText(words, choose.guestsIn(sale.state.selection)), total }));
}
