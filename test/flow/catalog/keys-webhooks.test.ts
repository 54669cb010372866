import type { Scope } from '@parterre/shared/protocol/catalog/scope';
import type { WebhookChanges } from '@parterre/shared/protocol/catalog/webhooks';
import { sha256 } from '@parterre/shared/protocol/ids';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { webhookHealth } from '../../../services/catalog/src/store/collections.ts';
import { freshHealth } from '../../../services/catalog/src/webhooks/rules/subscription-health.ts';
import { embeddedDatabase, type TestDatabase } from '../../store/adapters.ts';
import { organisationScope, type TestCatalog, testCatalog } from '../../store/test-catalog.ts';

let database: TestDatabase;
let catalog: TestCatalog;
let scope: Scope;
let organisationId: string;

beforeEach(async () => {
  database = await embeddedDatabase([]);
  catalog = testCatalog(await database.connect());
  scope = await organisationScope(catalog);
  organisationId = scope.organisationId;
});
afterEach(() => database.remove());

describe('organisations', () => {
  test('have one default workspace from the start', async () => {
    const { workspaces } = await catalog.ask('workspaces.list', { scope });
    expect(workspaces).toMatchObject([{ status: 'active', isDefault: true, defaultRegion: 'western-europe' }]);
  });

  test('gain and lose credits', async () => {
    await catalog.ask('organisations.add-credits', { organisationId, delta: 5, reason: 'bought' });
    const { organisation } = await catalog.ask('organisations.add-credits', {
      organisationId,
      delta: -2,
      reason: 'fee',
    });
    expect(organisation).toMatchObject({ id: organisationId, credits: 3, currency: 'EUR' });
    const nobody = { organisationId: 'org_nobody', delta: 1, reason: 'x' };
    expect(await catalog.refusal('organisations.add-credits', nobody)).toMatchObject({ code: 'not_found' });
  });
});

describe('keys', () => {
  test.each([
    ['secret', 'test', 'sk_test_'],
    ['secret', 'live', 'sk_live_'],
    ['publishable', 'test', 'pk_test_'],
    ['publishable', 'live', 'pk_live_'],
  ] as const)('a %s %s key begins with %s and is stored as its hash only', async (kind, mode, prefix) => {
    const { key, secret } = await catalog.ask('keys.create', { organisationId, kind, mode });
    expect(secret).toMatch(new RegExp(`^${prefix}[0-9A-Za-z]{32}$`));
    expect(key.prefix).toBe(secret.slice(0, 12));
    expect(JSON.stringify(key)).not.toContain(sha256(secret));
    expect(await catalog.ask('credentials.resolve', { hash: sha256(secret) })).toMatchObject({
      kind,
      mode,
      organisationId,
    });
    expect(await catalog.refusal('credentials.resolve', { hash: secret })).toMatchObject({ code: 'unauthorized' });
  });

  test('stand for the values that they were made with', async () => {
    const origins = ['https://tickets.example', 'http://localhost:8080'];
    const made = { organisationId, kind: 'publishable', mode: 'test', origins } as const;
    const { key, secret } = await catalog.ask('keys.create', made);
    expect(await catalog.ask('credentials.resolve', { hash: sha256(secret) })).toEqual({
      kind: 'publishable',
      keyId: key.id,
      organisationId,
      mode: 'test',
      workspaceId: null,
      origins,
    });
    const { id: workspaceId } = (await catalog.ask('workspaces.list', { scope })).workspaces[0]!;
    const bound = await catalog.ask('keys.create', { ...made, workspaceId });
    expect(await catalog.ask('credentials.resolve', { hash: sha256(bound.secret) })).toMatchObject({ workspaceId });
  });

  test.each([
    ['a path', 'https://tickets.example/shop', 'test'],
    ['no scheme', 'tickets.example', 'test'],
    ['plain http', 'http://tickets.example', 'test'],
    ['localhost in live mode', 'http://localhost:3000', 'live'],
  ] as const)('an origin with %s cannot be registered', async (_name, origin, mode) => {
    const input = { organisationId, kind: 'publishable' as const, mode, origins: [origin] };
    expect(await catalog.refusal('keys.create', input)).toMatchObject({
      code: 'invalid_request',
      details: { issues: [{ path: 'origins.0' }] },
    });
  });

  test('a revoked key is void at once, the end is announced, and revoking again is harmless', async () => {
    const { key, secret } = await catalog.ask('keys.create', { organisationId, kind: 'secret', mode: 'test' });
    const hash = sha256(secret);
    for (let i = 0; i < 2; i++) await catalog.ask('keys.revoke', { organisationId, keyId: key.id, endsMinted: false });
    expect(await catalog.refusal('credentials.resolve', { hash })).toMatchObject({ code: 'unauthorized' });
    expect(catalog.announced).toEqual(Array(3).fill({ kind: 'key', hash }));
  });

  test("another organisation's key cannot be revoked", async () => {
    const { key, secret } = await catalog.ask('keys.create', { organisationId, kind: 'secret', mode: 'test' });
    const other = await organisationScope(catalog);
    const input = { organisationId: other.organisationId, keyId: key.id, endsMinted: true };
    expect(await catalog.refusal('keys.revoke', input)).toMatchObject({ code: 'not_found' });
    expect(catalog.announced).toEqual([{ kind: 'key', hash: sha256(secret) }]);
    expect(await catalog.ask('credentials.resolve', { hash: sha256(secret) })).toMatchObject({ keyId: key.id });
  });
});

