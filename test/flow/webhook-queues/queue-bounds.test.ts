/** The bounds of the queues on a real NATS server: in bytes, apart from the journal's storage, and after a restart. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { names, subjects } from '@parterre/shared/protocol/subjects';
import {
  queuedBytesPerSubscriptionMax,
  queuesMbDefault,
  retriesAmongOthersMax,
} from '@parterre/shared/protocol/webhook-limits';
import { systemClock } from '@parterre/shared/runtime/clock';
import { connectNats, type NatsConnection } from '@parterre/shared/runtime/nats';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { ensureQueues } from '../../../services/notifier/src/deliveries/queue-streams.ts';
import { createQueues, type Put, type Queues } from '../../../services/notifier/src/deliveries/queues.ts';
import { type Delivery, firstDelivery, retryOf } from '../../../services/notifier/src/deliveries/rules/delivery.ts';
import { natsReleases, startNats, type TestNats } from '../../support/servers/nats.ts';

const MIB = 1024 ** 2;
const STORAGE_MIB = 48;

let server: TestNats;
let small: TestNats;
let smallStore: string;
let nats: NatsConnection;
let lines: { msg: string; givenMb?: number }[] = [];
const log = pino({ level: 'info' }, { write: (line) => lines.push(JSON.parse(line)) });
const open: NatsConnection[] = [];

beforeAll(async () => {
  server = await startNats({ sync: '2m' });
  // A `jetstream` block has its own folder: without one the server shares a folder with all others of the machine.
  smallStore = await mkdtemp(join(tmpdir(), 'parterre-test-small-'));
  const config = `jetstream { max_file_store: ${STORAGE_MIB}MB, store_dir: "${smallStore}" }`;
  small = await startNats({ sync: '2m', config });
  nats = await connectNats({ url: server.url, name: 'test' }, log);
}, 60_000);

afterEach(async () => {
  for (const each of open.splice(0)) await each.close();
  const manager = await jetstreamManager(nats);
  for (const name of [names.deliveryStream, names.backlogStream]) await manager.streams.delete(name).catch(() => false);
  lines = [];
});

afterAll(async () => {
  await nats?.close();
  await server?.stop();
  await small?.stop();
  await rm(smallStore, { recursive: true, force: true });
});

async function queuesOf(connection: NatsConnection, mb = queuesMbDefault, natsStorageBytes = 0): Promise<Queues> {
  const manager = await jetstreamManager(connection);
  await ensureQueues({ manager, log }, 1, mb);
  const ports = { nats: connection, jetstream: jetstream(connection), manager, clock: systemClock, log };
  const queues = createQueues({ ...ports, natsStorageBytes });
  await queues.count();
  return queues;
}

function deliveryTo(subId: string, n: number, { organisationId = 'org_a', bytes = 100 } = {}): Delivery {
  const place = { partition: 0, sequence: n, index: 0 };
  const occurrence = { id: `occ_${n}`, name: 'seat.booked', ref: null, place, at: 1, body: 'x'.repeat(bytes) } as const;
  return firstDelivery(occurrence, { subId, organisationId, mode: 'live', eventKey: 'gala' }, n);
}

/** Puts pieces of 60 KiB until the backlog refuses one. */
async function fill(queues: Queues, subId: string, piecesMax: number, organisationId?: string): Promise<Put> {
  for (let n = 0; n < piecesMax; n++) {
    const put = await queues.putBacklog(subId, [
      deliveryTo(subId, n, { bytes: 60 * 1024, organisationId: organisationId ?? 'org_a' }),
    ]);
    if (put !== 'queued') return put;
  }
  return 'queued';
}

it("a subscription's backlog ends at its bytes, after a restart too, and another subscription has its own", {
  timeout: 60_000,
}, async () => {
  const queues = await queuesOf(nats);
  const pieces = queuedBytesPerSubscriptionMax / (64 * 1024);
  expect(await fill(queues, 'whk_1', pieces)).toBe('queued');
  expect(await fill(queues, 'whk_1', 1)).toBe('subscription');
  const restarted = await queuesOf(nats);
  expect(await restarted.putBacklog('whk_1', [deliveryTo('whk_1', 99_999)])).toBe('subscription');
  expect(await restarted.putRetry(retryOf(deliveryTo('whk_1', 99_999), 5_000, Date.now()))).toBe('subscription');
  expect(await restarted.putBacklog('whk_2', [deliveryTo('whk_2', 1)])).toBe('queued');
  const { state } = await (await jetstreamManager(nats)).streams.info(names.backlogStream);
  expect(state.bytes).toBeLessThanOrEqual(queuedBytesPerSubscriptionMax);
});

