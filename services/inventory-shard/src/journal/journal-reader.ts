/**
 * Reads messages out of a partition's stream, in requests, and the groups of one event or the shared commits among
 * them. Nothing of a commit is decoded here except the keys of its events.
 *
 * The first groups of a short span are read one by one, which is enough for most heirs. The rest needs a consumer. In a
 * cluster, the leader of all servers makes the consumer, and the others wait for its election when it dies.
 *
 * A server keeps the answer to a request in the connection's buffer, and drops a connection whose buffer is too large
 * (64 MiB by default). All loads of a process share one connection, which carries the lease too. A request therefore
 * asks for at most `replayRequestBytes`. It takes as many messages as have room, since each further request is a round
 * trip that buyers wait for. A group that is larger than a request is asked for alone, and few such requests are under
 * way in one process. A wait for a message that the consumer's server does not have yet is none of these few.
 *
 * States of a read: first groups → consumer made → asking ⇄ answered → ended. The next request is under way while the
 * caller folds the answer to the last one. If it fails meanwhile, the read fails once the caller asks for more.
 *
 * Failure at each await: a first group that cannot be read ends the read. The request for a consumer is repeated
 * `consumerTries` times, and then rejects. A request that nobody answers ends the read with a fault after
 * `replayStallMs`. A message that was lost on the way ends the read with a fault too: the count of the delivery shows
 * the gap. The server forgets an idle consumer by itself.
 */
import { randomUUID } from 'node:crypto';
import {
  AckPolicy,
  type ConsumerConfig,
  DeliverPolicy,
  type JetStreamManager,
  type JsMsg,
  jetstreamManager,
  type SeqMsgRequest,
} from '@nats-io/jetstream';
import { nanos, TimeoutError } from '@nats-io/transport-node';
import { Fault } from '@parterre/shared/protocol/errors';
import { groupsOf, type PackedGroup, readPartHead } from '@parterre/shared/protocol/journal/messages';
import { isCommitSubject } from '@parterre/shared/protocol/subjects';
import type { Clock } from '@parterre/shared/runtime/clock';
import { createLimiter } from '@parterre/shared/runtime/limiter';
import type { NatsConnection } from '@parterre/shared/runtime/nats';
import { type PulledMessage, type PullSource, pull } from '@parterre/shared/runtime/pull';
import {
  consumerKeepMs,
  consumerTries,
  logReadTimeoutMs,
  nearbyMessages,
  replayLargeGroupsAtOnce,
  replayRequestBytes,
  replayRequestMessages,
  replaySinglyAtOnce,
  replaySinglyMax,
  replaySinglySpan,
  replayStallMs,
} from './bounds.ts';
import type { ReadCommit } from './shared-parts.ts';

/** The messages of `subject` from sequence `from` to sequence `last`, which is the subject's. */
export type Span = { stream: string; subject: string; from: number; last: number; headersOnly?: boolean };

/** A message of a stream, however it was read. */
type Stored = Pick<JsMsg, 'seq' | 'subject' | 'data'>;

/** A request of a replay is never stopped: it is short. */
const never = new AbortController().signal;

export class JournalReader {
  readonly #nats: NatsConnection;
  readonly #clock: Clock;
  readonly #single = createLimiter(replaySinglyAtOnce);
  #manager: Promise<JetStreamManager> | null = null;
  readonly #large = createLimiter(replayLargeGroupsAtOnce);

  constructor(nats: NatsConnection, clock: Clock) {
    this.#nats = nats;
    this.#clock = clock;
  }

  /** Throws when the messages cannot be read up to `last`. */
  async *read({ stream, subject, from, last, headersOnly = false }: Span): AsyncGenerator<Stored[]> {
    let next = from;
    const isShort = !headersOnly && last - from < replaySinglySpan;
    for (let left = isShort ? replaySinglyMax : 0; left > 0 && next <= last; left--) {
      const message = await this.#first(stream, subject, next);
      if (message === null) break;
      next = message.seq + 1;
      yield [message];
    }
    if (next <= last) yield* this.#rest({ stream, subject, from: next, last, headersOnly });
  }

