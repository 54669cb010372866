/**
 * The journal of one partition during one term of an owner: pipelined appends, each of which expects the sequence
 * before it (I3). An append is a commit: one message with the groups of one or many events. The log below is a
 * `JournalLog`: JetStream (`jetstream-log.ts`) or a test's own.
 *
 * States: closed → open ⇄ broken → ended. `open()` fences: it reads the log's tail and appends epoch records that
 * expect exactly that tail. It repeats both until they succeed. From then on no append of an older epoch can land,
 * however late it comes. The same call opens the partition and reopens it after a failure.
 *
 * One epoch record is not enough. An append that was sent before its predecessor's ack expects a sequence that is only
 * predicted. If an epoch record takes the predicted sequence, the predecessor fails, but the next append finds the
 * sequence that it expects. Late appends of the old owner would then land behind the fence without their predecessors.
 * A fence is therefore `appendWindow` records long: it reaches beyond every sequence that a late append may expect.
 * While the fence is being appended, each of its records carries the message id of the one late append that could land
 * right behind the record. The log then refuses that append as a duplicate. (An id consists of the epoch and the
 * predicted sequence. JetStream can also expect the predecessor's id, but that is not safe in its clusters: a replica
 * that has caught up does not know the id of its last message, and fails at the next such append.) An owner that gave
 * up the partition, or had nothing in flight, has no late appends. One record is enough then.
 *
 * Each append ends in one of two ways. If its ack carries the expected sequence, the append is committed: `onCommitted`
 * is called, in order. If the ack is an error or carries another sequence, if no ack comes for `appendDeadlineMs`, or
 * if the connection is lost, the outcome of the append is unknown. The journal is then broken: nothing more is
 * appended, and `onBroken` is called once. `open()` settles the outcome: behind the new epoch record, an append is in
 * the log for good or never will be, and `landed` tells which.
 *
 * Links (I9): each message carries the link of the message before it (`links.ts`). This owner is the one writer, so it
 * knows the links of all appends in flight. When an append fails, the next commits get their links from the tail that
 * `open()` reads: nothing is appended behind a broken link. `open()` compares the tail with the owner's own last
 * acknowledged append, once the fence is acknowledged: from then on no deposed leader can have answered for the tail. A
 * message that differs there is read again for `lossCertainMs`, since a deposed leader may answer that read. `lost`
 * names the append that the log lost. A record of an interrupted fence may land between records of the next one, with
 * the link of its own fence; `followsMessage` (heads.ts) says why readers go on there.
 *
 * The read lease: each confirmation (the ack of an append, a look at the tail, a fence) shows that no other process
 * owned the partition when its request was sent. For `readLeaseMs` from that time no other process answers for the
 * partition, since a new owner stays quiet until `fenceQuietMs` after the ack of its fence's first record. Behind that
 * record the previous owner gets no confirmation any more: its appends fail, and its looks at the tail find the new
 * epoch. The new owner is quiet for a shorter time, or not at all, if the tail shows that no earlier owner answers any
 * more (`quietBehind` in tail.ts). All times come from monotonic clocks: a process that was stopped wakes up with its
 * lease run out.
 */

import { Fault } from '@parterre/shared/protocol/errors';
import { randomText } from '@parterre/shared/protocol/ids';
import { type EpochRecord, streamIdentity } from '@parterre/shared/protocol/journal/heads';
import { isSameLink, type Link, linkBytes, linkOf } from '@parterre/shared/protocol/journal/links';
import { encodeCommit, encodeEpochRecord, headOf, type PackedGroup } from '@parterre/shared/protocol/journal/messages';
import { appendDeadlineMs, appendWindow, lossCertainMs, retryPauseMs } from '@parterre/shared/protocol/limits';
import { type Clock, pause } from '@parterre/shared/runtime/clock';
import { readLeaseMs, streamIdLength } from './bounds.ts';
import { quietBehind, readTail, type Tail, type TailLog } from './tail.ts';

