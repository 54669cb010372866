/**
 * The journal of one partition: pipelined appends to its JetStream stream, each expecting the sequence before it (I3).
 *
 * States: closed → open ⇄ broken. `open()` fences: it reads the stream's tail and appends an epoch record that expects
 * exactly that tail, again until it succeeds, so that from then on no append of an older epoch, late or lost, can land.
 * The same call is the way into a partition and the way back after a failure.
 *
 * Each append ends in one of two ways. Its ack carries the sequence it expected: `onCommitted`, in order. Or the ack is
 * an error, another sequence, silence for `appendDeadlineMs`, or the connection is lost: what became of the append is
 * unknown, so the journal is broken, nothing more is appended, and `onBroken` is called once. `open()` then settles
 * it: behind the new epoch record an append is in the stream for good or never will be, and `landed(n)` tells which.
 */
import { JetStreamApiCodes, JetStreamApiError, type JetStreamClient, type JetStreamManager } from '@nats-io/jetstream';
import { createInbox, headers, type Msg, type NatsConnection } from '@nats-io/transport-node';
import type { Clock } from '@parterre/shared/clock';
import { Fault } from '@parterre/shared/errors';
import { appendDeadlineMs } from '@parterre/shared/limits';
import type { EpochRecord, Group } from '@parterre/shared/records';
import { names, subjects } from '@parterre/shared/subjects';
import { decodeKept, encodeKept } from '@parterre/shared/wire';

/** `owner` is set when the last message is an epoch record. */
type Tail = { sequence: number; epoch: number; owner: string | null };

type Append = { n: number; sequence: number; sentAt: number };

export type JournalEvents = {
  /** The oldest append in flight is durable. */
  onCommitted(sequence: number): void;
  /** Every append in flight has an unknown end. */
  onBroken(why: string): void;
};

export type Journal = ReturnType<typeof createJournal>;

export function createJournal(
  nats: NatsConnection,
  jetstream: JetStreamClient,
  manager: JetStreamManager,
  clock: Clock,
  partition: number,
  owner: string,
  events: JournalEvents,
) {
  const stream = names.journalStream(partition);
  const inbox = createInbox();
  const inFlight: Append[] = [];
  let state: 'closed' | 'open' | 'broken' = 'closed';
  let epoch = 0;
  let lastSequence = 0;
  let n = 0;
  let cancelDeadline: (() => void) | null = null;

  nats.subscribe(`${inbox}.*`, { callback: (_error, message) => readAck(message) });

  /**
   * Fences the partition and resolves with the epoch now in force, or null when another owner's epoch stands in the
   * stream although this one was open (it let go without knowing). Throws when JetStream cannot be reached.
   */
  async function open(): Promise<{ epoch: number } | null> {
    const held = epoch;
    for (;;) {
      const tail = await readTail();
      // An epoch record of our own may stand there already: one whose ack was lost.
      if (held > 0 && tail.epoch > held && tail.owner !== owner) return null;
      const record: EpochRecord = { v: 1, epoch: tail.epoch + 1, owner, at: clock.now() };
      const sequence = await appendFenced(record, tail.sequence);
      if (sequence === null) continue;
      epoch = record.epoch;
      lastSequence = sequence;
      n = 0;
      inFlight.length = 0;
      state = 'open';
      return { epoch };
    }
  }

  async function readTail(): Promise<Tail> {
    const message = await manager.streams.getMessage(stream, { last_by_subj: subjects.journalOfPartition(partition) });
    if (!message) return { sequence: await lastSequenceOfEmpty(), epoch: 0, owner: null };
    const stored = decodeKept<EpochRecord | Group>(message.data);
    return { sequence: message.seq, epoch: stored.epoch, owner: 'owner' in stored ? stored.owner : null };
  }

  async function lastSequenceOfEmpty(): Promise<number> {
    return (await manager.streams.info(stream)).state.last_seq;
  }

  /** The record's sequence, or null when the stream has moved on since the tail was read. */
  async function appendFenced(record: EpochRecord, expected: number): Promise<number | null> {
    try {
      const ack = await jetstream.publish(subjects.epoch(partition), encodeKept(record), {
        expect: { lastSequence: expected },
        timeout: appendDeadlineMs,
      });
      return ack.seq === expected + 1 && !ack.duplicate ? ack.seq : null;
    } catch (error) {
      if (error instanceof JetStreamApiError && error.code === JetStreamApiCodes.StreamWrongLastSequence) return null;
      throw error;
    }
  }

  /** Appends without waiting; `group` is named by `nextGroup()`. Returns the sequence it will have. */
  function append(eventKey: string, group: Group): number {
    if (state !== 'open') throw new Fault(`append to ${stream} while it is ${state}`);
    const expected = lastSequence;
    lastSequence++;
    n = group.n;
    const meta = headers();
    meta.set('Nats-Msg-Id', `${group.epoch}.${group.n}`);
    meta.set('Nats-Expected-Last-Sequence', String(expected));
    inFlight.push({ n: group.n, sequence: lastSequence, sentAt: clock.now() });
    nats.publish(subjects.journal(partition, eventKey), encodeKept(group), {
      headers: meta,
      reply: `${inbox}.${epoch}-${group.n}`,
    });
    if (!cancelDeadline) armDeadline();
    return lastSequence;
  }

  function readAck(message: Msg): void {
    const oldest = inFlight[0];
    // Acks of an epoch that was broken off: what they are about has been settled.
    if (state !== 'open' || !oldest || !message.subject.startsWith(`${inbox}.${epoch}-`)) return;
    const wrong = message.subject === `${inbox}.${epoch}-${oldest.n}` ? faultIn(message, oldest) : 'acks out of order';
    if (wrong) {
      breakOff(wrong);
      return;
    }
    inFlight.shift();
    events.onCommitted(oldest.sequence);
  }

  /** One timer for the oldest append; re-armed while there is one. */
  function armDeadline(): void {
    const oldest = inFlight[0];
    cancelDeadline = null;
    if (!oldest || state !== 'open') return;
    const waited = clock.now() - oldest.sentAt;
    if (waited >= appendDeadlineMs) breakOff(`no ack within ${appendDeadlineMs} ms`);
    else cancelDeadline = clock.after(appendDeadlineMs - waited, armDeadline);
  }

  function breakOff(why: string): void {
    if (state !== 'open') return;
    state = 'broken';
    events.onBroken(why);
  }

  /** Whether the group of this epoch and number stands at `sequence`. Final once `open()` has fenced again. */
  async function landed(group: { epoch: number; n: number; sequence: number }): Promise<boolean> {
    const message = await manager.streams.getMessage(stream, { seq: group.sequence });
    if (!message) return false;
    const stored = decodeKept<Group | EpochRecord>(message.data);
    return stored.epoch === group.epoch && 'n' in stored && stored.n === group.n;
  }

  return {
    open,
    append,
    landed,
    breakOff,
    /** Epoch and number for the next group. */
    nextGroup: () => ({ epoch, n: n + 1 }),
    inFlight: () => inFlight.length,
    isOpen: () => state === 'open',
  };
}

/** What is wrong with the answer to an append, or null when it is the ack it should be. */
function faultIn(message: Msg, append: Append): string | null {
  if (message.headers?.code === 503) return 'no stream answered the append';
  const ack = JSON.parse(Buffer.from(message.data).toString('latin1')) as {
    seq?: number;
    error?: { description: string };
  };
  if (ack.error) return ack.error.description;
  return ack.seq === append.sequence ? null : `acked as ${ack.seq}, not ${append.sequence}`;
}
