/** Buyers' sessions to groups and seasons. Runs on both adapters. */
import type { OwnerOfSession, OwnerSessionDraft } from '@parterre/shared/protocol/catalog/owner-sessions';
import type { Principal, Scope } from '@parterre/shared/protocol/catalog/scope';
import { sha256 } from '@parterre/shared/protocol/ids';
import { isSessionToken } from '@parterre/shared/protocol/session-tokens';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { collections } from '../../../services/catalog/src/store/collections.ts';
import type { Collection } from '../../../services/catalog/src/store/store.ts';
import type { MakeDatabase, TestDatabase } from '../adapters.ts';
import { organisationScope, publishedChart, type TestCatalog, testCatalog } from '../test-catalog.ts';

const allowedOrigin = 'https://shop.example';

export function ownerSessionsContract(makeDatabase: MakeDatabase): void {
  let database: TestDatabase;
  let catalog: TestCatalog;
  let scope: Scope;
  let of: OwnerOfSession;
  let eventKeys: string[];
  beforeEach(async () => {
    database = await makeDatabase(collections as readonly Collection<object>[]);
    catalog = testCatalog(await database.connect());
    scope = await organisationScope(catalog);
    const chartId = await publishedChart(catalog, scope);
    const made = await Promise.all([1, 2].map(() => catalog.ask('events.create', { scope, draft: { chartId } })));
    eventKeys = made.map(({ event }) => event.key);
    const { organisationId, workspaceId } = made[0]!.event;
    of = { organisationId, workspaceId, mode: 'test', environment: null, owner: { kind: 'group', key: 'pg_1' } };
  });
  afterEach(() => database.remove());

  const mint = (more: Partial<OwnerSessionDraft> = {}, where = of) =>
    catalog.ask('owner-sessions.create', {
      scope,
      of: where,
      draft: { channelIdsByEvent: {}, includePublic: true, accessSource: 'promoter', allowedOrigin, ...more },
    });
  const holderOf = async (token: string): Promise<Principal> =>
    catalog.ask('credentials.resolve', { hash: sha256(token) });

  test('a session has the values of its draft, and is found by its token', async () => {
    const channelIdsByEvent = { [eventKeys[0]!]: ['chn_1'] };
    const { session, token } = await mint({ channelIdsByEvent, includePublic: false, maxQuantity: 4, buyerRef: 'b-1' });
    expect(isSessionToken(token, 'bgs')).toBe(true);
    expect(session).toMatchObject({ owner: of.owner, allowedOrigin, maxQuantity: 4, buyerRef: 'b-1', state: 'active' });
    expect(session.expiresAt).toBe(catalog.clock.time + 1_800_000);
    const holder = { kind: 'owner-buyer', sessionId: session.sessionId, owner: of.owner, channelIdsByEvent };
    expect(await holderOf(token)).toMatchObject({ ...holder, origin: allowedOrigin, includePublic: false });
  });

  test('a season’s session has a token of its own kind, and its plan', async () => {
    const where = { ...of, owner: { kind: 'season' as const, key: 'sea_1' }, planActivationId: 'spa_1' };
    const { session, token } = await mint({}, where);
    expect(isSessionToken(token, 'bss')).toBe(true);
    expect(session.planActivationId).toBe('spa_1');
  });

  test('an origin that no page can have is refused', async () => {
    const draft = { channelIdsByEvent: {}, includePublic: true, accessSource: 'promoter' as const };
    const refused = await catalog.refusal('owner-sessions.create', {
      scope,
      of,
      draft: { ...draft, allowedOrigin: 'shop' },
    });
    expect(refused.code).toBe('invalid_request');
  });

  test('a list has the sessions of its owner alone, newest first, without those of publishable keys', async () => {
    const first = await mint();
    catalog.clock.time++;
    const second = await mint();
    await mint({}, { ...of, owner: { kind: 'group', key: 'pg_2' } });
    await mint({}, { ...of, owner: { kind: 'season', key: 'pg_1' } });
    const { sessions } = await catalog.ask('owner-sessions.list', { owner: of.owner });
    expect(sessions.map(({ sessionId }) => sessionId)).toEqual([second.session.sessionId, first.session.sessionId]);
  });

  test('a revoked session stays known as revoked, and the end is announced', async () => {
    const { session, token } = await mint();
    const { sessionId } = session;
    const elsewhere = { owner: { kind: 'group' as const, key: 'pg_2' }, sessionId };
    expect((await catalog.refusal('owner-sessions.revoke', elsewhere)).code).toBe('not_found');
    await catalog.ask('owner-sessions.revoke', { owner: of.owner, sessionId });
    expect(await holderOf(token)).toMatchObject({ revokedAt: catalog.clock.time });
    expect(catalog.announced).toContainEqual({ kind: 'key', hash: sha256(token) });
    const { sessions } = await catalog.ask('owner-sessions.list', { owner: of.owner });
    expect(sessions).toMatchObject([{ sessionId, state: 'revoked' }]);
  });

  test('a channel that ends takes itself out of sessions, and ends a session without another channel', async () => {
    const [one, two] = eventKeys as [string, string];
    const both = await mint({ channelIdsByEvent: { [one]: ['chn_1'], [two]: ['chn_2'] } });
    const alone = await mint({ channelIdsByEvent: { [one]: ['chn_1'] } });
    const end = { scope, eventKey: one, channelId: 'chn_1' };
    expect(await catalog.ask('channel-access.revoke', end)).toEqual({ revokedSessions: 1 });
    expect(await holderOf(both.token)).toMatchObject({ channelIdsByEvent: { [two]: ['chn_2'] }, revokedAt: null });
    expect(await holderOf(alone.token)).toMatchObject({ revokedAt: catalog.clock.time });
  });

  test('a session takes over the holds of an earlier one, and those that this one had taken over', async () => {
    const first = await mint({ expiresInSeconds: 60 });
    const second = await mint();
    const third = await mint();
    catalog.clock.time += 61_000;
    const adopt = (by: typeof first, from: typeof first) =>
      catalog.ask('owner-sessions.adopt', { sessionId: by.session.sessionId, previousHash: sha256(from.token) });
    await adopt(second, first);
    await adopt(third, second);
    const adopted = [first.session.sessionId, second.session.sessionId];
    expect(await holderOf(third.token)).toMatchObject({ adopted });
  });

  test('a session of another owner, of another origin or revoked is not taken over', async () => {
    const { session } = await mint();
    const foreign = await mint({}, { ...of, owner: { kind: 'group', key: 'pg_2' } });
    const elsewhere = await mint({ allowedOrigin: 'https://other.example' });
    const ended = await mint();
    await catalog.ask('owner-sessions.revoke', { owner: of.owner, sessionId: ended.session.sessionId });
    for (const { token } of [foreign, elsewhere, ended, { token: 'bgs_0' }]) {
      const adoption = { sessionId: session.sessionId, previousHash: sha256(token) };
      expect((await catalog.refusal('owner-sessions.adopt', adoption)).code).toBe('buyer_access_invalid');
    }
  });
}
