/**
 * The world of the webhook benchmark: a NATS server (written to disk, synced every two minutes), a catalog and a
 * notifier from dist/, receivers in a process of their own, and a journal that the benchmark itself writes in place of
 * shards.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import type { EventRecord } from '@parterre/shared/protocol/catalog/events';
import type { CatalogInput, CatalogOperation, CatalogOutput } from '@parterre/shared/protocol/catalog-api';
import { linkOf } from '@parterre/shared/protocol/journal/links';
import { encodeCommit, encodePart } from '@parterre/shared/protocol/journal/messages';
import type { EventConfig, JournalRecord, Part } from '@parterre/shared/protocol/records';
import { partitionOf, subjects } from '@parterre/shared/protocol/subjects';
import { createCatalogClient } from '@parterre/shared/runtime/catalog-client';
import { createLog } from '@parterre/shared/runtime/log';
import { connectNats, type NatsConnection } from '@parterre/shared/runtime/nats';
import type { ReadyMessage } from '@parterre/shared/runtime/service';
import { settleLayout } from '@parterre/shared/runtime/standing-layout';
import { theatreAndArena } from '../../scripts/generate-charts.mjs';
import { ensureJournalStream } from '../../services/inventory-shard/src/journal/streams.ts';
import { startNameServer } from '../../test/support/servers/name-server.ts';
import { startNats } from '../../test/support/servers/nats.ts';
import type { Reached, ReceiverOrder } from './webhook-receiver.ts';

const partitions = 8;
const everyPartition = Array.from({ length: partitions }, (_, partition) => partition);
const publishesAtOnce = 256;
const by = { source: 'server', actor: 'key_bench' } as const;
/** The same flags as the services: see launch/service-process.ts. */
const nodeFlags = ['--min-semi-space-size=16', '--max-semi-space-size=32', '--no-allocation-site-pretenuring'];

export type House = { urls: string[]; events: { event: EventRecord; config: EventConfig }[] };

export type World = {
  houses: House[];
  /** Starts a notifier, or lets the held one go on. */
  startNotifier(): Promise<void>;
  stopNotifier(): Promise<void>;
  /** Stops the notifier's process where it stands. It keeps its compiled code and its connections. */
  holdNotifier(): void;
  /** The notifier's memory in bytes; null while none runs. */
  memory(): Promise<{ rss: number; heap: number } | null>;
  processes(): Record<string, number>;
  /**
   * Groups of `records` records over the events of all houses, each event with holds and bookings in turns. Resolves
   * when they are journaled.
   */
  journal(groups: number, records: number): Promise<void>;
  /** Resolves when the well receivers have this many. */
  expect(count: number): Promise<Reached>;
  /** Some of the bodies of the last expected webhooks. Their mean length is that of all. */
  bodies(): Promise<string[]>;
  stop(): Promise<void>;
};

/** `addresses` makes the addresses of each house's subscriptions from the receivers' origin. */
export type WorldPlan = {
  houses: number;
  eventsPerHouse: number;
  addresses: (origin: string, house: number) => string[];
  /** The folder of the built services. [dist] */
  build?: string;
};

