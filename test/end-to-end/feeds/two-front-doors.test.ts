/**
 * Two front doors of one deployment: tickets of either, redeemed at either once, the names of calls and holds,
 * credentials that end at both, and public addresses of either.
 */
import { derivedId } from '@parterre/shared/protocol/ids';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pickPorts } from '../../../scripts/launch/port.ts';
import { startService, type TestService } from '../../support/servers/service.ts';
import { type Answer, type Json, openShop, origin, type Shop, Watcher } from '../shop.ts';

let shop: Shop;
const others: TestService[] = [];
let otherUrl: string;

/** One more front door of the shop's deployment. */
async function frontDoor(env: Record<string, string> = {}): Promise<string> {
  const [port] = await pickPorts(1, '127.0.0.1');
  const PORT = String(port);
  const service = startService('frontdoor', { NATS_URL: shop.server.natsUrl, HOST: '127.0.0.1', PORT, ...env });
  others.push(service);
  await service.ready;
  return `http://127.0.0.1:${port}`;
}

beforeAll(async () => {
  shop = await openShop();
  otherUrl = await frontDoor();
}, 120_000);
afterAll(async () => {
  await Promise.all(others.map((service) => service.stop()));
  await shop?.stop();
});

async function post(url: string, path: string, token: string, body: object, headers: object = {}): Promise<Answer> {
  const answer = await fetch(url + path, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  return { status: answer.status, headers: answer.headers, body: (await answer.json()) as Json };
}

async function ticketAt(url: string, key: string, token = shop.own.publishable.secret): Promise<string[]> {
  const asked = await post(url, `/pub/events/${key}/subscribe-tickets`, token, {}, { Origin: origin });
  expect(asked.status).toBe(200);
  return asked.body.protocols;
}

const subscribe = (url: string, key: string, protocols: string[]) =>
  new Watcher(`${url}/pub/events/${key}/subscribe`, protocols, { Origin: origin });

describe('a ticket', () => {
  it('of one front door opens one socket at the other, and none at either after that', async () => {
    const event = await shop.event();
    const protocols = await ticketAt(shop.url, event.key);
    const watcher = subscribe(otherUrl, event.key, protocols);
    expect(await watcher.next()).toMatchObject({ type: 'snapshot' });
    for (const url of [otherUrl, shop.url]) {
      await expect(subscribe(url, event.key, protocols).protocol).rejects.toThrow('404');
    }
    watcher.close();
  });

  it('of a session with 500 channels is short, and opens a socket with the reach of the session', async () => {
    const event = await shop.event();
    const made = async (name: string) => (await event.post('channels', { name })).body.channel.id as string;
    const ids: string[] = [];
    for (let at = 0; at < 500; at += 50) {
      ids.push(...(await Promise.all(Array.from({ length: 50 }, (_, i) => made(`Channel ${at + i}`)))));
    }
    await event.post('channels/assignments', { targetChannelId: ids[7], labels: ['A-1'], assignmentVersion: 0 });
    const body = { channelIds: ids, includePublic: false, allowedOrigin: origin };
    const { token } = (await event.post('buyer-access-sessions', body)).body;
    const protocols = await ticketAt(shop.url, event.key, token);
    expect(protocols.join().length).toBeLessThan(500);
    const watcher = subscribe(otherUrl, event.key, protocols);
    const { default: usual, seats } = await watcher.next();
    expect([usual, seats['A-1']]).toEqual(['not_for_sale', 'free']);
    watcher.close();
  });

  it('means nothing at a front door with another secret', async () => {
    const stranger = await frontDoor({ PARTERRE_SECRET: 'x'.repeat(32) });
    const event = await shop.event();
    const protocols = await ticketAt(shop.url, event.key);
    await expect(subscribe(stranger, event.key, protocols).protocol).rejects.toThrow('404');
    const own = await ticketAt(stranger, event.key);
    const watcher = subscribe(stranger, event.key, own);
    expect(await watcher.next()).toMatchObject({ type: 'snapshot' });
    watcher.close();
  });
});

describe('an Idempotency-Key', () => {
  const named = { 'Idempotency-Key': 'cart' };

  it('names the same hold at both front doors, and nobody finds the name without the secret', async () => {
    const event = await shop.event();
    const hold = (url: string) => post(url, `${event.path}/hold`, shop.token, { labels: ['A-1'] }, named);
    const first = await hold(shop.url);
    const second = await hold(otherUrl);
    expect(first.status).toBe(200);
    expect(second.body).toEqual(first.body);
    const parts = [shop.own.id, 'test', event.key, 'cart'];
    expect(first.body.holdId).not.toBe(derivedId('hld', ...parts));
    const best = (url: string) =>
      post(url, `${event.path}/best-available`, shop.token, { qty: 2 }, { 'Idempotency-Key': 'best' });
    expect((await best(otherUrl)).body).toEqual((await best(shop.url)).body);
  });

  /** Repeats the call at both front doors in turn while the answer is retryable, as clients do. */
  async function persist(path: string, key: string, body: object, first: number): Promise<Answer> {
    const urls = [shop.url, otherUrl];
    for (let attempt = first; ; attempt++) {
      const answer = await post(urls[attempt % 2]!, path, shop.token, body, { 'Idempotency-Key': key });
      if (answer.body.retryable !== true) return answer;
    }
  }
  const atOnce = (path: string, key: string, body: object, count: number) =>
    Promise.all(Array.from({ length: count }, (_, n) => persist(path, key, body, n)));

  it('of many equal calls at both front doors at once lets one through, and all get its answer', async () => {
    const answers = await atOnce('/v1/charts', 'once', { name: 'Once' }, 20);
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(201));
    expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1);
    const isReplayed = ({ headers }: Answer) => headers.get('idempotent-replayed') === 'true';
    expect(answers.filter((answer) => !isReplayed(answer))).toHaveLength(1);
    const { charts } = (await shop.call('GET', '/v1/charts?limit=200', { token: shop.token })).body;
    expect(charts.filter(({ name }: Json) => name === 'Once')).toHaveLength(1);
  });

  it.each([
    ['hold', { labels: ['A-1', 'A-2'] }],
    ['best-available', { qty: 2 }],
  ])('of equal calls of %s at both front doors at once makes one hold', async (way, body) => {
    const event = await shop.event();
    const free = async () => (await event.get()).body.counts.free as number;
    const before = await free();
    // A race is decided once for each name.
    for (let round = 0; round < 5; round++) {
      const answers = await atOnce(`${event.path}/${way}`, `${way}-${round}`, body, 4);
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
      expect(new Set(answers.map(({ body: told }) => JSON.stringify(told))).size).toBe(1);
      expect(await free()).toBe(before - 2);
      const other = await persist(`${event.path}/${way}`, `${way}-${round}`, { ...body, ttlMs: 60_000 }, 1);
      expect([other.status, other.body.reason]).toEqual([409, 'idempotency_key_reused']);
      const { holdId, labels } = answers[0]!.body;
      expect((await event.post('release', { holdId })).body.released).toEqual(labels);
      expect((await persist(`${event.path}/${way}`, `${way}-${round}`, body, 1)).body).toEqual(answers[0]!.body);
    }
    const { entries } = (await event.get('/log')).body;
    expect(entries.filter(({ action }: Json) => action === 'hold')).toHaveLength(5);
  });

  it("of a buyer names the hold of the buyer's session alone", async () => {
    const event = await shop.event();
    const session = async () => {
      const body = { includePublic: true, allowedOrigin: origin };
      return (await event.post('buyer-access-sessions', body)).body.token as string;
    };
    const ada = await session();
    const ben = await session();
    const hold = (url: string, token: string, label: string) =>
      post(url, `/pub/events/${event.key}/hold`, token, { labels: [label] }, { ...named, Origin: origin });
    const own = await hold(shop.url, ada, 'A-1');
    expect((await hold(otherUrl, ada, 'A-1')).body.holdId).toBe(own.body.holdId);
    const other = await hold(otherUrl, ben, 'A-2');
    expect(other.status).toBe(200);
    expect(other.body.holdId).not.toBe(own.body.holdId);
    const server = await post(shop.url, `${event.path}/hold`, shop.token, { labels: ['A-3'] }, named);
    expect([own.body.holdId, other.body.holdId]).not.toContain(server.body.holdId);
  });
});

