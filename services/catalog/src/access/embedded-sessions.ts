/**
 * What sessions that are embedded in pages have in common: how a token finds one, and how one ends. A token is told once and kept as
 * SHA-256; what ends one is announced by that hash, so that every front door asks anew (I5: ending again is harmless, and announced again).
 *
 * Failure at each await of an end: the store fails → the caller hears of an error, and repeats; the announcement is lost with this
 * catalog → front doors hear of the end when what they keep of the token has grown old (`principalCacheMs`).
 */
import type { Principal } from '@parterre/shared/catalog/scope';
import { Fault, type Outcome, refuse } from '@parterre/shared/errors';
import { isDisabled } from '../accounts/rules/workspace-state.ts';
import { embeddedSessions, events, organisations, replacedTokens } from '../store/collections.ts';
import { change, type Ports } from '../store/operations.ts';
import { changeAttemptsMax, sessionsEndedAtOnce } from '../store/rules/bounds.ts';
import type { EmbeddedSessionRecord } from '../store/rules/records.ts';
import { findOne, type Store, type Stored } from '../store/store.ts';
import { embeddedPrincipalOf, revoked } from './rules/session-states.ts';

/** Keeps a session under a fresh id, with others that come at the same time. */
export type InsertSession = (id: string, record: EmbeddedSessionRecord) => Promise<void>;

const BEHIND_ALL_IDS = '~';

/** Whose a token is, or was: also when it is over. Null where it is not known any more. */
export async function embeddedPrincipal(store: Store, hash: string, now: number): Promise<Principal | null> {
  const session = await findOne(store, embeddedSessions, 'byHash', [hash]);
  if (!session) return replacedPrincipal(store, hash);
  const principal = embeddedPrincipalOf(session.id, session.value);
  if (principal.revokedAt !== null || principal.expiresAt <= now) return principal;
  return (await standsForNothing(store, session.value)) ? { ...principal, revokedAt: now } : principal;
}

async function replacedPrincipal(store: Store, hash: string): Promise<Principal | null> {
  const replaced = await store.get(replacedTokens, hash);
  if (!replaced) return null;
  const { sessionId, revokedAt, expiresAt } = replaced.value;
  const session = await store.get(embeddedSessions, sessionId);
  return session && { ...embeddedPrincipalOf(sessionId, session.value), revokedAt, expiresAt };
}

/** Its event was deleted, or its workspace is disabled: buyers go on with what is on sale, consoles and designers do not. */
async function standsForNothing(store: Store, session: EmbeddedSessionRecord): Promise<boolean> {
  if (session.kind !== 'designer') {
    const event = await store.get(events, session.eventKey);
    if (!event || event.value.gone) return true;
  }
  if (session.kind === 'buyer') return false;
  const organisation = await store.get(organisations, session.organisationId);
  return !organisation || isDisabled(organisation.value, session.workspaceId);
}

export function sessionUnknown(): Outcome<never> {
  return refuse('not_found', 'There is no such session.');
}

/** Ends a session that `isMeant`; any other is as one that is not there. */
export async function endSession(
  { store, clock, announce }: Ports,
  sessionId: string,
  isMeant: (session: EmbeddedSessionRecord) => boolean,
): Promise<Outcome<Stored<EmbeddedSessionRecord>>> {
  const ended = await change(store, embeddedSessions, sessionId, sessionUnknown, (session) =>
    isMeant(session) ? { ok: true, value: revoked(session, clock.now()) } : sessionUnknown(),
  );
  if (ended.ok) announce({ kind: 'key', hash: ended.value.value.hash });
  return ended;
}

/**
 * Gives every session that rests on `ground` and stands what `after` makes of it, which must not rest on it any more. Resolves with how
 * many of them have ended.
 */
export async function endAll(
  { store, clock, announce }: Ports,
  ground: string,
  after: (session: EmbeddedSessionRecord) => EmbeddedSessionRecord,
): Promise<number> {
  let ended = 0;
  for (let vain = 0; vain < changeAttemptsMax; vain++) {
    const { documents } = await store.page(embeddedSessions, {
      index: 'byGround',
      equal: [ground],
      after: { order: clock.now(), id: BEHIND_ALL_IDS },
      limit: sessionsEndedAtOnce,
    });
    if (documents.length === 0) return ended;
    const next = documents.map(({ value }) => after(value));
    const written = await store.writeMany(
      documents.map(({ id, version }, at) => ({ collection: embeddedSessions, id, version, value: next[at]! })),
    );
    for (const [at, how] of written.entries()) {
      // Renewed or revoked meanwhile: looked at again.
      if (how !== 'replaced') continue;
      announce({ kind: 'key', hash: next[at]!.hash });
      if (next[at]!.revokedAt !== null) ended++;
      vain = 0;
    }
  }
  throw new Fault(`end the sessions of ${ground}: they keep changing`);
}
