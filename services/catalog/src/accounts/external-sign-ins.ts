/**
 * Logins of people whom an OpenID issuer knows. The front door has checked the issuer's answer; here the email finds
 * the user, and the session opens as after a password.
 *
 * Failure at each await: two first sign-ins of one person at once → one makes the user, and the other finds it; the
 * store fails → `internal_error`, and the person signs in again.
 */
import type { CatalogInput } from '@parterre/shared/protocol/catalog-api';
import { done, type Outcome, refuse } from '@parterre/shared/protocol/errors';
import { newId } from '@parterre/shared/protocol/ids';
import { organisations, usedSignIns, users } from '../store/collections.ts';
import type { OperationTable, Ports } from '../store/operations.ts';
import type { UserRecord } from '../store/rules/records.ts';
import { findOne, type Stored } from '../store/store.ts';
import { organisationUnknown } from '../tenants/tenants.ts';
import { openSession } from './user-sessions.ts';
import { setRole } from './users.ts';

type SignInOperation = 'sign-ins.use' | 'sessions.open-external';
type Person = Pick<CatalogInput<'sessions.open-external'>, 'email' | 'role' | 'createIn'>;

export function createExternalSignIns(ports: Ports): OperationTable<SignInOperation> {
  const { store } = ports;
  return {
    async 'sign-ins.use'({ stateHash, expiresAt }) {
      const noted = await store.insert(usedSignIns, stateHash, { expiresAt });
      return noted === 'inserted' ? done({ ok: true }) : replayed;
    },

    async 'sessions.open-external'({ email, role, createIn, ...from }) {
      const person = { email, role, createIn };
      const known = await findOne(store, users, 'byEmail', [email]);
      const user = known ? await withRole(ports, known, person) : await newUser(ports, person);
      return user.ok ? openSession(ports, user.value, from, 'oidc') : user;
    },
  };
}

/** The issuer's groups name the role anew at each sign-in. Front doors ask for the other sessions again. */
async function withRole(
  ports: Ports,
  known: Stored<UserRecord>,
  { role }: Person,
): Promise<Outcome<Stored<UserRecord>>> {
  return role === null || known.value.role === role ? done(known) : setRole(ports, known.id, role);
}

async function newUser(
  { store, clock }: Ports,
  { email, role, createIn }: Person,
): Promise<Outcome<Stored<UserRecord>>> {
  if (createIn === null || role === null) return nobody;
  if (!(await store.get(organisations, createIn))) return organisationUnknown();
  const id = newId('usr');
  const value: UserRecord = { organisationId: createIn, email, role, createdAt: clock.now(), password: null };
  if ((await store.insert(users, id, value)) === 'inserted') return done({ id, version: 1, value });
  const another = await findOne(store, users, 'byEmail', [email]);
  return another ? done(another) : nobody;
}

const replayed = refuse('sign_in_refused', 'This sign-in was used already. Sign in again.', {
  reason: 'state_invalid',
});
const nobody = refuse('sign_in_refused', 'No user has your email address here. Ask an owner of your organisation.', {
  reason: 'user_unknown',
});