it('A key that is revoked at one front door is refused at both, and its sockets at both close', async () => {
  const event = await shop.event();
  const keys = `/v1/admin/organisations/${shop.own.id}/keys`;
  const body = { kind: 'secret', mode: 'test' };
  const made = (await shop.call('POST', keys, { token: shop.rootToken, body })).body;
  const headers = { Authorization: `Bearer ${made.secret}` };
  const urls = [shop.url, otherUrl];
  const read = async (url: string) => (await fetch(url + event.path, { headers })).status;
  const watchers = urls.map((url) => new Watcher(`${url}${event.path}/feed`, [], headers));
  for (const watcher of watchers) await watcher.next();
  expect(await Promise.all(urls.map(read))).toEqual([200, 200]);
  await shop.call('DELETE', `${keys}/${made.key.id}`, { token: shop.rootToken });
  expect(await Promise.all(watchers.map(({ closed }) => closed))).toEqual([4401, 4401]);
  for (const url of urls) await expect.poll(() => read(url)).toBe(401);
});

it('A buyer who changes the choice keeps the first deadline of an hour', async () => {
  const event = await shop.event();
  // A buyer's hold lasts no longer than the event's.
  expect((await event.post('hold-ttl', { holdTtlMs: 3_600_000 })).status).toBe(200);
  const hold = async (body: object) => (await shop.buyer('POST', `${event.key}/hold`, { body })).body;
  const first = await hold({ labels: ['A-1'], ttlMs: 3_600_000 });
  const second = await hold({ labels: ['A-2'], ttlMs: 3_600_000, replaceHoldId: first.holdId });
  expect(second.ok).toBe(true);
  expect(second.expiresAt).toBe(first.expiresAt);
  const extended = (await event.post('extend', { holdId: second.holdId, ttlMs: 3_600_000 })).body;
  expect(extended.expiresAt).toBe(first.expiresAt);
  // An hour is over for both, so the call changed nothing, and used no renewal.
  const third = (await event.post('hold', { labels: ['A-3'], ttlMs: 3_600_000, replaceHoldId: second.holdId })).body;
  expect(third.expiresAt).toBe(first.expiresAt);
  expect((await event.get(`/holds/${third.holdId}`)).body.extends).toBe(0);
});

it('A file and statuses that one front door has named are answered by the other, also right after a reveal', async () => {
  const event = await shop.event();
  const hide = (...ids: string[]) =>
    event.post('availability', { rules: Object.fromEntries(ids.map((id) => [id, { mode: 'hidden' }])) });
  const files = async () => (await shop.buyer('GET', `${event.key}/chart?files=1`)).body;
  await hide('__ungrouped__');
  const before = await files();
  const [own, other] = [shop.url, otherUrl].map((url) => async (path: string) => {
    const answer = await fetch(url + path);
    return [answer.status, answer.headers.get('etag'), await answer.text()];
  });
  expect(await other!(before.files[0].url)).toEqual(await own!(before.files[0].url));
  for (let round = 0; round < 5; round++) {
    await hide();
    const revealed = await files();
    expect(await other!(revealed.files[0].url)).toEqual(await own!(revealed.files[0].url));
    expect((await other!(revealed.files[0].url))[0]).toBe(200);
    expect((await other!(revealed.statusesUrl))[0]).toBe(200);
    await hide('__ungrouped__');
    await expect.poll(async () => (await other!(revealed.files[0].url))[0]).toBe(404);
  }
});
