/**
 * The consumer of a journal on a real NATS server: where a lost consumer, and a first one, begins, and the messages
 * that it settles without a fan-out.
 */
import { AckPolicy, type JetStreamManager, jetstream, jetstreamManager } from '@nats-io/jetstream';
import { names, subjects } from '@parterre/shared/protocol/subjects';
import { journalPlaceMs, journalResumeMs } from '@parterre/shared/protocol/webhook-limits';
import { type Clock, systemClock } from '@parterre/shared/runtime/clock';
import { connectNats, type NatsConnection } from '@parterre/shared/runtime/nats';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { readJournal } from '../../../services/notifier/src/journal/journal-reader.ts';
import type { Reading } from '../../../services/notifier/src/streams/keep-reading.ts';
import { createUnsettled } from '../../../services/notifier/src/streams/unsettled.ts';
import { change, commitMessage } from '../../support/journal/stored-messages.ts';
import { startNats, type TestNats } from '../../support/servers/nats.ts';

const log = pino({ level: 'silent' });
const stream = names.journalStream(0);
const waiting = { timeout: 20_000, interval: 10 };

let server: TestNats;
let nats: NatsConnection;
let manager: JetStreamManager;
let reading: Reading;
let read: number[];
let unheard: Set<string>;
/** The messages behind each rest, and the number of rests that were hurried. */
let rests: number[];
let hurried: number;
/** Ahead of the real time, in ms. */
let ahead: number;
const clock: Clock = {
  now: () => Date.now() + ahead,
  elapsed: () => performance.now() + ahead,
  after: systemClock.after,
};

beforeAll(async () => {
  server = await startNats({ sync: '2m' });
  nats = await connectNats({ url: server.url, name: 'test' }, log);
  manager = await jetstreamManager(nats);
}, 60_000);

beforeEach(async () => {
  await manager.streams.add({ name: stream, subjects: [subjects.journalOfPartition(0)] });
  read = [];
  unheard = new Set();
  rests = [];
  hurried = 0;
  ahead = 0;
});

afterEach(async () => {
  await reading.stop();
  await manager.streams.delete(stream);
});

afterAll(async () => {
  await nats?.close();
  await server?.stop();
});

function start(): void {
  const unsettled = createUnsettled(clock, { messages: 100, bytes: 1_000_000 });
  const fanOut = async ({ sequence }: { sequence: number }) => {
    read.push(sequence);
    return { kind: 'deliveries' as const, deliveries: [] };
  };
  const isUnheard = (eventKey: string) => unheard.has(eventKey);
  const dispatch = { dispatchNew: async () => {}, room: async () => {} };
  const pace = { rest: async (messages: number) => void rests.push(messages), hurry: () => void hurried++ };
  const settling = { fanOut, putPart: async () => {}, dispatch, unsettled, log };
  reading = readJournal({ ...settling, nats, manager, isUnheard, pace, clock }, 0);
}

async function append(eventKey = 'gala'): Promise<void> {
  await appendCommit(eventKey);
}

async function appendCommit(...eventKeys: string[]): Promise<void> {
  const { subject, data } = commitMessage(
    0,
    eventKeys.map((eventKey) => change(eventKey, 1)),
  );
  await jetstream(nats).publish(subject, data);
}

async function untilAcknowledged(sequence: number): Promise<void> {
  await vi.waitFor(async () => {
    expect((await manager.consumers.info(stream, 'notifier')).ack_floor.stream_seq).toBe(sequence);
  }, waiting);
}

it('a consumer that is lost while a notifier runs begins behind the messages that were settled', {
  timeout: 60_000,
}, async () => {
  for (let n = 0; n < 5; n++) await append();
  start();
  await untilAcknowledged(5);
  // The notifier asks for the place, and then reads on.
  ahead = journalPlaceMs;
  await append();
  await untilAcknowledged(6);
  ahead = 2 * journalPlaceMs;
  await append();
  await untilAcknowledged(7);
  await manager.consumers.delete(stream, 'notifier');
  await append();
  await vi.waitFor(() => expect(read.at(-1)).toBe(8), waiting);
  expect(read.slice(0, 7)).toEqual([1, 2, 3, 4, 5, 6, 7]);
  // Message 7 was settled after the place was asked for, so it may come again.
  expect(Math.min(...read.slice(7))).toBeGreaterThanOrEqual(6);
});

it('a consumer whose place nobody knows begins by age, not with the beginning of the journal', async () => {
  for (let n = 0; n < 5; n++) await append();
  const old = Date.now();
  await vi.waitFor(() => expect(Date.now()).toBeGreaterThan(old + 1), waiting);
  ahead = journalResumeMs - (Date.now() - old - 1);
  await append();
  start();
  await vi.waitFor(() => expect(read).toEqual([6]), waiting);
});

it('a known consumer goes on where it is, though it began at the beginning', async () => {
  await append();
  await append();
  const filter = { filter_subject: subjects.journalOfPartition(0), ack_policy: AckPolicy.Explicit };
  await manager.consumers.add(stream, { durable_name: 'notifier', ...filter });
  start();
  await vi.waitFor(() => expect(read).toEqual([1, 2]), waiting);
});

it('messages without a receiver, and epoch records, are settled without a fan-out', { timeout: 60_000 }, async () => {
  unheard.add('quiet');
  unheard.add('silent');
  for (const eventKey of ['quiet', 'gala', '_', 'quiet', 'gala', 'quiet']) await append(eventKey);
  await appendCommit('quiet', 'silent');
  await appendCommit('silent', 'gala', 'quiet');
  start();
  await untilAcknowledged(8);
  expect(read).toEqual([2, 5, 8]);
});

it('only messages with a receiver hurry the rest of the readers', { timeout: 60_000 }, async () => {
  unheard.add('quiet');
  for (let n = 0; n < 4; n++) await append('quiet');
  start();
  await untilAcknowledged(4);
  await vi.waitFor(() => expect(rests).toEqual([4]), waiting);
  expect(hurried).toBe(0);
  await append('gala');
  await untilAcknowledged(5);
  await vi.waitFor(() => expect([rests, hurried]).toEqual([[4, 1], 1]), waiting);
});