describe('webhooks', () => {
  const url = 'https://shop.example/hooks';
  const create = (more: Partial<Scope> = {}) =>
    catalog.ask('webhooks.create', { scope: { ...scope, ...more }, url, events: ['seat.booked'] });
  const idsIn = async (more: Partial<Scope> = {}) =>
    (await catalog.ask('webhooks.list', { scope: { ...scope, ...more } })).subs.map(({ id }) => id);

  test('a subscription is made with a secret, listed without it, and given to the notifier with it', async () => {
    const { sub, secret } = await create({ environment: 'staging' });
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(sub).toMatchObject({ url, events: ['seat.booked'], disabled: false, mode: 'test', environment: 'staging' });
    expect(JSON.stringify(await catalog.ask('webhooks.list', { scope }))).not.toContain('whsec_');
    const { subs } = await catalog.ask('webhooks.matching', { organisationId, mode: 'test' });
    expect(subs).toEqual([
      {
        id: sub.id,
        url,
        events: ['seat.booked'],
        createdAt: sub.createdAt,
        workspaceId: null,
        environment: 'staging',
        secrets: [{ secret, until: null }],
      },
    ]);
    expect(await catalog.ask('webhooks.matching', { organisationId, mode: 'live' })).toEqual({ subs: [] });
    expect(catalog.announced).toEqual([{ kind: 'webhooks', organisationId }]);
  });

  test('there are ten active ones at most, over both modes, and a deleted one makes room', async () => {
    const ids: string[] = [];
    for (let i = 0; i < 10; i++) ids.push((await create({ mode: i % 2 ? 'test' : 'live' })).sub.id);
    const eleventh = { scope, url, events: ['ping'] };
    expect(await catalog.refusal('webhooks.create', eleventh)).toMatchObject({ code: 'webhook_limit_reached' });
    await catalog.ask('webhooks.delete', { scope, id: ids[1]! });
    await create();
    expect(await idsIn()).not.toContain(ids[1]);
  });

  test('a key manages its own mode, and its environment where it has one', async () => {
    const live = (await create({ mode: 'live' })).sub.id;
    const broad = (await create()).sub.id;
    const staging = (await create({ environment: 'staging' })).sub.id;
    expect(await idsIn()).toEqual([broad, staging]);
    expect(await idsIn({ environment: 'staging' })).toEqual([staging]);
    for (const [id, as] of [
      [live, {}],
      [broad, { environment: 'staging' }],
      [broad, { organisationId: (await organisationScope(catalog)).organisationId }],
    ] as const) {
      const refusal = await catalog.refusal('webhooks.delete', { scope: { ...scope, ...as }, id });
      expect(refusal.code).toBe('not_found');
    }
    expect(await idsIn()).toEqual([broad, staging]);
    expect(await idsIn({ mode: 'live' })).toEqual([live]);
  });

  test('a key that is bound to a workspace makes, sees and deletes the subscriptions of this workspace alone', async () => {
    const everywhere = (await create()).sub.id;
    const bound = await create({ workspaceId: 'ws_annex' });
    expect(bound.sub.workspaceId).toBe('ws_annex');
    expect(await idsIn({ workspaceId: 'ws_annex' })).toEqual([bound.sub.id]);
    expect(await idsIn({ workspaceId: 'ws_other' })).toEqual([]);
    expect(await idsIn()).toEqual([everywhere, bound.sub.id]);
    for (const id of [everywhere, bound.sub.id]) {
      const refusal = await catalog.refusal('webhooks.delete', { scope: { ...scope, workspaceId: 'ws_other' }, id });
      expect(refusal.code).toBe('not_found');
    }
    const { subs } = await catalog.ask('webhooks.matching', { organisationId, mode: 'test' });
    expect(subs.map(({ workspaceId }) => workspaceId)).toEqual([null, 'ws_annex']);
    await catalog.ask('webhooks.delete', { scope: { ...scope, workspaceId: 'ws_annex' }, id: bound.sub.id });
    expect(await idsIn()).toEqual([everywhere]);
  });

  test.each<[string, WebhookChanges, boolean]>([
    ['goes on', { disabled: false }, true],
    ['goes to another address', { url: 'https://shop.example/moved' }, true],
    ['stays as it is', { events: ['ping'] }, false],
    ['repeats its address', { url }, false],
  ])('one that %s begins its five days anew: %j, %s', async (_name, changes, anew) => {
    const { sub } = await create();
    if (changes.disabled === false)
      await catalog.ask('webhooks.update', { scope, id: sub.id, changes: { disabled: true } });
    const health = { ...freshHealth, failingSince: catalog.clock.time - 1, expiresAt: catalog.clock.time + 60_000 };
    await catalog.store.insert(webhookHealth, sub.id, health);
    await catalog.ask('webhooks.update', { scope, id: sub.id, changes });
    const { failingSince } = (await catalog.store.get(webhookHealth, sub.id))!.value;
    expect(failingSince === null).toBe(anew);
  });
});
