import { categorySeats, compilePlan } from '@parterre/shared/charts/compile';
import type { ChartDocument } from '@parterre/shared/charts/document';
import { publishIssues } from '@parterre/shared/charts/publish-issues';
import { chartBodyBytesMax } from '@parterre/shared/protocol/limits';
import { describe, expect, it } from 'vitest';
import { bowl, demoTheatre, theatreAndArena } from '../../../scripts/generate-charts.mjs';

/** Far above the bowl's time (under 100 ms on two shared cores), so that only a different order of growth fails. */
const compileMsMax = 1_500;

describe.each([
  ['bowl', bowl, 100_000],
  ['theatre and arena', theatreAndArena, 20_000],
  ['demo theatre', demoTheatre, 118],
] as [string, () => ChartDocument, number][])('the generated %s', (_, make, places) => {
  it('can be published and has its number of places', () => {
    const document = make();
    expect(publishIssues(document)).toEqual([]);
    expect(compilePlan(document, 'hash').unitCount).toBe(places);
  });

  it('is the same every time and fits a request', () => {
    const json = JSON.stringify(make());
    expect(JSON.stringify(make())).toBe(json);
    expect(json.length).toBeLessThan(chartBodyBytesMax);
  });
});

it('the bowl fills 200 sections alike in eight zones and five categories', () => {
  const plan = compilePlan(bowl(), 'hash');
  const seats = new Map<string, number>();
  const zones = new Map<string | null, number>();
  for (const { section, zoneId, unitCount } of plan.objects) {
    const { id } = plan.sections[section]!;
    seats.set(id, (seats.get(id) ?? 0) + unitCount);
    zones.set(zoneId, (zones.get(zoneId) ?? 0) + unitCount);
  }
  expect([seats.size, new Set(seats.values())]).toEqual([200, new Set([500])]);
  expect([zones.size, new Set(zones.values())]).toEqual([8, new Set([12_500])]);
  expect(Object.values(categorySeats(plan))).toEqual([20_000, 20_000, 20_000, 20_000, 20_000]);
});

it('the theatre and arena sells every kind of object', () => {
  const plan = compilePlan(theatreAndArena(), 'hash');
  expect(new Set(plan.objects.map(({ type, bookingMode }) => `${type} ${bookingMode}`))).toEqual(
    new Set([
      'row individual',
      'table individual',
      'table whole',
      'table variable',
      'booth individual',
      'gaArea individual',
    ]),
  );
  expect(plan.accessibilityOfUnit.some((bits) => bits !== 0)).toBe(true);
});

it('a hundred thousand seats compile in a moment', ({ annotate }) => {
  const document = bowl();
  // CPU time of one core, whatever else the machine does.
  const before = process.cpuUsage();
  compilePlan(document, 'hash');
  const { user, system } = process.cpuUsage(before);
  const tookMs = (user + system) / 1_000;
  expect(tookMs).toBeLessThan(compileMsMax);
  return annotate(`compiled 100,000 seats in ${tookMs.toFixed(0)} ms`).then(() => undefined);
});
