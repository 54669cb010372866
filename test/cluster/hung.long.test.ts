/**
 * Long outages by processes that hang, under a load of holds on events of all partitions: both catalogs for longer than
 * any kept answer is fresh, each server of NATS, and two servers of three. The longest time without a success of an
 * event is printed.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { principalCacheMs } from '@parterre/shared/protocol/limits';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Cluster, startCluster } from '../support/servers/cluster.ts';
import { type Access, call, createEvents } from './load/aftermath.ts';

const EVENTS = 12;
const SEATS = 40;
/** A bound that tells a hang from a pause. A request that hangs ends after 10 s, and its event then has a gap above. */
const pauseMsMax = 5_000;
/** An election of NATS (9 s), the owners' way behind it, and a request that has to be repeated. */
const electionMsMax = 14_000;

let cluster: Cluster;
let load: Awaited<ReturnType<typeof startHolds>>;

beforeAll(async () => {
  const env = { PARTERRE_NOTIFIERS: '1', PARTERRE_BUDGETS: 'off', PARTERRE_NATS_SYNC: '2m', JOURNAL_PARTITIONS: '8' };
  cluster = await startCluster({ env });
  load = await startHolds(cluster.urls.map((url) => ({ url, token: cluster.demo.keys.secretTest })));
});
afterAll(async () => {
  await load?.stop();
  await cluster?.stop();
});

/** A client for each event holds a seat and releases it, again and again. */
async function startHolds(access: Access[]) {
  const { eventKeys, plan } = await createEvents(access[0]!, cluster.demo.chartId, EVENTS);
  const labels = plan.labels.all().slice(0, SEATS);
  const times = eventKeys.map(() => ({ succeededAt: 0, gap: 0 }));
  let running = true;
  const clients = eventKeys.map(async (key, index) => {
    const own = access[index % access.length]!;
    for (let turn = 0; running; turn++) {
      try {
        const path = `/v1/events/${key}`;
        const { holdId } = await call<{ holdId: string }>(own, 'POST', `${path}/hold`, {
          labels: [labels[turn % SEATS]],
        });
        await call(own, 'POST', `${path}/release`, { holdId });
        const now = performance.now();
        const time = times[index]!;
        time.gap = Math.max(time.gap, now - time.succeededAt);
        time.succeededAt = now;
      } catch {
        // The gap tells it. Seats with a rule of their own (companions) are refused as ever.
      }
      await pause(20);
    }
  });
  // From now on each front door knows the key and its events.
  while (times.some(({ succeededAt }) => succeededAt === 0)) await pause(20);
  const untilAllSell = async (): Promise<void> => {
    const since = performance.now();
    const doAll = () => times.every(({ succeededAt }) => succeededAt > since);
    await expect.poll(doAll, { timeout: 30_000 }).toBe(true);
  };
  return {
    /**
     * The longest time without a success, of any event, while `run` runs and until each event sells again. It begins
     * when every event has got over the fault before.
     */
    async longestGap(run: () => Promise<void>): Promise<number> {
      await untilAllSell();
      for (const time of times) time.gap = 0;
      await run();
      await untilAllSell();
      return Math.round(Math.max(...times.map(({ gap }) => gap)));
    },
    stop() {
      running = false;
      return Promise.all(clients);
    },
  };
}

async function gapWhileStopped(names: string[], ms: number): Promise<number> {
  try {
    const gap = await load.longestGap(async () => {
      for (const name of names) cluster.pause(name);
      await pause(ms);
    });
    console.log(`longest time without a success while ${names} hang: ${gap} ms`);
    return gap;
  } finally {
    for (const name of names) cluster.resume(name);
  }
}

/** The times of holds on all events, one after the other, by 8 clients for `ms`. */
async function timesOfHolds(eventKeys: string[], labels: string[], ms: number) {
  const endsAt = performance.now() + ms;
  const times: number[] = [];
  let failed = 0;
  const client = async (first: number): Promise<void> => {
    for (let turn = first; performance.now() < endsAt; turn += 8) {
      const own = { url: cluster.urls[0]!, token: cluster.demo.keys.secretTest };
      const path = `/v1/events/${eventKeys[turn % eventKeys.length]}`;
      const startedAt = performance.now();
      try {
        const { holdId } = await call<{ holdId: string }>(own, 'POST', `${path}/hold`, {
          labels: [labels[Math.floor(turn / eventKeys.length) % labels.length]],
        });
        times.push(performance.now() - startedAt);
        await call(own, 'POST', `${path}/release`, { holdId });
      } catch (error) {
        if (/503/.test(String(error))) failed++;
      }
    }
  };
  await Promise.all(Array.from({ length: 8 }, (_, index) => client(index)));
  times.sort((one, other) => one - other);
  const at = (share: number) => Math.round(times[Math.floor(share * (times.length - 1))] ?? Number.NaN);
  return { sold: times.length, failed, p50: at(0.5), p99: at(0.99), max: at(1) };
}

