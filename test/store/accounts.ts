/** Users, logins and sessions, on two catalogs that share one database. Runs on both adapters. */
import type { Scope } from '@parterre/shared/protocol/catalog/scope';
import type { CatalogInput } from '@parterre/shared/protocol/catalog-api';
import type { Outcome } from '@parterre/shared/protocol/errors';
import { sha256 } from '@parterre/shared/protocol/ids';
import { sessionMs } from '@parterre/shared/protocol/limits';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  audits,
  collections,
  loginAttempts,
  organisations,
  sessions,
  users,
} from '../../services/catalog/src/store/collections.ts';
import {
  loginFailuresMax,
  loginProvenMs,
  loginUnderWayMs,
  loginWindowMs,
  passwordResetMs,
  seenTimeMs,
  sessionsPerUserMax,
} from '../../services/catalog/src/store/rules/bounds.ts';
import type { Collection } from '../../services/catalog/src/store/store.ts';
import { sweep } from '../../services/catalog/src/store/sweeper.ts';
import type { MakeDatabase, TestDatabase } from './adapters.ts';
import { organisationScope, type TestCatalog, testCatalog } from './test-catalog.ts';

const email = 'ada@theatre.example';
const password = 'seven seats in row C';
const here = { network: '198.51.100.0/24', address: '198.51.100.7' };
const right = { email, password, ...here };
const wrong = { ...right, password: 'eight seats in row C' };

