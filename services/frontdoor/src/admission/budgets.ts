/**
 * Request budgets as a front door sees them: each is counted by its owner among the shards, for all front doors, but for
 * those that the specification lets every instance count for itself.
 *
 * States of a budget here: open (its owner is asked each time) → used up until its window ends → open. A window is
 * fixed: once used up it stays so to its end, and until then requests are refused without asking. That end is reckoned
 * twice, since the owner's answer takes time to come: from before it was asked, which is never too late and ends the
 * refusing, and from when it answered, which is never too early and is what callers are told.
 *
 * Failure at the await: the owner is not reached within `requestDeadlineMs` (its partition is without owner, or NATS is
 * gone): the request is refused with 503 `shard_unavailable`, `retryable`. It did nothing, though one request may have
 * been counted. A fail-over takes less than that: requests wait for it and go on. The command that follows has a deadline
 * of its own.
 */
import type { Clock } from '@parterre/shared/clock';
import type { Caller } from '@parterre/shared/commands';
import { done, type Outcome, refuse } from '@parterre/shared/errors';
import { FixedWindows, type Spent } from '@parterre/shared/fixed-windows';
import { budgetWindowsMax, exhaustedBudgetsMax } from '@parterre/shared/limits';
import { RecentMap } from '@parterre/shared/recent-map';
import type { ShardClient } from '../shards/shard-client.ts';
import { type Budget, type BudgetLimits, budgetAddress } from './budget.ts';

export type Budgets = {
  /** Counts one request of whoever `countedAs` names (a key's id, an address, …). */
  spend(budget: Budget, countedAs: string): Promise<Outcome<Spent>>;
  /** The limits of this deployment. */
  limits: BudgetLimits;
};

/** The window of most budgets; of a longer one the owner is asked again now and then. */
const USED_UP_KEEP_MS = 60_000;

type UsedUp = { refuseUntil: number; endsBy: number };

const counting: Caller = { source: 'timer', actor: null, accessSource: 'public' };
/** In no region's range of partitions: budgets live in the default one. */
const region = '';
const notCounted = refuse('shard_unavailable', 'Your request budget could not be counted in time. Try again.', {
  retryable: true,
});

export function createBudgets(clock: Clock, shards: ShardClient, limits: BudgetLimits = new Map()): Budgets {
  const local = new FixedWindows(clock, budgetWindowsMax);
  const usedUp = new RecentMap<UsedUp>(clock, { entriesMax: exhaustedBudgetsMax, keepMs: USED_UP_KEEP_MS });

  function refusedHere(address: string): Spent | null {
    const known = usedUp.get(address);
    const now = clock.elapsed();
    if (known === undefined || now >= known.refuseUntil) return null;
    return { allowed: false, remaining: 0, resetAfterMs: known.endsBy - now };
  }

  function note(address: string, askedAt: number, { resetAfterMs }: Spent): void {
    usedUp.set(address, { refuseUntil: askedAt + resetAfterMs, endsBy: clock.elapsed() + resetAfterMs });
  }

  return {
    limits,
    async spend(budget, countedAs) {
      const { limit, windowMs } = budget;
      if (budget.local) return done(local.spend(`${budget.name} ${countedAs}`, limit, windowMs));
      const address = budgetAddress(budget, countedAs);
      const refused = refusedHere(address);
      if (refused) return done(refused);
      const askedAt = clock.elapsed();
      const answer = await shards.submit({ key: address, region }, counting, { type: 'spend', limit, windowMs });
      if (!answer.ok) return answer.refusal.code === 'shard_unavailable' ? notCounted : answer;
      if (answer.value.remaining === 0) note(address, askedAt, answer.value);
      return answer;
    },
  };
}
