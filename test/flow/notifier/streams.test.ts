/** The whole notifier: a real NATS server with a journal on one side, a real HTTP receiver on the other. */

import { createHmac, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { AckPolicy, jetstream, jetstreamManager } from '@nats-io/jetstream';
import type { AttemptReport } from '@parterre/shared/protocol/catalog/deliveries';
import type { SigningSub } from '@parterre/shared/protocol/catalog/webhooks';
import { done, refuse } from '@parterre/shared/protocol/errors';
import { encodeEpochRecord } from '@parterre/shared/protocol/journal/messages';
import type { JournalRecord } from '@parterre/shared/protocol/records';
import { names, subjects } from '@parterre/shared/protocol/subjects';
import { journalPendingMax, postTimeoutMs, slotsPerEndpointMax } from '@parterre/shared/protocol/webhook-limits';
import type { CatalogClient } from '@parterre/shared/runtime/catalog-client';
import { type Clock, systemClock } from '@parterre/shared/runtime/clock';
import { connectNats, type NatsConnection } from '@parterre/shared/runtime/nats';
import { pino } from 'pino';
import { Webhook } from 'standardwebhooks';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Notifier, startNotifier } from '../../../services/notifier/src/start.ts';
import { noLink } from '../../support/journal/links.ts';
import { commitMessage } from '../../support/journal/stored-messages.ts';
import { event, plan } from '../../support/notifier/plan.ts';
import { startNats } from '../../support/servers/nats.ts';

const log = pino({ level: 'silent' });
const secret = `whsec_${randomBytes(32).toString('base64')}`;
const by = { source: 'server', actor: 'key_1' } as const;

/** A clock on which five seconds take fifty milliseconds. It remembers the longest timer that was set. */
const shortened = {
  longestMs: 0,
  now: () => Date.now(),
  elapsed: () => performance.now(),
  after(delayMs, run) {
    shortened.longestMs = Math.max(shortened.longestMs, delayMs);
    const isRetry = delayMs > 4_000 && delayMs <= 5_000;
    return systemClock.after(isRetry ? delayMs / 100 : delayMs, run);
  },
} satisfies Clock & { longestMs: number };

type Received = { path: string; headers: IncomingHttpHeaders; body: string };

let server: Awaited<ReturnType<typeof startNats>>;
let nats: NatsConnection;
let receiver: Server;
let receiverUrl: string;
const received: Received[] = [];
const running: Notifier[] = [];
/** Answers a request, or leaves it hanging. */
let answer: (request: Received) => number | 'hang' = () => 200;
let retryAfter = '0';
/** Hanging requests, now and at most. */
const hanging = { now: 0, most: 0 };
let subs: SigningSub[] = [];
let catalogAway = false;

/** The reports to the history. */
const reports: AttemptReport[] = [];

const catalog: CatalogClient = async (operation, input) => {
  if (catalogAway) return refuse('catalog_unavailable', 'Away.', { retryable: true });
  if (operation === 'deliveries.get') return refuse('not_found', 'Not kept here.');
  if (operation === 'deliveries.record') reports.push(...(input as { reports: AttemptReport[] }).reports);
  return done(operation === 'events.get' ? { event } : { subs }) as never;
};

beforeAll(async () => {
  server = await startNats();
  nats = await connectNats({ url: server.url, name: 'test' }, log);
  receiver = createServer(async (request, response) => {
    let body = '';
    for await (const part of request) body += part;
    const seen = { path: request.url!, headers: request.headers, body };
    received.push(seen);
    const status = answer(seen);
    if (status !== 'hang') return void response.writeHead(status, { 'Retry-After': retryAfter }).end('noted');
    hanging.now += 1;
    hanging.most = Math.max(hanging.most, hanging.now);
    response.on('close', () => {
      hanging.now -= 1;
    });
  });
  receiver.listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  receiverUrl = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
}, 60_000);

afterEach(async () => {
  await Promise.all(running.splice(0).map((notifier) => notifier.stop()));
  const manager = await jetstreamManager(nats);
  for (const name of [names.journalStream(0), names.deliveryStream, names.backlogStream]) {
    await manager.streams.delete(name);
  }
  received.length = 0;
  reports.length = 0;
  answer = () => 200;
  retryAfter = '0';
  catalogAway = false;
});

afterAll(async () => {
  receiver?.closeAllConnections();
  receiver?.close();
  await nats?.close();
  await server?.stop();
});

function subscribe(path: string, ...events: string[]): SigningSub {
  return {
    id: `whk_${path}`,
    url: `${receiverUrl}/${path}`,
    events,
    workspaceId: null,
    environment: null,
    createdAt: 0,
    secrets: [{ secret, until: null }],
  };
}

