/**
 * Tests and manual retries: front doors ask over a real NATS, the posts reach a real receiver, a real catalog has the
 * history.
 */
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { AttemptReport } from '@parterre/shared/protocol/catalog/deliveries';
import type { Scope } from '@parterre/shared/protocol/catalog/scope';
import { type Outcome, refuse } from '@parterre/shared/protocol/errors';
import type { NotifierOperation, NotifierOperations } from '@parterre/shared/protocol/notifier-api';
import { subjects } from '@parterre/shared/protocol/subjects';
import { manualPostsPerHostAtOnce, manualPostsPerHostMax, testSendMs } from '@parterre/shared/protocol/webhook-limits';
import { decode, encode } from '@parterre/shared/protocol/wire';
import type { CatalogClient } from '@parterre/shared/runtime/catalog-client';
import { systemClock } from '@parterre/shared/runtime/clock';
import { connectNats, type NatsConnection } from '@parterre/shared/runtime/nats';
import { pino } from 'pino';
import { Webhook } from 'standardwebhooks';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { collections } from '../../../services/catalog/src/store/collections.ts';
import type { Collection } from '../../../services/catalog/src/store/store.ts';
import { createPoster, type Poster } from '../../../services/notifier/src/endpoints/post.ts';
import { answerCalls, type Calls } from '../../../services/notifier/src/manual-posts/answer-calls.ts';
import { embeddedDatabase, type TestDatabase } from '../../store/adapters.ts';
import { organisationScope, type TestCatalog, testCatalog } from '../../store/test-catalog.ts';
import { startNats } from '../../support/servers/nats.ts';

const log = pino({ level: 'silent' });
type Received = { headers: IncomingHttpHeaders; body: string };

let server: Awaited<ReturnType<typeof startNats>>;
let nats: NatsConnection;
const received: Received[] = [];
let answer: () => number | 'hang' = () => 204;
const receiver = createServer(async (request, response) => {
  let body = '';
  for await (const part of request) body += part;
  received.push({ headers: request.headers, body });
  const status = answer();
  if (status !== 'hang') response.writeHead(status).end('noted');
});

let database: TestDatabase;
let catalog: TestCatalog;
let scope: Scope;
let poster: Poster;
let calls: Calls;
let secret: string;
let subId: string;
/** Operations of the catalog that get no answer. */
let unanswered: string[] = [];
let recordedLater: AttemptReport[] = [];
let madeAgain: string | null = null;

beforeAll(async () => {
  server = await startNats();
  nats = await connectNats({ url: server.url, name: 'test' }, log);
  receiver.listen(0, '127.0.0.1');
  await once(receiver, 'listening');
}, 60_000);

afterAll(async () => {
  receiver.closeAllConnections();
  receiver.close();
  await nats?.close();
  await server?.stop();
});

beforeEach(async () => {
  database = await embeddedDatabase(collections as readonly Collection<object>[]);
  catalog = testCatalog(await database.connect());
  scope = await organisationScope(catalog);
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;
  const created = await catalog.ask('webhooks.create', { scope, url, events: ['seat.booked'] });
  secret = created.secret;
  subId = created.sub.id;
  poster = createPoster({ clock: systemClock, loopbackOpen: true });
  const client = (async (operation: keyof typeof catalog.operations, input: never) =>
    unanswered.includes(operation)
      ? refuse('catalog_unavailable', 'Away.', { retryable: true })
      : catalog.operations[operation](input)) as CatalogClient;
  const record = async (report: AttemptReport) => void recordedLater.push(report);
  const bodyOf = async () => {
    if (madeAgain === 'away') throw new Error('the journal is away');
    return madeAgain;
  };
  const waiting = async () => ({ count: 0, bytes: 0, oldestAt: null });
  calls = answerCalls({ waiting, nats, catalog: client, post: poster.post, bodyOf, record, clock: systemClock, log });
  await nats.flush();
});

afterEach(async () => {
  await calls.stop();
  poster.close();
  await database.remove();
  received.length = 0;
  recordedLater = [];
  unanswered = [];
  madeAgain = null;
  answer = () => 204;
});

