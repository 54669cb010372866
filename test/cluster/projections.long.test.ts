/**
 * Catalogs are killed at any moment while seats sell. Sold counts, bookings, logs and credits still equal a fold of the
 * journal: each commit group counts once. Then documents are damaged, and all are rebuilt under the same load.
 */
import { randomInt } from 'node:crypto';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { systemClock } from '@parterre/shared/runtime/clock';
import { afterAll, expect, test } from 'vitest';
import { readBooked } from '../../services/catalog/src/history/log-pages.ts';
import { bookingId } from '../../services/catalog/src/projections/rules/views.ts';
import { collections, generations, type Views, viewsOf } from '../../services/catalog/src/store/collections.ts';
import { openEmbeddedStore } from '../../services/catalog/src/store/embedded-store.ts';
import { openMongoStore } from '../../services/catalog/src/store/mongo-store.ts';
import type { BookingProjection } from '../../services/catalog/src/store/rules/records.ts';
import type { Store, Stored } from '../../services/catalog/src/store/store.ts';
import { journalHistories, toldHistory } from '../support/projected-history.ts';
import { type Cluster, startCluster } from '../support/servers/cluster.ts';
import { startMongo } from '../support/servers/mongo.ts';
import { createEvents } from './load/aftermath.ts';
import { type Load, runClients } from './load/clients.ts';

const KILLS = 6;
const SEATS = 30;
const PARTITIONS = 8;
/** The most successes between two kills. A catalog takes some moments to start, and kills must hit that time too. */
const SUCCESSES_BETWEEN_KILLS = 40;

const mongo = await startMongo();
afterAll(() => ('missing' in mongo ? undefined : mongo.stop()));

const stores: { name: string; catalogs: number; url: string | null }[] = [
  { name: 'one catalog on the embedded store', catalogs: 1, url: null },
];
if ('missing' in mongo) console.warn(`SKIPPED, two catalogs on MongoDB: ${mongo.missing}`);
else stores.push({ name: `two catalogs on ${mongo.kind}`, catalogs: 2, url: mongo.freshUrl() });

test.each(stores)(
  '$name: catalogs that are killed again and again, and a rebuild, count each group once',
  { timeout: 300_000 },
  async (chosen) => {
    const sizes = {
      PARTERRE_NATS_SERVERS: '1',
      PARTERRE_NOTIFIERS: '1',
      PARTERRE_SHARDS: '1',
      PARTERRE_FRONTDOORS: '1',
    };
    const env = {
      ...sizes,
      PARTERRE_CATALOGS: String(chosen.catalogs),
      PARTERRE_NATS_SYNC: '2m',
      PARTERRE_BUDGETS: 'off',
    };
    const cluster = await startCluster({
      env: { ...env, ...(chosen.url === null ? {} : { MONGODB_URL: chosen.url }) },
    });
    try {
      const world = await openWorld(cluster);
      const store = await openStore(cluster, chosen.url);
      const load = world.sell();
      const kill = (under: Load, kills: number) => killCatalogs(cluster, world, store, under, chosen.catalogs, kills);
      await kill(load, KILLS);
      await load.stop();
      await expectCountedOnce(cluster, world);

      await spoil(store, world);
      const again = world.sell();
      const { generation, building } = await admin(cluster, 'POST', '/projections/rebuild');
      expect(building).toBe(generation + 1);
      await kill(again, 2);
      await turned(cluster, building);
      await again.moreSuccesses(20, 'after the rebuild');
      await again.stop();
      await expectCountedOnce(cluster, world);
      await store.close();
    } finally {
      await cluster.stop();
    }
  },
);

type World = Awaited<ReturnType<typeof openWorld>>;

/** Two live events, and a test event that costs no credits. */
async function openWorld(cluster: Cluster) {
  const url = cluster.urls[0]!;
  const { keys, chartId, organisation } = cluster.demo;
  const live = await createEvents({ url, token: keys.secretLive }, chartId, 2);
  const free = await createEvents({ url, token: keys.secretTest }, chartId, 1);
  const seats = live.plan.labels.all().slice(0, SEATS);
  const shows = [
    { token: keys.secretLive, eventKeys: live.eventKeys },
    { token: keys.secretTest, eventKeys: free.eventKeys },
  ];
  return {
    plan: live.plan,
    shows,
    organisation,
    granted: (await admin(cluster, 'POST', `/organisations/${organisation}/credits`, credit)).organisation
      .credits as number,
    sell(): Load {
      const loads = shows.map((show) => runClients({ urls: [url], ...show, seats, clients: 8, thinkMsMax: 40 }));
      const first = loads[0]!;
      const second = loads[1]!;
      return {
        ...first,
        async stop() {
          await second.stop();
          return first.stop();
        },
      };
    },
  };
}

const credit = { delta: 1, reason: 'to be told the balance' };

/**
 * Every second kill comes at a random moment. The others come when an event counted a group and the position lags
 * behind.
 */
async function killCatalogs(
  cluster: Cluster,
  world: World,
  store: Store,
  load: Load,
  catalogs: number,
  kills: number,
): Promise<void> {
  for (let kill = 0; kill < kills; kill++) {
    const name = `catalog-${randomInt(catalogs) + 1}`;
    await load.moreSuccesses(randomInt(1, SUCCESSES_BETWEEN_KILLS), `before kill ${kill} of ${name}`);
    await cluster.untilReady(name);
    if (kill % 2 === 1) await halfCounted(store, world);
    cluster.kill(name);
  }
  for (let number = 1; number <= catalogs; number++) await cluster.untilReady(`catalog-${number}`);
}

