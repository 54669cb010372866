/** The counts behind the metrics: durations in buckets, refusals, hot events, and callers over budget. */
import { Durations, RefusalCounts } from '@parterre/shared/runtime/measures';
import { expect, test } from 'vitest';
import { RefusedRequests } from '../../../services/frontdoor/src/admission/budgets.ts';
import { budgets } from '../../../services/frontdoor/src/admission/rules/budget.ts';
import { newActor } from '../../../services/inventory-shard/src/partition/actor.ts';
import { HotEvents, placesIn } from '../../../services/inventory-shard/src/partition/figures.ts';
import { ManualClock } from '../../support/manual-clock.ts';

test('durations stand in cumulative buckets of seconds, on their bound in the lower one', () => {
  const durations = new Durations([1, 50]);
  for (const ms of [0.2, 1, 1.5, 50, 900]) durations.note(ms);
  const samples = durations.samples('test_seconds', { route: '/a' });
  expect(samples.map(({ metricName, labels, value }) => [metricName, labels, value])).toEqual([
    ['test_seconds_bucket', { route: '/a', le: '0.001' }, 2],
    ['test_seconds_bucket', { route: '/a', le: '0.05' }, 4],
    ['test_seconds_bucket', { route: '/a', le: '+Inf' }, 5],
    ['test_seconds_sum', { route: '/a' }, 0.9527],
    ['test_seconds_count', { route: '/a' }, 5],
  ]);
});

test('refusals count by code and reason, and past 64 reasons of a code as other', () => {
  const refusals = new RefusalCounts();
  for (let reason = 0; reason < 70; reason++) refusals.note({ code: 'conflict', reason: `r${reason}` });
  refusals.note({ code: 'conflict', reason: 'r1' });
  refusals.note({ code: 'rate_limited' });
  const samples = [...refusals.samples({ route: '/a' })];
  expect(samples).toHaveLength(66);
  expect(samples).toContainEqual([{ route: '/a', code: 'conflict', reason: 'r1' }, 2]);
  expect(samples).toContainEqual([{ route: '/a', code: 'conflict', reason: 'other' }, 6]);
  expect(samples).toContainEqual([{ route: '/a', code: 'rate_limited', reason: '' }, 1]);
});

test('the hottest events come first, by their commands a second over the last minutes', () => {
  const clock = new ManualClock();
  const [gala, opera, quiet] = ['gala', 'opera', 'quiet'].map((event) => newActor(event));
  const hot = new HotEvents(clock, () => [gala!, opera!, quiet!]);
  gala!.commands = 600;
  clock.advance(60_000);
  expect(hot.rates(2)).toEqual([[{ event: 'gala' }, 10]]);
  clock.advance(60_000);
  opera!.commands = 1_200;
  gala!.commands += 60;
  expect(hot.rates(1)).toEqual([[{ event: 'opera' }, 20]]);
  // The event left memory, and was loaded again.
  opera!.commands = 120;
  expect(hot.rates(2)).toEqual([
    [{ event: 'opera' }, 2],
    [{ event: 'gala' }, 1],
  ]);
});

test('the places of a group are those that it holds, books and frees', () => {
  const by = { source: 'server', actor: null } as const;
  const lines = [{ unit: 1 }, { unit: 2 }] as never[];
  expect(placesIn([{ type: 'held', lines } as never, { type: 'booked', lines } as never])).toEqual({
    held: 2,
    booked: 2,
    freed: 0,
  });
  const units = [1, 2, 3];
  expect(placesIn([{ type: 'expired', holdId: 'hld_1', expiresAt: 1, units, kept: [3], by }])?.freed).toBe(2);
  expect(placesIn([{ type: 'status-set', status: 'closed', by }])).toBeNull();
});

test('the hundred callers that were over a budget last have a sample for each of their budgets', () => {
  const over = new RefusedRequests();
  for (let key = 0; key < 101; key++) over.noteCaller(budgets.serverCalls, `key_${key}`, 'org_1');
  over.noteCaller(budgets.serverCalls, 'key_1', 'org_1');
  over.noteCaller(budgets.manageSessions, '', 'org_2');
  const samples = [...over.byCaller()];
  expect(samples).toHaveLength(100);
  const { name } = budgets.serverCalls;
  expect(samples.at(-2)).toEqual([{ budget: name, organisation: 'org_1', key: 'key_1' }, 2]);
  expect(samples.at(-1)).toEqual([{ budget: budgets.manageSessions.name, organisation: 'org_2', key: '' }, 1]);
});
