/** A partition against a real server: from a command to its answer, and the restored state after a stop. */
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { Objm } from '@nats-io/obj';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import type { Command, Reply } from '@parterre/shared/protocol/commands';
import { sha256 } from '@parterre/shared/protocol/ids';
import { decodeKept, encodeKept } from '@parterre/shared/protocol/wire';
import { systemClock } from '@parterre/shared/runtime/clock';
import { createLog } from '@parterre/shared/runtime/log';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { JournalReader } from '../../../services/inventory-shard/src/journal/journal-reader.ts';
import { createEventLoader } from '../../../services/inventory-shard/src/journal/recovery.ts';
import { createSnapshotStore } from '../../../services/inventory-shard/src/journal/snapshots/snapshots.ts';
import { LoopTurn } from '../../../services/inventory-shard/src/partition/loop-turn.ts';
import type { Snapshot } from '../../../services/inventory-shard/src/rules/turn/snapshot.ts';
import { callId, eventConfig, smallPlan } from '../../support/inventory/house.ts';
import { ownPartition } from '../../support/partition/owner.ts';
import { startNats, type TestNats } from '../../support/servers/nats.ts';

let server: TestNats;
let nats: NatsConnection;
let number = 0;
/** A new event and partition for each test. */
let eventKey = '';

beforeAll(async () => {
  server = await startNats();
  nats = await connect({ servers: server.url });
});
afterAll(async () => {
  await nats.close();
  await server.stop();
});
beforeEach(() => {
  number++;
  eventKey = `night-${number}`;
});

async function owner(name: string) {
  const own = await ownPartition({ nats, number, name });
  return {
    ...own,
    submit: (command: Command) => own.submit(eventKey, command),
    ask: (command: Command) => own.ask(eventKey, command),
  };
}

const create = (): Command => ({ type: 'create', config: eventConfig({ eventKey }) });
const hold = (holdId: string, label: string, ttlMs = 60_000): Command => ({
  type: 'hold',
  holdId,
  ttlMs,
  selections: [{ label }],
});
const kinds = (replies: Reply[]): string[] => replies.map(({ kind }) => kind);

test('An event without a journal is absent until it is created', async () => {
  const one = await owner('one');
  expect((await one.ask(hold('h1', 'A-1'))).kind).toBe('absent');
  expect((await one.ask(create())).kind).toBe('ok');
  expect((await one.ask(hold('h1', 'A-1'))).kind).toBe('ok');
});

test('Commands of one turn become one commit group, and are answered together after its ack', async () => {
  const one = await owner('one');
  await one.ask(create());
  const replies = ['A-1', 'A-2', 'A-2'].map((label, i) => one.submit(hold(`h${i}`, label)));
  one.partition.pump();
  expect(kinds(await Promise.all(replies))).toEqual(['ok', 'ok', 'refused']);
  expect(one.changes).toHaveLength(2);
  expect(one.changes[1]).toMatchObject({ from: one.changes[0]!.to, statuses: [1, 1] });
});

test('A hold expires without any command, and the change tells its units as free', async () => {
  const one = await owner('one');
  await one.ask(create());
  await one.ask(hold('h1', 'A-1', 50));
  await expect.poll(() => one.changes.at(-1)?.statuses, { timeout: 2_000 }).toEqual([0]);
});

test('Another owner folds the same state from the journal, and from a snapshot', async () => {
  const one = await owner('one');
  await one.ask(create());
  await one.ask(hold('h1', 'A-1'));
  await one.ask({ type: 'book', callId: callId(), holdId: 'h1', bookingRef: 'order-1' });
  const seen = await one.ask({ type: 'view' });
  const two = await owner('two');
  expect(stripId(await two.ask({ type: 'view' }))).toEqual(stripId(seen));
  await two.ask(hold('h2', 'A-2'));
  await two.partition.snapshotAll(10_000);
  const three = await owner('three');
  expect(await three.ask({ type: 'count' })).toMatchObject({ value: { counts: { held: 1, booked: 1 } } });
  expect(await three.ask(hold('h3', 'A-1'))).toMatchObject({ kind: 'refused', refusal: { code: 'conflict' } });
});