/** One partition's stream, as the journal needs it. An error or rejection means that the log cannot be reached. */
export type JournalLog = TailLog & {
  /** The message at a sequence, or null. */
  at(sequence: number): Promise<Uint8Array | null>;
  /**
   * Appends an epoch record if `expected` is the last sequence and no message in the log has this id. Resolves with the
   * record's sequence, or with null when the record was not appended.
   */
  appendEpoch(payload: Uint8Array, expected: number, id: string): Promise<number | null>;
  /** Sends a commit under the same two conditions. The answer comes to `onAck` after this call, or never. */
  append(append: CommitAppend): void;
  /** Called once, before the first `append`. */
  onAck(hear: (ack: Ack) => void): void;
  close(): void;
};

/** `eventKey` is null for a commit of several events. */
export type CommitAppend = {
  eventKey: string | null;
  payload: Uint8Array;
  expected: number;
  id: string;
  epoch: number;
  n: number;
  /** The header of traced commands (shared/src/runtime/tracing.ts). */
  traces?: string | undefined;
};

/** The answer to the append of this epoch and number: its sequence, or the error. */
export type Ack = { epoch: number; n: number } & ({ sequence: number } | { wrong: string });

type Append = { n: number; sequence: number; sentAt: number; link: Link };

/** A message of a stream, by the stream's history (I9). */
export type HistoryPosition = { sequence: number; link: Link };

/**
 * An append that the log had acknowledged to its owner, and has no more. `isBeforeTerm`: the log lacks the fence with
 * which the owner's term began as well. Events that this owner has not read may have lost parts then.
 */
export type LostAppend = { sequence: number; isBeforeTerm: boolean };

export type JournalEvents = {
  /** The oldest append in flight is durable. It was sent at `sentAt` (`Clock.elapsed`). */
  onCommitted(sequence: number, sentAt: number): void;
  /** The outcome of every append in flight is unknown. */
  onBroken(why: string, cause?: unknown): void;
};

/**
 * The result of `open()`: the epoch, the time for which its owner answers nothing more, in milliseconds, the low-water
 * mark of the log, and the identity of its stream.
 */
export type Fence = { epoch: number; quietMs: number; low: number; stream: string; lost: LostAppend | null };

export class Journal {
  readonly #log: JournalLog;
  readonly #clock: Clock;
  readonly #owner: string;
  readonly #events: JournalEvents;
  readonly #low: () => number;
  readonly #deployment: string;
  readonly #inFlight: Append[] = [];
  #state: 'closed' | 'open' | 'broken' | 'ended' = 'closed';
  #epoch = 0;
  #lastSequence = 0;
  /** The link of the message at `#lastSequence`, acknowledged or not. */
  #link: Link = noLink;
  #stream = '';
  /** The last message that the log acknowledged to this owner; null before the first fence. */
  #acknowledged: HistoryPosition | null = null;
  /** The last record of this owner's first fence. */
  #taken: HistoryPosition | null = null;
  #n = 0;
  /** The send time (`Clock.elapsed`) of the latest confirmation. */
  #confirmedAt = Number.NEGATIVE_INFINITY;
  /** When the first record of the latest fence was acknowledged. */
  #fenceBegunAt = 0;
  #cancelDeadline: (() => void) | null = null;

