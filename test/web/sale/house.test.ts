/** The sale that a page follows, when it must read the chart anew: nothing that the feed told meanwhile is lost. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { demoTheatre } from '../../../scripts/generate-charts.mjs';
import type { ChartDocument } from '../../../shared/src/charts/document.ts';
import type { DeltaFrame, SnapshotFrame } from '../../../web/src/rules/statuses.ts';
import { waitingNow } from '../../../web/src/rules/waiting.ts';
import type { Api, Objects } from '../../../web/src/sale/api.ts';
import { openHouse } from '../../../web/src/sale/house.ts';

const doc = demoTheatre() as ChartDocument;
const event = { key: 'ev', salesClosed: false } as never;
const objectsAt = (snapshotVersion: number, seats = {}, hidden: string[] = []): Objects => ({
  default: 'free',
  closed: [],
  ga: {},
  snapshotVersion,
  seats,
  hidden,
});

/** Those that the page offered last. */
let protocols: string[];
let socket: undefined | { onmessage(message: { data: string }): void; onclose(closed: { code: number }): void };

beforeEach(() => {
  socket = undefined;
  protocols = [];
  class FakeSocket {
    constructor(_url: string, offered: string[]) {
      protocols = offered;
      socket = this as never;
    }
    close() {}
  }
  vi.stubGlobal('WebSocket', FakeSocket);
  vi.stubGlobal('document', { addEventListener() {}, removeEventListener() {}, visibilityState: 'visible' });
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** `answers` are those of the readings of the chart, in turn; the last one stays. */
async function follow(first: Objects, ...answers: (() => Promise<Objects | null>)[]) {
  const readings = { count: 0, charts: 0 };
  const refusal = { ok: false, status: 429, problem: { code: 'rate_limited' } };
  const api = {
    open: async () => ({ ok: true, value: { event, doc, objects: first } }),
    async call(_: string, action: string) {
      if (action === 'subscribe-tickets') return { ok: true, value: { protocols: [] } };
      if (action.startsWith('chart')) {
        readings.charts++;
        return { ok: true, value: { event, doc } };
      }
      if (!action.startsWith('objects')) return refusal;
      const objects = await answers[Math.min(readings.count++, answers.length - 1)]!();
      return objects ? { ok: true, value: objects } : refusal;
    },
  } as unknown as Api;
  const nothing = () => {};
  const priced = vi.fn();
  const opened = await openHouse(api, { rebuilt: nothing, changed: nothing, heard: nothing, priced });
  if (!opened.ok) throw new Error('The house did not open.');
  const { house, follow: start } = opened.value;
  const { stop } = start({ connection: nothing, ended: nothing });
  await vi.waitFor(() => expect(socket).toBeDefined());
  const tell = (frame: SnapshotFrame | DeltaFrame) => socket!.onmessage({ data: JSON.stringify(frame) });
  const statusOf = (label: string) => house.statuses.of[house.hall.spotOf.get(label)!];
  return { tell, readings, statusOf, stop, house, priced, close: (code: number) => socket!.onclose({ code }) };
}

const delta = (snapshotVersion: number, label: string): DeltaFrame => ({
  type: 'delta',
  snapshotVersion,
  changes: [{ label, status: 'booked' }],
});

/** More deltas than wait: the first one sells A-1, the others are of seats that change often. */
const flood = (from: number): DeltaFrame[] =>
  Array.from({ length: 250 }, (_, index) => delta(from + index, index === 0 ? 'A-1' : 'A-2'));

test('reads again when too many frames arrived during a reading', async () => {
  const page = await follow(
    objectsAt(1),
    async () => {
      for (const frame of flood(3)) page.tell(frame);
      return objectsAt(2);
    },
    async () => objectsAt(252, { 'A-1': 'booked', 'A-2': 'booked' }),
  );
  page.tell(delta(2, 'Z-1'));
  await vi.waitFor(() => expect(page.statusOf('A-1')).toBe(2));
  expect(page.readings.count).toBe(2);
  page.stop();
});

test('reads again after a growing pause while readings fail, whatever the feed tells', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  vi.spyOn(Math, 'random').mockReturnValue(1);
  let isBack = false;
  const page = await follow(objectsAt(1), async () => {
    if (page.readings.count === 1) for (const frame of flood(3)) page.tell(frame);
    return isBack ? objectsAt(260, { 'A-1': 'booked' }) : null;
  });
  const readingsAfter = async (ms: number) => {
    await vi.advanceTimersByTimeAsync(ms);
    page.tell(delta(253, 'A-3'));
    return page.readings.count;
  };
  page.tell(delta(2, 'Z-1'));
  expect([await readingsAfter(1_900), await readingsAfter(200)]).toEqual([1, 2]);
  expect([await readingsAfter(3_700), await readingsAfter(400)]).toEqual([2, 3]);
  isBack = true;
  expect(await readingsAfter(8_100)).toBe(4);
  expect(page.statusOf('A-1')).toBe(2);
  expect(await readingsAfter(120_000)).toBe(4);
  page.stop();
});

test('reads no more after its end', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const page = await follow(objectsAt(1), async () => {
    for (const frame of flood(3)) page.tell(frame);
    return null;
  });
  page.tell(delta(2, 'Z-1'));
  await vi.advanceTimersByTimeAsync(0);
  page.stop();
  await vi.advanceTimersByTimeAsync(120_000);
  expect(page.readings.count).toBe(1);
});

test('reads the chart anew when the first frame hides another division than the page was opened with', async () => {
  const page = await follow(objectsAt(1), async () => objectsAt(2, {}, ['stalls']));
  page.tell({ type: 'snapshot', ...objectsAt(2, { 'A-1': 'booked' }, ['stalls']) });
  const former = page.house.hall;
  await vi.waitFor(() => expect(page.house.hall).not.toBe(former));
  // The frame itself has the statuses of the new chart.
  expect([page.readings, page.statusOf('A-1')]).toEqual([{ count: 0, charts: 1 }, 2]);
  page.stop();
});

test('a stale map shuts the sale, a fresh one opens it, and a stale page resumes from a whole snapshot', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const page = await follow({ ...objectsAt(7), stale: true }, async () => null);
  const reasonNow = () => waitingNow(page.house.waiting, page.house.statuses)?.reason;
  expect([reasonNow(), protocols]).toEqual(['stale', []]);
  page.tell({ type: 'snapshot', ...objectsAt(7) });
  expect([reasonNow(), page.priced.mock.calls.length]).toEqual([undefined, 1]);
  page.close(1006);
  await vi.advanceTimersByTimeAsync(3_000);
  expect(protocols).toEqual(['sv.7']);
  page.tell({ type: 'snapshot', ...objectsAt(5), stale: true });
  expect([reasonNow(), page.priced.mock.calls.length]).toEqual(['stale', 2]);
  page.tell(delta(8, 'A-1'));
  expect(reasonNow()).toBe('stale');
  page.stop();
});
