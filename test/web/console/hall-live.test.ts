/** The live hall of the console: its states, with a server and a socket that the test holds in its hands. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { demoTheatre } from '../../../scripts/generate-charts.mjs';
import { type LiveHall, openLiveHall } from '../../../web/console/event/hall/live.ts';
import type { Server } from '../../../web/console/server/calls.ts';
import type { Result } from '../../../web/src/sale/calls.ts';

class HeldSocket {
  static readonly OPEN = 1;
  static all: HeldSocket[] = [];
  readonly readyState = 1;
  readonly protocols: string[];
  onmessage: (event: { data: string }) => void = () => {};
  onclose: (event: { code: number }) => void = () => {};
  constructor(_address: string, protocols: string[]) {
    this.protocols = protocols;
    HeldSocket.all.push(this);
  }
  send(): void {}
  close(): void {}
  frame(frame: object): void {
    this.onmessage({ data: JSON.stringify(frame) });
  }
}

type AskedOfServer = { path: string; answer(result: Result<unknown>): void };

let asked: AskedOfServer[] = [];
let live: LiveHall;
let news: { isNewHall: boolean; spots: readonly number[] }[] = [];

const server: Server = {
  get: (path) => new Promise((resolve) => asked.push({ path, answer: resolve as AskedOfServer['answer'] })),
  send: (_method, path) => new Promise((resolve) => asked.push({ path, answer: resolve as AskedOfServer['answer'] })),
} as Server;

const turns = async (): Promise<void> => {
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setTimeout(resolve));
};
async function answer(end: string, value: unknown): Promise<void> {
  const at = asked.findIndex(({ path }) => path.includes(end));
  expect(at, `${end} among ${asked.map(({ path }) => path).join(', ')}`).toBeGreaterThanOrEqual(0);
  const [call] = asked.splice(at, 1);
  call!.answer({ ok: true, value });
  await turns();
}
async function refuse(end: string, status: number): Promise<void> {
  const at = asked.findIndex(({ path }) => path.includes(end));
  const [call] = asked.splice(at, 1);
  call!.answer({ ok: false, status, problem: { code: status === 404 ? 'not_found' : 'no_answer' } });
  await turns();
}

const chart = { event: { name: 'Gala', timezone: null, currency: 'EUR' }, doc: demoTheatre() };
const objects = { seats: { 'A-1': 'held' }, hidden: [], closed: [], snapshotVersion: 7 };
const delta = (snapshotVersion: number, label: string, status: string) => {
  return { type: 'delta', snapshotVersion, changes: [{ label, status }] };
};

async function opened(): Promise<HeldSocket> {
  await answer('/chart', chart);
  await answer('/objects', objects);
  await answer('/subscribe-tickets', { protocols: ['parterre.v1.bin', 'parterre.v1', 'tkt.1'] });
  return HeldSocket.all.at(-1)!;
}

beforeEach(() => {
  asked = [];
  news = [];
  HeldSocket.all = [];
  vi.stubGlobal('WebSocket', HeldSocket);
  vi.stubGlobal('location', { origin: 'https://theatre.example' });
  vi.stubGlobal('document', { addEventListener: () => {}, removeEventListener: () => {}, visibilityState: 'visible' });
  vi.stubGlobal('window', { addEventListener: () => {}, removeEventListener: () => {} });
  live = openLiveHall(server, 'gala', (change) => news.push(change));
});
afterEach(() => {
  live.close();
  vi.unstubAllGlobals();
});

test('follows the feed after the version that it has read, and drops older changes', async () => {
  const socket = await opened();
  expect(live.state).toBe('live');
  expect(live.statusOf('A-1')).toBe('held');
  expect(socket.protocols).toEqual(['parterre.v1', 'tkt.1', 'sv.7']);
  socket.frame(delta(8, 'A-2', 'booked'));
  expect(live.statusOf('A-2')).toBe('booked');
  expect(news.at(-1)!.spots).toEqual([live.hall!.spotOf.get('A-2')]);
  socket.frame(delta(6, 'A-2', 'free'));
  expect(live.statusOf('A-2')).toBe('booked');
  expect(asked).toEqual([]);
});

test('is deleted for good when the feed says so', async () => {
  const socket = await opened();
  socket.onclose({ code: 4404 });
  expect(live.state).toBe('deleted');
  expect(live.statusOf('A-1')).toBe('held');
});

test('is behind while the feed is away, and live again with its next frame', async () => {
  const socket = await opened();
  socket.frame({ type: 'pong' });
  socket.onclose({ code: 1006 });
  expect(live.state).toBe('behind');
  await vi.waitFor(() => expect(asked.some(({ path }) => path.includes('subscribe-tickets'))).toBe(true));
  await answer('/subscribe-tickets', { protocols: ['parterre.v1', 'tkt.2'] });
  HeldSocket.all.at(-1)!.frame({ type: 'pong' });
  expect(live.state).toBe('live');
});

test('fails where the chart cannot be read, and opens when the person tries again', async () => {
  await refuse('/chart', 404);
  await answer('/objects', objects);
  expect(live.state).toBe('failed');
  live.again();
  await opened();
  expect(live.state).toBe('live');
});

test('drops a late answer after it was left', async () => {
  live.close();
  await answer('/chart', chart);
  await answer('/objects', objects);
  expect(live.hall).toBeNull();
  expect(news).toEqual([]);
});

test('reads the chart anew after a change of it, and only the names of reservations after theirs', async () => {
  const socket = await opened();
  socket.frame({ type: 'activity', entries: [{ action: 'make_reservation' }] });
  const reservation = { id: 'rsv_1', name: 'School 7', labels: ['A-3'] };
  await answer('/reservations', { reservations: [reservation] });
  expect(live.reservationOf('A-3')).toEqual({ id: 'rsv_1', name: 'School 7' });
  expect(asked).toEqual([]);
  socket.frame({ type: 'activity', entries: [{ action: 'update_chart' }] });
  const before = live.hall;
  await opened();
  expect(live.hall).not.toBe(before);
  expect(HeldSocket.all).toHaveLength(2);
});

test('begins with the snapshot of the feed where the first reading has failed', async () => {
  await answer('/chart', chart);
  await refuse('/objects', 0);
  await answer('/reservations', { reservations: [] });
  await answer('/subscribe-tickets', { protocols: ['parterre.v1', 'tkt.1'] });
  const socket = HeldSocket.all.at(-1)!;
  expect(socket.protocols).toEqual(['parterre.v1', 'tkt.1']);
  socket.frame({
    type: 'snapshot',
    default: 'free',
    seats: { 'B-1': 'booked' },
    hidden: [],
    closed: [],
    snapshotVersion: 3,
  });
  expect(live.statusOf('B-1')).toBe('booked');
});
