/** The budget of server holds over HTTP: two front doors, one count; and a shard that is killed meanwhile. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { ReadyMessage } from '@parterre/shared/service';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { root } from '../../scripts/launch/root.ts';
import { type Json, openShop, type Shop } from './shop.ts';

let shop: Shop;
let second: { process: ChildProcess; url: string };

beforeAll(async () => {
  shop = await openShop();
  second = await startFrontDoor(shop.server.natsUrl, shop.rootToken);
}, 120_000);
afterAll(async () => {
  second?.process.kill('SIGKILL');
  await shop?.stop();
});

async function startFrontDoor(natsUrl: string, rootToken: string) {
  const child = fork(join(root, 'dist', 'frontdoor.js'), {
    env: { ...process.env, NATS_URL: natsUrl, PARTERRE_ROOT_TOKEN: rootToken, HOST: '127.0.0.1', PORT: '0' },
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  const [{ facts }] = (await once(child, 'message')) as [ReadyMessage];
  return { process: child, url: facts.url as string };
}

/** Extends no hold: counted like any other call, and costs no seat. */
async function extend(url: string, eventPath: string, token: string) {
  const response = await fetch(`${url}${eventPath}/extend`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    body: '{"holdId":"hld_0000000000000000000000"}',
  });
  return { status: response.status, headers: response.headers, body: (await response.json()) as Json };
}

it('lets 600 through two front doors together; releasing goes on', async () => {
  const event = await shop.event();
  const doors = [shop.url, second.url];
  const asked = Array.from({ length: 1_000 }, (_, i) => extend(doors[i % 2]!, event.path, shop.token));
  const answers = await Promise.all(asked);
  const statuses = answers.map(({ status }) => status);
  expect(statuses.filter((status) => status === 409)).toHaveLength(600);
  const refused = answers.filter(({ status }) => status === 429);
  expect(refused).toHaveLength(400);
  for (const { headers, body } of refused) {
    expect(body).toEqual({
      error: 'rate_limited',
      message: expect.any(String),
      requestId: headers.get('x-request-id'),
      retryAfterSeconds: expect.any(Number),
    });
    const wait = String(body.retryAfterSeconds);
    expect(body.retryAfterSeconds).toBeGreaterThan(30);
    expect(body.retryAfterSeconds).toBeLessThanOrEqual(60);
    expect(['retry-after', 'ratelimit-reset'].map((name) => headers.get(name))).toEqual([wait, wait]);
    expect(headers.get('ratelimit-limit')).toBe('600');
    expect(headers.get('ratelimit-remaining')).toBe('0');
    expect(headers.get('ratelimit-policy')).toBe('600;w=60');
  }

  const released = await event.post('release', { holdId: 'hld_0000000000000000000000' });
  expect([released.status, released.body.code]).toEqual([404, 'hold_not_found']);
  // Another key has a budget of its own.
  const other = await shop.organisation('Other');
  expect((await extend(second.url, event.path, other.test.secret)).status).toBe(404);
});

it('goes on when the shard that counts is killed', async () => {
  const event = await shop.event();
  const made = await shop.call('POST', `/v1/admin/organisations/${shop.own.id}/keys`, {
    token: shop.rootToken,
    body: { kind: 'secret', mode: 'test' },
  });
  const unused: string = made.body.secret;
  const statuses: number[] = [];
  const ask = async () => void statuses.push((await extend(second.url, event.path, unused)).status);
  await ask();
  process.kill(shop.server.pidOf('inventory-shard'), 'SIGKILL');
  await Promise.all(Array.from({ length: 20 }, ask));
  expect(statuses).toEqual(Array.from({ length: 21 }, () => 409));
});
