/** An event's detail, of what the catalog and the event's actor say (wire contract 4). Pure. */

import type { Answers } from '@parterre/shared/answers';
import type { EventInspection } from '@parterre/shared/catalog/events';
import { eventMeta } from '@parterre/shared/event-meta';

export function eventDetail({ event, latest }: EventInspection, counted: Answers['count']) {
  const { counts, holdTtlMs, sectionStates, status, planHash } = counted;
  const behind = latest !== null && latest.planHash !== planHash;
  const isMutable = status === 'active' || status === 'closed';
  const isIdle = counts.held + counts.booked + counts.blocked === 0;
  return {
    meta: eventMeta(event, counted),
    counts,
    holdTtlMs,
    chartUpdate: { behind, canAutoUpdate: behind && isMutable && isIdle },
    sectionStates,
  };
}
