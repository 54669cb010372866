/** Halted events (I9) on a real server: their map is the newest snapshot's, and everything else is refused. */
import { setTimeout } from 'node:timers/promises';
import { jetstreamManager } from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import type { Answers } from '@parterre/shared/protocol/answers';
import type { Command } from '@parterre/shared/protocol/commands';
import { unpackStatuses } from '@parterre/shared/protocol/packed-statuses';
import { unitStatus } from '@parterre/shared/protocol/records';
import { systemClock } from '@parterre/shared/runtime/clock';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { LostRecords, lossOfStream } from '../../../services/inventory-shard/src/journal/journal.ts';
import { ensureJournalStream } from '../../../services/inventory-shard/src/journal/streams.ts';
import { eventConfig, hold } from '../../support/inventory/house.ts';
import { knownStream, noLink } from '../../support/journal/links.ts';
import { ownPartition, type PartitionOwner } from '../../support/partition/owner.ts';
import { startNats, type TestNats } from '../../support/servers/nats.ts';

let server: TestNats;
let nats: NatsConnection;

beforeAll(async () => {
  server = await startNats({ sync: '2m' });
  nats = await connect({ servers: server.url });
});
afterAll(async () => {
  await nats.close();
  await server.stop();
});

const refused = { kind: 'refused', refusal: { code: 'journal_lost_records' } };
const count: Command = { type: 'count' };
const view: Command = { type: 'view' };

/** Creates the event with one hold, and stores its snapshot if it is to have one. */
async function stored(eventKey: string, number: number, isStored = true): Promise<void> {
  const one = await ownPartition({ nats, number, name: 'one' });
  await one.ask(eventKey, { type: 'create', config: eventConfig({ eventKey }) });
  await one.ask(eventKey, hold('h1', 'A-1'));
  if (isStored) await one.partition.snapshotAll(10_000);
  await one.partition.handOver();
}

async function showsTheSnapshot(owner: PartitionOwner, eventKey: string): Promise<void> {
  const reply = await owner.ask(eventKey, view);
  expect(reply).toMatchObject({ kind: 'ok', value: { stale: true, activeHolds: 1 } });
  const { statuses, unitCount } = (reply as { value: Answers['view'] }).value;
  expect([...unpackStatuses(statuses, unitCount)].filter((status) => status === unitStatus.held)).toHaveLength(1);
}

/** An owner whose loads find that the journal lacks what a snapshot knows. */
function ownShorter(number: number): Promise<PartitionOwner> {
  const beforeLoad = async (eventKey: string) => {
    throw new LostRecords(eventKey, { source: 'snapshot', sequence: 7, link: noLink });
  };
  return ownPartition({ nats, number, name: 'two', beforeLoad });
}

test('A halted event shows the map of its snapshot as stale, and refuses exact reads and sales', async () => {
  await stored('gala', 0);
  const two = await ownShorter(0);
  // This question waits in the mailbox until the load fails.
  await showsTheSnapshot(two, 'gala');
  await showsTheSnapshot(two, 'gala');
  expect(await two.ask('gala', count)).toMatchObject(refused);
  const sale = await two.ask('gala', hold('h2', 'A-2'));
  expect(sale).toMatchObject(refused);
  expect(sale).not.toHaveProperty('refusal.retryable', true);
  expect(two.partition.halts()).toMatchObject({
    haltedBy: null,
    haltedEvents: 1,
    events: [{ eventKey: 'gala', reason: expect.stringContaining('knows a part at 7') }],
  });
  two.partition.close();
  expect(two.memory.troubles.halted()).toEqual([]);
});

test('A halted event without a snapshot has no map', async () => {
  await stored('opera', 1, false);
  const two = await ownShorter(1);
  expect(await two.ask('opera', view)).toMatchObject(refused);
  two.partition.close();
});

test('The events of a halted partition show their snapshots, and are counted once somebody asks for them', async () => {
  await stored('circus', 2);
  const stream = { ...knownStream, loss: async () => 'the stream is missing' };
  const two = await ownPartition({ nats, number: 2, name: 'two', stream });
  expect(two.partition.state).toBe('halted');
  expect(two.partition.halts()).toEqual({ haltedBy: 'the stream is missing', haltedEvents: 0, events: [] });
  await showsTheSnapshot(two, 'circus');
  expect(await two.ask('circus', hold('h2', 'A-2'))).toMatchObject(refused);
  expect(two.partition.halts()).toMatchObject({ haltedEvents: 1, events: [{ reason: 'the stream is missing' }] });
  two.partition.close();
});

test('A stream that vanishes under its owner ends the term, and what the owner remembers halts the event', async () => {
  await stored('ballet', 3, false);
  let loss: string | null = null;
  const stream = { ...knownStream, loss: async () => loss };
  const two = await ownPartition({ nats, number: 3, name: 'two', stream });
  expect(await two.ask('ballet', hold('h2', 'A-2'))).toMatchObject({ kind: 'ok' });
  loss = 'the stream is missing';
  await (await jetstreamManager(nats)).streams.delete('JOURNAL-3');
  two.partition.connectionLost();
  await expect.poll(() => two.partition.state).toBe('ended');
  expect(two.released()).toBe(true);
  expect(two.remembered.of('ballet')).toMatchObject({ source: 'memory' });
});

test('A stream that another shard makes while it is looked for is not missing', async () => {
  const manager = await jetstreamManager(nats);
  const loss = lossOfStream(manager, systemClock, 9);
  await setTimeout(300);
  await ensureJournalStream(manager, 9, 1);
  expect(await loss).toBeNull();
});
