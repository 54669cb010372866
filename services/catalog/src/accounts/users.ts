/** Users of an organisation's dashboard. Their passwords are never shown (passwords.ts). */
import type { User } from '@parterre/shared/protocol/catalog/accounts';
import { isOwner, type Role } from '@parterre/shared/protocol/catalog/scope';
import { done, type Outcome, refuse } from '@parterre/shared/protocol/errors';
import { newId } from '@parterre/shared/protocol/ids';
import { settleMinted } from '../access/minted-access.ts';
import { organisations, sessions, users } from '../store/collections.ts';
import { change, listPage, type OperationTable, type Ports } from '../store/operations.ts';
import { changeAttemptsMax, sessionsPerUserMax } from '../store/rules/bounds.ts';
import type { UserRecord } from '../store/rules/records.ts';
import type { Store, Stored } from '../store/store.ts';
import { organisationUnknown } from '../tenants/tenants.ts';
import { endSessions } from './end-user-sessions.ts';
import { organisationOf } from './organisations.ts';
import type { Passwords } from './passwords.ts';

type UserOperation = 'users.create' | 'users.list' | 'users.get' | 'users.change-role' | 'users.delete';

/** No network has this name. */
const OPERATOR = 'operator';

export function createUserOperations(ports: Ports, passwords: Passwords): OperationTable<UserOperation> {
  const { store, clock } = ports;

  return {
    async 'users.create'({ organisationId, email, password, role }, deadlineAt) {
      if (!(await store.get(organisations, organisationId))) return organisationUnknown();
      const turn = { party: OPERATOR, isProven: true, deadlineAt };
      const kept = await passwords.inTurn(turn, async () => done(await passwords.kept(password)));
      if (!kept.ok) return kept;
      const id = newId('usr');
      const value: UserRecord = { organisationId, email, role, createdAt: clock.now(), password: kept.value };
      const written = await store.insert(users, id, value);
      if (written === 'duplicate')
        return refuse('user_exists', 'A user with this email exists already. Send another email.');
      return done({ user: userOf({ id, version: 1, value }) });
    },

    async 'users.list'({ organisationId, page }) {
      if (!(await store.get(organisations, organisationId))) return organisationUnknown();
      const found = { index: 'byOrganisation', equal: [organisationId] };
      const { items, more } = await listPage(store, users, found, page, userOf);
      return done({ users: items, ...more });
    },

    async 'users.get'({ organisationId, userId }) {
      const user = await findUser(store, organisationId, userId);
      const organisation = await store.get(organisations, organisationId);
      return user && organisation
        ? done({ user: userOf(user), organisation: await organisationOf(store, organisation) })
        : userUnknown();
    },

    async 'users.change-role'({ organisationId, userId, role }) {
      const changed = await giveRole(ports, organisationId, userId, role);
      return changed.ok ? done({ user: userOf(changed.value) }) : changed;
    },

    /**
     * Sessions end first, so that the call can be repeated where some could not be ended. After the delete no session
     * is valid. Sessions that were opened meanwhile may be cached, so they are ended and announced too.
     */
    async 'users.delete'({ organisationId, userId, endsMinted, keepsOwner = false }) {
      if (!(await findUser(store, organisationId, userId))) return userUnknown();
      const demoted = keepsOwner ? await giveRole(ports, organisationId, userId, 'viewer') : null;
      if (demoted && !demoted.ok) return demoted;
      await endSessions(ports, userId, 0);
      // A stale version: another caller has changed or deleted the user.
      for (let attempt = 0; attempt < changeAttemptsMax; attempt++) {
        const user = await store.get(users, userId);
        if (!user || (await store.delete(users, userId, user.version)) === 'deleted') break;
      }
      await endSessions(ports, userId, 0);
      return settleMinted(ports, organisationId, userId, endsMinted);
    },
  };
}

/**
 * The role is written first, and then somebody must be an owner, or the user gets the old role back. Of two owners who
 * take each other away at once, the one whose write is the last sees that none is left, whatever the order. Failure
 * between the two writes of one who is the last: no owner is left, and the operator makes one.
 */
async function giveRole(
  ports: Ports,
  organisationId: string,
  userId: string,
  role: Role,
): Promise<Outcome<Stored<UserRecord>>> {
  const before = await findUser(ports.store, organisationId, userId);
  if (!before) return userUnknown();
  const changed = await setRole(ports, userId, role);
  if (!changed.ok || (await hasOwner(ports.store, organisationId))) return changed;
  const back = await setRole(ports, userId, before.value.role);
  return back.ok ? lastOwner : back;
}

/** Front doors ask for the sessions of the user again. */
export async function setRole(ports: Ports, userId: string, role: Role): Promise<Outcome<Stored<UserRecord>>> {
  const { store, announce } = ports;
  const changed = await change(store, users, userId, userUnknown, (user) => done({ ...user, role }));
  if (!changed.ok) return changed;
  const query = { index: 'byUser', equal: [userId], limit: 2 * sessionsPerUserMax };
  for (const { id: hash } of (await store.page(sessions, query)).documents) announce({ kind: 'key', hash });
  return changed;
}

async function hasOwner(store: Store, organisationId: string): Promise<boolean> {
  const query = { index: 'byOrganisation', equal: [organisationId], limit: usersAtOnce };
  let page = await store.page(users, query);
  while (!page.documents.some(({ value }) => isOwner(value.role))) {
    if (page.next === null) return false;
    page = await store.page(users, { ...query, after: page.next });
  }
  return true;
}

const usersAtOnce = 200;

const lastOwner = refuse('conflict', 'An organisation keeps at least one owner. Make somebody else an owner first.', {
  reason: 'last_owner',
});

export async function findUser(
  store: Store,
  organisationId: string,
  userId: string,
): Promise<Stored<UserRecord> | null> {
  const user = await store.get(users, userId);
  return user?.value.organisationId === organisationId ? user : null;
}

export function userUnknown(): Outcome<never> {
  return refuse('not_found', 'There is no such user. Check the id.');
}

export function userOf({ id, value }: Stored<UserRecord>): User {
  const { email, role, createdAt } = value;
  return { id, email, role, createdAt };
}
