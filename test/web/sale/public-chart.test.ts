/**
 * The picker over public files: the chart and the statuses come apart, each perhaps from a cache, and the feed
 * continues from both without a gap.
 */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { demoTheatre } from '../../../scripts/generate-charts.mjs';
import type { ChartDocument } from '../../../shared/src/charts/document.ts';
import type { FeedFrame } from '../../../web/src/feed/feed.ts';
import { baseFile, type ChartFile } from '../../../web/src/rules/chart-files.ts';
import type { Api, Objects } from '../../../web/src/sale/api.ts';
import { openHouse } from '../../../web/src/sale/house.ts';

const whole = demoTheatre() as ChartDocument;
const withoutRowA = {
  ...whole,
  objects: whole.objects.filter((object) => !('label' in object && object.label === 'A')),
};
const documents: Record<string, ChartDocument> = { whole, withoutRowA };
const event = { key: 'ev', salesClosed: false } as never;
const objectsAt = (snapshotVersion: number, hidden: string[] = [], seats = {}): Objects => ({
  default: 'free',
  closed: [],
  ga: {},
  snapshotVersion,
  seats,
  hidden,
});
const listAt = (snapshotVersion: number, hash: string) => ({
  event,
  files: [{ hash, bytes: 1, url: `/pub/charts/${hash}`, parts: ['base'] }],
  statusesUrl: `/pub/statuses/${hash}`,
  snapshotVersion,
});
const notFound = { ok: false as const, status: 404, problem: { code: 'not_found' } };
const done = (value: unknown) => ({ ok: true as const, value });

let sockets: { offered: string[]; onmessage(message: { data: string }): void; onclose(closed: object): void }[];

