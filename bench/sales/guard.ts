/**
 * The guard: compares a run with the recorded results, scenario by scenario. Pure.
 *
 * A process may cost as much as in the record's dearest turn, and a tenth more. The record's CPU is scaled by the
 * machine's factor: the median change of the baselines' CPU, as a busy or slower machine makes everything dearer. The
 * ratio to the bare echo may be as low as in the record's slowest turn, and a tenth lower. Offered sales are left out:
 * their load follows Redis, and CPU follows the load.
 *
 * An excess in one scenario alone is noise as often as not. It is reported, but only an excess in two fails the run.
 */
import { medianOf } from '../load/quantile.ts';
import type { ScenarioResult, Spread } from './figures.ts';
import { nameOf } from './passes.ts';
import type { Results } from './results.ts';
import { spreadText } from './tell.ts';

/** A figure outside its bound. `of` is a process of Parterre, or the ratio to echo. */
export type Excess = { of: string; scenario: string; now: number; recorded: Spread; bound: number; digits: number };

export type Comparison = { scenarios: number; machineFactor: number; excesses: Excess[] };

const tolerance = 0.1;
/** The system counts CPU in hundredths of a second. */
const tickMicros = 10_000;
const scenariosToFail = 2;
/** Outside this range, scaling is a guess: a busy machine also makes batches smaller, which costs Parterre most. */
const likeMachine = { min: 0.8, max: 1.25 };
const none: Spread = { median: 0, min: 0, max: 0 };

type Pair = { recorded: ScenarioResult; now: ScenarioResult };

export function compare(recorded: Pick<Results, 'scenarios'>, now: Pick<Results, 'scenarios'>): Comparison {
  const pairs = now.scenarios.flatMap((each): Pair[] => {
    const before = recorded.scenarios.find((other) => nameOf(other) === nameOf(each));
    return before && each.load !== 'offered sales' ? [{ recorded: before, now: each }] : [];
  });
  const machineFactor = machineFactorOf(pairs);
  const excesses = pairs.flatMap((pair) => [...dearProcesses(pair, machineFactor), ...lowRatio(pair)]);
  return { scenarios: pairs.length, machineFactor, excesses };
}

/** The report in lines, and whether the run fails. */
export function verdictOf({ scenarios, machineFactor, excesses }: Comparison): { lines: string[]; hasGrown: boolean } {
  if (scenarios === 0) return { lines: ['No scenario of this run is recorded.'], hasGrown: true };
  const names = [...new Set(excesses.map(({ of }) => of))];
  const grown = names.filter((name) => excesses.filter(({ of }) => of === name).length >= scenariosToFail);
  const lines = excesses.map((excess) => lineOf(excess, grown.includes(excess.of)));
  const compared = `${scenarios} scenarios compared; baselines take ${machineFactor.toFixed(2)} of their recorded CPU.`;
  const verdict = grown.length > 0 ? `Worse than recorded: ${grown.join(', ')}.` : 'Nothing is worse than recorded.';
  const isLike = machineFactor >= likeMachine.min && machineFactor <= likeMachine.max;
  const doubts = isLike ? [] : ['The machine is not as it was at the record. Repeat the run on a quiet machine.'];
  return { lines: [...lines, ...doubts, `${compared} ${verdict}`], hasGrown: grown.length > 0 };
}

function machineFactorOf(pairs: Pair[]): number {
  const factors = pairs.flatMap(({ recorded, now }) =>
    Object.entries(now.contenders)
      .filter(([name]) => !name.startsWith('parterre'))
      .flatMap(([name, { cpu }]) =>
        Object.entries(cpu).map(
          ([process, { median }]) => median / (recorded.contenders[name]?.cpu[process]?.median ?? 0),
        ),
      ),
  );
  const known = factors.filter(Number.isFinite);
  return known.length === 0 ? 1 : medianOf(known);
}

/** A process without a record is new, and has grown from nothing. */
function dearProcesses({ recorded, now }: Pair, machineFactor: number): Excess[] {
  const before = recorded.contenders[now.subject]!;
  const { cpu, successes } = now.contenders[now.subject]!;
  return Object.entries(cpu).flatMap(([process, { median }]) => {
    const known = before.cpu[process] ?? none;
    const bound = known.max * machineFactor * (1 + tolerance) + tickMicros / successes.median;
    if (median <= bound) return [];
    return [{ of: process, scenario: nameOf(now), now: median, recorded: known, bound, digits: 0 }];
  });
}

function lowRatio({ recorded, now }: Pair): Excess[] {
  const before = recorded.ratios.echo?.perSecond;
  const after = now.ratios.echo?.perSecond;
  if (!before || !after) return [];
  const bound = before.min * (1 - tolerance);
  if (after.median >= bound) return [];
  return [{ of: 'ratio to echo', scenario: nameOf(now), now: after.median, recorded: before, bound, digits: 3 }];
}

function lineOf({ of, scenario, now, recorded, bound, digits }: Excess, isGrown: boolean): string {
  const unit = of === 'ratio to echo' ? '' : ' µs a success';
  const figures = `${now.toFixed(digits)}${unit}, recorded ${spreadText(recorded, digits)}, bound ${bound.toFixed(digits)}`;
  return `${isGrown ? 'WORSE' : 'once '} ${of}: ${figures} (${scenario})`;
}
