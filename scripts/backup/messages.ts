/**
 * Messages of a stream, out of it and into another.
 *
 * A journal is read by an ordered consumer, in one go. The queues of webhooks are work queues, which allow no consumer
 * beside their own, so their messages are asked for one by one, as are those of small streams.
 *
 * A message is put back with the bytes of its headers. A journal's message says itself which sequence it expects before
 * it, so a message that went astray is refused by the server, and everything behind it too. Appends are in flight
 * `windowMessages` at a time. Failure at each await: a read stalls for `stallMs` → `Refused`; an append is refused, or
 * its ack is late, or names another sequence → `Refused`. Nothing is undone: the next run goes on behind the last
 * message that the stream has.
 */
import { createHash } from 'node:crypto';
import {
  DeliverPolicy,
  JetStreamApiCodes,
  JetStreamApiError,
  type JetStreamClient,
  type JetStreamManager,
  type StreamConfig,
  type StreamInfo,
} from '@nats-io/jetstream';
import { type MsgHdrs, MsgHdrsImpl } from '@nats-io/transport-node';
import { Refused, wordsOf } from './refused.ts';

export type StoredMessage = {
  sequence: number;
  /**
   * The server's time of the message, ISO 8601. It does not come back: a restored message has the time of its restore.
   */
  time: string;
  subject: string;
  /** As on the wire; null without headers. */
  headers: Uint8Array | null;
  data: Uint8Array;
};

/** A message in a file. */
export type MessageRow = [
  sequence: number,
  time: string,
  subject: string,
  headers: Uint8Array | null,
  data: Uint8Array,
];

export type JetStreams = { client: JetStreamClient; manager: JetStreamManager };

const readAhead = 64;
const windowMessages = 256;
const readersAtOnce = 16;
const stallMs = 60_000;
const ackMs = 60_000;

export const rowOf = ({ sequence, time, subject, headers, data }: StoredMessage): MessageRow => [
  sequence,
  time,
  subject,
  headers,
  data,
];

export const messageOf = ([sequence, time, subject, headers, data]: MessageRow): StoredMessage => {
  return { sequence, time, subject, headers, data };
};

/** Names a message: its place, subject, headers and body. */
export function hashOfMessage({ sequence, subject, headers, data }: StoredMessage): string {
  const hash = createHash('sha256').update(`${sequence}\n${subject}\n${headers?.length ?? 0}\n`);
  return hash
    .update(headers ?? '')
    .update(data)
    .digest('hex');
}

/** The stream as it stands now, or null. */
export async function streamInfo(manager: JetStreamManager, stream: string): Promise<StreamInfo | null> {
  try {
    return await manager.streams.info(stream);
  } catch (error) {
    if (error instanceof JetStreamApiError && error.code === JetStreamApiCodes.StreamNotFound) return null;
    throw error;
  }
}

/** Each message from `from` to `to`. Throws a `Refused` at a sequence without a message. */
export async function* journalMessages(
  { client }: JetStreams,
  stream: string,
  from: number,
  to: number,
): AsyncGenerator<StoredMessage> {
  if (from > to) return;
  const consumer = await client.consumers.get(stream, {
    deliver_policy: DeliverPolicy.StartSequence,
    opt_start_seq: from,
  });
  const messages = await consumer.consume({ max_messages: readAhead });
  let stalled = false;
  let expected = from;
  const timer = setInterval(() => {
    if (stalled) messages.stop();
    stalled = true;
  }, stallMs / 2);
  try {
    for await (const { seq, subject, headers, data, time } of messages) {
      stalled = false;
      if (seq !== expected) throw new Refused(`${stream} lacks message ${expected}: the journal has lost it.`);
      yield { sequence: seq, time: time.toISOString(), subject, headers: wireOf(headers), data };
      if (seq === to) return;
      expected++;
    }
    throw new Refused(
      `${stream} gave no message for ${stallMs / 1000} s. Run the command again: it goes on from there.`,
    );
  } finally {
    clearInterval(timer);
    await messages.close();
  }
}

