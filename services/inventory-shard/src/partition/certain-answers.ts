/**
 * Reads and refusals on their way out. They leave no record, so no ack shows that this owner still had the partition
 * when they were decided. The journal's read lease shows it instead. After the lease has run out, all answers wait here
 * for one common look at the log's tail. A process that was stopped and replaced therefore never answers from its old
 * state (I1 as callers see it).
 *
 * Failure at the await: the log cannot be read, or its tail is not this owner's last record. The journal is then broken
 * off. The partition either fences again, which covers the waiting answers, or finds another owner and answers `moved`.
 */
import type { Journal } from '../journal/journal.ts';
import { type PendingReply, replyOf } from './actor.ts';

/** Answers that rest on the state at `decidedAt` (`Clock.elapsed`). */
export type Decided = { decidedAt: number; replies: PendingReply[] };

export class CertainAnswers {
  readonly #journal: Pick<Journal, 'leaseLeft' | 'confirm' | 'breakOff' | 'isOpen' | 'inFlight'>;
  readonly #reply: (pending: PendingReply) => void;
  /** Called when waiting answers have left. */
  readonly #onAnswered: () => void;
  #waiting: Decided[] = [];
  #looking = false;

  constructor(
    journal: Pick<Journal, 'leaseLeft' | 'confirm' | 'breakOff' | 'isOpen' | 'inFlight'>,
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

  find(matches: (pending: PendingReply) => boolean): PendingReply | undefined {
    return findIn(this.#waiting, matches);
  }

  /** Sends the replies at once if they are certain, otherwise as soon as they become certain. */
  send(replies: PendingReply[], decidedAt: number): void {
    if (this.#isCertain(decidedAt)) {
      for (const reply of replies) this.#reply(reply);
      return;
    }
    this.#waiting.push({ decidedAt, replies });
    void this.look();
  }

  #isCertain(decidedAt: number): boolean {
    return this.#journal.leaseLeft(decidedAt) >= 0;
  }

  /** Call this when the journal confirmed something: an append or a fence. */
  onConfirmed(): void {
    if (this.#waiting.length === 0) return;
    const waiting = this.#waiting;
    this.#waiting = waiting.filter(({ decidedAt }) => !this.#isCertain(decidedAt));
    for (const { decidedAt, replies } of waiting) {
      if (this.#isCertain(decidedAt)) for (const reply of replies) this.#reply(reply);
    }
    if (this.#waiting.length > 0) void this.look();
    else this.#onAnswered();
  }

  /** Looks at the log's tail, unless a look is under way or an ack in flight will confirm the lease. */
  async look(): Promise<void> {
    if (this.#looking || !this.#journal.isOpen || this.#journal.inFlight > 0) return;
    this.#looking = true;
    try {
      await this.#journal.confirm();
    } catch (error) {
      this.#journal.breakOff('the end of the log cannot be read', error);
    }
    this.#looking = false;
    this.onConfirmed();
  }

  /** The partition has another owner. Waiting callers are answered `moved` and ask that owner. */
  giveUp(): void {
    for (const { replies } of this.#waiting.splice(0)) {
      for (const { replyTo, reply } of replies) this.#reply({ replyTo, reply: replyOf(reply, { kind: 'moved' }) });
    }
  }
}

export function findIn(decided: Decided[], matches: (pending: PendingReply) => boolean): PendingReply | undefined {
  for (const { replies } of decided) {
    const found = replies.find(matches);
    if (found) return found;
  }
  return undefined;
}

/** Answers that wait until a snapshot is stored, by event. A failed store answers `moved`. */
export class StoredAnswers<E> {
  readonly #reply: (pending: PendingReply) => void;
  readonly #waiting = new Set<{ event: E; pending: PendingReply }>();

  constructor(reply: (pending: PendingReply) => void) {
    this.#reply = reply;
  }

  find(event: E, matches: (pending: PendingReply) => boolean): PendingReply | undefined {
    for (const { event: other, pending } of this.#waiting) if (other === event && matches(pending)) return pending;
    return undefined;
  }

  async send(event: E, pending: PendingReply, stored: Promise<boolean>): Promise<void> {
    const waiting = { event, pending };
    this.#waiting.add(waiting);
    const isStored = await stored;
    this.#waiting.delete(waiting);
    const { replyTo, reply } = pending;
    this.#reply(isStored ? pending : { replyTo, reply: replyOf(reply, { kind: 'moved' }) });
  }
}
