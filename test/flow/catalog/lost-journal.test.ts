/** The projector before a real journal that lacks records which were counted (I9). */
import { type JetStreamManager, jetstream, jetstreamManager } from '@nats-io/jetstream';
import { Kvm } from '@nats-io/kv';
import { linkOf, textOfLink } from '@parterre/shared/protocol/journal/links';
import { groupsOf, linkAfter } from '@parterre/shared/protocol/journal/messages';
import { lossCertainMs } from '@parterre/shared/protocol/limits';
import type { JournalRecord } from '@parterre/shared/protocol/records';
import { names, subjects } from '@parterre/shared/protocol/subjects';
import { breakKey } from '@parterre/shared/runtime/accepted-breaks';
import { type Clock, systemClock } from '@parterre/shared/runtime/clock';
import { createLog, type Logger } from '@parterre/shared/runtime/log';
import { connectNats, type NatsConnection } from '@parterre/shared/runtime/nats';
import { createPace } from '@parterre/shared/runtime/pace';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { beginRebuild, readGenerations } from '../../../services/catalog/src/projections/generations.ts';
import { Halts } from '../../../services/catalog/src/projections/halts.ts';
import { type Projector, startProjector } from '../../../services/catalog/src/projections/projector.ts';
import { createProjectionOperations } from '../../../services/catalog/src/projections/rebuild-operations.ts';
import { viewsOf } from '../../../services/catalog/src/store/collections.ts';
import {
  haltedLookMs,
  projectionRestMs,
  streamRetryPauseMs,
} from '../../../services/catalog/src/store/rules/bounds.ts';
import type { Store } from '../../../services/catalog/src/store/store.ts';
import { embeddedDatabase, type TestDatabase } from '../../store/adapters.ts';
import { append, LinkedJournal } from '../../support/journal/linked-journal.ts';
import { change, type StoredMessage } from '../../support/journal/stored-messages.ts';
import { startNats, type TestNats } from '../../support/servers/nats.ts';

const silent = createLog('catalog-test', 'silent');
const stream = names.journalStream(0);
const by = { source: 'server', actor: null } as const;
const waiting = { timeout: 20_000, interval: 10 };

let server: TestNats;
let nats: NatsConnection;
let manager: JetStreamManager;
let database: TestDatabase;
let store: Store;
let projector: Projector | null;
let halts: Halts;
let errors: object[];
/** Ahead of the real time, in ms. */
let ahead: number;
/** Looks for a position, by the pause behind each. */
let looks: number;

/** Pauses between two looks are short. */
const clock: Clock = {
  now: systemClock.now,
  elapsed: () => systemClock.elapsed() + ahead,
  after(delayMs, run) {
    const isPause = delayMs === haltedLookMs || delayMs === streamRetryPauseMs;
    if (isPause) looks++;
    return systemClock.after(isPause ? 20 : delayMs, run);
  },
};
const log: Logger = Object.assign(Object.create(silent), { error: (facts: object) => errors.push(facts) });

beforeAll(async () => {
  server = await startNats({ sync: '2m' });
  nats = await connectNats({ url: server.url, name: 'catalog-test' }, silent);
  manager = await jetstreamManager(nats);
}, 120_000);
beforeEach(async () => {
  database = await embeddedDatabase([]);
  store = await database.connect();
  projector = null;
  halts = new Halts();
  errors = [];
  ahead = 0;
  looks = 0;
});
afterEach(async () => {
  await projector?.stop();
  await database.remove();
  await manager.streams.delete(stream).catch(() => {});
});
afterAll(async () => {
  await nats.close();
  await server.stop();
});

function start(): void {
  const pace = createPace(clock, projectionRestMs);
  projector = startProjector({ nats, store, clock, pace, announce: () => {}, halts, log }, 1);
}

/** The stream with these messages, and no others. */
async function makeStream(messages: readonly StoredMessage[]): Promise<void> {
  await manager.streams.delete(stream).catch(() => {});
  await manager.streams.add({ name: stream, subjects: [subjects.journalOfPartition(0)] });
  await append(jetstream(nats), messages);
}

function booking(units: number) {
  const lines = Array.from({ length: units }, (_, unit) => ({ unit, price: 1 }));
  const record = { type: 'booked', callId: 'c', bookingRef: 'b', holdId: null, accessSource: 'public', lines, by };
  return change('gala', 1, record as JournalRecord);
}

async function sold(): Promise<number | undefined> {
  const { current } = await readGenerations(store);
  return (await store.get(viewsOf(current).events, 'gala'))?.value.sold;
}

const untilSold = (units: number) => vi.waitFor(async () => expect(await sold()).toBe(units), waiting);
const isHalted = () => halts.streams().has(stream);

/** A journal of five messages, all counted: 1 + 2 + 3 + 4 units are sold. */
async function countedJournal(): Promise<LinkedJournal> {
  const journal = new LinkedJournal(0, 'dep_test.one');
  for (const units of [1, 2, 3, 4]) journal.commit(booking(units));
  await makeStream(journal.messages);
  start();
  await untilSold(10);
  await projector!.stop();
  return journal;
}

async function untilHalted(): Promise<void> {
  const before = looks;
  await vi.waitFor(() => expect(looks).toBeGreaterThan(before + 1), waiting);
  expect(isHalted()).toBe(false);
  ahead += lossCertainMs;
  await vi.waitFor(() => expect(isHalted()).toBe(true), waiting);
}

