/**
 * Named calls at the front door, over a real catalog whose answers can be lost, and calls that may be repeated without
 * a name.
 */
import type { CatalogInput, CatalogOperation } from '@parterre/shared/protocol/catalog-api';
import { done, refuse } from '@parterre/shared/protocol/errors';
import {
  chartRefreshDeadlineMs,
  chartRefreshOfEventMs,
  idempotencyLeaseMs,
  publishDeadlineMs,
} from '@parterre/shared/protocol/limits';
import type { CatalogClient } from '@parterre/shared/runtime/catalog-client';
import { createCatalogClient } from '@parterre/shared/runtime/catalog-client';
import { pause } from '@parterre/shared/runtime/clock';
import { createLog } from '@parterre/shared/runtime/log';
import type { NatsConnection } from '@parterre/shared/runtime/nats';
import { SECOND_MS } from '@parterre/shared/runtime/units';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ServerPrincipal } from '../../../services/frontdoor/src/admission/principal.ts';
import type { Request } from '../../../services/frontdoor/src/admission/route.ts';
import type { Answer } from '../../../services/frontdoor/src/answers/answer.ts';
import { routes } from '../../../services/frontdoor/src/api/api.ts';
import type { Ports } from '../../../services/frontdoor/src/api/calls/ports.ts';
import { embeddedDatabase, type TestDatabase } from '../../store/adapters.ts';
import { organisationScope, type TestCatalog, testCatalog } from '../../store/test-catalog.ts';
import { submitted } from '../../support/frontdoor/submitted.ts';
import { ManualClock } from '../../support/manual-clock.ts';

let database: TestDatabase;
let catalog: TestCatalog;
let key: Extract<ServerPrincipal, { kind: 'secret' }>;
let lost: Set<CatalogOperation>;
let ports: Ports;
let clock: ManualClock;
let asker: ServerPrincipal;

beforeEach(async () => {
  database = await embeddedDatabase([]);
  catalog = testCatalog(await database.connect());
  const { organisationId } = await organisationScope(catalog);
  key = { kind: 'secret', keyId: 'key_1', organisationId, mode: 'test', environment: null, workspaceId: null };
  asker = key;
  lost = new Set();
  const ask = async <O extends CatalogOperation>(operation: O, input: CatalogInput<O>) => {
    const outcome = await catalog.operations[operation](input as never);
    return lost.delete(operation) ? refuse('catalog_unavailable', 'Lost.', { retryable: true }) : outcome;
  };
  clock = new ManualClock();
  ports = {
    clock,
    catalog: ask as CatalogClient,
    principals: { server: () => ({ ok: true, value: asker }) },
    budgets: null,
    onFault: () => {},
  } as unknown as Ports;
});
afterEach(() => database.remove());

async function post(
  path: string,
  body: object,
  idempotencyKey: string,
  deadlineAt = Number.POSITIVE_INFINITY,
): Promise<Answer> {
  const route = routes.find((each) => each.method === 'POST' && each.path === path)!;
  const request = {
    method: 'POST',
    requestId: 'r1',
    address: () => '198.51.100.7',
    params: [],
    query: new URLSearchParams(),
    authorization: '',
    origin: '',
    contentType: 'application/json',
    ifNoneMatch: '',
    host: '',
    forwardedProto: '',
    idempotencyKey,
    deadlineAt,
    incoming: null,
    body: Buffer.from(JSON.stringify(body)),
  } as unknown as Request;
  return submitted(ports, route, request);
}

test.each([
  ['/v1/charts', 'charts.create'],
  ['/v1/workspaces', 'workspaces.create'],
] as const)(
  'what POST %s has made is found by the repetition, when its first answer was lost',
  async (path, operation) => {
    lost.add(operation);
    const first = await post(path, { name: 'Once' }, 'order-1');
    expect([first.status, JSON.parse(first.body as string).retryable]).toEqual([503, true]);
    expect((await post(path, { name: 'Once' }, 'order-1')).status).toBe(201);
    const scope = { ...key, actor: key.keyId, role: null };
    const { charts } = await catalog.ask('charts.list', { scope, page: {} });
    const { workspaces } = await catalog.ask('workspaces.list', { scope });
    expect([...charts, ...workspaces].filter(({ name }) => name === 'Once')).toHaveLength(1);
  },
);

