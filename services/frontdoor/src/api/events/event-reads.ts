/**
 * Reads events past the caches: the current record, and live counts of one event or of a page of events.
 *
 * A detail awaits the plan of the latest chart if the event hides or closes something. If that await fails, the detail
 * says that a publish will not move the event; a publish checks again itself. The commands for the counts of a page
 * leave in one event-loop turn, as one message for each partition. An owner that does not answer within
 * `listCountsDeadlineMs` leaves its events without counts, and delays nothing else.
 */
import type { Answers } from '@parterre/shared/answers';
import type { EventInspection, EventRecord } from '@parterre/shared/catalog/events';
import type { Scope } from '@parterre/shared/catalog/scope';
import type { Plan } from '@parterre/shared/chart/plan';
import type { Caller } from '@parterre/shared/commands';
import { done, type Outcome } from '@parterre/shared/errors';
import { eventMeta } from '@parterre/shared/event-meta';
import { listCountsDeadlineMs } from '@parterre/shared/limits';
import { unknownEvent } from '../../admission/admission.ts';
import type { Ports } from '../calls/calls.ts';
import { eventDetail, needsLatestPlan } from './event-detail.ts';

export function inspect(ports: Ports, scope: Scope, eventKey: string): Promise<Outcome<EventInspection>> {
  return ports.catalog('events.inspect', { scope, eventKey });
}

/** The whole detail. An event that its actor knows as deleted is `not_found`, even if a cache still has it. */
export async function detailOf(
  inspected: Outcome<EventInspection>,
  counted: Outcome<Answers['count']>,
  planNamed: (hash: string) => Promise<Outcome<Plan>>,
): Promise<Outcome<ReturnType<typeof eventDetail>>> {
  if (!inspected.ok) return inspected;
  if (!counted.ok) return counted;
  if (counted.value.status === 'deleted') return unknownEvent;
  const detail = eventDetail(inspected.value, counted.value);
  const { latest } = inspected.value;
  if (!latest || !detail.chartUpdate.canAutoUpdate || !needsLatestPlan(counted.value)) return done(detail);
  const plan = await planNamed(latest.planHash);
  if (plan.ok) return done(eventDetail(inspected.value, counted.value, plan.value));
  return done({ ...detail, chartUpdate: { ...detail.chartUpdate, canAutoUpdate: false } });
}

export async function withCounts(
  { shards, clock }: Ports,
  caller: Caller,
  events: readonly EventRecord[],
  deadlineAt: number,
) {
  const countsBy = Math.min(deadlineAt, clock.elapsed() + listCountsDeadlineMs);
  const listed = await Promise.all(
    events.map(async (event) => {
      const counted = await shards.submit(event, caller, { type: 'count' }, countsBy);
      if (!counted.ok) return eventMeta(event);
      return { ...eventMeta(event, counted.value), counts: counted.value.counts };
    }),
  );
  return listed.filter(({ status }) => status !== 'deleted');
}
