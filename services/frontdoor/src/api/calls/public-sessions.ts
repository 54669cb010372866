/**
 * Sessions of public sale. Pages that open an event with one key from one origin, while an earlier question to the
 * catalog is under way or has just been answered, share the next question: the pages of an on-sale come thousands a
 * second, and a question costs several times as much as all else of an opening. A page that comes alone waits for
 * nobody. The sessions of a question stand all or none, and each page gets one of them.
 *
 * The front door knows the sessions of an answer as if it had looked them up, so the first call of a page asks the
 * catalog nothing (caches/credential-cache.ts).
 *
 * The one await is the catalog's answer. A refusal, or no answer, is the outcome of all pages of the question. Each
 * page waits until its own deadline. A session whose page has left is used by nobody, and ends by itself.
 */
import type { CatalogInput } from '@parterre/shared/protocol/catalog-api';
import { done, type Outcome } from '@parterre/shared/protocol/errors';
import type { CatalogClient } from '@parterre/shared/runtime/catalog-client';
import { type Clock, pause } from '@parterre/shared/runtime/clock';
import { createGathering } from '@parterre/shared/runtime/gathering';
import type { Principals } from '../../admission/admission.ts';

type PublicSale = Omit<CatalogInput<'buyer-sessions.open-public'>, 'count'>;

export type PublicSession = { token: string; expiresAt: number };

export type OpenPublicSession = (sale: PublicSale) => Promise<Outcome<PublicSession>>;

/** The most that a page waits for others. */
const REST_MS = 10;
/** The answer to one question has its tokens, 44 bytes each. */
const SESSIONS_PER_QUESTION = 1_000;

export function createPublicSessions(
  catalog: CatalogClient,
  clock: Clock,
  { minting }: Pick<Principals, 'minting'>,
): OpenPublicSession {
  const open = async (_key: string, sales: PublicSale[]) => {
    const sessions: Outcome<PublicSession>[] = [];
    while (sessions.length < sales.length) {
      const count = Math.min(SESSIONS_PER_QUESTION, sales.length - sessions.length);
      const keep = minting();
      const opened = await catalog('buyer-sessions.open-public', { ...sales[0]!, count });
      if (opened.ok) {
        const { session, token, tokens = [token], sessionIds = [session.sessionId] } = opened.value;
        const { expiresAt } = session;
        for (const [nth, sessionId] of sessionIds.entries()) keep(tokens[nth]!, { ...session, sessionId });
        sessions.push(...tokens.map((each) => done({ token: each, expiresAt })));
      } else {
        for (let nth = 0; nth < count; nth++) sessions.push(opened);
      }
    }
    return sessions;
  };
  const gathered = createGathering(open, () => pause(clock, REST_MS));
  return (sale) => gathered(JSON.stringify(sale), sale);
}
