/** Sessions and access links over HTTP: created, used from their origin, ended. */
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { type Json, openShop, type Shop } from '../shop.ts';

const page = 'https://shop.example';
let shop: Shop;
let event: Awaited<ReturnType<Shop['event']>>;
let channel: string;
let archived: string;

beforeAll(async () => {
  shop = await openShop();
  event = await shop.event();
  const make = async (name: string) => (await event.post('channels', { name })).body.channel.id as string;
  [channel, archived] = [await make('Club'), await make('Last year')];
  await event.post(`channels/${archived}/archive`, { destination: 'public' });
}, 120_000);
afterAll(() => shop?.stop());
const mint = (more: object = {}) =>
  event.post('buyer-access-sessions', { channelIds: [channel], includePublic: false, allowedOrigin: page, ...more });
const openConsole = (more: object = {}) => event.post('manage-sessions', { allowedOrigin: page, ...more });
const codeOf = ({ status, body }: { status: number; body: Json }) => [status, body.code];

describe('a buyer access session', () => {
  it('is shown once, is not cached, and opens the event from its origin', async () => {
    const minted = await mint({ maxQuantity: 4 });
    expect(minted.status).toBe(201);
    expect(minted.headers.get('cache-control')).toBe('private, no-store');
    expect(minted.body).toEqual({
      sessionId: expect.stringMatching(/^ses_[0-9A-Za-z]{20,}$/),
      token: expect.stringMatching(/^bse_[0-9A-Za-z]{38}$/),
      expiresAt: expect.any(Number),
      eventKey: event.key,
      includePublic: false,
      maxQuantity: 4,
    });
    expect((await visit(minted.body.token, page)).status).toBe(200);
  });

  it('is listed with its reach and state, without its token', async () => {
    const { sessionId, token } = (await mint({ buyerRef: 'member 7', partnerRef: 'club' })).body;
    const { sessions } = (await event.get('/buyer-access-sessions')).body;
    expect(sessions[0]).toMatchObject({
      sessionId,
      channelIds: [channel],
      includePublic: false,
      allowedOrigin: page,
      mode: 'test',
      buyerRef: 'member 7',
      partnerRef: 'club',
      accessSource: 'partner',
      state: 'active',
      revokedAt: null,
    });
    expect(JSON.stringify(sessions)).not.toContain(token.slice(4));
    const newest = (await mint()).body.sessionId;
    const listed = (await event.get('/buyer-access-sessions?limit=1')).body.sessions;
    expect(listed.map((each: Json) => each.sessionId)).toEqual([newest]);
  });

  it('is renewed by the same request, which ends its earlier token', async () => {
    const first = (await mint({ clientRequestId: 'cart-1' })).body;
    expect((await visit(first.token, page)).status).toBe(200);
    const second = (await mint({ clientRequestId: 'cart-1' })).body;
    expect(second.sessionId).toBe(first.sessionId);
    expect((await visit(second.token, page)).status).toBe(200);
    await until(async () => (await visit(first.token, page)).body?.code === 'buyer_access_revoked');
  });

  it('is ended only under its own event', async () => {
    const { sessionId, token } = (await mint()).body;
    const other = await shop.event();
    const path = `buyer-access-sessions/${sessionId}`;
    expect((await shop.call('DELETE', `${other.path}/${path}`, { token: shop.token })).status).toBe(404);
    const ended = await shop.call('DELETE', `${event.path}/${path}`, { token: shop.token });
    expect(ended.body).toEqual({ ok: true, sessionId, grantVersion: 2 });
    await until(async () => (await visit(token, page)).body?.code === 'buyer_access_revoked');
  });

  it('needs at least one existing channel or public sale', async () => {
    for (const channelIds of [[archived], ['chn_0'], [channel, archived]]) {
      const refused = await mint({ channelIds });
      expect(codeOf(refused)).toEqual([422, 'invalid_channel_scope']);
      expect(refused.body.channelIds).toEqual(channelIds.filter((id) => id !== channel));
    }
    expect(codeOf(await mint({ channelIds: [] }))).toEqual([422, 'invalid_channel_scope']);
    expect((await mint({ channelIds: [], includePublic: true })).status).toBe(201);
  });

  test.each([
    [{ includePublic: undefined }],
    [{ expiresInSeconds: 59 }],
    [{ expiresInSeconds: 14_401 }],
    [{ maxQuantity: 0 }],
    [{ allowedOrigin: undefined }],
    [{ allowedOrigin: 'https://*.shop.example' }],
    [{ allowedOrigin: 'null' }],
    [{ allowedOrigin: `${page}/` }],
    [{ allowedOrigin: 'HTTPS://shop.example' }],
    [{ allowedOrigin: 'http://shop.example' }],
    [{ allowedOrigin: 'https://u:p@shop.example' }],
  ])('is not created with %j', async (more) => expect(codeOf(await mint(more))).toEqual([422, 'invalid_request']));

  it('for a page on localhost works with test events only', async () => {
    const allowedOrigin = 'http://localhost:5173';
    expect((await mint({ allowedOrigin })).status).toBe(201);
    const { secret } = shop.own.live;
    const body = { chartId: shop.chart.id };
    const { meta } = (await shop.call('POST', '/v1/events', { token: secret, body })).body;
    const path = `/v1/events/${meta.key}/buyer-access-sessions`;
    const live = (origin: string) =>
      shop.call('POST', path, { token: secret, body: { includePublic: true, allowedOrigin: origin } });
    expect(codeOf(await live(allowedOrigin))).toEqual([422, 'invalid_request']);
    expect((await live(page)).status).toBe(201);
  });
});

