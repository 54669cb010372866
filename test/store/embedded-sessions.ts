/** Embedded sessions, on two catalogs that share one database. Runs on both adapters. */
import type { BuyerSessionDraft } from '@parterre/shared/protocol/catalog/access';
import type { Principal, Scope } from '@parterre/shared/protocol/catalog/scope';
import { sha256 } from '@parterre/shared/protocol/ids';
import { endedSessionKeepMs } from '@parterre/shared/protocol/limits';
import { isSessionToken } from '@parterre/shared/protocol/session-tokens';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { collections, embeddedSessions, expiring } from '../../services/catalog/src/store/collections.ts';
import type { Collection } from '../../services/catalog/src/store/store.ts';
import { sweep } from '../../services/catalog/src/store/sweeper.ts';
import type { MakeDatabase, TestDatabase } from './adapters.ts';
import { organisationScope, publishedChart, type TestCatalog, testCatalog } from './test-catalog.ts';

const allowedOrigin = 'https://shop.example';
const draft: BuyerSessionDraft = { channelIds: [], includePublic: true, allowedOrigin };

export function embeddedSessionsContract(makeDatabase: MakeDatabase): void {
  let database: TestDatabase;
  let catalogs: TestCatalog[];
  let catalog: TestCatalog;
  let scope: Scope;
  let eventKey: string;
  let otherKey: string;
  beforeEach(async () => {
    database = await makeDatabase(collections as readonly Collection<object>[]);
    catalogs = [testCatalog(await database.connect()), testCatalog(await database.connect())];
    catalog = catalogs[0]!;
    scope = await organisationScope(catalog);
    const chartId = await publishedChart(catalog, scope);
    [eventKey, otherKey] = [await makeEvent(chartId), await makeEvent(chartId)];
  });
  afterEach(() => database.remove());

  const makeEvent = async (chartId: string) =>
    (await catalog.ask('events.create', { scope, draft: { chartId } })).event.key;
  const waitFor = (ms: number) => {
    for (const { clock } of catalogs) clock.time += ms;
  };
  const make = (more: Partial<BuyerSessionDraft> = {}, by = catalog) =>
    by.ask('buyer-sessions.create', { scope, eventKey, draft: { ...draft, ...more }, accessSource: 'partner' });
  const open = (more: object = {}) =>
    catalog.ask('manage-sessions.create', {
      scope,
      eventKey,
      allowedOrigin,
      capabilities: ['event:view'],
      ...more,
    });
  const holderOf = async (token: string, by = catalog): Promise<Principal | null> => {
    const found = await by.operations['credentials.resolve']({ hash: sha256(token) });
    return found.ok ? found.value : null;
  };
  const announcedBy = (each: TestCatalog) => each.announced.flatMap((one) => (one.kind === 'key' ? [one.hash] : []));
  const sweepAll = async () => {
    for (const { collection, keepMs } of expiring) await sweep(catalog.store, collection, catalog.clock.now() - keepMs);
  };

  test('a buyer’s session has the values of its draft, and every catalog finds it by its token', async () => {
    const { session, token, grantVersion } = await make({
      channelIds: ['chn_1', 'chn_2'],
      includePublic: false,
      expiresInSeconds: 60,
      maxQuantity: 4,
      buyerRef: 'buyer 7',
      partnerRef: 'fan club',
    });
    expect(isSessionToken(token, 'bse')).toBe(true);
    expect(grantVersion).toBe(1);
    expect(session).toEqual({
      kind: 'buyer',
      sessionId: expect.stringMatching(/^ses_[0-9A-Za-z]{20,}$/),
      organisationId: scope.organisationId,
      workspaceId: expect.stringMatching(/^ws_/),
      mode: 'test',
      eventKey,
      channelIds: ['chn_1', 'chn_2'],
      includePublic: false,
      origin: allowedOrigin,
      maxQuantity: 4,
      buyerRef: 'buyer 7',
      partnerRef: 'fan club',
      accessSource: 'partner',
      expiresAt: catalog.clock.time + 60_000,
      revokedAt: null,
    });
    for (const each of catalogs) expect(await holderOf(token, each)).toEqual(session);
  });

  test('sessions last half an hour or an hour by default', async () => {
    const now = catalog.clock.time;
    expect((await make()).session.expiresAt).toBe(now + 30 * 60_000);
    expect((await open()).session.expiresAt).toBe(now + 60 * 60_000);
  });

  test('a console’s session has its capabilities, event and origin', async () => {
    const { session, token } = await open({ capabilities: ['event:view', 'event:block'], expiresInSeconds: 300 });
    expect(isSessionToken(token, 'mse')).toBe(true);
    expect(session).toMatchObject({
      kind: 'manage',
      eventKey,
      origin: allowedOrigin,
      capabilities: ['event:view', 'event:block'],
      expiresAt: catalog.clock.time + 300_000,
    });
    expect(await holderOf(token, catalogs[1])).toEqual(session);
  });

  test('a session to public sale alone is in no list, and ends with its key', async () => {
    const { organisationId } = scope;
    const where = { organisationId, workspaceId: 'ws_1', mode: 'test', eventKey } as const;
    const made = await catalog.ask('keys.create', { organisationId, kind: 'publishable', mode: 'test' });
    const key = { keyId: made.key.id, budgets: { buyerReads: 7 } };
    const opened = { ...where, ...key, origin: allowedOrigin, count: 2 };
    const { session: first, token, tokens, sessionIds } = await catalog.ask('buyer-sessions.open-public', opened);
    const other = tokens![1]!;
    // A front door of the version before reads the first session alone.
    expect(tokens).toEqual([token, other]);
    expect(await holderOf(token)).toEqual(first);
    const reach = { channelIds: [], includePublic: true, maxQuantity: null, accessSource: 'public' };
    const [session, ofOther] = [await holderOf(token), await holderOf(other)];
    expect(session).toMatchObject({ ...reach, ...key, expiresAt: first.expiresAt, revokedAt: null });
    expect(ofOther).toEqual({ ...session, sessionId: expect.stringMatching(/^ses_/) });
    expect(ofOther).not.toEqual(session);
    // A front door knows both without a lookup.
    expect([first, { ...first, sessionId: sessionIds![1] }]).toEqual([session, ofOther]);
    expect(await catalog.ask('buyer-sessions.list', { scope, eventKey })).toEqual({ sessions: [] });
    await catalogs[1]!.ask('keys.revoke', { organisationId, keyId: made.key.id, endsMinted: false });
    expect(await holderOf(token)).toMatchObject({ kind: 'buyer', revokedAt: catalog.clock.time });
    const announced = [sha256(made.secret), sha256(token), sha256(other)];
    expect(announcedBy(catalogs[1]!).sort()).toEqual(announced.sort());
    expect(await catalog.refusal('buyer-sessions.open-public', opened)).toMatchObject({ code: 'buyer_access_invalid' });
  });

  test('an ended session is known for a day, with its kind, and then forgotten', async () => {
    const ending = await make({ expiresInSeconds: 60 });
    const revoked = await make({ expiresInSeconds: 60 });
    const target = { scope, eventKey, sessionId: revoked.session.sessionId };
    await catalog.ask('buyer-sessions.revoke', target);
    waitFor(60_000);
    await sweepAll();
    expect(await holderOf(ending.token)).toMatchObject({ kind: 'buyer', revokedAt: null });
    expect(await holderOf(revoked.token)).toMatchObject({ kind: 'buyer', revokedAt: catalog.clock.time - 60_000 });
    waitFor(endedSessionKeepMs - 1);
    await sweepAll();
    expect(await holderOf(ending.token)).not.toBeNull();
    waitFor(1);
    await sweepAll();
    for (const { token } of [ending, revoked]) expect(await holderOf(token)).toBeNull();
  });

  test('the same request renews its session: the id stays, the grant version grows, the earlier token is revoked', async () => {
    const first = await make({ clientRequestId: 'cart 1', maxQuantity: 2 });
    waitFor(1_000);
    const second = await make({ clientRequestId: 'cart 1', channelIds: ['chn_1'] }, catalogs[1]);
    expect(second.session.sessionId).toBe(first.session.sessionId);
    expect(second).toMatchObject({ grantVersion: 2, session: { channelIds: ['chn_1'], maxQuantity: null } });
    expect(announcedBy(catalogs[1]!)).toEqual([sha256(first.token)]);
    expect(await holderOf(first.token)).toMatchObject({ revokedAt: catalog.clock.time });
    expect(await holderOf(second.token)).toEqual(second.session);
    const { sessions } = await catalog.ask('buyer-sessions.list', { scope, eventKey });
    expect(sessions).toMatchObject([{ sessionId: first.session.sessionId, state: 'active', channelIds: ['chn_1'] }]);
    expect((await make({ clientRequestId: 'cart 2' })).session.sessionId).not.toBe(first.session.sessionId);
  });

  test('the same request of another event is another session', async () => {
    const first = await make({ clientRequestId: 'cart 1' });
    const input = { scope, eventKey: otherKey, accessSource: 'partner' } as const;
    const other = await catalog.ask('buyer-sessions.create', {
      ...input,
      draft: { ...draft, clientRequestId: 'cart 1' },
    });
    expect(other.session.sessionId).not.toBe(first.session.sessionId);
    expect(await holderOf(first.token)).toMatchObject({ revokedAt: null });
  });

  test('after parallel renewals through two catalogs one token is valid, and the ends of all others were announced', async () => {
    for (let round = 0; round < 5; round++) {
      const made = await Promise.all(
        Array.from({ length: 8 }, (_, racer) => make({ clientRequestId: `round ${round}` }, catalogs[racer % 2])),
      );
      expect(new Set(made.map(({ session }) => session.sessionId)).size).toBe(1);
      expect(made.map(({ grantVersion }) => grantVersion).sort((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
      const holders = await Promise.all(made.map(({ token }) => holderOf(token)));
      const standing = made.filter((_, i) => (holders[i] as { revokedAt: number | null }).revokedAt === null);
      expect(standing.map(({ grantVersion }) => grantVersion)).toEqual([8]);
      const announced = new Set(catalogs.flatMap(announcedBy));
      for (const each of made) expect(announced.has(sha256(each.token))).toBe(each !== standing[0]);
    }
  });

  test('a revoked session can be revoked again, and is announced again; its next renewal is valid', async () => {
    const first = await make({ clientRequestId: 'cart' });
    const { sessionId } = first.session;
    const revoke = () => catalog.ask('buyer-sessions.revoke', { scope, eventKey, sessionId });
    expect(await revoke()).toEqual({ sessionId, grantVersion: 2 });
    expect(await revoke()).toEqual({ sessionId, grantVersion: 2 });
    expect(announcedBy(catalog)).toEqual([sha256(first.token), sha256(first.token)]);
    expect(await holderOf(first.token)).toMatchObject({ revokedAt: catalog.clock.time });
    const { sessions } = await catalog.ask('buyer-sessions.list', { scope, eventKey });
    expect(sessions).toMatchObject([{ sessionId, state: 'revoked' }]);
    const next = await make({ clientRequestId: 'cart' });
    expect(next).toMatchObject({ grantVersion: 3, session: { sessionId, revokedAt: null } });
    expect(await holderOf(first.token)).toMatchObject({ revokedAt: catalog.clock.time });
  });

  const epoch = async () => (await catalog.ask('events.get', { eventKey })).event.accessEpoch ?? 0;

  test('an end of access to channels is counted in the event and announced, an end of public sale is not', async () => {
    const revoke = async (more: object) => {
      const { sessionId } = (await make(more)).session;
      await catalog.ask('buyer-sessions.revoke', { scope, eventKey, sessionId });
    };
    await revoke({ channelIds: [], includePublic: true });
    expect(await epoch()).toBe(0);
    await revoke({ channelIds: ['chn_1'] });
    expect(await epoch()).toBe(1);
    expect(catalog.announced).toContainEqual({ kind: 'event', eventKey });
    for (let made = 0; made < 3; made++) await make({ channelIds: ['chn_2'] });
    const revokeChannel = () => catalog.ask('channel-access.revoke', { scope, eventKey, channelId: 'chn_2' });
    await revokeChannel();
    expect(await epoch()).toBe(2);
    // The caller repeats an end that has failed behind the end of the sessions.
    expect(await revokeChannel()).toEqual({ revokedSessions: 0 });
    expect(await epoch()).toBe(3);
  });

  test('a channel that ends for a session is counted, also where the session reaches others or is renewed', async () => {
    const renew = (...channelIds: string[]) => make({ clientRequestId: 'cart', channelIds });
    await renew('chn_1');
    await renew('chn_2', 'chn_1');
    expect(await epoch()).toBe(0);
    await renew('chn_2', 'chn_3');
    expect(await epoch()).toBe(1);
    expect(catalog.announced).toContainEqual({ kind: 'event', eventKey });
    await catalog.ask('channel-access.revoke', { scope, eventKey, channelId: 'chn_2' });
    expect(await epoch()).toBe(2);
  });

  test('a session is only found under its own event, organisation and kind', async () => {
    const buyer = (await make()).session.sessionId;
    const console_ = (await open()).session.sessionId;
    const stranger = await organisationScope(catalog);
    const asked = [
      { operation: 'buyer-sessions.revoke', scope, eventKey: otherKey, sessionId: buyer },
      { operation: 'buyer-sessions.revoke', scope: stranger, eventKey, sessionId: buyer },
      { operation: 'buyer-sessions.revoke', scope, eventKey, sessionId: console_ },
      { operation: 'buyer-sessions.revoke', scope, eventKey, sessionId: 'ses_0' },
      { operation: 'manage-sessions.revoke', scope, eventKey: otherKey, sessionId: console_ },
      { operation: 'manage-sessions.revoke', scope, eventKey, sessionId: buyer },
    ] as const;
    for (const { operation, ...input } of asked) {
      expect(await catalog.refusal(operation, input)).toMatchObject({ code: 'not_found' });
    }
    expect(catalog.announced.filter(({ kind }) => kind === 'key')).toEqual([]);
    expect(await catalog.ask('manage-sessions.revoke', { scope, eventKey, sessionId: console_ })).toEqual({ ok: true });
  });

  test('a key of the other mode makes no session', async () => {
    const live = { ...scope, mode: 'live' as const };
    const input = { scope: live, eventKey, draft, accessSource: 'partner' } as const;
    expect(await catalog.refusal('buyer-sessions.create', input)).toMatchObject({ code: 'mode_mismatch' });
  });

  test.each([
    'null',
    '',
    'shop.example',
    'https://shop.example/',
    'https://shop.example/cart',
    'https://SHOP.example',
    'https://shop.example:443',
    'https://user@shop.example',
    'https://*.shop.example',
    'https://*',
    'http://shop.example',
    'http://localhost.evil.example',
    'http://127.0.0.1:3000',
    'javascript:alert(1)',
    'https://shöp.example',
  ])('no session is bound to %j', async (origin) => {
    const input = { scope, eventKey, draft: { ...draft, allowedOrigin: origin }, accessSource: 'partner' } as const;
    expect(await catalog.refusal('buyer-sessions.create', input)).toMatchObject({
      code: 'invalid_request',
      details: { issues: [{ path: 'allowedOrigin' }] },
    });
  });

  test.each(['https://shop.example:8443', 'http://localhost', 'http://localhost:5173', 'https://xn--shp-sna.example'])(
    'a session of a test event is bound to %s',
    async (origin) => expect((await make({ allowedOrigin: origin })).session.origin).toBe(origin),
  );

  test('a console’s session ends with its workspace, and no other opens there', async () => {
    const { workspace } = await catalog.ask('workspaces.create', { scope, name: 'Festival' });
    const chartId = await publishedChart(catalog, scope, workspace.id);
    eventKey = await makeEvent(chartId);
    const console_ = await open();
    const buyer = await make();
    await catalog.ask('workspaces.update', { scope, workspaceId: workspace.id, status: 'disabled' });
    expect(announcedBy(catalog)).toEqual([sha256(console_.token)]);
    await catalog.ask('workspaces.update', { scope, workspaceId: workspace.id, status: 'active' });
    await catalog.ask('workspaces.update', { scope, workspaceId: workspace.id, status: 'disabled' });
    expect(await holderOf(console_.token)).toMatchObject({ revokedAt: catalog.clock.time });
    expect(await holderOf(buyer.token)).toMatchObject({ revokedAt: null });
    const input = { scope, eventKey, allowedOrigin, capabilities: ['event:view'] } as const;
    expect(
      await catalog.refusal('manage-sessions.create', { ...input, capabilities: [...input.capabilities] }),
    ).toMatchObject({ code: 'workspace_not_found_or_disabled' });
    expect(await holderOf((await open({ eventKey: otherKey })).token)).toMatchObject({ revokedAt: null });
  });

  test('sessions of a deleted event are not valid', async () => {
    const console_ = await open();
    const buyer = await make();
    await catalog.ask('events.settle', {
      eventKey,
      at: catalog.clock.time,
      facts: { status: 'deleted' },
    });
    for (const { token } of [console_, buyer]) {
      expect(await holderOf(token)).toMatchObject({ revokedAt: catalog.clock.time });
    }
    const input = { scope, eventKey, draft, accessSource: 'partner' } as const;
    expect(await catalog.refusal('buyer-sessions.create', input)).toMatchObject({ code: 'not_found' });
  });

  test('a designer’s session has one chart and workspace, and ends with the workspace or by a revoke', async () => {
    const { workspace } = await catalog.ask('workspaces.create', { scope, name: 'Festival' });
    const workspaceId = workspace.id;
    const ownChart = await publishedChart(catalog, scope, workspaceId);
    const input = {
      scope,
      workspaceId,
      chartId: ownChart,
      allowedOrigin,
      authority: 'edit',
      safe: null,
    } as const;
    const open = () => catalog.ask('designer-sessions.create', { ...input, expiresInSeconds: 300 });
    const { session, token } = await open();
    expect(session).toEqual({
      kind: 'designer',
      sessionId: expect.stringMatching(/^ses_/),
      organisationId: scope.organisationId,
      workspaceId,
      mode: scope.mode,
      chartId: ownChart,
      origin: allowedOrigin,
      authority: 'edit',
      safe: null,
      expiresAt: catalog.clock.time + 300_000,
      revokedAt: null,
    });
    expect(await holderOf(token)).toEqual(session);
    for (const [wrong, code] of [
      [{ chartId: await publishedChart(catalog, scope) }, 'chart_not_found'],
      [{ workspaceId: 'ws_0' }, 'workspace_not_found_or_disabled'],
      [{ scope: { ...scope, mode: 'live' }, allowedOrigin: 'http://localhost:3000' }, 'invalid_request'],
      [{ scope: { ...scope, mode: null }, allowedOrigin: 'http://localhost:3000' }, 'invalid_request'],
      [{ scope: await organisationScope(catalog) }, 'workspace_not_found_or_disabled'],
    ] as const) {
      expect(await catalog.refusal('designer-sessions.create', { ...input, ...wrong })).toMatchObject({ code });
    }
    const { sessionId } = session;
    const stranger = await organisationScope(catalog);
    for (const wrong of [stranger, { ...scope, workspaceId: 'ws_0' }]) {
      const refusal = await catalog.refusal('designer-sessions.revoke', { scope: wrong, sessionId });
      expect(refusal.code).toBe('not_found');
    }
    expect(await catalog.ask('designer-sessions.revoke', { scope, sessionId })).toEqual({ ok: true });
    expect(await holderOf(token)).toMatchObject({ revokedAt: catalog.clock.time });

    const next = await open();
    await catalog.ask('workspaces.update', { scope, workspaceId, status: 'disabled' });
    expect(await holderOf(next.token)).toMatchObject({ revokedAt: catalog.clock.time });
    expect(announcedBy(catalog)).toEqual([sha256(token), sha256(next.token)]);
    expect(await catalog.refusal('designer-sessions.create', input)).toMatchObject({
      code: 'workspace_not_found_or_disabled',
    });
  });

  test('no token is stored or announced', async () => {
    const tokens = [
      (await make({ clientRequestId: 'cart' })).token,
      (await make({ clientRequestId: 'cart' })).token,
      (await open()).token,
    ];
    const kept = await catalog.store.page(embeddedSessions, { index: 'byExpiry', equal: [], limit: 99 });
    const told = JSON.stringify([kept, catalog.announced]);
    for (const token of tokens) expect(told).not.toContain(token.slice(4));
  });
}
