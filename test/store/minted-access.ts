/**
 * The access that a revoked key or a deleted user gave to others, on two catalogs that share one database. Runs on both
 * adapters.
 */
import type { Principal, Scope } from '@parterre/shared/protocol/catalog/scope';
import { sha256 } from '@parterre/shared/protocol/ids';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { collections } from '../../services/catalog/src/store/collections.ts';
import type { Collection } from '../../services/catalog/src/store/store.ts';
import type { MakeDatabase, TestDatabase } from './adapters.ts';
import { organisationScope, publishedChart, type TestCatalog, testCatalog } from './test-catalog.ts';

const allowedOrigin = 'https://shop.example';
const channelId = 'chn_1';
const nothing = {
  counts: { sessions: 0, accessLinks: 0, webhooks: 0 },
  sessions: [],
  accessLinks: [],
  webhooks: [],
};

export function mintedAccessContract(makeDatabase: MakeDatabase): void {
  let database: TestDatabase;
  let catalogs: TestCatalog[];
  let catalog: TestCatalog;
  let setter: Scope;
  let chartId: string;
  let eventKey: string;
  let workspaceId: string;
  beforeEach(async () => {
    database = await makeDatabase(collections as readonly Collection<object>[]);
    catalogs = [testCatalog(await database.connect()), testCatalog(await database.connect())];
    catalog = catalogs[0]!;
    setter = await organisationScope(catalog);
    chartId = await publishedChart(catalog, setter);
    const { event } = await catalog.ask('events.create', { scope: setter, draft: { chartId } });
    eventKey = event.key;
    workspaceId = event.workspaceId;
  });
  afterEach(() => database.remove());

  const newKey = async (): Promise<Scope> => {
    const { organisationId } = setter;
    const { key } = await catalog.ask('keys.create', { organisationId, kind: 'secret', mode: 'test' });
    return { ...setter, actor: key.id };
  };
  const newUser = async (): Promise<Scope> => {
    const { organisationId } = setter;
    const user = {
      organisationId,
      email: 'ada@theatre.example',
      password: 'seven seats in row C',
      role: 'admin',
    } as const;
    return { ...setter, mode: null, actor: (await catalog.ask('users.create', user)).user.id, role: 'admin' };
  };
  const revoke = (scope: Scope, endsMinted: boolean, by = catalogs[1]!) =>
    by.ask('keys.revoke', { organisationId: scope.organisationId, keyId: scope.actor, endsMinted });
  const holderOf = async (token: string): Promise<Principal | null> => {
    const found = await catalog.operations['credentials.resolve']({ hash: sha256(token) });
    return found.ok ? found.value : null;
  };
  const isRevoked = async (token: string) => {
    const holder = await holderOf(token);
    return holder === null || !('revokedAt' in holder) || holder.revokedAt !== null;
  };

  const owner = { kind: 'group', key: 'pg_1' } as const;
  const draft = { includePublic: true, allowedOrigin };
  const make = {
    manage: (scope: Scope) =>
      catalog.ask('manage-sessions.create', { scope, eventKey, allowedOrigin, capabilities: ['event:view'] }),
    designer: (scope: Scope) =>
      catalog.ask('designer-sessions.create', {
        scope,
        workspaceId,
        chartId,
        allowedOrigin,
        authority: 'publish',
        safe: null,
      }),
    buyer: (scope: Scope, more: { clientRequestId?: string } = {}) =>
      catalog.ask('buyer-sessions.create', {
        scope,
        eventKey,
        accessSource: 'partner',
        draft: { ...draft, ...more, channelIds: [channelId] },
      }),
    group: (scope: Scope) =>
      catalog.ask('owner-sessions.create', {
        scope,
        of: { organisationId: scope.organisationId, workspaceId, mode: 'test', environment: null, owner },
        draft: { ...draft, channelIdsByEvent: {}, accessSource: 'partner' },
      }),
    link: (scope: Scope) =>
      catalog.ask('access-links.create', {
        scope,
        eventKey,
        channelId,
        draft: {},
        by: { source: 'server', reason: null },
      }),
    webhook: (scope: Scope) =>
      catalog.ask('webhooks.create', { scope, url: 'https://receiver.example', events: ['seat.booked'] }),
  };
  const redeem = (capability: string) =>
    catalog.ask('access-links.redeem', { eventKey, capability, origin: allowedOrigin });

  /** One of each kind, and a session that the link opened. */
  async function everything(scope: Scope) {
    const sessions = [await make.manage(scope), await make.designer(scope), await make.buyer(scope)];
    const tokens = [...sessions, await make.group(scope)].map(({ token }) => token);
    const { link, capability } = await make.link(scope);
    const { token } = await redeem(capability);
    return { tokens: [...tokens, token], link, capability, webhook: (await make.webhook(scope)).sub };
  }

  test('a revoked key lists what it gave to others, without tokens, and leaves it', async () => {
    const key = await newKey();
    const { tokens, link, webhook } = await everything(key);
    const told = await revoke(key, false);
    expect(told).toMatchObject({
      ok: true,
      ended: nothing,
      left: { counts: { sessions: 5, accessLinks: 1, webhooks: 1 } },
    });
    expect(told.left.sessions.map(({ kind, of }) => `${kind} ${of}`).sort()).toEqual(
      [
        `buyer ${eventKey}`,
        `buyer ${eventKey}`,
        `designer ${chartId}`,
        `group ${owner.key}`,
        `manage ${eventKey}`,
      ].sort(),
    );
    expect(told.left.accessLinks).toEqual([
      { id: link.id, eventKey, channelId, activeSessions: 1, expiresAt: link.expiresAt },
    ]);
    expect(told.left.webhooks).toEqual([{ id: webhook.id, url: webhook.url }]);
    for (const token of tokens) {
      expect(JSON.stringify(told)).not.toContain(token.slice(4));
      expect(await isRevoked(token)).toBe(false);
    }
  });

  test('the same call ends it all, announces every end, and touches nothing of other keys', async () => {
    const key = await newKey();
    const other = await newKey();
    const leaked = await everything(key);
    const standing = await everything(other);
    await revoke(key, false);
    const told = await revoke(key, true);
    const counts = { sessions: 5, accessLinks: 1, webhooks: 1 };
    expect(told).toMatchObject({ ended: { counts }, left: nothing });
    const announced = catalogs[1]!.announced.flatMap((one) => (one.kind === 'key' ? [one.hash] : [one.kind]));
    for (const token of leaked.tokens) {
      expect(await isRevoked(token)).toBe(true);
      expect(announced).toContain(sha256(token));
    }
    expect(announced).toContain('webhooks');
    expect(announced).toContain('event');
    const origin = { eventKey, origin: allowedOrigin };
    const refused = await catalog.refusal('access-links.redeem', { ...origin, capability: leaked.capability });
    expect(refused.code).toBe('buyer_access_revoked');
    for (const token of standing.tokens) expect(await isRevoked(token)).toBe(false);
    await redeem(standing.capability);
    const { subs } = await catalog.ask('webhooks.list', { scope: setter });
    expect(Object.fromEntries(subs.map(({ id, disabled }) => [id, disabled]))).toEqual({
      [leaked.webhook.id]: true,
      [standing.webhook.id]: false,
    });
    expect(await revoke(key, true)).toMatchObject({ ended: nothing, left: nothing });
  });

  test('a link that a console of the key made ends with the key, after the console is gone too', async () => {
    const key = await newKey();
    const { session } = await make.manage(key);
    const { capability } = await make.link({ ...key, actor: session.sessionId });
    const { token } = await redeem(capability);
    await catalog.ask('manage-sessions.revoke', { scope: setter, eventKey, sessionId: session.sessionId });
    const told = await revoke(key, true);
    expect(told.ended.counts).toEqual({ sessions: 1, accessLinks: 1, webhooks: 0 });
    expect(await isRevoked(token)).toBe(true);
  });

  test('a mint that races with the end of its key stands before it, or is refused', async () => {
    for (let round = 0; round < 5; round++) {
      const key = await newKey();
      const mints = [make.manage, make.designer, make.buyer, make.group, make.link, make.webhook];
      const minted = Promise.allSettled(mints.map((mint) => mint(key)));
      await revoke(key, true);
      await minted;
      // Whatever stands now would have been missed by the end.
      expect((await revoke(key, false)).left).toEqual(nothing);
    }
  });

  test.each(['manage', 'designer', 'buyer', 'group', 'link', 'webhook'] as const)(
    'a revoked key that a front door still remembers makes no %s',
    async (kind) => {
      const key = await newKey();
      await revoke(key, false);
      await expect(make[kind](key)).rejects.toThrow('unauthorized');
      if (kind === 'buyer') await expect(make.buyer(key, { clientRequestId: 'cart' })).rejects.toThrow('unauthorized');
      expect((await revoke(key, false)).left).toEqual(nothing);
    },
  );

  test('a deleted user leaves what they gave to others, or ends it', async () => {
    const user = await newUser();
    const { tokens } = await everything(user);
    const { organisationId, actor: userId } = user;
    const told = await catalog.ask('users.delete', { organisationId, userId, endsMinted: true });
    expect(told.ended.counts).toEqual({ sessions: 5, accessLinks: 1, webhooks: 1 });
    for (const token of tokens) expect(await isRevoked(token)).toBe(true);
    await expect(make.manage(user)).rejects.toThrow('unauthorized');
  });

  test('the sessions of an event’s consoles are listed in pages, newest first, with their minter', async () => {
    const key = await newKey();
    const made: string[] = [];
    for (let i = 0; i < 3; i++) {
      for (const each of catalogs) each.clock.time += 1;
      made.unshift((await make.manage(key)).session.sessionId);
    }
    await make.buyer(key);
    const list = (page: object, scope = setter) => catalog.ask('manage-sessions.list', { scope, eventKey, page });
    const first = await list({ limit: 2 });
    const rest = await list({ limit: 2, cursor: first.nextCursor! });
    expect([...first.sessions, ...rest.sessions].map(({ sessionId }) => sessionId)).toEqual(made);
    expect(rest.nextCursor).toBeUndefined();
    expect(first.sessions[0]).toEqual({
      sessionId: made[0],
      eventKey,
      workspaceId,
      mode: 'test',
      allowedOrigin,
      capabilities: ['event:view'],
      expiresAt: catalog.clock.time + 3_600_000,
      revokedAt: null,
      createdAt: catalog.clock.time,
      state: 'active',
      mintedBy: key.actor,
    });
    await catalog.ask('manage-sessions.revoke', { scope: setter, eventKey, sessionId: made[0]! });
    expect((await list({})).sessions.map(({ state }) => state)).toEqual(['revoked', 'active', 'active']);
    for (const each of catalogs) each.clock.time += 3_600_000;
    expect((await list({})).sessions.map(({ state }) => state)).toEqual(['revoked', 'expired', 'expired']);
    const stranger = await organisationScope(catalog);
    const refused = await catalog.refusal('manage-sessions.list', { scope: stranger, eventKey, page: {} });
    expect(refused.code).toBe('not_found');
  });

  test('designer sessions are listed by organisation, mode, workspace and chart', async () => {
    const key = await newKey();
    const user = await newUser();
    const live: Scope = { ...(await newKey()), mode: 'live' };
    const byTest = (await make.designer(key)).session.sessionId;
    const byLive = (await make.designer(live)).session.sessionId;
    const byUser = (await make.designer(user)).session.sessionId;
    const list = async (scope: Scope, chart?: string) => {
      const { sessions } = await catalog.ask('designer-sessions.list', {
        scope,
        page: {},
        ...(chart !== undefined && { chartId: chart }),
      });
      return sessions.map(({ sessionId }) => sessionId).sort();
    };
    for (const chart of [undefined, chartId]) {
      expect(await list(key, chart)).toEqual([byTest]);
      expect(await list(live, chart)).toEqual([byLive]);
      expect(await list(user, chart)).toEqual([byTest, byLive, byUser].sort());
      expect(await list({ ...key, workspaceId }, chart)).toEqual([byTest]);
    }
    expect(await list({ ...key, workspaceId: 'ws_0' })).toEqual([]);
    const stranger = await organisationScope(catalog);
    expect(await list(stranger)).toEqual([]);
    for (const scope of [stranger, { ...key, workspaceId: 'ws_0' }]) {
      const refused = await catalog.refusal('designer-sessions.list', { scope, chartId, page: {} });
      expect(refused.code).toBe('chart_not_found');
    }
  });
}
