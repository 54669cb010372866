/** One process' hold on a partition against a real server: a way to ask it, and what it published. */
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { Objm } from '@nats-io/obj';
import type { NatsConnection } from '@nats-io/transport-node';
import { systemClock } from '@parterre/shared/clock';
import type { Command, Reply } from '@parterre/shared/commands';
import { createLog } from '@parterre/shared/log';
import type { FeedChange } from '@parterre/shared/records';
import { EventMemory } from '../../services/inventory-shard/src/event-memory.ts';
import { createJetStreamLog } from '../../services/inventory-shard/src/outbound/jetstream-log.ts';
import { Journal } from '../../services/inventory-shard/src/outbound/journal.ts';
import { createEventLoader } from '../../services/inventory-shard/src/outbound/recovery.ts';
import { createSnapshotStore } from '../../services/inventory-shard/src/outbound/snapshots.ts';
import { ensureJournalStream } from '../../services/inventory-shard/src/outbound/streams.ts';
import { Partition } from '../../services/inventory-shard/src/partition.ts';
import { server as caller, smallPlan } from './inventory.ts';

export type OwnerOptions = { nats: NatsConnection; number: number; name: string; bytesMax?: number };

/** Takes partition `number` over. All its events have the small plan. */
export async function ownPartition({ nats, number, name, bytesMax = 2 ** 30 }: OwnerOptions) {
  const log = createLog('test', 'silent');
  const manager = await jetstreamManager(nats);
  const client = jetstream(nats);
  const waiting = new Map<number, (reply: Reply) => void>();
  const changes: (FeedChange & { eventKey: string })[] = [];
  const snapshots = createSnapshotStore(await new Objm(client).create('SNAPSHOTS'), manager, log);
  await ensureJournalStream(manager, number, 1);
  const plans = () => Promise.resolve(smallPlan);
  const memory = new EventMemory({ clock: systemClock, log, bytesMax });
  let journal: Journal | null = null;
  let released = false;
  let id = 0;
  const partition = new Partition({
    clock: systemClock,
    log,
    plans,
    snapshots,
    memory,
    loader: createEventLoader(client, manager, snapshots, plans, number, systemClock),
    openJournal: (events) => {
      journal = new Journal(createJetStreamLog({ nats, client, manager }, number), systemClock, name, events);
      return journal;
    },
    reply({ reply }) {
      waiting.get(reply.id)?.(reply);
      waiting.delete(reply.id);
    },
    publishChange: (eventKey, change) => changes.push({ ...change, eventKey }),
    lost: () => {
      released = true;
    },
    connected: () => Promise.resolve(),
  });
  await partition.open();

  /** Queues a command; `partition.pump()` must follow. */
  function submit(eventKey: string, command: Command): Promise<Reply> {
    const envelope = { id: ++id, eventKey, caller, command };
    return new Promise((resolve) => {
      waiting.set(envelope.id, resolve);
      partition.submit({ envelope, replyTo: 'inbox.1' });
    });
  }
  function ask(eventKey: string, command: Command): Promise<Reply> {
    const reply = submit(eventKey, command);
    partition.pump();
    return reply;
  }
  return { partition, journal: journal!, memory, changes, submit, ask, released: () => released };
}
