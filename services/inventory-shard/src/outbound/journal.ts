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

export type JournalPorts = {
  nats: NatsConnection;
  jetstream: JetStreamClient;
  manager: JetStreamManager;
  clock: Clock;
};

export class Journal {
  readonly #ports: JournalPorts;
  readonly #partition: number;
  readonly #owner: string;
  readonly #events: JournalEvents;
  readonly #stream: string;
  readonly #inbox = createInbox();
  readonly #inFlight: Append[] = [];
  #state: 'closed' | 'open' | 'broken' = 'closed';
  #epoch = 0;
  #lastSequence = 0;
  #n = 0;
  #cancelDeadline: (() => void) | null = null;

  /** `owner` names this process' life: an id that no other process, past or present, has. */
  constructor(ports: JournalPorts, partition: number, owner: string, events: JournalEvents) {
    this.#ports = ports;
    this.#partition = partition;
    this.#owner = owner;
    this.#events = events;
    this.#stream = names.journalStream(partition);
    ports.nats.subscribe(`${this.#inbox}.*`, { callback: (_error, message) => this.#readAck(message) });
  }

  get isOpen(): boolean {
    return this.#state === 'open';
  }

  get inFlight(): number {
    return this.#inFlight.length;
  }

  /**
   * Fences the partition and resolves with the epoch now in force, or null when another owner's epoch stands in the
   * stream although this one was open (it let go without knowing). Throws when JetStream cannot be reached.
   */
  async open(): Promise<{ epoch: number } | null> {
    const held = this.#epoch;
    for (;;) {
      const tail = await this.#readTail();
      // An epoch record of our own may stand there already: one whose ack was lost.
      if (held > 0 && tail.epoch > held && tail.owner !== this.#owner) return null;
      const record: EpochRecord = { v: 1, epoch: tail.epoch + 1, owner: this.#owner, at: this.#ports.clock.now() };
      const sequence = await this.#appendFenced(record, tail.sequence);
      if (sequence === null) continue;
      this.#epoch = record.epoch;
      this.#lastSequence = sequence;
      this.#n = 0;
      this.#inFlight.length = 0;
      this.#state = 'open';
      return { epoch: this.#epoch };
    }
  }

  async #readTail(): Promise<Tail> {
    const message = await this.#ports.manager.streams.getMessage(this.#stream, {
      last_by_subj: subjects.journalOfPartition(this.#partition),
    });
    if (!message) return { sequence: await this.#lastSequenceOfEmpty(), epoch: 0, owner: null };
    const stored = decodeKept<EpochRecord | Group>(message.data);
    return { sequence: message.seq, epoch: stored.epoch, owner: 'owner' in stored ? stored.owner : null };
  }

  async #lastSequenceOfEmpty(): Promise<number> {
    return (await this.#ports.manager.streams.info(this.#stream)).state.last_seq;
  }

  /** The record's sequence, or null when the stream has moved on since the tail was read. */
  async #appendFenced(record: EpochRecord, expected: number): Promise<number | null> {
    try {
      const ack = await this.#ports.jetstream.publish(subjects.epoch(this.#partition), encodeKept(record), {
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
  append(eventKey: string, group: Group): number {
    if (this.#state !== 'open') throw new Fault(`append to ${this.#stream} while it is ${this.#state}`);
    const expected = this.#lastSequence;
    this.#lastSequence++;
    this.#n = group.n;
    const meta = headers();
    meta.set('Nats-Msg-Id', `${group.epoch}.${group.n}`);
    meta.set('Nats-Expected-Last-Sequence', String(expected));
    this.#inFlight.push({ n: group.n, sequence: this.#lastSequence, sentAt: this.#ports.clock.now() });
    this.#ports.nats.publish(subjects.journal(this.#partition, eventKey), encodeKept(group), {
      headers: meta,
      reply: `${this.#inbox}.${this.#epoch}-${group.n}`,
    });
    if (!this.#cancelDeadline) this.#armDeadline();
    return this.#lastSequence;
  }

  #readAck(message: Msg): void {
    const oldest = this.#inFlight[0];
    // Acks of an epoch that was broken off: what they are about has been settled.
    if (this.#state !== 'open' || !oldest || !message.subject.startsWith(`${this.#inbox}.${this.#epoch}-`)) return;
    const wrong =
      message.subject === `${this.#inbox}.${this.#epoch}-${oldest.n}` ? faultIn(message, oldest) : 'acks out of order';
    if (wrong) {
      this.breakOff(wrong);
      return;
    }
    this.#inFlight.shift();
    this.#events.onCommitted(oldest.sequence);
  }

  /** One timer for the oldest append; re-armed while there is one. */
  #armDeadline(): void {
    const oldest = this.#inFlight[0];
    this.#cancelDeadline = null;
    if (!oldest || this.#state !== 'open') return;
    const waited = this.#ports.clock.now() - oldest.sentAt;
    if (waited >= appendDeadlineMs) this.breakOff(`no ack within ${appendDeadlineMs} ms`);
    else this.#cancelDeadline = this.#ports.clock.after(appendDeadlineMs - waited, () => this.#armDeadline());
  }

  breakOff(why: string): void {
    if (this.#state !== 'open') return;
    this.#state = 'broken';
    this.#events.onBroken(why);
  }

  /** Whether the group of this epoch and number stands at `sequence`. Final once `open()` has fenced again. */
  async landed(group: { epoch: number; n: number; sequence: number }): Promise<boolean> {
    const message = await this.#ports.manager.streams.getMessage(this.#stream, { seq: group.sequence });
    if (!message) return false;
    const stored = decodeKept<Group | EpochRecord>(message.data);
    return stored.epoch === group.epoch && 'n' in stored && stored.n === group.n;
  }

  /** Epoch and number for the next group. */
  nextGroup(): { epoch: number; n: number } {
    return { epoch: this.#epoch, n: this.#n + 1 };
  }
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