/** The message at a sequence, or null. */
export async function messageAt(
  manager: JetStreamManager,
  stream: string,
  query: { seq: number; next_by_subj?: string },
): Promise<StoredMessage | null> {
  const message = await manager.streams.getMessage(stream, query);
  if (message === null) return null;
  const { seq, time, subject, header, data } = message;
  return { sequence: seq, time: time.toISOString(), subject, headers: wireOf(header), data };
}

/** The messages from `from` to `to` that the stream still has, in order. */
export async function* storedMessages(
  manager: JetStreamManager,
  stream: string,
  from: number,
  to: number,
): AsyncGenerator<StoredMessage> {
  for (let next = from; next <= to; ) {
    const asked = Array.from({ length: Math.min(readersAtOnce, to - next + 1) }, (_, index) => next + index);
    const found = await Promise.all(asked.map((seq) => messageAt(manager, stream, { seq })));
    const there = found.filter((message) => message !== null);
    yield* there;
    next += asked.length;
    if (there.length > 0) continue;
    // A long gap: the settled messages of a queue.
    const following = await messageAt(manager, stream, { seq: next, next_by_subj: '>' });
    if (following === null) return;
    next = following.sequence;
  }
}

function wireOf(headers: MsgHdrs | undefined): Uint8Array | null {
  const encoded = headers === undefined ? null : (headers as MsgHdrsImpl).encode();
  return encoded === null || encoded.length === 0 ? null : encoded;
}

/** The settings of a stream that another server takes too. */
export function portable(config: StreamConfig, replicas: number): StreamConfig {
  const { placement: _, mirror: _mirror, sources: _sources, republish: _republish, ...kept } = config;
  // The server writes entries of its own into the metadata.
  const metadata = Object.entries(config.metadata ?? {}).filter(([name]) => !name.startsWith('_nats.'));
  return { ...kept, num_replicas: replicas, metadata: Object.fromEntries(metadata) };
}

/** Headers that name a sequence of the stream that the message came from. */
const expectations = /^Nats-Expected-/i;

/**
 * Appends the messages to a stream, or each to the stream of its subject. `isJournal`: each gets the sequence that it
 * had; otherwise the sequences are new, and the expectations of old ones are left out.
 */
export async function appendMessages(
  { client }: JetStreams,
  streams: string | ((subject: string) => string),
  messages: AsyncIterable<StoredMessage>,
  isJournal: boolean,
): Promise<void> {
  const inFlight: Promise<void>[] = [];
  const streamOf = typeof streams === 'string' ? () => streams : streams;
  const append = async (message: StoredMessage): Promise<void> => {
    const headers = headersOf(message, isJournal);
    const ack = await client.publish(message.subject, message.data, { ...(headers && { headers }), timeout: ackMs });
    if (ack.stream !== streamOf(message.subject)) throw new Error(`it went to the stream ${ack.stream}`);
    if (isJournal && (ack.seq !== message.sequence || ack.duplicate)) throw new Error(`it became message ${ack.seq}`);
  };
  for await (const message of messages) {
    const appended = append(message).catch((error: unknown) => {
      throw new Refused(
        `Message ${message.sequence} of ${streamOf(message.subject)} could not be put back: ${wordsOf(error)}.`,
      );
    });
    // The failure is met in order, when its turn comes.
    appended.catch(() => {});
    inFlight.push(appended);
    if (inFlight.length >= windowMessages) await inFlight.shift();
  }
  await Promise.all(inFlight);
}

function headersOf({ headers }: StoredMessage, isJournal: boolean): MsgHdrs | null {
  if (headers === null) return null;
  const read = MsgHdrsImpl.decode(headers);
  if (!isJournal) for (const key of read.keys()) if (expectations.test(key)) read.delete(key);
  return read;
}
