/**
 * The principal of a key or a session, by the SHA-256 of its token. Keys and dashboard sessions are found only while
 * they are valid. Embedded sessions are found after their end too, and the front door tells how they ended. Keys come
 * first, since most credentials are keys.
 */
import type { Principal } from '@parterre/shared/protocol/catalog/scope';
import { done, refuse } from '@parterre/shared/protocol/errors';
import { embeddedPrincipal } from '../access/embedded-sessions.ts';
import { keys, organisations, sessions, users } from '../store/collections.ts';
import type { OperationTable, Ports } from '../store/operations.ts';
import { seenTimeMs } from '../store/rules/bounds.ts';
import type { KeyRecord } from '../store/rules/records.ts';
import { findOne, type Store, type Stored } from '../store/store.ts';

export function createCredentialOperations({ store, clock }: Ports): OperationTable<'credentials.resolve'> {
  return {
    async 'credentials.resolve'({ hash }) {
      const key = await findOne(store, keys, 'byHash', [hash]);
      const now = clock.now();
      const principal = key
        ? await unlessSuspended(store, keyPrincipal(key))
        : ((await unlessSuspended(store, await sessionPrincipal(store, hash, now))) ??
          (await embeddedPrincipal(store, hash, now)));
      return principal
        ? done(principal)
        : refuse('unauthorized', 'The credential is unknown, revoked or expired. Send a valid one.');
    },
  };
}

/**
 * Keys and users of a suspended organisation are refused. Sessions that buyers, consoles and designers have go on until
 * they expire, so buyers of a sale look up one document less.
 */
async function unlessSuspended(store: Store, principal: Principal | null): Promise<Principal | null> {
  if (principal === null) return null;
  const organisation = await store.get(organisations, principal.organisationId);
  return organisation?.value.suspendedAt === undefined ? principal : null;
}

function keyPrincipal({ id: keyId, value }: Stored<KeyRecord>): Principal | null {
  const { kind, organisationId, mode, environment, workspaceId, origins, budgets, revokedAt } = value;
  if (revokedAt !== null) return null;
  const whose = { keyId, organisationId, mode, workspaceId, ...(budgets === undefined ? {} : { budgets }) };
  return kind === 'secret' ? { kind, ...whose, environment } : { kind, ...whose, origins };
}

/** The user is read after the session. A deleted user has no session, even where both were written at once. */
async function sessionPrincipal(store: Store, sessionHash: string, now: number): Promise<Principal | null> {
  const session = await store.get(sessions, sessionHash);
  if (!session || session.value.expiresAt <= now) return null;
  const { userId, expiresAt, createdAt, seenAt = createdAt } = session.value;
  const user = await store.get(users, userId);
  if (!user) return null;
  // A front door asks again every minute while the session is used. A session that has ended meanwhile stays ended.
  if (seenAt <= now - seenTimeMs) {
    await store.replace(sessions, sessionHash, session.version, { ...session.value, seenAt: now });
  }
  const { organisationId, role } = user.value;
  return { kind: 'dashboard', sessionHash, userId, organisationId, role, expiresAt };
}
