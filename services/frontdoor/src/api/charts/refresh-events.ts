/**
 * After a publish, each event on an older version takes the new version by itself if none of its units is held, booked,
 * blocked or assigned to a channel.
 *
 * States of an event: waiting → asked → refreshed, or needing an update. An event needs an update if its actor refuses,
 * if its owner does not answer in time, or if it was not asked before the publish had to answer. A front door asks only
 * a few events at once, for all publishes together: more commands would only wait for each other at the owners, ahead
 * of sales. Organisations take turns, so the many events of one chart delay another organisation's publish by little. An actor whose answer is lost may still move its event. The publish then names the event as needing an
 * update, and update-chart answers `updated: false`.
 */
import type { CatalogOutput } from '@parterre/shared/catalog-api';
import type { Caller } from '@parterre/shared/commands';
import { chartRefreshDeadlineMs, chartRefreshOfEventMs } from '@parterre/shared/limits';
import type { Ports } from '../calls/calls.ts';

type Published = Pick<CatalogOutput<'charts.publish'>, 'version' | 'behind'>;

/** The caller of the publish, its tenant, and the deadline of its request in `Clock.elapsed`. */
type Publisher = { caller: Caller; organisationId: string; deadlineAt: number };

export async function refreshEvents(
  { shards, events, clock, chartRefreshes }: Ports,
  { caller, organisationId, deadlineAt: requestEndsAt }: Publisher,
  newCallId: () => string,
  { version, behind }: Published,
): Promise<{ refreshed: string[]; needsUpdate: string[] }> {
  const deadlineAt = Math.min(requestEndsAt, clock.elapsed() + chartRefreshDeadlineMs);
  const refreshed = new Set<string>();
  async function refresh(event: Published['behind'][number]): Promise<void> {
    const now = clock.elapsed();
    if (now >= deadlineAt) return;
    const command = { type: 'update-chart', callId: newCallId(), ...version, onlyIfIdle: true } as const;
    const refreshBy = Math.min(deadlineAt, now + chartRefreshOfEventMs);
    const answer = await shards.submit({ ...event, organisationId }, caller, command, refreshBy);
    if (!answer.ok) return;
    events.drop(event.key);
    refreshed.add(event.key);
  }
  await Promise.all(behind.map((event) => chartRefreshes(organisationId, () => refresh(event))));
  const keys = behind.map(({ key }) => key);
  return {
    refreshed: keys.filter((key) => refreshed.has(key)),
    needsUpdate: keys.filter((key) => !refreshed.has(key)),
  };
}
