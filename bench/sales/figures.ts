/** The figures of all rounds of a scenario, as medians with their spread. Pure. */
import { medianOf } from '../load/quantile.ts';
import type { Scenario } from './passes.ts';
import type { Figures } from './round.ts';

export type Spread = { median: number; min: number; max: number };

/** Times in milliseconds, CPU in microseconds a success. */
export type Summary = {
  successes: Spread;
  perSecond: Spread;
  p50Ms: Spread;
  p99Ms: Spread;
  /** By process, in the order of the contender. */
  cpu: Record<string, Spread>;
  /** All processes together. */
  cpuOfAll: Spread;
  generatorCpu: Spread;
  /** The generator's share of a core. */
  generatorShare: Spread;
};

/** The subject's figure divided by the other's, in each turn. */
export type Ratios = { perSecond: Spread; p99: Spread; cpuOfAll: Spread };

export type ScenarioResult = Omit<Scenario, 'others'> & {
  /** The load of offered sales; null otherwise. */
  offeredPerSecond: number | null;
  contenders: Record<string, Summary>;
  /** By the name of the other contender. */
  ratios: Record<string, Ratios>;
};

export type Rounds = Record<string, Figures[]>;

export function resultOf(
  { load, durability, events, connections, subject }: Scenario,
  offeredPerSecond: number | null,
  rounds: Rounds,
): ScenarioResult {
  const contenders = Object.fromEntries(Object.entries(rounds).map(([name, each]) => [name, summaryOf(each)]));
  const others = Object.entries(rounds).filter(([name]) => name !== subject);
  const ratios = Object.fromEntries(others.map(([name, each]) => [name, ratiosOf(rounds[subject]!, each)]));
  return { load, durability, events, connections, subject, offeredPerSecond, contenders, ratios };
}

export function spreadOf(values: number[]): Spread {
  return { median: medianOf(values), min: Math.min(...values), max: Math.max(...values) };
}

function summaryOf(rounds: Figures[]): Summary {
  const of = (figure: (figures: Figures) => number): Spread => spreadOf(rounds.map(figure));
  const processes = Object.keys(rounds[0]!.cpuMicrosPerSuccess);
  return {
    successes: of(({ successes }) => successes),
    perSecond: of(({ perSecond }) => perSecond),
    p50Ms: of(({ p50Ms }) => p50Ms),
    p99Ms: of(({ p99Ms }) => p99Ms),
    cpu: Object.fromEntries(processes.map((name) => [name, of((figures) => figures.cpuMicrosPerSuccess[name]!)])),
    cpuOfAll: of(cpuOfAll),
    generatorCpu: of(({ generatorMicrosPerSuccess }) => generatorMicrosPerSuccess),
    generatorShare: of(({ generatorShare }) => generatorShare),
  };
}

function ratiosOf(subject: Figures[], other: Figures[]): Ratios {
  const of = (figure: (figures: Figures) => number): Spread =>
    spreadOf(subject.map((figures, turn) => figure(figures) / figure(other[turn]!)));
  return { perSecond: of(({ perSecond }) => perSecond), p99: of(({ p99Ms }) => p99Ms), cpuOfAll: of(cpuOfAll) };
}

function cpuOfAll({ cpuMicrosPerSuccess }: Figures): number {
  return Object.values(cpuMicrosPerSuccess).reduce((sum, micros) => sum + micros, 0);
}
