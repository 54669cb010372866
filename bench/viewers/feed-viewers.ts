/**
 * Viewers in a process of their own, as cheap as possible: a socket each. A viewer reads the version of a text frame
 * and notes the time. The changes of a frame are read once for all viewers that take the same step from one version to
 * the next.
 *
 * States of a viewer: asking (for a ticket) → upgrading → open. A lost viewer does not come back, and fails the run.
 */
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

export type ViewersOrder =
  /** `path` is the socket's. `tickets`, when given, is the address of tickets. Arrivals are spread over `overMs`. */
  | { order: 'arrive'; count: number; port: number; path: string; tickets?: TicketSource; overMs: number }
  /** The changes and their times, by the writers' clock, which is this machine's. */
  | { order: 'tell'; changes: Change[] }
  | { order: 'leave' };
type TicketSource = { path: string; token: string; origin: string };
export type Change = { label: string; sentAt: number; answeredAt: number };

export type Arrived = { viewers: number; tookMs: number };
export type TravelReport = {
  /** Different frames, and the number of frames that all viewers got. */
  made: number;
  frames: number;
  /**
   * Counts of changes after the last arrival: changes that any viewer heard of, and changes that some viewer did not
   * hear of exactly once.
   */
  heard: number;
  incomplete: number;
  lost: number;
  bytesPerFrame: number;
  /** From the first to the last of these frames. */
  overMs: number;
  /**
   * Milliseconds from the answer to the writer to the frame at a viewer, over every change and viewer; and from the
   * writer's request.
   */
  fromAnswer: Percentiles;
  fromRequest: Percentiles;
  /** Changes that no frame had. */
  untold: number;
};
export type Percentiles = { p50: number; p99: number; max: number };

type Step = { at: Float64Array; heard: number; labels: string[] };

const agent = new Agent({ keepAlive: true, maxSockets: 32 });
const read = Buffer.allocUnsafe(256 * 1024);
/** Keyed by a viewer's former and next version. */
const steps = new Map<number, Step>();
const sockets: Socket[] = [];
const atOnce = 64;
let count = 0;
let lost = 0;
let bytes = 0;
let frames = 0;
/** By viewer. */
let versions = new Float64Array(0);

const now = (): number => performance.timeOrigin + performance.now();

async function ticketOf(port: number, { path, token, origin }: TicketSource): Promise<string> {
  const asked = request({
    port,
    path,
    method: 'POST',
    agent,
    headers: { Authorization: `Bearer ${token}`, Origin: origin },
  });
  asked.end();
  const [response] = await once(asked, 'response');
  let text = '';
  for await (const chunk of response) text += chunk;
  if (response.statusCode !== 200) throw new Error(`a ticket: ${response.statusCode} ${text}`);
  return JSON.parse(text).ticket;
}

async function arrive(
  { port, path, tickets }: Extract<ViewersOrder, { order: 'arrive' }>,
  viewer: number,
): Promise<void> {
  const offer = tickets ? `parterre.v1, tkt.${await ticketOf(port, tickets)}` : 'parterre.v1';
  await new Promise<void>((resolve, reject) => {
    let left: Buffer | null = null;
    let isOpen = false;
    const hear = (chunk: Buffer): void => {
      let data = left === null ? chunk : Buffer.concat([left, chunk]);
      if (!isOpen) {
        const end = data.indexOf('\r\n\r\n');
        if (end >= 0 && !data.subarray(0, end).toString('latin1').startsWith('HTTP/1.1 101 ')) {
          reject(new Error(data.subarray(0, end).toString('latin1')));
        }
        if (end >= 0) {
          isOpen = true;
          data = data.subarray(end + 4);
          resolve();
        }
      }
      const used = isOpen ? hearFrames(data, viewer, socket) : 0;
      left = used === data.length ? null : Buffer.from(data.subarray(used));
    };
    const heard = (length: number): boolean => {
      hear(read.subarray(0, length));
      return true;
    };
    const socket = connect({
      host: '127.0.0.1',
      port,
      onread: { buffer: read, callback: (length) => heard(length) },
    });
    socket.setNoDelay(true);
    socket.on('error', reject);
    socket.on('close', () => void lost++);
    sockets.push(socket);
    socket.write(
      `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n` +
        `Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Protocol: ${offer}\r\n\r\n`,
    );
  });
}

/** Without a payload, and with a mask of zeros. */
const pong = Buffer.of(0x8a, 0x80, 0, 0, 0, 0);

