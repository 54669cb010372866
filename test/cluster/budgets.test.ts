/**
 * The budget of server holds over HTTP. Two front doors share one count, which survives a kill of the shard that
 * counts.
 */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Cluster, startCluster } from '../support/servers/cluster.ts';

let cluster: Cluster;

beforeAll(async () => {
  const sizes = { PARTERRE_NATS_SERVERS: '1', PARTERRE_CATALOGS: '1', PARTERRE_NOTIFIERS: '1', PARTERRE_SHARDS: '1' };
  cluster = await startCluster({ env: { ...sizes, PARTERRE_FRONTDOORS: '2', PARTERRE_NATS_SYNC: '2m' } });
});
afterAll(() => cluster?.stop());

/** Asks about a hold that does not exist. The call counts against the route's budget and takes no seat. */
async function ask(door: number, action: 'extend' | 'release', key: 'secretTest' | 'secretLive' = 'secretTest') {
  const { demo, urls } = cluster;
  const eventKey = key === 'secretTest' ? demo.eventKey : demo.liveEventKey;
  const response = await fetch(`${urls[door]}/v1/events/${eventKey}/${action}`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${demo.keys[key]}`, 'Content-Type': 'application/json' },
    body: '{"holdId":"hld_0000000000000000000000"}',
  });
  const body = (await response.json()) as Record<string, unknown>;
  return { status: response.status, headers: response.headers, body };
}

it('Two front doors together allow 600 extends a minute; releases and another key are not affected', async () => {
  const answers = await Promise.all(Array.from({ length: 1_000 }, (_, i) => ask(i % 2, 'extend')));
  expect(answers.filter(({ status }) => status === 409)).toHaveLength(600);
  const refused = answers.filter(({ status }) => status === 429);
  expect(refused).toHaveLength(400);
  for (const { headers, body } of refused) {
    expect(body).toEqual({
      error: 'rate_limited',
      message: expect.any(String),
      requestId: headers.get('x-request-id'),
      retryAfterSeconds: expect.any(Number),
    });
    expect(body.retryAfterSeconds).toBeGreaterThan(0);
    expect(body.retryAfterSeconds).toBeLessThanOrEqual(60);
    const seconds = String(body.retryAfterSeconds);
    expect(['retry-after', 'ratelimit-reset'].map((name) => headers.get(name))).toEqual([seconds, seconds]);
    expect(headers.get('ratelimit-limit')).toBe('600');
    expect(headers.get('ratelimit-remaining')).toBe('0');
    expect(headers.get('ratelimit-policy')).toBe('600;w=60');
  }
  for (const door of [0, 1]) {
    expect((await ask(door, 'release')).status).toBe(404);
    expect((await ask(door, 'extend')).status).toBe(429);
    expect((await ask(door, 'extend', 'secretLive')).status).toBe(409);
  }
});

it('Two front doors together allow one address 120 buyer holds a minute, and the page can read how long to wait', async () => {
  const { demo, urls } = cluster;
  const origin = cluster.demo.url;
  const hold = async (door: number) => {
    const response = await fetch(`${urls[door]}/pub/events/${demo.eventKey}/hold`, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${demo.keys.publishableTest}`,
        Origin: origin,
        'Content-Type': 'application/json',
      },
      body: '{"labels":["nowhere"]}',
    });
    return { status: response.status, headers: response.headers, body: (await response.json()) as object };
  };
  const answers = await Promise.all(Array.from({ length: 200 }, (_, i) => hold(i % 2)));
  expect(answers.filter(({ status }) => status === 422)).toHaveLength(120);
  const refused = answers.filter(({ status }) => status === 429);
  expect(refused).toHaveLength(80);
  for (const { headers, body } of refused) {
    expect(body).toMatchObject({ error: 'rate_limited', code: 'rate_limited', retryAfterSeconds: expect.any(Number) });
    expect(headers.get('access-control-allow-origin')).toBe(origin);
    expect(headers.get('access-control-expose-headers')).toBe('Retry-After, X-Request-ID, ETag, Date');
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    expect(headers.get('ratelimit-policy')).toBe('120;w=60');
  }
});

it('The budget still holds after the shard that counts it is killed', async () => {
  cluster.kill('inventory-shard-1');
  const answers = await Promise.all(Array.from({ length: 20 }, (_, i) => ask(i % 2, 'extend', 'secretLive')));
  expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 409));
  await cluster.untilReady('inventory-shard-1');
});