const AIM_MS = 2_000;

/**
 * Resolves when an event has counted a group after its partition's stored position, or after `AIM_MS` without such an
 * event.
 */
async function halfCounted(store: Store, { shows }: World): Promise<void> {
  const views = viewsOf((await store.get(generations, 'journal'))?.value.current ?? 1);
  const eventKeys = shows.flatMap((show) => show.eventKeys);
  const deadline = systemClock.elapsed() + AIM_MS;
  while (systemClock.elapsed() < deadline) {
    const events = await store.getMany(views.events, eventKeys);
    const kept = await store.getMany(
      views.positions,
      events.map(({ value }) => value.stream!),
    );
    const positions = new Map(kept.map(({ id, value }) => [id, value.seq]));
    if (events.some(({ value }) => value.seq > (positions.get(value.stream!) ?? 0))) return;
    await turn();
  }
}

// biome-ignore lint/suspicious/noExplicitAny: a client reads answers without types.
async function admin(cluster: Cluster, method: string, path: string, body?: object): Promise<any> {
  const response = await fetch(`${cluster.urls[0]}/v1/admin${path}`, {
    method,
    headers: { Authorization: `Bearer ${cluster.rootToken}`, 'Content-Type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  const answer = await response.json();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${JSON.stringify(answer)}`);
  return answer;
}

/** Everything that the API tells equals the fold of the journal, once all groups are counted. */
async function expectCountedOnce(cluster: Cluster, { plan, shows, organisation, granted }: World): Promise<void> {
  const url = cluster.urls[0]!;
  const natsUrl = cluster.natsUrls[0]!;
  const used: number[] = [];
  for (const { token, eventKeys } of shows) {
    const { told, folded } = await eventually(
      async () => ({
        folded: await journalHistories(natsUrl, PARTITIONS, plan, eventKeys),
        told: await Promise.all(eventKeys.map((key) => toldHistory({ url, token }, key))),
      }),
      (both) => JSON.stringify(both.told) === JSON.stringify(both.folded.events),
    );
    expect(told).toEqual(folded.events);
    used.push(folded.everBooked);
  }
  expect(used[0]).toBeGreaterThan(0);
  expect(used[1]).toBeGreaterThan(0);
  const { credits } = (await admin(cluster, 'POST', `/organisations/${organisation}/credits`, credit)).organisation;
  const { credits: after } = (
    await admin(cluster, 'POST', `/organisations/${organisation}/credits`, { ...credit, delta: -1 })
  ).organisation;
  expect(after).toBe(credits - 1);
  expect(after).toBe(granted - used[0]!);
}

const SETTLE_MS = 20_000;

/** Repeats the read until it is as expected, or for `SETTLE_MS`: holds go on expiring, and projections lag. */
async function eventually<T>(look: () => Promise<T>, isIt: (value: T) => boolean): Promise<T> {
  const deadline = systemClock.elapsed() + SETTLE_MS;
  for (;;) {
    const value = await look();
    if (isIt(value) || systemClock.elapsed() > deadline) return value;
  }
}

async function openStore(cluster: Cluster, url: string | null): Promise<Store> {
  return url === null
    ? openEmbeddedStore(join(cluster.dataDir, 'catalog'), collections)
    : openMongoStore(url, collections);
}

/** Damages the projections in every way: wrong counts, lost documents. */
async function spoil(store: Store, { shows, organisation }: World): Promise<void> {
  const standing = await store.get(generations, 'journal');
  const views = viewsOf(standing?.value.current ?? 1);
  for (const eventKey of shows.flatMap(({ eventKeys }) => eventKeys)) {
    const event = (await store.get(views.events, eventKey))!;
    await store.replace(views.events, eventKey, event.version, { ...event.value, sold: 9_999 });
    // Read before the groups are lost: only the groups lead to booked bookings.
    const bookings = await bookedBookings(store, views, eventKey);
    const { documents: groups } = await store.page(views.groups, { index: 'byEvent', equal: [eventKey], limit: 20 });
    for (const { id, version } of groups) await store.delete(views.groups, id, version);
    expect(bookings.length).toBeGreaterThan(0);
    for (const { id, version } of bookings.slice(0, 5)) {
      expect(await store.delete(views.bookings, id, version)).toBe('deleted');
    }
  }
  const query = { index: 'byOrganisation', equal: [organisation], limit: PARTITIONS };
  const { documents: credits } = await store.page(views.credits, query);
  expect(credits.length).toBeGreaterThan(0);
  for (const { id, version, value } of credits) {
    await store.replace(views.credits, id, version, { ...value, used: value.used + 500 });
  }
}

async function bookedBookings(store: Store, views: Views, eventKey: string): Promise<Stored<BookingProjection>[]> {
  const { entries } = await readBooked(store, views, eventKey, { limit: 200, before: undefined });
  const refs = entries.flatMap(({ record }) => (record.type === 'booked' ? [record.bookingRef] : []));
  const ids = [...new Set(refs)].map((ref) => bookingId(eventKey, ref));
  return (await store.getMany(views.bookings, ids)).filter(({ value }) => value.state === 'booked');
}

async function turned(cluster: Cluster, generation: number): Promise<void> {
  const state = await eventually(
    () => admin(cluster, 'GET', '/projections'),
    (now) => now.generation === generation,
  );
  expect(state).toMatchObject({ generation, building: null });
}