async function ask<O extends NotifierOperation>(
  operation: O,
  input: NotifierOperations[O][0],
): Promise<Outcome<NotifierOperations[O][1]>> {
  const message = await nats.request(subjects.notifier(operation), encode(input), { timeout: 20_000 });
  return decode(message.data);
}

const body = JSON.stringify({ occurrenceId: 'occ_1', event: 'seat.booked', data: { labels: ['A-1'] } });
const exhausted = { status: 500, retryState: 'exhausted', attempt: 8 } as const;

async function stored(more: Partial<AttemptReport> = {}): Promise<string> {
  const report: AttemptReport = {
    deliveryId: 'dlv_1',
    subId,
    organisationId: scope.organisationId,
    occurrenceId: 'occ_1',
    body,
    event: 'seat.booked',
    eventKey: 'gala',
    ref: 'order-1',
    place: { partition: 0, sequence: 1, index: 0 },
    order: 1_700_000_000_000_000,
    manual: false,
    at: 1_700_000_000_100,
    responseBody: 'no',
    errorMessage: null,
    nextAttemptAt: null,
    ...exhausted,
    ...more,
  };
  await catalog.ask('deliveries.record', { reports: [report] });
  return report.deliveryId;
}

describe('a test', () => {
  it('a test posts a signed ping at once, answers its result, and is not recorded', async () => {
    const outcome = await ask('test', { scope, id: subId });
    const [seen] = received;
    expect(outcome).toMatchObject({
      ok: true,
      value: { test: { delivered: true, status: 204, occurrenceId: seen!.headers['webhook-id'], errorMessage: null } },
    });
    const headers = seen!.headers as Record<string, string>;
    const told = new Webhook(secret).verify(seen!.body, headers);
    expect(told).toMatchObject({ event: 'ping', type: 'ping', test: true, livemode: false, data: {} });
    expect(headers['x-parterre-signature']).toBe(
      `sha256=${createHmac('sha256', secret).update(seen!.body).digest('hex')}`,
    );
    expect((await catalog.ask('deliveries.list', { scope, subId })).deliveries).toEqual([]);
    const { subs } = await catalog.ask('webhooks.list', { scope });
    expect(subs[0]).toMatchObject({ lastStatus: null, uptime7d: null });
  });

  it('a test waits five seconds for a receiver that hangs', async () => {
    answer = () => 'hang';
    const outcome = await ask('test', { scope, id: subId });
    if (!outcome.ok) throw new Error(outcome.refusal.message);
    const { test } = outcome.value;
    expect(test).toMatchObject({ delivered: false, status: 0, errorMessage: expect.any(String) });
    expect(test.durationMs).toBeGreaterThanOrEqual(testSendMs - 50);
    expect(test.durationMs).toBeLessThan(testSendMs + 2_000);
  }, 20_000);

  it('a test finds only subscriptions within the scope', async () => {
    const stranger = await organisationScope(catalog);
    expect(await ask('test', { scope: stranger, id: subId })).toMatchObject({ refusal: { code: 'not_found' } });
    expect(received).toHaveLength(0);
  });

  it('tests cannot flood a host', async () => {
    answer = () => 'hang';
    const together = Array.from({ length: 8 }, () => ask('test', { scope, id: subId }));
    const outcomes = await Promise.all(together);
    const refused = outcomes.flatMap((outcome) => (outcome.ok ? [] : [outcome.refusal]));
    expect(refused).toHaveLength(8 - manualPostsPerHostAtOnce);
    expect(refused[0]).toMatchObject({ code: 'overloaded', retryable: true });
    answer = () => 204;
    let posted = manualPostsPerHostAtOnce;
    while ((await ask('test', { scope, id: subId })).ok) posted += 1;
    expect(posted).toBe(manualPostsPerHostMax);
  }, 30_000);
});

