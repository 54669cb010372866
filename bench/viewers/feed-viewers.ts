/**
 * Viewers in a process of their own, as cheap as possible: a socket each. A viewer reads the version of a text frame
 * and notes the time. The changes of a frame are read once for all viewers that take the same step from one version to
 * the next.
 *
 * States of a viewer: asking (for a ticket) → upgrading → open → gone. A lost viewer does not come back, and fails the
 * run. The viewers of a crowd have numbers: orders name those that come and leave. A viewer of a crowd resumes from the
 * newest version that the others have heard, as a page does whose map has just opened. The frame of a resumption
 * counts for no change, since its changes are older than the viewer. A refused viewer of a crowd is counted, and has
 * no socket.
 */
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

export type ViewersOrder =
  /** `path` is the socket's. `tickets`, when given, is the address of tickets. Arrivals are spread over `overMs`. */
  | ({ order: 'arrive'; overMs: number } & Places)
  /** Viewers of a crowd, by number. The answer does not wait for their arrival. */
  | ({ order: 'turn over'; came: number[]; left: number[] } & Places)
  /** The changes and their times, by the writers' clock, which is this machine's. */
  | { order: 'tell'; changes: Change[] }
  | { order: 'leave' };
/** `count` bounds the numbers of viewers. */
type Places = { count: number; port: number; path: string; tickets?: TicketSource };
type TicketSource = { path: string; token: string; origin: string };
export type Change = { label: string; sentAt: number; answeredAt: number };

export type Watching = { watching: number; refused: number };
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

/** From one version to another. The n-th of `viewers` took the step at the n-th time. */
type Step = { from: number; to: number; viewers: number[]; at: number[]; labels: string[] };

const read = Buffer.allocUnsafe(256 * 1024);
/** Keyed by a viewer's former and next version. */
const steps = new Map<number, Step>();
/** By viewer. */
const sockets = new Map<number, Socket>();
/** Viewers of a crowd who have left, perhaps before they arrived. */
const gone = new Set<number>();
/** Viewers of a crowd who wait for one of `crowdAtOnce` places to arrive. */
const coming: number[] = [];
const atOnce = 64;
/** More than a front door takes in a moment: a slow one is asked by many pages at once. */
const crowdAtOnce = 512;
const agent = new Agent({ keepAlive: true, maxSockets: crowdAtOnce });
let arriving = 0;
let refused = 0;
let newest = 0;
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

async function arrive({ port, path, tickets }: Places, viewer: number, resumes = false): Promise<void> {
  const ticket = tickets ? `, tkt.${await ticketOf(port, tickets)}` : '';
  versions[viewer] = resumes ? newest : 0;
  const offer = `parterre.v1${versions[viewer] === 0 ? '' : `, sv.${versions[viewer]}`}${ticket}`;
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
    socket.on('close', () => {
      sockets.delete(viewer);
      if (!gone.has(viewer)) lost++;
    });
    sockets.set(viewer, socket);
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
const snapshotHead = '{"type":"snapshot","protocol":1,"snapshotVersion":';
/** The end of a delta that resumes. */
const resumed = Buffer.from('"resumed":true}');
/** In `{"type":"d`. */
const kindAt = 9;
const d = 'd'.charCodeAt(0);
const s = 's'.charCodeAt(0);

function hearText(data: Buffer, start: number, length: number, viewer: number): void {
  const kind = data[start + kindAt];
  if (kind !== d && kind !== s) return;
  const head = kind === d ? deltaHead : snapshotHead;
  let number = 0;
  for (let at = start + head.length; data[at]! >= 48 && data[at]! <= 57; at++) number = number * 10 + data[at]! - 48;
  const from = versions[viewer]!;
  const name = from * versionsMax + number;
  versions[viewer] = number;
  if (number > newest) newest = number;
  const end = start + length;
  if (kind === s || data.compare(resumed, 0, resumed.length, end - resumed.length, end) === 0) return;
  let step = steps.get(name);
  if (!step) {
    const changes = JSON.parse(data.toString('utf8', start, end)).changes as { label: string }[];
    step = { from, to: number, viewers: [], at: [], labels: changes.map(({ label }) => label) };
    steps.set(name, step);
  }
  step.viewers.push(viewer);
  step.at.push(now());
  frames++;
  bytes += length;
}

function expectViewers(number: number): void {
  count = number;
  versions = new Float64Array(count);
}

function turnOver(order: Extract<ViewersOrder, { order: 'turn over' }>): Watching {
  if (count !== order.count) expectViewers(order.count);
  for (const viewer of order.left) leave(viewer);
  coming.push(...order.came);
  for (; arriving < crowdAtOnce && coming.length > 0; arriving++) void arriveInTurn(order);
  return { watching: sockets.size, refused };
}

/** One of `crowdAtOnce` places. It ends when nobody is left to come. */
async function arriveInTurn(order: Places): Promise<void> {
  for (let viewer = coming.shift(); viewer !== undefined; viewer = coming.shift()) {
    if (gone.has(viewer)) continue;
    await arrive(order, viewer, true).catch(() => {
      refused++;
      leave(viewer);
    });
    if (gone.has(viewer)) leave(viewer);
  }
  arriving--;
}

function leave(viewer: number): void {
  gone.add(viewer);
  sockets.get(viewer)?.destroy();
  sockets.delete(viewer);
}

async function arriveAll(order: Extract<ViewersOrder, { order: 'arrive' }>): Promise<Arrived> {
  const started = performance.now();
  expectViewers(order.count);
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
      first = Math.min(first, time);
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
  for (const { viewers } of of) for (const viewer of viewers) times[viewer]!++;
  return times.every((heard) => heard === 1);
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
    const ofLabel = byLabel.get(change.label) ?? [];
    // A seat may change again. A step from this version on tells a later change.
    const firstTo = Math.min(...ofLabel.map(({ to }) => to));
    const earliest = new Float64Array(count).fill(Number.POSITIVE_INFINITY);
    for (const { viewers, at } of ofLabel.filter(({ from: version }) => version < firstTo)) {
      for (let n = 0; n < viewers.length; n++) earliest[viewers[n]!] = Math.min(earliest[viewers[n]!]!, at[n]!);
    }
    for (const time of earliest) {
      if (time === Number.POSITIVE_INFINITY) continue;
      buckets[Math.min(bucketsMax, Math.max(0, Math.ceil(time - since)))]!++;
      total++;
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
  else if (order.order === 'turn over') process.send!(turnOver(order));
  else if (order.order === 'tell') process.send!(tell(order.changes));
  else {
    for (const socket of sockets.values()) socket.destroy();
    process.exit(0);
  }
});
