/** A replay whose next request fails or waits: it disturbs nothing but its own load. */

import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import type { JournalRecord } from '@parterre/shared/protocol/records';
import { systemClock } from '@parterre/shared/runtime/clock';
import { createLog } from '@parterre/shared/runtime/log';
import { connectNats, type NatsConnection } from '@parterre/shared/runtime/nats';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { replayLargeGroupsAtOnce, replayRequestBytes } from '../../../services/inventory-shard/src/journal/bounds.ts';
import { JournalReader } from '../../../services/inventory-shard/src/journal/journal-reader.ts';
import { createEventLoader } from '../../../services/inventory-shard/src/journal/recovery.ts';
import { ensureJournalStream } from '../../../services/inventory-shard/src/journal/streams.ts';
import { LoopTurn } from '../../../services/inventory-shard/src/partition/loop-turn.ts';
import { eventConfig, smallPlan } from '../../support/inventory/house.ts';
import { commitMessage } from '../../support/journal/stored-messages.ts';
import { startNats } from '../../support/servers/nats.ts';

const asking = '$JS.API.CONSUMER.MSG.NEXT.JOURNAL-0.';
/** So many groups of so many bytes need three requests. */
const GROUPS = 80;
const groupBytes = replayRequestBytes / 32;

let server: Awaited<ReturnType<typeof startNats>>;
let nats: NatsConnection;
beforeEach(async () => {
  server = await startNats({ sync: '2m' });
  nats = await connectNats({ url: server.url, name: 'test' }, createLog('test', 'silent'));
  await ensureJournalStream(await jetstreamManager(nats), 0, 1);
});
afterEach(async () => {
  await nats.close();
  await server.stop();
});

function publish(eventKey: string, n: number, bytes: number) {
  const by = { source: 'server', actor: 'x'.repeat(bytes) } as never;
  const record: JournalRecord =
    n === 0 ? { type: 'created', config: eventConfig(), by } : { type: 'hold-ttl-set', holdTtlMs: n, by };
  const { subject, data } = commitMessage(n + 1, [
    { eventKey, from: n, at: n, plan: smallPlan.hash, records: [record] },
  ]);
  return jetstream(nats).publish(subject, data);
}

test('a load fails when its consumer is gone while the last block is folded, and the process goes on', async () => {
  for (let n = 0; n < GROUPS; n++) await publish('gala', n, groupBytes);
  const manager = await jetstreamManager(nats);
  let asked = 0;
  let onRejected: () => void = () => {};
  const rejected = new Promise<void>((resolve) => {
    onRejected = resolve;
  });
  const published = nats.publish.bind(nats);
  nats.publish = (subject, payload, options) => {
    if (!subject.startsWith(asking) || ++asked !== 2) return published(subject, payload, options);
    const consumer = subject.slice(asking.length);
    void manager.consumers
      .delete('JOURNAL-0', consumer)
      .then(() => published(subject, payload, options))
      .then(() => nats.flush())
      .then(onRejected);
  };
  const unhandled: unknown[] = [];
  const hear = (error: unknown) => void unhandled.push(error);
  process.on('unhandledRejection', hear);
  try {
    // The loader asks for the plan at the first group. The next request fails meanwhile.
    const plans = async () => {
      await rejected;
      for (let turns = 0; turns < 10; turns++) await new Promise((resolve) => setImmediate(resolve));
      return smallPlan;
    };
    const snapshots = { store: async () => true, load: async () => null, head: async () => null };
    const reader = new JournalReader(nats, systemClock);
    const loader = createEventLoader(reader, manager, snapshots, plans, 0, new LoopTurn(systemClock));
    await expect(loader.load('gala')).rejects.toThrow();
    expect(asked).toBe(2);
    expect(unhandled).toEqual([]);
    expect((await loader.load('gala'))?.state.groups).toBe(GROUPS);
  } finally {
    process.off('unhandledRejection', hear);
  }
}, 30_000);

test('replays that wait for a message leave the turns of large groups to others', async () => {
  for (let n = 0; n < 5; n++) await publish('gala', n, 2 * replayRequestBytes);
  const reader = new JournalReader(nats, systemClock);
  let asked = 0;
  nats.subscribe(`${asking}>`, { callback: () => void asked++ });
  await nats.flush();
  const sequences = async (eventKey: string, last: number): Promise<number[]> => {
    const found: number[] = [];
    const span = { stream: 'JOURNAL-0', subject: `journal.0.${eventKey}`, from: 1, last };
    for await (const messages of reader.read(span)) found.push(...messages.map(({ seq }) => seq));
    return found;
  };
  let waiting = replayLargeGroupsAtOnce;
  const waits = Array.from({ length: waiting }, () => sequences('late', 6).finally(() => waiting--));
  await expect.poll(() => asked).toBe(2 * replayLargeGroupsAtOnce);
  expect(await sequences('gala', 5)).toEqual([1, 2, 3, 4, 5]);
  expect(waiting).toBe(replayLargeGroupsAtOnce);
  await publish('late', 0, 10);
  expect(await Promise.all(waits)).toEqual(waits.map(() => [6]));
}, 30_000);
