/**
 * The one deadline of a request, and the honesty of the answer at the deadline. The whole front door behind HTTP runs
 * on a clock of the test: owners of partitions and the catalog are silent, or answer late.
 */

import type { Envelope } from '@parterre/shared/protocol/commands';
import { done, type Outcome } from '@parterre/shared/protocol/errors';
import { catalogDeadlineMs, publishDeadlineMs, requestDeadlineMs } from '@parterre/shared/protocol/limits';
import { encode } from '@parterre/shared/protocol/wire';
import type { CatalogClient } from '@parterre/shared/runtime/catalog-client';
import { createCatalogClient } from '@parterre/shared/runtime/catalog-client';
import { keyFor } from '@parterre/shared/runtime/deployment-secret';
import { createLog } from '@parterre/shared/runtime/log';
import type { NatsConnection } from '@parterre/shared/runtime/nats';
import { describe, expect, it } from 'vitest';
import { createBudgets } from '../../../services/frontdoor/src/admission/budgets.ts';
import { createEventsCache } from '../../../services/frontdoor/src/admission/events-cache.ts';
import type { BodyReceiver, Request } from '../../../services/frontdoor/src/admission/route.ts';
import type { Answer } from '../../../services/frontdoor/src/answers/answer.ts';
import { routes } from '../../../services/frontdoor/src/api/api.ts';
import type { Ports } from '../../../services/frontdoor/src/api/calls/ports.ts';
import { shardClientOnFake } from '../../support/frontdoor/shard-client-on-fake.ts';
import { submitted } from '../../support/frontdoor/submitted.ts';

const STEP_MS = 50;
/** The sweep of the shard client, and the steps of this test. */
const SLACK_MS = 2 * STEP_MS;

const principal = {
  kind: 'secret',
  keyId: 'key_1',
  organisationId: 'org_1',
  mode: 'test',
  environment: null,
  workspaceId: null,
};
const known = {
  event: { key: 'a', region: 'africa', status: 'active', currency: 'EUR', ...principal },
  config: { eventKey: 'a' },
};

/** Operations that the catalog answers, each after a time. It is silent about all others. */
type CatalogAnswers = Record<string, { afterMs: number; answer: Outcome<unknown> }>;

function frontDoor(catalogAnswers: CatalogAnswers = {}, answersBudget = false) {
  const fake = shardClientOnFake();
  const { clock, shards } = fake;
  const timeouts: { operation: string; timeout: number }[] = [];
  const nats = {
    subscribe: () => {},
    request: (subject: string, _payload: Uint8Array, { timeout }: { timeout: number }) => {
      const operation = subject.replace(/^catalog\./, '');
      timeouts.push({ operation, timeout });
      const { afterMs = Number.POSITIVE_INFINITY, answer } = catalogAnswers[operation] ?? {};
      return new Promise((resolve, reject) => {
        if (afterMs < timeout) clock.after(afterMs, () => resolve({ data: encode(answer) }));
        else clock.after(timeout, () => reject(new Error('timeout')));
      });
    },
  } as unknown as NatsConnection;
  const catalog: CatalogClient = createCatalogClient(nats, createLog('test', 'silent'), clock);
  const resolved = () => done(principal);
  const ports = {
    clock,
    shards,
    catalog,
    principals: { server: resolved, console: resolved, editor: resolved, operator: () => done(true) },
    events: createEventsCache(catalog, clock),
    holdIdKey: keyFor('hold ids', 'x'.repeat(32)),
    budgets: answersBudget ? createBudgets(clock, shards) : null,
    onFault: (error: unknown) => {
      throw error;
    },
  } as unknown as Ports;

  /** Sends one request and lets time pass until its answer. */
  async function send(signature: string, sent: Partial<Request> & { json?: object } = {}) {
    const route = routes.find((each) => each.signature === signature);
    if (!route) throw new Error(`no route ${signature}`);
    const from = clock.elapsed();
    const { json, ...more } = sent;
    const request = {
      method: route.method,
      requestId: 'r1',
      address: () => '198.51.100.7',
      params: ['a'],
      query: new URLSearchParams(),
      authorization: '',
      contentType: 'application/json',
      origin: '',
      ifNoneMatch: '',
      host: '',
      idempotencyKey: '',
      incoming: null,
      body: Buffer.from(json ? JSON.stringify(json) : ''),
      deadlineAt: from + route.deadlineMs,
      ...more,
    } as unknown as Request;
    let answer: Answer | null = null;
    void submitted(ports, route, request).then((told) => {
      answer = told;
    });
    while (answer === null && clock.elapsed() - from < 120_000) {
      for (let turn = 0; turn < 4; turn++) {
        await new Promise((resolve) => setImmediate(resolve));
        fake.endTurn();
      }
      if (answer === null) clock.advance(STEP_MS);
    }
    const { status, body, headers } = answer! as Answer;
    const { code, retryable, outcome, message } = JSON.parse(body as string);
    return { status, code, retryable, outcome, message, headers, tookMs: clock.elapsed() - from };
  }
  return { ...fake, ports, timeouts, send };
}