/** Catalogs that have just gone on answer what waits for them first. */
async function untilCatalogsAnswer(): Promise<void> {
  const own = { url: cluster.urls[0]!, token: cluster.demo.keys.secretTest };
  const isThere = () =>
    call(own, 'GET', '/v1/charts').then(
      () => true,
      () => false,
    );
  await expect.poll(isThere, { timeout: 30_000 }).toBe(true);
}

test('40 warm events are sold while both catalogs hang for longer than any answer is fresh', async () => {
  const { eventKeys, plan } = await createEvents(
    { url: cluster.urls[0]!, token: cluster.demo.keys.secretTest },
    cluster.demo.chartId,
    40,
  );
  const labels = plan.labels.all().slice(SEATS, 2 * SEATS);
  await timesOfHolds(eventKeys, labels, 5_000);
  for (const name of ['catalog-1', 'catalog-2']) cluster.pause(name);
  try {
    await pause(principalCacheMs + 3_000);
    const times = await timesOfHolds(eventKeys, labels, 25_000);
    console.log(`holds while both catalogs hang: ${JSON.stringify(times)}`);
    expect(times.failed).toBe(0);
    expect(times.sold).toBeGreaterThan(200);
    expect(times.max).toBeLessThan(pauseMsMax);
  } finally {
    for (const name of ['catalog-1', 'catalog-2']) cluster.resume(name);
  }
}, 120_000);

test('while all shards hang, waits end after some five seconds, and later calls are refused at once', async () => {
  await untilCatalogsAnswer();
  const { eventKeys } = await createEvents(
    { url: cluster.urls[0]!, token: cluster.demo.keys.secretTest },
    cluster.demo.chartId,
    1,
  );
  const hold = async () => {
    const startedAt = performance.now();
    const answer = await fetch(`${cluster.urls[0]}/v1/events/${eventKeys[0]}/hold`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${cluster.demo.keys.secretTest}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ labels: ['A-1'] }),
    });
    return [answer.status, performance.now() - startedAt] as const;
  };
  const shards = ['inventory-shard-1', 'inventory-shard-2', 'inventory-shard-3'];
  for (const name of shards) cluster.pause(name);
  try {
    const first = await hold();
    const second = await hold();
    console.log(`refusals while all shards hang: ${Math.round(first[1])} ms, then ${Math.round(second[1])} ms`);
    expect([first[0], second[0]]).toEqual([503, 503]);
    expect(first[1]).toBeLessThan(9_000);
    expect(second[1]).toBeLessThan(1_000);
  } finally {
    for (const name of shards) cluster.resume(name);
  }
  await expect.poll(async () => (await hold())[0], { timeout: 20_000 }).not.toBe(503);
}, 60_000);

test('sales of known events by known keys go on while all catalogs hang', async () => {
  expect(await gapWhileStopped(['catalog-1', 'catalog-2'], principalCacheMs + 15_000)).toBeLessThan(pauseMsMax);
}, 120_000);

test('a shard that hangs costs its partitions a moment', async () => {
  expect(await gapWhileStopped(['inventory-shard-2'], 10_000)).toBeLessThan(pauseMsMax);
}, 60_000);

test.each(['nats-1', 'nats-2', 'nats-3'])(
  'a hung %s costs no more than an election',
  async (name) => {
    expect(await gapWhileStopped([name], 20_000)).toBeLessThan(electionMsMax);
  },
  120_000,
);

test('a journal without a majority shows in the readiness', async () => {
  const ready = async () => {
    const answer = await fetch(`${cluster.urls[0]}/health/ready`, { signal: AbortSignal.timeout(5_000) });
    return [answer.status, ((await answer.json()) as { checks: { store: string } }).checks.store];
  };
  await expect.poll(ready).toEqual([200, 'ok']);
  const stopped = ['nats-1', 'nats-2'];
  for (const name of stopped) cluster.pause(name);
  try {
    await expect.poll(ready, { interval: 2_500 }).toEqual([503, 'down']);
  } finally {
    for (const name of stopped) cluster.resume(name);
  }
  await expect.poll(ready, { interval: 2_500, timeout: 60_000 }).toEqual([200, 'ok']);
}, 120_000);
