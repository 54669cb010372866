/**
 * A refusal writes nothing: no message of a journal names the event, and no document of the store has the name that the
 * refused call gave. The end of a refused batch is the one exception.
 */
import { join } from 'node:path';
import { type JetStreamManager, jetstreamManager } from '@nats-io/jetstream';
import { randomText } from '@parterre/shared/protocol/ids';
import { groupsOf } from '@parterre/shared/protocol/journal/messages';
import { names } from '@parterre/shared/protocol/subjects';
import { storedMessage } from '@parterre/shared/runtime/stored-message';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventBatches } from '../../../services/catalog/src/store/collections.ts';
import { openDatabases, openFolderToRead } from '../../../services/catalog/src/store/embedded-store.ts';
import { connectTo } from '../../support/servers/nats.ts';
import { partitionsOfTests } from '../../support/servers/server.ts';
import { openRun, type Run } from '../groups/run.ts';
import { type SoldSeason, sellSeason } from '../seasons/sold-season.ts';
import { type Answer, openShop, type Shop } from '../shop.ts';

type Event = Awaited<ReturnType<Shop['event']>>;

let shop: Shop;
let run: Run;
let season: SoldSeason;
let alone: Event;
let other: Event;
let nats: Awaited<ReturnType<typeof connectTo>>;
let manager: JetStreamManager;
/**
 * Every event has sold A-1 and B-1. The last event of the group and the first of the season alone have sold A-2. The
 * action `act-sold` has booked a hold of the group and one of the season, and another hold of each stands.
 */
beforeAll(async () => {
  shop = await openShop();
  nats = await connectTo(shop.server.natsUrl);
  manager = await jetstreamManager(nats);
  [run, season, alone, other] = await Promise.all([openRun(shop), sellSeason(shop), shop.event(), shop.event()]);
  const soldToo = [run.eventKeys.at(-1), season.eventKeys[0]];
  for (const key of [...run.eventKeys, ...season.eventKeys, alone.key, other.key]) {
    const labels = ['A-1', 'B-1', ...(soldToo.includes(key) ? ['A-2'] : [])];
    const body = { labels, bookingRef: 'sold' };
    const { status } = await shop.call('POST', `/v1/events/${key}/book`, { token: shop.token, body });
    expect(status).toBe(200);
  }
  for (const [sells, prefix] of [
    [run, 'pghop'],
    [season, 'sop'],
  ] as const) {
    for (const [name, label] of [
      ['sold', 'B-2'],
      ['stands', 'B-3'],
    ]) {
      const held = await sells.post('/holds', { operationId: `${prefix}_${name}`, labels: [label] });
      expect(held.status).toBe(201);
    }
    const action = { bookActionId: 'act-sold', bookingRef: 'sold-too' };
    expect((await sells.post(`/holds/${prefix}_sold/book`, action)).status).toBe(200);
  }
}, 120_000);
afterAll(async () => {
  await nats?.close();
  await shop?.stop();
});

/** The last sequence of each journal. */
async function ends(): Promise<number[]> {
  const infos = Array.from({ length: partitionsOfTests }, (_, n) => manager.streams.info(names.journalStream(n)));
  return (await Promise.all(infos)).map(({ state }) => state.last_seq);
}

/** The groups of these events behind these ends of the journals, one entry for each. */
async function writtenSince(before: readonly number[], eventKeys: readonly string[]): Promise<string[]> {
  const written: string[] = [];
  for (const [partition, end] of (await ends()).entries()) {
    for (let seq = before[partition]! + 1; seq <= end; seq++) {
      const message = await storedMessage(manager, names.journalStream(partition), seq);
      const groups = message ? groupsOf(message.subject, message.data) : [];
      written.push(...groups.flatMap(({ eventKey }) => (eventKeys.includes(eventKey) ? [eventKey] : [])));
    }
  }
  return written;
}

/** For each text, the collections with a document that has the text in its key or value. */
async function rowsWith(texts: readonly string[]): Promise<string[][]> {
  const root = openFolderToRead(join(shop.dataDir, 'catalog'));
  try {
    const rows = texts.map((): string[] => []);
    for (const { key, value } of openDatabases(root).documents.getRange()) {
      for (const [n, text] of texts.entries()) if (has([key, value], text)) rows[n]!.push(key[0]);
    }
    return rows;
  } finally {
    await root.close();
  }
}

function has(value: unknown, text: string): boolean {
  if (typeof value === 'string') return value.includes(text);
  if (value instanceof Uint8Array) return Buffer.from(value).includes(text);
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([name, each]) => name.includes(text) || has(each, text));
}

const exchange = (name: string, to: object): Promise<Answer> =>
  alone.post('exchange', { bookingRef: 'sold', from: ['A-1'], to, reason: name }, { 'Idempotency-Key': name });

/** A batch answers 200, and each of its changes has a status of its own. */
async function batch(changes: object[]): Promise<Answer> {
  const headers = { 'Idempotency-Key': randomText(10) };
  const answer = await shop.call('POST', '/v1/events/batch', { token: shop.token, headers, body: { changes } });
  const statuses: number[] = answer.body.results.map(({ status }: { status: number }) => status);
  return { ...answer, status: Math.min(...statuses) };
}