test('a call that outlasts the lease of its name is carried out once', async () => {
  const step = idempotencyLeaseMs / 3;
  let going = true;
  const carriedOut: Promise<void>[] = [];
  const ask = ports.catalog;
  ports.catalog = (async (operation: CatalogOperation, input: never) => {
    if (operation !== 'charts.create') return ask(operation, input);
    const slow = (async () => {
      while (going && carriedOut.length < 2) {
        await new Promise((resolve) => setImmediate(resolve));
        clock.advance(step);
        catalog.clock.time += step;
      }
    })();
    carriedOut.push(slow);
    await slow;
    return ask(operation, input);
  }) as CatalogClient;
  const first = post('/v1/charts', { name: 'Once' }, 'order-1');
  const startedAt = catalog.clock.time;
  while (catalog.clock.time < startedAt + 4 * idempotencyLeaseMs) {
    await new Promise((resolve) => setImmediate(resolve));
    const repeated = await post('/v1/charts', { name: 'Once' }, 'order-1');
    expect(JSON.parse(repeated.body as string).code).toBe('idempotency_in_progress');
  }
  going = false;
  expect([(await first).status, carriedOut.length]).toEqual([201, 1]);
  expect((await post('/v1/charts', { name: 'Once' }, 'order-1')).status).toBe(201);
  expect(carriedOut).toHaveLength(1);
});

test('a publish that takes all its time keeps its name, and its answer', async () => {
  const keys = Array.from({ length: chartRefreshDeadlineMs / chartRefreshOfEventMs }, (_, event) => `event-${event}`);
  const published = { meta: { id: 'cht_1' }, version: {}, behind: keys.map((key) => ({ key })) };
  const ask = ports.catalog;
  let runs = 0;
  const catalogOfPublish = async (operation: CatalogOperation, input: never) => {
    if (operation !== 'charts.publish') return ask(operation, input);
    runs++;
    await pause(clock, publishDeadlineMs - chartRefreshDeadlineMs);
    return done(published);
  };
  let earlier: Promise<unknown> = Promise.resolve();
  Object.assign(ports, {
    catalog: catalogOfPublish,
    principals: { editor: () => done(asker) },
    chartRefreshes: (_organisationId: string, refresh: () => Promise<unknown>) => {
      earlier = earlier.then(refresh);
      return earlier;
    },
    shards: {
      submit: async (_event: unknown, _caller: unknown, _command: unknown, by: number) => {
        await pause(clock, by - clock.elapsed());
        return refuse('shard_unavailable', 'Silent.');
      },
    },
  });
  const publish = () => post('/v1/charts/{id}/publish', {}, 'publish-1', clock.elapsed() + publishDeadlineMs);
  const first = publish();
  for (let passed = 0; passed < publishDeadlineMs; passed += SECOND_MS) {
    await new Promise((resolve) => setImmediate(resolve));
    expect(JSON.parse((await publish()).body as string).code).toBe('idempotency_in_progress');
    catalog.clock.time += SECOND_MS;
    clock.advance(SECOND_MS);
  }
  const { status, body } = await first;
  expect([status, JSON.parse(body as string).events.needsUpdate]).toEqual([200, keys]);
  expect((await publish()).headers).toContainEqual(['Idempotent-Replayed', 'true']);
  expect(runs).toBe(1);
});

test('a key never gets an answer of another key that it may not see', async () => {
  const { workspace } = await catalog.ask('workspaces.create', {
    scope: { ...key, actor: key.keyId, role: null },
    name: 'Annex',
  });
  const refused = { ...key, workspaceId: workspace.id };
  asker = refused;
  expect((await post('/v1/workspaces', { name: 'Mine' }, 'order-1')).status).toBe(403);
  const own = JSON.parse((await post('/v1/charts', { name: 'Hall' }, 'order-2')).body as string);
  asker = key;
  expect((await post('/v1/workspaces', { name: 'Mine' }, 'order-1')).status).toBe(201);
  const other = JSON.parse((await post('/v1/charts', { name: 'Hall' }, 'order-2')).body as string);
  expect(other.meta.workspaceId).not.toBe(own.meta.workspaceId);
});

test('a call that makes something new each time is not retryable when its answer was lost', async () => {
  const request = () => Promise.reject(new Error('timeout'));
  const silent = { request, subscribe: () => {} } as unknown as NatsConnection;
  const ask = createCatalogClient(silent, createLog('test', 'silent'));
  const credits = await ask('organisations.add-credits', { organisationId: 'org_1', delta: 1, reason: 'gift' });
  const retryable = (outcome: Awaited<ReturnType<typeof ask>>) => !outcome.ok && outcome.refusal.retryable === true;
  expect(retryable(credits)).toBe(false);
  const scope = { ...key, actor: key.keyId, role: null };
  expect(retryable(await ask('charts.create', { scope, name: 'Hall' }))).toBe(false);
  expect(retryable(await ask('charts.create', { scope, name: 'Hall', callId: 'call-1' }))).toBe(true);
  expect(retryable(await ask('charts.list', { scope, page: {} }))).toBe(true);
});