export async function openWorld(plan: WorldPlan): Promise<World> {
  const nats = await startNats({ sync: '2m' });
  const names = await startNameServer(() => null);
  const dataFolder = await mkdtemp(join(tmpdir(), 'parterre-bench-'));
  const connection = await connectNats({ url: nats.url, name: 'bench' }, createLog('bench', 'warn'));
  await settleLayout(connection, { partitions, partitionsAtFirst: null, regions: null, form: null }, 1);
  const manager = await jetstreamManager(connection, { checkAPI: false });
  for (const partition of everyPartition) await ensureJournalStream(manager, partition, 1);
  const env = { NATS_URL: nats.url, PARTERRE_DATA: dataFolder, PARTERRE_WEBHOOK_LOOPBACK: '1' };
  const services = plan.build ?? 'dist';
  const catalog = await startService(services, 'catalog', env);
  const receivers = fork(join('dist', 'bench', 'webhooks', 'webhook-receiver.js'), {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const [{ port }] = (await once(receivers, 'message')) as [{ port: number }];
  const houses = await openHouses(connection, plan, `http://127.0.0.1:${port}`);
  let notifier: Service | null = null;
  const stopNotifier = async (): Promise<void> => {
    notifier?.goOn();
    await notifier?.stop();
    notifier = null;
  };
  const writer = createWriter(connection, houses);
  const ask = <Answer>(order: ReceiverOrder): Promise<Answer> => {
    const answered = once(receivers, 'message') as Promise<[Answer]>;
    receivers.send(order);
    return answered.then(([answer]) => answer);
  };
  return {
    houses,
    async startNotifier() {
      if (notifier) notifier.goOn();
      else notifier = await startService(services, 'notifier', { ...env, PARTERRE_WEBHOOK_DNS: names.address });
    },
    stopNotifier,
    holdNotifier: () => notifier?.hold(),
    memory: async () => notifier?.memory() ?? null,
    processes: () => ({
      ...(notifier && { notifier: notifier.pid }),
      catalog: catalog.pid,
      nats: nats.pid,
      receivers: receivers.pid!,
    }),
    journal: writer,
    expect: (count) => ask<Reached>({ order: 'expect', count }),
    bodies: () => ask<string[]>({ order: 'bodies' }),
    async stop() {
      await stopNotifier();
      await catalog.stop();
      receivers.kill();
      await connection.close();
      await nats.stop();
      names.close();
      await rm(dataFolder, { recursive: true, force: true });
    },
  };
}

async function openHouses(connection: NatsConnection, plan: WorldPlan, origin: string): Promise<House[]> {
  const client = createCatalogClient(connection, createLog('bench', 'silent'));
  const ask = async <O extends CatalogOperation>(operation: O, input: CatalogInput<O>): Promise<CatalogOutput<O>> => {
    const answer = await client(operation, input);
    if (!answer.ok) throw new Error(`${operation} was refused: ${JSON.stringify(answer.refusal)}`);
    return answer.value;
  };
  const houses: House[] = [];
  const doc = gzipSync(JSON.stringify(theatreAndArena()));
  for (let index = 0; index < plan.houses; index++) {
    const { organisation } = await ask('organisations.create', { name: `House ${index}`, currency: 'EUR', credits: 0 });
    const who = { organisationId: organisation.id, mode: 'test', workspaceId: null, environment: null } as const;
    const scope = { ...who, actor: 'key_bench', role: null };
    const { meta } = await ask('charts.create', { scope, name: 'Hall', doc });
    await ask('charts.publish', { scope, chartId: meta.id });
    const events = [];
    for (let event = 0; event < plan.eventsPerHouse; event++) {
      events.push(await ask('events.create', { scope, draft: { chartId: meta.id, slug: slugOf(index, event) } }));
    }
    const urls = plan.addresses(origin, index);
    for (const url of urls) await ask('webhooks.create', { scope, url, events: ['hold.created', 'seat.booked'] });
    houses.push({ urls, events });
  }
  return houses;
}

/** The events spread evenly over the partitions, and alike in every world. */
function slugOf(house: number, event: number): string {
  for (let n = 0; ; n++) {
    const slug = `night-${house}-${event}-${n}`;
    if (partitionOf(slug, everyPartition) === (house + event) % partitions) return slug;
  }
}

/**
 * Numbers its groups throughout, so that no two groups are the same. Each event has as many holds as bookings: the keys
 * of events differ in each run, and with them the partition that is read first.
 */
function createWriter(connection: NatsConnection, houses: House[]) {
  const client = jetstream(connection);
  const events = Array.from({ length: houses[0]!.events.length }, (_, index) =>
    houses.map((house) => house.events[index]!),
  ).flat();
  let n = 0;

  async function write(records: number): Promise<void> {
    n++;
    const { event, config } = events[n % events.length]!;
    const partition = partitionOf(event.key, everyPartition);
    const part: Part = {
      event: event.key,
      from: 0,
      at: Date.now(),
      plan: config.planHash,
      link: linkOf(event.key),
      records: Array.from({ length: records }, (_, index) =>
        recordOf(n, index, Math.floor(n / events.length) % 2 === 0),
      ),
    };
    const commit = encodeCommit({ epoch: 1, n, low: 0, link: linkOf('before') }, [encodePart(part)]);
    await client.publish(subjects.journal(partition, event.key), commit, { timeout: 30_000 });
  }

  return async (groups: number, records: number): Promise<void> => {
    let left = groups;
    const work = async (): Promise<void> => {
      while (left-- > 0) await write(records);
    };
    await Promise.all(Array.from({ length: publishesAtOnce }, work));
  };
}

/** Two seats each, as in a sale. */
function recordOf(n: number, index: number, isHold: boolean): JournalRecord {
  const first = ((n * 64 + index) * 2) % 10_000;
  const lines = [first, first + 1].map((unit) => ({ unit, price: 40 }));
  const about = { accessSource: 'public', lines, by } as const;
  if (isHold) return { ...about, type: 'held', holdId: `hold_${n}_${index}`, expiresAt: Date.now() + 600_000 };
  const names = { bookingRef: `order-${n}-${index}`, callId: `call-${n}-${index}`, holdId: null };
  return { ...about, ...names, type: 'booked' };
}

export type Service = {
  pid: number;
  /** The memory of the process itself, in bytes. */
  memory(): Promise<{ rss: number; heap: number }>;
  hold(): void;
  goOn(): void;
  stop(): Promise<void>;
};

async function startService(
  folder: string,
  name: 'catalog' | 'notifier',
  env: Record<string, string>,
): Promise<Service> {
  const child: ChildProcess = fork(join(folder, `${name}.js`), {
    env: { ...process.env, ...env, HEALTH_PORT: '0', PARTERRE_LOG_LEVEL: 'warn' },
    stdio: ['ignore', 'inherit', process.env.BENCH_LOGS ? 'inherit' : 'ignore', 'ipc'],
    execArgv: [...nodeFlags, ...(process.env.BENCH_PROFILE === name ? ['--cpu-prof'] : [])],
  });
  const exited = once(child, 'exit');
  const ended = exited.then(([code]) => Promise.reject(new Error(`the ${name} ended with ${code}`)));
  ended.catch(() => {});
  const [{ healthUrl }] = (await Promise.race([once(child, 'message'), ended])) as [ReadyMessage];
  return {
    pid: child.pid!,
    async memory() {
      const told = await (await fetch(`${healthUrl}/metrics`)).text();
      const of = (metric: string): number => Number(new RegExp(`^${metric} (\\S+)`, 'm').exec(told)?.[1]);
      return { rss: of('process_resident_memory_bytes'), heap: of('nodejs_heap_size_used_bytes') };
    },
    hold: () => void child.kill('SIGSTOP'),
    goOn: () => void child.kill('SIGCONT'),
    async stop() {
      child.kill('SIGTERM');
      await exited;
    },
  };
}
