/**
 * The journal of one partition during one tenure: pipelined appends, each expecting the sequence before it (I3), on a
 * `JournalLog`, which is JetStream (`jetstream-log.ts`) or a test's own.
 *
 * States: closed → open ⇄ broken → released. `open()` fences: it reads the log's tail and appends epoch records that
 * expect exactly that tail, again until it succeeds, so that from then on no append of an older epoch, late or lost,
 * can land. The same call is the way into a partition and the way back after a failure.
 *
 * Why one epoch record is not enough: an append that was sent before its predecessor's ack expects a sequence that is
 * only predicted. Where an epoch record takes that sequence instead, the predecessor fails and this one finds what it
 * expects: late appends of the old owner would land behind the fence, their predecessors missing. So a fence is
 * `appendWindow` records long, past every sequence that a late append may expect. And while they are being appended,
 * each record bears the message id of the one late append that could land right behind it, which the log then refuses
 * as a duplicate. (Ids are made of epoch and predicted sequence. Expecting the predecessor's id, which JetStream can
 * also do, is not safe in its clusters: a copy that has caught up does not know the id of its last message, and gives up
 * at the next such append.) Of an owner that let go, or had nothing in flight, nothing can come late: one record will do.
 *
 * Each append ends in one of two ways. Its ack carries the sequence it expected: `onCommitted`, in order. Or the ack is
 * an error, another sequence, silence for `appendDeadlineMs`, or the connection is lost: what became of the append is
 * unknown, so the journal is broken, nothing more is appended, and `onBroken` is called once. `open()` then settles
 * it: behind the new epoch record an append is in the log for good or never will be, and `landed(n)` tells which.
 *
 * The read lease: whatever was confirmed (an append by its ack, a look at the tail, a fence) shows that at the time it
 * was sent nobody else had the partition. For `readLeaseMs` from there nobody else answers for it either, since a new
 * owner first stays quiet for `fenceQuietMs` after its fence, unless this one's last record says that it released the
 * partition. All of it on monotonic clocks: a process that was stopped wakes up with its lease run out.
 */
import { type Clock, pause } from '@parterre/shared/clock';
import { Fault } from '@parterre/shared/errors';
import { appendDeadlineMs, appendWindow, fenceQuietMs, readLeaseMs, retryPauseMs } from '@parterre/shared/limits';
import type { EpochRecord, Group } from '@parterre/shared/records';
import { decodeKept, encodeKept } from '@parterre/shared/wire';

/** One partition's stream, as the journal needs it. What throws or rejects: the log cannot be reached. */
export type JournalLog = {
  /** The last message, and its sequence; the payload is null in a log without any. */
  last(): Promise<{ sequence: number; payload: Uint8Array | null }>;
  /** The message at a sequence, or null. */
  at(sequence: number): Promise<Uint8Array | null>;
  /**
   * Appends an epoch record if `expected` is the last sequence and no message with this id is in the log; resolves with
   * its sequence, or null when it was not appended.
   */
  appendEpoch(payload: Uint8Array, expected: number, id: string): Promise<number | null>;
  /** Sends a group, to be appended on the same two conditions; the answer comes to `onAck`, or never. */
  append(append: GroupAppend): void;
  /** Called once, before the first `append`. */
  onAck(hear: (ack: Ack) => void): void;
  close(): void;
};

export type GroupAppend = {
  eventKey: string;
  payload: Uint8Array;
  expected: number;
  id: string;
  epoch: number;
  n: number;
};

/** The answer to the append of this epoch and number: its sequence, or what is wrong. */
export type Ack = { epoch: number; n: number } & ({ sequence: number } | { wrong: string });

/** `record` is set when the last message is an epoch record; `late` is the epoch of which appends may still come, or null. */
type Tail = { sequence: number; epoch: number; record: EpochRecord | null; late: number | null };

type Append = { n: number; sequence: number; sentAt: number };

export type JournalEvents = {
  /** The oldest append in flight is durable. */
  onCommitted(sequence: number): void;
  /** Every append in flight has an unknown end. */
  onBroken(why: string): void;
};

/** What `open()` comes to: the epoch, and how long its owner answers nothing (milliseconds). */
export type Fence = { epoch: number; quietMs: number };

