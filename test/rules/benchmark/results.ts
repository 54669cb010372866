/** Recorded results for tests: one scenario or more, with the same figure in all turns unless a spread is given. */
import type { ScenarioResult, Spread, Summary } from '../../../bench/sales/figures.ts';
import type { Results } from '../../../bench/sales/results.ts';

export const always = (value: number): Spread => ({ median: value, min: value, max: value });

export function summaryWith(cpu: Record<string, Spread>, perSecond = always(10_000)): Summary {
  const successes = perSecond;
  const latencies = { p50Ms: always(2), p99Ms: always(9) };
  return {
    successes,
    perSecond,
    ...latencies,
    cpu,
    cpuOfAll: always(20),
    generatorCpu: always(12),
    generatorShare: always(0.2),
  };
}

export function scenarioWith(
  cpu: Record<string, Spread>,
  changes: Partial<ScenarioResult> & { ratioToEcho?: Spread; echoCpu?: number } = {},
): ScenarioResult {
  const { ratioToEcho = always(0.25), echoCpu = 10, ...rest } = changes;
  return {
    load: 'sales',
    durability: 'relaxed',
    events: 1,
    connections: 64,
    subject: 'parterre',
    offeredPerSecond: null,
    contenders: { parterre: summaryWith(cpu), echo: summaryWith({ echo: always(echoCpu) }) },
    ratios: { echo: { perSecond: ratioToEcho, p99: always(2), cpuOfAll: always(4) } },
    ...rest,
  };
}

export function resultsWith(scenarios: ScenarioResult[]): Results {
  return {
    date: '2026-01-31',
    machine: { cores: 2, cpu: 'A processor', memoryGiB: 8 },
    versions: { node: '20.19.0', 'nats-server': '2.14.3', redis: '7.0.15' },
    settings: { pairs: 5, seconds: 2.5, cluster: false },
    missing: [],
    scenarios,
  };
}
