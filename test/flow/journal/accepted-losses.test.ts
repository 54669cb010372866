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
const loss = { reason: 'the disk burned', above: 0 };

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
  two.partition.close();

  // The next owner has no memory of the acceptance but the journal's and the note.
  const three = await nextOwner();
  expect(await hold(three, key, 'B-1')).toMatchObject({ kind: 'refused', refusal: { code: 'conflict' } });
  expect(await hold(three, key, 'B-2')).toMatchObject({ kind: 'ok' });
  three.partition.close();
});
