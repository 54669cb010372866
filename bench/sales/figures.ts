/**
 * The figures of all rounds of a scenario, as medians with their spread. Pure.
 *
 * A turn in which a contender had no success counts for neither side of a ratio. A contender without a success in any
 * turn has no figures and no ratio, and the report names it as missing.
 */
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

/** By contender, a turn each. Null is a turn without a success. */
export type Rounds = Record<string, (Figures | null)[]>;

export function resultOf(
  { load, durability, events, connections, subject }: Scenario,
  offeredPerSecond: number | null,
  rounds: Rounds,
): ScenarioResult {
  const contenders: Record<string, Summary> = {};
  const ratios: Record<string, Ratios> = {};
  for (const [name, turns] of Object.entries(rounds)) {
    const measured = turns.filter((figures) => figures !== null);
    if (measured.length > 0) contenders[name] = summaryOf(measured);
    const pairs = name === subject ? [] : pairsOf(rounds[subject]!, turns);
    if (pairs.length > 0) ratios[name] = ratiosOf(pairs);
  }
  return { load, durability, events, connections, subject, offeredPerSecond, contenders, ratios };
}

/** The names of the contenders without a success in any turn. */
export function withoutSuccess(rounds: Rounds): string[] {
  return Object.keys(rounds).filter((name) => rounds[name]!.every((figures) => figures === null));
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

type Pair = { subject: Figures; other: Figures };

/** The turns in which both had a success. */
function pairsOf(subjects: (Figures | null)[], others: (Figures | null)[]): Pair[] {
  return subjects.flatMap((subject, turn) => {
    const other = others[turn] ?? null;
    return subject === null || other === null ? [] : [{ subject, other }];
  });
}

function ratiosOf(pairs: Pair[]): Ratios {
  const of = (figure: (figures: Figures) => number): Spread =>
    spreadOf(pairs.map(({ subject, other }) => figure(subject) / figure(other)));
  return { perSecond: of(({ perSecond }) => perSecond), p99: of(({ p99Ms }) => p99Ms), cpuOfAll: of(cpuOfAll) };
}

function cpuOfAll({ cpuMicrosPerSuccess }: Figures): number {
  return Object.values(cpuMicrosPerSuccess).reduce((sum, micros) => sum + micros, 0);
}
