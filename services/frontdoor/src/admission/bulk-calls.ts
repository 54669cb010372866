/**
 * Calls that name many labels. A call of 50,000 labels takes tens of milliseconds of a front door and of a shard. So
 * its labels count in the budget of its organisation (`labels`), under every credential of the organisation. Then the
 * call waits for its turn: an organisation has one such call at a time at a front door, and organisations take turns. A
 * call of at most `labelsUncountedMax` labels pays nothing: a sale has a few comparisons here.
 *
 * A buyer's call is not counted. It has budgets of its address, and at most `labelsPerSaleMax` labels. A visitor with
 * the page's key must not use up the budget of the organisation's staff.
 *
 * States of a call: counting → waiting → under way, from a new turn of the loop on → over. A call that waits at its
 * deadline leaves the queue.
 *
 * Failure at each await: the owner of the budget does not answer by the deadline → `shard_unavailable`. The turn does
 * not come by the deadline, or too many calls of the organisation wait → `overloaded`. The call did nothing, but may
 * have been counted.
 */

import type { Outcome } from '@parterre/shared/protocol/errors';
import { labelsUncountedMax } from '@parterre/shared/protocol/limits';
import { pause } from '@parterre/shared/runtime/clock';
import type { Answer } from '../answers/answers.ts';
import { overBudget } from './charging.ts';
import { type Asker, accountOf } from './principal.ts';
import type { AdmissionPorts, Lease, Request } from './route.ts';
import { budgets as table } from './rules/budget.ts';

/** The labels that count: 0 for a call that pays nothing. */
export function countedLabels(labels: number, asker: Asker): number {
  return labels <= labelsUncountedMax || accountOf(asker) === null ? 0 : labels;
}

/**
 * Counts the labels of an account, and waits for the turn of the call. The refusal, or the turn, which the caller ends.
 */
export async function turnOfLabels(
  { clock, budgets, bulkLimiter }: Pick<AdmissionPorts, 'clock' | 'budgets' | 'bulkLimiter'>,
  request: Request,
  asker: Asker,
  labels: number,
): Promise<Outcome<Lease> | Answer> {
  const refused = budgets && (await overBudget(budgets, table.labels, request, asker, labels));
  if (refused) return refused;
  const turn = await bulkLimiter.acquire(accountOf(asker)!, null, request.deadlineAt);
  // The reading of the body and the call itself are two turns of the loop.
  await pause(clock, 0);
  return turn;
}
