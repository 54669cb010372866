/** Idempotency-Key over HTTP: two front doors carry out a call once, and stored answers survive kills and restarts. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Cluster, startCluster } from '../support/servers/cluster.ts';

let cluster: Cluster;

beforeAll(async () => {
  const sizes = { PARTERRE_NATS_SERVERS: '1', PARTERRE_CATALOGS: '2', PARTERRE_NOTIFIERS: '1', PARTERRE_SHARDS: '1' };
  cluster = await startCluster({ env: { ...sizes, PARTERRE_FRONTDOORS: '2', PARTERRE_NATS_SYNC: '2m' } });
});
afterAll(() => cluster?.stop());

type Body = Record<string, unknown> & { meta?: { id: string; key: string; updatedAt: number } };

async function call(door: number, method: string, path: string, key: string | null, body?: object) {
  const response = await fetch(cluster.urls[door] + path, {
    method,
    headers: {
      Authorization: `Bearer ${cluster.demo.keys.secretTest}`,
      ...(body && { 'Content-Type': 'application/json' }),
      ...(key !== null && { 'Idempotency-Key': key }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  const replayed = response.headers.get('idempotent-replayed') === 'true';
  return { status: response.status, replayed, body: (await response.json()) as Body };
}

/** Repeats the call as long as the answer is retryable, as a client does. */
async function persist(door: number, path: string, key: string, body: object) {
  for (let attempt = 0; attempt < 1_000; attempt++) {
    const answer = await call((door + attempt) % 2, 'POST', path, key, body);
    if (answer.body.retryable !== true) return answer;
  }
  throw new Error('every answer was retryable');
}

it('One of many equal calls at two front doors at once is carried out, and all get the same answer', async () => {
  const body = { name: 'Once' };
  const answers = await Promise.all(Array.from({ length: 20 }, (_, i) => persist(i, '/v1/charts', 'once-1', body)));
  expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(201));
  expect(new Set(answers.map((answer) => JSON.stringify(answer.body))).size).toBe(1);
  expect(answers.filter(({ replayed }) => !replayed)).toHaveLength(1);
  const listed = await call(0, 'GET', '/v1/charts', null);
  expect((listed.body.charts as { name: string }[]).filter(({ name }) => name === 'Once')).toHaveLength(1);
});

it("Equal hold calls at two front doors at once make one hold under the key's name", async () => {
  const { key } = (await call(0, 'POST', '/v1/events', 'hold-event', { chartId: cluster.demo.chartId })).body.meta!;
  const path = `/v1/events/${key}`;
  const free = async () => ((await call(1, 'GET', path, null)).body.counts as { free: number }).free;
  const before = await free();
  const ways = ['hold', 'best-available'] as const;
  const bodies = { hold: { labels: ['A-1', 'A-2'] }, 'best-available': { qty: 2 } };
  for (const way of ways) {
    // Each round uses a new name, since a race is decided once for each name.
    for (let round = 0; round < 5; round++) {
      const name = `${way}-${round}`;
      const answers = await Promise.all([0, 1, 0, 1].map((door) => persist(door, `${path}/${way}`, name, bodies[way])));
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
      expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1);
      const { holdId, labels } = answers[0]!.body as { holdId: string; labels: string[] };
      expect(await free()).toBe(before - 2);
      const other = await call(1, 'POST', `${path}/${way}`, name, { ...bodies[way], ttlMs: 60_000 });
      expect([other.status, other.body.reason]).toEqual([409, 'idempotency_key_reused']);
      const released = await call(0, 'POST', `${path}/release`, null, { holdId });
      expect(released.body.released).toEqual(labels);
      expect((await persist(1, `${path}/${way}`, name, bodies[way])).body).toEqual(answers[0]!.body);
    }
  }
  const { entries } = (await call(0, 'GET', `${path}/log`, null)).body as { entries: { action: string }[] };
  expect(entries.filter(({ action }) => action === 'hold')).toHaveLength(10);
});

