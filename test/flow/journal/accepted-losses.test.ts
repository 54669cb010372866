/** An event whose journal lost records sells again when the operator accepts the loss, on a real server (I9). */
import { type JetStreamManager, jetstreamManager } from '@nats-io/jetstream';
import { Kvm } from '@nats-io/kv';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { groupsOf, readGroup } from '@parterre/shared/protocol/journal/messages';
import { names } from '@parterre/shared/protocol/subjects';
import { type Clock, systemClock } from '@parterre/shared/runtime/clock';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { openAcceptedLosses } from '../../../services/inventory-shard/src/journal/accepted-losses.ts';
import type { Acceptance } from '../../../services/inventory-shard/src/partition/acceptance.ts';
import { eventConfig } from '../../support/inventory/house.ts';
import { messagesOf, putBack } from '../../support/journal/restored-stream.ts';
import { ownPartition, type PartitionOwner } from '../../support/partition/owner.ts';
import { startNats, type TestNats } from '../../support/servers/nats.ts';

const lossClock: Clock = { ...systemClock, elapsed: () => systemClock.elapsed() * 50 };
const loss = { reason: 'the disk burned', above: 0, givesUp: true };

let server: TestNats;
let nats: NatsConnection;
let manager: JetStreamManager;
let number = 0;
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
});

async function nextOwner(): Promise<PartitionOwner> {
  const name = `owner-${++owners}`;
  return ownPartition({ nats, number, name, lossClock, acceptedLosses: await openAcceptedLosses(nats) });
}

let holds = 0;
const hold = (owner: PartitionOwner, eventKey: string, label: string) =>
  owner.ask(eventKey, { type: 'hold', holdId: `h-${++holds}`, ttlMs: 3_600_000, selections: [{ label }] });

const create = (owner: PartitionOwner, eventKey: string) =>
  owner.ask(eventKey, { type: 'create', config: eventConfig({ eventKey }) });

const halted = { kind: 'refused', refusal: { code: 'journal_lost_records' } };

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
  expect(await recordsAt(version)).toMatchObject([{ type: 'accepted', reason: 'the disk burned', lostTo: last + 70 }]);
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