it('full queues leave the journal its storage, and the start says that the storage is short', {
  timeout: 60_000,
}, async () => {
  const connection = await connectNats({ url: small.url, name: 'test' }, log);
  open.push(connection);
  const manager = await jetstreamManager(connection);
  await manager.streams.add({ name: names.journalStream(0), subjects: [subjects.journalOfPartition(0)] });
  const queues = await queuesOf(connection);
  const given = lines.find(({ msg }) => msg.startsWith('NATS has no 4096 MB'))!.givenMb!;
  expect(given).toBeGreaterThan(STORAGE_MIB / 4);
  expect(given).toBeLessThan(STORAGE_MIB);
  // Sixty organisations, so that no other bound is reached before.
  let full: Put = 'queued';
  for (let org = 0; org < 60 && full === 'queued'; org++) full = await fill(queues, `whk_${org}`, 30, `org_${org}`);
  expect(full).toBe('deployment');
  for (let n = 0; n < 8; n++) {
    await jetstream(connection).publish(subjects.journal(0, 'gala'), new Uint8Array(MIB));
  }
});

it('a stream keeps what is past a lower bound, and takes more once it is drained', { timeout: 60_000 }, async () => {
  const before = await queuesOf(nats, 8);
  for (let n = 0; n < 40; n++) {
    expect(await before.putBacklog('whk_1', [deliveryTo('whk_1', n, { bytes: 60 * 1024 })])).toBe('queued');
  }
  const queues = await queuesOf(nats, 2);
  expect(await queues.backlogSize('whk_1')).toBe(40);
  expect(await queues.putBacklog('whk_2', [deliveryTo('whk_2', 1)])).toBe('deployment');
  const reader = await queues.openBacklog('whk_1');
  const stopping = new AbortController().signal;
  for (let left = 40; left > 0; ) {
    for (const { value, ack } of await reader.next(stopping)) {
      expect(value).toEqual([deliveryTo('whk_1', 40 - left, { bytes: 60 * 1024 })]);
      ack();
      left -= 1;
    }
  }
  await vi.waitFor(async () => {
    await queues.count();
    expect(await queues.putBacklog('whk_1', [deliveryTo('whk_1', 40)])).toBe('queued');
  });
  expect((await reader.next(stopping)).map(({ value }) => value)).toEqual([[deliveryTo('whk_1', 40)]]);
});

it("one subscription's many retries do not stand before another's, and each waits in its own queue", {
  timeout: 60_000,
}, async () => {
  const queues = await queuesOf(nats);
  const crowd = 3_000;
  const retryTo = (subId: string, n: number) => retryOf(deliveryTo(subId, n), 5_000, 0);
  for (let n = 0; n < crowd; n += 50) {
    const puts = Array.from({ length: 50 }, (_, m) => queues.putRetry(retryTo('whk_crowd', n + m)));
    expect(await Promise.all(puts)).toEqual(Array(50).fill('queued'));
  }
  expect(await queues.putRetry(retryTo('whk_one', 1))).toBe('queued');
  const stopping = new AbortController().signal;
  const shared = await queues.openRetryQueue(0);
  const before: string[] = [];
  while (!before.includes('whk_one')) {
    for (const { value, ack } of await shared.next(stopping)) {
      before.push(value.subId);
      ack();
    }
  }
  expect(before.length).toBeLessThanOrEqual(retriesAmongOthersMax + 1);
  const sizes = await queues.count();
  expect(sizes).toEqual(new Map([['whk_crowd-0', crowd - retriesAmongOthersMax]]));
});

it.each(natsReleases)('a server of release %o keeps the same bounds', { timeout: 120_000 }, async (release) => {
  const other = await startNats({ sync: '2m', ...release });
  try {
    const connection = await connectNats({ url: other.url, name: 'test' }, log);
    open.push(connection);
    const queues = await queuesOf(connection, 64);
    expect(await fill(queues, 'whk_1', 600)).toBe('deployment');
    expect(await queues.putBacklog('whk_2', [deliveryTo('whk_2', 1, { organisationId: 'org_b' })])).toBe('queued');
    expect((await queues.count()).get('whk_2')).toBe(1);
  } finally {
    for (const each of open.splice(0)) await each.close();
    await other.stop();
  }
});

it('tells the storage of the servers as the limit of an account without one', async () => {
  const queues = await queuesOf(nats, queuesMbDefault, 5_000_000);
  await queues.count();
  expect(queues.storage()).toMatchObject({ limit: 5_000_000 });
});
