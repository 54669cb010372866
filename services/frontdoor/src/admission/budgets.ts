/**
 * Counts requests against budgets. The shard that owns a budget counts it for all front doors. Only a `local` budget is
 * counted by each front door by itself.
 *
 * States of a budget here: open (its owner is asked each time) → used up until its window ends → open. A window is
 * fixed: a used-up budget stays used up to the window's end, and until then requests are refused without asking the
 * owner. The end is computed twice, since the owner's answer takes time to come. The end counted from before the
 * question is never too late: from then on the owner is asked again. The end counted from the answer is never too
 * early: callers are told this end.
 *
 * Failure at the await: the owner is not reached within `requestDeadlineMs`, because its partition has no owner or NATS
 * is gone. The request is refused with 503 `shard_unavailable`, `retryable`. The request did nothing, but may have been
 * counted. A takeover is faster than this deadline: requests wait for the takeover and go on. The command that follows
 * has its own deadline.
 */
import type { Clock } from '@parterre/shared/clock';
import type { Caller } from '@parterre/shared/commands';
import { done, type Outcome, refuse } from '@parterre/shared/errors';
import { FixedWindows, type Spent } from '@parterre/shared/fixed-windows';
import { budgetWindowsMax, exhaustedBudgetsMax } from '@parterre/shared/limits';
import { RecentMap } from '@parterre/shared/recent-map';
import type { ShardClient } from '../shards/shards.ts';
import { type Budget, type BudgetLimits, budgetAddress } from './budget.ts';

export type Budgets = {
  /** Counts one request under `countedAs`: a key's id, an address, and so on. */
  spend(budget: Budget, countedAs: string): Promise<Outcome<Spent>>;
  /** The limits of this deployment. */
  limits: BudgetLimits;
};

/** The window of most budgets. If a window is longer, the owner is asked again from time to time. */
const USED_UP_KEEP_MS = 60_000;

type UsedUp = { refuseUntil: number; endsBy: number };

const counting: Caller = { source: 'timer', actor: null, accessSource: 'public' };
/** No region: budgets live on the default range of partitions. */
const region = '';
const notCounted = refuse(
  'shard_unavailable',
  'The request could not be counted against its budget in time. Try again.',
  {
    retryable: true,
  },
);

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