it('A key that comes with another body is refused; another path or another key is not affected', async () => {
  expect((await call(0, 'POST', '/v1/charts', 'body-1', { name: 'One' })).status).toBe(201);
  const other = await call(1, 'POST', '/v1/charts', 'body-1', { name: 'Two' });
  expect([other.status, other.body.code, other.body.reason]).toEqual([409, 'conflict', 'idempotency_key_reused']);
  expect(other.body).not.toHaveProperty('retryable');
  const { id } = (await call(0, 'POST', '/v1/charts', 'body-2', { name: 'One' })).body.meta!;
  const copy = await call(1, 'POST', `/v1/charts/${id}/duplicate`, 'body-1');
  expect([copy.status, copy.replayed]).toEqual([200, false]);
  expect((await call(1, 'POST', '/v1/charts', 'not a key', { name: 'One' })).status).toBe(400);
});

it('Every route that takes an Idempotency-Key repeats its first answer, even a refusal', async () => {
  const { id, updatedAt } = (await call(0, 'POST', '/v1/charts', 'all-0', { name: 'All' })).body.meta!;
  const { doc } = (await call(0, 'GET', `/v1/charts/${cluster.demo.chartId}`, null)).body;
  const chart = `/v1/charts/${id}`;
  const calls: [method: string, path: string, body?: object][] = [
    ['POST', `${chart}/publish`],
    ['PUT', chart, { doc, expectedUpdatedAt: updatedAt }],
    ['PUT', chart, { name: 'Stale', doc, expectedUpdatedAt: updatedAt }],
    ['POST', `${chart}/archive`],
    ['POST', `${chart}/unarchive`],
    ['POST', '/v1/events', { chartId: id }],
    ['POST', '/v1/events', { chartId: cluster.demo.chartId, slug: 'all-of-it' }],
    ['DELETE', chart],
  ];
  const statuses = [422, 200, 409, 200, 200, 422, 201, 200];
  for (const [at, [method, path, body]] of calls.entries()) {
    const first = await call(at % 2, method, path, `all-${at + 1}`, body);
    expect([path, first.status]).toEqual([path, statuses[at]]);
    const again = await call((at + 1) % 2, method, path, `all-${at + 1}`, body);
    expect([again.replayed, again.status, again.body]).toEqual([true, first.status, first.body]);
  }
});

it('A stored answer is still known after every service was killed or restarted', async () => {
  const body = { chartId: cluster.demo.chartId, name: 'Kept' };
  const first = await call(0, 'POST', '/v1/events', 'kept-1', body);
  expect(first.status).toBe(201);
  cluster.kill('catalog-1');
  cluster.kill('catalog-2');
  await cluster.restart('frontdoor-1');
  await Promise.all(['catalog-1', 'catalog-2'].map((name) => cluster.untilReady(name)));
  const again = await call(1, 'POST', '/v1/events', 'kept-1', body);
  expect([again.replayed, again.status, again.body]).toEqual([true, 201, first.body]);
});

it('Catalogs that are killed during a call create nothing twice', async () => {
  const chartsNamed = async (name: string) => {
    const { charts } = (await call(1, 'GET', '/v1/charts?limit=200', null)).body as { charts: { name: string }[] };
    return charts.filter((chart) => chart.name === name).length;
  };
  const killed = Promise.all(
    ['catalog-1', 'catalog-2'].map(async (name) => {
      cluster.kill(name);
      await cluster.untilReady(name);
    }),
  );
  const made = await Promise.all(
    Array.from({ length: 5 }, (_, i) => persist(i, '/v1/charts', `killed-${i}`, { name: `Killed ${i}` })),
  );
  await killed;
  expect(made.map(({ status }) => status)).toEqual(Array(5).fill(201));
  for (let i = 0; i < 5; i++) expect(await chartsNamed(`Killed ${i}`)).toBe(1);
}, 120_000);