async function start(): Promise<void> {
  const ports = { nats, catalog, plans: async () => plan, clock: shortened, jitter: () => 0, log };
  running.push(await startNotifier({ ...ports, partitions: 1, loopbackOpen: true }));
}

async function createJournal(): Promise<void> {
  const manager = await jetstreamManager(nats);
  await manager.streams.add({ name: names.journalStream(0), subjects: [subjects.journalOfPartition(0)] });
}

/** Equal records in two appends are two parts of the event's history. */
let from = 0;

async function append(...records: JournalRecord[]): Promise<void> {
  const { subject, data } = commitMessage(0, [
    { eventKey: event.key, from: from++, at: 5_000, plan: plan.hash, records },
  ]);
  await jetstream(nats).publish(subject, data);
}

const booked: JournalRecord = {
  type: 'booked',
  callId: 'call',
  bookingRef: 'order-1',
  holdId: null,
  accessSource: 'public',
  lines: [{ unit: 0, price: 40 }],
  by,
};
const blocked: JournalRecord = { type: 'blocked', units: [0], releaseAt: null, reason: null, by };

const waiting = { timeout: 10_000, interval: 10 };
const untilReceived = (count: number) => vi.waitFor(() => expect(received).toHaveLength(count), waiting);

async function untilQueueIsEmpty(): Promise<void> {
  const manager = await jetstreamManager(nats);
  await vi.waitFor(async () => {
    const journal = await manager.consumers.info(names.journalStream(0), 'notifier');
    expect(journal.num_pending + journal.num_ack_pending).toBe(0);
    for (const name of [names.deliveryStream, names.backlogStream]) {
      expect((await manager.streams.info(name)).state.messages).toBe(0);
    }
  }, waiting);
}

