/**
 * Measures the turns of a shard's event loop from inside its process: `bench/shard/turns.ts` loads this file into the
 * shard (`NODE_OPTIONS=--import`). A timer fires every millisecond. The time between two firings is a turn. Its CPU is
 * the CPU of the loop's own thread in this time, in Linux's `schedstat`: other threads of the process do not count. A
 * CPU profile names the work of long turns.
 *
 * SIGUSR2 ends a measurement: its report goes to the file `TURN_PROBE-<pid>.json`, and the next measurement begins.
 */
import { openSync, readSync, renameSync, writeFileSync } from 'node:fs';
import { type Profiler, Session } from 'node:inspector';

export type LongTurn = { wallMs: number; cpuMs: number; work: string };
export type TurnReport = { turns: number; wallMs: number[]; cpuMs: number[]; longest: LongTurn[] };

/** The shares of turns that a report tells: p50, p99, p99.99, the longest. */
export const shares = [0.5, 0.99, 0.9999, 1];

type Turn = { from: number; to: number; cpuMs: number };

const lookMs = 1;
const longTurnMs = 5;
const longestKept = 8;
const sampleMicros = 500;
const session = new Session();
const schedstat = openSync(`/proc/self/task/${process.pid}/schedstat`, 'r');
const text = Buffer.alloc(64);
let turns: Turn[] = [];
let lookedAt = micros();
let cpuThen = threadCpuMs();

function micros(): number {
  return Number(process.hrtime.bigint() / 1000n);
}

/** The first number of the file is the time on a processor, in nanoseconds. */
function threadCpuMs(): number {
  const length = readSync(schedstat, text, 0, text.length, 0);
  return Number.parseInt(text.toString('latin1', 0, length), 10) / 1e6;
}

function look(): void {
  const now = micros();
  const cpuNow = threadCpuMs();
  turns.push({ from: lookedAt, to: now, cpuMs: cpuNow - cpuThen });
  cpuThen = cpuNow;
  lookedAt = now;
}

function report({ profile }: Profiler.StopReturnType): TurnReport {
  const cpu = turns.map(({ cpuMs }) => cpuMs).sort((a, b) => a - b);
  const wall = turns.map(({ from, to }) => (to - from) / 1000).sort((a, b) => a - b);
  const at = (sorted: number[]) => (share: number) =>
    sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;
  const long = turns.filter(({ cpuMs }) => cpuMs >= longTurnMs).sort((a, b) => b.cpuMs - a.cpuMs);
  const longest = long.slice(0, longestKept).map((turn) => ({
    wallMs: (turn.to - turn.from) / 1000,
    cpuMs: turn.cpuMs,
    work: workOf(profile, turn),
  }));
  return { turns: turns.length, wallMs: shares.map(at(wall)), cpuMs: shares.map(at(cpu)), longest };
}

/** The functions of the shard in which most samples of the turn lie: from the outermost to the innermost. */
function workOf({ nodes, samples = [], timeDeltas = [], startTime }: Profiler.Profile, { from, to }: Turn): string {
  const nodeOf = new Map(nodes.map((node) => [node.id, node]));
  const parentOf = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id] as const)));
  const counts = new Map<string, number>();
  let at = startTime;
  for (const [i, sample] of samples.entries()) {
    at += timeDeltas[i]!;
    if (at < from || at > to) continue;
    const path: string[] = [];
    const leaf = nodeOf.get(sample)!.callFrame;
    for (let id: number | undefined = sample; id !== undefined; id = parentOf.get(id)) {
      const { functionName, url } = nodeOf.get(id)!.callFrame;
      const isOurs = url.includes('/dist/') || functionName === '(garbage collector)';
      if (isOurs && functionName !== '') path.unshift(functionName);
    }
    if (path.length === 0 || !leaf.url.includes('/dist/')) path.push(leaf.functionName);
    const name = path.length > 4 ? [...path.slice(0, 2), '…', ...path.slice(-2)].join(' > ') : path.join(' > ');
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  const [first] = [...counts].sort(([, a], [, b]) => b - a);
  return first?.[0] || 'outside of our functions';
}

/** The start of a profile is slow, and is no turn of the shard's. */
function begin(): void {
  session.post('Profiler.start');
  turns = [];
  lookedAt = micros();
  cpuThen = threadCpuMs();
}

session.connect();
session.post('Profiler.enable');
session.post('Profiler.setSamplingInterval', { interval: sampleMicros });
begin();
setInterval(look, lookMs).unref();
process.on('SIGUSR2', () => {
  session.post('Profiler.stop', (error, result) => {
    if (error) throw error;
    const file = `${process.env.TURN_PROBE}-${process.pid}.json`;
    const told = JSON.stringify(report(result));
    begin();
    writeFileSync(`${file}.part`, told);
    renameSync(`${file}.part`, file);
  });
});