describe('a manage session', () => {
  it('may only view by default, and shows its token once', async () => {
    const opened = await openConsole();
    expect(opened.status).toBe(201);
    expect(opened.headers.get('cache-control')).toBe('private, no-store');
    const { id, token } = opened.body;
    expect(opened.body).toEqual({
      id,
      sessionId: id,
      token: expect.stringMatching(/^mse_[0-9A-Za-z]{38}$/),
      expiresAt: expect.any(Number),
      capabilities: ['event:view'],
      allowedOrigin: page,
      eventKey: event.key,
    });
    const asked = (method: string, path: string, body?: object) => manage(token, method, path, body);
    expect((await asked('GET', '')).status).toBe(200);
    expect(codeOf(await asked('POST', '/block', { labels: ['A-1'] }))).toEqual([403, 'capability_required']);
  });

  test.each([[[]], [null], ['event:view'], [['event:everything']], [['event:view', 7]], [{ 0: 'event:view' }]])(
    'is not created with the capabilities %j',
    async (capabilities) => expect(codeOf(await openConsole({ capabilities }))).toEqual([422, 'invalid_capabilities']),
  );

  it('may have capabilities that grant nothing here, each listed once', async () => {
    const capabilities = ['event:refund', 'event:door:view', 'event:refund'];
    const { body } = await openConsole({ capabilities });
    expect(body.capabilities).toEqual(['event:refund', 'event:door:view']);
    expect(codeOf(await manage(body.token, 'GET', ''))).toEqual([403, 'capability_required']);
  });

  it('creates and ends no session, and reads no webhook', async () => {
    const everything = ['event:view', 'event:channels:view', 'event:channels:manage', 'event:block', 'event:reports'];
    const { id, token } = (await openConsole({ capabilities: everything })).body;
    const body = { allowedOrigin: page, includePublic: true };
    for (const [method, path, sent] of [
      ['POST', '/manage-sessions', body],
      ['DELETE', `/manage-sessions/${id}`, undefined],
      ['POST', '/buyer-access-sessions', body],
      ['GET', '/buyer-access-sessions', undefined],
    ] as const) {
      expect(codeOf(await manage(token, method, path, sent))).toEqual([403, 'forbidden']);
    }
    const webhooks = await shop.call('GET', '/v1/webhooks', { token, headers: { Origin: page } });
    expect([401, 403]).toContain(webhooks.status);
  });

  it('works for its own event only, and is ended only under that event', async () => {
    const { id, token } = (await openConsole()).body;
    const other = await shop.event();
    const elsewhere = await shop.call('GET', other.path, { token, headers: { Origin: page } });
    expect(elsewhere.status).toBe(404);
    const end = (path: string) => shop.call('DELETE', `${path}/manage-sessions/${id}`, { token: shop.token });
    expect((await end(other.path)).status).toBe(404);
    expect((await end(event.path)).body).toEqual({ ok: true });
    await until(async () => (await manage(token, 'GET', '')).status === 401);
  });

  test.each([299, 14_401])('is not created for %i seconds', async (expiresInSeconds) =>
    expect(codeOf(await openConsole({ expiresInSeconds }))).toEqual([422, 'invalid_request']),
  );
});