  /**
   * `owner` is the id of this process. No other process, past or present, has the same id. `low` tells the low-water
   * mark for the next commit. `deployment` becomes a part of the identity of a new stream.
   */
  constructor(
    log: JournalLog,
    clock: Clock,
    owner: string,
    events: JournalEvents,
    low: () => number,
    deployment = 'dep',
  ) {
    this.#deployment = deployment;
    this.#log = log;
    this.#clock = clock;
    this.#owner = owner;
    this.#events = events;
    this.#low = low;
    log.onAck((ack) => this.#readAck(ack));
  }

  get isOpen(): boolean {
    return this.#state === 'open';
  }

  get inFlight(): number {
    return this.#inFlight.length;
  }

  /** When the oldest append without an ack was sent (`Clock.elapsed`). Null without one. */
  get unackedSince(): number | null {
    return this.#inFlight[0]?.sentAt ?? null;
  }

  get epoch(): number {
    return this.#epoch;
  }

  /**
   * Fences the partition. Resolves with null when another owner's epoch stands in the log although this journal was
   * open: the partition was taken over unnoticed. Throws when the log cannot be reached. `ended`: the ids of owners
   * whose processes have ended for certain.
   */
  async open(ended?: ReadonlySet<string>): Promise<Fence | null> {
    const ownEpoch = this.#epoch;
    for (;;) {
      const tail = await readTail(this.#log, ended);
      if (this.#hasEnded()) return null;
      // An epoch record of this owner may stand behind its own groups already: the ack of that record was lost. An
      // older
      // epoch shows a log that lost this owner's records, or the answer of a deposed leader: the fence tells which.
      const isStillOurs = ownEpoch > 0 && (tail.epoch <= ownEpoch || tail.record?.owner === this.#owner);
      if (ownEpoch > 0 && !isStillOurs) return null;
      // Every append of this journal has been acknowledged. None of them can come late.
      if (ownEpoch > 0 && this.#inFlight.length === 0) tail.late = null;
      const sentAt = this.#clock.elapsed();
      const stream = tail.stream ?? streamIdentity(this.#deployment, randomText(streamIdLength));
      const epoch = Math.max(tail.epoch, ownEpoch) + 1;
      const records = this.#fenceRecords(tail, epoch, stream);
      const sequence = await this.#appendFence(tail, epoch, records);
      if (sequence === null) {
        // Another process appends, or the tail was outdated: a server that is no longer leader may answer for a while.
        await pause(this.#clock, retryPauseMs);
        continue;
      }
      const lost = await this.#lostSince(tail);
      if (this.#hasEnded()) return null;
      this.#epoch = epoch;
      this.#stream = stream;
      this.#lastSequence = sequence;
      this.#link = linkOf(records.at(-1)!);
      this.#acknowledged = { sequence, link: this.#link };
      this.#taken ??= this.#acknowledged;
      this.#n = 0;
      this.#inFlight.length = 0;
      this.#confirmedAt = sentAt;
      this.#state = 'open';
      const quiet = isStillOurs ? 0 : quietBehind(tail);
      const quietMs = Math.max(0, this.#fenceBegunAt + quiet - this.#clock.elapsed());
      return { epoch, quietMs, low: tail.low, stream, lost };
    }
  }

  /** Whether the log has this message of a history (`isInHistory`). Throws when the log cannot be reached. */
  has(position: HistoryPosition): Promise<boolean> {
    return isInHistory(this.#log, this.#clock, position);
  }

  #hasEnded(): boolean {
    return this.#state === 'ended';
  }

  /** The records of a fence behind this tail, in order, each with the link of the one before. */
  #fenceRecords({ late, low, link }: Tail, epoch: number, stream: string): Uint8Array[] {
    const records: Uint8Array[] = [];
    let before = link ?? linkOf(stream);
    for (let left = late === null ? 0 : appendWindow - 1; left >= 0; left--) {
      const record = { epoch, owner: this.#owner, at: this.#clock.now(), low, stream, link: before };
      const payload = encodeEpochRecord(late === null ? record : { ...record, fence: { late, left } });
      records.push(payload);
      before = linkOf(payload);
    }
    return records;
  }

  /**
   * Resolves with the sequence of the fence's last record, or with null when something else was appended meanwhile. The
   * first record is awaited: if the fence fails there, its other records were never sent and cannot come late. The last
   * record is sent after the acks of the others: if it stands in the log, the whole fence stands there without a gap.
   */
  async #appendFence(
    { sequence: tail, late }: Tail,
    epoch: number,
    records: readonly Uint8Array[],
  ): Promise<number | null> {
    if (late === null) return this.#log.appendEpoch(records[0]!, tail, idOf(epoch, tail + 1));
    const append = (index: number): Promise<number | null> =>
      this.#log.appendEpoch(records[index]!, tail + index, idOf(late, tail + index + 2));
    if ((await append(0)) === null) return null;
    this.#fenceBegunAt = this.#clock.elapsed();
    const most = await Promise.all(Array.from({ length: records.length - 2 }, (_, index) => append(index + 1)));
    return most.includes(null) ? null : append(records.length - 1);
  }

  /**
   * The append that this owner had acknowledged and the log does not have, or null. `tail` is the end of the log before
   * this owner's fence. Throws when the log cannot be reached.
   */
  async #lostSince(tail: Tail): Promise<LostAppend | null> {
    const own = this.#acknowledged;
    if (own === null || (await this.#hasKept(tail, own))) return null;
    return { sequence: own.sequence, isBeforeTerm: !(await this.#hasKept(tail, this.#taken!)) };
  }

  async #hasKept({ sequence: last }: Tail, position: HistoryPosition): Promise<boolean> {
    return last >= position.sequence && isInHistory(this.#log, this.#clock, position);
  }

  /**
   * Appends a commit without waiting. Its parts come from `encodePart`, and at most one is of each event. The commit
   * will have the sequence `nextSequence` and the number `nextNumber`. `traces` names the traced commands in it.
   */
  append(parts: readonly PackedGroup[], traces?: string): void {
    if (this.#state !== 'open') throw new Fault(`append to a journal that is ${this.#state}`);
    if (this.#inFlight.length >= appendWindow) throw new Fault('append beyond the window, which is as long as a fence');
    const epoch = this.#epoch;
    const n = this.nextNumber;
    const expected = this.#lastSequence;
    const payload = encodeCommit({ epoch, n, low: this.#low(), link: this.#link }, parts.map(dataOf));
    this.#link = linkOf(payload);
    const eventKey = parts.length === 1 ? parts[0]!.eventKey : null;
    // The append is in flight already: a log that throws may have sent it.
    this.#lastSequence++;
    this.#n = n;
    this.#inFlight.push({ n, sequence: this.#lastSequence, sentAt: this.#clock.elapsed(), link: this.#link });
    if (!this.#cancelDeadline) this.#armDeadline();
    this.#log.append({ eventKey, payload, expected, id: idOf(epoch, expected + 1), epoch, n, traces });
  }

  #readAck(ack: Ack): void {
    const oldest = this.#inFlight[0];
    // Acks of an epoch that was broken off arrive here too. Their commits have been settled.
    if (this.#state !== 'open' || !oldest || ack.epoch !== this.#epoch || ack.n < oldest.n) return;
    if ('wrong' in ack) this.breakOff(ack.wrong);
    else if (ack.n !== oldest.n) this.breakOff('the acks are out of order');
    else if (ack.sequence !== oldest.sequence)
      this.breakOff(`the append was acked as ${ack.sequence} instead of ${oldest.sequence}`);
    else {
      this.#inFlight.shift();
      this.#acknowledged = oldest;
      this.#confirmedAt = Math.max(this.#confirmedAt, oldest.sentAt);
      this.#events.onCommitted(oldest.sequence, oldest.sentAt);
    }
  }

  /** One timer runs for the oldest append in flight. It starts again while appends are in flight. */
  #armDeadline(): void {
    const oldest = this.#inFlight[0];
    this.#cancelDeadline = null;
    if (!oldest || this.#state !== 'open') return;
    const waited = this.#clock.elapsed() - oldest.sentAt;
    if (waited >= appendDeadlineMs) this.breakOff(`no ack within ${appendDeadlineMs} ms`);
    else this.#cancelDeadline = this.#clock.after(appendDeadlineMs - waited, () => this.#armDeadline());
  }

  breakOff(why: string, cause?: unknown): void {
    if (this.#state !== 'open') return;
    this.#state = 'broken';
    this.#events.onBroken(why, cause);
  }

  /** The milliseconds of the read lease that were left at `decidedAt` (`Clock.elapsed`). Negative behind its end. */
  leaseLeft(decidedAt: number): number {
    return this.#confirmedAt + readLeaseMs - decidedAt;
  }

  /**
   * Checks that the log still ends with this owner's last record, which renews the read lease. If the log ends
   * otherwise, the journal breaks. Does nothing while appends are in flight: their acks tell the same. Throws when the
   * log cannot be reached.
   */
  async confirm(): Promise<void> {
    if (this.#state !== 'open' || this.#inFlight.length > 0) return;
    const epoch = this.#epoch;
    const expected = this.#lastSequence;
    const sentAt = this.#clock.elapsed();
    const { sequence } = await this.#log.last();
    if (!this.isOpen || this.#epoch !== epoch) return;
    if (sequence === expected) this.#confirmedAt = Math.max(this.#confirmedAt, sentAt);
    else if (this.#lastSequence === expected) this.breakOff(`the log ends at ${sequence} instead of ${expected}`);
  }

  /**
   * Whether the commit of this epoch and number stands at `sequence`. The answer is final after `open()` has fenced
   * again. Throws for an answer that is older than this fence, which has a message at each sequence before it.
   */
  async landed(commit: { epoch: number; n: number; sequence: number }): Promise<boolean> {
    const payload = await this.#log.at(commit.sequence);
    const isBeforeFence = this.isOpen && commit.sequence <= this.#lastSequence;
    if (!payload && isBeforeFence) throw new Fault(`read sequence ${commit.sequence}: an old answer`);
    if (!payload) return false;
    const head = headOf(payload);
    return head.epoch === commit.epoch && 'n' in head && head.n === commit.n;
  }

  /** The sequence that the next append expects to get. */
  get nextSequence(): number {
    return this.#lastSequence + 1;
  }

  /** The number of the next commit in this epoch. */
  get nextNumber(): number {
    return this.#n + 1;
  }

  /**
   * Appends the last record of this term. Nothing is answered after it. Resolves with true when the record stands in
   * the log. A missing record costs only time: the next owner then stays quiet for `fenceQuietMs`.
   */
  async handOver(): Promise<boolean> {
    const wasOpen = this.#state === 'open' && this.#inFlight.length === 0;
    this.#state = 'ended';
    this.#cancelDeadline?.();
    if (!wasOpen) return false;
    const record: EpochRecord = {
      epoch: this.#epoch,
      owner: this.#owner,
      at: this.#clock.now(),
      low: this.#low(),
      stream: this.#stream,
      link: this.#link,
      released: true,
    };
    const expected = this.#lastSequence;
    const id = idOf(this.#epoch, expected + 1);
    // Without this record the next owner waits for the end of the read lease. Nothing else is lost.
    const sequence = await this.#log.appendEpoch(encodeEpochRecord(record), expected, id).catch(() => null);
    return sequence !== null;
  }

  close(): void {
    this.#state = 'ended';
    this.#cancelDeadline?.();
    this.#log.close();
  }
}

/**
 * Whether the log has this message of a history. A message that is missing or differs is read again for
 * `lossCertainMs`: a leader that was deposed may answer the first reads. Throws when the log cannot be reached.
 */
export async function isInHistory(
  log: Pick<JournalLog, 'at'>,
  clock: Clock,
  { sequence, link }: HistoryPosition,
): Promise<boolean> {
  const certainAt = clock.elapsed() + lossCertainMs;
  for (;;) {
    const payload = await log.at(sequence);
    if (payload && isSameLink(linkOf(payload), link)) return true;
    if (clock.elapsed() >= certainAt) return false;
    await pause(clock, retryPauseMs);
  }
}

const noLink: Link = new Uint8Array(linkBytes);

const dataOf = ({ data }: PackedGroup): Uint8Array => data;

/** The id of the message that the owner of this epoch sends for this sequence. */
function idOf(epoch: number, sequence: number): string {
  return `${epoch}.${sequence}`;
}
