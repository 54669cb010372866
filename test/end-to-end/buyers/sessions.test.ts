/** Buyer sessions of public sale: how a page opens one, and the rights of its token. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newSessionToken } from '../../../shared/src/protocol/session-tokens.ts';
import { type Answer, type Json, openShop, origin, type Shop } from '../shop.ts';

let shop: Shop;
let event: Awaited<ReturnType<Shop['event']>>;

beforeAll(async () => {
  shop = await openShop();
  event = await shop.event();
}, 120_000);
afterAll(() => shop?.stop());

const codeOf = ({ status, body }: Answer) => [status, body.code];
const publicKey = () => shop.own.publishable.secret as string;
const foreign = 'https://evil.example';

/** As a page sends it to avoid a preflight. */
function bootstrap(body: unknown, headers: Record<string, string> = {}, key = event.key): Promise<Answer> {
  return shop.call('POST', `/pub/events/${key}/bootstrap`, {
    headers: { Origin: origin, 'Content-Type': 'text/plain;charset=UTF-8', ...headers },
    body: JSON.stringify(body),
  });
}

function readWith(token: string, headers: Record<string, string> = {}, key = event.key): Promise<Answer> {
  return shop.buyer('GET', `${key}/objects`, { token, headers });
}

describe('a bootstrap call', () => {
  it('answers plain text with a session of public sale and all data for the first drawing of the map', async () => {
    const held = (await shop.event()).key;
    await shop.buyer('POST', `${held}/hold`, { body: { labels: ['A-1'] } });
    const answer = await bootstrap({ publicKey: publicKey() }, {}, held);
    expect(answer.status).toBe(200);
    expect(Object.keys(answer.body).sort()).toEqual(['doc', 'event', 'expiresAt', 'objects', 'token']);
    const { token, expiresAt, event: shown, objects, doc } = answer.body;
    expect(token).toMatch(/^bse_[0-9A-Za-z]{38}$/);
    expect(Math.round((expiresAt - Date.now()) / 60_000)).toBe(30);
    const chart = await shop.buyer('GET', `${held}/chart`);
    expect({ event: shown, doc }).toEqual(chart.body);
    const compact = await shop.buyer('GET', `${held}/objects?compact=1`);
    expect(objects).toEqual(compact.body);
    expect(objects).toMatchObject({ default: 'free', seats: { 'A-1': 'held' } });
    expect(answer.headers.get('cache-control')).toBe('private, no-store');
    expect(answer.headers.get('access-control-allow-origin')).toBe(origin);
  });

  it.each(['application/json', 'text/plain', 'application/octet-stream', 'application/x-www-form-urlencoded'])(
    'is read as JSON with Content-Type %s',
    async (type) => {
      expect((await bootstrap({ publicKey: publicKey() }, { 'Content-Type': type })).status).toBe(200);
    },
  );

  it('without a key answers 404, and with a wrong key tells the fault', async () => {
    for (const body of [{}, { publicKey: '' }, { publicKey: null }]) {
      expect(codeOf(await bootstrap(body))).toEqual([404, 'not_found']);
    }
    for (const way of ['bootstrap', 'access-links/redeem']) {
      const bare = await shop.call('POST', `/pub/events/${event.key}/${way}`, { headers: { Origin: origin } });
      expect(codeOf(bare)).toEqual([404, 'not_found']);
    }
    for (const wrong of ['pk_test_00000000000000000000', 'nonsense', shop.token, 'pk_live_x']) {
      expect(codeOf(await bootstrap({ publicKey: wrong }))).toEqual([401, 'buyer_access_invalid']);
    }
    expect(codeOf(await bootstrap({ publicKey: 7 }))).toEqual([422, 'invalid_request']);
  });

  it('works only from the registered origins, and for events of the key', async () => {
    const mismatched = await bootstrap({ publicKey: publicKey() }, { Origin: foreign });
    expect(codeOf(mismatched)).toEqual([403, 'buyer_access_origin_mismatch']);
    expect(mismatched.headers.get('access-control-allow-origin')).toBe(foreign);
    const other = await shop.organisation('Elsewhere');
    expect(codeOf(await bootstrap({ publicKey: other.publishable.secret }))).toEqual([404, 'not_found']);
    expect(codeOf(await bootstrap({ publicKey: publicKey() }, {}, 'ev_none'))).toEqual([404, 'not_found']);
    const live = (
      await shop.call('POST', '/v1/events', { token: shop.own.live.secret, body: { chartId: shop.chart.id } })
    ).body.meta.key;
    expect(codeOf(await bootstrap({ publicKey: publicKey() }, {}, live))).toEqual([403, 'buyer_access_mode_mismatch']);
  });

  it('never falls back to the key when a token was sent', async () => {
    const authorised = (authorization: string) =>
      bootstrap({ publicKey: publicKey() }, { Authorization: `Bearer ${authorization}` });
    expect(codeOf(await authorised(newSessionToken('bse')))).toEqual([401, 'buyer_access_expired']);
    expect(codeOf(await authorised('bse_nonsense'))).toEqual([401, 'buyer_access_invalid']);
    const { token } = (await bootstrap({ publicKey: publicKey() })).body;
    expect(codeOf(await authorised(token))).toEqual([401, 'buyer_access_invalid']);
  });

  it('shows a closed event too', async () => {
    const closed = await shop.event();
    await closed.post('close');
    const answer = await bootstrap({ publicKey: publicKey() }, {}, closed.key);
    expect([answer.status, answer.body.event.salesClosed]).toEqual([200, true]);
  });
});

