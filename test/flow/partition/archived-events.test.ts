/**
 * An archived event answers from its snapshot: after it has left memory, and at its next owner. The test cuts the
 * journal down to its last message, so that a read from the beginning would fail. No deployment does so.
 */
import { jetstreamManager, RetentionPolicy, StorageType } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import type { Command, Reply } from '@parterre/shared/protocol/commands';
import { names, subjects } from '@parterre/shared/protocol/subjects';
import { expect, test } from 'vitest';
import { block, book, callId, direct, eventConfig, hold } from '../../support/inventory/house.ts';
import { ownPartition, type PartitionOwner } from '../../support/partition/owner.ts';
import { startNats } from '../../support/servers/nats.ts';

const sales: Command[] = [
  { type: 'create', config: eventConfig({ eventKey: 'gala' }) },
  hold('h1', 'A-1', 'A-2', 'C-1'),
  book('h1', 'order-1', ['A-1']),
  hold('h2', 'T1'),
  { type: 'release', callId: callId(), holdId: 'h2' },
  direct('order-2', 'B-1', 'Standing'),
  { type: 'unbook', callId: callId(), bookingRef: 'order-2', labels: ['B-1'] },
  block('B-2', 'B-3'),
];
const archive: Command = { type: 'move', callId: callId(), move: 'archive' };

const reads: Command[] = [
  { type: 'report' },
  { type: 'unit-columns', from: 0 },
  { type: 'inspect-hold', holdId: 'h1' },
  { type: 'inspect-hold', holdId: 'h2' },
  { type: 'count' },
  { type: 'view' },
];

async function told({ ask }: PartitionOwner, command: Command): Promise<object> {
  const reply: Reply = await ask('gala', command);
  if (reply.kind !== 'ok') throw new Error(`${command.type}: ${JSON.stringify(reply)}`);
  return reply.value as object;
}

async function readAll(owner: PartitionOwner): Promise<object[]> {
  const answers = [];
  for (const command of reads) answers.push(await told(owner, command));
  return answers;
}

/** The answers without the fields that the archive itself changes. */
function withoutMove(answers: object[]): object[] {
  return answers.map((answer) => ({ ...answer, version: null, updatedAt: null, status: null }));
}

test('An archived event answers the same after it has left memory, and at its next owner', async () => {
  const server = await startNats({ sync: '2m' });
  const nats = await connect({ servers: server.url });
  try {
    const manager = await jetstreamManager(nats);
    const name = names.journalStream(0);
    const filter = subjects.journal(0, 'gala');
    const kept = { retention: RetentionPolicy.Limits, storage: StorageType.File };
    await manager.streams.add({ name, subjects: [subjects.journalOfPartition(0)], ...kept });
    // With no memory budget: each event leaves memory as soon as no caller waits for it.
    const one = await ownPartition({ nats, number: 0, name: 'one', bytesMax: 0 });
    for (const command of sales) await told(one, command);
    const before = await readAll(one);
    await told(one, archive);
    const archived = await readAll(one);
    expect(withoutMove(archived)).toEqual(withoutMove(before));

    await expect.poll(() => one.memory.loaded).toBe(0);
    expect((await manager.streams.purge(name, { filter, keep: 1 })).purged).toBe(sales.length);
    expect(await readAll(one)).toEqual(archived);

    const two = await ownPartition({ nats, number: 0, name: 'two' });
    expect(await readAll(two)).toEqual(archived);
    expect(await two.ask('gala', hold('h3', 'A-5'))).toMatchObject({ kind: 'refused' });
  } finally {
    await nats.close();
    await server.stop();
  }
});
