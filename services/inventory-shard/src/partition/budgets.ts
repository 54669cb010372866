/**
 * The request budgets that belong to one partition. The owner counts them for all front doors: one counter makes the
 * limit hold for all front doors together.
 *
 * The budgets of a partition count while the partition serves, and while it is halted. At other times the answer is
 * `moved`, and nothing is counted. A budget is no event: it has no actor, no mailbox and no journal, and is answered at
 * once. Its windows live for the owner's term, and the next owner begins with new windows. A takeover or handover
 * therefore grants more requests, never fewer, and no request costs an append. An owner that was replaced and does not
 * know it yet counts beside its successor for a moment. Each of the two grants at most its own windows. Any change of
 * owner grants the same amount.
 *
 * A front door may ask about one request twice, when the first answer was late or lost. The first answer is kept under
 * the name of the question (front door and number) for `requestDeadlineMs`. After that time no front door asks again. A
 * copy of the question thus gets the first answer and counts nothing. Past `budgetAnswersKept` answers, the oldest are
 * forgotten. A later copy then takes one request from its own caller's budget, and the limit still holds.
 */

import type { Answers } from '@parterre/shared/protocol/answers';
import type { Answer, Command, Envelope } from '@parterre/shared/protocol/commands';
import { budgetWindowsMax, requestDeadlineMs } from '@parterre/shared/protocol/limits';
import type { Clock } from '@parterre/shared/runtime/clock';
import { FixedWindows } from '@parterre/shared/runtime/fixed-windows';
import { RecentMap } from '@parterre/shared/runtime/recent-map';
import { frontDoorOf, type PendingReply, replyOf } from './actor.ts';
import { budgetAnswersKept } from './bounds.ts';

export class Budgets {
  readonly #clock: Clock;
  readonly #reply: (pending: PendingReply) => void;
  readonly #windows: FixedWindows;
  /** By the name of the question. */
  readonly #answers: RecentMap<{ at: number; spent: Answers['spend'] }>;

  constructor(clock: Clock, reply: (pending: PendingReply) => void) {
    this.#clock = clock;
    this.#reply = reply;
    this.#windows = new FixedWindows(clock, budgetWindowsMax);
    this.#answers = new RecentMap(clock, { entriesMax: budgetAnswersKept, keepMs: requestDeadlineMs });
  }

  /**
   * True when the envelope asked for a budget and was answered. `counting`: whether this owner counts now.
   */
  take(envelope: Envelope, replyTo: string, counting: boolean): boolean {
    const { id, eventKey, command } = envelope;
    if (command.type !== 'spend') return false;
    const answer: Answer = counting
      ? { kind: 'ok', value: this.#spend(id, eventKey, command, replyTo) }
      : { kind: 'moved' };
    this.#reply({ replyTo, reply: replyOf(envelope, answer) });
    return true;
  }

  #spend(id: number, address: string, command: Command & { type: 'spend' }, replyTo: string): Answers['spend'] {
    const now = this.#clock.elapsed();
    const name = `${frontDoorOf(replyTo)} ${id}`;
    const before = this.#answers.get(name);
    if (before) {
      const resetAfterMs = Math.max(0, before.spent.resetAfterMs - (now - before.at));
      return { ...before.spent, resetAfterMs };
    }
    const spent = this.#count(address, command);
    this.#answers.set(name, { at: now, spent });
    return spent;
  }

  #count(address: string, { limit, windowMs, amount, weight }: Command & { type: 'spend' }): Answers['spend'] {
    if (weight !== undefined) return this.#windows.spendWhole(address, limit, windowMs, weight);
    if (amount !== undefined) return this.#windows.spendMany(address, limit, windowMs, amount);
    return this.#windows.spend(address, limit, windowMs);
  }
}
