/** A secret key has leaked. Its thief has minted one of everything; the operator revokes the key. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openShop, type Shop, Watcher } from '../shop.ts';

const page = 'https://thief.example';
let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
}, 120_000);
afterAll(() => shop?.stop());

async function leakedKey() {
  const made = await shop.call('POST', `/v1/admin/organisations/${shop.own.id}/keys`, {
    token: shop.rootToken,
    body: { kind: 'secret', mode: 'test' },
  });
  const { key, secret: token } = made.body;
  const event = await shop.event();
  const channel = (await event.post('channels', { name: 'Club' })).body.channel.id;
  const mint = async (path: string, body: object) => {
    const answer = await shop.call('POST', path, { token, body });
    expect([path, answer.status]).toEqual([path, 201]);
    return answer.body;
  };
  const { workspaceId } = (await shop.call('GET', `/v1/charts/${shop.chart.id}`, { token })).body.meta;
  const session = { allowedOrigin: page, expiresInSeconds: 14_400 };
  const console_ = await mint(`${event.path}/manage-sessions`, { ...session, capabilities: ['event:view'] });
  const designer = await mint('/v1/designer/sessions', {
    ...session,
    workspaceId,
    chartId: shop.chart.id,
    authority: 'publish',
  });
  const buyer = await mint(`${event.path}/buyer-access-sessions`, {
    ...session,
    channelIds: [channel],
    includePublic: false,
  });
  const { link, capability } = await mint(`${event.path}/channels/${channel}/access-links`, {});
  const { sub } = await mint('/v1/webhooks', { url: 'https://thief.example/hook', events: ['seat.booked'] });

  const as = (method: string, path: string, bearer: string) =>
    shop.call(method, path, { token: bearer, headers: { Origin: page } }).then(({ status }) => status);
  const redeem = () =>
    shop.call('POST', `/pub/events/${event.key}/access-links/redeem`, {
      body: { capability },
      headers: { Origin: page },
    });
  return {
    event,
    ids: { console: console_.id, designer: designer.id, buyer: buyer.sessionId, link: link.id, webhook: sub.id },
    feed: new Watcher(`${shop.url}${event.path}/feed`, ['parterre.v1'], {
      Authorization: `Bearer ${console_.token}`,
      Origin: page,
    }),
    revoke: (query: string) =>
      shop.call('DELETE', `/v1/admin/organisations/${shop.own.id}/keys/${key.id}${query}`, { token: shop.rootToken }),
    keyId: key.id,
    /** The status of a call with each credential. */
    statuses: async () => ({
      key: await as('GET', event.path, token),
      console: await as('GET', event.path, console_.token),
      designer: await as('GET', `/v1/charts/${shop.chart.id}`, designer.token),
      buyer: await as('GET', `/pub/events/${event.key}/objects`, buyer.token),
      link: (await redeem()).status,
    }),
  };
}

const open = { console: 200, designer: 200, buyer: 200, link: 200 };

it('a revoke leaves and lists what the key gave, and the lists of sessions show it with the key', async () => {
  const leaked = await leakedKey();
  const { body } = await leaked.revoke('');
  expect(body).toMatchObject({ ok: true, left: { counts: { sessions: 3, accessLinks: 1, webhooks: 1 } } });
  const { ids, keyId, event } = leaked;
  expect(body.left.sessions.map(({ id }: { id: string }) => id).sort()).toEqual(
    [ids.console, ids.designer, ids.buyer].sort(),
  );
  await expect.poll(leaked.statuses, { timeout: 1_000 }).toMatchObject({ ...open, key: 401 });
  const consoles = (await event.get('/manage-sessions')).body.sessions;
  expect(consoles).toMatchObject([{ id: ids.console, state: 'active', mintedBy: keyId, capabilities: ['event:view'] }]);
  const designers = await shop.call('GET', `/v1/designer/sessions?chartId=${shop.chart.id}`, { token: shop.token });
  expect(designers.body.sessions).toMatchObject([{ id: ids.designer, mintedBy: keyId, canPublish: true }]);
  expect(JSON.stringify([consoles, designers.body])).not.toMatch(/mse_|dse_/);
  leaked.feed.close();
});

it('a revoke with endSessions=1 ends it all within a second, and closes its sockets', async () => {
  const leaked = await leakedKey();
  await leaked.feed.next();
  expect(await leaked.statuses()).toEqual({ ...open, key: 200 });
  const { body } = await leaked.revoke('?endSessions=1');
  expect(body.ended.counts).toEqual({ sessions: 4, accessLinks: 1, webhooks: 1 });
  expect(body.left.counts).toEqual({ sessions: 0, accessLinks: 0, webhooks: 0 });
  const ended = { key: 401, console: 401, designer: 401, buyer: 401, link: 401 };
  await expect.poll(leaked.statuses, { timeout: 1_000 }).toEqual(ended);
  expect(await leaked.feed.closed).toBe(4401);
  const { subs } = (await shop.call('GET', '/v1/webhooks', { token: shop.token })).body;
  expect(subs).toContainEqual(
    expect.objectContaining({ id: leaked.ids.webhook, disabled: true, pausedReason: 'operator' }),
  );
});
