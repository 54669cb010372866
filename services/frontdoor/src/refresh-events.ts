/**
 * After a publish: every event behind it that has nothing held, booked or blocked takes the new version by itself.
 *
 * States of an event: waiting → asked → refreshed, or needing an update. It needs one when its actor refuses, when its
 * owner does not answer in time, and when it was not asked before the publish had to answer. An actor that was asked and
 * not heard may still move: its event is then named as needing what it has, which update-chart answers with
 * `updated: false`.
 */
import type { CatalogOutput } from '@parterre/shared/catalog-api';
import type { Caller } from '@parterre/shared/commands';
import { chartRefreshDeadlineMs, chartRefreshesAtOnce } from '@parterre/shared/limits';
import type { Ports } from './ports.ts';

type Published = Pick<CatalogOutput<'charts.publish'>, 'version' | 'behind'>;

export async function refreshEvents(
  { shards, events, clock }: Ports,
  caller: Caller,
  newCallId: () => string,
  { version, behind }: Published,
): Promise<{ refreshed: string[]; needsUpdate: string[] }> {
  const deadlineAt = clock.elapsed() + chartRefreshDeadlineMs;
  const refreshed = new Set<string>();
  let next = 0;
  async function refreshNext(): Promise<void> {
    for (let event = behind[next++]; event; event = behind[next++]) {
      const leftMs = deadlineAt - clock.elapsed();
      if (leftMs <= 0) return;
      const command = { type: 'update-chart', callId: newCallId(), ...version, onlyIfIdle: true } as const;
      const answer = await shards.submit(event, caller, command, leftMs);
      if (!answer.ok) continue;
      events.drop(event.key);
      refreshed.add(event.key);
    }
  }
  await Promise.all(Array.from({ length: Math.min(chartRefreshesAtOnce, behind.length) }, refreshNext));
  const keys = behind.map(({ key }) => key);
  return {
    refreshed: keys.filter((key) => refreshed.has(key)),
    needsUpdate: keys.filter((key) => !refreshed.has(key)),
  };
}
