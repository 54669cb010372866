/**
 * The request budgets whose place is on one partition, counted here for all front doors: since there is one counter, the
 * limit holds over all of them together.
 *
 * States of a partition's budgets: counting while it serves; where it does not, `moved` is answered and nothing counted.
 * A budget is no event: it has no actor, no mailbox and no journal, and is answered at once. Its windows live as long as
 * this owner's tenure of the partition; the next one begins with new ones. A fail-over or a move therefore grants more,
 * never less, and no request costs an append. Where an owner was replaced and does not know it yet, both count for a
 * moment: each grants no more than its windows allow, which is what a move comes to anyway.
 *
 * A request may be asked about twice, when the first answer was late or lost. What was counted is kept under the name of
 * its asking (front door and number) for `requestDeadlineMs`, after which no front door asks again, so that the copy
 * gets the first answer and counts nothing. Past `budgetAnswersKept` the oldest are forgotten: a copy that comes still
 * later takes one request from its own caller's budget, and the limit holds all the same.
 */
import type { Clock } from '@parterre/shared/clock';
import type { Answer, Command, Envelope } from '@parterre/shared/commands';
import { FixedWindows, type Spent } from '@parterre/shared/fixed-windows';
import { budgetWindowsMax, requestDeadlineMs } from '@parterre/shared/limits';
import { RecentMap } from '@parterre/shared/recent-map';
import { budgetAnswersKept } from '../rules/state/bounds.ts';
import { frontDoorOf, type PendingReply, replyOf } from './actor.ts';

export class Budgets {
  readonly #clock: Clock;
  readonly #reply: (pending: PendingReply) => void;
  readonly #windows: FixedWindows;
  /** By name of asking. */
  readonly #answers: RecentMap<{ at: number; spent: Spent }>;

  constructor(clock: Clock, reply: (pending: PendingReply) => void) {
    this.#clock = clock;
    this.#reply = reply;
    this.#windows = new FixedWindows(clock, budgetWindowsMax);
    this.#answers = new RecentMap(clock, { entriesMax: budgetAnswersKept, keepMs: requestDeadlineMs });
  }

  /** True when the envelope asked of a budget, and was answered; `serving` says whether the partition is ours to answer for. */
  take(envelope: Envelope, replyTo: string, serving: boolean): boolean {
    const { id, eventKey, command } = envelope;
    if (command.type !== 'spend') return false;
    const answer: Answer = serving
      ? { kind: 'ok', value: this.#spend(id, eventKey, command, replyTo) }
      : { kind: 'moved' };
    this.#reply({ replyTo, reply: replyOf(envelope, answer) });
    return true;
  }

  #spend(id: number, address: string, { limit, windowMs }: Command & { type: 'spend' }, replyTo: string): Spent {
    const now = this.#clock.elapsed();
    const name = `${frontDoorOf(replyTo)} ${id}`;
    const before = this.#answers.get(name);
    if (before) {
      const resetAfterMs = Math.max(0, before.spent.resetAfterMs - (now - before.at));
      return { ...before.spent, resetAfterMs };
    }
    const spent = this.#windows.spend(address, limit, windowMs);
    this.#answers.set(name, { at: now, spent });
    return spent;
  }
}
