/**
 * `npm run bench -- links`: the cost of a message between two event loops, there and back. One side is this process,
 * the other a process of its own (`socket`, as front door and shard today) or a thread. A message carries 1 to 64
 * frames of 200 bytes, as a batch does. The ways take turns, and the least cost of the rounds counts: a busy machine
 * only adds.
 *
 * `copy` and `transfer` are messages of worker_threads. `ring` is shared memory, where a message wakes a sleeping side.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { readArguments } from '../arguments.ts';
import { quantile } from '../load/quantile.ts';
import { type Channel, listenAt, overPort, overRings, type WayName, type WorkerSide, wayNames } from './channels.ts';
import { newRing } from './ring.ts';

const options = readArguments({
  rounds: { type: 'string', default: '7' },
  seconds: { type: 'string', default: '0.5' },
});
const frameBytes = 200;
const peerProgram = join(process.cwd(), 'dist', 'bench', 'links', 'link-peer.js');

type Way = { name: WayName; channel: Channel; cpuMicros(): Promise<number>; end(): void };
type Round = { micros: number; p50: number; p99: number };

function openThread(name: WayName): Way {
  const toWorker = newRing();
  const fromWorker = newRing();
  const worker = new Worker(peerProgram, { workerData: { way: name, toWorker, fromWorker } satisfies WorkerSide });
  const channel = name === 'ring' ? overRings(worker, toWorker, fromWorker) : overPort(worker, name === 'transfer');
  return { name, channel, cpuMicros: async () => sum(process.cpuUsage()), end: () => void worker.terminate() };
}

async function openProcess(): Promise<Way> {
  const name = `parterre-bench-links-${process.pid}`;
  const opened = listenAt(name);
  const child = fork(peerProgram, [name]);
  const cpuMicros = async (): Promise<number> => {
    child.send('cpu');
    const [used] = (await once(child, 'message')) as [NodeJS.CpuUsage];
    return sum(process.cpuUsage()) + sum(used);
  };
  return { name: 'socket', channel: await opened, cpuMicros, end: () => void child.kill() };
}

const sum = ({ user, system }: NodeJS.CpuUsage): number => user + system;

/** Keeps `inFlight` messages under way. */
async function measure({ channel, cpuMicros }: Way, frames: number, inFlight: number): Promise<Round> {
  const times: number[] = [];
  const sentAt: number[] = [];
  const before = await cpuMicros();
  const until = performance.now() + Number(options.seconds) * 1_000;
  await new Promise<void>((resolve) => {
    let underWay = inFlight;
    const send = (): void => {
      sentAt.push(performance.now());
      channel.send(new Uint8Array(frames * frameBytes).fill(frames));
    };
    heard.set(channel, () => {
      const now = performance.now();
      times.push(now - sentAt.shift()!);
      if (now < until) send();
      else if (--underWay === 0) resolve();
    });
    for (let count = 0; count < inFlight; count++) send();
  });
  const micros = ((await cpuMicros()) - before) / times.length;
  const sorted = times.sort((a, b) => a - b);
  return { micros, p50: quantile(sorted, 0.5) * 1_000, p99: quantile(sorted, 0.99) * 1_000 };
}

async function compare(frames: number, inFlight: number): Promise<void> {
  const rounds = new Map<Way, Round[]>(ways.map((way) => [way, []]));
  for (let round = 0; round < Number(options.rounds); round++) {
    for (const way of ways) rounds.get(way)!.push(await measure(way, frames, inFlight));
  }
  for (const [{ name }, of] of rounds) {
    const least = (pick: (round: Round) => number): number => Math.min(...of.map(pick));
    const micros = least((round) => round.micros);
    const figures = [micros, micros / frames, least((round) => round.p50), least((round) => round.p99)];
    const [cpu, perFrame, p50, p99] = figures.map((figure) => figure.toFixed(1).padStart(9));
    console.log(
      `${inFlight}`.padStart(9),
      `${frames}`.padStart(7),
      '',
      name.padEnd(14),
      cpu!.padStart(16),
      perFrame,
      p50,
      p99,
    );
  }
}

const heard = new Map<Channel, () => void>();
const ways = [await openProcess(), ...wayNames.slice(1).map(openThread)];
for (const { channel } of ways) channel.hear(() => heard.get(channel)!());
for (const way of ways) await measure(way, 4, 1);
console.log('in flight  frames  way            CPU µs a message  a frame    p50 µs    p99 µs');
for (const inFlight of [1, 4]) for (const frames of [1, 4, 16, 64]) await compare(frames, inFlight);
for (const way of ways) way.end();
process.exit();
