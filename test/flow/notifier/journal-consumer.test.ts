/** The consumer of a journal that lost records, on a stream in memory (I9). */
import { type ConsumerInfo, JetStreamApiError, type JetStreamManager } from '@nats-io/jetstream';
import { lossCertainMs } from '@parterre/shared/protocol/limits';
import { journalPlaceMs, journalResumeMs } from '@parterre/shared/protocol/webhook-limits';
import { pino } from 'pino';
import { beforeEach, expect, it } from 'vitest';
import { JournalConsumer } from '../../../services/notifier/src/journal/journal-consumer.ts';
import { ManualClock } from '../../support/manual-clock.ts';

const log = pino({ level: 'silent' });
const consumerNotFound = 10014;
const start = 100 * journalResumeMs;

type Known = { created: string; delivered: number; settled: number };

let clock: ManualClock;
/** The messages of the stream, by their sequence less one. */
let stream: string[];
/** The time of every message. */
let writtenAt: number;
let known: Known | null;
let consumers: number;
/** The beginnings of the consumers that were made. */
let made: object[];

const manager = {
  streams: {
    info: async () => ({ state: { last_seq: stream.length } }),
    getMessage: async (_: string, { seq }: { seq: number }) => {
      const text = stream[seq - 1];
      return text === undefined ? null : { seq, data: new TextEncoder().encode(text), time: new Date(writtenAt) };
    },
  },
  consumers: {
    async info() {
      if (!known) {
        throw new JetStreamApiError({ code: 404, err_code: consumerNotFound, description: 'consumer not found' });
      }
      const { created, delivered, settled } = known;
      const info = { created, delivered: { stream_seq: delivered }, ack_floor: { stream_seq: settled } };
      return { ...info, config: { deliver_policy: 'all' } } as unknown as ConsumerInfo;
    },
    async add(_: string, config: { opt_start_seq?: number; opt_start_time?: string }) {
      if (known) return;
      known = { created: String(++consumers), delivered: 0, settled: 0 };
      const { opt_start_seq: sequence, opt_start_time } = config;
      made.push(sequence === undefined ? { since: Date.parse(opt_start_time!) } : { sequence });
    },
    async delete() {
      known = null;
    },
  },
} as unknown as JetStreamManager;

beforeEach(() => {
  clock = new ManualClock(start);
  stream = [];
  writtenAt = start;
  known = { created: '0', delivered: 0, settled: 0 };
  consumers = 0;
  made = [];
});

const newConsumer = () => new JournalConsumer({ manager, clock, log }, 0);

/** Everything up to `sequence` is settled, and the notifier has asked for the place. */
async function settle(consumer: JournalConsumer, sequence: number): Promise<void> {
  known = { ...known!, delivered: sequence, settled: sequence };
  clock.advance(journalPlaceMs);
  await consumer.askPlace();
}

/** The consumer is looked at until a difference is certain. */
async function doubt(consumer: JournalConsumer): Promise<void> {
  await expect(consumer.ensure()).rejects.toThrow('lacks what its consumer has settled');
  clock.advance(lossCertainMs - 1);
  await expect(consumer.ensure()).rejects.toThrow('lacks what its consumer has settled');
  expect(made).toEqual([]);
  clock.advance(1);
}

it('a whole journal keeps its consumer', async () => {
  stream = ['a', 'b', 'c'];
  const consumer = newConsumer();
  await settle(consumer, 3);
  await consumer.ensure();
  await newConsumer().ensure();
  expect([made, known!.created]).toEqual([[], '0']);
});

it('the consumer of a journal that has other messages begins behind the newest place that is there', async () => {
  stream = ['a', 'b', 'c', 'd', 'e'];
  const consumer = newConsumer();
  for (const sequence of [2, 4, 5]) await settle(consumer, sequence);
  stream = ['a', 'b', 'c', 'other d', 'other e', 'other f'];
  await doubt(consumer);
  await consumer.ensure();
  expect(made).toEqual([{ sequence: 3 }]);
  await consumer.ensure();
  expect(made).toHaveLength(1);
});

it('a difference ends the reading also while it goes on', async () => {
  stream = ['a', 'b'];
  const consumer = newConsumer();
  await settle(consumer, 2);
  stream = ['a', 'other b'];
  clock.advance(journalPlaceMs);
  await expect(consumer.askPlace()).rejects.toThrow('lacks what its consumer has settled');
});

it('a difference that ends in time keeps the consumer', async () => {
  stream = ['a', 'b'];
  const consumer = newConsumer();
  await settle(consumer, 2);
  stream = ['a'];
  await expect(consumer.ensure()).rejects.toThrow();
  clock.advance(lossCertainMs - 1);
  stream = ['a', 'b'];
  await consumer.ensure();
  clock.advance(lossCertainMs);
  stream = ['a'];
  await expect(consumer.ensure()).rejects.toThrow();
  expect(made).toEqual([]);
});

it('a consumer beyond the end of the journal begins by age, or with its last message that is there', async () => {
  stream = ['a', 'b'];
  known = { created: '0', delivered: 9, settled: 8 };
  const consumer = newConsumer();
  await doubt(consumer);
  await consumer.ensure();
  expect(made).toEqual([{ since: start + lossCertainMs - journalResumeMs }]);

  made = [];
  writtenAt = start - 3 * journalResumeMs;
  known = { created: '0', delivered: 9, settled: 8 };
  const other = newConsumer();
  await doubt(other);
  await other.ensure();
  expect(made).toEqual([{ since: writtenAt }]);
});

it('a second notifier keeps the consumer that the first one has made anew', async () => {
  stream = ['a', 'b', 'c'];
  const [first, second] = [newConsumer(), newConsumer()];
  await settle(first, 3);
  await settle(second, 3);
  stream = ['a', 'other b', 'other c'];
  await doubt(first);
  await first.ensure();
  expect(made).toHaveLength(1);
  await second.ensure();
  expect(made).toHaveLength(1);
});

it('a consumer that is lost with its stream does not begin behind a place that the new stream lacks', async () => {
  stream = ['a', 'b', 'c'];
  const consumer = newConsumer();
  await settle(consumer, 1);
  await settle(consumer, 3);
  stream = ['a', 'other b', 'other c'];
  known = null;
  await doubt(consumer);
  await consumer.ensure();
  expect(made).toEqual([{ sequence: 2 }]);
});
