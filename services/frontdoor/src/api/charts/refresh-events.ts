/**
 * After a publish: every event behind it that has nothing held, booked, blocked or assigned to a channel takes the new version by itself.
 *
 * States of an event: waiting → asked → refreshed, or needing an update. It needs one when its actor refuses, when its
 * owner does not answer in time, and when it was not asked before the publish had to answer. A front door asks few at
 * once, of all publishes together: they would only wait for each other at their owners, before sales. An actor that was asked and
 * not heard may still move: its event is then named as needing what it has, which update-chart answers with
 * `updated: false`.
 */
import type { CatalogOutput } from '@parterre/shared/catalog-api';
import type { Caller } from '@parterre/shared/commands';
import { chartRefreshDeadlineMs, chartRefreshOfEventMs } from '@parterre/shared/limits';
import type { Ports } from '../../ports.ts';

type Published = Pick<CatalogOutput<'charts.publish'>, 'version' | 'behind'>;

export async function refreshEvents(
  { shards, events, clock, chartRefreshes }: Ports,
  caller: Caller,
  newCallId: () => string,
  { version, behind }: Published,
): Promise<{ refreshed: string[]; needsUpdate: string[] }> {
  const deadlineAt = clock.elapsed() + chartRefreshDeadlineMs;
  const refreshed = new Set<string>();
  async function refresh(event: Published['behind'][number]): Promise<void> {
    const leftMs = deadlineAt - clock.elapsed();
    if (leftMs <= 0) return;
    const command = { type: 'update-chart', callId: newCallId(), ...version, onlyIfIdle: true } as const;
    const answer = await shards.submit(event, caller, command, Math.min(leftMs, chartRefreshOfEventMs));
    if (!answer.ok) return;
    events.drop(event.key);
    refreshed.add(event.key);
  }
  await Promise.all(behind.map((event) => chartRefreshes(() => refresh(event))));
  const keys = behind.map(({ key }) => key);
  return {
    refreshed: keys.filter((key) => refreshed.has(key)),
    needsUpdate: keys.filter((key) => !refreshed.has(key)),
  };
}
