/**
 * `npm run bench -- door`: the CPU of the front door alone for one answer, in front of a stand-in for the shard. Each
 * work runs at 64 and 256 connections. With `--beside <folder>` (a copy of dist/bench/door of another build) two builds
 * take turns, and the median of the ratios compares them: a busy machine slows both.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { join } from 'node:path';
import { readArguments } from '../arguments.ts';
import { medianOf } from '../load/quantile.ts';
import { eventKey, eventsMax } from './door-world.ts';

const options = readArguments({
  beside: { type: 'string' },
  only: { type: 'string' },
  rounds: { type: 'string', default: '9' },
  seconds: { type: 'string', default: '1' },
  connections: { type: 'string', default: '64,256' },
  'cpu-prof': { type: 'boolean', default: false },
});
const rounds = Number(options.rounds);
const roundMs = Number(options.seconds) * 1_000;
const lowerQuartile = 0.25;

type Work = { status: number; requestsTo(key: string): string[]; events?: number; budgets?: 'on' };

const sale = (key: string): string[] => [
  post(key, 'hold', { labels: ['A-1'] }),
  post(key, 'book', { holdId: 'hld_12345678901234567890', bookingRef: 'order-1' }),
];

/** Each connection sends the requests of a work in turn, to one event. */
const works: Record<string, Work> = {
  sale: { status: 200, requestsTo: sale },
  'sale on 64 events': { status: 200, requestsTo: sale, events: eventsMax },
  'counted sale': { status: 200, requestsTo: sale, budgets: 'on' },
  refused: { status: 409, requestsTo: (key) => [post(key, 'hold', { labels: ['X-1'] })] },
  'refused here': { status: 409, requestsTo: (key) => [post(key, 'hold', { labels: ['Y-1'] })] },
  invalid: { status: 422, requestsTo: (key) => [post(key, 'hold', { labels: [], ttlMs: 'long' })] },
  'no route': { status: 404, requestsTo: () => ['GET /nowhere HTTP/1.1\r\nHost: bench\r\n\r\n'] },
};

function post(key: string, action: string, body: unknown): string {
  const text = JSON.stringify(body);
  return (
    `POST /v1/events/${key}/${action} HTTP/1.1\r\nHost: bench\r\n` +
    `Authorization: Bearer sk_test_0123456789abcdef\r\nContent-Type: application/json\r\n` +
    `Content-Length: ${text.length}\r\n\r\n${text}`
  );
}

type Door = { build: string; child: ChildProcess; port: number; costs: number[] };

async function startDoor(folder: string, address: string, { budgets = 'off' as string } = {}): Promise<Door> {
  const execArgv = ['--min-semi-space-size=16', '--max-semi-space-size=32', '--no-allocation-site-pretenuring'];
  if (options['cpu-prof']) execArgv.push('--cpu-prof', '--cpu-prof-dir=dist/profiles');
  // The name of an abstract socket begins with a zero byte, which no argument may have.
  const child = fork(join(folder, 'door-front.js'), [encodeURIComponent(address), budgets], { execArgv });
  const ended = once(child, 'exit').then(() => Promise.reject(new Error(`${folder} holds no front door that starts.`)));
  const [{ port }] = (await Promise.race([once(child, 'message'), ended])) as [{ port: number }];
  ended.catch(() => {});
  return { build: folder, child, port, costs: [] };
}

async function cpuOf({ child }: Door): Promise<number> {
  child.send('cpu');
  const [{ cpu }] = (await once(child, 'message')) as [{ cpu: NodeJS.CpuUsage }];
  return cpu.user + cpu.system;
}

/** Microseconds of CPU an answer. */
async function measure(door: Door, work: Work, connections: number): Promise<number> {
  const until = performance.now() + roundMs;
  const before = await cpuOf(door);
  const { events = 1, requestsTo, status } = work;
  const answers = await Promise.all(
    Array.from({ length: connections }, (_, nth) => ask(door.port, status, requestsTo(eventKey(nth % events)), until)),
  );
  return ((await cpuOf(door)) - before) / answers.reduce((sum, count) => sum + count, 0);
}

/** One request under way. Answers are small, so each comes in one piece. Resolves with their number. */
function ask(port: number, status: number, requests: readonly string[], until: number): Promise<number> {
  return new Promise((resolve, reject) => {
    let answers = 0;
    const send = (): unknown => socket.write(requests[answers % requests.length]!, 'latin1');
    const callback = (bytes: number, buffer: Uint8Array): boolean => {
      const head = (buffer as Buffer).toString('latin1', 0, 12);
      if (head !== `HTTP/1.1 ${status}`) reject(new Error((buffer as Buffer).toString('latin1', 0, bytes)));
      answers++;
      if (performance.now() < until) send();
      else {
        socket.destroy();
        resolve(answers);
      }
      return true;
    };
    const onread = { buffer: Buffer.allocUnsafe(16 * 1024), callback };
    const socket = connect({ port, host: '127.0.0.1', noDelay: true, onread });
    socket.once('connect', send);
    socket.once('error', reject);
  });
}

function quartileOf(costs: number[]): number {
  return [...costs].sort((a, b) => a - b)[Math.floor(costs.length * lowerQuartile)]!;
}

/** The first round of each door is its warm-up. */
async function compare(name: string, work: Work, doors: Door[], connections: number): Promise<void> {
  for (const door of doors) await measure(door, work, connections);
  for (let round = 0; round < rounds; round++) {
    for (const door of round % 2 === 0 ? doors : [...doors].reverse()) {
      door.costs.push(await measure(door, work, connections));
    }
  }
  const [here, beside] = doors;
  const told = doors.map(({ build, costs }) => `${quartileOf(costs).toFixed(1)} µs (${build})`).join(', ');
  const ratio = beside ? `, ratio ${medianOf(here!.costs.map((cost, n) => cost / beside.costs[n]!)).toFixed(3)}` : '';
  console.log(`${`${name}, ${connections} connections:`.padEnd(36)} ${told}${ratio}`);
  for (const door of doors) door.costs = [];
}

const folders = [join('dist', 'bench', 'door'), ...(options.beside ? [options.beside] : [])];
const shard = fork(join('dist', 'bench', 'door', 'door-shard.js'));
const [{ address }] = (await once(shard, 'message')) as [{ address: string }];
const chosen = options.only?.split(',') ?? Object.keys(works);
for (const [name, work] of Object.entries(works)) {
  if (!chosen.some((each) => name.startsWith(each))) continue;
  const doors: Door[] = [];
  for (const folder of folders) doors.push(await startDoor(folder, address, work));
  for (const connections of options.connections.split(',')) await compare(name, work, doors, Number(connections));
  for (const { child } of doors) child.disconnect();
}
shard.disconnect();
