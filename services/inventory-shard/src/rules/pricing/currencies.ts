/**
 * The currencies that an event had before. It may change while nothing is held and nothing was ever booked; holds that are over are
 * still asked about for a day, and are told in the currency that they were made in. Which one that was follows from their slots,
 * which are handed out in order.
 */
import { formerCurrenciesKept } from '../state/bounds.ts';
import type { EventState, Hold } from '../state/state.ts';

/** Holds with a slot below this one, and not below that of the entry before, were made in it. */
export type FormerCurrency = { currency: string; slotsBelow: number };

export function currencyOf({ formerCurrencies, config }: EventState, { slot }: Hold): string {
  return formerCurrencies.find(({ slotsBelow }) => slot < slotsBelow)?.currency ?? config.currency;
}

/** Part of the fold, in a new list: snapshots share the old one. The oldest are forgotten by number alone. */
export function changeCurrency(state: EventState, currency: string): void {
  const { config, formerCurrencies, nextSlot } = state;
  if (currency === config.currency) return;
  state.config = { ...config, currency };
  const wasUsed = nextSlot > (formerCurrencies.at(-1)?.slotsBelow ?? 1);
  if (!wasUsed) return;
  const former = { currency: config.currency, slotsBelow: nextSlot };
  state.formerCurrencies = [...formerCurrencies, former].slice(-formerCurrenciesKept);
}
