/**
 * Reads and refusals on their way out. They leave no record whose ack would show that the partition was still this
 * owner's when they were decided; the journal's read lease does, and where it has run out they wait here for one look
 * at the tail, all of them for the same one. So a process that was stopped and replaced tells nobody what was true
 * before (I1 as callers see it).
 *
 * Failure at the await: the log cannot be read, or ends otherwise. The journal is then broken off, and the partition
 * either fences again, which covers what waits here, or finds another owner and answers `moved`.
 */

import type { Journal } from '../journal/journal.ts';
import { type PendingReply, replyOf } from './actor.ts';

/** Answers that rest on state as it was at `decidedAt` (`Clock.elapsed`). */
export type Decided = { decidedAt: number; replies: PendingReply[] };

export class CertainAnswers {
  readonly #journal: Pick<Journal, 'coversDecision' | 'confirm' | 'breakOff' | 'isOpen' | 'inFlight'>;
  readonly #reply: (pending: PendingReply) => void;
  /** Called when room has been made. */
  readonly #onAnswered: () => void;
  #waiting: Decided[] = [];
  #looking = false;

  constructor(
    journal: Pick<Journal, 'coversDecision' | 'confirm' | 'breakOff' | 'isOpen' | 'inFlight'>,
    reply: (pending: PendingReply) => void,
    onAnswered: () => void,
  ) {
    this.#journal = journal;
    this.#reply = reply;
    this.#onAnswered = onAnswered;
  }

  get size(): number {
    return this.#waiting.length;
  }

  find(isIt: (pending: PendingReply) => boolean): PendingReply | undefined {
    return findIn(this.#waiting, isIt);
  }

  /** Sends the replies now if they are certain, else as soon as they are. */
  send(replies: PendingReply[], decidedAt: number): void {
    if (this.#journal.coversDecision(decidedAt)) {
      for (const reply of replies) this.#reply(reply);
      return;
    }
    this.#waiting.push({ decidedAt, replies });
    void this.look();
  }

  /** To be called when something was confirmed: an append, a fence. */
  onConfirmed(): void {
    if (this.#waiting.length === 0) return;
    const waiting = this.#waiting;
    this.#waiting = waiting.filter(({ decidedAt }) => !this.#journal.coversDecision(decidedAt));
    for (const { decidedAt, replies } of waiting) {
      if (this.#journal.coversDecision(decidedAt)) for (const reply of replies) this.#reply(reply);
    }
    if (this.#waiting.length > 0) void this.look();
    else this.#onAnswered();
  }

  /** Looks at the tail, unless somebody does or an ack is about to tell. */
  async look(): Promise<void> {
    if (this.#looking || !this.#journal.isOpen || this.#journal.inFlight > 0) return;
    this.#looking = true;
    try {
      await this.#journal.confirm();
    } catch {
      this.#journal.breakOff('the end of the log cannot be read');
    }
    this.#looking = false;
    this.onConfirmed();
  }

  /** The partition is another's: whoever waits asks there. */
  giveUp(): void {
    for (const { replies } of this.#waiting.splice(0)) {
      for (const { replyTo, reply } of replies) this.#reply({ replyTo, reply: replyOf(reply, { kind: 'moved' }) });
    }
  }
}

export function findIn(decided: Decided[], isIt: (pending: PendingReply) => boolean): PendingReply | undefined {
  for (const { replies } of decided) {
    const found = replies.find(isIt);
    if (found) return found;
  }
  return undefined;
}
