/**
 * An event whose journal lost records, on a real server (I9). It sells again when the operator accepts the loss, or
 * restores the records from the catalog and the snapshot.
 */
import { type JetStreamManager, jetstreamManager } from '@nats-io/jetstream';
import { Kvm } from '@nats-io/kv';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { groupsOf, readGroup } from '@parterre/shared/protocol/journal/messages';
import type { RestoredLoss } from '@parterre/shared/protocol/loss-acceptance';
import { names } from '@parterre/shared/protocol/subjects';
import { type Clock, systemClock } from '@parterre/shared/runtime/clock';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { openAcceptedLosses } from '../../../services/inventory-shard/src/journal/accepted-losses.ts';
import type { Acceptance } from '../../../services/inventory-shard/src/partition/acceptance.ts';
import { eventConfig } from '../../support/inventory/house.ts';
import { knownStream, noLink } from '../../support/journal/links.ts';
import { type CountedByEvent, catalogOf, messagesOf, partsOf, putBack } from '../../support/journal/restored-stream.ts';
import { ownPartition, type PartitionOwner } from '../../support/partition/owner.ts';
import { startNats, type TestNats } from '../../support/servers/nats.ts';

const lossClock: Clock = { ...systemClock, elapsed: () => systemClock.elapsed() * 50 };
const loss = { reason: 'the disk burned', above: 0, givesUp: true };

let server: TestNats;
let nats: NatsConnection;
let manager: JetStreamManager;
let number = 0;
/** The catalog's parts, by event. */
let counted: CountedByEvent;
let owners = 0;

beforeAll(async () => {
  server = await startNats({ sync: '2m' });
  nats = await connect({ servers: server.url });
  manager = await jetstreamManager(nats);
  await new Kvm(nats).create(names.clusterBucket);
}, 120_000);
afterAll(async () => {
  await nats.close();
  await server.stop();
});
beforeEach(() => {
  number++;
  counted = new Map();
});

/** An owner of a stream that lacks counted messages, and that the operator has opened all the same, if `isShort`. */
async function nextOwner(isShort = false): Promise<PartitionOwner> {
  const beyond = { sequence: 1_000_000, link: noLink };
  const short = { ...knownStream, counted: async () => beyond, acceptedUpTo: async () => beyond.sequence };
  const stream = isShort ? short : knownStream;
  const acceptedLosses = await openAcceptedLosses(nats);
  const name = `owner-${++owners}`;
  return ownPartition({ nats, number, name, lossClock, acceptedLosses, counted: catalogOf(() => counted), stream });
}

let calls = 0;
const hold = (owner: PartitionOwner, eventKey: string, label: string) =>
  owner.ask(eventKey, { type: 'hold', holdId: `h-${++calls}`, ttlMs: 3_600_000, selections: [{ label }] });

const book = (owner: PartitionOwner, eventKey: string, label: string, bookingRef = `order-${label}`) =>
  owner.ask(eventKey, { type: 'book-direct', bookingRef, callId: `call-${++calls}`, selections: [{ label }] });

const create = (owner: PartitionOwner, eventKey: string) =>
  owner.ask(eventKey, { type: 'create', config: eventConfig({ eventKey }) });

const isTaken = { kind: 'refused', refusal: { code: 'conflict' } };
const halted = { kind: 'refused', refusal: { code: 'journal_lost_records' } };

/** The catalog counts every message of the stream. */
async function count(): Promise<void> {
  counted = await partsOf(manager, number);
}

async function expectHalted(owner: PartitionOwner, eventKey: string): Promise<void> {
  await vi.waitFor(async () => expect(await hold(owner, eventKey, 'C-8')).toMatchObject(halted), 10_000);
}

function versionOf(acceptance: Acceptance): number {
  if ('refused' in acceptance) throw new Error(acceptance.refused);
  return acceptance.version;
}

