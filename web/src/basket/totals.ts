/** The cost of the selection, as its rows show it. */
import { placesText } from '../messages/places.ts';
import type { PanelView } from '../panel/panel-view.ts';
import * as choose from '../rules/selection.ts';

export function costShown({ hall, offers, sale }: PanelView): number {
  const { selection, held, hold, quote } = sale.state;
  return quote ? choose.totalHeld(quote) : choose.costOf(hall, offers, selection, held, hold?.items ?? []);
}

export function sayTotal(view: PanelView): void {
  const { words, event, sale, say } = view;
  const total = words.money(costShown(view), event.currency);
  say(words.text('basket.total', { places: placesText(words, choose.guestsIn(sale.state.selection)), total }));
}
