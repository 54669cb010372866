/** A partition changes hands on a real server: the heir reads the roster, and of the journal the groups behind it. */
import { jetstream } from '@nats-io/jetstream';
import { type ObjectStore, Objm } from '@nats-io/obj';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventConfig, hold } from '../../support/inventory/house.ts';
import { ownPartition, type PartitionOwner } from '../../support/partition/owner.ts';
import { startNats, type TestNats } from '../../support/servers/nats.ts';

const EVENTS = 200;
/** The fence alone takes 33 requests. Without a roster each event takes two more. */
const REQUESTS_MAX = 60;
const HOUR_MS = 3_600_000;
const ACTING = 5;

/** An event has one partition for life: its snapshots name sequences of that partition's stream. */
const keysOf = (number: number): string[] => Array.from({ length: EVENTS }, (_, i) => `night-${number}-${i}`);

let server: TestNats;
let nats: NatsConnection;
let objects: ObjectStore;

beforeAll(async () => {
  server = await startNats({ sync: '2m' });
  nats = await connect({ servers: server.url });
  objects = await new Objm(jetstream(nats)).create('SNAPSHOTS');
});
afterAll(async () => {
  await nats.close();
  await server.stop();
});

/** An owner of `EVENTS` events, with an hour's hold in the first `ACTING`, and a stored roster. */
async function fullHouse(number: number): Promise<PartitionOwner> {
  const keys = keysOf(number);
  const owner = await ownPartition({ nats, number, name: 'one' });
  const created = keys.map((eventKey) => owner.submit(eventKey, { type: 'create', config: eventConfig({ eventKey }) }));
  owner.partition.pump();
  await Promise.all(created);
  for (const eventKey of keys.slice(0, ACTING)) await owner.ask(eventKey, { ...hold('h1', 'A-1'), ttlMs: HOUR_MS });
  // No roster is stored before the owner knows the deadlines of all events.
  const roster = async () => {
    await owner.partition.snapshotAll(20_000);
    return objects.info(`_.roster.${number}`);
  };
  await expect.poll(roster).not.toBeNull();
  return owner;
}

const asleepOf = (owner: PartitionOwner) => expect.poll(() => owner.memory.asleep, { timeout: 20_000 });

test('A takeover asks the servers for the roster, and not for events at rest', async () => {
  await fullHouse(0);
  const heir = await connect({ servers: server.url });
  const two = await ownPartition({ nats: heir, number: 0, name: 'two' });
  await asleepOf(two).toBe(ACTING);
  expect(two.memory.activations).toBe(0);
  expect(heir.stats().outMsgs).toBeLessThan(REQUESTS_MAX);
  await heir.close();
});

test('A hold that was made behind the roster ends in time, although no command asks for its event', async () => {
  const one = await fullHouse(1);
  await one.ask(keysOf(1)[9]!, { ...hold('h1', 'A-1'), ttlMs: 10_000 });
  const two = await ownPartition({ nats, number: 1, name: 'two' });
  await asleepOf(two).toBe(ACTING);
  await expect.poll(() => two.memory.loaded).toBe(1);
  const freed = () => two.changes.filter(({ statuses }) => statuses[0] === 0).map(({ eventKey }) => eventKey);
  await expect.poll(freed, { timeout: 20_000 }).toEqual([keysOf(1)[9]]);
});

test.each([
  ['damaged', 2],
  ['missing', 3],
])('Without a usable roster (%s) all events are visited', async (how, number) => {
  await fullHouse(number);
  const name = `_.roster.${number}`;
  const { metadata } = (await objects.info(name))!;
  if (how === 'damaged') await objects.putBlob({ name, metadata: metadata! }, Uint8Array.of(1, 2, 3));
  else await objects.delete(name);
  const two = await ownPartition({ nats, number, name: 'two' });
  await asleepOf(two).toBe(ACTING);
});