  #managed(): Promise<JetStreamManager> {
    this.#manager ??= jetstreamManager(this.#nats, { timeout: logReadTimeoutMs, checkAPI: false });
    return this.#manager;
  }

  async #first(stream: string, subject: string, from: number): Promise<Stored | null> {
    // The types of the library know this form for direct reads alone. Direct reads may come from a server that lags.
    const query = { seq: from, next_by_subj: subject } as SeqMsgRequest;
    const manager = await this.#managed();
    return this.#single(() => manager.streams.getMessage(stream, query));
  }

  async *#rest(span: Span): AsyncGenerator<Stored[]> {
    const { stream, subject, last } = span;
    const manager = await this.#managed();
    const consumer = await this.#consumer(manager, span);
    const source = { nats: this.#nats, clock: this.#clock, stream, consumer };
    let delivered = 0;
    const ask = (left: number): Promise<PulledMessage[]> => {
      const answer = this.#ask(source, left);
      // The caller may still fold the last answer, or may have stopped.
      answer.catch(() => {});
      return answer;
    };
    let asked = ask(last - span.from + 1);
    try {
      for (let end = 0; end < last; ) {
        const messages = await asked;
        delivered += messages.length;
        const latest = messages.at(-1);
        if (latest?.consumerSeq !== delivered) throw new Fault(`replay ${subject} to sequence ${last}`);
        end = latest.seq;
        if (end < last) asked = ask(last - end);
        yield messages;
      }
    } finally {
      // Not awaited, and a failure does not matter: the server forgets an idle consumer by itself.
      manager.consumers.delete(stream, consumer).catch(() => {});
    }
  }

  /**
   * In a cluster the leader of all servers makes the consumer. While the servers elect that leader nobody answers, so
   * the request is repeated under the same name. Resolves with the name.
   */
  async #consumer(manager: JetStreamManager, { stream, subject, from, headersOnly }: Span): Promise<string> {
    const name = `replay-${randomUUID()}`;
    const config: Partial<ConsumerConfig> = {
      name,
      // One subject, not a list: servers before 2.10 take no list.
      filter_subject: subject,
      deliver_policy: DeliverPolicy.StartSequence,
      opt_start_seq: from,
      ack_policy: AckPolicy.None,
      max_deliver: 1,
      mem_storage: true,
      num_replicas: 1,
      inactive_threshold: nanos(consumerKeepMs),
      ...(headersOnly && { headers_only: true }),
    };
    for (let tries = 1; ; tries++) {
      try {
        await manager.consumers.add(stream, config);
        return name;
      } catch (error) {
        if (!(error instanceof TimeoutError) || tries === consumerTries) throw error;
      }
    }
  }

  /** The next messages: at most as many as there are sequences left. */
  async #ask(source: PullSource, left: number): Promise<PulledMessage[]> {
    const all = { messages: Math.min(left, replayRequestMessages), waitMs: 0 };
    // The server of the consumer may not have the next message yet.
    const next = { messages: 1, waitMs: replayStallMs };
    let isRefused = false;
    const onRefused = (): void => {
      isRefused = true;
    };
    for (const bounds of [all, next]) {
      const answer = await pull(source, { ...bounds, bytes: replayRequestBytes, onRefused }, never);
      if (answer.length > 0) return answer;
      if (isRefused) return this.#large(() => pull(source, { ...next, bytes: null }, never));
    }
    return [];
  }
}

export type SpanReader = Pick<JournalReader, 'read'>;

/** A group of one event, encoded, at its sequence. */
export type PlacedData = { sequence: number; data: Uint8Array };

/** The groups of one event in a span of its own subject or of the shared subject. */
export async function* groupsOfEvent(reader: SpanReader, span: Span, eventKey: string): AsyncGenerator<PlacedData> {
  for await (const messages of reader.read(span)) {
    for (const { subject, seq, data } of messages) {
      if (seq > span.last) return;
      for (const group of groupsIn(subject, data) ?? []) {
        if (group.eventKey === eventKey) yield { sequence: seq, data: group.data };
      }
    }
  }
}

