/**
 * The refusal of a call that got no answer before its deadline, in words that are true: the call was carried out, or it
 * was not. `retryable` stands only where a repetition does no harm. Elsewhere `outcome: "unknown"` stands, and the
 * message says where the caller sees whether the call was carried out.
 */
import { type Refusal, refuse } from '../protocol/errors.ts';

/**
 * - `harmless`: a repetition has no second effect. The call reads, ends an object that it names, or has a name by which
 *   the first call is found again: a hold id, a booking reference, an event id.
 * - `lookAt`: a sentence that says where the effect of the first call shows.
 */
export type Repeat = 'harmless' | { readonly lookAt: string };

/** `silent` is the part of the server that did not answer, as the subject of a sentence. */
export function unheard(
  code: 'shard_unavailable' | 'catalog_unavailable',
  silent: string,
  repeat: Repeat,
): { ok: false; refusal: Refusal } {
  if (repeat === 'harmless') return refuse(code, `${silent} did not answer in time. Try again.`, { retryable: true });
  const message = `${silent} did not answer in time. The call may have been carried out. ${repeat.lookAt}`;
  return refuse(code, message, { outcome: 'unknown' });
}
