/**
 * The reads of one partition that leave the mailbox, and their callers. An event has one capture under way at a time.
 * Callers that come meanwhile wait in `reads` of their event and share the next capture, so a busy event is not
 * captured at every change.
 *
 * States of a caller: waiting → reading, when the event's last capture is over → answered by the reader. The answer
 * rests on the groups in flight at its capture. If the last of these groups is still in flight, the answer leaves
 * behind it. If the group was undone, the caller is answered `moved`. Otherwise the answer leaves as every read, once
 * it is certain (partition/certain-answers.ts).
 *
 * Encoding the answers takes time as well. Each turn of the event loop sends a part of the answers.
 *
 * Failure at the wait for the reader: the reader answers `moved` (event-readers.ts). At the end of the term all callers
 * are answered `moved`, and a later answer of the reader is dropped.
 */
import type { Answer, Envelope, Reply } from '@parterre/shared/protocol/commands';
import { requestDeadlineMs } from '@parterre/shared/protocol/limits';
import { type EventRead, keyOfRead } from '../rules/reads/event-reads.ts';
import type { ReadState } from '../rules/state/state.ts';
import { largeAnswersPerTurn, smallAnswersPerTurn } from './bounds.ts';
import type { Readers } from './event-readers.ts';

type WaitingRead = { envelope: Envelope; replyTo: string; receivedAt: number };

type Caller = { replyTo: string; reply: Reply };
type ReadEvent = { state: ReadState | null; reads: WaitingRead[] };
type Group = { behind: { decidedAt: number; replies: Caller[] }[] };

type Ports = {
  readers: Pick<Readers, 'read'>;
  turn: { isOver(): boolean; goOn(run: () => void): void };
  reply(caller: Caller): void;
};
/** Sends answers once they are certain. */
type Answers = { send(callers: Caller[], decidedAt: number): void };

/** Until its answer has come, a caller's reply is `moved`. `group` is null once all groups below are durable. */
type Reading = { read: EventRead; decidedAt: number; group: Group | null; callers: Caller[] };

export class Readings<E extends ReadEvent, G extends Group> {
  readonly #ports: Ports;
  readonly #answers: Answers;
  /** The event's capture is over, and further reads wait. */
  readonly #wake: (event: E) => void;
  /** The readings of each event's capture under way that are not answered yet. */
  readonly #underWay = new Map<E, Set<Reading>>();

  constructor(ports: Ports, answers: Answers, wake: (event: E) => void) {
    this.#ports = ports;
    this.#answers = answers;
    this.#wake = wake;
  }

  /** Events with a capture under way. */
  get size(): number {
    return this.#underWay.size;
  }

  find(event: E, matches: (caller: Caller) => boolean): Caller | undefined {
    for (const { callers } of this.#underWay.get(event) ?? []) {
      const found = callers.find(matches);
      if (found) return found;
    }
    return undefined;
  }

  /**
   * Reads for every caller that waits, unless a capture is under way. Call this between two groups, when nothing is
   * due. `group` is the event's last group in flight, null without one.
   */
  read(event: E, now: number, group: G | null): void {
    if (this.#underWay.has(event)) return;
    const byKey = new Map<string, Reading>();
    for (const { envelope, replyTo, receivedAt } of event.reads.splice(0)) {
      const caller: Caller = { replyTo, reply: { ...nameOf(envelope), kind: 'moved' } };
      // The caller got 503 by now.
      if (now - receivedAt >= requestDeadlineMs) {
        this.#ports.reply(caller);
        continue;
      }
      const read = envelope.command as EventRead;
      const key = keyOfRead(read);
      const reading = byKey.get(key);
      if (reading) reading.callers.push(caller);
      else byKey.set(key, { read, decidedAt: now, group, callers: [caller] });
    }
    if (byKey.size === 0) return;
    const readings = [...byKey.values()];
    this.#underWay.set(event, new Set(readings));
    this.#ports.readers.read(
      event.state!,
      readings.map(({ read }) => read),
      (read, answer) => this.#onAnswer(event, byKey.get(keyOfRead(read))!, answer),
    );
  }

  #onAnswer(event: E, reading: Reading, answer: Answer): void {
    const left = this.#underWay.get(event);
    // The group was undone, or the term is over: the callers have their answer.
    if (!left?.has(reading)) return;
    const { read, decidedAt, group } = reading;
    const callers = reading.callers.splice(0, answersPerTurn(read));
    for (const caller of callers) caller.reply = { ...nameOf(caller.reply), ...answer };
    if (group) group.behind.push({ decidedAt, replies: callers });
    else this.#answers.send(callers, decidedAt);
    if (reading.callers.length > 0) {
      this.#inNextTurn(() => this.#onAnswer(event, reading, answer));
      return;
    }
    left.delete(reading);
    if (left.size > 0) return;
    this.#underWay.delete(event);
    if (event.reads.length > 0) this.#wake(event);
  }

  #inNextTurn(run: () => void): void {
    const { turn } = this.#ports;
    // The question begins a turn if none is under way: the next turn comes after a turn.
    turn.isOver();
    turn.goOn(run);
  }

  /** The group is durable. */
  onSettled(event: E, group: G): void {
    for (const reading of this.#underWay.get(event) ?? []) if (reading.group === group) reading.group = null;
  }

  /** The group is not in the log. */
  onUndone(event: E, group: G): void {
    const readings = this.#underWay.get(event);
    if (!readings) return;
    for (const reading of readings) {
      if (reading.group !== group) continue;
      readings.delete(reading);
      this.#moveOn(reading);
    }
    if (readings.size === 0) this.#underWay.delete(event);
  }

  /** The term is over. */
  giveUp(): void {
    const all = [...this.#underWay.values()];
    this.#underWay.clear();
    for (const readings of all) for (const reading of readings) this.#moveOn(reading);
  }

  #moveOn({ callers }: Reading): void {
    for (const caller of callers) this.#ports.reply(caller);
  }
}

function nameOf({ id, copy }: Pick<Envelope, 'id' | 'copy'>): Pick<Envelope, 'id' | 'copy'> {
  return copy === undefined ? { id } : { id, copy };
}

function answersPerTurn({ type }: EventRead): number {
  return type === 'unit-columns' || type === 'view' ? largeAnswersPerTurn : smallAnswersPerTurn;
}
