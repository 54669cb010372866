/** The picker's time is the server's, and a page without a socket still follows its sale. */
import { afterEach, expect, test, vi } from 'vitest';
import { followEvent } from '../../web/src/feed/follow.ts';
import { followSale } from '../../web/src/following.ts';
import { wordsOf } from '../../web/src/messages/words.ts';
import type { Api } from '../../web/src/sale/api.ts';
import { ask } from '../../web/src/sale/calls.ts';
import { createClock } from '../../web/src/sale/clock.ts';
import type { OpenedHouse } from '../../web/src/sale/house.ts';

const HOUR_MS = 3_600_000;
const server = Date.parse('2026-05-01T12:00:00.400Z');
const header = new Date(server).toUTCString();

test('a clock that is right within the answers’ precision stays as it is', () => {
  const clock = createClock(() => server);
  clock.heardDate(header, server - 50, server + 30);
  expect(clock.now()).toBe(server);
  // The header of the second before, which the server has not renewed yet.
  clock.heardDate(new Date(server - 500).toUTCString(), server - 5, server + 5);
  expect(clock.now()).toBe(server);
});

test('a wrong clock is corrected, closer with each answer, and anew after it was set', () => {
  let local = server - HOUR_MS;
  const clock = createClock(() => local);
  clock.heardDate(header, local - 40, local + 40);
  expect(Math.abs(clock.now() - server)).toBeLessThan(1_100);
  clock.heardTime(server, local - 40, local + 40);
  expect(Math.abs(clock.now() - server)).toBeLessThanOrEqual(40);
  local = server + HOUR_MS;
  clock.heardTime(server, local - 20, local + 20);
  expect(Math.abs(clock.now() - server)).toBeLessThanOrEqual(20);
  clock.heardDate('no date', local, local);
  clock.heardDate(null, local, local);
  expect(Math.abs(clock.now() - server)).toBeLessThanOrEqual(20);
});

afterEach(() => vi.unstubAllGlobals());

test.each([
  ['an answer', { serverTime: server }],
  ['an opening, whose availability has it', { availability: { serverTime: server } }],
])('the exact time is that of %s', async (_, body) => {
  vi.stubGlobal('fetch', async () => Response.json(body));
  const clock = createClock(() => server - HOUR_MS);
  await ask('/pub/events/ev', 'bootstrap', 'POST', { type: '', clock, signal: AbortSignal.timeout(1_000) });
  expect(clock.now()).toBe(server);
});

test('without a socket the page looks at the map, says that it is live, and ends when access ends', async () => {
  const nothing = (): void => {};
  vi.stubGlobal('document', { visibilityState: 'visible', addEventListener: nothing, removeEventListener: nothing });
  vi.stubGlobal('window', { addEventListener: nothing, removeEventListener: nothing });
  vi.stubGlobal(
    'WebSocket',
    class {
      onclose: ((closed: { code: number }) => void) | null = null;
      constructor() {
        setTimeout(() => this.onclose?.({ code: 1006 }), 1);
      }
      close(): void {}
    },
  );
  vi.useFakeTimers();
  const ticket = { ok: true, value: { protocols: ['parterre.v1', 'tkt.1'] } };
  const api = { call: async () => ticket, renew: async () => ticket, socketUrl: 'ws://x/' } as unknown as Api;
  const states: string[] = [];
  const endings: string[] = [];
  let answer: object = { ok: true, value: {} };
  const following = followEvent(
    api,
    {
      connection: (state) => states.push(state),
      ended: ({ code }) => endings.push(code),
      frame: nothing,
      version: () => 0,
    },
    async () => answer as never,
  );
  await vi.advanceTimersByTimeAsync(3_000);
  expect(new Set(states)).toEqual(new Set(['waiting']));
  await vi.advanceTimersByTimeAsync(3_000);
  expect(states.at(-1)).toBe('live');
  const length = states.length;
  await vi.advanceTimersByTimeAsync(20_000);
  expect(new Set(states.slice(length))).toEqual(new Set(['live']));
  answer = { ok: false, status: 401, problem: { code: 'buyer_access_revoked' } };
  await vi.advanceTimersByTimeAsync(10_000);
  expect(endings).toEqual(['buyer_access_revoked']);
  const after = states.length;
  await vi.advanceTimersByTimeAsync(30_000);
  expect(states).toHaveLength(after);
  following.stop();
  vi.useRealTimers();
});

test('companions’ places turn into places for all at their time by the server’s clock, once and without a call', () => {
  vi.useFakeTimers();
  vi.stubGlobal('window', { addEventListener() {}, removeEventListener() {} });
  vi.stubGlobal('document', { addEventListener() {}, removeEventListener() {}, visibilityState: 'visible' });
  const statuses = { areCompanionsReleased: false, freeInBlock: [], freeInArea: new Map() };
  const house = { statuses, companionsUntil: 1_000, waiting: null, salesEndAt: null };
  const readSale = vi.fn();
  const turned = vi.fn();
  let now = 0;
  const sale = { tick() {}, state: { hold: null } };
  const setting = { sale, now: () => now, turned, redraw() {}, say() {}, words: () => wordsOf('en') };
  const opened = { house, readSale, follow: () => ({ stop() {} }) };
  const end = followSale(opened as unknown as OpenedHouse, setting as unknown as Parameters<typeof followSale>[1]);
  const at = (time: number) => {
    now = time;
    vi.advanceTimersByTime(600);
    return [statuses.areCompanionsReleased, turned.mock.calls.length];
  };
  expect([at(999), at(1_000), at(1_500)]).toEqual([
    [false, 0],
    [true, 1],
    [true, 1],
  ]);
  // The seller sets a later time.
  house.companionsUntil = 9_000;
  expect(at(2_000)).toEqual([false, 2]);
  expect(readSale).not.toHaveBeenCalled();
  end();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});
