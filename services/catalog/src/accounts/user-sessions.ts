/**
 * Dashboard sessions: the login with its lock-out, and the end. A token is made here, shown once, and stored as SHA-256
 * only. Failed logins lock an email for their own network alone, so that no stranger locks a user out.
 *
 * States of a login: asked → (waiting for its turn) → under way → password checked → counted as failed and refused, or:
 * count cleared and login proven → session stored → answered. Every count is a version-checked write, so it holds over
 * all catalogs.
 *
 * Failure at each await: waiting is bounded (password-limiter.ts), past it `overloaded`; the store fails →
 * `internal_error`, and the attempt stays under way until it counts as failed; the user is deleted after the password
 * check → the session has no user and no rights (credentials.ts); the password is changed meanwhile → no session.
 */
import type { ListedSession, OpenedDashboard, SignInFrom, SignInWay } from '@parterre/shared/protocol/catalog/accounts';
import { done, type Outcome, refuse } from '@parterre/shared/protocol/errors';
import { randomText, sha256 } from '@parterre/shared/protocol/ids';
import { sessionMs } from '@parterre/shared/protocol/limits';
import { pause } from '@parterre/shared/runtime/clock';
import { loginAttempts, organisations, sessions, users } from '../store/collections.ts';
import { change, type OperationTable, type Ports } from '../store/operations.ts';
import {
  loginLookMs,
  loginLooksMax,
  loginWindowMs,
  sessionsPerUserMax,
  userAgentLengthMax,
} from '../store/rules/bounds.ts';
import type { SessionRecord, UserRecord } from '../store/rules/records.ts';
import { findOne, type Store, type Stored } from '../store/store.ts';
import { organisationUnknown } from '../tenants/tenants.ts';
import { endSessions } from './end-user-sessions.ts';
import { organisationOf } from './organisations.ts';
import type { Passwords } from './passwords.ts';
import { isProvenAt, lockedForMs, withAttempt, withEnded } from './rules/login-attempts.ts';
import { findUser, userOf, userUnknown } from './users.ts';

type SessionOperation = 'sessions.create' | 'sessions.end' | 'sessions.list' | 'sessions.end-some';

const LISTED_ID_LENGTH = 24;
/** `dss_` and 43 characters: 256 bits. */
const SESSION_PREFIX = 'dss_';
const TOKEN_LENGTH = 43;

export function createSessionOperations(ports: Ports, passwords: Passwords): OperationTable<SessionOperation> {
  const { store, clock, announce } = ports;
  return {
    async 'sessions.create'({ email, password, ...from }, deadlineAt) {
      const checked = await checkPassword(ports, passwords, { email, password, ...from }, deadlineAt);
      return checked.ok ? openSession(ports, checked.value, from, 'password') : checked;
    },

    /** Ending again is harmless, and is announced again. */
    async 'sessions.end'({ hash }) {
      const session = await store.get(sessions, hash);
      if (session) await store.delete(sessions, hash, session.version);
      announce({ kind: 'key', hash });
      const via = session?.value.via;
      return done({ ok: true, ...(via && { via }) });
    },

    async 'sessions.list'({ organisationId, userId, currentHash }) {
      if (!(await findUser(store, organisationId, userId))) return userUnknown();
      const found = (await sessionsOf(store, userId)).filter(({ value }) => value.expiresAt > clock.now());
      return done({ sessions: found.map((session) => ({ ...listed(session), current: session.id === currentHash })) });
    },

    async 'sessions.end-some'({ organisationId, userId, sessionId, keepHash }) {
      if (!(await findUser(store, organisationId, userId))) return userUnknown();
      if (sessionId === undefined) return done({ ok: true, ended: await endSessions(ports, userId, 0, keepHash) });
      const found = (await sessionsOf(store, userId)).filter(({ id }) => listedId(id) === sessionId);
      if (found.length === 0) return refuse('not_found', 'There is no such session of this user. It may have ended.');
      await store.deleteMany(sessions, found);
      for (const { id: hash } of found) announce({ kind: 'key', hash });
      return done({ ok: true, ended: found.length });
    },
  };
}

async function sessionsOf(store: Store, userId: string): Promise<Stored<SessionRecord>[]> {
  const query = { index: 'byUser', equal: [userId], limit: 2 * sessionsPerUserMax };
  return (await store.page(sessions, query)).documents;
}

/** A name of a session in lists. Nobody finds the session's token or its hash from the name. */
function listedId(hash: string): string {
  return `dsh_${sha256(hash).slice(0, LISTED_ID_LENGTH)}`;
}

function listed({ id, value }: Stored<SessionRecord>): ListedSession {
  const { createdAt, seenAt = createdAt, expiresAt, address = null, userAgent = null, via = 'password' } = value;
  return { id: listedId(id), createdAt, seenAt, expiresAt, address, userAgent, via };
}

