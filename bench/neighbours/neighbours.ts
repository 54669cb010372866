/**
 * `npm run bench -- neighbours`: the price that a neighbour pays for an attack. Organisations share one Parterre, as
 * `npm start` runs it, with its request budgets on. The neighbour holds seats of its own event at a steady rate. Beside
 * it another organisation, a visitor of the demo or a stranger attacks, in a process of its own (attack-process.ts).
 *
 * A row tells the neighbour's holds during the attack, the CPU and the highest resident memory of each process, the
 * time from the attack's end until a second passes without a slow hold, and the generator's share of a core. The
 * generator runs on the cores that it measures, so its bytes come over a link of a gigabit.
 *
 * Bounds, past which the run ends with 1: the p99 of the holds is at most 50 ms, or three times the quiet one; no hold
 * fails; no process takes more than 1 GiB; the neighbour has recovered after a second. Pages load beside watchers,
 * logins succeed beside logins, and one visitor does not hold a house.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { endWith, readArguments } from '../arguments.ts';
import { cpuBetween, cpuSeconds, tellsCpu } from '../load/cpu.ts';
import { stillShare, untilStill } from '../load/idle.ts';
import type { AttackOrder, AttackReport } from './attack-process.ts';
import { attacks, type Beside, type NamedAttack } from './attacks.ts';
import { figuresOf, type HoldFigures, offerHolds, untilRecovered } from './neighbour-holds.ts';
import { type NeighbourWorld, openNeighbourWorld, peaksOf } from './neighbour-world.ts';

const options = readArguments({
  /** Attacks by the beginnings of their names, with commas between. */
  only: { type: 'string' },
  quick: { type: 'boolean', default: false },
  json: { type: 'string' },
  /** Another built checkout, whose services are attacked instead. */
  checkout: { type: 'string' },
});
const seconds = options.quick ? 5 : 10;
const perSecond = 20;
const warmUpSeconds = 5;
const leadMs = 500;
const recoveryWaitMsMax = 30_000;
const bounds = { p99Ms: 50, quietP99s: 3, peakMib: 1_024, recoveryMs: 1_000 };

type Row = {
  name: string;
  describes: string;
  holds: HoldFigures;
  /** During the attack, by process. */
  cpuMs: Record<string, number>;
  peakMib: Record<string, number>;
  /** Null for the quiet row. */
  recoveryMs: number | null;
  attack: AttackReport | null;
  beside: string;
  faults: string[];
};

async function main(): Promise<void> {
  if (!tellsCpu) endWith('this benchmark reads /proc, and runs on Linux only');
  const chosen = chosenAttacks(options.only);
  const world = await openNeighbourWorld(options.checkout && resolve(options.checkout));
  const rows: Row[] = [];
  try {
    console.log(`${cpus().length} cores, load ${loadavg()[0]!.toFixed(1)}, ${process.version}`);
    const still = await stillShare(world.processes());
    await measured(world, warmUpSeconds, still);
    rows.push(tell(await measured(world, seconds, still)));
    const slowMs = Math.max(bounds.p99Ms, bounds.quietP99s * rows[0]!.holds.p99Ms);
    for (const attack of chosen) {
      rows.push(tell(await measured(world, Math.max(seconds, attack.secondsMin ?? 0), still, attack, slowMs)));
    }
  } finally {
    await world.stop();
  }
  if (options.json) writeFileSync(options.json, `${JSON.stringify({ seconds, perSecond, bounds, rows }, null, 2)}\n`);
  const missed = rows.filter(({ faults }) => faults.length > 0);
  console.log(`\n${rows.length - missed.length} of ${rows.length} rows are within the bounds`);
  for (const { name, faults } of missed) console.log(`  ${name}: ${faults.join('; ')}`);
  if (missed.length > 0) process.exitCode = 1;
}

function chosenAttacks(only: string | undefined): readonly NamedAttack[] {
  if (only === undefined) return attacks;
  const beginnings = only.split(',').map((part) => part.trim());
  const unknown = beginnings.find((beginning) => !attacks.some(({ name }) => name.startsWith(beginning)));
  if (unknown !== undefined) {
    endWith(`there is no attack ${unknown}. There are: ${attacks.map(({ name }) => name).join(', ')}`);
  }
  return attacks.filter(({ name }) => beginnings.some((beginning) => name.startsWith(beginning)));
}

