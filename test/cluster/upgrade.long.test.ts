/**
 * Two builds run side by side under load while a deployment rolls from build A to build B, back, and to B again. A is
 * this checkout. B is this checkout with a changed projection and a later form of the journal. No acknowledged call is
 * lost, the rebuilt projection has no hole, and the later form is written only when all members read it.
 */
import { join } from 'node:path';
import { jetstreamManager } from '@nats-io/jetstream';
import { names } from '@parterre/shared/protocol/subjects';
import { expect, test } from 'vitest';
import { readGenerations } from '../../services/catalog/src/projections/generations.ts';
import { bookingId } from '../../services/catalog/src/projections/rules/views.ts';
import { collections, viewsOf } from '../../services/catalog/src/store/collections.ts';
import { openEmbeddedStore } from '../../services/catalog/src/store/embedded-store.ts';
import { openMongoStore } from '../../services/catalog/src/store/mongo-store.ts';
import { journalHistories, toldHistory } from '../support/projected-history.ts';
import { type Cluster, startCluster } from '../support/servers/cluster.ts';
import { startMongo } from '../support/servers/mongo.ts';
import { connectTo } from '../support/servers/nats.ts';
import { buildOther, type Change } from '../support/servers/other-build.ts';
import { type Access, createEvents, violationsAfter } from './load/aftermath.ts';
import { runClients } from './load/clients.ts';

const PARTITIONS = 4;
const EVENTS = 3;
const SEATS = 40;
/** Successes between two restarts: each build serves with the other one meanwhile. */
const SUCCESSES_BETWEEN = 60;

const messages = 'shared/src/protocol/journal/messages.ts';
const written = '((globalThis as { writtenForm?: number }).writtenForm ?? 1)';

/** Form 2 has other first bytes. A shard writes the form that its layout names at its start. */
const laterForm: Change[] = [
  { file: 'shared/src/protocol/journal/heads.ts', from: 'journalForm = 1', to: 'journalForm = 2' },
  { file: messages, from: 'if (data[0] === journalForm)', to: 'if (data[0] === 1 || data[0] === 2)' },
  { file: messages, from: 'bytes[0] = journalForm', to: `bytes[0] = ${written}` },
  { file: messages, from: 'concat([epochPrefix,', to: `concat([Buffer.of(${written}, epochKind),` },
  {
    file: 'services/inventory-shard/src/main.ts',
    from: '  const secret = config.secret ??',
    to: '  Object.assign(globalThis, { writtenForm: layout.form });\n  const secret = config.secret ??',
  },
];

/** B marks each booking that it counts. */
const changedProjection: Change = {
  file: 'services/catalog/src/projections/rules/views.ts',
  from: 'parts.reduce<BookingProjection | undefined>(countBooking, before)!',
  to: '({ ...parts.reduce<BookingProjection | undefined>(countBooking, before)!, byB: true })',
};