describe('the notifier', () => {
  it('delivers a booking, signed, once a journal exists', async () => {
    subs = [subscribe('a', 'seat.booked')];
    await start();
    await createJournal();
    await jetstream(nats).publish(
      subjects.epoch(0),
      encodeEpochRecord({ epoch: 1, owner: 'o', at: 1, low: 0, stream: 'dep.x', link: noLink }),
    );
    await append(booked, blocked);
    await untilReceived(1);
    const { headers, body } = received[0]!;
    const verified = new Webhook(secret).verify(body, headers as Record<string, string>);
    expect(verified).toMatchObject({ event: 'seat.booked', livemode: true, data: { bookingRef: 'order-1' } });
    expect(headers['webhook-id']).toBe(JSON.parse(body).occurrenceId);
    const bodyOnly = createHmac('sha256', secret).update(body).digest('hex');
    expect(headers['x-parterre-signature']).toBe(`sha256=${bodyOnly}`);
    await untilQueueIsEmpty();
    expect(received).toHaveLength(1);
  });

  it('tries again after a 500, with the same id and body', async () => {
    subs = [subscribe('a', 'seat.booked')];
    answer = () => (received.length < 2 ? 500 : 200);
    await createJournal();
    await start();
    await append(booked);
    await untilReceived(2);
    expect(received[1]!.body).toBe(received[0]!.body);
    expect(received[1]!.headers['webhook-id']).toBe(received[0]!.headers['webhook-id']);
    await untilQueueIsEmpty();
  });

  it('sends an occurrence that is read twice under the same id', async () => {
    subs = [subscribe('a', 'seat.booked')];
    await createJournal();
    await start();
    await append(booked);
    await untilReceived(1);
    await untilQueueIsEmpty();
    // As after a kill before the acknowledgement: the journal is read from its start.
    await Promise.all(running.splice(0).map((notifier) => notifier.stop()));
    const manager = await jetstreamManager(nats);
    await manager.consumers.delete(names.journalStream(0), 'notifier');
    await start();
    await append(blocked, booked);
    await untilReceived(3);
    await untilQueueIsEmpty();
    const ids = received.map(({ headers }) => headers['webhook-id']);
    expect(new Set(ids).size).toBe(2);
    expect(received[1]).toMatchObject({ body: received[0]!.body });
  });

  it('updates a consumer with other settings', async () => {
    subs = [subscribe('a', 'seat.booked')];
    await createJournal();
    const manager = await jetstreamManager(nats);
    const before = { durable_name: 'notifier', filter_subject: subjects.journalOfPartition(0), max_ack_pending: 7 };
    await manager.consumers.add(names.journalStream(0), { ...before, ack_policy: AckPolicy.Explicit });
    await start();
    await append(booked);
    await untilReceived(1);
    const { config } = await manager.consumers.info(names.journalStream(0), 'notifier');
    expect(config.max_ack_pending).toBe(journalPendingMax);
  });

  it('makes its consumer again after its removal', async () => {
    subs = [subscribe('a', 'seat.booked')];
    await createJournal();
    await start();
    await append(booked);
    await untilReceived(1);
    await untilQueueIsEmpty();
    const manager = await jetstreamManager(nats);
    await manager.consumers.delete(names.journalStream(0), 'notifier');
    await append(booked);
    const ids = () => new Set(received.map(({ headers }) => headers['webhook-id']));
    await vi.waitFor(() => expect(ids().size).toBe(2), { timeout: 30_000, interval: 10 });
    await untilQueueIsEmpty();
  });

  it('makes the consumers of its retry queues again after their removal', async () => {
    subs = [subscribe('a', 'seat.booked')];
    await createJournal();
    await start();
    await append(booked);
    await untilReceived(1);
    const manager = await jetstreamManager(nats);
    for await (const { name } of manager.consumers.list(names.deliveryStream)) {
      await manager.consumers.delete(names.deliveryStream, name);
    }
    answer = () => (received.length < 3 ? 500 : 200);
    await append(booked);
    await vi.waitFor(() => expect(received).toHaveLength(3), { timeout: 30_000, interval: 10 });
    await untilQueueIsEmpty();
  });

  it('drops a queued message that it cannot read, and goes on with the others', async () => {
    subs = [subscribe('a', 'seat.booked')];
    await createJournal();
    await start();
    await append(booked);
    await untilReceived(1);
    await untilQueueIsEmpty();
    await jetstream(nats).publish(subjects.retry(0, 'whk_a', event.organisationId, 1), new Uint8Array([0xc1]));
    answer = () => (received.length < 3 ? 500 : 200);
    await append(booked);
    await untilReceived(3);
    await untilQueueIsEmpty();
  });

  it('shares a journal with others, and leaves it to them when it stops', async () => {
    subs = [subscribe('a', 'seat.booked')];
    await createJournal();
    await start();
    await start();
    for (let i = 0; i < 60; i++) await append(booked);
    await untilReceived(60);
    await running.shift()!.stop();
    for (let i = 0; i < 20; i++) await append(booked);
    await untilReceived(80);
    await untilQueueIsEmpty();
    expect(new Set(received.map(({ headers }) => headers['webhook-id'])).size).toBe(80);
  });

  it('loses nothing while the catalog is away', async () => {
    subs = [subscribe('a', 'seat.booked')];
    catalogAway = true;
    await createJournal();
    await start();
    await append(booked);
    const manager = await jetstreamManager(nats);
    await vi.waitFor(async () => {
      const info = await manager.consumers.info(names.journalStream(0), 'notifier');
      expect(info.num_redelivered + info.delivered.consumer_seq).toBeGreaterThan(0);
    }, waiting);
    catalogAway = false;
    await untilReceived(1);
    await untilQueueIsEmpty();
  });

  it('serves other endpoints while one hangs', async () => {
    subs = [subscribe('hanging', 'seat.blocked'), subscribe('b', 'seat.booked')];
    answer = ({ path }) => (path === '/hanging' ? 'hang' : 200);
    await createJournal();
    await start();
    for (let i = 0; i < 100; i++) await append(blocked);
    for (let i = 0; i < 20; i++) await append(booked);
    const manager = await jetstreamManager(nats);
    const toOther = () => received.filter(({ path }) => path === '/b').length;
    await vi.waitFor(() => expect(toOther()).toBe(20), waiting);
    expect(hanging.most).toBeGreaterThan(0);
    expect(hanging.most).toBeLessThanOrEqual(slotsPerEndpointMax);
    // The hanging endpoint's deliveries wait in its backlog. Apart from its attempts under way, it holds back nothing
    // of the journal.
    await vi.waitFor(async () => {
      const journal = await manager.consumers.info(names.journalStream(0), 'notifier');
      expect(journal.num_pending + journal.num_ack_pending).toBeLessThanOrEqual(slotsPerEndpointMax);
    }, waiting);
    receiver.closeAllConnections();
  });

  it('gives a retry that is due much later back to its queue', async () => {
    shortened.longestMs = 0;
    subs = [subscribe('a', 'seat.booked')];
    answer = () => 503;
    retryAfter = '600';
    await createJournal();
    await start();
    await append(booked);
    await untilReceived(1);
    const manager = await jetstreamManager(nats);
    await vi.waitFor(async () => {
      const { state } = await manager.streams.info(names.deliveryStream, { subjects_filter: '>' });
      expect(state.subjects).toEqual({ [subjects.retry(2, 'whk_a', event.organisationId, 2)]: 1 });
      expect((await manager.consumers.info(names.deliveryStream, 'retries-2')).num_ack_pending).toBe(1);
    }, waiting);
    expect(received).toHaveLength(1);
    expect(shortened.longestMs).toBeLessThanOrEqual(postTimeoutMs);
  });
});
