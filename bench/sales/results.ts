/** The results of a run, as they are recorded: they name neither the machine nor its folders. */
import { cpus, totalmem } from 'node:os';
import type { ScenarioResult } from './figures.ts';
import type { RaceSettings, Report } from './race.ts';

export type Results = {
  /** The day of the run, in UTC. */
  date: string;
  machine: { cores: number; cpu: string; memoryGiB: number };
  /** Of Node, nats-server, and the baselines' databases. */
  versions: Record<string, string>;
  settings: Pick<RaceSettings, 'pairs' | 'seconds' | 'cluster'>;
  /** The contenders that were not measured. */
  missing: string[];
  scenarios: ScenarioResult[];
};

export function resultsOf(report: Report, { pairs, seconds, cluster }: RaceSettings, natsVersion: string): Results {
  return {
    date: new Date().toISOString().slice(0, 10),
    machine: { cores: cpus().length, cpu: cpus()[0]?.model ?? 'unknown', memoryGiB: Math.round(totalmem() / 2 ** 30) },
    versions: { node: process.version.slice(1), 'nats-server': natsVersion, ...report.versions },
    settings: { pairs, seconds, cluster },
    missing: Object.keys(report.missing),
    scenarios: report.scenarios.map(({ rounds: _, ...result }) => result),
  };
}

/** A spread stands on one line. Four digits say more than a repetition would keep. */
export function jsonOf(value: unknown): string {
  const rounded = (_: string, each: unknown) => (typeof each === 'number' ? Number(each.toPrecision(4)) : each);
  const text = JSON.stringify(value, rounded, 2);
  return `${text.replace(/\{\s+("median": [^,]+,)\s+("min": [^,]+,)\s+("max": [^\s]+)\s+\}/g, '{ $1 $2 $3 }')}\n`;
}
