/** Refusals of sales in the words of the counter. Pure. */
import type { ActState } from '../frame/act.ts';
import { toldOf } from '../frame/refusals.ts';
import type { PlainKey, Words } from '../messages/words.ts';

/** By reason, else by code. */
const sentences: Readonly<Record<string, PlainKey>> = {
  event_closed: 'counter.refused.closed',
  hold_not_found: 'counter.refused.hold',
  hold_expired: 'counter.refused.hold',
  hold_released: 'counter.refused.hold',
  hold_booked: 'counter.refused.booked',
  not_active: 'counter.refused.hold',
  expired: 'counter.refused.hold',
  extend_limit: 'counter.refused.extend',
  companion_pair_required: 'counter.refused.companion',
  channel_access_denied: 'counter.refused.channel',
  buyer_limit: 'counter.refused.limit',
  sold_out: 'counter.refused.soldOut',
  not_enough_together: 'counter.refused.together',
  held_over_events: 'counter.refused.overEvents',
  not_owned_by_booking_ref: 'counter.refused.owner',
  already_listed: 'counter.refused.listed',
  resale_in_checkout: 'counter.refused.checkout',
  exchange_pending: 'counter.refused.pending',
  booking_not_found: 'counter.refused.booking',
  incompatible_events: 'counter.refused.incompatible',
  not_platform_owned: 'counter.refused.managed',
};

export function saleTold(state: ActState, words: Words): string {
  if (state.kind !== 'refused') return toldOf(state, words);
  const { code, reason, conflicts = [], labels = [] } = state.problem;
  const key = sentences[reason ?? code] ?? sentences[code];
  if (key === undefined) return toldOf(state, words);
  const places = conflicts.length > 0 ? conflicts.map(({ name, label }) => name ?? label) : labels;
  const named = places.length === 0 ? '' : ` ${words.text('refused.places', { places: words.list(places) })}`;
  return `${words.text(key)}${named}`;
}

/** The labels that a refusal names. */
export function refusedLabels(state: ActState): readonly string[] {
  if (state.kind !== 'refused') return [];
  const { conflicts = [], labels = [] } = state.problem;
  return conflicts.length > 0 ? conflicts.map(({ label }) => label) : labels;
}
