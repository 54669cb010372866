/** Ends dashboard sessions of a user, and announces their ends to the caches. */
import { sessions } from '../store/collections.ts';
import type { Ports } from '../store/operations.ts';

const SESSIONS_AT_ONCE = 100;

/** The oldest end first, until `left` remain beside the session `keepHash`. Resolves with the number of ended ones. */
export async function endSessions(
  { store, announce }: Ports,
  userId: string,
  left: number,
  keepHash: string | null = null,
): Promise<number> {
  const remaining = left + (keepHash === null ? 0 : 1);
  for (let count = 0; ; ) {
    const limit = remaining + SESSIONS_AT_ONCE;
    const { documents } = await store.page(sessions, { index: 'byUser', equal: [userId], limit });
    const others = documents.filter(({ id }) => id !== keepHash);
    const ended = others.slice(0, Math.max(0, others.length - left));
    await store.deleteMany(sessions, ended);
    for (const { id: hash } of ended) announce({ kind: 'key', hash });
    count += ended.length;
    if (documents.length < limit) return count;
  }
}
