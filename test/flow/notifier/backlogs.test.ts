/**
 * Backlogs on a real NATS server: every notifier drains them in order, and bodies too long for a queue are made again.
 */

import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { DiscardPolicy, jetstream, jetstreamManager, RetentionPolicy } from '@nats-io/jetstream';
import type { SigningSub } from '@parterre/shared/protocol/catalog/webhooks';
import { done, refuse } from '@parterre/shared/protocol/errors';
import type { JournalRecord } from '@parterre/shared/protocol/records';
import { names, subjects } from '@parterre/shared/protocol/subjects';
import { retriesPerSubscriptionMax } from '@parterre/shared/protocol/webhook-limits';
import type { CatalogClient } from '@parterre/shared/runtime/catalog-client';
import { systemClock } from '@parterre/shared/runtime/clock';
import { connectNats, type NatsConnection } from '@parterre/shared/runtime/nats';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { type Notifier, startNotifier } from '../../../services/notifier/src/start.ts';
import { commitMessage } from '../../support/journal/stored-messages.ts';
import { event, plan } from '../../support/notifier/plan.ts';
import { startNats } from '../../support/servers/nats.ts';

const log = pino({ level: 'silent' });
const by = { source: 'server', actor: 'key_1' } as const;
const waiting = { timeout: 25_000, interval: 20 };

let server: Awaited<ReturnType<typeof startNats>>;
let nats: NatsConnection;
let receiver: Server;
let url: string;
/** The received bodies in order; each has the reason of its block. */
let received: { id: string; body: string }[] = [];
let answer = async (): Promise<number> => 200;
const running: Notifier[] = [];
let sub: SigningSub;

const catalog: CatalogClient = async (operation) => {
  if (operation === 'deliveries.get') return refuse('not_found', 'Not kept here.');
  return done(operation === 'events.get' ? { event } : { subs: [sub] }) as never;
};

beforeAll(async () => {
  server = await startNats({ sync: '2m' });
  nats = await connectNats({ url: server.url, name: 'test' }, log);
  receiver = createServer(async (request, response) => {
    let body = '';
    for await (const part of request.setEncoding('utf8')) body += part;
    received.push({ id: String(request.headers['webhook-id']), body });
    response.writeHead(await answer()).end();
  });
  receiver.listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;
  const secrets = [{ secret: `whsec_${Buffer.alloc(32, 7).toString('base64')}`, until: null }];
  sub = { id: 'whk_a', url, events: ['seat.blocked'], createdAt: 0, workspaceId: null, environment: null, secrets };
}, 60_000);

afterEach(async () => {
  await Promise.all(running.splice(0).map((notifier) => notifier.stop()));
  const manager = await jetstreamManager(nats);
  for (const name of [names.journalStream(0), names.deliveryStream, names.backlogStream]) {
    await manager.streams.delete(name);
  }
  received = [];
  answer = async () => 200;
});

afterAll(async () => {
  receiver?.closeAllConnections();
  receiver?.close();
  await nats?.close();
  await server?.stop();
});

async function start(): Promise<void> {
  const ports = { nats, catalog, plans: async () => plan, clock: systemClock, jitter: () => 0, log };
  running.push(await startNotifier({ ...ports, partitions: 1, loopbackOpen: true }));
}

async function createJournal(): Promise<void> {
  const manager = await jetstreamManager(nats);
  await manager.streams.add({ name: names.journalStream(0), subjects: [subjects.journalOfPartition(0)] });
}

async function block(reason: string): Promise<void> {
  const blocked: JournalRecord = { type: 'blocked', units: [0], releaseAt: null, reason, by };
  const { subject, data } = commitMessage(0, [{ eventKey: event.key, at: 5_000, plan: plan.hash, records: [blocked] }]);
  await jetstream(nats).publish(subject, data);
}

const reasons = (): string[] => received.map(({ body }) => JSON.parse(body).data.reason);

