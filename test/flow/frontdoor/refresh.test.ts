/** Events behind a publish: the ones that take the new version, and how long a publish waits for them. */
import type { Command } from '@parterre/shared/protocol/commands';
import { done, refuse } from '@parterre/shared/protocol/errors';
import { chartRefreshDeadlineMs, chartRefreshesAtOnce, chartRefreshOfEventMs } from '@parterre/shared/protocol/limits';
import { createPartyLimiter } from '@parterre/shared/runtime/limiter';
import { expect, it } from 'vitest';
import { refreshEvents } from '../../../services/frontdoor/src/api/charts.ts';
import { ManualClock } from '../../support/manual-clock.ts';

const caller = { source: 'server', actor: 'key', accessSource: 'public' } as const;
const publisherOf = (organisationId: string) => ({ caller, organisationId, deadlineAt: Number.POSITIVE_INFINITY });
const version = { planHash: 'next', chartVersion: 2 };
const behindOf = (count: number) => Array.from({ length: count }, (_, at) => ({ key: `e${at}`, region: 'africa' }));

type RefreshCommand = { key: string; organisationId: string; command: Command; deadlineMs: number };

/** A front door with publishes of this many events. `answer` answers each event. */
async function refreshAll(
  counts: number[],
  answer: (asked: RefreshCommand, clock: ManualClock) => Promise<boolean> | boolean,
) {
  const clock = new ManualClock();
  const asked: RefreshCommand[] = [];
  const dropped: string[] = [];
  const ports = {
    clock,
    chartRefreshes: createPartyLimiter(chartRefreshesAtOnce),
    events: { drop: (key: string) => void dropped.push(key) },
    shards: {
      async submit(
        { key, organisationId }: { key: string; organisationId: string },
        _caller: unknown,
        command: Command,
        deadlineAt: number,
      ) {
        const one = { key, organisationId, command, deadlineMs: deadlineAt - clock.elapsed() };
        asked.push(one);
        return (await answer(one, clock)) ? done({ updated: true }) : refuse('conflict', 'In use.');
      },
    },
  };
  let calls = 0;
  const told = await Promise.all(
    counts.map((count, at) => {
      const publisher = publisherOf(`org_${at}`);
      return refreshEvents(ports as never, publisher, () => `call-${++calls}`, {
        version,
        behind: behindOf(count),
        chartId: 'cht_1',
      });
    }),
  );
  return { told, asked, dropped };
}

/** One publish. */
async function refresh(count: number, answer: Parameters<typeof refreshAll>[1]) {
  const { told, ...more } = await refreshAll([count], answer);
  return { ...told[0]!, ...more };
}

it('names the events that took it and the events that did not, and drops the former from its cache', async () => {
  const { refreshed, needsUpdate, asked, dropped } = await refresh(4, ({ key }) => key === 'e1' || key === 'e2');
  expect({ refreshed, needsUpdate }).toEqual({ refreshed: ['e1', 'e2'], needsUpdate: ['e0', 'e3'] });
  expect(dropped.sort()).toEqual(['e1', 'e2']);
  expect(asked[0]!.command).toEqual({
    type: 'update-chart',
    callId: 'call-1',
    ...version,
    chartId: 'cht_1',
    fromChart: 'cht_1',
    onlyIfIdle: true,
  });
});

it('asks a bounded number of events at once, over all publishes together', async () => {
  let underWay = 0;
  let most = 0;
  const counts = [chartRefreshesAtOnce * 2 + 5, 3];
  const { told } = await refreshAll(counts, async () => {
    most = Math.max(most, ++underWay);
    await new Promise((resolve) => setImmediate(resolve));
    underWay--;
    return true;
  });
  expect(told.map(({ refreshed }) => refreshed.length)).toEqual(counts);
  expect(most).toBe(chartRefreshesAtOnce);
});

it('waits for all events no longer than its deadline, and for one event no longer than its share', async () => {
  const { refreshed, needsUpdate, asked } = await refresh(chartRefreshesAtOnce + 10, ({ key }, clock) => {
    if (key === 'e0') clock.advance(chartRefreshDeadlineMs - 100);
    if (key === `e${chartRefreshesAtOnce}`) clock.advance(100);
    return true;
  });
  expect(asked[0]!.deadlineMs).toBe(chartRefreshOfEventMs);
  expect(Math.min(...asked.map(({ deadlineMs }) => deadlineMs))).toBe(100);
  expect(asked.length).toBeLessThan(chartRefreshesAtOnce + 10);
  expect(refreshed).toHaveLength(asked.length);
  expect(needsUpdate).toHaveLength(chartRefreshesAtOnce + 10 - asked.length);
});

it('does nothing if no event is behind', async () => {
  expect(await refresh(0, () => true)).toEqual({ refreshed: [], needsUpdate: [], asked: [], dropped: [] });
});

it('lets organisations take turns: the many events of one publish do not keep another publish waiting', async () => {
  const { asked } = await refreshAll([chartRefreshesAtOnce * 10, 3], async () => {
    await new Promise((resolve) => setImmediate(resolve));
    return true;
  });
  const lastOfSmall = asked.findLastIndex(({ organisationId }) => organisationId === 'org_1');
  expect(lastOfSmall).toBeLessThan(chartRefreshesAtOnce * 2);
});