export class Journal {
  readonly #log: JournalLog;
  readonly #clock: Clock;
  readonly #owner: string;
  readonly #events: JournalEvents;
  readonly #inFlight: Append[] = [];
  #state: 'closed' | 'open' | 'broken' | 'released' = 'closed';
  #epoch = 0;
  #lastSequence = 0;
  #n = 0;
  /** The send time (`Clock.elapsed`) of the latest of what was confirmed. */
  #confirmedAt = Number.NEGATIVE_INFINITY;
  #cancelDeadline: (() => void) | null = null;

  /** `owner` names this process' life: an id that no other process, past or present, has. */
  constructor(log: JournalLog, clock: Clock, owner: string, events: JournalEvents) {
    this.#log = log;
    this.#clock = clock;
    this.#owner = owner;
    this.#events = events;
    log.onAck((ack) => this.#readAck(ack));
  }

  get isOpen(): boolean {
    return this.#state === 'open';
  }

  get inFlight(): number {
    return this.#inFlight.length;
  }

  get epoch(): number {
    return this.#epoch;
  }

  /**
   * Fences the partition, or resolves with null when another owner's epoch stands in the log although this one was
   * open (it was taken over without knowing). Throws when the log cannot be reached.
   */
  async open(): Promise<Fence | null> {
    const held = this.#epoch;
    for (;;) {
      const tail = await this.#readTail();
      if (this.#isReleased()) return null;
      // Behind our own groups an epoch record of our own may stand already: one whose ack was lost.
      const isStillOurs = held > 0 && (tail.epoch === held || tail.record?.owner === this.#owner);
      if (held > 0 && !isStillOurs) return null;
      // All that was appended here has been acknowledged: nothing of it comes late.
      if (held > 0 && this.#inFlight.length === 0) tail.late = null;
      const sentAt = this.#clock.elapsed();
      const sequence = await this.#appendFence(tail);
      if (sequence === null) {
        // Somebody else appends, or what was read is behind: a server that leads no more may say so for a while.
        await pause(this.#clock, retryPauseMs);
        continue;
      }
      if (this.#isReleased()) return null;
      this.#epoch = tail.epoch + 1;
      this.#lastSequence = sequence;
      this.#n = 0;
      this.#inFlight.length = 0;
      this.#confirmedAt = sentAt;
      this.#state = 'open';
      const isFree = tail.epoch === 0 || isStillOurs || tail.record?.released === true;
      return { epoch: this.#epoch, quietMs: isFree ? 0 : fenceQuietMs };
    }
  }

  #isReleased(): boolean {
    return this.#state === 'released';
  }

  async #readTail(): Promise<Tail> {
    const { sequence, payload } = await this.#log.last();
    if (!payload) return { sequence, epoch: 0, record: null, late: null };
    const stored = decodeKept<EpochRecord | Group>(payload);
    const record = 'owner' in stored ? stored : null;
    return { sequence, epoch: stored.epoch, record, late: record ? lateBehind(record) : stored.epoch };
  }

  /**
   * Resolves with the sequence of the last record, or null when something else was appended meanwhile. The first is awaited:
   * records of a fence that never began would come late themselves, behind one that does not expect it. The last is sent
   * behind the acks of the others: where it stands, all of them stand in one row.
   */
  async #appendFence({ sequence: tail, epoch: before, late }: Tail): Promise<number | null> {
    const common = { v: 1 as const, epoch: before + 1, owner: this.#owner, at: this.#clock.now() };
    if (late === null) return this.#log.appendEpoch(encodeKept(common), tail, idOf(common.epoch, tail + 1));
    const append = (left: number): Promise<number | null> => {
      const expected = tail + appendWindow - 1 - left;
      return this.#log.appendEpoch(
        encodeKept({ ...common, fence: { late, left } }),
        expected,
        idOf(late, expected + 2),
      );
    };
    if ((await append(appendWindow - 1)) === null) return null;
    const most = await Promise.all(
      Array.from({ length: appendWindow - 2 }, (_, index) => append(appendWindow - 2 - index)),
    );
    return most.includes(null) ? null : append(0);
  }

  /** Appends without waiting; `group` is named by `nextGroup()`. Returns the sequence it will have. */
  append(eventKey: string, group: Group): number {
    if (this.#state !== 'open') throw new Fault(`append to a journal that is ${this.#state}`);
    if (this.#inFlight.length >= appendWindow) throw new Fault('append past the window, which is as long as a fence');
    const { epoch, n } = group;
    const expected = this.#lastSequence;
    this.#log.append({ eventKey, payload: encodeKept(group), expected, id: idOf(epoch, expected + 1), epoch, n });
    this.#lastSequence++;
    this.#n = n;
    this.#inFlight.push({ n, sequence: this.#lastSequence, sentAt: this.#clock.elapsed() });
    if (!this.#cancelDeadline) this.#armDeadline();
    return this.#lastSequence;
  }

  #readAck(ack: Ack): void {
    const oldest = this.#inFlight[0];
    // Acks of an epoch that was broken off: what they are about has been settled.
    if (this.#state !== 'open' || !oldest || ack.epoch !== this.#epoch || ack.n < oldest.n) return;
    if ('wrong' in ack) this.breakOff(ack.wrong);
    else if (ack.n !== oldest.n) this.breakOff('acks out of order');
    else if (ack.sequence !== oldest.sequence) this.breakOff(`acked as ${ack.sequence}, not ${oldest.sequence}`);
    else {
      this.#inFlight.shift();
      this.#confirmedAt = Math.max(this.#confirmedAt, oldest.sentAt);
      this.#events.onCommitted(oldest.sequence);
    }
  }

  /** One timer for the oldest append; re-armed while there is one. */
  #armDeadline(): void {
    const oldest = this.#inFlight[0];
    this.#cancelDeadline = null;
    if (!oldest || this.#state !== 'open') return;
    const waited = this.#clock.elapsed() - oldest.sentAt;
    if (waited >= appendDeadlineMs) this.breakOff(`no ack within ${appendDeadlineMs} ms`);
    else this.#cancelDeadline = this.#clock.after(appendDeadlineMs - waited, () => this.#armDeadline());
  }

  breakOff(why: string): void {
    if (this.#state !== 'open') return;
    this.#state = 'broken';
    this.#events.onBroken(why);
  }

  /** Whether what was decided at `decidedAt` (`Clock.elapsed`) was decided while the read lease ran. */
  coversDecision(decidedAt: number): boolean {
    return decidedAt <= this.#confirmedAt + readLeaseMs;
  }

  /**
   * Looks whether the log still ends where this owner left it, which renews the read lease; if not, the journal breaks.
   * Says nothing while appends are in flight: their acks do. Throws when the log cannot be reached.
   */
  async confirm(): Promise<void> {
    if (this.#state !== 'open' || this.#inFlight.length > 0) return;
    const epoch = this.#epoch;
    const expected = this.#lastSequence;
    const sentAt = this.#clock.elapsed();
    const { sequence } = await this.#log.last();
    if (!this.isOpen || this.#epoch !== epoch) return;
    if (sequence === expected) this.#confirmedAt = Math.max(this.#confirmedAt, sentAt);
    else if (this.#lastSequence === expected) this.breakOff(`the log ends at ${sequence}, not ${expected}`);
  }

  /** Whether the group of this epoch and number stands at `sequence`. Final once `open()` has fenced again. */
  async landed(group: { epoch: number; n: number; sequence: number }): Promise<boolean> {
    const payload = await this.#log.at(group.sequence);
    if (!payload) return false;
    const stored = decodeKept<Group | EpochRecord>(payload);
    return stored.epoch === group.epoch && 'n' in stored && stored.n === group.n;
  }

  /** Epoch and number for the next group. */
  nextGroup(): { epoch: number; n: number } {
    return { epoch: this.#epoch, n: this.#n + 1 };
  }

  /**
   * The last record of this tenure: nothing is answered any more. Resolves whether it stands in the log; where it does
   * not, the next owner waits a little, no more.
   */
  async release(): Promise<boolean> {
    const wasOpen = this.#state === 'open' && this.#inFlight.length === 0;
    this.#state = 'released';
    this.#cancelDeadline?.();
    if (!wasOpen) return false;
    const record: EpochRecord = {
      v: 1,
      epoch: this.#epoch,
      owner: this.#owner,
      at: this.#clock.now(),
      released: true,
    };
    const expected = this.#lastSequence;
    const id = idOf(this.#epoch, expected + 1);
    const sequence = await this.#log.appendEpoch(encodeKept(record), expected, id).catch(() => null);
    return sequence !== null;
  }

  close(): void {
    this.#state = 'released';
    this.#cancelDeadline?.();
    this.#log.close();
  }
}

/** The id of the message that this epoch's owner means for this sequence. */
function idOf(epoch: number, sequence: number): string {
  return `${epoch}.${sequence}`;
}

/** The epoch of which appends may still come where this record is the last, or null. */
function lateBehind({ epoch, released, fence }: EpochRecord): number | null {
  if (released) return null;
  return fence && fence.left > 0 ? fence.late : epoch;
}
