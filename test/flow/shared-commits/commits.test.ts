/** Commits of many events on a real server, and the loads of their events. */
import { jetstreamManager } from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { groupsOf } from '@parterre/shared/protocol/journal/messages';
import { names } from '@parterre/shared/protocol/subjects';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { book, eventConfig, hold } from '../../support/inventory/house.ts';
import { type OwnerOptions, ownPartition, type PartitionOwner } from '../../support/partition/owner.ts';
import { startNats, type TestNats } from '../../support/servers/nats.ts';

let server: TestNats;
let nats: NatsConnection;

beforeAll(async () => {
  server = await startNats({ sync: '2m' });
  nats = await connect({ servers: server.url });
});
afterAll(async () => {
  await nats.close();
  await server.stop();
});

const kinds = ['gala', 'opera', 'circus', 'rodeo'];
/** The events of the test under way: all tests share one bucket of snapshots. */
let events: string[];

async function own(number: number, name: string, more: Partial<OwnerOptions> = {}): Promise<PartitionOwner> {
  events = kinds.map((kind) => `${kind}-${number}`);
  return ownPartition({ nats, number, name, ...more });
}

async function create(owner: PartitionOwner): Promise<void> {
  for (const eventKey of events) await owner.ask(eventKey, { type: 'create', config: eventConfig({ eventKey }) });
}

/** Asks every event in one turn. An owner that pauses, after a late ack, answers `moved`: then all are asked again. */
async function askAll(owner: PartitionOwner, command: Parameters<PartitionOwner['submit']>[1]): Promise<string[]> {
  for (;;) {
    const replies = events.map((eventKey) => owner.submit(eventKey, command));
    owner.partition.pump();
    const answered = (await Promise.all(replies)).map(({ kind }) => kind);
    if (!answered.includes('moved')) return answered;
  }
}

/** The number of groups of each message. */
async function groupCounts(partition: number): Promise<number[]> {
  const manager = await jetstreamManager(nats);
  const stream = names.journalStream(partition);
  const { last_seq: last } = (await manager.streams.info(stream)).state;
  const counts = [];
  for (let seq = 1; seq <= last; seq++) {
    const { subject, data } = (await manager.streams.getMessage(stream, { seq }))!;
    counts.push(groupsOf(subject, data).length);
  }
  return counts;
}

const allOk = kinds.map(() => 'ok');

test('What is cut in one turn is one message, and a new owner finds it all', async () => {
  const one = await own(0, 'one');
  await create(one);
  expect(await askAll(one, hold('h1', 'A-1'))).toEqual(allOk);
  expect(await askAll(one, book('h1', 'order-1'))).toEqual(allOk);
  // A turn of the first commands may be over before the last event is cut.
  for (let n = 2; n <= 5; n++) expect(await askAll(one, hold(`h${n}`, `A-${n}`))).toEqual(allOk);
  expect(await groupCounts(0)).toContain(4);
  one.partition.close();
  const two = await own(0, 'two');
  expect(await askAll(two, hold('h6', 'A-1'))).toEqual(events.map(() => 'refused'));
  expect(await two.ask(events[1]!, { type: 'count' })).toMatchObject({ value: { counts: { booked: 1, held: 4 } } });
  await two.partition.handOver();
});

test('Own and shared messages of an event are folded in order, with and without a snapshot', async () => {
  const one = await own(1, 'one');
  await create(one);
  for (let n = 1; n <= 6; n++) {
    expect(await askAll(one, hold(`h${n}`, `A-${n}`))).toEqual(allOk);
    await one.ask(events[0]!, { type: 'release', callId: `call-${n}`, holdId: `h${n}` });
    if (n === 4) await one.partition.snapshotAll(5_000);
  }
  one.partition.close();
  const two = await own(1, 'two');
  expect(await two.ask(events[0]!, { type: 'count' })).toMatchObject({ value: { counts: { held: 0 } } });
  expect(await two.ask(events[3]!, { type: 'count' })).toMatchObject({ value: { counts: { held: 6 } } });
  await two.partition.handOver();
});

test('An event that holds the low-water mark gets an anchor, and the mark rises', async () => {
  const one = await own(3, 'one', { unanchoredBytesMax: 1 });
  await create(one);
  expect(await askAll(one, hold('h1', 'A-1'))).toEqual(allOk);
  await expect.poll(() => one.shared.due).toBe(null);
  await expect.poll(async () => (await groupCounts(3)).slice(-4)).toEqual(events.map(() => 1));
  expect(one.shared.mark).toBe(one.journal.nextSequence - 1);
  one.partition.close();
  const two = await own(3, 'two');
  expect(await askAll(two, hold('h2', 'A-1'))).toEqual(events.map(() => 'refused'));
  await two.partition.handOver();
});

test('A commit of many events whose end is unknown is settled or undone for all of them', async () => {
  const one = await own(4, 'one');
  await create(one);
  const replies = events.map((eventKey) => one.submit(eventKey, hold('h1', 'A-1')));
  one.partition.pump();
  one.journal.breakOff('the test says so');
  const ends = new Set((await Promise.all(replies)).map(({ kind }) => kind));
  expect(ends.size).toBe(1);
  const held = ends.has('ok') ? 1 : 0;
  for (const eventKey of events) {
    expect(await one.ask(eventKey, { type: 'count' })).toMatchObject({ value: { counts: { held } } });
  }
  await one.partition.handOver();
});
