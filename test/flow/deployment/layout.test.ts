/**
 * The layout of a deployment, with a real NATS and real processes. The first shard creates it, every process follows
 * it, and a process that asks for another layout does not start.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { jetstreamManager } from '@nats-io/jetstream';
import { Kvm } from '@nats-io/kv';
import { journalForm } from '@parterre/shared/protocol/journal/heads';
import { names, subjects } from '@parterre/shared/protocol/subjects';
import { encode } from '@parterre/shared/protocol/wire';
import { systemClock } from '@parterre/shared/runtime/clock';
import { askedLayout } from '@parterre/shared/runtime/cluster-layout';
import { createLog } from '@parterre/shared/runtime/log';
import { connectNats, type NatsConnection } from '@parterre/shared/runtime/nats';
import { awaitLayout, settleLayout } from '@parterre/shared/runtime/standing-layout';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { raiseFormIfAsked } from '../../../services/inventory-shard/src/cluster/raise-form.ts';
import { ensureJournalStreams } from '../../../services/inventory-shard/src/journal/streams.ts';
import { impatient } from '../../support/impatient.ts';
import { startNats, type TestNats } from '../../support/servers/nats.ts';
import { startParterre } from '../../support/servers/server.ts';
import { startService, type TestService } from '../../support/servers/service.ts';

const log = createLog('test', 'silent');
let server: TestNats;
let nats: NatsConnection;
let dataFolder: string;
let services: TestService[] = [];
/** The beats of a shard that the test plays. */
let beats: NodeJS.Timeout;

beforeEach(async () => {
  server = await startNats({ sync: '2m' });
  nats = await connectNats({ url: server.url, name: 'test' }, log);
  dataFolder = await mkdtemp(join(tmpdir(), 'parterre-test-layout-'));
});

afterEach(async () => {
  clearInterval(beats);
  await Promise.all(services.map((service) => service.stop()));
  services = [];
  await nats.close();
  await server.stop();
  await rm(dataFolder, { recursive: true, force: true });
});

function start(name: Parameters<typeof startService>[0], env: Record<string, string> = {}): TestService {
  const service = startService(name, { NATS_URL: server.url, PARTERRE_DATA: dataFolder, ...env });
  services.push(service);
  return service;
}

async function kept(): Promise<unknown> {
  const bucket = await new Kvm(nats).open(names.clusterBucket);
  return (await bucket.get('layout'))?.json();
}

const deployment = expect.stringMatching(/^dep_/);

const asked = (partitions?: string, regions?: string) =>
  askedLayout({ JOURNAL_PARTITIONS: partitions, PARTERRE_REGIONS: regions });

const refusalOfLayout =
  'read layout in the KV bucket CLUSTER: another version of Parterre made it, and this version cannot read its journals';
const refusal16 =
  'start with JOURNAL_PARTITIONS=16: this deployment has had 4 partitions since its first start, and they hold its ' +
  'events. Set JOURNAL_PARTITIONS=4 or unset it; another number needs a new deployment';

test('The first shard creates the layout, a later one follows it, and one that asks for another is refused', async () => {
  await start('inventory-shard', { JOURNAL_PARTITIONS: '4', PARTERRE_REGIONS: 'africa=0-1' }).ready;
  expect(await kept()).toEqual({ deployment, form: journalForm, partitions: 4, regions: { africa: [0, 1] } });
  const streams = await (await jetstreamManager(nats)).streams.names('journal.>').next();
  expect(streams.sort()).toEqual([0, 1, 2, 3].map(names.journalStream));

  await start('inventory-shard').ready;
  const other = start('inventory-shard', { JOURNAL_PARTITIONS: '16' });
  expect(await other.exited).toBe(1);
  expect(other.lastWords()).toEqual([refusal16]);
  const elsewhere = start('inventory-shard', { PARTERRE_REGIONS: 'africa=2-3' });
  expect(await elsewhere.exited).toBe(1);
  expect(elsewhere.lastWords()).toEqual([
    'start with PARTERRE_REGIONS=africa=2-3: this deployment has had africa=0-1 since its first start, and the ' +
      'partitions hold its events. Set PARTERRE_REGIONS=africa=0-1 or unset it; other ranges need a new deployment',
  ]);
  expect(await kept()).toEqual({ deployment, form: journalForm, partitions: 4, regions: { africa: [0, 1] } });
});