beforeEach(() => {
  sockets = [];
  class FakeSocket {
    constructor(
      _url: string,
      readonly offered: string[],
    ) {
      sockets.push(this as never);
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

type Server = { list: object; statuses: Objects | null; gone: Set<string>; sale?: object };

/** A page over a server whose answers a test sets. `asked` has its calls in turn. */
async function openOver(server: Server) {
  const asked: string[] = [];
  const call = async (_: string, action: string) => {
    asked.push(action);
    if (action === 'subscribe-tickets') return done({ protocols: [] });
    if (action === 'chart?files=1') return done(server.list);
    if (action === 'chart') return done({ event, doc: whole });
    if (action.startsWith('objects')) return done(objectsAt(50));
    if (action.startsWith('availability') && server.sale) return done(server.sale);
    return { ok: false, status: 429, problem: { code: 'rate_limited' } };
  };
  const load = async (url: string, cache: string) => {
    asked.push(cache === 'default' ? url : `${url} (${cache})`);
    const name = url.split('/').at(-1)!;
    if (server.gone.has(url)) return notFound;
    if (url.startsWith('/pub/charts/')) return done(documents[name]);
    return server.statuses ? done(server.statuses) : { ok: false, status: 503, problem: { code: 'overloaded' } };
  };
  const rebuilt = vi.fn();
  const nothing = () => {};
  const api = { open: async () => done(server.list), call, load, renew: nothing } as unknown as Api;
  const opened = await openHouse(api, { rebuilt, changed: nothing, heard: nothing, priced: nothing });
  if (!opened.ok) throw new Error('The house did not open.');
  const { house, follow } = opened.value;
  const ended = vi.fn();
  const { stop } = follow({ connection: nothing, ended });
  await vi.waitFor(() => expect(sockets).toHaveLength(1));
  const tell = (...frames: FeedFrame[]) => {
    for (const frame of frames) sockets.at(-1)!.onmessage({ data: JSON.stringify(frame) });
  };
  const statusOf = (label: string) => house.statuses.of[house.hall.spotOf.get(label)!];
  const has = (label: string) => house.hall.spotOf.has(label);
  return { asked, house, rebuilt, stop, tell, statusOf, has, offered: () => sockets.at(-1)!.offered };
}

const hides = (hidden: string[]): FeedFrame => ({ type: 'hidden', hidden, closed: [] });
const shows = (objects: Objects): FeedFrame => ({ type: 'snapshot', ...objects });
const sells = (snapshotVersion: number, label: string, resumed?: true): FeedFrame => ({
  type: 'delta',
  snapshotVersion,
  changes: [{ label, status: 'booked' }],
  ...(resumed && { resumed }),
});

test('the chart is the file with the base, whatever else a list names', () => {
  const file = (...parts: string[]): ChartFile => ({ hash: parts.join(), bytes: 1, url: '/x', parts });
  expect(baseFile([file('balcony'), file('base', 'stalls'), file('pit')])?.hash).toBe('base,stalls');
  expect(baseFile([file('balcony')])).toBe(null);
});

test('opens from the file and the statuses, asks for a ticket beside them, and continues after the statuses', async () => {
  const page = await openOver({
    list: listAt(7, 'whole'),
    statuses: objectsAt(7, [], { 'A-1': 'held' }),
    gone: new Set(),
  });
  const [ticket, sale, ...files] = page.asked;
  expect([ticket, sale]).toEqual(['subscribe-tickets', 'availability']);
  expect(files).toEqual(['/pub/charts/whole', '/pub/statuses/whole']);
  expect([page.statusOf('A-1'), page.offered()]).toEqual([1, ['sv.7']]);
  page.stop();
});

test('asks for no prices that came with the session', async () => {
  const availability = { waiting: null, salesEndAt: 7 };
  const list = { ...listAt(7, 'whole'), availability };
  const page = await openOver({ list, statuses: objectsAt(7), gone: new Set() });
  await vi.waitFor(() => expect(page.house.salesEndAt).toBe(7));
  expect(page.asked).toEqual(['subscribe-tickets', '/pub/charts/whole', '/pub/statuses/whole']);
  page.stop();
});

test('continues after statuses that a cache has kept', async () => {
  const page = await openOver({ list: listAt(9, 'whole'), statuses: objectsAt(5), gone: new Set() });
  expect(page.offered()).toEqual(['sv.5']);
  page.tell(sells(9, 'A-1', true));
  expect(page.statusOf('A-1')).toBe(2);
  page.stop();
});

test('a division that appeared between the list and newer statuses makes the page read the list again', async () => {
  const server = { list: listAt(5, 'withoutRowA'), statuses: objectsAt(9), gone: new Set<string>() };
  const page = await openOver(server);
  expect([page.offered(), page.has('A-1')]).toEqual([['sv.5'], false]);
  server.list = listAt(10, 'whole');
  page.tell(shows(objectsAt(10, [], { 'A-1': 'booked' })));
  await vi.waitFor(() => expect(page.has('A-1')).toBe(true));
  expect(page.statusOf('A-1')).toBe(2);
  page.stop();
});

test('a division that was hidden after the statuses, and shown after the list, makes the page read again', async () => {
  const server = { list: listAt(101, 'withoutRowA'), statuses: objectsAt(100), gone: new Set<string>() };
  const page = await openOver(server);
  expect(page.offered()).toEqual(['sv.100']);
  // Deltas before the list's version prove nothing.
  page.tell(sells(100, 'B-1', true));
  server.list = listAt(102, 'whole');
  page.tell(shows(objectsAt(102)));
  await vi.waitFor(() => expect(page.has('A-1')).toBe(true));
  page.stop();
});

test('a delta up to the list proves that nothing was hidden or shown between older statuses and the list', async () => {
  const page = await openOver({ list: listAt(9, 'whole'), statuses: objectsAt(5), gone: new Set() });
  page.tell(shows(objectsAt(6)), sells(9, 'A-1'), hides([]), shows(objectsAt(11)));
  expect(page.asked.filter((each) => each.startsWith('chart'))).toEqual([]);
  page.stop();
});

test('a delta proves that nothing was hidden or shown between the list and newer statuses', async () => {
  const page = await openOver({ list: listAt(5, 'whole'), statuses: objectsAt(9), gone: new Set() });
  page.tell(sells(10, 'A-1', true), shows(objectsAt(11)));
  expect(page.asked.filter((each) => each.startsWith('chart'))).toEqual([]);
  page.stop();
});

test('a reveal costs the list and the new file: the statuses are those of the feed', async () => {
  const server = { list: listAt(5, 'withoutRowA'), statuses: objectsAt(5, ['stalls']), gone: new Set<string>() };
  const page = await openOver(server);
  const before = page.asked.length;
  server.list = listAt(6, 'whole');
  page.tell(hides([]), shows(objectsAt(6, [], { 'A-1': 'held' })), sells(7, 'A-2'));
  await vi.waitFor(() => expect(page.has('A-1')).toBe(true));
  expect(page.asked.slice(before)).toEqual(['chart?files=1', '/pub/charts/whole']);
  expect([page.statusOf('A-1'), page.statusOf('A-2'), page.rebuilt.mock.calls.length]).toEqual([1, 2, 1]);
  page.stop();
});

test('loads nothing where the list names the same file, and keeps the hall', async () => {
  const server = { list: listAt(5, 'whole'), statuses: objectsAt(5), gone: new Set<string>() };
  const page = await openOver(server);
  const before = page.asked.length;
  const { hall } = page.house;
  server.list = listAt(6, 'whole');
  page.tell(hides(['nothing-here']), shows(objectsAt(6, ['nothing-here'], { 'A-1': 'booked' })));
  await vi.waitFor(() => expect(page.statusOf('A-1')).toBe(2));
  expect([page.asked.slice(before), page.house.hall, page.rebuilt.mock.calls.length]).toEqual([
    ['chart?files=1'],
    hall,
    0,
  ]);
  page.stop();
});

test('a list older than the reveal is not taken, and the page asks again after a pause', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const server = { list: listAt(5, 'withoutRowA'), statuses: objectsAt(5, ['stalls']), gone: new Set<string>() };
  const page = await openOver(server);
  page.tell(hides([]), shows(objectsAt(6)));
  await vi.advanceTimersByTimeAsync(0);
  const lists = () => page.asked.filter((each) => each === 'chart?files=1').length;
  expect([lists(), page.has('A-1')]).toEqual([1, false]);
  Object.assign(server, { list: listAt(6, 'whole'), statuses: objectsAt(6) });
  await vi.advanceTimersByTimeAsync(2_100);
  expect([lists(), page.has('A-1')]).toEqual([2, true]);
  await vi.advanceTimersByTimeAsync(120_000);
  expect(lists()).toBe(2);
  page.stop();
});

test('statuses that name a label which the chart lacks make the page read the list again, after growing pauses', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const sold = { 'A-1': 'booked' };
  const server = { list: listAt(5, 'withoutRowA'), statuses: objectsAt(6, [], sold), gone: new Set<string>() };
  const page = await openOver(server);
  const lists = () => page.asked.filter((each) => each === 'chart?files=1').length;
  await vi.advanceTimersByTimeAsync(0);
  page.tell(sells(7, 'A-2'), sells(8, 'A-3'));
  await vi.advanceTimersByTimeAsync(900);
  expect([lists(), page.has('A-1')]).toEqual([1, false]);
  server.statuses = objectsAt(8, [], { ...sold, 'A-2': 'booked', 'A-3': 'booked' });
  await vi.advanceTimersByTimeAsync(1_200);
  expect([lists(), page.has('A-1')]).toEqual([2, false]);
  server.list = listAt(8, 'whole');
  await vi.advanceTimersByTimeAsync(4_100);
  expect([lists(), page.statusOf('A-1'), page.statusOf('A-3')]).toEqual([3, 2, 2]);
  await vi.advanceTimersByTimeAsync(120_000);
  expect(lists()).toBe(3);
  page.stop();
});

test('a delta that names a label which the chart lacks makes the page read the list, twice at once at most', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const server = { list: listAt(5, 'withoutRowA'), statuses: objectsAt(7), gone: new Set<string>() };
  const page = await openOver(server);
  const lists = () => page.asked.filter((each) => each === 'chart?files=1').length;
  page.tell(sells(7, 'A-1'), sells(7, 'A-2'));
  await vi.advanceTimersByTimeAsync(900);
  expect([lists(), page.has('A-1')]).toEqual([2, false]);
  Object.assign(server, { list: listAt(7, 'whole'), statuses: objectsAt(7, [], { 'A-1': 'booked' }) });
  await vi.advanceTimersByTimeAsync(1_200);
  expect([lists(), page.statusOf('A-1')]).toEqual([3, 2]);
  page.stop();
});

test('statuses older than the shown ones are not taken, so no change is lost', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const server = { list: listAt(5, 'withoutRowA'), statuses: objectsAt(5), gone: new Set<string>() };
  const page = await openOver(server);
  page.tell(sells(6, 'B-1'));
  server.list = listAt(8, 'whole');
  page.tell(sells(7, 'A-1'));
  await vi.advanceTimersByTimeAsync(0);
  expect([page.has('A-1'), page.statusOf('B-1')]).toEqual([false, 2]);
  expect(page.asked.at(-1)).toBe('/pub/statuses/whole (no-cache)');
  server.statuses = objectsAt(8, [], { 'A-1': 'booked', 'B-1': 'booked' });
  await vi.advanceTimersByTimeAsync(2_100);
  expect([page.statusOf('A-1'), page.statusOf('B-1')]).toEqual([2, 2]);
  page.stop();
});