/**
 * The groups of a message, null for a shared commit that cannot be read. The parts behind it show its events
 * (shared-parts.ts). A message on an event's own subject must be readable.
 */
function groupsIn(subject: string, data: Uint8Array): PackedGroup[] | null {
  try {
    return groupsOf(subject, data);
  } catch (error) {
    if (isCommitSubject(subject)) return null;
    throw error;
  }
}

/** The event has no part at a sequence that its later part names. */
export class MissingPart extends Fault {
  constructor(sequence: number) {
    super(`read a shared part at ${sequence}: the event has none there`);
  }
}

/**
 * Reads the shared parts of one event. Near parts are read forwards. Over a long way the parts are found from the last
 * to the first, since each names the one before, and the commits between them are not read. A forward read that begins
 * near the end of the last read goes on there, since many commits are read in the time that a new consumer takes.
 */
export class SharedReading {
  readonly #open: (from: number) => Promise<AsyncGenerator<PlacedData>>;
  readonly #between: (from: number, last: number) => AsyncGenerator<PlacedData>;
  #parts: AsyncGenerator<PlacedData> | null = null;
  #at = 0;

  /** `lastOf` gives the last sequence of a subject. */
  constructor(
    reader: SpanReader,
    stream: string,
    subject: string,
    eventKey: string,
    lastOf: (subject: string) => Promise<number>,
  ) {
    this.#between = (from, last) => groupsOfEvent(reader, { stream, subject, from, last }, eventKey);
    this.#open = async (from) => this.#between(from, await lastOf(subject));
  }

  /** The parts behind the sequence `version`, from the sequence `from` to the event's part at `last`, in order. */
  async *read(version: number, from: number, last: number): AsyncGenerator<PlacedData> {
    if (last - from <= nearbyMessages) yield* this.#forwards(from, last);
    else for (const parts of await this.#backwards(version, last)) yield* parts;
  }

  /**
   * The parts in blocks. A block begins small, and grows while the parts stand close together. Throws a `MissingPart`
   * where a part is not found.
   */
  async #backwards(version: number, last: number): Promise<PlacedData[][]> {
    const blocks: PlacedData[][] = [];
    let size = 1;
    for (let to = last; to > version; ) {
      const block: PlacedData[] = [];
      for await (const part of this.#between(Math.max(version, to - size) + 1, to)) block.push(part);
      if (block.at(-1)?.sequence !== to) throw new MissingPart(to);
      blocks.unshift(block);
      const first = block[0]!;
      to = readPartHead(first.data).from;
      size = first.sequence - to < nearbyMessages ? Math.min(size * 8, nearbyMessages) : 1;
    }
    return blocks;
  }

  async *#forwards(from: number, last: number): AsyncGenerator<PlacedData> {
    if (from > this.#at + nearbyMessages) await this.end();
    if (this.#parts === null) {
      this.#parts = await this.#open(from);
      this.#at = from - 1;
    }
    while (this.#at < last) {
      const { done, value } = await this.#parts.next();
      if (done) return;
      this.#at = value.sequence;
      if (value.sequence >= from) yield value;
    }
  }

  async end(): Promise<void> {
    await this.#parts?.return(undefined);
    this.#parts = null;
  }
}

/** The commits in a span of the shared subject up to the sequence `to`, in order. */
export async function* sharedCommitsIn(reader: SpanReader, span: Span, to: number): AsyncGenerator<ReadCommit> {
  for await (const messages of reader.read(span)) {
    for (const { subject, seq, data } of messages) {
      if (seq > to) return;
      const eventKeys = groupsIn(subject, data)?.map(({ eventKey }) => eventKey) ?? null;
      yield { sequence: seq, eventKeys, bytes: data.length };
    }
  }
}