test.each(['frontdoor', 'catalog', 'notifier'] as const)(
  'a %s that asks for another layout is refused',
  async (name) => {
    await settleLayout(nats, asked('4'), 1);
    const service = start(name, { JOURNAL_PARTITIONS: '16' });
    expect(await service.exited).toBe(1);
    expect(service.lastWords()).toEqual([refusal16]);
  },
);

test('Two shards that start at once create one layout', async () => {
  const both = [start('inventory-shard', { JOURNAL_PARTITIONS: '4' }), start('inventory-shard')];
  // The second shard asks for no number. If it comes first, it creates eight partitions and the first shard is refused.
  const [first] = await Promise.all([
    both[0]!.ready.then(
      () => 4,
      () => 8,
    ),
    both[1]!.ready,
  ]);
  expect(await kept()).toEqual({ deployment, form: journalForm, partitions: first, regions: {} });
});

test('Of many concurrent layouts one is created, and the other callers are refused', async () => {
  const wants = ['1', '2', '4', '8', '16', '32', '64', '128'];
  const ends = await Promise.allSettled(wants.map((partitions) => settleLayout(nats, asked(partitions), 1)));
  const settled = ends.flatMap((end) => (end.status === 'fulfilled' ? [end.value.partitions] : []));
  expect(settled).toHaveLength(1);
  const refused = ends.flatMap((end) => (end.status === 'rejected' ? [String(end.reason)] : []));
  for (const why of refused) expect(why).toContain(`has had ${settled[0]} partitions since its first start`);
  expect(refused).toHaveLength(wants.length - 1);
});

test.each(['frontdoor', 'notifier'] as const)(
  'a %s that waits for the first shard stops when told to',
  async (name) => {
    const looks = nats.subscribe('$JS.API.STREAM.MSG.GET.KV_CLUSTER', { max: 2 });
    const service = start(name);
    for await (const look of looks) expect(look.data.length).toBeGreaterThan(0);
    expect(await service.stop()).toBe(0);
    expect(service.lastWords()).toEqual([]);
  },
);

test('A catalog serves before a layout exists, and ends when the layout is not the one it asks for', async () => {
  const waiting = start('catalog');
  const other = start('catalog', { JOURNAL_PARTITIONS: '16', PARTERRE_DATA: `${dataFolder}-16` });
  await Promise.all([waiting.ready, other.ready]);
  expect(
    (await nats.request(subjects.catalog('credentials.resolve'), new Uint8Array([0xc1]))).data.length,
  ).toBeGreaterThan(0);
  await start('inventory-shard', { JOURNAL_PARTITIONS: '4' }).ready;
  expect(await other.exited).toBe(1);
  expect(other.lastWords()).toEqual([refusal16]);
  expect(await waiting.stop()).toBe(0);
  await rm(`${dataFolder}-16`, { recursive: true, force: true });
});

test('A process that waits for the layout logs a warning after a while, and goes on when the layout comes', async () => {
  const { clock, log: listening, warnings } = impatient(log);
  const layout = awaitLayout({ nats, clock, log: listening }, asked());
  await expect.poll(() => warnings.length).toBeGreaterThan(1);
  expect(warnings[0]).toContain('still waiting for the first inventory-shard');
  await settleLayout(nats, asked('2'), 1);
  expect(await layout).toEqual({ deployment, form: journalForm, partitions: 2, regions: {} });
});

const formOf = async (): Promise<unknown> => ((await kept()) as { form: number }).form;

