/** 5,000 events on one shard with memory for a few hundred, 200 of them busy: a real server, one partition. */
import { connect, type NatsConnection } from '@nats-io/transport-node';
import type { Command, Reply } from '@parterre/shared/protocol/commands';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newState } from '../../../services/inventory-shard/src/rules/state/state.ts';
import { bytesOf, bytesOfPlan } from '../../../services/inventory-shard/src/rules/turn/size.ts';
import { eventConfig, hold, smallPlan } from '../../support/inventory/house.ts';
import { ownPartition, type PartitionOwner } from '../../support/partition/owner.ts';
import { startNats, type TestNats } from '../../support/servers/nats.ts';

const EVENTS = 5_000;
const BUSY = 200;
const BATCH = 400;
const EXPIRING = 300;
const KEPT = 150;
const EXPIRY_MS = 10_000;
const ROOM = 800;
/**
 * The most retries of one command. An owner may pause that often, for example after a late ack, before the test calls
 * it a fault.
 */
const ASKED_AGAIN_MAX = 20;
const bytesMax = bytesOfPlan(smallPlan) + ROOM * bytesOf(newState(eventConfig(), smallPlan));

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

const keyOf = (i: number): string => `night-${i}`;
const range = (from: number, count: number): string[] => Array.from({ length: count }, (_, i) => keyOf(from + i));
const holdFor = (ttlMs: number): Command => ({ ...hold('h1', 'A-1'), ttlMs });
const kindsOf = (replies: Reply[]): string[] => [...new Set(replies.map(({ kind }) => kind))];

test('With little memory for many events all answer, deadlines are kept and nothing is lost', {
  timeout: 120_000,
}, async () => {
  const one = await ownPartition({ nats, number: 0, name: 'one', bytesMax });
  let peak = 0;
  /**
   * Asks each event in batches, together with a count on every busy event, and waits until memory is within its bound.
   */
  async function askAll(eventKeys: string[], command: (eventKey: string) => Command): Promise<Reply[]> {
    const replies: Reply[] = [];
    for (let first = 0; first < eventKeys.length; first += BATCH) {
      const batch = eventKeys.slice(first, first + BATCH).map((key) => toldBy(one, key, command(key)));
      for (const key of range(0, BUSY)) void one.submit(key, { type: 'count' });
      one.partition.pump();
      replies.push(...(await Promise.all(batch)));
      peak = Math.max(peak, one.memory.loaded);
      await expect.poll(() => one.memory.bytes, { timeout: 20_000, interval: 5 }).toBeLessThanOrEqual(bytesMax);
    }
    return replies;
  }

  const created = await askAll(range(0, EVENTS), (eventKey) => ({ type: 'create', config: eventConfig({ eventKey }) }));
  expect(kindsOf(created)).toEqual(['ok']);
  expect(peak).toBeLessThanOrEqual(ROOM + BATCH + BUSY);

  const kept = range(BUSY, KEPT);
  const expiring = range(1_000, EXPIRING);
  expect(kindsOf(await askAll(kept, () => holdFor(3_600_000)))).toEqual(['ok']);
  const held = await askAll(expiring, () => holdFor(EXPIRY_MS));
  expect(kindsOf(held)).toEqual(['ok']);
  const dueAt = new Map(expiring.map((key, i) => [key, expiryOf(held[i]!)]));
  // Other events push these out of memory before they are due.
  expect(kindsOf(await askAll(range(3_000, ROOM + EXPIRING), () => ({ type: 'count' })))).toEqual(['ok']);
  expect(one.memory.asleep).toBeGreaterThan(KEPT);

  const freed = () => one.changes.filter(({ statuses }) => statuses[0] === 0);
  await expect.poll(() => freed().length, { timeout: 30_000 }).toBe(EXPIRING);
  expect(new Set(freed().map(({ eventKey }) => eventKey))).toEqual(new Set(expiring));
  const lateMs = freed().map(({ eventKey, at }) => at - dueAt.get(eventKey)!);
  expect(Math.min(...lateMs)).toBeGreaterThanOrEqual(0);

  await one.partition.snapshotAll(20_000);
  const two = await ownPartition({ nats, number: 0, name: 'two', bytesMax });
  await expect.poll(() => two.memory.asleep, { timeout: 30_000 }).toBe(KEPT);
  expect(two.memory.activations).toBe(0);
  async function counts(eventKeys: string[]) {
    const told = eventKeys.map((key) => toldBy(two, key, { type: 'count' }));
    two.partition.pump();
    return new Set((await Promise.all(told)).map(heldIn));
  }
  expect(await counts(kept)).toEqual(new Set([1]));
  expect(await counts([...range(0, BUSY), ...expiring, ...range(4_500, 500)])).toEqual(new Set([0]));
});

/** Repeats a command that was answered `moved`, as front doors do. `partition.pump()` must follow. */
async function toldBy(owner: PartitionOwner, eventKey: string, command: Command): Promise<Reply> {
  let reply = await owner.submit(eventKey, command);
  for (let again = 0; reply.kind === 'moved' && again < ASKED_AGAIN_MAX; again++) {
    reply = await owner.ask(eventKey, command);
  }
  return reply;
}

function heldIn(reply: Reply): unknown {
  return reply.kind === 'ok' ? (reply.value as { counts: { held: number } }).counts.held : reply.kind;
}

function expiryOf(reply: Reply): number {
  if (reply.kind !== 'ok') throw new Error(`not held: ${reply.kind}`);
  return (reply.value as { expiresAt: number }).expiresAt;
}
