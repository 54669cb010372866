/**
 * No secret is written down. The test uses every kind of key, token and password, through refusals and faults. Then it
 * searches all logs (at level trace) and all stored files for each of them.
 */
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sha256 } from '@parterre/shared/protocol/ids';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openShop, type Shop } from '../shop.ts';

let shop: Shop;
let dataDir: string;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'parterre-test-'));
  shop = await openShop({ dataDir, env: { PARTERRE_LOG_LEVEL: 'trace' } });
}, 120_000);
afterAll(async () => {
  await shop?.stop();
  await rm(dataDir, { recursive: true, force: true });
});

/** Files of the launcher for its owner: the root token and the demo's keys. */
const launcherFiles = ['setup.json', 'demo.json'];

it('No secret stands in any log or in stored data', async () => {
  const { own } = shop;
  const secrets: Record<string, string> = {
    'root token': shop.rootToken,
    'test key': own.test.secret,
    'live key': own.live.secret,
    'publishable key': own.publishable.secret,
    'a wrong password': 'the wrong password of somebody',
    'a password that is too short': 'tooshort9',
    'a key that nobody has': 'sk_test_NobodyHasThisKeyAtAll00000',
    'a token that nobody has': 'not-the-root-token-but-as-long-as-one',
  };
  const account = await shop.user({ password: 'the right password of somebody' });
  secrets.password = account.password;

  await useThem(secrets, account);
  const tokens = await useAccess(secrets);
  const hook = await shop.call('POST', '/v1/webhooks', {
    token: own.test.secret,
    body: { url: 'http://127.0.0.1:9/hook', events: ['seat.booked', 'seat.released'] },
  });
  await goThroughFaults(secrets, account);
  await shop.stop();

  const files = await filesOf(dataDir);
  const logs = files.filter(({ path }) => path.startsWith('logs/'));
  expect(logs.map(({ path }) => path).sort()).toEqual(
    expect.arrayContaining(
      ['catalog', 'frontdoor', 'inventory-shard', 'nats', 'notifier'].map((name) => `logs/${name}.log`),
    ),
  );
  const kept = files.filter(({ path }) => path.startsWith('catalog/'));
  // Proof that the search works: it finds the hash of a key, and an email.
  for (const known of [sha256(own.test.secret), account.email, ...tokens.map(sha256)]) {
    expect(kept.some(({ bytes }) => bytes.includes(known))).toBe(true);
  }
  const searched = files.filter(({ path }) => !launcherFiles.includes(path));
  expect(found(searched, secrets)).toEqual([]);
  // The webhook secret is stored, because it signs, but never logged.
  expect(hook.status).toBe(201);
  expect(found(logs, { 'webhook secret': hook.body.secret })).toEqual([]);
}, 180_000);

/** Logins, keys, sessions and refusals of each. New secrets are added to `secrets`. */
async function useThem(
  secrets: Record<string, string>,
  { email, password }: { email: string; password: string },
): Promise<void> {
  const { call, own, rootToken } = shop;
  const session = await shop.logIn({ email, password });
  secrets['session token'] = session.cookie.split('=')[1]!;
  secrets['CSRF token'] = session.csrfToken;
  const event = await shop.event();
  const labels = ['A-1', 'A-2'];
  const hold = await call('POST', `${event.path}/hold`, {
    headers: { ...session.write, 'Idempotency-Key': 'once' },
    body: { labels },
  });
  const book = { holdId: hold.body.holdId, bookingRef: 'order-1' };
  await call('POST', `${event.path}/book`, { token: own.test.secret, body: book });
  await shop.buyer('GET', `${event.key}/chart`);
  await shop.buyer('POST', `${event.key}/subscribe-tickets`);

  const keys = `/v1/admin/organisations/${own.id}/keys`;
  const made = (await call('POST', keys, { token: rootToken, body: { kind: 'secret', mode: 'live' } })).body;
  secrets['revoked key'] = made.secret;
  await call('GET', '/v1/charts', { token: made.secret });
  await call('DELETE', `${keys}/${made.key.id}`, { token: rootToken });
  await call('GET', '/v1/charts', { token: made.secret });

  const users = `/v1/admin/organisations/${own.id}/users`;
  const short = secrets['a password that is too short']!;
  await call('POST', users, { token: rootToken, body: { email: 'x@shop.example', password: short, role: 'admin' } });
  await call('POST', users, { token: rootToken, body: `{"email":"x@shop.example","password":"${password}","role":` });
  await call('POST', users, { token: rootToken, body: { email, password, role: 'member' } });
  await call('POST', users, { token: rootToken, body: { email: password, password, role: password } });
  for (const guess of [secrets['a wrong password']!, rootToken, own.live.secret]) {
    await call('POST', '/v1/dashboard/login', { body: { email, password: guess } });
    await call('POST', '/v1/dashboard/login', { body: { email: 'nobody@shop.example', password: guess } });
    await call('POST', '/v1/dashboard/login', { body: guess });
  }
  for (const token of [secrets['a key that nobody has']!, secrets['a token that nobody has']!]) {
    await call('GET', `/v1/charts?key=${token}`, { token });
    await call('GET', '/v1/admin/organisations', { token });
    await call('GET', '/v1/dashboard/me', {
      headers: { Cookie: `__Host-parterre_session=${token}`, 'X-CSRF-Token': token },
    });
  }
  await call('POST', `${event.path}/hold`, { headers: session.read, body: { labels } });
  await call('POST', '/v1/dashboard/logout', { headers: session.write });
  await call('GET', '/v1/dashboard/me', { headers: session.read });
}

