/** The benchmark's guard names the process that takes more CPU than its recorded turns, on this machine today. */
import { describe, expect, test } from 'vitest';
import type { ScenarioResult } from '../../../bench/sales/figures.ts';
import { compare, verdictOf } from '../../../bench/sales/guard.ts';
import { always, resultsWith, scenarioWith, summaryWith } from './results.ts';

const recordedCpu = { frontdoor: { median: 50, min: 45, max: 60 }, nats: always(10) };
const twice = (make: (connections: number) => ScenarioResult) => resultsWith([64, 256].map(make));
const recorded = twice((connections) => scenarioWith(recordedCpu, { connections }));

function verdict(now: (connections: number) => ScenarioResult) {
  return verdictOf(compare(recorded, twice(now)));
}

describe('CPU by process', () => {
  test('may be as high as in the dearest recorded turn, and a tenth and a tick higher', () => {
    // 60 × 1.1, and a tick of 10 ms in 10,000 successes.
    const at = (micros: number) => (connections: number) =>
      scenarioWith({ frontdoor: always(micros), nats: always(10) }, { connections });
    expect(verdict(at(66.9)).hasGrown).toBe(false);
    expect(verdict(at(67.1)).hasGrown).toBe(true);
  });

  test('names the process that grew, with its figures and scenarios', () => {
    const { lines } = verdict((connections) =>
      scenarioWith({ frontdoor: always(80), nats: always(10) }, { connections }),
    );
    expect(lines[0]).toBe(
      'WORSE frontdoor: 80 µs a success, recorded 50 (45..60), bound 67 (sales, 1 event, 64 connections, sync 2m)',
    );
    expect(lines.at(-1)).toMatch(/^2 scenarios compared.* Worse than recorded: frontdoor\.$/);
  });

  test('in one scenario alone is reported, and fails no run', () => {
    const { lines, hasGrown } = verdict((connections) =>
      scenarioWith({ frontdoor: always(connections === 64 ? 80 : 50), nats: always(10) }, { connections }),
    );
    expect(hasGrown).toBe(false);
    expect(lines[0]).toMatch(/^once {2}frontdoor: 80 µs/);
  });

  test('of a process without a record has grown from nothing', () => {
    const { hasGrown, lines } = verdict((connections) =>
      scenarioWith({ ...recordedCpu, cache: always(5) }, { connections }),
    );
    expect(hasGrown).toBe(true);
    expect(lines[0]).toMatch(/^WORSE cache: 5 µs a success, recorded 0/);
  });

  test('is compared with the record of a machine as slow as today', () => {
    const slow = (echoCpu: number) => (connections: number) =>
      scenarioWith({ frontdoor: always(100), nats: always(20) }, { connections, echoCpu });
    expect(compare(recorded, twice(slow(20))).machineFactor).toBe(2);
    expect(verdict(slow(20)).hasGrown).toBe(false);
    expect(verdict(slow(20)).lines).toContainEqual(expect.stringMatching(/Repeat the run on a quiet machine/));
    expect(verdict(slow(10)).lines).not.toContainEqual(expect.stringMatching(/Repeat the run/));
    expect(verdict(slow(10)).hasGrown).toBe(true);
  });
});

test('the ratio to echo may be as low as in the slowest recorded turn, and a tenth lower', () => {
  const spread = { median: 0.25, min: 0.2, max: 0.3 };
  const before = twice((connections) => scenarioWith(recordedCpu, { connections, ratioToEcho: spread }));
  const now = (ratio: number) =>
    twice((connections) => scenarioWith(recordedCpu, { connections, ratioToEcho: always(ratio) }));
  expect(compare(before, now(0.181)).excesses).toEqual([]);
  const { lines, hasGrown } = verdictOf(compare(before, now(0.179)));
  expect(hasGrown).toBe(true);
  expect(lines[0]).toMatch(/^WORSE ratio to echo: 0\.179, recorded 0\.250 \(0\.200\.\.0\.300\), bound 0\.180 /);
});

test('offered sales are not compared, since their load follows Redis', () => {
  const offered = (cpu: number) => resultsWith([scenarioWith({ frontdoor: always(cpu) }, { load: 'offered sales' })]);
  expect(compare(offered(10), offered(100))).toMatchObject({ scenarios: 0, excesses: [] });
});

test('a run without a recorded scenario fails', () => {
  const other = resultsWith([scenarioWith(recordedCpu, { events: 64 })]);
  expect(verdictOf(compare(recorded, other))).toEqual({
    lines: ['No scenario of this run is recorded.'],
    hasGrown: true,
  });
});

test('a machine that tells no CPU is compared by ratios alone', () => {
  const silent = (ratio: number) =>
    twice((connections) => {
      const contenders = { parterre: summaryWith({}), echo: summaryWith({}) };
      return scenarioWith({}, { connections, contenders, ratioToEcho: always(ratio) });
    });
  expect(verdictOf(compare(recorded, silent(0.25))).hasGrown).toBe(false);
  expect(verdictOf(compare(recorded, silent(0.1))).hasGrown).toBe(true);
});
