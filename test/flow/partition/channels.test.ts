/**
 * Channels of an event against a real server: the changes that front doors hear, and the state that another owner
 * loads.
 */
import { connect, type NatsConnection } from '@nats-io/transport-node';
import type { EventView } from '@parterre/shared/protocol/answers';
import type { Command, Reply } from '@parterre/shared/protocol/commands';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { archive, assign, change, create, turn } from '../../support/inventory/channels.ts';
import { eventConfig, hold } from '../../support/inventory/house.ts';
import { ownPartition } from '../../support/partition/owner.ts';
import { startNats, type TestNats } from '../../support/servers/nats.ts';

let server: TestNats;
let nats: NatsConnection;
const eventKey = 'night-0';

beforeAll(async () => {
  server = await startNats();
  nats = await connect({ servers: server.url });
});
afterAll(async () => {
  await nats.close();
  await server.stop();
});

const answerIn = <T>(reply: Reply): T => (reply as unknown as { value: T }).value;

test('A channel change bumps the allocation and names no units, and every change counts the active holds', async () => {
  const own = async (name: string) => {
    const owner = await ownPartition({ nats, number: 0, name });
    return { ...owner, ask: (command: Command) => owner.ask(eventKey, command) };
  };
  const one = await own('one');
  await one.ask({ type: 'create', config: eventConfig({ eventKey }) });
  for (const command of [
    create('a'),
    change('a', { priceOverrides: [{ categoryKey: 'stalls', tierId: null, price: 5 }] }),
    hold('h1', 'B-1'),
    assign('a', 0, 'B-1'),
    assign('a', 0, 'A-1', 'A-2'),
    turn('a', 'paused'),
  ]) {
    expect(await one.ask(command)).toMatchObject({ kind: 'ok' });
  }
  const told = one.changes.map(({ allocation, units, activeHolds }) => ({
    allocation,
    units: units.length,
    activeHolds,
  }));
  expect(told).toEqual([
    { allocation: undefined, units: 0, activeHolds: 0 },
    { allocation: undefined, units: 0, activeHolds: 0 },
    { allocation: undefined, units: 0, activeHolds: 0 },
    { allocation: undefined, units: 1, activeHolds: 1 },
    { allocation: undefined, units: 0, activeHolds: 1 },
    { allocation: 1, units: 0, activeHolds: 1 },
    { allocation: 2, units: 0, activeHolds: 1 },
  ]);
  const seen = answerIn<EventView>(await one.ask({ type: 'view' }));
  expect(seen).toMatchObject({ activeHolds: 1, allocation: { version: 2, channelIds: ['a'], closed: ['a'] } });
  await one.partition.snapshotAll(10_000);
  const two = await own('two');
  const again = answerIn<EventView>(await two.ask({ type: 'view' }));
  expect(again).toEqual(seen);
  expect(two.memory.bytes).toBe(one.memory.bytes);
  expect(await two.ask(archive('a', null))).toMatchObject({ value: { assignmentVersion: 3, moved: { units: 2 } } });
  expect(two.changes.at(-1)).toMatchObject({ allocation: 3, units: [] });
});
