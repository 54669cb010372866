/** The benchmark's figures as lines for people. */
import { medianOf } from '../load/http-load.ts';
import type { Figures } from './round.ts';

export function tellRound(name: string, { perSecond, p50Ms, p99Ms, generatorShare }: Figures): void {
  console.log(`  ${latencies(name, perSecond, p50Ms, p99Ms)}  load ${(generatorShare * 100).toFixed(0)} % of a core`);
}

/** Medians over the rounds, CPU by process, and Parterre's ratio to each baseline. */
export function tellScenario(rounds: Record<string, Figures[]>, ratios: Record<string, number>): void {
  console.log('median:');
  for (const [name, each] of Object.entries(rounds)) {
    const median = (of: (figures: Figures) => number): number => medianOf(each.map(of));
    const of = ratios[name] === undefined ? '' : `  Parterre does ${ratios[name].toFixed(2)} of it`;
    const speed = median(({ perSecond }) => perSecond);
    console.log(
      `  ${latencies(
        name,
        speed,
        median(({ p50Ms }) => p50Ms),
        median(({ p99Ms }) => p99Ms),
      )}${of}`,
    );
    const processes = Object.keys(each[0]!.cpuMicrosPerSuccess);
    const cpu = processes.map(
      (process) => `${process} ${median((figures) => figures.cpuMicrosPerSuccess[process]!).toFixed(0)}`,
    );
    const load = median(({ generatorMicrosPerSuccess }) => generatorMicrosPerSuccess).toFixed(0);
    console.log(`    µs of CPU a success: ${[...cpu, `load generator ${load}`].join(', ')}`);
  }
}

function latencies(name: string, perSecond: number, p50Ms: number, p99Ms: number): string {
  const speed = `${perSecond.toFixed(0).padStart(7)}/s`;
  return `${name.padEnd(15)} ${speed}  p50 ${p50Ms.toFixed(2).padStart(6)} ms  p99 ${p99Ms.toFixed(2).padStart(6)} ms`;
}
