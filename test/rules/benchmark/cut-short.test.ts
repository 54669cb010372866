/** A run of the benchmark that is cut short, and a contender without a success. */
import { expect, test, vi } from 'vitest';
import { type Rounds, resultOf } from '../../../bench/sales/figures.ts';
import type { Pass, Scenario } from '../../../bench/sales/passes.ts';
import { keepScenario, type Report, runAll } from '../../../bench/sales/race.ts';
import { resultsOf } from '../../../bench/sales/results.ts';
import { pageOf } from '../../../bench/sales/results-page.ts';
import { type Figures, isHalfSold } from '../../../bench/sales/round.ts';
import { always } from './results.ts';

vi.spyOn(console, 'log').mockImplementation(() => {});

const figures = (perSecond: number): Figures => ({
  successes: perSecond,
  seconds: 1,
  perSecond,
  p50Ms: 1,
  p99Ms: 2,
  cpuMicrosPerSuccess: { server: 10 },
  generatorMicrosPerSuccess: 12,
  generatorShare: 0.2,
  workedOnMs: 300,
});
const scenario: Scenario = {
  load: 'sales',
  durability: 'relaxed',
  events: 64,
  connections: 256,
  subject: 'parterre',
  others: ['echo', 'redis-everysec'],
};
const emptyReport = (): Report => ({ missing: {}, versions: {}, scenarios: [] });
const settings = { pairs: 2, seconds: 1, cluster: false, labels: ['A-1'] };

test('a turn without a success counts for neither side of a ratio', () => {
  const rounds: Rounds = {
    parterre: [figures(100), figures(300), null],
    echo: [null, figures(600), figures(900)],
  };
  const { contenders, ratios } = resultOf(scenario, null, rounds);
  expect(contenders.parterre!.perSecond).toEqual({ median: 300, min: 100, max: 300 });
  expect(contenders.echo!.perSecond).toEqual({ median: 900, min: 600, max: 900 });
  expect(ratios.echo!.perSecond).toEqual(always(0.5));
});

test('a contender without any success is missing, and the scenario keeps the others', () => {
  const report = emptyReport();
  const rounds: Rounds = { parterre: [figures(100)], echo: [null], 'redis-everysec': [figures(50)] };
  keepScenario(scenario, null, rounds, report);
  expect(report.missing).toEqual({
    'echo in sales, 64 events, 256 connections, sync 2m': 'no success in any turn',
  });
  expect(Object.keys(report.scenarios[0]!.ratios)).toEqual(['redis-everysec']);
  expect(pageOf(resultsOf(report, settings, '2.14.3'))).not.toContain('NaN');
});

test('a scenario whose subject has no success is missing whole', () => {
  const report = emptyReport();
  keepScenario(scenario, null, { parterre: [null], echo: [figures(1)] }, report);
  expect(report.scenarios).toEqual([]);
  expect(Object.keys(report.missing)).toEqual(['parterre in sales, 64 events, 256 connections, sync 2m']);
});

test.each([
  ['a failing scenario', new Error('the load on port 1 failed')],
  ['a signal', new Error('SIGINT came')],
])('%s cuts the run short, and the report keeps the finished scenarios', async (_name, failure) => {
  const report = emptyReport();
  const passes = ['relaxed', 'always', 'relaxed'].map(
    (durability) => ({ durability, contenders: [], scenarios: [] }) as unknown as Pass,
  );
  const run = vi.fn(async ({ durability }: Pass) => {
    if (durability === 'always') throw failure;
    keepScenario(scenario, null, { parterre: [figures(100)], echo: [figures(200)] }, report);
  });
  expect(await runAll(passes, run, report)).toBe(failure);
  expect(run).toHaveBeenCalledTimes(2);
  expect(report.scenarios).toHaveLength(1);
  expect(report.missing).toEqual({ 'the rest of the run': `the run was cut short: ${failure.message}` });
  expect(pageOf(resultsOf(report, settings, '2.14.3'))).toContain('| Not measured | the rest of the run |');
});

test('events whose seats are half sold are replaced, long before a round finds none', () => {
  const seats = { events: ['a', 'b'], labels: ['1', '2', '3'], next: 2 };
  expect(isHalfSold(seats)).toBe(false);
  expect(isHalfSold({ ...seats, next: 3 })).toBe(true);
});