async function recordsAt(sequence: number): Promise<object[]> {
  const { subject, data } = (await manager.streams.getMessage(names.journalStream(number), { seq: sequence }))!;
  return groupsOf(subject, data).flatMap((group) => readGroup(group.data).records);
}

async function restore(owner: PartitionOwner, eventKey: string, more: object = {}): Promise<RestoredLoss> {
  const restoration = await owner.partition.restoreLoss(
    { ...loss, givesUp: false, eventKey, isDryRun: false, ...more },
    () => {},
  );
  if ('refused' in restoration) throw new Error(restoration.refused);
  return restoration;
}

describe('accepted', () => {
  test('behind an older copy of the stream, which ends before the snapshot', async () => {
    const key = `older-${number}`;
    const one = await nextOwner();
    await create(one, key);
    await hold(one, key, 'A-1');
    const copy = await messagesOf(manager, number);
    let last = 0;
    for (const label of ['B-1', 'B-2', 'B-3', 'B-4']) last = (await hold(one, key, label)).version!;
    await one.partition.snapshotAll(5_000);
    one.partition.close();
    await putBack(nats, manager, number, copy);

    const two = await nextOwner();
    await create(two, `beside-${number}`);
    await expectHalted(two, key);
    const told: number[] = [];
    const acceptance = await two.partition.acceptLoss({ ...loss, eventKey: key, above: last + 70 }, (filled) =>
      told.push(filled),
    );
    const version = versionOf(acceptance);
    expect(version).toBeGreaterThan(last + 70);
    expect(await recordsAt(version)).toMatchObject([
      { type: 'accepted', reason: 'the disk burned', lostTo: last + 70 },
    ]);
    // The kept hold stands, and the lost seats are free.
    expect(await hold(two, key, 'A-1')).toMatchObject({ kind: 'refused' });
    const sold = await hold(two, key, 'B-1');
    expect(sold).toMatchObject({ kind: 'ok' });
    expect(sold.version).toBeGreaterThan(version);
    expect(await hold(two, `beside-${number}`, 'A-1')).toMatchObject({ kind: 'ok' });
    expect(told).not.toEqual([]);
    two.partition.close();

    // The next owner has no memory of the acceptance but the journal's and the note.
    const three = await nextOwner();
    expect(await hold(three, key, 'B-1')).toMatchObject({ kind: 'refused', refusal: { code: 'conflict' } });
    expect(await hold(three, key, 'B-2')).toMatchObject({ kind: 'ok' });
    three.partition.close();
  });

  test('behind a part that follows a lost one, and with a note that the next owner reads', async () => {
    const key = `gap-${number}`;
    const one = await nextOwner();
    await create(one, key);
    await hold(one, key, 'A-1');
    const { version: lost } = await hold(one, key, 'A-2');
    const { version: last } = await hold(one, key, 'A-3');
    one.partition.close();
    const all = await messagesOf(manager, number);
    await putBack(
      nats,
      manager,
      number,
      all.filter(({ seq }) => seq !== lost),
    );

    const two = await nextOwner();
    await expectHalted(two, key);
    const acceptance = await two.partition.acceptLoss({ ...loss, eventKey: key, above: last! }, () => {});
    expect(versionOf(acceptance)).toBeGreaterThan(last!);
    expect(acceptance).toMatchObject({ passedOver: 1, lostFrom: lost });
    expect(await hold(two, key, 'A-1')).toMatchObject({ kind: 'refused' });
    expect(await hold(two, key, 'A-2')).toMatchObject({ kind: 'ok' });
    two.partition.close();
    const three = await nextOwner();
    expect(await hold(three, key, 'A-2')).toMatchObject({ kind: 'refused', refusal: { code: 'conflict' } });
    expect(await hold(three, key, 'A-3')).toMatchObject({ kind: 'ok' });
    three.partition.close();
  });

  test('with nothing left but a snapshot', async () => {
    const key = `bare-${number}`;
    const one = await nextOwner();
    const [fence] = await messagesOf(manager, number);
    await create(one, key);
    const { version: last } = await hold(one, key, 'A-1');
    await one.partition.snapshotAll(5_000);
    one.partition.close();
    await putBack(nats, manager, number, [fence!]);

    const two = await nextOwner();
    await expectHalted(two, key);
    const version = versionOf(await two.partition.acceptLoss({ ...loss, eventKey: key }, () => {}));
    expect(version).toBeGreaterThan(last!);
    expect(await recordsAt(version)).toMatchObject([
      { type: 'created' },
      { type: 'accepted', lostFrom: 1, lostTo: last },
    ]);
    expect(await hold(two, key, 'A-1')).toMatchObject({ kind: 'ok' });
    two.partition.close();
  });

  test('An event that has lost nothing is not accepted, loaded or not', async () => {
    const key = `whole-${number}`;
    const one = await nextOwner();
    await create(one, key);
    const refused = { refused: 'The journal has every record of this event that anybody knows of.' };
    expect(await one.partition.acceptLoss({ ...loss, eventKey: key }, () => {})).toEqual(refused);
    one.partition.close();
    const two = await nextOwner();
    expect(await two.partition.acceptLoss({ ...loss, eventKey: key }, () => {})).toEqual(refused);
    expect(await hold(two, key, 'A-1')).toMatchObject({ kind: 'ok' });
    two.partition.close();
  });
});

