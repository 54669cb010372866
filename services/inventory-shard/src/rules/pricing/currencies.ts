/**
 * The former currencies of an event. The currency may change while no unit is held and no unit was ever booked. Callers
 * may ask about ended holds for a day, and such a hold shows its amounts in the currency of its time. The currency
 * follows from the hold's slot, since slots are handed out in order.
 */
import { type EventState, formerCurrenciesKept, type Hold, type ReadState } from '../state/state.ts';

export function currencyOf({ formerCurrencies, config }: ReadState, { slot }: Readonly<Hold>): string {
  return formerCurrencies.find(({ slotsBelow }) => slot < slotsBelow)?.currency ?? config.currency;
}

/**
 * For folds. Builds a new list, since snapshots share the old one. Past `formerCurrenciesKept` entries the
 * oldest are forgotten.
 */
export function changeCurrency(state: EventState, currency: string): void {
  const { config, formerCurrencies, nextSlot } = state;
  if (currency === config.currency) return;
  state.config = { ...config, currency };
  const wasUsed = nextSlot > (formerCurrencies.at(-1)?.slotsBelow ?? 1);
  if (!wasUsed) return;
  const former = { currency: config.currency, slotsBelow: nextSlot };
  state.formerCurrencies = [...formerCurrencies, former].slice(-formerCurrenciesKept);
}
