/** An event's detail, from the facts of the catalog and of the event's actor. Pure. */

import type { Plan } from '@parterre/shared/charts/plan';
import { droppedScopes } from '@parterre/shared/charts/scopes';
import type { Answers } from '@parterre/shared/protocol/answers';
import type { EventInspection } from '@parterre/shared/protocol/catalog/events';
import { eventMeta } from '@parterre/shared/protocol/event-meta';

/** `latestPlan` is the plan of the latest chart, if the event needs it: see `needsLatestPlan`. */
export function eventDetail(
  { event, latest }: EventInspection,
  counted: Answers['count'],
  latestPlan: Plan | null = null,
) {
  const { counts, holdTtlMs, sectionStates, selectionRules = null, publicSale = null, ruledScopes = [] } = counted;
  const { status, planHash, privateUnits = 0, saleSettings = {} } = counted;
  // An event with its own chart has its own plan of the chart version that it names.
  const isLater = latest !== null && (counted.chartVersion === null || latest.chartVersion > counted.chartVersion);
  const behind = isLater && latest.planHash !== planHash;
  const isMutable = status === 'active' || status === 'closed';
  const keepsScopes = latestPlan === null || droppedScopes(latestPlan, ruledScopes, sectionStates).length === 0;
  const isIdle = counts.held + counts.booked + counts.blocked + privateUnits === 0;
  return {
    meta: eventMeta(event, counted),
    counts,
    holdTtlMs,
    chartUpdate: { behind, canAutoUpdate: behind && isMutable && isIdle && keepsScopes && !counted.adjusted },
    sectionStates,
    selectionRules,
    publicSale,
    salesStartAt: saleSettings.salesStartAt ?? null,
    salesEndAt: saleSettings.salesEndAt ?? null,
    companionsUntil: saleSettings.companionsUntil ?? null,
    buyerLimit: saleSettings.buyerLimit ?? null,
  };
}

/** Whether the divisions of the latest chart decide if the event takes this chart by itself. */
export function needsLatestPlan(counted: Answers['count']): boolean {
  return counted.ruledScopes !== undefined || Object.values(counted.sectionStates).some((state) => state !== 'open');
}
