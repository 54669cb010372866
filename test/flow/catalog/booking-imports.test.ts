/**
 * Imports of bookings: pieces, repetitions, and processes that die before, while and behind the event judges a piece.
 * The event is the shard's rules.
 */
import type { ReadLine } from '@parterre/shared/protocol/catalog/booking-imports';
import type { Scope } from '@parterre/shared/protocol/catalog/scope';
import type { Command } from '@parterre/shared/protocol/commands';
import { done, type Outcome, refuse } from '@parterre/shared/protocol/errors';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { importIdleMs } from '../../../services/catalog/src/store/rules/bounds.ts';
import { embeddedDatabase, type TestDatabase } from '../../store/adapters.ts';
import { organisationScope, publishedChart, type TestCatalog, testCatalog } from '../../store/test-catalog.ts';
import { callId, house } from '../../support/inventory/house.ts';

let database: TestDatabase;
let catalog: TestCatalog;
let scope: Scope;
let eventKey: string;
let event: ReturnType<typeof house>;
/** Takes the place of the event's answer, before or behind its decision. */
let before: ((command: Command) => Outcome<never> | null) | null;
let behind: (() => Outcome<never> | null) | null;

beforeEach(async () => {
  database = await embeddedDatabase([]);
  event = house();
  before = null;
  behind = null;
  catalog = testCatalog(await database.connect(), async (_, command) => {
    const instead = before?.(command) ?? null;
    if (instead) return instead;
    const answer = event.state.status === 'archived' ? event.refused(command) : event.ok(command);
    const told = 'code' in answer ? { ok: false as const, refusal: answer } : done(answer);
    return (behind?.() ?? told) as never;
  });
  scope = await organisationScope(catalog);
  const chartId = await publishedChart(catalog, scope);
  eventKey = (await catalog.ask('events.create', { scope, draft: { chartId } })).event.key;
});
afterEach(async () => {
  await catalog.lifecycles.bookingImports.engine.stop();
  await database.remove();
});

const sale = (line: number, label: string, bookingRef = 'old-1'): ReadLine => ({
  line,
  sale: { label, bookingRef, price: 9 },
});
const begin = async (name: string, more: object = {}) => {
  const caller = { source: 'server' as const, actor: 'key_1' };
  const input = { scope, eventKey, dryRun: false, fingerprint: 'file', caller, callId: name, ...more };
  return catalog.ask('booking-imports.begin', input);
};
const send = (importId: string, at: number, ...lines: ReadLine[]) =>
  catalog.ask('booking-imports.lines', { eventKey, importId, at, lines });
const end = async (importId: string, lineCount: number) =>
  (await catalog.ask('booking-imports.end', { eventKey, importId, lineCount, waitMs: 500 })).import;
const read = async (importId: string) =>
  (await catalog.ask('booking-imports.get', { scope, eventKey, importId })).import;
async function issues(importId: string) {
  const all: unknown[] = [];
  for (let at: number | null = 0; at !== null; ) {
    const page: { issues: unknown[]; next: number | null } = await catalog.ask('booking-imports.issues', {
      scope,
      eventKey,
      importId,
      at,
    });
    all.push(...page.issues);
    at = page.next;
  }
  return all;
}
const bookings = () => event.journal.filter(({ type }) => type === 'booked').length;
const carryOn = () => catalog.lifecycles.bookingImports.engine.watch();

async function twoPieces(name: string, more: object = {}): Promise<string> {
  const { id } = (await begin(name, more)).import;
  await send(id, 0, sale(2, 'A-1'), { line: 3, code: 'invalid_line', message: 'price: Must be sent.' });
  await send(id, 2, sale(4, 'Z-9'), sale(5, 'A-2', 'old-2'));
  return id;
}

