/** Ends dashboard sessions of a user, and announces their ends to the caches. */
import { sessions } from '../store/collections.ts';
import type { Ports } from '../store/operations.ts';

const SESSIONS_AT_ONCE = 100;

/** The oldest end first, until `left` remain. */
export async function endSessions({ store, announce }: Ports, userId: string, left: number): Promise<void> {
  for (;;) {
    const limit = left + SESSIONS_AT_ONCE;
    const { documents } = await store.page(sessions, { index: 'byUser', equal: [userId], limit });
    const ended = documents.slice(0, Math.max(0, documents.length - left));
    await store.deleteMany(sessions, ended);
    for (const { id: hash } of ended) announce({ kind: 'key', hash });
    if (documents.length < limit) return;
  }
}
