/** What a refused or unanswered call tells the person: a sentence, then the places. Pure. */
import type { PlainKey, Words } from '../messages/words.ts';
import type { ActState } from './act.ts';

const sentences: Readonly<Record<string, PlainKey>> = {
  forbidden: 'refused.forbidden',
  not_found: 'refused.not_found',
  rate_limited: 'refused.rate_limited',
  idempotency_in_progress: 'refused.in_progress',
};

const PLACES_NAMED_MAX = 12;

/** Empty where there is nothing to tell. A code without a sentence of ours is told in the server's own words. */
export function toldOf(state: ActState, { text, list }: Words): string {
  if (state.kind === 'unknown') return text('refused.unknown');
  if (state.kind !== 'refused') return '';
  const { code, message, conflicts = [], labels = [] } = state.problem;
  const known = conflicts.length > 0 ? 'refused.conflict' : sentences[code];
  const sentence = known ? text(known) : (message ?? text('refused.other', { code }));
  const places = conflicts.length > 0 ? conflicts.map(({ name, label }) => name ?? label) : labels;
  if (places.length === 0) return sentence;
  const named = places.slice(0, PLACES_NAMED_MAX);
  const more = places.length - named.length;
  return `${sentence} ${text('refused.places', { places: list(named) })}${more > 0 ? ` ${text('refused.more', { count: more })}` : ''}`;
}
