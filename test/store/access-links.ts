/** Access links and the end of a channel, on two catalogs that share one database. Runs on both adapters. */
import type { AccessLinkDraft } from '@parterre/shared/protocol/catalog/access';
import type { Principal, Scope } from '@parterre/shared/protocol/catalog/scope';
import { sha256 } from '@parterre/shared/protocol/ids';
import { accessLinksPerChannelMax } from '@parterre/shared/protocol/limits';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { accessLinks, collections, embeddedSessions } from '../../services/catalog/src/store/collections.ts';
import type { Collection } from '../../services/catalog/src/store/store.ts';
import type { MakeDatabase, TestDatabase } from './adapters.ts';
import { organisationScope, publishedChart, type TestCatalog, testCatalog } from './test-catalog.ts';

const origin = 'https://shop.example';
const channelId = 'chn_1';
const by = { source: 'server', reason: null } as const;

export function accessLinksContract(makeDatabase: MakeDatabase): void {
  let database: TestDatabase;
  let catalogs: TestCatalog[];
  let catalog: TestCatalog;
  let scope: Scope;
  let chartId: string;
  let eventKey: string;
  beforeEach(async () => {
    database = await makeDatabase(collections as readonly Collection<object>[]);
    catalogs = [testCatalog(await database.connect()), testCatalog(await database.connect())];
    catalog = catalogs[0]!;
    scope = await organisationScope(catalog);
    chartId = await publishedChart(catalog, scope);
    eventKey = (await catalog.ask('events.create', { scope, draft: { chartId } })).event.key;
  });
  afterEach(() => database.remove());

  const waitFor = (ms: number) => {
    for (const { clock } of catalogs) clock.time += ms;
  };
  const make = (draft: AccessLinkDraft = {}, of = channelId) =>
    catalog.ask('access-links.create', { scope, eventKey, channelId: of, draft, by });
  const redeem = (capability: string, by = catalog) =>
    by.operations['access-links.redeem']({ eventKey, capability, origin });
  const codeOf = async (capability: string) => {
    const outcome = await redeem(capability);
    return outcome.ok ? 'ok' : outcome.refusal.code;
  };
  const comeIn = async (capability: string) => {
    const outcome = await redeem(capability);
    if (!outcome.ok) throw new Error(JSON.stringify(outcome.refusal));
    return outcome.value;
  };
  const listed = async () => (await catalog.ask('access-links.list', { scope, eventKey, channelId })).links;
  const holderOf = async (token: string): Promise<Principal | null> => {
    const found = await catalog.operations['credentials.resolve']({ hash: sha256(token) });
    return found.ok ? found.value : null;
  };
  const standing = async (token: string) =>
    (await holderOf(token)) as { revokedAt: number | null; channelIds: string[] };
  const announced = () =>
    catalogs.flatMap((each) => each.announced.flatMap((one) => (one.kind === 'key' ? [one.hash] : [])));
  const summary = async () => (await catalog.ask('channel-access.summary', { eventKey })).channels;

  test('a link has the values of its draft, and opens sessions to its channel from the page’s origin', async () => {
    const draft = { label: 'Fans', expiresAt: catalog.clock.time + 9_000, maxRedemptions: 5, maxQuantity: 2 };
    const { link, capability } = await make({ ...draft, sessionTtlSeconds: 120, includePublic: true });
    expect(capability).toMatch(/^acl_[0-9A-Za-z]{43}$/);
    expect(link).toEqual({
      id: expect.stringMatching(/^lnk_/),
      channelId,
      ...draft,
      redemptions: 0,
      sessionTtlSeconds: 120,
      includePublic: true,
      state: 'active',
      status: 'active',
      createdAt: catalog.clock.time,
      createdBy: scope.actor,
      revokedAt: null,
      lastRedeemedAt: null,
      rotatedFrom: null,
      rotatedTo: null,
    });
    waitFor(1_000);
    const { session, token } = await comeIn(capability);
    expect(session).toMatchObject({
      channelIds: [channelId],
      includePublic: true,
      origin,
      maxQuantity: 2,
      accessSource: 'hosted_link',
      expiresAt: catalog.clock.time + 120_000,
    });
    expect(await holderOf(token)).toEqual(session);
    expect(await listed()).toEqual([
      { ...link, redemptions: 1, lastRedeemedAt: catalog.clock.time, activeSessions: 1 },
    ]);
    const { sessions } = await catalog.ask('buyer-sessions.list', { scope, eventKey });
    expect(sessions).toMatchObject([{ sessionId: session.sessionId, accessSource: 'hosted_link' }]);
  });

  test('the defaults of a link are 30 days, sessions of half an hour, its channel alone, and 500 redemptions', async () => {
    const { link } = await make();
    expect(link).toMatchObject({ sessionTtlSeconds: 1_800, includePublic: false });
    expect(link.expiresAt).toBe(catalog.clock.time + 30 * 24 * 3_600_000);
    expect(link).toMatchObject({ label: null, maxRedemptions: 500, maxQuantity: null });
    expect((await make({ maxRedemptions: null })).link.maxRedemptions).toBe(500);
    const past = { scope, eventKey, channelId, draft: { expiresAt: catalog.clock.time }, by };
    expect(await catalog.refusal('access-links.create', past)).toMatchObject({ code: 'invalid_request' });
  });

  test('a stored link without a bound is served, and bound, as one of a million redemptions', async () => {
    const { link, capability } = await make();
    const { value, version } = (await catalog.store.get(accessLinks, link.id))!;
    const before = { ...value, maxRedemptions: null, redemptions: 999_999 };
    await catalog.store.replace(accessLinks, link.id, version, before);
    expect(await listed()).toMatchObject([{ maxRedemptions: 1_000_000, status: 'active' }]);
    await comeIn(capability);
    expect(await codeOf(capability)).toBe('buyer_access_revoked');
    expect(await listed()).toMatchObject([{ redemptions: 1_000_000, status: 'exhausted' }]);
  });

  test('a link that is expired, used up, revoked or of another event admits nobody', async () => {
    const late = await make({ expiresAt: catalog.clock.time + 1_000 });
    const single = await make({ maxRedemptions: 1 });
    const revoked = await make();
    await comeIn(single.capability);
    const target = { scope, eventKey, by, channelId, linkId: revoked.link.id };
    await catalog.ask('access-links.revoke', { ...target, endActiveSessions: false });
    waitFor(1_000);
    // Not the code of an expired access: a page answers that code with the same link again.
    for (const [{ link, capability }, reason] of [
      [late, 'access_link_expired'],
      [single, 'access_link_exhausted'],
    ] as const) {
      expect(await redeem(capability)).toMatchObject({ refusal: { code: 'buyer_access_revoked', reason } });
      const input = { ...target, linkId: link.id, endActiveSessions: false };
      expect(await catalog.refusal('access-links.rotate', input)).toMatchObject({
        code: 'conflict',
        reason: 'access_link_not_active',
      });
    }
    expect(await codeOf(revoked.capability)).toBe('buyer_access_revoked');
    expect(await codeOf(`acl_${'x'.repeat(43)}`)).toBe('buyer_access_invalid');
    expect((await listed()).map(({ status }) => status).sort()).toEqual(['exhausted', 'expired', 'revoked']);
    const { capability } = await make();
    const elsewhere = (await catalog.ask('events.create', { scope, draft: { chartId } })).event.key;
    const foreign = { eventKey: elsewhere, capability, origin };
    expect(await catalog.refusal('access-links.redeem', foreign)).toMatchObject({ code: 'buyer_access_invalid' });
    const nowhere = { eventKey, capability, origin: 'null' };
    expect(await catalog.refusal('access-links.redeem', nowhere)).toMatchObject({
      code: 'buyer_access_origin_mismatch',
    });
  });

  test('exactly the allowed number of parallel redemptions through two catalogs succeed', async () => {
    for (let round = 0; round < 3; round++) {
      const { link, capability } = await make({ maxRedemptions: 10 });
      for (let i = 0; i < 8; i++) await comeIn(capability);
      const outcomes = await Promise.all(Array.from({ length: 60 }, (_, i) => redeem(capability, catalogs[i % 2])));
      const codes = outcomes.map((outcome) => (outcome.ok ? 'ok' : outcome.refusal.code)).sort();
      expect(codes).toEqual([...Array(58).fill('buyer_access_revoked'), 'ok', 'ok']);
      expect((await listed()).find(({ id }) => id === link.id)).toMatchObject({
        redemptions: 10,
        activeSessions: 10,
        status: 'exhausted',
      });
    }
  });

  test('hundreds of buyers at once all get in', async () => {
    const { capability } = await make();
    const outcomes = await Promise.all(Array.from({ length: 400 }, (_, i) => redeem(capability, catalogs[i % 2])));
    expect(outcomes.filter(({ ok }) => ok)).toHaveLength(400);
    expect(await listed()).toMatchObject([{ redemptions: 400, activeSessions: 400 }]);
  });

  test('a rotated link is replaced by one with the same settings, and its sessions go on or end', async () => {
    const { link, capability } = await make({ label: 'Fans', maxRedemptions: 5, maxQuantity: 3 });
    const { token } = await comeIn(capability);
    const target = { scope, eventKey, by, channelId };
    const first = await catalog.ask('access-links.rotate', { ...target, linkId: link.id, endActiveSessions: false });
    expect(first.endedSessions).toBe(0);
    expect(first.previous).toMatchObject({
      id: link.id,
      state: 'rotated',
      status: 'rotated',
      rotatedTo: first.link.id,
    });
    expect(first.link).toMatchObject({ label: 'Fans', maxRedemptions: 5, redemptions: 0, rotatedFrom: link.id });
    expect(await codeOf(capability)).toBe('buyer_access_revoked');
    expect(await standing(token)).toMatchObject({ revokedAt: null });

    const other = await comeIn(first.capability);
    const second = await catalog.ask('access-links.rotate', {
      ...target,
      linkId: first.link.id,
      endActiveSessions: true,
    });
    expect(second.endedSessions).toBe(1);
    expect(await standing(other.token)).toMatchObject({ revokedAt: catalog.clock.time });
    expect(await standing(token)).toMatchObject({ revokedAt: null });
    expect(announced()).toEqual([sha256(other.token)]);
    const again = { ...target, linkId: link.id, endActiveSessions: true };
    expect(await catalog.refusal('access-links.rotate', again)).toMatchObject({
      code: 'conflict',
      reason: 'access_link_not_active',
    });
    expect((await listed()).map(({ state }) => state).sort()).toEqual(['active', 'rotated', 'rotated']);
  });

  test('parallel rotations make one link, and no session of the earlier link outlives them', async () => {
    for (let round = 0; round < 4; round++) {
      const { link, capability } = await make({}, `chn_${round}`);
      const rotate = (through: TestCatalog) =>
        through.operations['access-links.rotate']({
          scope,
          eventKey,
          by,
          channelId: `chn_${round}`,
          linkId: link.id,
          endActiveSessions: true,
        });
      const redemptions = Array.from({ length: 20 }, (_, i) => redeem(capability, catalogs[i % 2]));
      const rotations = await Promise.all([rotate(catalogs[0]!), rotate(catalogs[1]!)]);
      expect(rotations.filter(({ ok }) => ok)).toHaveLength(1);
      const { links } = await catalog.ask('access-links.list', { scope, eventKey, channelId: `chn_${round}` });
      expect(links.filter(({ state }) => state === 'active')).toHaveLength(1);
      const opened = (await Promise.all(redemptions)).flatMap((each) => (each.ok ? [each.value.token] : []));
      for (const token of opened) expect((await standing(token)).revokedAt).not.toBeNull();
      expect(links.find(({ id }) => id === link.id)).toMatchObject({ activeSessions: 0 });
    }
  });

  test('a session that opens while its link ends with its sessions ends too', async () => {
    const { link, capability } = await make();
    let letGo = () => {};
    const held = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    const { store } = catalogs[1]!;
    const slow = testCatalog({ ...store, writeMany: (writes) => held.then(() => store.writeMany(writes)) });
    const opening = redeem(capability, slow);
    await expect.poll(async () => (await listed())[0]!.redemptions).toBe(1);
    const target = { scope, eventKey, by, channelId, linkId: link.id, endActiveSessions: true };
    expect(await catalog.ask('access-links.rotate', target)).toMatchObject({ endedSessions: 0 });
    letGo();
    expect(await opening).toMatchObject({ ok: false, refusal: { code: 'buyer_access_revoked' } });
    expect((await listed()).map(({ activeSessions }) => activeSessions)).toEqual([0, 0]);
  });

  test('the end of a link is counted in its event, however many sessions it ends', async () => {
    const epoch = async () => (await catalog.ask('events.get', { eventKey })).event.accessEpoch ?? 0;
    const targetOf = (linkId: string) => ({ scope, eventKey, by, channelId, linkId });
    const [first, second] = [(await make()).link.id, (await make()).link.id];
    await catalog.ask('access-links.revoke', { ...targetOf(first), endActiveSessions: false });
    expect(await epoch()).toBe(1);
    await catalog.ask('access-links.revoke', { ...targetOf(first), endActiveSessions: true });
    expect(await epoch()).toBe(2);
    await catalog.ask('access-links.rotate', { ...targetOf(second), endActiveSessions: true });
    expect(await epoch()).toBe(3);
    expect(catalog.announced).toContainEqual({ kind: 'event', eventKey });
  });

  test('a revoke ends sessions on request, is harmless when repeated, and other organisations’ links are unknown', async () => {
    const { link, capability } = await make();
    const tokens = [await comeIn(capability), await comeIn(capability)].map(({ token }) => token);
    const target = { scope, eventKey, by, channelId, linkId: link.id };
    const revoke = (endActiveSessions: boolean) => catalog.ask('access-links.revoke', { ...target, endActiveSessions });
    expect(await revoke(false)).toMatchObject({ endedSessions: 0, link: { state: 'revoked' } });
    for (const token of tokens) expect((await standing(token)).revokedAt).toBeNull();
    expect(await revoke(true)).toMatchObject({ endedSessions: 2 });
    expect(await revoke(true)).toMatchObject({ endedSessions: 0, link: { revokedAt: catalog.clock.time } });
    for (const token of tokens) expect((await standing(token)).revokedAt).not.toBeNull();
    const stranger = await organisationScope(catalog);
    for (const wrong of [{ channelId: 'chn_2' }, { scope: stranger }, { linkId: 'lnk_0' }]) {
      const input = { ...target, ...wrong, endActiveSessions: true };
      for (const operation of ['access-links.revoke', 'access-links.rotate'] as const) {
        expect(await catalog.refusal(operation, input)).toMatchObject({ code: 'not_found' });
      }
    }
  });

  test('ended links make room for new ones, and active links do not', async () => {
    const record = (await catalog.store.get(accessLinks, (await make()).link.id))!.value;
    for (let i = 1; i < accessLinksPerChannelMax; i++) {
      await catalog.store.insert(accessLinks, `lnk_${i}`, { ...record, hash: `${i}`, createdAt: record.createdAt + i });
    }
    const input = { scope, eventKey, channelId, draft: {}, by };
    expect(await catalog.refusal('access-links.create', input)).toMatchObject({
      code: 'conflict',
      reason: 'access_link_limit_reached',
    });
    await catalog.ask('access-links.revoke', {
      scope,
      eventKey,
      by,
      channelId,
      linkId: 'lnk_7',
      endActiveSessions: false,
    });
    await make();
    expect(await catalog.store.get(accessLinks, 'lnk_7')).toBeNull();
    expect(await listed()).toHaveLength(accessLinksPerChannelMax);
  });

  test('the end of a channel ends its links and sessions; a session with another channel goes on there', async () => {
    const session = async (channelIds: string[]) =>
      catalog.ask('buyer-sessions.create', {
        scope,
        eventKey,
        draft: { channelIds, includePublic: true, allowedOrigin: origin },
        accessSource: 'promoter',
      });
    expect(await summary()).toEqual({});
    const { capability } = await make();
    const one = await session([channelId]);
    const both = await session([channelId, 'chn_2']);
    const other = await session(['chn_2']);
    const none = await session([]);
    const hosted = await comeIn(capability);
    const at = catalog.clock.time;
    expect(await summary()).toEqual({
      [channelId]: { hasActiveGrants: true, lastMintAt: at },
      chn_2: { hasActiveGrants: true, lastMintAt: at },
    });
    expect(await catalog.ask('channel-access.revoke', { scope, eventKey, channelId })).toEqual({ revokedSessions: 2 });
    for (const { token } of [one, hosted]) expect((await standing(token)).revokedAt).toBe(at);
    for (const { token } of [other, none]) expect((await standing(token)).revokedAt).toBeNull();
    expect(await standing(both.token)).toMatchObject({ revokedAt: null, channelIds: ['chn_2'] });
    expect(new Set(announced())).toEqual(new Set([one, hosted, both].map(({ token }) => sha256(token))));
    expect(await codeOf(capability)).toBe('buyer_access_revoked');
    expect(await summary()).toMatchObject({
      [channelId]: { hasActiveGrants: false },
      chn_2: { hasActiveGrants: true },
    });
    expect(await catalog.ask('channel-access.revoke', { scope, eventKey, channelId })).toEqual({ revokedSessions: 0 });
    waitFor(30 * 60_000);
    expect((await summary()).chn_2).toEqual({ hasActiveGrants: false, lastMintAt: at });
  });

  test('all sessions end, even more than one write can end', async () => {
    const { link, capability } = await make({ maxRedemptions: 2_000 });
    await Promise.all(Array.from({ length: 1_100 }, (_, i) => redeem(capability, catalogs[i % 2])));
    const target = { scope, eventKey, by, channelId, linkId: link.id, endActiveSessions: true };
    expect(await catalog.ask('access-links.revoke', target)).toMatchObject({ endedSessions: 1_100 });
    expect(new Set(announced()).size).toBe(1_100);
  });

  test('no capability and no token is stored or announced', async () => {
    const { link, capability } = await make();
    const { token } = await comeIn(capability);
    const target = { scope, eventKey, by, channelId, linkId: link.id };
    const rotated = await catalog.ask('access-links.rotate', { ...target, endActiveSessions: true });
    const found = { index: 'byExpiry', equal: [], limit: 99 };
    const kept = [
      await catalog.store.page(embeddedSessions, found),
      await catalog.store.page(accessLinks, { index: 'byChannel', equal: [eventKey, channelId], limit: 99 }),
      catalogs.map((each) => each.announced),
    ];
    for (const secret of [capability, rotated.capability, token]) {
      expect(JSON.stringify(kept)).not.toContain(secret.slice(4));
      expect(JSON.stringify(kept)).toContain(sha256(secret));
    }
  });
}
