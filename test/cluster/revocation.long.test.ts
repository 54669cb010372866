/**
 * Every front door refuses a revoked credential within a second. A known credential costs no question to the catalog:
 * the test counts the catalog's messages on the wire.
 */
import { subjects } from '@parterre/shared/protocol/subjects';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Watcher } from '../end-to-end/shop.ts';
import { type Cluster, startCluster } from '../support/servers/cluster.ts';
import { connectTo } from '../support/servers/nats.ts';

let cluster: Cluster;

const few = { PARTERRE_NATS_SERVERS: '1', PARTERRE_SHARDS: '1', PARTERRE_NOTIFIERS: '1' };

beforeAll(async () => {
  cluster = await startCluster({ env: { ...few, PARTERRE_FRONTDOORS: '2', PARTERRE_CATALOGS: '2' } });
}, 120_000);
afterAll(() => cluster?.stop());

const revokedWithinMs = 1_000;

async function call(url: string, method: string, path: string, headers: Record<string, string>, body?: unknown) {
  const response = await fetch(url + path, {
    method,
    headers: { ...headers, ...(body === undefined ? {} : { 'Content-Type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: text === '' ? null : JSON.parse(text) };
}

const asRoot = () => ({ Authorization: `Bearer ${cluster.rootToken}` });
const organisation = () => `/v1/admin/organisations/${cluster.demo.organisation}`;
const event = () => `/v1/events/${cluster.demo.eventKey}`;

async function makeKey() {
  const body = { kind: 'secret', mode: 'test' };
  const made = (await call(cluster.urls[0]!, 'POST', `${organisation()}/keys`, asRoot(), body)).body;
  return { id: made.key.id as string, headers: { Authorization: `Bearer ${made.secret}` } };
}

let users = 0;
async function makeSession() {
  const account = { email: `user-${++users}@demo.example`, password: 'a long enough password' };
  const { user } = (
    await call(cluster.urls[0]!, 'POST', `${organisation()}/users`, asRoot(), { ...account, role: 'admin' })
  ).body;
  const opened = await call(cluster.urls[1]!, 'POST', '/v1/dashboard/login', {}, account);
  const cookie = opened.headers.getSetCookie()[0]!.split(';')[0]!;
  return { userId: user.id as string, headers: { Cookie: cookie, 'X-CSRF-Token': opened.body.csrfToken as string } };
}

/** Opens a socket at every front door, so that all of them know the credential. */
async function watchEverywhere(headers: Record<string, string>): Promise<Watcher[]> {
  // A socket with a session's cookie opens only from pages of its own host.
  const watchers = cluster.urls.map((url) => new Watcher(`${url}${event()}/feed`, [], { ...headers, Origin: url }));
  for (const watcher of watchers) await watcher.next();
  for (const url of cluster.urls) expect((await call(url, 'GET', event(), headers)).status).toBe(200);
  return watchers;
}

/** Milliseconds until every front door refuses the credential and its sockets are closed. */
async function msUntilRefused(headers: Record<string, string>, watchers: Watcher[], revoke: () => Promise<unknown>) {
  const since = performance.now();
  await revoke();
  for (const url of cluster.urls) {
    while ((await call(url, 'GET', event(), headers)).status !== 401) {
      if (performance.now() - since > 10_000) throw new Error(`${url} still accepts the credential`);
    }
  }
  expect(await Promise.all(watchers.map(({ closed }) => closed))).toEqual(watchers.map(() => 4401));
  return performance.now() - since;
}

it('Every front door refuses a revoked key within a second and closes its sockets', async () => {
  for (let round = 0; round < 5; round++) {
    const { id, headers } = await makeKey();
    const watchers = await watchEverywhere(headers);
    const through = cluster.urls[round % 2]!;
    const took = await msUntilRefused(headers, watchers, () =>
      call(through, 'DELETE', `${organisation()}/keys/${id}`, asRoot()),
    );
    expect(took).toBeLessThan(revokedWithinMs);
  }
});

it('Every front door refuses a session within a second once it logs out or its user is removed', async () => {
  const endings = [
    ({ headers }: Awaited<ReturnType<typeof makeSession>>) =>
      call(cluster.urls[0]!, 'POST', '/v1/dashboard/logout', headers),
    ({ userId }: Awaited<ReturnType<typeof makeSession>>) =>
      call(cluster.urls[1]!, 'DELETE', `${organisation()}/users/${userId}`, asRoot()),
  ];
  for (const end of endings) {
    const session = await makeSession();
    const watchers = await watchEverywhere(session.headers);
    expect(await msUntilRefused(session.headers, watchers, () => end(session))).toBeLessThan(revokedWithinMs);
  }
});

const page = 'https://shop.example';
const bearer = (token: string) => ({ Authorization: `Bearer ${token}`, Origin: page });

/** A socket of the buyer at every front door. */
async function watchAsBuyer(token: string): Promise<Watcher[]> {
  const pub = `/pub/events/${cluster.demo.eventKey}`;
  const watchers: Watcher[] = [];
  for (const url of cluster.urls) {
    const { protocols } = (await call(url, 'POST', `${pub}/subscribe-tickets`, bearer(token), {})).body;
    const watcher = new Watcher(`${url}${pub}/subscribe`, protocols);
    await watcher.next();
    watchers.push(watcher);
  }
  return watchers;
}

async function watchAsConsole(token: string): Promise<Watcher[]> {
  const watchers = cluster.urls.map((url) => new Watcher(`${url}${event()}/feed`, [], bearer(token)));
  for (const watcher of watchers) await watcher.next();
  return watchers;
}

/** Milliseconds until all sockets are closed with 4401. Afterwards every front door answers 401. */
async function msUntilEnded(token: string, path: string, watchers: Watcher[], end: () => Promise<{ status: number }>) {
  const since = performance.now();
  expect((await end()).status).toBeLessThan(300);
  expect(await Promise.all(watchers.map(({ closed }) => closed))).toEqual(watchers.map(() => 4401));
  const took = performance.now() - since;
  for (const url of cluster.urls) expect((await call(url, 'GET', path, bearer(token))).status).toBe(401);
  return took;
}

it('Every front door closes the sockets of a revoked or renewed buyer session, and of a revoked manage session, within a second', async () => {
  const { headers } = await makeKey();
  const mint = async (kind: string, body: object) => {
    const minted = await call(cluster.urls[0]!, 'POST', `${event()}/${kind}`, headers, {
      allowedOrigin: page,
      ...body,
    });
    expect(minted.status).toBe(201);
    return minted.body as { sessionId: string; token: string };
  };
  const objects = `/pub/events/${cluster.demo.eventKey}/objects`;
  const took: number[] = [];
  for (let round = 0; round < 5; round++) {
    const through = cluster.urls[round % 2]!;
    const renewed = { includePublic: true, clientRequestId: `round ${round}` };
    const first = await mint('buyer-access-sessions', renewed);
    let watchers = await watchAsBuyer(first.token);
    took.push(
      await msUntilEnded(first.token, objects, watchers, () =>
        call(through, 'POST', `${event()}/buyer-access-sessions`, headers, { allowedOrigin: page, ...renewed }),
      ),
    );
    const buyer = await mint('buyer-access-sessions', { includePublic: true });
    watchers = await watchAsBuyer(buyer.token);
    const ended = `${event()}/buyer-access-sessions/${buyer.sessionId}`;
    took.push(await msUntilEnded(buyer.token, objects, watchers, () => call(through, 'DELETE', ended, headers)));

    const manager = await mint('manage-sessions', {});
    watchers = await watchAsConsole(manager.token);
    const closed = `${event()}/manage-sessions/${manager.sessionId}`;
    took.push(await msUntilEnded(manager.token, event(), watchers, () => call(through, 'DELETE', closed, headers)));
  }
  const shown = took.map((ms) => Math.round(ms)).sort((a, b) => a - b);
  console.info(`sockets closed within ${shown.join(', ')} ms`);
  expect(Math.max(...took)).toBeLessThan(revokedWithinMs);
});

it('A front door asks the catalog nothing for a key, a session and an event that it knows', async () => {
  const credentials = [(await makeKey()).headers, (await makeSession()).headers];
  const labels = ['C-3'];
  const sale = async (headers: Record<string, string>) => {
    const held = await call(cluster.urls[0]!, 'POST', `${event()}/hold`, headers, { labels });
    expect(held.status).toBe(200);
    const released = await call(cluster.urls[0]!, 'POST', `${event()}/release`, headers, { holdId: held.body.holdId });
    expect(released.status).toBe(200);
  };
  for (const headers of credentials) await sale(headers);
  const nats = await connectTo(cluster.natsUrls.join(','));
  const asked: string[] = [];
  nats.subscribe(subjects.catalogAll, { callback: (_, { subject }) => void asked.push(subject) });
  await nats.flush();
  for (let i = 0; i < 20; i++) for (const headers of credentials) await sale(headers);
  await nats.flush();
  expect(asked.filter((subject) => subject.includes('credentials'))).toEqual([]);
  // The notifier also asks for the event and its subscriptions, now and then, but not for each sale.
  expect(asked.filter((subject) => subject.includes('events.get')).length).toBeLessThanOrEqual(2);
  await call(cluster.urls[0]!, 'GET', event(), { Authorization: 'Bearer sk_test_00000000000000000000' });
  await nats.flush();
  expect(asked).toContain(subjects.catalog('credentials.resolve'));
  await nats.close();
});
