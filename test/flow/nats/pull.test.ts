/**
 * Pulls from a replicated consumer. A message comes only once the copies know of it, so it may come after the server's
 * status that there are no more. Every message that was asked for must arrive all the same.
 */
import { AckPolicy, jetstream, jetstreamManager } from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { systemClock } from '@parterre/shared/runtime/clock';
import { type PullBounds, pull } from '@parterre/shared/runtime/pull';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startNatsCluster, type TestNatsCluster } from '../../support/servers/nats.ts';

const ROUNDS = 20;
const MESSAGES = 30;
let cluster: TestNatsCluster;
let nats: NatsConnection;

const ask = (bounds: PullBounds) =>
  pull({ nats, clock: systemClock, stream: 'S', consumer: 'c' }, bounds, new AbortController().signal);

beforeAll(async () => {
  cluster = await startNatsCluster(3, { sync: '2m' });
  nats = await connect({ servers: cluster.url.split(',') });
  const manager = await jetstreamManager(nats);
  await manager.streams.add({ name: 'S', subjects: ['s'], num_replicas: 3 });
  await manager.consumers.add('S', { durable_name: 'c', ack_policy: AckPolicy.Explicit });
  // Retried until the consumer has a leader.
  const empty = () => ask({ messages: 1, bytes: null, waitMs: 100 }).catch(() => null);
  await vi.waitUntil(async () => (await empty())?.length === 0, { timeout: 20_000 });
}, 60_000);
afterAll(async () => {
  await nats?.close();
  await cluster?.stop();
});

/**
 * Publishes a round's messages. Resolves with the number of messages that reached all of `askers`, who asked at once.
 */
async function pulledBy(askers: number): Promise<number> {
  const client = jetstream(nats);
  for (let nth = 0; nth < MESSAGES; nth++) await client.publish('s', 'a message');
  const manager = await jetstreamManager(nats);
  const waiting = async () => (await manager.consumers.info('S', 'c')).num_pending;
  await expect.poll(waiting, { timeout: 10_000 }).toBe(MESSAGES);
  const bounds = { messages: MESSAGES, bytes: 1_000_000, waitMs: 0 };
  const messages = (await Promise.all(Array.from({ length: askers }, () => ask(bounds)))).flat();
  for (const message of messages) message.ack();
  return messages.length;
}

test('a pull gets every message that is there', { timeout: 60_000 }, async () => {
  for (let nth = 0; nth < ROUNDS; nth++) expect(await pulledBy(1)).toBe(MESSAGES);
});

test('concurrent pulls get every message between them', { timeout: 60_000 }, async () => {
  for (let nth = 0; nth < ROUNDS; nth++) expect(await pulledBy(2)).toBe(MESSAGES);
});