test('a deployment rolls to another build, back, and to it again, while it sells', { timeout: 600_000 }, async () => {
  const [b, mongo] = await Promise.all([buildOther([...laterForm, changedProjection]), startMongo()]);
  if ('missing' in mongo) console.warn(`SKIPPED, two catalogs side by side on MongoDB: ${mongo.missing}`);
  const url = 'missing' in mongo ? null : mongo.freshUrl();
  const catalogs = url === null ? ['catalog-1'] : ['catalog-1', 'catalog-2'];
  const shards = ['inventory-shard-1', 'inventory-shard-2'];
  const rest = [...catalogs, 'notifier-1', 'frontdoor-1', 'frontdoor-2'];
  const env = {
    PARTERRE_NATS_SERVERS: '1',
    PARTERRE_CATALOGS: `${catalogs.length}`,
    PARTERRE_NOTIFIERS: '1',
    PARTERRE_SHARDS: `${shards.length}`,
    PARTERRE_FRONTDOORS: '2',
    JOURNAL_PARTITIONS: `${PARTITIONS}`,
    PARTERRE_NATS_SYNC: '2m',
    PARTERRE_BUDGETS: 'off',
    ...(url !== null && { MONGODB_URL: url }),
  };
  const envOf: Record<string, Record<string, string>> = {};
  const cluster = await startCluster({ env, envOf });
  const store = url
    ? await openMongoStore(url, collections)
    : await openEmbeddedStore(join(cluster.dataDir, 'catalog'), collections);
  try {
    const world = await openWorld(cluster);
    const roll = async (to: Record<string, string>, load: ReturnType<typeof world.sell>, processes: string[]) => {
      for (const name of processes) {
        envOf[name] = to;
        await cluster.restart(name);
        await load.moreSuccesses(SUCCESSES_BETWEEN, `after the restart of ${name}`);
      }
    };
    const a = {};
    const load = world.sell();
    await load.moreSuccesses(SUCCESSES_BETWEEN, 'before the roll');
    await roll(b.environment, load, shards.slice(0, 1));
    envOf['inventory-shard-3'] = { ...b.environment, JOURNAL_FORM: '2' };
    await expect(cluster.add('inventory-shard-3')).rejects.toThrow(/cannot read this form/);
    await roll(b.environment, load, [...shards.slice(1), ...rest]);
    // The figures that A counted have holes until the rebuild.
    expect(await bookingsWithout('byB')).not.toEqual([]);
    const { building } = await admin(cluster, 'POST', '/projections/rebuild');
    await expect
      .poll(() => admin(cluster, 'GET', '/projections'), { timeout: 60_000 })
      .toMatchObject({ generation: building, building: null });
    await load.moreSuccesses(SUCCESSES_BETWEEN, 'after the rebuild');
    expect(await bookingsWithout('byB')).toEqual([]);
    await roll(a, load, [...shards, ...rest]);
    const history = await load.stop();
    await expectCounted(cluster, world);
    const { access, plan } = world;
    const natsUrl = cluster.natsUrls[0]!;
    const planOf = () => plan;
    expect(await violationsAfter(history, { access, natsUrl, partitions: PARTITIONS, planOf })).toEqual([]);

    const again = world.sell();
    await roll(b.environment, again, [...shards, ...rest]);
    expect(await newestForms()).toEqual([1]);
    await roll({ ...b.environment, JOURNAL_FORM: '2' }, again, shards);
    expect((await again.stop()).violations).toEqual([]);
    expect(await newestForms()).toContain(2);
    await cluster.remove('inventory-shard-2');
    envOf['inventory-shard-2'] = a;
    await expect(cluster.add('inventory-shard-2')).rejects.toThrow(/version/);
    const { eventKeys, told } = world;
    for (const key of eventKeys) expect((await told(key)).log.length).toBeGreaterThan(0);

    /** The bookings of the projection that is read now whose documents lack a field. */
    async function bookingsWithout(field: string): Promise<string[]> {
      const views = viewsOf((await readGenerations(store)).current);
      const ids: string[] = [];
      for (const key of world.eventKeys) {
        const { bookings } = await world.told(key);
        ids.push(...bookings.map(({ ref }) => bookingId(key, ref)));
      }
      expect(ids.length).toBeGreaterThan(20);
      const documents = await store.getMany(views.bookings, ids);
      expect(documents).toHaveLength(ids.length);
      return documents.filter(({ value }) => !(field in value)).map(({ id }) => id);
    }

    /** The forms of the newest messages of the partitions. */
    async function newestForms(): Promise<number[]> {
      const nats = await connectTo(cluster.natsUrls[0]!);
      const { streams } = await jetstreamManager(nats);
      const forms = new Set<number>();
      for (let partition = 0; partition < PARTITIONS; partition++) {
        const stream = names.journalStream(partition);
        const { state } = await streams.info(stream);
        forms.add((await streams.getMessage(stream, { seq: state.last_seq }))!.data[0]!);
      }
      await nats.close();
      return [...forms];
    }
  } finally {
    await store.close();
    await cluster.stop();
    await b.remove();
    if (!('missing' in mongo)) await mongo.stop();
  }
});

type World = Awaited<ReturnType<typeof openWorld>>;

async function openWorld(cluster: Cluster) {
  const access: Access = { url: cluster.urls[0]!, token: cluster.demo.keys.secretTest };
  const { plan, eventKeys } = await createEvents(access, cluster.demo.chartId, EVENTS);
  const seats = plan.labels.all().slice(0, SEATS);
  return {
    access,
    plan,
    eventKeys,
    told: (key: string) => toldHistory(access, key),
    sell: () => runClients({ urls: cluster.urls, token: access.token, eventKeys, seats, clients: 8 }),
  };
}

/** Everything that the API tells equals the fold of the journal, once all groups are counted. */
async function expectCounted(cluster: Cluster, { plan, eventKeys, told }: World): Promise<void> {
  const both = async () => {
    const { events } = await journalHistories(cluster.natsUrls[0]!, PARTITIONS, plan, eventKeys);
    return [await Promise.all(eventKeys.map(told)), events];
  };
  await expect
    .poll(async () => ((histories) => JSON.stringify(histories[0]) === JSON.stringify(histories[1]))(await both()), {
      timeout: 30_000,
    })
    .toBe(true);
}

// biome-ignore lint/suspicious/noExplicitAny: a client reads answers without types.
async function admin(cluster: Cluster, method: string, path: string): Promise<any> {
  const headers = { Authorization: `Bearer ${cluster.rootToken}` };
  const response = await fetch(`${cluster.urls[0]}/v1/admin${path}`, { method, headers });
  expect(response.ok).toBe(true);
  return response.json();
}
