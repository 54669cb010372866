/** Loading an event while its NATS server dies: the load ends, and the next one succeeds. */

import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import type { JournalRecord } from '@parterre/shared/protocol/records';
import { systemClock } from '@parterre/shared/runtime/clock';
import { createLog } from '@parterre/shared/runtime/log';
import { connectNats } from '@parterre/shared/runtime/nats';
import { expect, test } from 'vitest';
import { replayStallMs } from '../../../services/inventory-shard/src/journal/bounds.ts';
import { JournalReader } from '../../../services/inventory-shard/src/journal/journal-reader.ts';
import { createEventLoader } from '../../../services/inventory-shard/src/journal/recovery.ts';
import { ensureJournalStream } from '../../../services/inventory-shard/src/journal/streams.ts';
import { LoopTurn } from '../../../services/inventory-shard/src/partition/loop-turn.ts';
import { eventConfig, smallPlan } from '../../support/inventory/house.ts';
import { commitMessage } from '../../support/journal/stored-messages.ts';
import { startNats } from '../../support/servers/nats.ts';

const GROUPS = 20_000;
const BATCH = 500;

test('A load whose journal stops coming fails soon, and can be tried again', { timeout: 60_000 }, async () => {
  const server = await startNats({ sync: '2m' });
  const log = createLog('test', 'silent');
  const nats = await connectNats({ url: server.url, name: 'test' }, log);
  try {
    const manager = await jetstreamManager(nats);
    const client = jetstream(nats);
    await ensureJournalStream(manager, 0, 1);
    for (let first = 0; first < GROUPS; first += BATCH) {
      const appends = Array.from({ length: BATCH }, (_, i) => client.publish('journal.0.gala', groupOf(first + i)));
      await Promise.all(appends);
    }
    // The loader asks for the plan at the first group, so the server dies while later groups are on their way.
    let killed: Promise<void> | null = null;
    const plans = async () => {
      killed ??= server.restart();
      await killed;
      return smallPlan;
    };
    const snapshots = { store: async () => true, load: async () => null, head: async () => null };
    const reader = new JournalReader(nats, systemClock);
    const loader = createEventLoader(reader, manager, snapshots, plans, 0, new LoopTurn(systemClock));
    const startedAt = Date.now();
    const first = await loader.load('gala').then(
      () => 'loaded',
      () => 'failed',
    );
    expect(['loaded', 'failed']).toContain(first);
    expect(Date.now() - startedAt).toBeLessThan(2 * replayStallMs + 5_000);
    expect((await loader.load('gala'))?.state.version).toBe(GROUPS);
  } finally {
    await nats.close();
    await server.stop();
  }
});

function groupOf(n: number): Uint8Array {
  const by = { source: 'server', actor: null } as const;
  const record: JournalRecord =
    n === 0 ? { type: 'created', config: eventConfig(), by } : { type: 'hold-ttl-set', holdTtlMs: n, by };
  return commitMessage(n + 1, [{ eventKey: 'gala', from: n, at: n, plan: smallPlan.hash, records: [record] }]).data;
}