export function accountsContract(makeDatabase: MakeDatabase): void {
  let database: TestDatabase;
  let catalogs: TestCatalog[];
  let catalog: TestCatalog;
  let scope: Scope;
  let organisationId: string;
  beforeEach(async () => {
    database = await makeDatabase(collections as readonly Collection<object>[]);
    catalogs = [testCatalog(await database.connect()), testCatalog(await database.connect())];
    catalog = catalogs[0]!;
    scope = await organisationScope(catalog);
    organisationId = scope.organisationId;
  });
  afterEach(() => database.remove());

  const addUser = (more: object = {}) =>
    catalog.ask('users.create', { organisationId, email, password, role: 'admin', ...more });
  const waitFor = (ms: number) => {
    for (const { clock } of catalogs) clock.time += ms;
  };
  const logIn = (by = catalog) => by.ask('sessions.create', right);
  const codeOf = async (input: CatalogInput<'sessions.create'>, by = catalog) => {
    const outcome = await by.operations['sessions.create'](input);
    return outcome.ok ? 'ok' : outcome.refusal.code;
  };

  test('no answer shows a password, the store has only its hash, and an email is unique over all organisations', async () => {
    const { user } = await addUser();
    expect(user).toEqual({ id: expect.stringMatching(/^usr_/), email, role: 'admin', createdAt: catalog.clock.time });
    const kept = (await catalog.store.get(users, user.id))!;
    expect(kept.value.password).toMatch(/^scrypt\$10\$8\$3\$[\w-]{22}\$[\w-]{43}$/);
    const other = await organisationScope(catalog);
    const again = { organisationId: other.organisationId, email, password, role: 'member' } as const;
    expect(await catalog.refusal('users.create', again)).toMatchObject({ code: 'user_exists' });
    const nobody = { ...again, organisationId: 'org_0' };
    expect(await catalog.refusal('users.create', nobody)).toMatchObject({ code: 'not_found' });
  });

  test('exactly one of many creates with one email makes the user', async () => {
    const outcomes = await Promise.all(
      Array.from({ length: 4 }, (_, i) =>
        catalogs[i % 2]!.operations['users.create']({ organisationId, email, password, role: 'member' }),
      ),
    );
    const codes = outcomes.map((outcome) => (outcome.ok ? 'made' : outcome.refusal.code)).sort();
    expect(codes).toEqual(['made', 'user_exists', 'user_exists', 'user_exists']);
  });

  test('equal passwords are stored differently', async () => {
    const ids = [(await addUser()).user.id, (await addUser({ email: 'b@theatre.example' })).user.id];
    const kept = await catalog.store.getMany(users, ids);
    expect(new Set(kept.map(({ value }) => value.password)).size).toBe(2);
  });

  test('organisations, users and keys are listed in pages, without secrets, each for its organisation', async () => {
    const other = await organisationScope(catalog);
    for (let i = 0; i < 3; i++) {
      await addUser({ email: `user-${i}@theatre.example` });
      await catalog.ask('keys.create', { organisationId, kind: 'secret', mode: 'test' });
    }
    const first = await catalog.ask('users.list', { organisationId, page: { limit: 2 } });
    expect(first.users).toHaveLength(2);
    const rest = await catalog.ask('users.list', { organisationId, page: { limit: 2, cursor: first.nextCursor! } });
    expect(rest).toMatchObject({ users: [{ role: 'admin' }] });
    expect(rest.nextCursor).toBeUndefined();
    expect(new Set([...first.users, ...rest.users].map(({ email: one }) => one)).size).toBe(3);
    expect(JSON.stringify(first)).not.toContain('scrypt');

    const { keys } = await catalog.ask('keys.list', { organisationId, page: {} });
    expect(keys).toHaveLength(3);
    await catalog.ask('keys.revoke', { organisationId, keyId: keys[0]!.id, endsMinted: false });
    const after = await catalog.ask('keys.list', { organisationId, page: {} });
    expect(after.keys.filter(({ revokedAt }) => revokedAt !== null).map(({ id }) => id)).toEqual([keys[0]!.id]);
    expect(Object.keys(keys[0]!)).not.toContain('hash');
    expect(await catalog.ask('keys.list', { organisationId: other.organisationId, page: {} })).toEqual({ keys: [] });

    const all = await catalog.ask('organisations.list', { page: {} });
    expect(all.organisations.map(({ id }) => id).sort()).toEqual([organisationId, other.organisationId].sort());
    const one = await catalog.ask('organisations.get', { organisationId });
    expect(one.organisation).toMatchObject({ id: organisationId, credits: 0 });
    for (const operation of ['users.list', 'keys.list'] as const) {
      const refused = await catalog.refusal(operation, { organisationId: 'org_0', page: {} });
      expect(refused.code).toBe('not_found');
    }
  });

  test('a login opens a session, whose hash alone is stored, and the other catalog finds its user', async () => {
    const { user } = await addUser();
    const { token, expiresAt, ...told } = await logIn();
    expect(token).toMatch(/^dss_[0-9A-Za-z]{43}$/);
    expect(expiresAt).toBe(catalog.clock.time + sessionMs);
    expect(told).toEqual({ user, organisation: expect.objectContaining({ id: organisationId }) });
    const principal = await catalogs[1]!.ask('credentials.resolve', { hash: sha256(token) });
    expect(principal).toEqual({
      kind: 'dashboard',
      sessionHash: sha256(token),
      userId: user.id,
      organisationId,
      role: 'admin',
      expiresAt,
    });
    const kept = (await catalog.store.get(sessions, sha256(token)))!;
    expect(JSON.stringify(kept)).not.toContain(token);
    expect((await catalog.refusal('credentials.resolve', { hash: token })).code).toBe('unauthorized');
  });

  test('a session ends at its time, and is swept', async () => {
    await addUser();
    const { token } = await logIn();
    waitFor(sessionMs);
    expect((await catalog.refusal('credentials.resolve', { hash: sha256(token) })).code).toBe('unauthorized');
    expect(await sweep(catalog.store, sessions, catalog.clock.time)).toBe(1);
    expect(await sweep(catalog.store, loginAttempts, catalog.clock.time)).toBe(0);
    waitFor(loginProvenMs - sessionMs);
    expect(await sweep(catalog.store, loginAttempts, catalog.clock.time)).toBe(1);
  });

  test('an ended session is invalid at once, and the end is announced to every cache', async () => {
    await addUser();
    const hash = sha256((await logIn()).token);
    await catalogs[1]!.ask('sessions.end', { hash });
    expect((await catalog.refusal('credentials.resolve', { hash })).code).toBe('unauthorized');
    expect(catalogs[1]!.announced).toEqual([{ kind: 'key', hash }]);
  });

  test("a deleted user's sessions are invalid, the end is announced, and the email is free", async () => {
    const { user } = await addUser();
    const hashes = [sha256((await logIn()).token), sha256((await logIn()).token)].sort();
    const other = await organisationScope(catalog);
    const foreign = { organisationId: other.organisationId, userId: user.id, endsMinted: false };
    expect((await catalog.refusal('users.delete', foreign)).code).toBe('not_found');
    await catalog.ask('users.delete', { organisationId, userId: user.id, endsMinted: false });
    const told = catalog.announced.map((changed) => (changed.kind === 'key' ? changed.hash : changed.kind)).sort();
    expect(told).toEqual(hashes);
    for (const hash of hashes) {
      expect((await catalog.refusal('credentials.resolve', { hash })).code).toBe('unauthorized');
    }
    expect((await catalog.refusal('users.delete', { organisationId, userId: user.id, endsMinted: false })).code).toBe(
      'not_found',
    );
    expect(await codeOf(right)).toBe('unauthorized');
    await addUser();
  });

  test('parallel guesses through two catalogs are checked only up to the allowed failures', async () => {
    await addUser();
    const codes = await Promise.all(Array.from({ length: 20 }, (_, i) => codeOf(wrong, catalogs[i % 2]!)));
    expect(codes.filter((code) => code === 'unauthorized')).toHaveLength(loginFailuresMax);
    expect(codes.filter((code) => code === 'login_locked')).toHaveLength(20 - loginFailuresMax);
  });

  test('parallel right logins never lock each other out, after any number of failures', async () => {
    await addUser();
    for (let i = 1; i < loginFailuresMax; i++) await codeOf(wrong);
    const codes = await Promise.all(catalogs.map((by) => codeOf(right, by)));
    expect(codes).toEqual(['ok', 'ok']);
  });

  test('a login without an end counts as failed', async () => {
    await addUser();
    await codeOf(wrong);
    const [found] = (await catalog.store.page(loginAttempts, { index: 'byExpiry', equal: [], limit: 1 })).documents;
    const begun = Array<number>(loginFailuresMax - 1).fill(catalog.clock.time);
    await catalog.store.replace(loginAttempts, found!.id, found!.version, { ...found!.value, underWay: begun });
    waitFor(loginUnderWayMs);
    expect(await codeOf(right)).toBe('login_locked');
  });

  test('a login with too many failures is locked for a while, even for the right password', async () => {
    await addUser();
    for (let i = 0; i < loginFailuresMax; i++) {
      expect(await codeOf(wrong, catalogs[i % 2]!)).toBe('unauthorized');
      waitFor(60_000);
    }
    const locked = await catalogs[1]!.refusal('sessions.create', right);
    // The last failure was a minute ago.
    expect(locked).toMatchObject({ code: 'login_locked', details: { retryAfterSeconds: loginWindowMs / 1000 - 60 } });
    waitFor(loginWindowMs - 60_001);
    expect(await codeOf(right)).toBe('login_locked');
    waitFor(1);
    expect(await codeOf(right)).toBe('ok');
  });

  test('failures lock an email for their own network alone, over all catalogs', async () => {
    await addUser();
    const from = (network: string, text = password) => ({ ...right, password: text, network });
    for (let i = 0; i < loginFailuresMax; i++) {
      expect(await codeOf(from('198.51.100.0/24', wrong.password), catalogs[i % 2]!)).toBe('unauthorized');
    }
    expect(await codeOf(from('198.51.100.0/24'))).toBe('login_locked');
    expect(await codeOf(from('203.0.113.0/24'))).toBe('ok');
    // A success elsewhere forgives nothing here.
    expect(await codeOf(from('198.51.100.0/24'), catalogs[1]!)).toBe('login_locked');
    waitFor(loginWindowMs);
    expect(await codeOf(from('198.51.100.0/24'))).toBe('ok');
  });

  test('failures further apart than the window, or before a success, do not add up', async () => {
    await addUser();
    for (let i = 1; i < loginFailuresMax; i++) await codeOf(wrong);
    expect(await codeOf(right)).toBe('ok');
    for (let i = 1; i < loginFailuresMax; i++) await codeOf(wrong);
    waitFor(loginWindowMs);
    expect(await codeOf(wrong)).toBe('unauthorized');
    expect(await codeOf(right)).toBe('ok');
  });

  test('an unknown email is answered and locked like a wrong password', async () => {
    await addUser();
    const nobody = { ...right, email: 'nobody@theatre.example' };
    const known = await catalog.refusal('sessions.create', wrong);
    const unknown = await catalog.refusal('sessions.create', nobody);
    expect(unknown).toEqual(known);
    for (let i = 1; i < loginFailuresMax; i++) await codeOf(nobody);
    expect(await codeOf(nobody)).toBe('login_locked');
    expect(await codeOf(right)).toBe('ok');
  });

  const root = { kind: 'root', id: null, organisationId: null, address: '192.0.2.1', requestId: 'req-1' } as const;
  let entries = 0;
  const by = (more: object = {}) => ({ ...root, entryId: `aud_${++entries}`, ...more });
  const done = async <T>(outcome: Promise<Outcome<T>>) => {
    const settled = await outcome;
    if (!settled.ok) throw new Error(settled.refusal.message);
    return settled.value;
  };
  const sessionsOf = async (userId: string) =>
    (await catalog.ask('sessions.list', { organisationId, userId })).sessions;

  test('credits keep each movement with reason, caller and balance, also where a catalog died in between', async () => {
    const add = (delta: number, reason: string, at = catalog) =>
      done(at.operations['organisations.add-credits']({ organisationId, delta, reason }, undefined, by()));
    await Promise.all([add(50, 'Invoice 1'), add(-20, 'Refund', catalogs[1]!)]);
    // A catalog that died behind the change of the organisation.
    const found = (await catalog.store.get(organisations, organisationId))!;
    const left = { id: 'mov_left', delta: 5, reason: 'Gift', by: null, at: catalog.clock.time + 1, balance: 35 };
    const value = { ...found.value, credits: 35, unlisted: [left] };
    await catalog.store.replace(organisations, organisationId, found.version, value);
    const listed = await catalogs[1]!.ask('credits.list', { organisationId, page: {} });
    expect(listed.credits).toBe(35);
    const [newest, ...others] = listed.movements;
    expect(newest).toEqual(left);
    expect(others.map(({ delta }) => delta).sort()).toEqual([-20, 50]);
    expect(others.map(({ balance }) => balance)).toContain(30);
    for (const movement of others) expect(movement.by).toEqual({ kind: 'root', id: null, address: '192.0.2.1' });
    expect((await catalog.store.get(organisations, organisationId))!.value).not.toHaveProperty('unlisted');
    const first = await catalog.ask('credits.list', { organisationId, page: { limit: 1 } });
    const page = { limit: 5, cursor: first.nextCursor! };
    expect((await catalog.ask('credits.list', { organisationId, page })).movements).toHaveLength(2);
    expect((await catalog.refusal('credits.list', { organisationId: 'org_0', page: {} })).code).toBe('not_found');
  });

  test('the audit tells who did what, when and from where, without a secret, and one entry of a repeated question', async () => {
    const { user } = await addUser();
    const caller = by({ kind: 'user', id: user.id, organisationId });
    const asked = { organisationId, kind: 'secret', mode: 'live' } as const;
    const { key, secret } = await done(catalog.operations['keys.create'](asked, undefined, caller));
    const { token } = await done(catalog.operations['sessions.create'](right, undefined, by({ kind: 'nobody' })));
    // A copy of the question reaches another catalog.
    const change = { organisationId, keyId: key.id, budgets: { serverHolds: 6_000 } };
    const twice = by();
    for (const each of catalogs) await done(each.operations['keys.change'](change, undefined, twice));
    const { entries: told } = await catalog.ask('audit.list', { organisationId, page: {} });
    expect(told.map(({ action }) => action).sort()).toEqual(['key.change', 'key.create', 'login']);
    const made = told.find(({ action }) => action === 'key.create');
    const from = { kind: 'user', id: user.id, address: '192.0.2.1', requestId: 'req-1', email };
    const outline = { at: catalog.clock.time, organisationId, subject: key.id, outcome: 'done', by: from };
    expect(made).toMatchObject({ ...outline, facts: { kind: 'secret', mode: 'live', budgets: null } });
    for (const hidden of [secret, token, password]) expect(JSON.stringify(told)).not.toContain(hidden);
  });

  test('the audit tells failed logins up to a bound, and expires', async () => {
    await addUser();
    const fail = (attempt: string) =>
      catalog.operations['sessions.create']({ ...wrong, email: attempt }, undefined, by({ kind: 'nobody' }));
    await fail(email);
    await fail('nobody@theatre.example');
    const { entries: own } = await catalog.ask('audit.list', { organisationId, page: {} });
    expect(own).toMatchObject([{ action: 'login', outcome: 'unauthorized', subject: email }]);
    const { entries: all } = await catalog.ask('audit.list', { organisationId: null, page: {} });
    expect(all.map(({ subject }) => subject)).toContain('nobody@theatre.example');
    expect(await sweep(catalog.store, audits, catalog.clock.time + 1_000_000)).toBe(all.length);
  });

  test('a user changes the password with the old one, which ends the other sessions', async () => {
    const { user } = await addUser();
    const [own, another] = [sha256((await logIn()).token), sha256((await logIn()).token)];
    const change = { organisationId, userId: user.id, password: 'nine seats in row E', sessionHash: own, ...here };
    const refused = await catalog.refusal('passwords.change', { ...change, oldPassword: 'not that one' });
    expect(refused).toMatchObject({ code: 'forbidden', reason: 'wrong_password' });
    expect(await catalog.ask('passwords.change', { ...change, oldPassword: password })).toEqual({ ok: true, ended: 1 });
    await catalog.ask('credentials.resolve', { hash: own });
    expect((await catalog.refusal('credentials.resolve', { hash: another })).code).toBe('unauthorized');
    expect(catalog.announced).toContainEqual({ kind: 'key', hash: another });
    expect(await codeOf(right)).toBe('unauthorized');
    expect(await codeOf({ ...right, password: 'nine seats in row E' })).toBe('ok');
    for (let i = 0; i < loginFailuresMax; i++) {
      await catalog.refusal('passwords.change', { ...change, oldPassword: 'not that one' });
    }
    expect((await catalog.refusal('passwords.change', { ...change, oldPassword: password })).code).toBe('login_locked');
  });

  test('a token sets a new password once, for a while, and a later token replaces it', async () => {
    const { user } = await addUser();
    const begin = () => catalog.ask('passwords.begin-reset', { organisationId, userId: user.id });
    const use = (token: string) => catalog.operations['passwords.reset']({ token, password: 'row F again', ...here });
    const [replaced, used] = [await begin(), await begin()];
    await logIn();
    const ofOthers = { organisationId: 'org_0', userId: user.id };
    expect((await catalog.refusal('passwords.begin-reset', ofOthers)).code).toBe('not_found');
    for (const token of [replaced.token, `${used.token.slice(0, -1)}!`, 'prt_x', '']) {
      expect(await use(token)).toMatchObject({ refusal: { code: 'unauthorized' } });
    }
    const uses = await Promise.all([use(used.token), use(used.token)]);
    expect(uses.map(({ ok }) => ok).sort()).toEqual([false, true]);
    expect(await sessionsOf(user.id)).toEqual([]);
    expect(await codeOf({ ...right, password: 'row F again' })).toBe('ok');
    const late = await begin();
    waitFor(passwordResetMs);
    expect(await use(late.token)).toMatchObject({ refusal: { code: 'unauthorized' } });
  });

  test('sessions of a user are listed without their tokens, seen as they are used, and ended one by one', async () => {
    const { user } = await addUser();
    const { token } = await catalog.ask('sessions.create', { ...right, userAgent: 'Firefox'.repeat(100) });
    waitFor(1_000);
    const later = await logIn();
    const [first, second] = await sessionsOf(user.id);
    expect(first).toMatchObject({ address: here.address, via: 'password', seenAt: first!.createdAt, current: false });
    expect(first!.userAgent).toHaveLength(300);
    expect(JSON.stringify([first, second])).not.toContain(sha256(token));
    waitFor(seenTimeMs);
    await catalog.ask('credentials.resolve', { hash: sha256(token) });
    expect((await sessionsOf(user.id))[0]!.seenAt).toBe(catalog.clock.time);
    const end = { organisationId, userId: user.id, sessionId: second!.id };
    expect(await catalog.ask('sessions.end-some', end)).toEqual({ ok: true, ended: 1 });
    expect(catalog.announced).toEqual([{ kind: 'key', hash: sha256(later.token) }]);
    expect((await catalog.refusal('sessions.end-some', end)).code).toBe('not_found');
    expect(await sessionsOf(user.id)).toHaveLength(1);
  });

  test('a user has a bounded number of sessions: the oldest ends', async () => {
    const { user } = await addUser();
    const first = await logIn();
    for (let i = 1; i < sessionsPerUserMax; i++) {
      const value = {
        userId: user.id,
        organisationId,
        createdAt: catalog.clock.time + i,
        expiresAt: first.expiresAt + i,
      };
      await catalog.store.insert(sessions, `hash-${i}`, value);
    }
    waitFor(1_000);
    const last = await logIn();
    expect((await catalog.refusal('credentials.resolve', { hash: sha256(first.token) })).code).toBe('unauthorized');
    await catalog.ask('credentials.resolve', { hash: sha256(last.token) });
    expect(catalog.announced).toEqual([{ kind: 'key', hash: sha256(first.token) }]);
  });
}