const eventAtOnce = { 'events.get': { afterMs: 1, answer: done(known) } };
const labels = ['A-1'];
const holdId = 'hld_aaaaaaaaaaaaaaaaaaaa';
const sale = { bookingRef: 'order-7', labels };
const key = { idempotencyKey: 'order-7' };
const harmless = { status: 503, retryable: true, outcome: undefined };
const unknown = { status: 503, retryable: undefined, outcome: 'unknown' };

describe('a request whose owner received the command and is silent', () => {
  const EVENT = '/v1/events/{key}';
  it.each([
    [`POST ${EVENT}/hold`, { json: { labels }, ...key }, harmless],
    [`POST ${EVENT}/hold`, { json: { labels } }, unknown],
    [`POST ${EVENT}/best-available`, { json: { qty: 2 }, ...key }, harmless],
    [`POST ${EVENT}/best-available`, { json: { qty: 2 } }, unknown],
    [`POST ${EVENT}/best-available-block`, { json: { qty: 2 }, ...key }, harmless],
    [`POST ${EVENT}/best-available-block`, { json: { qty: 2 } }, unknown],
    [`POST ${EVENT}/best-available-book`, { json: { qty: 2, bookingRef: 'order-7' } }, harmless],
    [`POST ${EVENT}/extend`, { json: { holdId }, ...key }, harmless],
    [`POST ${EVENT}/extend`, { json: { holdId } }, unknown],
    [`POST ${EVENT}/release`, { json: { holdId } }, harmless],
    [`POST ${EVENT}/book`, { json: { holdId, bookingRef: 'order-7' } }, harmless],
    [`POST ${EVENT}/box-book`, { json: sale }, harmless],
    [`POST ${EVENT}/unbook`, { json: sale, ...key }, harmless],
    [`POST ${EVENT}/unbook`, { json: sale }, unknown],
    [`POST ${EVENT}/block`, { json: { labels } }, unknown],
    [`POST ${EVENT}/block`, { json: { labels }, ...key }, harmless],
    [`POST ${EVENT}/unblock`, { json: { labels } }, unknown],
    [`POST ${EVENT}/close`, {}, unknown],
    [`GET ${EVENT}/holds/{holdId}`, { params: ['a', holdId] }, harmless],
    [`GET ${EVENT}/report`, {}, harmless],
  ])('%s %j', async (signature, sent, expected) => {
    const { send, sent: messages } = frontDoor(eventAtOnce);
    const { tookMs, headers, ...answer } = await send(signature, sent as Partial<Request>);
    expect(answer).toMatchObject({ code: 'shard_unavailable', ...expected });
    expect(headers).toContainEqual(['Retry-After', '1']);
    expect(tookMs).toBeGreaterThanOrEqual(requestDeadlineMs);
    expect(tookMs).toBeLessThanOrEqual(requestDeadlineMs + SLACK_MS);
    expect(messages.some(({ envelopes }) => envelopes.length > 0)).toBe(true);
    if (expected === unknown) expect(answer.message).toMatch(/may have been carried out\. (Read|If so,) /);
  });
});

describe('a command that surely was not carried out may be repeated', () => {
  const block = { json: { labels } };

  it('if no owner ever received it', async () => {
    const { send, sent, undelivered, clock } = frontDoor(eventAtOnce);
    const lose = () => {
      for (const { batch } of sent.splice(0)) undelivered(batch);
      clock.after(STEP_MS, lose);
    };
    lose();
    expect(await send('POST /v1/events/{key}/block', block)).toMatchObject(harmless);
  });

  it('if the event has no inventory, and the catalog does not give its settings', async () => {
    const { send, sent, answer, clock } = frontDoor(eventAtOnce);
    const absent = (envelopes: Envelope[]) =>
      answer(...envelopes.map(({ id, copy = 1 }) => ({ id, copy, kind: 'absent' as const })));
    const tell = () => {
      for (const { envelopes } of sent.splice(0)) absent(envelopes);
      clock.after(STEP_MS, tell);
    };
    tell();
    expect(await send('POST /v1/events/{key}/block', block)).toMatchObject(harmless);
  });

  it('if a step before it took the whole time', async () => {
    const { send, sent } = frontDoor();
    expect(await send('POST /v1/events/{key}/block', block)).toMatchObject({
      ...harmless,
      code: 'catalog_unavailable',
    });
    expect(sent).toEqual([]);
  });

  it('but not if only its last copy was lost or refused for the moment', async () => {
    const { send, sent, answer, clock } = frontDoor(eventAtOnce);
    const refuseCopies = () => {
      for (const { envelopes } of sent.splice(0)) {
        for (const { id, copy = 1 } of envelopes) {
          const refusal = { code: 'overloaded', message: 'Too many.', retryable: true } as const;
          if (copy > 1) answer({ id, copy, kind: 'refused', refusal });
        }
      }
      clock.after(STEP_MS, refuseCopies);
    };
    refuseCopies();
    expect(await send('POST /v1/events/{key}/block', block)).toMatchObject(unknown);
  });
});