async function backlogCount(): Promise<number> {
  const manager = await jetstreamManager(nats);
  return (await manager.streams.info(names.backlogStream)).state.messages;
}

it("a slow endpoint's backlog is drained in order, and the journal goes on meanwhile", {
  timeout: 60_000,
}, async () => {
  const ends: (() => void)[] = [];
  answer = () => new Promise((resolve) => ends.push(() => resolve(200)));
  await createJournal();
  await start();
  for (let i = 0; i < 200; i++) await block(String(i));
  await vi.waitFor(async () => expect(await backlogCount()).toBeGreaterThan(150), waiting);
  const manager = await jetstreamManager(nats);
  const journal = await manager.consumers.info(names.journalStream(0), 'notifier');
  expect(journal.num_pending + journal.num_ack_pending).toBeLessThanOrEqual(8);
  answer = async () => 200;
  for (const end of ends) end();
  await vi.waitFor(() => expect(received).toHaveLength(200), waiting);
  const numbers = reasons().map(Number);
  // Eight attempts run side by side and may overtake each other.
  for (const [index, number] of numbers.entries()) expect(Math.abs(number - index)).toBeLessThanOrEqual(16);
  await vi.waitFor(async () => expect(await backlogCount()).toBe(0), waiting);
});

it('another notifier finds a backlog and drains it alone', { timeout: 60_000 }, async () => {
  const ends: (() => void)[] = [];
  answer = () => new Promise((resolve) => ends.push(() => resolve(200)));
  await createJournal();
  await start();
  for (let i = 0; i < 100; i++) await block(String(i));
  await vi.waitFor(async () => expect(await backlogCount()).toBeGreaterThan(80), waiting);
  await start();
  answer = async () => 200;
  const stopped = running.shift()!.stop();
  for (const end of ends.splice(0)) end();
  await stopped;
  await vi.waitFor(() => expect(new Set(reasons()).size).toBe(100), waiting);
  await vi.waitFor(async () => expect(await backlogCount()).toBe(0), waiting);
});

it('a body of several MB is delivered twice, byte for byte, though no queue carries it', {
  timeout: 60_000,
}, async () => {
  answer = async () => (received.length === 1 ? 500 : 200);
  await createJournal();
  await start();
  await block('x'.repeat(5 * 1024 * 1024));
  await vi.waitFor(() => expect(received).toHaveLength(2), waiting);
  expect(received[1]!.id).toBe(received[0]!.id);
  expect(received[1]!.body === received[0]!.body).toBe(true);
  const manager = await jetstreamManager(nats);
  const { state } = await manager.streams.info(names.deliveryStream);
  expect(state.bytes).toBeLessThan(10_000);
});

it("the bound of a subscription's retries holds in an older stream too, and deliveries go on past it", {
  timeout: 60_000,
}, async () => {
  const manager = await jetstreamManager(nats);
  await manager.streams.add({
    name: names.deliveryStream,
    subjects: [subjects.allRetries],
    retention: RetentionPolicy.Workqueue,
    discard: DiscardPolicy.New,
  });
  answer = async () => 500;
  await createJournal();
  await start();
  await vi.waitFor(async () => {
    const { config } = await manager.streams.info(names.deliveryStream);
    expect([config.max_msgs_per_subject, config.discard_new_per_subject]).toEqual([retriesPerSubscriptionMax, true]);
    await manager.consumers.info(names.journalStream(0), 'notifier');
  }, waiting);
  await manager.streams.update(names.deliveryStream, { max_msgs_per_subject: 1 });
  for (const reason of ['1', '2', '3']) await block(reason);
  await vi.waitFor(async () => {
    expect(new Set(reasons()).size).toBe(3);
    const journal = await manager.consumers.info(names.journalStream(0), 'notifier');
    expect(journal.num_pending + journal.num_ack_pending).toBe(0);
  }, waiting);
});
