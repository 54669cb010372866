import { expect, test } from 'vitest';
import { type Rehearsal, rehearsalReport, type Sample } from '../../../scripts/rehearse/rules/report.ts';

const samples = (step: string, count: number, code: string | null = null): Sample[] =>
  Array.from({ length: count }, (_, index) => ({ step, ms: index + 1, code }));

const run: Rehearsal = {
  seconds: 10,
  buyers: 5,
  samples: [...samples('book', 20), ...samples('hold', 100), ...samples('hold', 30, 'conflict')],
  frames: 7,
  members: [
    { process: 'frontdoor a/1', share: 0.4 },
    { process: 'catalog a/2', share: 0.1 },
  ],
  own: 0.2,
};

test('The report has the times of each step in the order of a sale, and the refusals by code', () => {
  const report = rehearsalReport(run);
  expect(report).toMatchObject({ holds: 100, bookings: 20, releases: 0, holdsASecond: 10 });
  expect(report.steps).toEqual([
    { step: 'hold', calls: 130, p50Ms: 50, p99Ms: 99, maxMs: 100, refused: 30 },
    { step: 'book', calls: 20, p50Ms: 10, p99Ms: 20, maxMs: 20, refused: 0 },
  ]);
  expect(report.refusals).toEqual([{ step: 'hold', code: 'conflict', count: 30 }]);
  expect(report.processors[0]).toEqual({ process: 'frontdoor a/1', core: '40 %' });
});

test.each<[string, Partial<Rehearsal>, string]>([
  ['nothing', {}, 'none was reached: the busiest process is frontdoor a/1, with 40 % of a core.'],
  ['a busy process', { members: [{ process: 'shard a/3', share: 0.97 }] }, 'shard a/3, with 97 % of a core.'],
  ['the simulation', { own: 0.9 }, 'this command, with 90 % of a core: the deployment can do more than this.'],
  [
    'a budget',
    { samples: [...run.samples, ...samples('hold', 40, 'rate_limited')] },
    'hold is refused with rate_limited (40 of 190 calls): see docs/errors.md.',
  ],
  ['unknown processors', { members: [] }, 'not known: no member tells its processor time.'],
])('The bottleneck is %s', (_name, more, words) => {
  expect(rehearsalReport({ ...run, ...more }).bottleneck).toBe(words);
});
