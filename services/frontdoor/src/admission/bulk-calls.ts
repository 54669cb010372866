/**
 * Calls that name many labels. Such a call takes tens of milliseconds of a front door and of a shard, so it counts its
 * labels in the budget of its organisation (`labels`), whoever of the organisation makes it. A call of at most
 * `labelsUncountedMax` labels pays nothing: a sale has a few comparisons here.
 *
 * A buyer's call is not counted. It has budgets of its address, and at most `labelsPerSaleMax` labels. A visitor with the
 * page's key must not use up the budget of the organisation's staff.
 *
 * Failure at the await: the owner of the budget does not answer by the deadline → `shard_unavailable`, and the call did
 * nothing.
 */
import type { Outcome } from '@parterre/shared/errors';
import { labelsUncountedMax } from '@parterre/shared/limits';
import type { Answer } from '../answers/answers.ts';
import { budgets as table } from './budget.ts';
import { overBudget } from './charging.ts';
import type { Asker } from './principal.ts';
import type { AdmissionPorts, Request } from './route.ts';

/** The labels that count: 0 for a call that pays nothing. */
export function countedLabels(labels: number, asker: Asker): number {
  return labels <= labelsUncountedMax || !isOfAccount(asker) ? 0 : labels;
}

function isOfAccount(asker: Asker): boolean {
  if (asker === null || asker === true) return false;
  switch (asker.kind) {
    case 'secret':
    case 'dashboard':
    case 'manage':
    case 'designer':
      return true;
    case 'publishable':
    case 'buyer':
    case 'owner-buyer':
      return false;
  }
}

/** Counts the labels. The refusal if the budget has no room for them; null if the call may go on. */
export async function overLabels(
  { budgets }: Pick<AdmissionPorts, 'budgets'>,
  request: Request,
  asker: Asker,
  labels: number,
): Promise<Outcome<never> | Answer | null> {
  return budgets && overBudget(budgets, table.labels, request, asker, labels);
}