describe('a manual retry', () => {
  it('posts the stored body under its occurrence id, signed anew, and the delivery is delivered', async () => {
    const deliveryId = await stored();
    const outcome = await ask('retry', { scope, id: subId, deliveryId });
    const [seen] = received;
    expect(seen!.body).toBe(body);
    expect(seen!.headers['webhook-id']).toBe('occ_1');
    new Webhook(secret).verify(seen!.body, seen!.headers as Record<string, string>);
    expect(outcome).toMatchObject({
      ok: true,
      value: { delivery: { id: deliveryId, status: 204, attempt: 9, retryState: 'delivered', willRetry: false } },
    });
    expect((await catalog.ask('deliveries.list', { scope, subId, status: 'ok' })).deliveries).toHaveLength(1);
  });

  it.each(['scheduled', 'exhausted', 'none', 'delivered'] as const)(
    'that fails leaves the schedule of a delivery that was %s as it was',
    async (retryState) => {
      const nextAttemptAt = retryState === 'scheduled' ? 1_700_000_009_000 : null;
      const deliveryId = await stored({ attempt: 2, retryState, nextAttemptAt });
      answer = () => 503;
      const outcome = await ask('retry', { scope, id: subId, deliveryId });
      expect(outcome).toMatchObject({
        ok: true,
        value: { delivery: { status: 503, attempt: 3, retryState, nextAttemptAt, responseBody: 'noted' } },
      });
      const { kept } = await catalog.ask('deliveries.get', { subId, deliveryId });
      expect(kept).toMatchObject({ attempt: 2, retryState, nextAttemptAt });
    },
  );

  it('counts each attempt, and the schedule goes on beside it', async () => {
    const deliveryId = await stored({ attempt: 1, retryState: 'scheduled', nextAttemptAt: 1_700_000_009_000 });
    answer = () => 500;
    await ask('retry', { scope, id: subId, deliveryId });
    await ask('retry', { scope, id: subId, deliveryId });
    await stored({ attempt: 2, retryState: 'scheduled', nextAttemptAt: 1_700_000_900_000, at: 1_700_000_009_100 });
    const [delivery] = (await catalog.ask('deliveries.list', { scope, subId })).deliveries;
    expect(delivery).toMatchObject({ attempt: 4, retryState: 'scheduled', nextAttemptAt: 1_700_000_900_000 });
  });

  it('makes a body that is not stored again, and says where it cannot', async () => {
    const deliveryId = await stored({ body: null, envelope: '{"occurrenceId":"occ_1","truncated":true}' });
    expect(await ask('retry', { scope, id: subId, deliveryId })).toMatchObject({ refusal: { code: 'not_found' } });
    madeAgain = 'away';
    expect(await ask('retry', { scope, id: subId, deliveryId })).toMatchObject({ refusal: { retryable: true } });
    expect(received).toHaveLength(0);
    madeAgain = '{"made":"again"}';
    expect(await ask('retry', { scope, id: subId, deliveryId })).toMatchObject({ ok: true });
    expect(received[0]!.body).toBe(madeAgain);
  });

  it('posts nothing while the catalog is away, and is reported later where it goes away after the post', async () => {
    const deliveryId = await stored();
    unanswered = ['deliveries.get'];
    expect(await ask('retry', { scope, id: subId, deliveryId })).toMatchObject({
      refusal: { code: 'catalog_unavailable', retryable: true },
    });
    expect(received).toHaveLength(0);
    unanswered = ['deliveries.record'];
    const outcome = await ask('retry', { scope, id: subId, deliveryId });
    expect(outcome).toMatchObject({ ok: false, refusal: { code: 'catalog_unavailable' } });
    expect(outcome).not.toHaveProperty('refusal.retryable');
    expect(received).toHaveLength(1);
    expect(recordedLater).toMatchObject([{ deliveryId, manual: true, retryState: 'delivered' }]);
  });

  it('finds only deliveries within the scope', async () => {
    const deliveryId = await stored();
    const stranger = await organisationScope(catalog);
    for (const asked of [
      { scope: stranger, id: subId, deliveryId },
      { scope, id: 'whk_other', deliveryId },
      { scope, id: subId, deliveryId: 'dlv_other' },
    ]) {
      expect(await ask('retry', asked)).toMatchObject({ refusal: { code: 'not_found' } });
    }
    expect(received).toHaveLength(0);
  });
});
