/** The fenced journal against a real server: order, fences, and the truth about appends whose acks were lost. */
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { systemClock } from '@parterre/shared/clock';
import { fenceQuietMs } from '@parterre/shared/limits';
import type { Group } from '@parterre/shared/records';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createJetStreamLog } from '../../services/inventory-shard/src/outbound/jetstream-log.ts';
import { Journal } from '../../services/inventory-shard/src/outbound/journal.ts';
import { ensureJournalStream } from '../../services/inventory-shard/src/outbound/streams.ts';
import { startNats, type TestNats } from '../support/nats.ts';

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

/** A journal that writes down its events; `end` resolves with the reason when it breaks. */
async function journalOf(owner: string) {
  const committed: number[] = [];
  let onCommit: () => void = () => {};
  let broken: (why: string) => void = () => {};
  const end = new Promise<string>((resolve) => {
    broken = resolve;
  });
  const client = jetstream(nats, { timeout: 2_000 });
  const manager = await jetstreamManager(nats, { timeout: 2_000 });
  const log = createJetStreamLog({ nats, client, manager }, partition);
  const journal = new Journal(log, systemClock, owner, {
    onCommitted: (sequence) => {
      committed.push(sequence);
      onCommit();
    },
    onBroken: (why) => broken(why),
  });
  return {
    journal,
    committed,
    end,
    commits: (count: number) =>
      new Promise<void>((resolve) => {
        onCommit = () => committed.length >= count && resolve();
        onCommit();
      }),
  };
}

function appendOne(journal: Journal): { epoch: number; n: number; sequence: number } {
  const name = journal.nextGroup();
  const group: Group = { v: 1, ...name, at: 1, plan: 'p', records: [] };
  return { ...name, sequence: journal.append('event', group) };
}

test('appends in flight commit in order, each at the sequence it expected', async () => {
  const { journal, committed, commits } = await journalOf('one');
  await journal.open();
  const sequences = Array.from({ length: 200 }, () => appendOne(journal).sequence);
  await commits(200);
  expect(committed).toEqual(sequences);
  expect(sequences[0]).toBe(2); // behind the epoch record
  expect(journal.inFlight).toBe(0);
});

test('a new owner fences the old one, whose next append fails and who then lets go', async () => {
  const old = await journalOf('old');
  await old.journal.open();
  const fresh = await journalOf('fresh');
  const opened = await fresh.journal.open();
  expect(opened).toEqual({ epoch: 2, quietMs: fenceQuietMs });
  const late = appendOne(old.journal);
  expect(await old.end).toContain('wrong last sequence');
  expect(await old.journal.open()).toBeNull();
  expect(await old.journal.landed(late)).toBe(false);
  appendOne(fresh.journal);
  await fresh.commits(1);
});

test('after lost acks it opens again under a new epoch and tells which groups landed', async () => {
  const { journal, commits } = await journalOf('one');
  await journal.open();
  appendOne(journal);
  await commits(1);
  const landed = appendOne(journal);
  // The server has it, we do not know: what a lost ack looks like.
  journal.breakOff('ack lost');
  await nats.flush();
  expect(await journal.open()).toEqual({ epoch: 2, quietMs: 0 });
  expect(await journal.landed(landed)).toBe(true);
  expect(await journal.landed({ ...landed, sequence: landed.sequence + 1 })).toBe(false);
});

test('a killed server breaks the journal; once it is back, what was acked is there and appends go on', async () => {
  const { journal, committed, commits, end } = await journalOf('one');
  await journal.open();
  for (let i = 0; i < 20; i++) appendOne(journal);
  await commits(20);
  const returned = reconnected();
  await server.kill();
  journal.breakOff('connection lost');
  await end;
  await server.restart();
  await returned;
  await opened(journal);
  const last = committed.at(-1)!;
  expect(await journal.landed({ epoch: 1, n: 20, sequence: last })).toBe(true);
  appendOne(journal);
  await commits(21);
});

async function reconnected(): Promise<void> {
  for await (const { type } of nats.status()) if (type === 'reconnect') return;
}

/** JetStream answers only some moments after the server accepts connections. */
async function opened(journal: Journal): Promise<void> {
  for (;;) {
    try {
      await journal.open();
      return;
    } catch {
      // not yet
    }
  }
}