test('asks for the list again where a file is gone, and for the chart itself where files stay gone', async () => {
  const gone = new Set(['/pub/charts/withoutRowA']);
  const server = { list: listAt(5, 'withoutRowA'), statuses: objectsAt(5), gone };
  const page = await openOver(server);
  expect(page.asked.filter((each) => /^chart|^objects/.test(each))).toEqual([
    'chart?files=1',
    'chart?files=1',
    'chart',
    'objects?compact=1',
  ]);
  expect([page.has('A-1'), page.offered()]).toEqual([true, ['sv.50']]);
  page.stop();
});

test('opens without statuses that do not come, and takes those of the feed', async () => {
  const page = await openOver({ list: listAt(5, 'whole'), statuses: null, gone: new Set() });
  expect([page.statusOf('A-1'), page.offered()]).toEqual([3, []]);
  page.tell(shows(objectsAt(5)));
  expect(page.statusOf('A-1')).toBe(0);
  page.stop();
});

test('without a socket looks at the public statuses, and asks with its credential where these are gone', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  vi.stubGlobal('window', { addEventListener() {}, removeEventListener() {} });
  const gone = new Set<string>();
  const page = await openOver({ list: listAt(6, 'whole'), statuses: objectsAt(6, [], { 'A-1': 'booked' }), gone });
  await vi.advanceTimersByTimeAsync(4_000);
  expect([page.asked.at(-1), page.statusOf('A-1')]).toEqual(['/pub/statuses/whole (no-cache)', 2]);
  gone.add('/pub/statuses/whole');
  await vi.advanceTimersByTimeAsync(4_000);
  expect(page.asked.at(-1)).toBe('objects?compact=1');
  page.stop();
});

test('without a socket a session of channels asks with its credential: the address may lack a channel', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  vi.stubGlobal('window', { addEventListener() {}, removeEventListener() {} });
  const sale = { channelPricing: { channels: [], objects: [] } };
  const page = await openOver({ list: listAt(6, 'whole'), statuses: objectsAt(6), gone: new Set(), sale });
  const before = page.asked.length;
  await vi.advanceTimersByTimeAsync(4_000);
  expect(page.asked.slice(before)).toEqual(['objects?compact=1']);
  page.stop();
});
