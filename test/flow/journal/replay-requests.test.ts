/** A replay asks its server for few bytes at once, for small and large groups alike. Other work runs meanwhile. */

import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import type { JournalRecord } from '@parterre/shared/protocol/records';
import { systemClock } from '@parterre/shared/runtime/clock';
import { createLog } from '@parterre/shared/runtime/log';
import { connectNats } from '@parterre/shared/runtime/nats';
import { MIB } from '@parterre/shared/runtime/units';
import { expect, test } from 'vitest';
import { replayRequestBytes, replayRequestMessages } from '../../../services/inventory-shard/src/journal/bounds.ts';
import { JournalReader } from '../../../services/inventory-shard/src/journal/journal-reader.ts';
import { PreparedEvents } from '../../../services/inventory-shard/src/journal/prepared-events.ts';
import { createEventLoader } from '../../../services/inventory-shard/src/journal/recovery.ts';
import { SharedParts } from '../../../services/inventory-shard/src/journal/shared-parts.ts';
import { ensureJournalStream } from '../../../services/inventory-shard/src/journal/streams.ts';
import { LoopTurn } from '../../../services/inventory-shard/src/partition/loop-turn.ts';
import { eventConfig, smallPlan } from '../../support/inventory/house.ts';
import { commitMessage } from '../../support/journal/stored-messages.ts';
import { natsReleases, startNats } from '../../support/servers/nats.ts';

const by = { source: 'server', actor: null } as const;
const SMALL = 250;
const MANY = 700;
/** Groups just below, at and far above the size of a request, and small groups between them. */
const sizes = [
  ...Array.from({ length: SMALL }, () => 100),
  ...Array.from({ length: 12 }, () => MIB / 2),
  replayRequestBytes - 400,
  replayRequestBytes,
  6 * MIB,
  6 * MIB,
  ...Array.from({ length: 3 }, () => 100),
  3 * MIB,
];

function groupOf(n: number, bytes: number, eventKey = 'gala'): Uint8Array {
  const records: JournalRecord[] = [];
  if (n === 0) records.push({ type: 'created', config: eventConfig(), by });
  records.push({ type: 'hold-ttl-set', holdTtlMs: n, by: { ...by, actor: 'x'.repeat(bytes) } as never });
  return commitMessage(n + 1, [{ eventKey, from: n, at: n, plan: smallPlan.hash, records }]).data;
}

test('a few groups are read one by one, and a prepared state is folded on, without a consumer', async () => {
  const server = await startNats({ sync: '2m' });
  const nats = await connectNats({ url: server.url, name: 'test' }, createLog('test', 'silent'));
  try {
    const manager = await jetstreamManager(nats);
    const client = jetstream(nats);
    await ensureJournalStream(manager, 0, 1);
    let consumers = 0;
    nats.subscribe('$JS.API.CONSUMER.CREATE.>', { callback: () => void consumers++ });
    const publish = (n: number, eventKey = 'gala') => client.publish(`journal.0.${eventKey}`, groupOf(n, 10, eventKey));
    for (const n of [0, 1, 2]) await publish(n);
    const snapshots = { store: async () => true, load: async () => null, head: async () => null };
    const reader = new JournalReader(nats, systemClock);
    const turn = new LoopTurn(systemClock);
    const loader = createEventLoader(reader, manager, snapshots, async () => smallPlan, 0, turn);
    const prepared = new PreparedEvents(systemClock, () => loader);
    await prepared.prepare(0, ['gala', 'unknown']);
    await publish(0, 'other');
    await publish(3);
    const taken = prepared.loader(0, new SharedParts());
    expect([...taken.prepared()]).toEqual(['gala']);
    const loaded = await taken.load('gala');
    expect(loaded?.state).toMatchObject({ version: 5, groups: 4, holdTtlMs: 3 });
    expect(loaded?.replayed.groups).toBe(4);
    expect((await loader.load('gala'))?.state).toMatchObject({ version: 5, groups: 4 });
    await nats.flush();
    expect(consumers).toBe(0);
  } finally {
    await nats.close();
    await server.stop();
  }
}, 30_000);

test('a replay of many small groups makes its consumer with one question, and takes them all with another', async () => {
  const server = await startNats({ sync: '2m' });
  const nats = await connectNats({ url: server.url, name: 'test' }, createLog('test', 'silent'));
  try {
    const client = jetstream(nats);
    await ensureJournalStream(await jetstreamManager(nats), 0, 1);
    const many = Array.from({ length: MANY }, (_, n) => client.publish('journal.0.gala', groupOf(n, 10)));
    await Promise.all(many);
    const reader = new JournalReader(nats, systemClock);
    const asked: string[] = [];
    nats.subscribe('$JS.API.>', { callback: (_error, { subject }) => void asked.push(subject.split('.')[3]!) });
    const span = { stream: 'JOURNAL-0', subject: 'journal.0.gala', from: 1, last: MANY };
    const read: number[] = [];
    for await (const messages of reader.read(span)) read.push(...messages.map(({ seq }) => seq));
    await nats.flush();
    expect(read).toEqual(many.map((_, n) => n + 1));
    expect(asked.filter((question) => question !== 'DELETE')).toEqual(['CREATE', 'MSG']);
  } finally {
    await nats.close();
    await server.stop();
  }
}, 30_000);

type Request = { batch: number; max_bytes?: number };

test.each(natsReleases)(
  'a replay of large groups asks by bytes, and loses no group, %o',
  { timeout: 60_000 },
  async (release) => {
    const server = await startNats({ sync: '2m', ...release });
    const nats = await connectNats({ url: server.url, name: 'test' }, createLog('test', 'silent'));
    try {
      const manager = await jetstreamManager(nats);
      const client = jetstream(nats);
      await ensureJournalStream(manager, 0, 1);
      for (const [n, bytes] of sizes.entries()) await client.publish('journal.0.gala', groupOf(n, bytes));
      const requests: Request[] = [];
      nats.subscribe('$JS.API.CONSUMER.MSG.NEXT.>', {
        callback: (_error, message) => {
          requests.push(message.json());
        },
      });
      await nats.flush();
      const snapshots = { store: async () => true, load: async () => null, head: async () => null };
      // Each look at the time of the turn takes a millisecond, so that a turn folds a few groups.
      let looks = 0;
      let turns = 0;
      const turn = new LoopTurn({ elapsed: () => looks++ }, (run) => {
        turns++;
        setImmediate(run);
      });
      const reader = new JournalReader(nats, systemClock);
      const loader = createEventLoader(reader, manager, snapshots, async () => smallPlan, 0, turn);
      const loaded = await loader.load('gala');
      await nats.flush();
      expect(loaded?.state).toMatchObject({ version: sizes.length, groups: sizes.length, holdTtlMs: sizes.length - 1 });
      expect(loaded?.replayed.groups).toBe(sizes.length);
      expect(loaded?.replayed.bytes).toBeGreaterThan(sizes.reduce((sum, bytes) => sum + bytes));
      expect(
        requests.filter(({ max_bytes = 0, batch }) => max_bytes > replayRequestBytes || (!max_bytes && batch > 1)),
      ).toEqual([]);
      expect(requests.length).toBeLessThan(2 * (SMALL / replayRequestMessages + sizes.length - SMALL));
      expect(turns).toBeGreaterThan(sizes.length / 6);
    } finally {
      await nats.close();
      await server.stop();
    }
  },
);
