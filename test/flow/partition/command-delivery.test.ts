/**
 * Commands as a shard receives them: an unreadable batch affects no other batch, and a failed start leaves no
 * subscription.
 */
import { connect, type NatsConnection } from '@nats-io/transport-node';
import type { Command, Envelope } from '@parterre/shared/protocol/commands';
import { subjects } from '@parterre/shared/protocol/subjects';
import { encode } from '@parterre/shared/protocol/wire';
import { createLog } from '@parterre/shared/runtime/log';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Budgets } from '../../../services/inventory-shard/src/partition/budgets.ts';
import { deliverCommands } from '../../../services/inventory-shard/src/partition/commands.ts';
import type { Partition } from '../../../services/inventory-shard/src/partition/partition.ts';
import { server as caller } from '../../support/inventory/house.ts';
import { startNats, type TestNats } from '../../support/servers/nats.ts';

const epoch = 3;
const log = createLog('test', 'silent');
let server: TestNats;
let nats: NatsConnection;

beforeAll(async () => {
  server = await startNats();
  nats = await connect({ servers: server.url });
}, 60_000);
afterAll(async () => {
  await nats?.close();
  await server?.stop();
});

/** The part of a partition that receives commands. */
function takingPartition(onCommand: (envelope: Envelope) => void): Partition {
  const submit = ({ envelope }: { envelope: Envelope }): void => onCommand(envelope);
  return { epoch, state: 'serving', submit, pump: () => {} } as unknown as Partition;
}

const noBudgets = { take: () => false } as unknown as Budgets;

test('An unreadable batch is skipped, and the next one is received', async () => {
  const number = 1;
  const taken = new Promise<Envelope>((resolve) => {
    void deliverCommands({ nats, log }, number, takingPartition(resolve), noBudgets);
  });
  const unreadable = Uint8Array.of(0xc1, 0xff);
  const batch: Envelope[] = [{ id: 7, eventKey: 'night', caller, command: { type: 'count' } }];
  for (const payload of [unreadable, encode(batch)]) {
    nats.publish(subjects.commandsOfEpoch(number, epoch), payload, { reply: 'inbox.1' });
  }
  expect(await taken).toEqual(batch[0]);
});

test('A halted partition counts budgets, since other events need them', async () => {
  const counting = new Promise<boolean>((resolve) => {
    const budgets = { take: (...[, , mayCount]: Parameters<Budgets['take']>) => resolve(mayCount) };
    const halted = Object.assign(
      takingPartition(() => {}),
      { epoch: 0, state: 'halted' },
    );
    void deliverCommands({ nats, log }, 4, halted, budgets as unknown as Budgets);
  });
  const command: Command = { type: 'spend', limit: 1, windowMs: 1_000 };
  const batch: Envelope[] = [{ id: 7, eventKey: 'budget', caller, command }];
  nats.publish(subjects.commands(4), encode(batch), { reply: 'inbox.1' });
  expect(await counting).toBe(true);
});

test('A delivery that the servers did not confirm in time closes all its subscriptions', async () => {
  const opened: { isClosed(): boolean }[] = [];
  const failing = {
    subscribe: (...of: Parameters<NatsConnection['subscribe']>) => {
      const subscription = nats.subscribe(...of);
      opened.push(subscription);
      return subscription;
    },
    flush: () => Promise.reject(new Error('connection disconnected')),
  } as unknown as NatsConnection;
  const delivery = deliverCommands(
    { nats: failing, log },
    2,
    takingPartition(() => {}),
    noBudgets,
  );
  await expect(delivery).rejects.toThrow('connection disconnected');
  expect(opened.map((subscription) => subscription.isClosed())).toEqual([true, true]);
});