describe('a request from a wrong origin', () => {
  const wrong = [
    undefined,
    'null',
    'https://shop.example:8443',
    'http://shop.example',
    'https://shop.example.evil.com',
    'https://evilshop.example',
    'https://SHOP.EXAMPLE',
    'https://shop.example/',
    'https://shop.example.',
    'https://a.shop.example',
    'https://shop.example, https://shop.example',
  ];

  it.each(wrong)("(%s) gets no data with a buyer's token", async (origin) => {
    const { token } = (await mint()).body;
    for (const path of ['/chart', '/objects']) {
      const refused = await visit(token, origin, path);
      expect(codeOf(refused)).toEqual([403, 'buyer_access_origin_mismatch']);
      expect(refused.headers.get('access-control-allow-origin')).not.toBe(page);
    }
    expect((await visit(token, page)).headers.get('access-control-allow-origin')).toBe(page);
  });

  it.each(wrong)("(%s) gets no data with a console's token", async (origin) => {
    const { token } = (await openConsole()).body;
    const refused = await manage(token, 'GET', '', undefined, origin);
    expect(codeOf(refused)).toEqual([403, 'forbidden']);
    expect(refused.headers.get('access-control-allow-origin')).toBeNull();
    const let_in = await manage(token, 'GET', '');
    expect([let_in.status, let_in.headers.get('access-control-allow-origin')]).toEqual([200, page]);
  });
});

describe('a designer session', () => {
  const open = (more: object = {}) => {
    const { workspaceId, id: chartId } = shop.chart;
    const body = { workspaceId, chartId, allowedOrigin: page, ...more };
    return shop.call('POST', '/v1/designer/sessions', { token: shop.token, body });
  };

  it('is answered with its authority and the address of a designer', async () => {
    const opened = await open({ authority: 'publish', mode: 'safe', features: { import: false } });
    expect(opened.status).toBe(201);
    expect(opened.headers.get('cache-control')).toBe('private, no-store');
    const { session, id, token, expiresAt } = opened.body;
    expect(session).toEqual({
      id,
      token,
      expiresAt,
      workspaceId: shop.chart.workspaceId,
      chartId: shop.chart.id,
      allowedOrigin: page,
      authority: 'publish',
      canEdit: true,
      canPublish: true,
      mode: 'safe',
      featurePolicy: { import: false },
      safeModeOptions: { allowDeletingObjects: false, allowEditingAreaCapacity: false },
      designerUrl: expect.stringContaining(`/designer?parent=${encodeURIComponent(page)}&seal=`),
    });
    const read = () => shop.call('GET', `/v1/charts/${shop.chart.id}`, { token, headers: { Origin: page } });
    expect((await read()).status).toBe(200);
    const ended = await shop.call('DELETE', `/v1/designer/sessions/${id}`, { token: shop.token });
    expect(ended.body).toEqual({ ok: true });
    await until(async () => (await read()).status === 401);
  });

  test.each([
    [{}, 'edit'],
    [{ canPublish: true }, 'publish'],
    [{ authority: 'edit', canPublish: true }, 'publish'],
    [{ authority: 'publish', canPublish: false }, 'edit'],
    [{ authority: 'read-only' }, 'read-only'],
    [{ authority: 'read-only', canPublish: false }, 'read-only'],
  ])('with %j has the authority to %s', async (more, authority) => {
    const { session } = (await open(more)).body;
    expect(session).toMatchObject({
      authority,
      canEdit: authority !== 'read-only',
      canPublish: authority === 'publish',
      mode: 'normal',
      safeModeOptions: null,
    });
  });

  it('with authority read-only cannot publish', async () => {
    expect(codeOf(await open({ authority: 'read-only', canPublish: true }))).toEqual([422, 'invalid_request']);
  });

  it('ends when its workspace is disabled', async () => {
    const post = (path: string, body: object) => shop.call('POST', path, { token: shop.token, body });
    const { workspace } = (await post('/v1/workspaces', { name: 'Touring' })).body;
    const { meta } = (await post('/v1/charts', { name: 'Tent', doc: shop.hall, workspaceId: workspace.id })).body;
    const { token } = (await open({ workspaceId: workspace.id, chartId: meta.id })).body;
    const read = () => shop.call('GET', `/v1/charts/${meta.id}`, { token, headers: { Origin: page } });
    expect((await read()).status).toBe(200);
    const body = { status: 'disabled' };
    await shop.call('PATCH', `/v1/workspaces/${workspace.id}`, { token: shop.token, body });
    await until(async () => (await read()).status === 401);
    const refused = await open({ workspaceId: workspace.id, chartId: meta.id });
    expect(codeOf(refused)).toEqual([422, 'workspace_not_found_or_disabled']);
  });
});

