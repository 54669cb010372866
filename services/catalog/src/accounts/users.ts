/** Users of an organisation's dashboard. Their passwords are never shown (passwords.ts). */
import type { User } from '@parterre/shared/protocol/catalog/accounts';
import { done, type Outcome, refuse } from '@parterre/shared/protocol/errors';
import { newId } from '@parterre/shared/protocol/ids';
import { settleMinted } from '../access/minted-access.ts';
import { organisations, users } from '../store/collections.ts';
import { listPage, type OperationTable, type Ports } from '../store/operations.ts';
import { changeAttemptsMax } from '../store/rules/bounds.ts';
import type { UserRecord } from '../store/rules/records.ts';
import type { Store, Stored } from '../store/store.ts';
import { organisationUnknown } from '../tenants/tenants.ts';
import { endSessions } from './end-user-sessions.ts';
import { organisationOf } from './organisations.ts';
import type { Passwords } from './passwords.ts';

type UserOperation = 'users.create' | 'users.list' | 'users.get' | 'users.delete';

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

    /**
     * Sessions end first, so that the call can be repeated where some could not be ended. After the delete no session
     * is valid. Sessions that were opened meanwhile may be cached, so they are ended and announced too.
     */
    async 'users.delete'({ organisationId, userId, endsMinted }) {
      if (!(await findUser(store, organisationId, userId))) return userUnknown();
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
