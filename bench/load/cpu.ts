/** CPU time by process, read from /proc. Without /proc (anything but Linux) nothing is reported. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';

/** Linux reports times in hundredths of a second, whatever its own tick. */
const ticksPerSecond = 100;

export const tellsCpu = existsSync('/proc/self/stat');

type Stat = { parent: number; ticks: number };

/** Seconds by name: the process, its ended children, and its living descendants. */
export function cpuSeconds(processes: Record<string, number>): Record<string, number> {
  if (!tellsCpu) return {};
  const stats = readAll();
  const ticks = Object.fromEntries(Object.keys(processes).map((name) => [name, 0]));
  const nameOf = new Map(Object.entries(processes).map(([name, pid]) => [pid, name]));
  for (const pid of stats.keys()) {
    let ancestor = pid;
    while (!nameOf.has(ancestor) && stats.has(ancestor)) ancestor = stats.get(ancestor)!.parent;
    const name = nameOf.get(ancestor);
    if (name !== undefined) ticks[name] = (ticks[name] ?? 0) + stats.get(pid)!.ticks;
  }
  return Object.fromEntries(Object.entries(ticks).map(([name, sum]) => [name, sum / ticksPerSecond]));
}

/** The CPU time between two readings. */
export function cpuBetween(before: Record<string, number>, after: Record<string, number>): Record<string, number> {
  return Object.fromEntries(Object.entries(after).map(([name, seconds]) => [name, seconds - (before[name] ?? 0)]));
}

function readAll(): Map<number, Stat> {
  const stats = new Map<number, Stat>();
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    try {
      const text = readFileSync(`/proc/${name}/stat`, 'utf8');
      // proc(5): the name in parentheses may hold anything; after it state, ppid, …, utime, stime, cutime, cstime.
      const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
      const ticks = [11, 12, 13, 14].reduce((sum, field) => sum + Number(fields[field]), 0);
      stats.set(Number(name), { parent: Number(fields[1]), ticks });
    } catch {
      // The process ended between the listing and the reading.
    }
  }
  return stats;
}
