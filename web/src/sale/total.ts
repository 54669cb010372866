/** The cost of a selection and of each of its rows, and the total that a hold is held to. */
import { noFees, type PriceFees } from '@parterre/shared/protocol/money';
import { bareOffers, type Cost, summedFees } from '../rules/prices.ts';
import { type ChosenPlace, costOf, costsBy, heldOf, notHeld, totalHeld } from '../rules/selection.ts';
import type { House } from './house.ts';
import type { SaleState } from './sale-state.ts';

/**
 * The cost of the selection with its fees, as the buyer sees it; null before the prices are read. Prices are whole, but
 * the places of a group may share one in parts.
 */
export function totalOf({ hall, offers }: Pick<House, 'hall' | 'offers'>, state: SaleState): number | null {
  return offers.includes(bareOffers) ? null : Math.round(costOfSale({ hall, offers }, state));
}

/** The cost of the selection, as its rows show it. */
export function costOfSale({ hall, offers }: Pick<House, 'hall' | 'offers'>, state: SaleState): number {
  const { selection, held, hold, quote } = state;
  return quote ? totalHeld(quote) : costOf(hall, offers, selection, held, hold?.items ?? []);
}

/** The hold's prices for what it keeps, the server's after a change of prices, else the page's own. */
export function costsOfRows(
  { hall, offers }: Pick<House, 'hall' | 'offers'>,
  { selection, held, quote, hold }: Pick<SaleState, 'selection' | 'held' | 'quote' | 'hold'>,
): (chosen: ChosenPlace) => Cost {
  const fresh = costsBy(hall, offers, notHeld(selection, held));
  return (chosen) => {
    const told = heldOf(chosen, quote ?? []);
    if (told) return { total: told.cost, parts: [], fees: told.fees };
    const kept = heldOf(chosen, hold?.items ?? []);
    return fresh.get(chosen.label) ?? { total: kept?.cost ?? 0, parts: [], fees: kept?.fees ?? noFees };
  };
}

/** The fees of the selection, of all its rows together. */
export function feesOfSale(house: Pick<House, 'hall' | 'offers'>, state: SaleState): PriceFees {
  const costs = costsOfRows(house, state);
  return summedFees([...state.selection.values()].map((chosen) => costs(chosen).fees));
}
