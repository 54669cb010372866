/**
 * Parts, locks and reservations outlive the memory of their owner and their owner itself. The test cuts the journal
 * down to its last message, so that a read from the beginning would fail. No deployment does so.
 */
import { jetstreamManager, RetentionPolicy, StorageType } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import type { Command } from '@parterre/shared/protocol/commands';
import { names, subjects } from '@parterre/shared/protocol/subjects';
import { expect, test } from 'vitest';
import { callId, eventConfig, hold } from '../../support/inventory/house.ts';
import { lock, offerHere, operationHere } from '../../support/operations/one-event.ts';
import { ownPartition, type PartitionOwner } from '../../support/partition/owner.ts';
import { startNats } from '../../support/servers/nats.ts';

const eventKey = 'encore';
const HOUR = 3_600_000;
const [held, booked, released] = ['sop_1', 'sop_2', 'sop_3'].map((id) => operationHere(id, ['gala', eventKey]));
const [kept, freed, sold] = ['sro_1', 'sro_2', 'sro_3'].map(offerHere);

/** The commands act until an hour ahead of now, since this partition has the clock of the machine. */
function inTime(command: Command): Command {
  return 'actsUntil' in command ? { ...command, actsUntil: Date.now() + HOUR } : command;
}

const before: Command[] = [
  { type: 'create', config: eventConfig({ eventKey }) },
  lock,
  held!.hold(Date.now() + HOUR, 'A-1'),
  booked!.hold(Date.now() + HOUR, 'A-2'),
  booked!.pin,
  booked!.book,
  released!.hold(Date.now() + HOUR, 'A-3'),
  released!.release,
  kept!.reserve('B-1', 'Standing'),
  freed!.reserve('B-2'),
  freed!.unreserve,
  sold!.reserve('B-3'),
  sold!.book,
  held!.pin,
];
/** Repetitions and reads: they change nothing. */
const asked: Command[] = [
  held!.inspect,
  booked!.inspect,
  released!.inspect,
  { type: 'inspect-locks' },
  { type: 'count' },
  held!.pin,
  booked!.book,
  kept!.reserve('B-1', 'Standing'),
  freed!.unreserve,
  sold!.book,
  { type: 'inspect-units', selections: ['A-1', 'A-3', 'B-1', 'B-2', 'B-3'].map((label) => ({ label })) },
];

async function told({ ask }: PartitionOwner, command: Command): Promise<object> {
  const reply = await ask(eventKey, inTime(command));
  if (reply.kind !== 'ok') throw new Error(`${command.type}: ${JSON.stringify(reply)}`);
  return reply.value as object;
}

async function tellAll(owner: PartitionOwner): Promise<object[]> {
  const answers = [];
  for (const command of asked) answers.push(await told(owner, command));
  return answers;
}

test('An event answers the same about operations and offers from its snapshot, and goes on with them', async () => {
  const server = await startNats({ sync: '2m' });
  const nats = await connect({ servers: server.url });
  try {
    const manager = await jetstreamManager(nats);
    const name = names.journalStream(0);
    const filter = subjects.journal(0, eventKey);
    const limits = { retention: RetentionPolicy.Limits, storage: StorageType.File };
    await manager.streams.add({ name, subjects: [subjects.journalOfPartition(0)], ...limits });
    // With no memory budget: each event leaves memory as soon as no caller waits for it.
    const one = await ownPartition({ nats, number: 0, name: 'one', bytesMax: 0 });
    for (const command of before) await told(one, command);
    const first = await tellAll(one);
    await expect.poll(() => one.memory.loaded).toBe(0);
    // A snapshot stands behind the last message, so the purge leaves nothing that is needed.
    await told(one, { type: 'set-hold-ttl', callId: callId(), holdTtlMs: null });
    await expect.poll(() => one.memory.loaded).toBe(0);
    await manager.streams.purge(name, { filter, keep: 1 });

    const two = await ownPartition({ nats, number: 0, name: 'two' });
    const again = await tellAll(two);
    expect(again.map((answer) => ({ ...answer, version: null }))).toEqual(
      first.map((answer) => ({ ...answer, version: null })),
    );
    expect(await two.ask(eventKey, hold('h1', 'B-1'))).toMatchObject({ kind: 'refused' });
    expect(await two.ask(eventKey, inTime(freed!.reserve('B-2')))).toMatchObject({ refusal: { reason: 'offer_over' } });
    expect(await told(two, held!.book)).toMatchObject({ state: 'booked' });
    expect(await told(two, kept!.book)).toMatchObject({ booked: ['B-1', '__sl_ga__ga__1'] });
  } finally {
    await nats.close();
    await server.stop();
  }
});
