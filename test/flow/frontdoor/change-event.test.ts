/** A PATCH that fails half-way, over a catalog and an actor that fail on demand. */
import type { EventRecord } from '@parterre/shared/protocol/catalog/events';
import type { Scope } from '@parterre/shared/protocol/catalog/scope';
import type { Command } from '@parterre/shared/protocol/commands';
import { done, type Outcome, refuse } from '@parterre/shared/protocol/errors';
import type { CatalogClient } from '@parterre/shared/runtime/catalog-client';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { changeEvent } from '../../../services/frontdoor/src/api/events.ts';
import { embeddedDatabase, type TestDatabase } from '../../store/adapters.ts';
import { organisationScope, publishedChart, type TestCatalog, testCatalog } from '../../store/test-catalog.ts';

const silent = refuse('shard_unavailable', 'Nothing was heard.', { retryable: true });
const counts = { free: 10, held: 0, booked: 0, blocked: 0 };

let database: TestDatabase;
let catalog: TestCatalog;
let scope: Scope;
let event: EventRecord;
/** The values that the actor was asked to set, and its reply when a step is to fail. */
let asked: object[];
let failing: Partial<Record<Command['type'] | 'write', Outcome<never>>>;

beforeEach(async () => {
  database = await embeddedDatabase([]);
  catalog = testCatalog(await database.connect());
  scope = await organisationScope(catalog);
  const chartId = await publishedChart(catalog, scope);
  ({ event } = await catalog.ask('events.create', { scope, draft: { chartId } }));
  asked = [];
  failing = {};
});
afterEach(() => database.remove());

async function submit(command: Command): Promise<Outcome<unknown>> {
  if (failing[command.type]) return failing[command.type]!;
  switch (command.type) {
    case 'configure': {
      const { currency = 'EUR', sectionStates = {} } = command;
      asked.push({ ...('currency' in command && { currency }), ...('sectionStates' in command && { sectionStates }) });
      return done({ currency, sectionStates, at: 7 });
    }
    default:
      return done({
        counts,
        holdTtlMs: null,
        status: 'active',
        salesPaused: false,
        sectionStates: {},
        planHash: 'hash',
      });
  }
}

function patch(body: object): Promise<Outcome<unknown>> {
  const ask: CatalogClient = async (operation, input) => {
    const writes = operation === 'events.update' && !('dryRun' in input);
    return writes && failing.write ? failing.write : catalog.operations[operation](input);
  };
  const ports = {
    catalog: ask,
    shards: { submit: (_event: unknown, _caller: unknown, command: Command) => submit(command) },
    events: { drop: () => {} },
  };
  const { organisationId } = scope;
  const principal = {
    kind: 'secret',
    keyId: 'key',
    organisationId,
    mode: 'test',
    environment: null,
    workspaceId: null,
  };
  return changeEvent({ ports, principal, body, event: { event }, request: {} } as never);
}

const record = async () => (await catalog.ask('events.get', { eventKey: event.key })).event;

it('that the catalog did not write after the actor is whole when it is sent again', async () => {
  const body = { name: 'Ball', currency: 'CHF', sectionStates: { west: 'closed' } };
  failing = { write: refuse('catalog_unavailable', 'Nothing was heard.', { retryable: true }) };
  const refused = await patch(body);
  expect(refused).toMatchObject({ ok: false, refusal: { code: 'catalog_unavailable', outcome: 'unknown' } });
  expect(refused).not.toHaveProperty('refusal.retryable');
  expect(await record()).toEqual(event);
  failing = {};
  expect(await patch(body)).toMatchObject({ ok: true, value: { meta: { name: 'Ball', currency: 'CHF' } } });
  const together = { currency: 'CHF', sectionStates: { west: 'closed' } };
  expect(asked).toEqual([together, together]);
  expect(await record()).toMatchObject({ name: 'Ball', currency: 'CHF' });
});

it('that the actor was not heard of is whole when it is sent again', async () => {
  const body = { venue: 'Court', currency: null, sectionStates: { west: 'closed' } };
  failing = { configure: silent };
  expect(await patch(body)).toMatchObject({ ok: false, refusal: { code: 'shard_unavailable' } });
  expect(await record()).toEqual(event);
  failing = {};
  expect(await patch(body)).toMatchObject({ ok: true, value: { meta: { venue: 'Court', currency: 'EUR' } } });
});

it('that is written does not ask to be repeated if its result cannot be read', async () => {
  failing = { count: silent };
  const refused = await patch({ name: 'Ball' });
  expect(refused).toMatchObject({ ok: false, refusal: { code: 'shard_unavailable', outcome: 'unknown' } });
  expect(refused).not.toHaveProperty('refusal.retryable');
  expect(await record()).toMatchObject({ name: 'Ball' });
});

it('that the actor refuses has set nothing', async () => {
  failing = { configure: refuse('conflict', 'Seats are held.', { reason: 'event_has_sales' }) };
  const refused = await patch({ name: 'Ball', currency: 'CHF', sectionStates: { west: 'closed' } });
  expect(refused).toMatchObject({ ok: false, refusal: { reason: 'event_has_sales' } });
  expect([asked, await record()]).toEqual([[], event]);
});

it('of section states alone leaves the currency to what it is', async () => {
  expect(await patch({ sectionStates: { west: 'hidden' } })).toMatchObject({ ok: true });
  expect(asked).toEqual([{ sectionStates: { west: 'hidden' } }]);
  expect(await record()).toMatchObject({ currency: event.currency });
});

it('that the catalog refuses is not shown to the actor', async () => {
  const refused = await patch({ startsAt: 10, endsAt: 9, currency: 'CHF', sectionStates: {} });
  expect(refused).toMatchObject({ ok: false, refusal: { code: 'invalid_request' } });
  expect([asked, await record()]).toEqual([[], event]);
});