/** The user whose email and password these are. Counts the attempt, and waits for its turn. */
export async function checkPassword(
  ports: Ports,
  passwords: Passwords,
  { email, password, network, address }: SignInFrom & { email: string; password: string },
  deadlineAt: number | undefined,
): Promise<Outcome<Stored<UserRecord>>> {
  const { store, clock } = ports;
  const name = attemptsName(email, network);
  const attempts = await store.get(loginAttempts, name);
  const lockedMs = attempts ? lockedForMs(attempts.value, clock.now()) : 0;
  if (lockedMs > 0) return locked(lockedMs);
  const isProven = attempts !== null && isProvenAt(attempts.value, clock.now());
  return passwords.inTurn({ party: address, isProven, deadlineAt }, async () => {
    const begun = await beginAttempt(ports, name, deadlineAt);
    if (!begun.ok) return begun;
    const user = await findOne(store, users, 'byEmail', [email]);
    const right = await passwords.isRight(password, user?.value.password ?? null);
    const ended = await change(store, loginAttempts, name, overtaken, (attempts) =>
      done(withEnded(attempts, begun.value, right, clock.now())),
    );
    if (!user || !right) return wrongPassword;
    return ended.ok ? done(user) : ended;
  });
}

/** Only a person with the right password, or of the issuer, learns it. */
const suspended = refuse('forbidden', 'Your organisation is suspended. Ask the operator of this server.', {
  reason: 'organisation_suspended',
});

const wrongPassword = refuse('unauthorized', 'Email or password is wrong. Check both.');

/** A network has no space, so every pair has a name of its own. */
function attemptsName(email: string, network: string): string {
  return sha256(`${email} ${network}`);
}

/** Resolves with the time that identifies the attempt, once there is room for it beside those under way. */
async function beginAttempt(
  { store, clock }: Ports,
  name: string,
  deadlineAt = Number.POSITIVE_INFINITY,
): Promise<Outcome<number>> {
  // Made on first use. An existing record is as good.
  await store.insert(loginAttempts, name, { failedAt: [], expiresAt: clock.now() + loginWindowMs });
  for (let look = 0; look < loginLooksMax; look++) {
    if (look > 0) await pause(clock, loginLookMs);
    if (clock.elapsed() >= deadlineAt) break;
    let begunAt: number | null = null;
    const counted = await change(store, loginAttempts, name, overtaken, (attempts) => {
      const now = clock.now();
      const lockedMs = lockedForMs(attempts, now);
      if (lockedMs > 0) return locked(lockedMs);
      const next = withAttempt(attempts, now);
      begunAt = next && now;
      return done(next ?? attempts);
    });
    if (!counted.ok) return counted;
    if (begunAt !== null) return done(begunAt);
  }
  return overtaken();
}

/** Other attempts with this email took too long, or the count was swept while this one waited. */
function overtaken(): Outcome<never> {
  return refuse('overloaded', 'This login took too long. Try again.', { retryable: true });
}

function locked(forMs: number): Outcome<never> {
  const retryAfterSeconds = Math.ceil(forMs / 1000);
  return refuse('login_locked', 'Too many logins with this email have failed in your network. Wait, and try again.', {
    details: { retryAfterSeconds },
  });
}

/**
 * A change of the password ends the sessions that are stored by then. So the user is read again behind the insert: the
 * session of a password that was replaced meanwhile is taken back.
 */
export async function openSession(
  ports: Ports,
  user: Stored<UserRecord>,
  { address, userAgent = '' }: SignInFrom,
  via: SignInWay,
): Promise<Outcome<OpenedDashboard>> {
  const { store, clock } = ports;
  const organisation = await store.get(organisations, user.value.organisationId);
  if (!organisation) return organisationUnknown();
  if (organisation.value.suspendedAt !== undefined) return suspended;
  const token = `${SESSION_PREFIX}${randomText(TOKEN_LENGTH)}`;
  const createdAt = clock.now();
  const expiresAt = createdAt + sessionMs;
  const { organisationId } = user.value;
  const browser = { address, userAgent: userAgent.slice(0, userAgentLengthMax) };
  const session: SessionRecord = { userId: user.id, organisationId, createdAt, expiresAt, ...browser, via };
  await store.insert(sessions, sha256(token), session);
  const standing = await store.get(users, user.id);
  if (!standing || standing.value.password !== user.value.password) {
    await store.delete(sessions, sha256(token), 1);
    return wrongPassword;
  }
  await endSessions(ports, user.id, sessionsPerUserMax);
  return done({ token, user: userOf(user), organisation: await organisationOf(store, organisation), expiresAt });
}
