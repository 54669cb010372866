/**
 * Changes of a user's password: by the user, who knows the old one, and with a token that an owner or the operator made
 * for the user. There is no mail server, so the maker of the token hands it over.
 *
 * States of a token: made → used, replaced by a later token, or expired. The user's document has its hash. The write
 * that sets the new password takes the hash away, so of two uses at once one succeeds.
 *
 * Failure at each await: before the write of the user → nothing has changed; behind it → the password is changed, and
 * sessions may be left. The next `sessions.end-some` ends them. A login under way with the old password gets no session
 * (user-sessions.ts).
 */
import { timingSafeEqual } from 'node:crypto';
import { done, type Outcome, refuse } from '@parterre/shared/protocol/errors';
import { randomText, sha256 } from '@parterre/shared/protocol/ids';
import { users } from '../store/collections.ts';
import { change, type OperationTable, type Ports } from '../store/operations.ts';
import { passwordResetMs } from '../store/rules/bounds.ts';
import type { UserRecord } from '../store/rules/records.ts';
import { endSessions } from './end-user-sessions.ts';
import type { Passwords } from './passwords.ts';
import { checkPassword } from './user-sessions.ts';
import { findUser, userOf, userUnknown } from './users.ts';

type PasswordOperation = 'passwords.change' | 'passwords.begin-reset' | 'passwords.reset';

const RESET_PREFIX = 'prt';
const TOKEN_LENGTH = 43;
const RESET_FORM = /^prt_(?<user>[0-9A-Za-z]{1,40})_[0-9A-Za-z]{43}$/;

export function createPasswordOperations(ports: Ports, passwords: Passwords): OperationTable<PasswordOperation> {
  const { store, clock } = ports;
  return {
    async 'passwords.change'({ organisationId, userId, oldPassword, password, sessionHash, ...from }, deadlineAt) {
      const user = await findUser(store, organisationId, userId);
      if (!user) return userUnknown();
      const attempt = { email: user.value.email, password: oldPassword, ...from };
      const checked = await checkPassword(ports, passwords, attempt, deadlineAt);
      if (!checked.ok) return checked.refusal.code === 'unauthorized' ? wrongOldPassword : checked;
      const kept = await hashed(passwords, password, from.address, deadlineAt);
      if (!kept.ok) return kept;
      const changed = await change(store, users, userId, userUnknown, (value) =>
        value.password === checked.value.value.password ? done(withPassword(value, kept.value)) : wrongOldPassword,
      );
      if (!changed.ok) return changed;
      return done({ ok: true, ended: await endSessions(ports, userId, 0, sessionHash) });
    },

    async 'passwords.begin-reset'({ organisationId, userId }) {
      if (!(await findUser(store, organisationId, userId))) return userUnknown();
      const token = `${RESET_PREFIX}_${userId.slice(userId.indexOf('_') + 1)}_${randomText(TOKEN_LENGTH)}`;
      const expiresAt = clock.now() + passwordResetMs;
      const changed = await change(store, users, userId, userUnknown, (user) =>
        done({ ...user, reset: { hash: sha256(token), expiresAt } }),
      );
      return changed.ok ? done({ token, expiresAt }) : changed;
    },

    async 'passwords.reset'({ token, password, ...from }, deadlineAt) {
      const userId = `usr_${RESET_FORM.exec(token)?.groups?.user ?? ''}`;
      const user = await store.get(users, userId);
      // Before the costly work: a wrong token costs no password.
      if (!user || !opens(user.value, token, clock.now())) return badToken;
      const kept = await hashed(passwords, password, from.address, deadlineAt);
      if (!kept.ok) return kept;
      const changed = await change(
        store,
        users,
        userId,
        () => badToken,
        (value) => (opens(value, token, clock.now()) ? done(withPassword(value, kept.value)) : badToken),
      );
      if (!changed.ok) return changed;
      return done({ ok: true, ended: await endSessions(ports, userId, 0), user: userOf(changed.value) });
    },
  };
}

const wrongOldPassword = refuse('forbidden', 'The old password is wrong. Send the password that you sign in with.', {
  reason: 'wrong_password',
});
const badToken = refuse('unauthorized', 'This token is unknown, used, replaced or expired. Ask for a new one.');

function hashed(
  passwords: Passwords,
  password: string,
  party: string,
  deadlineAt: number | undefined,
): Promise<Outcome<string>> {
  return passwords.inTurn({ party, isProven: true, deadlineAt }, async () => done(await passwords.kept(password)));
}

function withPassword({ reset: _, ...user }: UserRecord, password: string): UserRecord {
  return { ...user, password };
}

function opens({ reset }: UserRecord, token: string, now: number): boolean {
  if (!reset || reset.expiresAt <= now) return false;
  return timingSafeEqual(Buffer.from(sha256(token)), Buffer.from(reset.hash));
}
