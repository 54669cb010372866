/**
 * The common part of embedded sessions: how a token finds its session, and how a session ends. A token is shown once
 * and stored as SHA-256. An end is announced by this hash, so that every front door asks again (I5: ending twice is
 * harmless, and announced again).
 *
 * Failure at each await of an end: the store fails → the caller gets an error and repeats; this catalog dies before the
 * announcement → front doors learn of the end when their cached principal expires (`principalCacheMs`).
 *
 * The end of a buyer's access to channels also counts in its event (`accessEpoch`), after the session has ended or lost
 * channels: the event's addresses of statuses for channels change. The end of a link or channel counts even if it ends
 * no session, since expired sessions know addresses too. So the caller that repeats a failed end counts it. If this
 * catalog dies before it has counted the other sessions of `endAll`, or a renewal, the addresses stay until the next
 * such end. They show statuses and nothing else.
 */
import type { Principal } from '@parterre/shared/protocol/catalog/scope';
import { done, Fault, type Outcome, refuse } from '@parterre/shared/protocol/errors';
import { embeddedSessions, events, organisations, replacedTokens } from '../store/collections.ts';
import { change, type Ports } from '../store/operations.ts';
import { changeAttemptsMax, sessionsEndedAtOnce } from '../store/rules/bounds.ts';
import type { EmbeddedSessionRecord } from '../store/rules/records.ts';
import { findOne, type Store, type Stored } from '../store/store.ts';
import { isDisabled } from '../tenants/rules/workspace-state.ts';
import { embeddedPrincipalOf, revoked } from './rules/session-states.ts';

/** Stores a session under a fresh id, together with others that come at the same time. */
export type InsertSession = (id: string, record: EmbeddedSessionRecord) => Promise<void>;

export const BEHIND_ALL_IDS = '~';

/** The session of a token, also after its end. Null where the token is unknown or swept. */
export async function embeddedPrincipal(store: Store, hash: string, now: number): Promise<Principal | null> {
  const session = await findOne(store, embeddedSessions, 'byHash', [hash]);
  if (!session) return replacedPrincipal(store, hash);
  const principal = embeddedPrincipalOf(session.id, session.value);
  if (principal.revokedAt !== null || principal.expiresAt <= now) return principal;
  return (await hasLostGround(store, session.value)) ? { ...principal, revokedAt: now } : principal;
}

async function replacedPrincipal(store: Store, hash: string): Promise<Principal | null> {
  const replaced = await store.get(replacedTokens, hash);
  if (!replaced) return null;
  const { sessionId, revokedAt, expiresAt } = replaced.value;
  const session = await store.get(embeddedSessions, sessionId);
  return session && { ...embeddedPrincipalOf(sessionId, session.value), revokedAt, expiresAt };
}

/**
 * Whether a session has lost its ground: its event was deleted, or its workspace is disabled. Buyers go on with what is
 * on sale; consoles and designers do not.
 */
async function hasLostGround(store: Store, session: EmbeddedSessionRecord): Promise<boolean> {
  // The events of a group or season outlive its sessions: a locked event is not deleted.
  if (session.kind === 'owner-buyer') return false;
  if (session.kind !== 'designer') {
    const event = await store.get(events, session.eventKey);
    if (!event || event.value.gone) return true;
  }
  if (session.kind === 'buyer') return false;
  const organisation = await store.get(organisations, session.organisationId);
  return !organisation || isDisabled(organisation.value, session.workspaceId);
}

export function sessionUnknown(): Outcome<never> {
  return refuse('not_found', 'There is no such session. Check its id.');
}

/** Ends a session for which `isMeant` holds. Any other session counts as missing. */
export async function endSession(
  ports: Ports,
  sessionId: string,
  isMeant: (session: EmbeddedSessionRecord) => boolean,
): Promise<Outcome<Stored<EmbeddedSessionRecord>>> {
  const ended = await change(ports.store, embeddedSessions, sessionId, sessionUnknown, (session) =>
    isMeant(session) ? done(revoked(session, ports.clock.now())) : sessionUnknown(),
  );
  if (!ended.ok) return ended;
  const { value } = ended.value;
  ports.announce({ kind: 'key', hash: value.hash });
  const eventKey = channelEventOf(value);
  if (eventKey !== null) await countRevocation(ports, eventKey);
  return ended;
}

/** The event to whose channels this ended session gave access. */
function channelEventOf(session: EmbeddedSessionRecord): string | null {
  const hadChannels = session.kind === 'buyer' && session.revokedAt !== null && session.channelIds.length > 0;
  return hadChannels ? session.eventKey : null;
}

/** Changes the addresses at which the statuses of the event's channels are read. */
export async function countRevocation({ store, announce }: Ports, eventKey: string): Promise<void> {
  const counted = await change(store, events, eventKey, sessionUnknown, (event) =>
    done({ ...event, accessEpoch: (event.accessEpoch ?? 0) + 1 }),
  );
  if (counted.ok) announce({ kind: 'event', eventKey });
  else if (counted.refusal.code !== 'not_found')
    throw new Fault(`count a revocation of ${eventKey}: it keeps changing`);
}

/** The live sessions on `ground`, the next to expire first. */
export async function liveSessions(
  store: Store,
  ground: string,
  now: number,
  limit: number,
): Promise<Stored<EmbeddedSessionRecord>[]> {
  const after = { order: now, id: BEHIND_ALL_IDS };
  return (await store.page(embeddedSessions, { index: 'byGround', equal: [ground], after, limit })).documents;
}

/**
 * Replaces every live session on `ground` by the result of `after`, which must no longer rest on it. Counts a
 * revocation in the events to whose channels a session has ended, and in `alsoCounted`. Resolves with the number of
 * ended sessions.
 */
export async function endAll(
  ports: Ports,
  ground: string,
  after: (session: EmbeddedSessionRecord) => EmbeddedSessionRecord,
  alsoCounted: readonly string[] = [],
): Promise<number> {
  const { store, clock, announce } = ports;
  const eventKeys = new Set(alsoCounted);
  let ended = 0;
  for (let vain = 0; vain < changeAttemptsMax; vain++) {
    const documents = await liveSessions(store, ground, clock.now(), sessionsEndedAtOnce);
    if (documents.length === 0) {
      for (const eventKey of eventKeys) await countRevocation(ports, eventKey);
      return ended;
    }
    const next = documents.map(({ value }) => after(value));
    const written = await store.writeMany(
      documents.map(({ id, version }, at) => ({ collection: embeddedSessions, id, version, value: next[at]! })),
    );
    for (const [at, how] of written.entries()) {
      // A session that was renewed or revoked meanwhile is read again.
      if (how !== 'replaced') continue;
      announce({ kind: 'key', hash: next[at]!.hash });
      if (next[at]!.revokedAt !== null) ended++;
      const eventKey = channelEventOf(next[at]!);
      if (eventKey !== null) eventKeys.add(eventKey);
      vain = 0;
    }
  }
  throw new Fault(`end the sessions of ${ground}: they keep changing`);
}