/** Returns the bytes of whole frames. Servers' frames have no mask. */
function hearFrames(data: Buffer, viewer: number, socket: Socket): number {
  let start = 0;
  for (;;) {
    if (data.length - start < 2) return start;
    let length = data[start + 1]! & 127;
    let head = 2;
    if (length === 126) {
      if (data.length - start < 4) return start;
      length = data.readUInt16BE(start + 2);
      head = 4;
    } else if (length === 127) {
      if (data.length - start < 10) return start;
      length = Number(data.readBigUInt64BE(start + 2));
      head = 10;
    }
    if (data.length - start < head + length) return start;
    const kind = data[start]! & 15;
    if (kind === 1) hearText(data, start + head, length, viewer);
    else if (kind === 9) socket.write(pong);
    start += head + length;
  }
}

/** More versions than any run has. */
const versionsMax = 2 ** 24;
const deltaHead = '{"type":"delta","protocol":1,"snapshotVersion":';
/** In `{"type":"d`. */
const kindAt = 9;
const d = 'd'.charCodeAt(0);

function hearText(data: Buffer, start: number, length: number, viewer: number): void {
  if (data[start + kindAt] !== d) return;
  let number = 0;
  for (let at = start + deltaHead.length; data[at]! >= 48 && data[at]! <= 57; at++)
    number = number * 10 + data[at]! - 48;
  const name = versions[viewer]! * versionsMax + number;
  versions[viewer] = number;
  let step = steps.get(name);
  if (!step) {
    const changes = JSON.parse(data.toString('utf8', start, start + length)).changes as { label: string }[];
    step = { at: new Float64Array(count), heard: 0, labels: changes.map(({ label }) => label) };
    steps.set(name, step);
  }
  step.at[viewer] = now();
  step.heard++;
  frames++;
  bytes += length;
}

async function arriveAll(order: Extract<ViewersOrder, { order: 'arrive' }>): Promise<Arrived> {
  const started = performance.now();
  count = order.count;
  versions = new Float64Array(count);
  let next = 0;
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (let viewer = next++; viewer < count; viewer = next++) {
        const early = (order.overMs * viewer) / count - (performance.now() - started);
        if (early > 0) await pause(early);
        await arrive(order, viewer);
      }
    }),
  );
  steps.clear();
  [frames, bytes] = [0, 0];
  return { viewers: count, tookMs: performance.now() - started };
}

function tell(changes: readonly Change[]): TravelReport {
  const told = [...steps.values()];
  const byLabel = new Map<string, Step[]>();
  for (const step of told) {
    for (const label of step.labels) byLabel.set(label, [...(byLabel.get(label) ?? []), step]);
  }
  let first = Number.POSITIVE_INFINITY;
  let last = 0;
  for (const { at } of told) {
    for (const time of at) {
      if (time > 0) first = Math.min(first, time);
      last = Math.max(last, time);
    }
  }
  return {
    made: told.length,
    frames,
    heard: byLabel.size,
    incomplete: [...byLabel.values()].filter((of) => !isOnceEach(of)).length,
    lost,
    bytesPerFrame: Math.round(bytes / Math.max(frames, 1)),
    overMs: last - first,
    fromAnswer: percentiles(changes, byLabel, ({ answeredAt }) => answeredAt),
    fromRequest: percentiles(changes, byLabel, ({ sentAt }) => sentAt),
    untold: changes.filter(({ label }) => !byLabel.has(label)).length,
  };
}

/** True when every viewer took exactly one of these steps. */
function isOnceEach(of: Step[]): boolean {
  const times = new Uint8Array(count);
  for (const { at } of of) for (let viewer = 0; viewer < count; viewer++) if (at[viewer]! > 0) times[viewer]!++;
  return times.every((heard) => heard === 1) && of.reduce((sum, { heard }) => sum + heard, 0) === count;
}

const bucketsMax = 10_000;

function percentiles(
  changes: readonly Change[],
  byLabel: Map<string, Step[]>,
  from: (change: Change) => number,
): Percentiles {
  const buckets = new Uint32Array(bucketsMax + 1);
  let total = 0;
  for (const change of changes) {
    const since = from(change);
    for (const { at } of byLabel.get(change.label) ?? []) {
      for (let viewer = 0; viewer < count; viewer++) {
        if (at[viewer] === 0) continue;
        buckets[Math.min(bucketsMax, Math.max(0, Math.ceil(at[viewer]! - since)))]!++;
        total++;
      }
    }
  }
  const within = (share: number): number => {
    let sum = 0;
    return buckets.findIndex((size) => {
      sum += size;
      return sum >= total * share;
    });
  };
  return { p50: within(0.5), p99: within(0.99), max: within(1) };
}

process.on('message', (order: ViewersOrder) => {
  if (order.order === 'arrive') void arriveAll(order).then((arrived) => process.send!(arrived));
  else if (order.order === 'tell') process.send!(tell(order.changes));
  else {
    for (const socket of sockets) socket.destroy();
    process.exit(0);
  }
});
