/**
 * The journal streams, with JetStream's rules: messages in order, appended only when the expected last sequence is the
 * last, and once for each message id. The faults decide the way to the stream and back.
 *
 * A stream may lie (lies/lies.ts): its messages become others. Appends that were on their way then are lost with the
 * connections of the server.
 */
import { Fault } from '@parterre/shared/protocol/errors';
import { appendDeadlineMs } from '@parterre/shared/protocol/limits';
import { subjects } from '@parterre/shared/protocol/subjects';
import type { Ack, JournalLog } from '../../../services/inventory-shard/src/journal/appends.ts';
import type { Faults } from '../faults.ts';
import type { SimulatedProcess } from './process.ts';
import type { Scheduler } from './scheduler.ts';

export type Stored = { sequence: number; subject: string; payload: Uint8Array; id: string };

type Appended = { sequence: number; duplicate?: true } | { wrong: string };

const requestTimeoutMs = 5_000;
const lateMsMax = 6_000;

export class SimulatedStream {
  /** The stream answers nothing before this time. */
  downUntil = 0;
  /** Counts the lies. */
  history = 0;
  readonly partition: number;
  readonly #onStored: (stored: Stored) => void;
  /** By sequence, from 1 on. A message that is lost inside the stream is null. */
  #messages: (Stored | null)[] = [];
  #byMessageId = new Map<string, number>();

  constructor(partition: number, onStored: (stored: Stored) => void) {
    this.partition = partition;
    this.#onStored = onStored;
  }

  get lastSequence(): number {
    return this.#messages.length;
  }

  at(sequence: number): Stored | null {
    return this.#messages[sequence - 1] ?? null;
  }

  lastOf(subject: string): Stored | null {
    return this.#messages.findLast((stored) => stored?.subject === subject) ?? null;
  }

  /** The messages from a sequence on. */
  from(sequence: number): Stored[] {
    return this.#messages.slice(sequence - 1).filter((stored) => stored !== null);
  }

  append(subject: string, payload: Uint8Array, expected: number, messageId: string): Appended {
    const before = this.#byMessageId.get(messageId);
    if (before !== undefined) return { sequence: before, duplicate: true };
    if (expected !== this.lastSequence) return { wrong: `wrong last sequence: ${this.lastSequence}` };
    const stored = { sequence: this.lastSequence + 1, subject, payload, id: messageId };
    this.#messages.push(stored);
    this.#byMessageId.set(messageId, stored.sequence);
    this.#onStored(stored);
    return { sequence: stored.sequence };
  }

  /** From here on the stream has these messages, by sequence from 1 on, and knows their ids alone. */
  lie(messages: readonly (Stored | null)[]): void {
    this.#messages = [...messages];
    this.#byMessageId = new Map(this.from(1).map(({ id, sequence }) => [id, sequence]));
    this.history++;
  }
}

/** A request to the servers, which may be answered late, never, or with an error. */
export function ask<T>(
  scheduler: Scheduler,
  faults: Faults,
  owner: SimulatedProcess,
  stream: SimulatedStream,
  answer: () => T,
  timeoutMs = requestTimeoutMs,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const cancel = owner.clock.after(timeoutMs, () => reject(new Fault('timeout')));
    const settle = (how: () => void): void =>
      owner.receive(() => {
        cancel();
        how();
      });
    const serve = (): void => {
      const { random } = scheduler;
      if (faults.strikes('readFails')) {
        settle(() => reject(new Fault('JetStream is not available')));
        return;
      }
      const answered = answer();
      const delayMs = faults.strikes('readSlow') ? random.delay(0, lateMsMax) : 0;
      if (delayMs === 0) settle(() => resolve(answered));
      else scheduler.atServers(scheduler.now + delayMs, () => settle(() => resolve(answered)));
    };
    owner.send(() => {
      if (stream.downUntil <= scheduler.now) serve();
      else if (scheduler.random.chance(0.5)) scheduler.atServers(stream.downUntil, serve);
    });
  });
}

export function createSimulatedLog(
  scheduler: Scheduler,
  faults: Faults,
  owner: SimulatedProcess,
  stream: SimulatedStream,
): JournalLog {
  const { random } = scheduler;
  const { partition } = stream;
  let hear: (ack: Ack) => void = () => {};
  const late = (): number => scheduler.now + random.delay(0, lateMsMax);

  function tell(ack: Ack): void {
    if (faults.strikes('ackLost')) return;
    const deliver = (): void => owner.receive(() => hear(ack));
    if (faults.strikes('ackLate')) scheduler.atServers(late(), deliver);
    else deliver();
    if (faults.strikes('ackTwice')) scheduler.atServers(late(), deliver);
  }

  /** Runs `take` at the stream: once, late, twice, or never. */
  function reach(append: () => void): void {
    const { history } = stream;
    const take = (): void => {
      if (stream.history === history) append();
    };
    owner.send(() => {
      if (faults.strikes('appendLost')) return;
      if (stream.downUntil > scheduler.now) {
        if (random.chance(0.5)) scheduler.atServers(stream.downUntil, take);
      } else if (faults.strikes('appendLate')) scheduler.atServers(late(), take);
      else take();
      if (faults.strikes('appendTwice')) scheduler.atServers(late(), take);
    });
  }

  return {
    last: () =>
      ask(scheduler, faults, owner, stream, () => ({
        sequence: stream.lastSequence,
        payload: stream.at(stream.lastSequence)?.payload ?? null,
      })),
    lastEpoch: () =>
      ask(scheduler, faults, owner, stream, () => stream.lastOf(subjects.epoch(partition))?.payload ?? null),
    at: (sequence) => ask(scheduler, faults, owner, stream, () => stream.at(sequence)?.payload ?? null),
    appendEpoch: (payload, expected, id) =>
      new Promise((resolve, reject) => {
        const cancel = owner.clock.after(appendDeadlineMs, () => reject(new Fault('timeout')));
        reach(() => {
          const appended = stream.append(subjects.epoch(partition), payload, expected, id);
          const sequence = 'sequence' in appended && !appended.duplicate ? appended.sequence : null;
          const answer = (): void => {
            cancel();
            resolve(sequence);
          };
          if (faults.strikes('ackLost')) return;
          owner.receive(answer);
        });
      }),
    append({ eventKey, payload, expected, id, epoch, n }) {
      reach(() => {
        if (faults.strikes('appendRefused')) {
          tell({ epoch, n, wrong: 'JetStream is not available' });
          return;
        }
        const subject = eventKey === null ? subjects.commits(partition) : subjects.journal(partition, eventKey);
        tell({ epoch, n, ...stream.append(subject, payload, expected, id) });
      });
    },
    onAck(listener) {
      hear = listener;
    },
    close() {
      hear = () => {};
    },
  };
}