describe('an access link', () => {
  const links = () => `channels/${channel}/access-links`;

  it('carries its capability in the fragment of its URL, is listed without it, is rotated and ended', async () => {
    const made = await event.post(links(), { label: 'Newsletter', maxRedemptions: 2 });
    expect(made.status).toBe(201);
    expect(made.headers.get('cache-control')).toBe('private, no-store');
    const { link, capability, url } = made.body;
    expect(made.body.revealedOnce).toBe(true);
    expect(url).toBe(`${shop.url}/demo#event=${event.key}&access=${capability}`);
    const listed = (await event.get(`/${links()}`)).body;
    expect(listed.links).toEqual([{ ...link, activeSessions: 0 }]);
    expect(JSON.stringify(listed)).not.toContain(capability.slice(4));

    const rotated = await event.post(`${links()}/${link.id}/rotate`, { endActiveSessions: true, reason: 'leaked' });
    expect(rotated.status).toBe(200);
    expect(rotated.headers.get('cache-control')).toBe('private, no-store');
    expect(rotated.body).toMatchObject({ endedSessions: 0, previous: { id: link.id, state: 'rotated' } });
    expect(rotated.body.capability).not.toBe(capability);
    const target = `${event.path}/${links()}/${rotated.body.link.id}?endActiveSessions=1&reason=over`;
    const ended = await shop.call('DELETE', target, { token: shop.token });
    expect(ended.body).toMatchObject({ ok: true, endedSessions: 0, link: { state: 'revoked', status: 'revoked' } });
  });

  it('has an https URL when a proxy has ended TLS', async () => {
    const { url } = (await event.post(links(), {}, { 'X-Forwarded-Proto': 'https' })).body;
    expect(url).toMatch(/^https:\/\/localhost:\d+\/demo#/);
  });

  it('is managed with event:channels:manage, and listed with event:channels:view', async () => {
    const asked = async (capability: string, method: string, path: string) => {
      const { token } = (await openConsole({ capabilities: [capability] })).body;
      return (await manage(token, method, `/${path}`, method === 'POST' ? {} : undefined)).status;
    };
    expect(await asked('event:channels:view', 'GET', links())).toBe(200);
    expect(await asked('event:channels:view', 'POST', links())).toBe(403);
    expect(await asked('event:channels:manage', 'POST', links())).toBe(201);
    expect(await asked('event:channels:manage', 'GET', links())).toBe(403);
    expect(await asked('event:block', 'POST', links())).toBe(403);
  });

  it('needs an active channel of its event', async () => {
    const made = (id: string) => event.post(`channels/${id}/access-links`, {});
    expect(codeOf(await made(archived))).toEqual([422, 'invalid_channel_scope']);
    expect(codeOf(await made('chn_0'))).toEqual([404, 'not_found']);
    expect((await event.get(`/channels/${archived}/access-links`)).body).toEqual({ links: [] });
    const other = await shop.event();
    expect(codeOf(await event.get('/channels/chn_0/access-links'))).toEqual([404, 'not_found']);
    expect(codeOf(await other.get(`/channels/${channel}/access-links`))).toEqual([404, 'not_found']);
  });
});

function visit(token: string, origin: string | undefined, path = '/chart') {
  const headers: Record<string, string> = origin === undefined ? {} : { Origin: origin };
  return shop.call('GET', `/pub/events/${event.key}${path}`, { token, headers });
}

/** A call from `page`, unless the last argument is another origin. */
function manage(token: string, method: string, path: string, body?: object, ...origins: (string | undefined)[]) {
  const origin = origins.length === 0 ? page : origins[0];
  const headers: Record<string, string> = origin === undefined ? {} : { Origin: origin };
  return shop.call(method, event.path + path, { token, headers, ...(body && { body }) });
}

/** Repeats the check until it is true or a second has passed: the end of a session is broadcast. */
async function until(isSo: () => Promise<boolean>): Promise<void> {
  const since = performance.now();
  while (!(await isSo())) {
    if (performance.now() - since > 1_000) throw new Error('the session did not end within a second');
  }
}