async function stayHalted(): Promise<void> {
  const before = looks;
  await vi.waitFor(() => expect(looks).toBeGreaterThan(before + 2), waiting);
  expect(isHalted()).toBe(true);
}

test('A journal that is shorter than what was counted halts, also once it has grown, until it is restored', async () => {
  const journal = await countedJournal();
  const shorter = new LinkedJournal(0, journal.messages.slice(0, 3));
  await makeStream(shorter.messages);
  start();
  await untilHalted();
  expect(errors).toEqual([{ stream, seq: 5, link: journal.link }]);
  const later = [20, 20, 20].map((units) => shorter.commit(booking(units)));
  await append(jetstream(nats), later);
  await stayHalted();
  expect(await sold()).toBe(10);
  expect(errors).toHaveLength(1);
  const state = await createProjectionOperations({ store, halts, uncounted: async () => new Map() })[
    'projections.state'
  ]({});
  expect(state).toMatchObject({ value: { partitions: [{ stream, counted: 5, halted: true }] } });

  journal.commit(booking(5));
  await makeStream(journal.messages);
  await untilSold(15);
  await vi.waitFor(() => expect(isHalted()).toBe(false), waiting);
}, 60_000);

test('A rebuild counts the journal that is there, and goes on with it', async () => {
  const journal = await countedJournal();
  const shorter = new LinkedJournal(0, journal.messages.slice(0, 3));
  await makeStream(shorter.messages);
  start();
  await untilHalted();
  await beginRebuild(store);
  await vi.waitFor(
    async () => expect(await readGenerations(store)).toMatchObject({ current: 2, building: null }),
    waiting,
  );
  expect(await sold()).toBe(3);
  await append(jetstream(nats), [shorter.commit(booking(7))]);
  await untilSold(10);
  await vi.waitFor(() => expect(isHalted()).toBe(false), waiting);
}, 60_000);

test('A stream that is missing, and one that was made anew, halt', async () => {
  await countedJournal();
  await manager.streams.delete(stream);
  start();
  await untilHalted();
  const anew = new LinkedJournal(0, 'dep_test.two');
  for (let n = 0; n < 9; n++) anew.commit(booking(1));
  await makeStream(anew.messages);
  await stayHalted();
  expect(await sold()).toBe(10);
}, 60_000);

test('A message that does not follow the message before it halts, and the messages before it are counted', async () => {
  const journal = await countedJournal();
  const other = new LinkedJournal(0, journal.messages.slice(0, 4));
  other.commit(booking(9));
  const behind = [booking(1), booking(30), booking(40)].map(
    (each) => [journal.commit(each), other.commit(each)] as const,
  );
  await append(jetstream(nats), [behind[0]![0], behind[1]![1], behind[2]![1]]);
  start();
  await untilHalted();
  await untilSold(11);
  await stayHalted();
  expect(await sold()).toBe(11);
  expect(errors).toMatchObject([{ seq: 6 }]);
}, 60_000);

test('A stream that lost its first messages halts, where nothing was counted', async () => {
  const journal = new LinkedJournal(0, 'dep_test.one');
  for (const units of [1, 2]) journal.commit(booking(units));
  await makeStream(journal.messages);
  await manager.streams.deleteMessage(stream, 1);
  start();
  await untilHalted();
  expect(await sold()).toBeUndefined();
}, 60_000);

test('A difference that ends within the time of a deposed leader halts nothing', async () => {
  const journal = await countedJournal();
  await makeStream(journal.messages.slice(0, 2));
  start();
  await vi.waitFor(() => expect(looks).toBeGreaterThan(2), waiting);
  await append(jetstream(nats), [...journal.messages.slice(2), journal.commit(booking(2))]);
  await untilSold(12);
  ahead += lossCertainMs;
  await append(jetstream(nats), [journal.commit(booking(3))]);
  await untilSold(15);
  expect([isHalted(), errors]).toEqual([false, []]);
}, 60_000);

test('A break that the operator has accepted is read on, without the parts that their event passes over', async () => {
  const journal = await countedJournal();
  const last = groupsOf(journal.messages.at(-1)!.subject, journal.messages.at(-1)!.data)[0]!;
  const behindLast = { from: 5, link: linkAfter(last.data) };
  const other = new LinkedJournal(0, journal.messages.slice(0, 4));
  other.commit(booking(9));
  // This part follows the lost one. Its event goes on with the next part, and with the one behind that.
  const break_ = other.commit({ ...booking(30), from: 6 });
  const decided = other.commit({ ...booking(40), ...behindLast });
  await append(jetstream(nats), [break_, decided, other.commit({ ...booking(30), from: 8 })]);
  start();
  await untilHalted();
  const bucket = await new Kvm(nats).create(names.clusterBucket);
  await bucket.put(breakKey(0, break_.seq), textOfLink(linkOf(break_.data)));
  await untilSold(80);
  await vi.waitFor(() => expect(isHalted()).toBe(false), waiting);
  other.commit({ ...booking(1), from: 9 });
  await append(jetstream(nats), [other.commit({ ...booking(50), from: 10 })]);
  await untilHalted();
  expect(await sold()).toBe(80);
  await bucket.destroy();
}, 60_000);
