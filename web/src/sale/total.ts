/** The cost of a selection, and the total that a hold is held to. */
import { bareOffers } from '../rules/prices.ts';
import { costOf, totalHeld } from '../rules/selection.ts';
import type { House } from './house.ts';
import type { SaleState } from './sale-state.ts';

/**
 * The cost of the selection as the buyer sees it; null before the prices are read. Prices are whole, but the places of a
 * group may share one in parts.
 */
export function totalOf({ hall, offers }: Pick<House, 'hall' | 'offers'>, state: SaleState): number | null {
  return offers.includes(bareOffers) ? null : Math.round(costOfSale({ hall, offers }, state));
}

/** The cost of the selection, as its rows show it. */
export function costOfSale({ hall, offers }: Pick<House, 'hall' | 'offers'>, state: SaleState): number {
  const { selection, held, hold, quote } = state;
  return quote ? totalHeld(quote) : costOf(hall, offers, selection, held, hold?.items ?? []);
}