describe('restored', () => {
  test('a lost tail comes back from the catalog as it was, after a dry run that writes nothing', async () => {
    const key = `tail-${number}`;
    const one = await nextOwner();
    await create(one, key);
    await book(one, key, 'A-1');
    const copy = await messagesOf(manager, number);
    for (const label of ['B-1', 'B-2', 'B-3']) await book(one, key, label);
    await count();
    one.partition.close();
    await putBack(nats, manager, number, copy);

    const two = await nextOwner(true);
    await create(two, `beside-${number}`);
    await expectHalted(two, key);
    // Events that lost nothing are served.
    expect(await book(two, `beside-${number}`, 'A-1')).toMatchObject({ kind: 'ok' });
    const before = (await messagesOf(manager, number)).length;
    const bookings = ['B-1', 'B-2', 'B-3'].map((label) => ({ bookingRef: `order-${label}`, labels: [label] }));
    const lost = counted.get(key)!;
    const told = { parts: 3, seats: 3, bookings, conflicts: [], passedOver: 0, lostTo: lost.at(-1)!.sequence };
    expect(await restore(two, key, { isDryRun: true })).toMatchObject({ version: 0, ...told });
    expect((await messagesOf(manager, number)).length).toBe(before);
    await expectHalted(two, key);

    const { version } = await restore(two, key);
    expect(version).toBeGreaterThan(told.lostTo);
    for (const label of ['A-1', 'B-1', 'B-2', 'B-3']) expect(await book(two, key, label, 'x')).toMatchObject(isTaken);
    const sold = await book(two, key, 'C-1');
    expect(sold).toMatchObject({ kind: 'ok' });
    expect(sold.version).toBeGreaterThan(version);
    // The restored parts name the lost ones.
    const written = (await messagesOf(manager, number)).flatMap(({ subject, data }) => groupsOf(subject, data));
    const restored = written.map(({ data }) => readGroup(data).records).filter(([first]) => first?.type === 'restored');
    expect(restored.map(([first]) => first)).toMatchObject(
      lost.slice(-3).map(({ sequence }, index) => ({ sequence, left: 2 - index, reason: 'the disk burned' })),
    );
    two.partition.close();
    const three = await nextOwner();
    expect(await book(three, key, 'B-2', 'x')).toMatchObject(isTaken);
    three.partition.close();
  });

  test('a lost middle comes back with the parts behind it', async () => {
    const key = `middle-${number}`;
    const one = await nextOwner();
    await create(one, key);
    const { version: lost } = await book(one, key, 'A-1');
    await book(one, key, 'A-2');
    await book(one, key, 'A-3');
    await count();
    one.partition.close();
    const all = await messagesOf(manager, number);
    await putBack(
      nats,
      manager,
      number,
      all.filter(({ seq }) => seq !== lost),
    );

    const two = await nextOwner();
    await expectHalted(two, key);
    expect(await restore(two, key)).toMatchObject({ parts: 3, seats: 3, passedOver: 0 });
    for (const label of ['A-1', 'A-2', 'A-3']) expect(await book(two, key, label, 'x')).toMatchObject(isTaken);
    two.partition.close();
  });

  test('an event of which the journal has nothing comes back whole, and is not made anew before', async () => {
    const key = `gone-${number}`;
    const one = await nextOwner();
    const [fence] = await messagesOf(manager, number);
    await create(one, key);
    await book(one, key, 'A-1');
    await count();
    one.partition.close();
    await putBack(nats, manager, number, [fence!]);

    const two = await nextOwner();
    await vi.waitFor(async () => expect(await create(two, key)).toMatchObject(halted), 10_000);
    await restore(two, key);
    expect(await book(two, key, 'A-1', 'x')).toMatchObject(isTaken);
    expect(await book(two, key, 'A-2')).toMatchObject({ kind: 'ok' });
    two.partition.close();
  });

  test('bookings that only a snapshot has are booked again', async () => {
    const key = `parted-${number}`;
    const one = await nextOwner();
    await create(one, key);
    const copy = await messagesOf(manager, number);
    for (const label of ['A-1', 'A-2', 'A-3']) await book(one, key, label);
    await one.partition.snapshotAll(5_000);
    one.partition.close();
    await putBack(nats, manager, number, copy);

    const two = await nextOwner();
    await expectHalted(two, key);
    const restored = await restore(two, key);
    expect(restored).toMatchObject({ parts: 0, seats: 3 });
    for (const label of ['A-1', 'A-2', 'A-3']) expect(await book(two, key, label, 'x')).toMatchObject(isTaken);
    expect(await book(two, key, 'A-1')).toMatchObject({ kind: 'ok' });
    two.partition.close();
  });

  test('a restoration that stopped halts its event, and goes on', async () => {
    const key = `stopped-${number}`;
    const one = await nextOwner();
    await create(one, key);
    const copy = await messagesOf(manager, number);
    for (const label of ['B-1', 'B-2', 'B-3']) await book(one, key, label);
    await count();
    one.partition.close();
    await putBack(nats, manager, number, copy);

    const two = await nextOwner(true);
    await expectHalted(two, key);
    await restore(two, key);
    two.partition.close();
    // The last restored part, and everything behind it, is gone.
    const all = await messagesOf(manager, number);
    const isPartOfEvent = ({ subject, data }: (typeof all)[number]) =>
      groupsOf(subject, data).some(({ eventKey }) => eventKey === key);
    const last = all.findLastIndex(isPartOfEvent);
    await putBack(nats, manager, number, all.slice(0, last));

    const three = await nextOwner();
    await expectHalted(three, key);
    expect(await restore(three, key)).toMatchObject({ parts: 1, bookings: [{ bookingRef: 'order-B-3' }] });
    for (const label of ['B-1', 'B-2', 'B-3']) expect(await book(three, key, label, 'x')).toMatchObject(isTaken);
    three.partition.close();
  });

  test('without the lost records anywhere a restoration is refused', async () => {
    const key = `nowhere-${number}`;
    const one = await nextOwner();
    await create(one, key);
    await book(one, key, 'A-1');
    const copy = await messagesOf(manager, number);
    await book(one, key, 'A-2');
    await count();
    // The catalog has nothing but the last part, whose history it cannot show.
    const parts = counted.get(key)!;
    one.partition.close();
    await putBack(nats, manager, number, copy.slice(0, 2));
    counted.set(key, parts.slice(-1));

    const two = await nextOwner(true);
    await expectHalted(two, key);
    await expect(restore(two, key)).rejects.toThrow('No snapshot and no catalog has the lost records');
    two.partition.close();
  });
});