describe('all steps share the deadline', () => {
  const hold = { json: { labels } };

  it('a late event and a silent owner', async () => {
    const { send } = frontDoor({ 'events.get': { afterMs: 6_000, answer: done(known) } });
    const { tookMs } = await send('POST /v1/events/{key}/hold', hold);
    expect(tookMs).toBeLessThanOrEqual(requestDeadlineMs + SLACK_MS);
  });

  it('a budget whose owner is silent', async () => {
    const { send, sent } = frontDoor(eventAtOnce, true);
    const { tookMs, ...answer } = await send('POST /v1/events/{key}/hold', hold);
    expect(answer).toMatchObject({ ...harmless, code: 'shard_unavailable' });
    expect(tookMs).toBeLessThanOrEqual(requestDeadlineMs + SLACK_MS);
    const types = sent.flatMap(({ envelopes }) => envelopes.map(({ command }) => command.type));
    expect(new Set(types)).toEqual(new Set(['spend']));
  });

  it('a budget that is counted late, then an event that does not come', async () => {
    const { send, sent, answer, clock } = frontDoor({}, true);
    const count = () => {
      const first = sent[0]?.envelopes[0];
      if (first) answer({ id: first.id, kind: 'ok', value: { allowed: true, remaining: 5, resetAfterMs: 1_000 } });
    };
    clock.after(8_000, count);
    const { tookMs, ...told } = await send('POST /v1/events/{key}/hold', hold);
    expect(told).toMatchObject({ ...harmless, code: 'catalog_unavailable' });
    expect(tookMs).toBeLessThanOrEqual(requestDeadlineMs + SLACK_MS);
  });

  it('the catalog gets no more than the rest of the time', async () => {
    const late = { afterMs: 7_000, answer: done({ state: 'begun', callId: 'call-1' }) };
    const { send, timeouts } = frontDoor({ 'idempotency.begin': late });
    const { tookMs, ...answer } = await send('POST /v1/charts', { json: { name: 'Hall' }, ...key, params: [] });
    expect(answer).toMatchObject({ ...harmless, code: 'catalog_unavailable' });
    expect(tookMs).toBeLessThanOrEqual(requestDeadlineMs + SLACK_MS);
    const { timeout } = timeouts.find(({ operation }) => operation === 'charts.create')!;
    expect(timeout).toBeLessThanOrEqual(requestDeadlineMs - 7_000);
  });

  it('the time in which the body arrives moves the deadline on', async () => {
    const { send, clock } = frontDoor(eventAtOnce);
    const body = Buffer.from(JSON.stringify(hold.json));
    const incoming = {
      declaredBytes: body.length,
      bound() {},
      goOn() {},
      whole: (receiver: BodyReceiver) => void clock.after(8_000, () => receiver.onWhole(done(body))),
    };
    const { tookMs } = await send('POST /v1/events/{key}/hold', { incoming });
    expect(tookMs).toBeGreaterThanOrEqual(8_000 + requestDeadlineMs);
    expect(tookMs).toBeLessThanOrEqual(8_000 + requestDeadlineMs + SLACK_MS);
  });

  it('a credential is looked up for no longer than any deadline', () => {
    expect(catalogDeadlineMs).toBeLessThanOrEqual(Math.min(...routes.map(({ deadlineMs }) => deadlineMs)));
  });
});

describe('a catalog that received the operation and is silent', () => {
  it.each([
    ['GET /v1/charts', {}, harmless],
    ['POST /v1/charts', { json: { name: 'Hall' } }, unknown],
    ['DELETE /v1/charts/{id}', {}, harmless],
    ['POST /v1/charts/{id}/archive', {}, unknown],
    ['POST /v1/charts/{id}/archive', key, harmless],
    ['POST /v1/workspaces', { json: { name: 'Annex' } }, unknown],
    ['POST /v1/admin/organisations', { json: { name: 'Opera', currency: 'EUR' } }, unknown],
    ['POST /v1/admin/organisations/{id}/credits', { json: { delta: 5, reason: 'gift' } }, unknown],
    ['DELETE /v1/admin/organisations/{id}/keys/{keyId}', { params: ['org_1', 'key_1'] }, harmless],
  ])('%s %j', async (signature, sent, expected) => {
    const begun = { afterMs: 1, answer: done({ state: 'begun', callId: 'call-1' }) };
    const { send } = frontDoor({ 'idempotency.begin': begun });
    const { tookMs, ...answer } = await send(signature, sent as Partial<Request>);
    expect(answer).toMatchObject({ code: 'catalog_unavailable', ...expected });
    expect(tookMs).toBeLessThanOrEqual(requestDeadlineMs + SLACK_MS);
  });

  it('a publish names a longer deadline', async () => {
    const { send } = frontDoor();
    const { tookMs, ...answer } = await send('POST /v1/charts/{id}/publish');
    expect(answer).toMatchObject({ code: 'catalog_unavailable', ...unknown });
    expect(tookMs).toBeGreaterThanOrEqual(publishDeadlineMs);
    expect(tookMs).toBeLessThanOrEqual(publishDeadlineMs + SLACK_MS);
  });
});