describe('a session', () => {
  it('is also opened with the key as a bearer token, and not by another session', async () => {
    const opened = await shop.buyer('POST', `${event.key}/session`);
    expect(Object.keys(opened.body).sort()).toEqual(['doc', 'event', 'expiresAt', 'objects', 'token']);
    const { token } = opened.body;
    expect(codeOf(await shop.buyer('POST', `${event.key}/session`, { token }))).toEqual([401, 'buyer_access_invalid']);
    expect(
      codeOf(await shop.call('POST', `/pub/events/${event.key}/session`, { headers: { Origin: origin } })),
    ).toEqual([404, 'not_found']);
  });

  it('reads and sells its own event, from its own origin', async () => {
    const own = await shop.event();
    const { token } = (await bootstrap({ publicKey: publicKey() }, {}, own.key)).body;
    expect((await readWith(token, {}, own.key)).status).toBe(200);
    expect((await shop.buyer('GET', `${own.key}/chart`, { token })).status).toBe(200);
    expect((await shop.buyer('POST', `${own.key}/subscribe-tickets`, { token, body: {} })).status).toBe(200);
    const held = await shop.buyer('POST', `${own.key}/hold`, { token, body: { labels: ['A-1'] } });
    expect([held.status, held.body.labels]).toEqual([200, ['A-1']]);

    const elsewhere = await readWith(token);
    expect(codeOf(elsewhere)).toEqual([403, 'buyer_access_event_mismatch']);
    expect(elsewhere.headers.get('access-control-allow-origin')).toBe(origin);
    const stolen = await readWith(token, { Origin: foreign }, own.key);
    expect(codeOf(stolen)).toEqual([403, 'buyer_access_origin_mismatch']);
    expect(stolen.headers.get('access-control-allow-origin')).toBe(foreign);
    const fromNowhere = await shop.call('GET', `/pub/events/${own.key}/objects`, { token });
    expect(codeOf(fromNowhere)).toEqual([403, 'buyer_access_origin_mismatch']);
  });

  it('resumes, extends and releases holds of another session of public sale, and of the key', async () => {
    const own = await shop.event();
    const open = async () => (await bootstrap({ publicKey: publicKey() }, {}, own.key)).body.token as string;
    const first = await open();
    const second = await open();
    const post = (action: string, body: Json, token: string) =>
      shop.buyer('POST', `${own.key}/${action}`, { token, body });
    const { holdId } = (await post('hold', { labels: ['A-1', 'A-2'] }, first)).body;
    expect((await post('hold/resume', { holdId }, second)).body.labels).toEqual(['A-1', 'A-2']);
    expect((await post('extend', { holdId }, publicKey())).body.extends).toBe(1);
    expect((await post('release', { holdId }, second)).body.released).toEqual(['A-1', 'A-2']);
  });

  it('ends with its key, used or not yet, within a second', async () => {
    const keys = `/v1/admin/organisations/${shop.own.id}/keys`;
    const body = { kind: 'publishable', mode: 'test', origins: [origin] };
    const { key, secret } = (await shop.call('POST', keys, { token: shop.rootToken, body })).body;
    const open = async () => (await bootstrap({ publicKey: secret })).body.token as string;
    const [used, unused] = await Promise.all([open(), open()]);
    expect((await readWith(used)).status).toBe(200);
    expect((await shop.call('DELETE', `${keys}/${key.id}`, { token: shop.rootToken })).status).toBeLessThan(300);
    for (const token of [used, unused]) {
      await expect
        .poll(async () => codeOf(await readWith(token)), { timeout: 1_000, interval: 20 })
        .toEqual([401, 'buyer_access_revoked']);
    }
    expect(codeOf(await bootstrap({ publicKey: secret }))).toEqual([401, 'buyer_access_invalid']);
  });

  it('that is unknown counts as expired if its token is well formed, and as invalid otherwise', async () => {
    const purged = await readWith(newSessionToken('bse'));
    expect(codeOf(purged)).toEqual([401, 'buyer_access_expired']);
    expect(purged.headers.get('access-control-allow-origin')).toBe(origin);
    const token = newSessionToken('bse');
    const forged = `${token.slice(0, 10)}${token[10] === 'a' ? 'b' : 'a'}${token.slice(11)}`;
    for (const wrong of [forged, 'bse_', `bse_${'a'.repeat(38)}`, `${token}0`]) {
      expect(codeOf(await readWith(wrong))).toEqual([401, 'buyer_access_invalid']);
    }
  });
});