test('an import books its pieces in order, and tells each issue by line', async () => {
  const id = await twoPieces('one');
  expect(bookings()).toBe(0);
  expect(await end(id, 4)).toMatchObject({ state: 'committed', accepted: 2, rejected: 2 });
  expect(await issues(id)).toMatchObject([
    { line: 3, code: 'invalid_line' },
    { line: 4, code: 'label_not_found' },
  ]);
  expect(event.state.bookings.get('old-2')?.lines).toHaveLength(1);
  expect((await begin('one')).isComing).toBe(false);
  const other = {
    scope,
    eventKey,
    dryRun: true,
    fingerprint: 'other',
    caller: { source: 'server' as const, actor: null },
    callId: 'one',
  };
  expect(await catalog.refusal('booking-imports.begin', other)).toMatchObject({ reason: 'idempotency_key_reused' });
});

test('a dry run lists every problem and books nothing; without a problem it is no refusal', async () => {
  const id = await twoPieces('dry', { dryRun: true });
  expect(await end(id, 4)).toMatchObject({ state: 'rejected', accepted: 2, rejected: 2 });
  const { id: good } = (await begin('good', { dryRun: true })).import;
  await send(good, 0, sale(1, 'A-1'));
  expect(await end(good, 1)).toMatchObject({ state: 'dry_run', accepted: 1 });
  expect(bookings()).toBe(0);
});

test('lines that did not all arrive book nothing, and the same import goes on when they are sent again', async () => {
  const { id } = (await begin('one')).import;
  await send(id, 0, sale(1, 'A-1'));
  const input = { eventKey, importId: id, lineCount: 2, waitMs: 0 };
  expect(await catalog.refusal('booking-imports.end', input)).toMatchObject({ code: 'overloaded', retryable: true });
  catalog.clock.time += importIdleMs + 10;
  expect(await read(id)).toMatchObject({ state: 'rejected' });
  expect(bookings()).toBe(0);
  expect((await begin('one')).isComing).toBe(true);
  await send(id, 0, sale(1, 'A-1'));
  await send(id, 1, sale(2, 'A-2'));
  expect(await end(id, 2)).toMatchObject({ state: 'committed', accepted: 2 });
});

test('a lost answer, a dead shard and a dead catalog book each line once', async () => {
  const id = await twoPieces('one');
  // The first answer is lost behind the append.
  let losses = 1;
  behind = () => (losses-- > 0 ? refuse('shard_unavailable', 'lost', { retryable: true }) : null);
  const { replace } = catalog.store;
  // The catalog dies behind the second answer, before the count is written.
  let deaths = 1;
  catalog.store.replace = async (collection, ...rest) => {
    if (collection.name === 'booking-import-pieces' && bookings() === 2 && deaths-- > 0) throw new Error('dies here');
    return replace.call(catalog.store, collection, ...rest) as never;
  };
  const first = await catalog.operations['booking-imports.end']({ eventKey, importId: id, lineCount: 4, waitMs: 0 });
  expect(first).toMatchObject({ ok: true, value: { import: { state: 'running', accepted: 0 } } });
  await vi.waitFor(() => expect(bookings()).toBe(1));
  event.ok({ type: 'unbook', callId: callId(), bookingRef: 'old-1' });
  carryOn();
  await vi.waitFor(async () => expect(await read(id)).toMatchObject({ state: 'committed', accepted: 2, rejected: 2 }));
  expect(deaths).toBeLessThan(0);
  expect(bookings()).toBe(2);
  expect(event.state.bookings.get('old-1')?.lines).toEqual([]);
});

test('an event that is archived in the middle gives each further line its refusal', async () => {
  const id = await twoPieces('one');
  behind = () => {
    for (const move of ['close', 'archive'] as const) event.ok({ type: 'move', callId: callId(), move });
    behind = null;
    return null;
  };
  expect(await end(id, 4)).toMatchObject({ state: 'committed', accepted: 1, rejected: 3 });
  expect(await issues(id)).toMatchObject([
    { line: 3 },
    { line: 4, code: 'invalid_event_state' },
    { line: 5, code: 'invalid_event_state' },
  ]);
});
