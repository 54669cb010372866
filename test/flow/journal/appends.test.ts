/** The fenced journal against a real server: order, fences, and the fate of appends with lost acks. */
import { jetstreamManager } from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { appendWindow } from '@parterre/shared/protocol/limits';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { fenceQuietMs } from '../../../services/inventory-shard/src/journal/bounds.ts';
import { ensureJournalStream } from '../../../services/inventory-shard/src/journal/streams.ts';
import { journalOn, reopened } from '../../support/partition/journals.ts';
import { startNats, type TestNats } from '../../support/servers/nats.ts';

let server: TestNats;
let nats: NatsConnection;
let partition = 0;

beforeAll(async () => {
  server = await startNats();
  nats = await connect({ servers: server.url, maxReconnectAttempts: -1, reconnectTimeWait: 20 });
});
afterAll(async () => {
  await nats.close();
  await server.stop();
});
beforeEach(async () => {
  partition++;
  await ensureJournalStream(await jetstreamManager(nats), partition, 1);
});

const journalOf = (owner: string) => journalOn(nats, partition, owner);

test('Appends in flight commit in order, each at its expected sequence', async () => {
  const { journal, append, committed, commits } = await journalOf('one');
  await journal.open();
  const sequences: number[] = [];
  while (sequences.length < 200) {
    if ((await journal.inFlight) === appendWindow) await commits(committed.length + 1);
    sequences.push(append().sequence);
  }
  await commits(200);
  expect(committed).toEqual(sequences);
  expect(sequences[0]).toBe(2); // after the epoch record
  expect(journal.inFlight).toBe(0);
});

test('A new owner fences the old one, whose next append fails and which then stops', async () => {
  const old = await journalOf('old');
  await old.journal.open();
  const fresh = await journalOf('fresh');
  const opened = await fresh.journal.open();
  expect(opened).toMatchObject({ epoch: 2, low: 0 });
  expect(opened!.quietMs).toBeLessThanOrEqual(fenceQuietMs);
  const late = old.append();
  expect(await old.end).toContain('wrong last sequence');
  expect(await old.journal.open()).toBeNull();
  expect(await old.journal.landed(late)).toBe(false);
  fresh.append();
  await fresh.commits(1);
});

test('After lost acks the journal reopens under a new epoch and tells which groups landed', async () => {
  const { journal, append, commits } = await journalOf('one');
  await journal.open();
  append();
  await commits(1);
  const landed = append();
  // The server has the append, and the journal does not know: a lost ack.
  journal.breakOff('ack lost');
  await nats.flush();
  expect(await journal.open()).toMatchObject({ epoch: 2, quietMs: 0, low: 0, lost: null });
  expect(await journal.landed(landed)).toBe(true);
  expect(await journal.landed({ ...landed, sequence: landed.sequence + 1 })).toBe(false);
});

test('A killed server breaks the journal; after its restart acknowledged groups stand and appends go on', async () => {
  const { journal, append, committed, commits, end } = await journalOf('one');
  await journal.open();
  for (let i = 0; i < 20; i++) append();
  await commits(20);
  const returned = reconnected();
  await server.kill();
  journal.breakOff('connection lost');
  await end;
  await server.restart();
  await returned;
  await reopened(journal);
  const last = committed.at(-1)!;
  expect(await journal.landed({ epoch: 1, n: 20, sequence: last })).toBe(true);
  append();
  await commits(21);
});

async function reconnected(): Promise<void> {
  for await (const { type } of nats.status()) if (type === 'reconnect') return;
}
