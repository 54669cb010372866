/**
 * Front doors restart one after the other behind a load balancer that honours /readyz, while buyers hold and release.
 * No request is lost, and none is refused. A front door without NATS is not ready, says so, and comes back by itself.
 */
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { type RunFile, readJson } from '../../scripts/launch/data-folder.ts';
import { startBalancer } from '../support/servers/balancer.ts';
import { type Cluster, startCluster } from '../support/servers/cluster.ts';

const DOORS = ['frontdoor-1', 'frontdoor-2'];
/** Row A of the demo has as many seats. */
const BUYERS = 12;

let cluster: Cluster;
let balancer: Awaited<ReturnType<typeof startBalancer>>;

const healthOf = (name: string): string | undefined =>
  readJson<RunFile>(join(cluster.dataDir, 'run.json'))?.health[name];

beforeAll(async () => {
  const sizes = { PARTERRE_NATS_SERVERS: '1', PARTERRE_CATALOGS: '1', PARTERRE_NOTIFIERS: '1', PARTERRE_SHARDS: '1' };
  const env = { ...sizes, PARTERRE_NATS_SYNC: '2m', PARTERRE_BUDGETS: 'off', PARTERRE_DRAIN_GRACE_SECONDS: '2' };
  cluster = await startCluster({ env, linked: ['frontdoor-2'] });
  const doors = DOORS.map((name, index) => ({ name, port: Number(new URL(cluster.urls[index]!).port) }));
  balancer = await startBalancer(doors, healthOf);
});
afterAll(async () => {
  await balancer?.stop();
  await cluster?.stop();
});

type Answer = { status: number; body: string };

/** Resolves with the answer; rejects when there is none. */
function ask(base: string, path: string, body: object | null, agent?: Agent): Promise<Answer> {
  const headers = { Authorization: `Bearer ${cluster.demo.keys.secretTest}`, 'Content-Type': 'application/json' };
  return new Promise((resolve, reject) => {
    const asked = request(`${base}${path}`, { method: body ? 'POST' : 'GET', headers, agent }, async (response) => {
      try {
        const text = (await response.toArray()).join('');
        resolve({ status: response.statusCode!, body: text });
      } catch (error) {
        reject(error as Error);
      }
    });
    asked.on('error', reject);
    asked.end(body ? JSON.stringify(body) : undefined);
  });
}

/**
 * Each buyer holds a seat of its own, releases it, and reads the event. Half of the buyers keep their connections, the
 * others open one for each request.
 */
function startBuyers() {
  const agents = [new Agent({ keepAlive: true }), new Agent({ keepAlive: false })];
  const failures: string[] = [];
  let answered = 0;
  let running = true;
  const path = `/v1/events/${cluster.demo.eventKey}`;
  const one = async (agent: Agent, what: string, sent: object | null): Promise<string> => {
    try {
      const { status, body } = await ask(balancer.url, what, sent, agent);
      if (status === 200) answered++;
      else failures.push(`${status} ${body}`);
      return body;
    } catch (error) {
      failures.push(String(error));
      return '{}';
    }
  };
  const buyers = Array.from({ length: BUYERS }, async (_, buyer) => {
    const agent = agents[buyer % 2]!;
    while (running) {
      const held = await one(agent, `${path}/hold`, { labels: [`A-${buyer + 1}`] });
      const { holdId } = JSON.parse(held) as { holdId?: string };
      if (holdId) await one(agent, `${path}/release`, { holdId });
      await one(agent, path, null);
      await pause(2);
    }
  });
  return {
    answered: () => answered,
    async stop() {
      running = false;
      await Promise.all(buyers);
      for (const agent of agents) agent.destroy();
      return failures;
    },
  };
}

test('a rolling restart of the front doors loses no request and refuses none', async () => {
  const buyers = startBuyers();
  await expect.poll(buyers.answered, { timeout: 20_000 }).toBeGreaterThan(200);
  for (const name of DOORS) {
    balancer.seen.length = 0;
    await cluster.restart(name);
    await expect.poll(() => balancer.seen, { timeout: 20_000 }).toEqual([`${name} not ready`, `${name} ready`]);
    // The new process takes part again.
    const before = { answered: buyers.answered(), given: balancer.given[name]! };
    await expect.poll(() => balancer.given[name]!, { timeout: 20_000 }).toBeGreaterThan(before.given);
    await expect.poll(buyers.answered, { timeout: 20_000 }).toBeGreaterThan(before.answered + 200);
  }
  expect([await buyers.stop(), balancer.refused()]).toEqual([[], 0]);
}, 120_000);

test('a draining front door is not ready, refuses new sockets, answers requests, and sends its viewers away', async () => {
  const [url] = cluster.urls;
  const health = healthOf('frontdoor-1')!;
  const feed = `${url!.replace('http', 'ws')}/v1/events/${cluster.demo.eventKey}/feed`;
  const headers = { Authorization: `Bearer ${cluster.demo.keys.secretTest}` };
  const viewer = new WebSocket(feed, { headers });
  await once(viewer, 'open');
  const closed = once(viewer, 'close');
  cluster.kill('frontdoor-1', 'SIGTERM');
  await expect.poll(async () => (await fetch(`${health}/readyz`)).status, { interval: 10 }).toBe(503);
  expect((await fetch(`${health}/healthz`)).status).toBe(200);
  const response = await fetch(`${url}/v1/events/${cluster.demo.eventKey}`, { headers });
  expect([response.status, response.headers.get('connection')]).toEqual([200, 'close']);
  const late = new WebSocket(feed, { headers });
  const [, refused] = await once(late, 'unexpected-response');
  expect([refused.statusCode, refused.headers['retry-after']]).toEqual([503, '1']);
  refused.destroy();
  expect(viewer.readyState).toBe(WebSocket.OPEN);
  expect((await closed)[0]).toBe(1001);
  await cluster.untilReady('frontdoor-1');
}, 60_000);

test('a front door that has lost NATS is not ready, refuses clearly, and comes back by itself', async () => {
  const url = cluster.urls[1]!;
  const health = healthOf('frontdoor-2')!;
  const path = `/v1/events/${cluster.demo.eventKey}`;
  expect((await ask(url, path, null)).status).toBe(200);
  const before = cluster.pidOf('frontdoor-2');
  for (const link of cluster.linksOf('frontdoor-2')) link.cut();
  await expect.poll(async () => (await fetch(`${health}/readyz`)).status, { timeout: 20_000 }).toBe(503);
  const { status, body } = await ask(url, `${path}/hold`, { labels: ['A-1'] });
  expect([status, JSON.parse(body).code]).toEqual([503, 'shard_unavailable']);
  for (const link of cluster.linksOf('frontdoor-2')) link.restore();
  await expect.poll(async () => (await fetch(`${health}/readyz`)).status, { timeout: 20_000 }).toBe(200);
  expect((await ask(url, `${path}/hold`, { labels: ['A-2'] })).status).toBe(200);
  expect(cluster.pidOf('frontdoor-2')).toBe(before);
}, 60_000);