test('A fenced owner acknowledges nothing, and releases the partition', async () => {
  const old = await owner('old');
  await old.ask(create());
  const fresh = await owner('fresh');
  expect((await old.ask(hold('h1', 'A-1'))).kind).toBe('moved');
  await expect.poll(() => old.released(), { timeout: 5_000 }).toBe(true);
  expect((await old.ask(hold('h1', 'A-1'))).kind).toBe('moved');
  expect((await fresh.ask(hold('h1', 'A-1'))).kind).toBe('ok');
});

test('Groups whose acks were lost are answered by what the stream has of them', async () => {
  const one = await owner('one');
  await one.ask(create());
  const reply = one.submit(hold('h1', 'A-1'));
  one.partition.pump();
  one.journal.breakOff('ack lost');
  expect((await reply).kind).toBe('ok');
  expect(await one.ask(hold('h2', 'A-1'))).toMatchObject({ kind: 'refused', refusal: { code: 'conflict' } });
});

test('A snapshot ahead of the journal is skipped: the journal alone is the truth', async () => {
  const one = await owner('one');
  await one.ask(create());
  await one.ask(hold('h1', 'A-1'));
  await one.partition.snapshotAll(10_000);
  const objects = await new Objm(jetstream(nats)).open('SNAPSHOTS');
  const name = `${eventKey}.0`;
  const ahead = `${eventKey}.1`;
  const { hash } = (await objects.info(name))!.metadata!;
  const snapshot = decodeKept<Snapshot>((await objects.getBlob(name))!);
  const bytes = encodeKept({ ...snapshot, version: 1_000, statuses: snapshot.statuses.fill(0) });
  await objects.putBlob({ name: ahead, metadata: { sequence: '1000', hash: sha256(bytes) } }, bytes);
  expect(hash).not.toBe(sha256(bytes));
  const two = await owner('two');
  expect(await two.ask({ type: 'count' })).toMatchObject({ value: { counts: { held: 1 } } });
});

test('A damaged snapshot is skipped for the one before, then for the whole journal', async () => {
  const one = await owner('one');
  await one.ask(create());
  await one.ask(hold('h1', 'A-1'));
  await one.partition.snapshotAll(10_000);
  await one.ask(hold('h2', 'A-2'));
  await one.partition.snapshotAll(10_000);
  const objects = await new Objm(jetstream(nats)).open('SNAPSHOTS');
  for (const slot of [0, 1]) {
    const name = `${eventKey}.${slot}`;
    const info = await objects.info(name);
    await objects.putBlob({ name, metadata: info!.metadata! }, new Uint8Array([1, 2, 3]));
  }
  const two = await owner('two');
  expect(await two.ask({ type: 'count' })).toMatchObject({ value: { counts: { held: 2 } } });
});

test('An event is folded from the newest intact snapshot, and without the bucket from the whole journal', async () => {
  const one = await owner('one');
  await one.ask(create());
  const sequences: number[] = [];
  for (const [i, label] of ['A-1', 'A-2'].entries()) {
    await one.ask(hold(`h${i}`, label));
    sequences.push(one.changes.at(-1)!.to);
    await one.partition.snapshotAll(5_000);
  }
  const client = jetstream(nats);
  const manager = await jetstreamManager(nats);
  const objects = await new Objm(client).open('SNAPSHOTS');
  const turn = new LoopTurn(systemClock);
  const snapshots = createSnapshotStore(objects, manager, createLog('test', 'silent'), turn);
  const loader = createEventLoader(
    new JournalReader(nats, systemClock),
    manager,
    snapshots,
    async () => smallPlan,
    number,
    turn,
  );
  expect(await snapshots.head(eventKey)).toMatchObject({ sequence: sequences[1], groups: 3 });
  expect(await loader.load(eventKey)).toMatchObject({ storedVersion: sequences[1], state: { groups: 3 } });
  const info = await objects.info(`${eventKey}.1`);
  await objects.putBlob({ name: info!.name, metadata: info!.metadata! }, new Uint8Array([1, 2, 3]));
  expect(await loader.load(eventKey)).toMatchObject({
    storedVersion: sequences[0],
    state: { groups: 3, version: sequences[1], counts: [expect.any(Number), 2, 0, 0] },
  });
  await objects.destroy();
  expect(await loader.load(eventKey)).toMatchObject({ storedVersion: 0, state: { groups: 3, version: sequences[1] } });
});

function stripId(reply: Reply): unknown {
  return { ...reply, id: 0 };
}