/** Uses sessions and access links, also where they are refused. Returns the tokens that are stored as hashes. */
async function useAccess(secrets: Record<string, string>): Promise<string[]> {
  const event = await shop.event();
  const page = 'https://shop.example';
  const { channel } = (await event.post('channels', { name: 'Club' })).body;
  const links = `channels/${channel.id}/access-links`;
  const session = { allowedOrigin: page, includePublic: true, channelIds: [channel.id], clientRequestId: 'cart' };
  const buyer = (await event.post('buyer-access-sessions', session)).body.token;
  const renewed = (await event.post('buyer-access-sessions', session)).body.token;
  const manage = (await event.post('manage-sessions', { allowedOrigin: page })).body.token;
  const made = (await event.post(links, {})).body;
  const rotated = (await event.post(`${links}/${made.link.id}/rotate`, { endActiveSessions: true })).body;
  const { workspaceId, id: chartId } = shop.chart;
  const body = { workspaceId, chartId, allowedOrigin: page };
  const designer = (await shop.call('POST', '/v1/designer/sessions', { token: shop.token, body })).body.token;
  const tokens = { buyer, renewed, manage, designer, link: made.capability, 'link after': rotated.capability };
  for (const [name, token] of Object.entries(tokens)) {
    secrets[`token of ${name}`] = token;
    for (const Origin of [page, 'https://elsewhere.example']) {
      const headers = { Origin };
      await shop.call('GET', `/pub/events/${event.key}/objects`, { token, headers });
      await shop.call('POST', `/pub/events/${event.key}/hold`, { token, headers, body: { labels: ['A-5'] } });
      const redeem = `/pub/events/${event.key}/access-links/redeem`;
      await shop.call('POST', redeem, { headers, body: { capability: token } });
      await shop.call('GET', `${event.path}/objects`, { token, headers });
      await shop.call('GET', `/v1/charts/${chartId}`, { token, headers });
    }
  }
  await event.get('/buyer-access-sessions');
  await event.get(`/${links}`);
  return Object.values(tokens);
}

/** The same calls while the services that answer them are killed. */
async function goThroughFaults(
  secrets: Record<string, string>,
  { email, password }: { email: string; password: string },
): Promise<void> {
  const event = await shop.event();
  const token = shop.own.test.secret;
  for (const [i, part] of (['catalog', 'inventory-shard', 'nats'] as const).entries()) {
    const pid = shop.pidOf(part);
    const calls = [
      shop.call('POST', '/v1/dashboard/login', { body: { email, password } }),
      shop.call('POST', '/v1/dashboard/login', {
        body: { email: `gone-${i}@shop.example`, password: secrets['a wrong password']! },
      }),
      event.post('hold', { labels: [`B-${i + 1}`] }),
      shop.call('GET', '/v1/charts', { token }),
    ];
    process.kill(pid, 'SIGKILL');
    for (const answer of await Promise.all(calls)) {
      const [cookie] = answer.headers.getSetCookie();
      if (cookie) secrets[`session token while ${part} died`] = cookie.split(/[=;]/)[1]!;
    }
    await expect.poll(() => isBack(part, pid, token), { timeout: 30_000, interval: 100 }).toBe(true);
  }
}

async function isBack(part: 'catalog' | 'inventory-shard' | 'nats', before: number, token: string): Promise<boolean> {
  try {
    return shop.pidOf(part) !== before && (await shop.call('GET', '/v1/charts', { token })).status === 200;
  } catch {
    // The service is not back yet.
    return false;
  }
}

type File = { path: string; bytes: Buffer };

async function filesOf(folder: string): Promise<File[]> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return Promise.all(paths.map(async (path) => ({ path: path.slice(folder.length + 1), bytes: await readFile(path) })));
}

/** Each secret that stands in a file, with the file. */
function found(files: File[], secrets: Record<string, string>): string[] {
  return files.flatMap(({ path, bytes }) =>
    Object.entries(secrets).flatMap(([name, secret]) => (bytes.includes(secret) ? [`${name} in ${path}`] : [])),
  );
}
