/** The benchmark's results: ratios by turn, the page for readers, and the choice of baselines. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { resultOf } from '../../../bench/sales/figures.ts';
import { type Pass, passesOf } from '../../../bench/sales/passes.ts';
import { withExtract } from '../../../bench/sales/record.ts';
import { jsonOf } from '../../../bench/sales/results.ts';
import { extractOf, pageOf } from '../../../bench/sales/results-page.ts';
import type { Figures } from '../../../bench/sales/round.ts';
import { root } from '../../../scripts/launch/root.ts';
import { always, resultsWith, scenarioWith } from './results.ts';

const figures = (perSecond: number, cpu: Record<string, number>): Figures => ({
  successes: perSecond,
  seconds: 1,
  perSecond,
  p50Ms: 1,
  p99Ms: 2,
  cpuMicrosPerSuccess: cpu,
  generatorMicrosPerSuccess: 12,
  generatorShare: 0.2,
  workedOnMs: 300,
});

test('a ratio is the median over the turns, each beside the turn next to it', () => {
  const scenario = { load: 'sales', durability: 'relaxed', events: 1, connections: 64 } as const;
  const turns = (rates: number[], cpu: Record<string, number>) => rates.map((rate) => figures(rate, cpu));
  const { contenders, ratios } = resultOf({ ...scenario, subject: 'parterre', others: ['echo'] }, null, {
    parterre: turns([100, 300, 90], { frontdoor: 30, nats: 10 }),
    echo: turns([1_000, 1_000, 300], { echo: 10 }),
  });
  expect(ratios.echo).toMatchObject({ perSecond: { median: 0.3, min: 0.1, max: 0.3 }, cpuOfAll: always(4) });
  expect(contenders.parterre).toMatchObject({
    perSecond: { median: 100, min: 90, max: 300 },
    cpu: { frontdoor: always(30), nats: always(10) },
    cpuOfAll: always(40),
  });
});

describe('the page of results', () => {
  test('has the machine, the ratios and the CPU by process', () => {
    const page = pageOf(resultsWith([scenarioWith({ frontdoor: { median: 50, min: 45, max: 60 } })]));
    expect(page).toContain('| Machine | 2 cores, A processor, 8 GiB of memory |');
    expect(page).toContain('| Versions | node 20.19.0, nats-server 2.14.3, redis 7.0.15 |');
    expect(page).toContain('| Load | Parterre, a second | ÷ echo | CPU ÷ echo |');
    expect(page).toContain('| 1 event, 64 connections, sync 2m | 50 (45..60) | 20 (20..20) |');
  });

  test('has the ratios to both fronts of Redis side by side', () => {
    const ratioOf = (perSecond: number) => ({ perSecond: always(perSecond), p99: always(1), cpuOfAll: always(1) });
    const ratios = { 'redis-uws-everysec': ratioOf(0.7), 'redis-everysec': ratioOf(1.4) };
    const page = pageOf(resultsWith([scenarioWith({ frontdoor: always(50) }, { ratios })]));
    expect(page).toContain('| Load | Parterre, a second | ÷ redis-everysec | ÷ redis-uws-everysec |');
    expect(page).toContain('| 1.40 (1.40..1.40) | 0.70 (0.70..0.70) |');
  });

  test('has no section without a scenario', () => {
    const headings = (page: string) => [...page.matchAll(/^## (.*)$/gm)].map(([, heading]) => heading);
    const cpu = { frontdoor: always(50) };
    expect(headings(pageOf(resultsWith([scenarioWith(cpu)])))).toEqual(['Sales', 'CPU', 'All contenders']);
    const offered = scenarioWith(cpu, { load: 'offered sales', offeredPerSecond: 8_000 });
    expect(headings(pageOf(resultsWith([offered])))).toEqual(['Latency at equal load', 'All contenders']);
  });
});

test('the README quotes the medians of the ratios', () => {
  const redis = { perSecond: { median: 1.4, min: 1.2, max: 1.5 }, p99: always(0.9), cpuOfAll: always(2) };
  const uws = { ...redis, perSecond: always(0.7) };
  const sales = scenarioWith({}, { connections: 256, ratios: { 'redis-everysec': redis, 'redis-uws-everysec': uws } });
  const offered = scenarioWith({}, { load: 'offered sales', events: 64, ratios: { 'redis-everysec': redis } });
  const rows = extractOf(resultsWith([sales, offered])).split('\n');
  expect(rows[2]).toMatch(
    /^\| Holds and bookings a second .*; behind uWebSockets\.js \| {2}\| 1\.40; 0\.70 \| {2}\| {2}\|$/,
  );
  expect(rows[4]).toBe('| p99 at equal load, half of the rate of Redis ÷ Redis (`everysec`) |  |  | 0.90 |  |');
  const readme = withExtract(readFileSync(join(root, 'README.md'), 'utf8'), 'another table');
  expect(readme).toContain('<!-- sales:start -->\nanother table\n<!-- sales:end -->\n\n|');
});

test('the recorded figures read back, rounded to four digits, with a spread on one line', () => {
  const text = jsonOf({ rate: { median: 12_345.678, min: 0.123456, max: 20_000 } });
  expect(text).toContain('"rate": { "median": 12350, "min": 0.1235, "max": 20000 }');
  expect(JSON.parse(text)).toEqual({ rate: { median: 12_350, min: 0.1235, max: 20_000 } });
});

describe('--only', () => {
  const passes = (only?: string, leftOut: string[] = []): Pass[] => {
    const chosen = passesOf(only, leftOut);
    return 'fault' in chosen ? [] : chosen.passes;
  };

  test('leaves out scenarios that need other baselines', () => {
    const loads = passes('echo').flatMap(({ scenarios }) => scenarios.map(({ load }) => load));
    expect(new Set(loads)).toEqual(new Set(['sales', 'refusals']));
    expect(passes('parterre-budgets').map(({ contenders }) => contenders)).toEqual([['parterre-budgets', 'parterre']]);
  });

  test('includes a baseline that a quick run leaves out', () => {
    const names = (only?: string) => passes(only, ['postgres']).flatMap(({ contenders }) => contenders);
    expect(names()).not.toContain('postgres');
    expect(names('postgres')).toEqual(['parterre', 'postgres']);
  });

  test('has both fronts of Redis, each beside the NATS that syncs as seldom', () => {
    const chosen = passes('redis-uws-everysec,redis-uws-always');
    expect(chosen.map(({ durability, contenders }) => [durability, contenders])).toEqual([
      ['relaxed', ['parterre', 'redis-uws-everysec']],
      ['always', ['parterre', 'redis-uws-always']],
    ]);
  });

  test('names the baselines that there are', () => {
    expect(passesOf('echo,mysql', [])).toMatchObject({
      fault: expect.stringMatching(/^--only has no mysql\. It has: echo, /),
    });
  });
});
