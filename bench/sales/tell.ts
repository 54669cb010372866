/** The benchmark's figures as lines for people. */
import type { ScenarioResult, Spread, Summary } from './figures.ts';
import type { Figures } from './round.ts';

export function tellRound(name: string, figures: Figures | null): void {
  if (figures === null) {
    console.log(`  ${name.padEnd(18)} no success`);
    return;
  }
  const { perSecond, p50Ms, p99Ms, generatorShare } = figures;
  console.log(`  ${latencies(name, perSecond, p50Ms, p99Ms)}  load ${(generatorShare * 100).toFixed(0)} % of a core`);
}

/** Medians over the rounds, CPU by process, and the subject's ratios to each other contender. */
export function tellScenario({ load, subject, contenders, ratios }: ScenarioResult): void {
  console.log('median:');
  for (const [name, summary] of Object.entries(contenders)) {
    const { perSecond, p50Ms, p99Ms, generatorCpu } = summary;
    const ratio = ratios[name];
    const which = load === 'offered sales' ? 'p99' : 'rate';
    const told = ratio && spreadText(load === 'offered sales' ? ratio.p99 : ratio.perSecond, 2);
    const of = told === undefined ? '' : `  ${which} of ${subject} ÷ ${name}: ${told}`;
    console.log(`  ${latencies(name, perSecond.median, p50Ms.median, p99Ms.median)}${of}`);
    console.log(`    µs of CPU a success: ${cpuText(summary)}, load generator ${generatorCpu.median.toFixed(0)}`);
  }
}

/** `1.04 (0.98..1.12)`: the median with the least and the greatest value. */
export function spreadText({ median, min, max }: Spread, digits: number): string {
  return `${median.toFixed(digits)} (${min.toFixed(digits)}..${max.toFixed(digits)})`;
}

function cpuText({ cpu, cpuOfAll }: Summary): string {
  const processes = Object.entries(cpu).map(([name, { median }]) => `${name} ${median.toFixed(0)}`);
  return [...processes, `all ${cpuOfAll.median.toFixed(0)}`].join(', ');
}

function latencies(name: string, perSecond: number, p50Ms: number, p99Ms: number): string {
  const speed = `${perSecond.toFixed(0).padStart(7)}/s`;
  return `${name.padEnd(18)} ${speed}  p50 ${p50Ms.toFixed(2).padStart(6)} ms  p99 ${p99Ms.toFixed(2).padStart(6)} ms`;
}