/** A row: the neighbour's holds alone, or beside an attack. */
async function measured(
  world: NeighbourWorld,
  length: number,
  still: number,
  named?: NamedAttack,
  slowMs = 0,
): Promise<Row> {
  const { port, neighbour } = world;
  const { eventKey, tokens, labels } = neighbour;
  const attack = named && startAttack({ port, seconds: length, attack: await named.attack(world) });
  await attack?.ready;
  const processes = world.processes();
  await untilStill(processes, still);
  const offered = offerHolds({ port, eventKey, tokens, labels, perSecond });
  await pause(leadMs);
  const peaks = peaksOf(processes);
  const cpuBefore = cpuSeconds(processes);
  const startedAt = performance.now();
  const besides = named?.beside?.(world, length) ?? nothingBeside;
  const report = attack ? await attack.run() : await pause(length * 1000, null);
  const endedAt = performance.now();
  const cpu = cpuBetween(cpuBefore, cpuSeconds(processes));
  const recovery = attack ? await untilRecovered(offered, endedAt, slowMs, recoveryWaitMsMax) : null;
  const beside = await besides;
  await offered.stop();
  const row = {
    name: named?.name ?? 'quiet',
    describes: named?.describes ?? 'the neighbour alone',
    holds: figuresOf(offered.holds, startedAt, endedAt),
    cpuMs: Object.fromEntries(Object.entries(cpu).map(([name, spent]) => [name, Math.round(spent * 1000)])),
    peakMib: peaks(),
    recoveryMs: recovery,
    attack: report,
    beside: beside.told,
  };
  return { ...row, faults: [...(named ? faultsOf(row, slowMs) : []), ...beside.faults] };
}

const nothingBeside: Beside = { told: '', faults: [] };

/** The process builds its bodies before `ready`, so that the measurement does not have to wait. */
function startAttack(order: AttackOrder) {
  const child = fork(join('dist', 'bench', 'neighbours', 'attack-process.js'), {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const ended = once(child, 'exit').then(() => Promise.reject(new Error("the attack's process ended")));
  ended.catch(() => {});
  const message = async <Message>(): Promise<Message> => {
    const [received] = (await Promise.race([once(child, 'message'), ended])) as [Message];
    return received;
  };
  child.send(order);
  return {
    ready: message<'ready'>(),
    async run(): Promise<AttackReport> {
      child.send('go');
      const report = await message<AttackReport>();
      child.disconnect();
      return report;
    },
  };
}

function faultsOf(row: Omit<Row, 'faults'>, p99MsMax: number): string[] {
  const faults: string[] = [];
  const { p99Ms, failed } = row.holds;
  if (p99Ms > p99MsMax) faults.push(`p99 ${p99Ms.toFixed(0)} ms, the bound is ${p99MsMax.toFixed(0)}`);
  if (failed > 0) faults.push(`${failed} holds failed`);
  for (const [name, mib] of Object.entries(row.peakMib)) {
    if (mib > bounds.peakMib) faults.push(`${name} took ${mib.toFixed(0)} MiB`);
  }
  if (row.recoveryMs !== null && row.recoveryMs > bounds.recoveryMs) {
    faults.push(`recovered after ${row.recoveryMs.toFixed(0)} ms`);
  }
  return faults;
}

function tell(row: Row): Row {
  const { p50Ms, p99Ms, longestMs, holds, failed } = row.holds;
  console.log(`\n${row.name}: ${row.describes}`);
  const recovered = row.recoveryMs === null ? '' : `, recovered after ${row.recoveryMs.toFixed(0)} ms`;
  console.log(
    `  neighbour: p50 ${p50Ms.toFixed(1)} ms, p99 ${p99Ms.toFixed(1)} ms, longest ${longestMs.toFixed(1)} ms, ` +
      `${failed} of ${holds} holds failed${recovered}`,
  );
  const list = (values: Record<string, number>): string =>
    Object.entries(values)
      .map(([name, value]) => `${name} ${Math.round(value)}`)
      .join(', ');
  console.log(`  CPU ms: ${list(row.cpuMs)}`);
  console.log(`  peak MiB: ${list(row.peakMib)}`);
  if (row.attack) {
    const share = (row.attack.cpuSeconds / row.attack.seconds) * 100;
    const answers = Object.entries(row.attack.answers).map(([answer, count]) => `${count} × ${answer}`);
    console.log(
      `  attack: ${answers.join(', ')} in ${row.attack.seconds.toFixed(1)} s; generator ${share.toFixed(0)} % of a core`,
    );
  }
  if (row.beside !== '') console.log(`  ${row.beside}`);
  for (const fault of row.faults) console.log(`  PAST ITS BOUND: ${fault}`);
  return row;
}

await main();
