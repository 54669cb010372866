/** The conditions for an event to go back on sale. Pure. The actor checks that the move is legal. */

import { categoryOf, type Plan } from '@parterre/shared/charts/plan';
import type { EventInspection } from '@parterre/shared/protocol/catalog/events';
import { done, type Issue, type Outcome, refuse } from '@parterre/shared/protocol/errors';

export function reopenGate({ event, organisation }: EventInspection, plan: Plan, now: number): Outcome<true> {
  const issues: Issue[] = [];
  if (event.endsAt !== null && event.endsAt <= now)
    issues.push({ path: 'endsAt', message: 'The event has ended. Change endsAt to a time in the future.' });
  if (!sellsAnything(plan))
    issues.push({
      path: 'chartId',
      message: 'The chart sells nothing. Publish a chart with seats for sale, and update the chart of the event.',
    });
  if (event.mode === 'live' && organisation.credits <= 0) {
    issues.push({
      path: 'mode',
      message: 'A live event needs a positive balance of credits. Ask the operator for credits.',
    });
  }
  if (issues.length === 0) return done(true);
  return refuse(
    'event_not_ready',
    'The event is not ready for sale. Mend the points that the issues list, and try again.',
    { details: { issues } },
  );
}

function sellsAnything(plan: Plan): boolean {
  for (let unit = 0; unit < plan.unitCount; unit++) if (!categoryOf(plan, unit).notForSale) return true;
  return false;
}
