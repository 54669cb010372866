/** The words for who has done something. Pure. */
import type { Words } from '../messages/words.ts';
import type { Doer } from '../session/session.ts';

/** `actor` is the id of a user, a key or a session; null for a buyer and for the event itself. */
export function personOf({ text }: Words, who: Doer, source: string, actor: string | null): string {
  if (actor === who.user.id) return text('bookings.by.you', { email: who.user.email });
  if (source === 'timer') return text('bookings.by.timer');
  if (source === 'buyer') return text('bookings.by.buyer');
  return text(source === 'operator' ? 'bookings.by.operator' : 'bookings.by.server', { id: actor ?? '' });
}