/** `name` stands where the call takes a name of its caller. */
const refusals: [call: string, send: (name: string) => Promise<Answer>][] = [
  ['a hold', (name) => alone.post('hold', { labels: ['A-1'], buyerRef: name })],
  ['a hold of more seats', (name) => alone.post('hold', { labels: ['A-2', 'B-1'], buyerRef: name })],
  ['a hold of a seat that is not there', (name) => alone.post('hold', { labels: ['Z-1'], buyerRef: name })],
  ['a booking of seats', (name) => alone.post('book', { labels: ['A-1'], bookingRef: name })],
  ['a booking of an unknown hold', (name) => alone.post('book', { holdId: 'hld_none', bookingRef: name })],
  ['an extension', (name) => alone.post('extend', { holdId: name })],
  ['a release', (name) => alone.post('release', { holdId: name })],
  ['a cancellation', (name) => alone.post('unbook', { bookingRef: name })],
  ['best available', (name) => alone.post('best-available', { qty: 21, categoryKey: 'balcony', buyerRef: name })],
  [
    'best available, to book',
    (name) => alone.post('best-available-book', { qty: 21, categoryKey: 'balcony', bookingRef: name }),
  ],
  ['a resale', (name) => alone.post('resale/list', { labels: ['A-3'], bookingRef: name })],
  ['a reservation', (name) => alone.post('reservations', { name, labels: ['A-1'], until: Date.now() + 3_600_000 })],
  ['an exchange', (name) => exchange(name, { labels: ['B-1'] })],
  ['an exchange over two events', (name) => exchange(name, { eventKey: other.key, labels: ['A-1'] })],
  ['the hold of a group that no event can give', async (name) => (await run.page()).hold(`pghop_${name}`, ['A-1'])],
  [
    'the hold of a group that its last event cannot give',
    async (name) => (await run.page()).hold(`pghop_${name}`, ['A-2']),
  ],
  [
    'the hold of a group at another price',
    async (name) => (await run.page()).hold(`pghop_${name}`, ['A-3'], { expectedTotal: 1 }),
  ],
  [
    'the hold of a group by its platform',
    (name) => run.post('/holds', { operationId: `pghop_${name}`, labels: ['A-2'], ttlMs: 60_000 }),
  ],
  [
    'the booking of a group',
    (name) => run.post(`/holds/pghop_${name}/book`, { bookActionId: `act-${name}`, bookingRef: name }),
  ],
  ['the hold of a season', async (name) => (await season.page()).hold(`sop_${name}`, ['A-2'])],
  [
    'the hold of a season by its platform',
    (name) => season.post('/holds', { operationId: `sop_${name}`, labels: ['A-2'], ttlMs: 60_000 }),
  ],
  ['the booking of a season', (name) => season.book(`sop_${name}`, `act-${name}`, name)],
  [
    'the booking of a group by the action of another booking',
    (name) => run.post('/holds/pghop_stands/book', { bookActionId: 'act-sold', bookingRef: name }),
  ],
  ['the booking of a season by the action of another booking', (name) => season.book('sop_stands', 'act-sold', name)],
  [
    'a batch of events one of which refuses',
    (name) =>
      batch([
        { eventKey: alone.key, action: 'block', labels: ['A-5', 'A-6'], reason: name },
        { eventKey: other.key, action: 'block', labels: ['A-5', 'A-1'], reason: name },
      ]),
  ],
];

/** A sale in every event, which the store has counted. */
async function sellEverywhere(name: string): Promise<void> {
  const sold = [
    await alone.post('book', { labels: ['B-9'], bookingRef: `${name}-alone` }),
    await other.post('book', { labels: ['B-9'], bookingRef: `${name}-other` }),
    await run.post('/holds', { operationId: `pghop_${name}`, labels: ['B-9'], ttlMs: 60_000 }),
    await season.post('/holds', { operationId: `sop_${name}`, labels: ['B-9'], ttlMs: 60_000 }),
  ];
  expect(sold.map(({ status }) => status)).toEqual([200, 200, 201, 201]);
  const texts = [`${name}-alone`, `${name}-other`, `pghop_${name}`, `sop_${name}`];
  const counted = async () => (await rowsWith(texts)).every((rows) => rows.length > 0);
  await expect.poll(counted, { timeout: 20_000 }).toBe(true);
}

test('a refused call leaves no record in any journal, and no document but the end of a batch', {
  timeout: 120_000,
}, async () => {
  const eventKeys = [...run.eventKeys, ...season.eventKeys, alone.key, other.key];
  const mark = randomText(10);
  for (const [n, [call, send]] of refusals.entries()) {
    const before = await ends();
    const { status } = await send(`${mark}-${n}`);
    expect([call, status >= 400 && status < 500]).toEqual([call, true]);
    expect([call, await writtenSince(before, eventKeys)]).toEqual([call, []]);
  }
  const sentinel = randomText(10);
  await sellEverywhere(sentinel);
  // A late copy of the batch finds it, for as long as a copy may come.
  expect(await rowsWith([mark])).toEqual([[eventBatches.name]]);
});

test('the dry run of an import leaves no record in the journal', { timeout: 60_000 }, async () => {
  const before = await ends();
  const started = await shop.call('POST', `${alone.path}/imports/bookings?dryRun=1`, {
    token: shop.token,
    headers: { 'Content-Type': 'text/csv' },
    body: 'label,bookingRef,price\nA-4,old-1,40\nA-1,old-2,40',
  });
  expect(started.status).toBe(202);
  const state = async () =>
    (await shop.call('GET', started.headers.get('location')!, { token: shop.token })).body.import.state;
  await expect.poll(state, { timeout: 20_000 }).not.toBe('running');
  expect(await writtenSince(before, [alone.key])).toEqual([]);
});