test('A higher form of the journal is written once no member lives that reads only the present form', async () => {
  const madeUp = journalForm + 1;
  const standing = await settleLayout(nats, asked(), 1);
  const raise = () => raiseFormIfAsked({ nats, clock: systemClock, log }, standing, { ...asked(), form: madeUp });
  const beat = encode({ id: 'shd_old', owns: [], regions: [], leaving: false, form: journalForm });
  beats = setInterval(() => nats.publish(subjects.member('shd_old'), beat), 100);
  await expect(raise()).rejects.toThrow('the members shd_old run a version that cannot read this form');
  expect(await formOf()).toBe(journalForm);
  clearInterval(beats);
  expect(await raise()).toEqual({ ...standing, form: madeUp });
  expect(await formOf()).toBe(madeUp);
  const present = start('inventory-shard');
  expect(await present.exited).toBe(1);
  expect(present.lastWords()).toEqual([refusalOfLayout]);
});

test('A layout of an unknown version is refused', async () => {
  const bucket = await new Kvm(nats).create(names.clusterBucket, { allow_direct: false });
  await bucket.create('layout', '{"v":2,"partitions":8,"regions":{}}');
  await expect(settleLayout(nats, asked(), 1)).rejects.toThrow(refusalOfLayout);
  await expect(awaitLayout({ nats, clock: systemClock, log }, asked())).rejects.toThrow(refusalOfLayout);
});

const nothingKnown = { of: async () => null };

test('Streams with too few replicas are logged and left unchanged', async () => {
  const warnings: string[] = [];
  const listening = Object.assign(Object.create(log), { warn: (_: object, line: string) => warnings.push(line) });
  const manager = await jetstreamManager(nats);
  await ensureJournalStreams(manager, 40, 1, { clock: systemClock, log: listening }, nothingKnown);
  expect(warnings).toEqual([]);
  await ensureJournalStreams(manager, 40, 3, { clock: systemClock, log: listening }, nothingKnown);
  expect(warnings).toEqual([
    '40 of 40 journal streams have fewer copies than JOURNAL_REPLICAS=3 asks for: `nats stream edit <stream> --replicas 3` adds the missing copies',
  ]);
  expect((await manager.streams.info(names.journalStream(39))).config.num_replicas).toBe(1);
});

test('Events are sold on the partitions of their region', async () => {
  const parterre = await startParterre({ env: { PARTERRE_REGIONS: 'western-europe=0-1,africa=6' } });
  try {
    const call = async <T>(path: string, body?: object): Promise<T> => {
      const response = await fetch(`${parterre.url}/v1/events${path}`, {
        method: body ? 'POST' : 'GET',
        headers: { Authorization: `Bearer ${parterre.demo.keys.secretTest}`, 'Content-Type': 'application/json' },
        ...(body ? { body: JSON.stringify(body) } : {}),
      });
      expect(response.ok).toBe(true);
      return response.json() as Promise<T>;
    };
    const link = await connectNats({ url: parterre.natsUrl, name: 'test' }, log);
    const manager = await jetstreamManager(link);
    for (const [region, partitions] of [
      ['africa', [6]],
      ['western-europe', [0, 1]],
      ['oceania', [2, 3, 4, 5, 7]],
    ] as const) {
      const { meta } = await call<{ meta: { key: string } }>('', { chartId: parterre.demo.chartId, region });
      await call(`/${meta.key}/hold`, { labels: ['A-1'] });
      const { seats } = await call<{ seats: Record<string, unknown> }>(`/${meta.key}/objects`);
      expect(seats).toHaveProperty('A-1');
      const found = await Promise.all(
        Array.from({ length: 8 }, async (_, partition) => {
          const filter = subjects.journal(partition, meta.key);
          const { state } = await manager.streams.info(names.journalStream(partition), { subjects_filter: filter });
          return Object.keys(state.subjects ?? {}).length > 0 ? [partition] : [];
        }),
      );
      expect(found.flat()).toHaveLength(1);
      expect(partitions).toContain(found.flat()[0]);
    }
    await link.close();
  } finally {
    await parterre.stop();
  }
});
