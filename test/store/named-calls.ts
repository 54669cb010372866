/** Named calls (Idempotency-Key), on two catalogs that share one database. Runs on both adapters. */
import type { Scope } from '@parterre/shared/protocol/catalog/scope';
import { idempotencyKeepMs, idempotencyLeaseMs } from '@parterre/shared/protocol/limits';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { collections, namedCalls } from '../../services/catalog/src/store/collections.ts';
import { sweptAtOnceMax } from '../../services/catalog/src/store/rules/bounds.ts';
import type { Collection } from '../../services/catalog/src/store/store.ts';
import { sweep } from '../../services/catalog/src/store/sweeper.ts';
import type { MakeDatabase, TestDatabase } from './adapters.ts';
import { organisationScope, publishedChart, type TestCatalog, tenSeats, testCatalog } from './test-catalog.ts';

const answer = { status: 201, body: '{"meta":{"id":"cht_1"}}' };

export function namedCallsContract(makeDatabase: MakeDatabase): void {
  let database: TestDatabase;
  let catalogs: TestCatalog[];
  beforeEach(async () => {
    database = await makeDatabase(collections as readonly Collection<object>[]);
    catalogs = [testCatalog(await database.connect()), testCatalog(await database.connect())];
  });
  afterEach(() => database.remove());

  const call = (run: string, fingerprint = 'body') => ({ name: 'call-1', run, fingerprint });
  const waitFor = (ms: number) => {
    for (const { clock } of catalogs) clock.time += ms;
  };

  test('exactly one of many runs that begin one call at once may run it', async () => {
    const begun = await Promise.all(
      Array.from({ length: 8 }, (_, i) => catalogs[i % 2]!.operations['idempotency.begin'](call(`run-${i}`))),
    );
    const said = begun.map((outcome) => (outcome.ok ? outcome.value.state : outcome.refusal.code)).sort();
    expect(said).toEqual(['begun', ...Array(7).fill('idempotency_in_progress')]);
  });

  test('the stored answer comes through the other catalog, and another body is a conflict', async () => {
    await catalogs[0]!.ask('idempotency.begin', call('run-1'));
    await catalogs[0]!.ask('idempotency.end', { name: 'call-1', run: 'run-1', answer });
    expect(await catalogs[1]!.ask('idempotency.begin', call('run-2'))).toEqual({ state: 'answered', answer });
    expect(await catalogs[1]!.refusal('idempotency.begin', call('run-3', 'another body'))).toMatchObject({
      code: 'conflict',
      reason: 'idempotency_key_reused',
    });
  });

  test('another body is a conflict even while the first call is under way', async () => {
    await catalogs[0]!.ask('idempotency.begin', call('run-1'));
    const refusal = await catalogs[1]!.refusal('idempotency.begin', call('run-2', 'another body'));
    expect(refusal.reason).toBe('idempotency_key_reused');
  });

  test('a call that ends without a stored answer may run again at once, under its first callId', async () => {
    const first = await catalogs[0]!.ask('idempotency.begin', call('run-1'));
    await catalogs[0]!.ask('idempotency.end', { name: 'call-1', run: 'run-1', answer: null });
    // The first run may have done its work: the second run must make the same thing.
    expect(await catalogs[1]!.ask('idempotency.begin', call('run-2'))).toEqual(first);
  });

  test('a call whose front door died runs again after the lease, under its first callId', async () => {
    const first = await catalogs[0]!.ask('idempotency.begin', call('run-1'));
    waitFor(idempotencyLeaseMs - 1);
    expect(await catalogs[1]!.refusal('idempotency.begin', call('run-2'))).toMatchObject({ retryable: true });
    waitFor(1);
    expect(await catalogs[1]!.ask('idempotency.begin', call('run-2'))).toEqual(first);
    // The first run was only slow: its answer comes too late.
    await catalogs[0]!.ask('idempotency.end', { name: 'call-1', run: 'run-1', answer });
    expect(await catalogs[0]!.refusal('idempotency.begin', call('run-3'))).toMatchObject({
      code: 'idempotency_in_progress',
    });
  });

  test('a call that runs longer than the lease keeps its name while its front door renews it', async () => {
    const first = await catalogs[0]!.ask('idempotency.begin', call('run-1'));
    for (let third = 0; third < 12; third++) {
      waitFor(idempotencyLeaseMs / 3);
      const renewed = await catalogs[third % 2]!.ask('idempotency.begin', { ...call('run-1'), renews: true });
      expect(renewed).toEqual(first);
      expect((await catalogs[0]!.refusal('idempotency.begin', call('run-2'))).code).toBe('idempotency_in_progress');
    }
    await catalogs[0]!.ask('idempotency.end', { name: 'call-1', run: 'run-1', answer });
    expect(await catalogs[1]!.ask('idempotency.begin', call('run-2'))).toEqual({ state: 'answered', answer });
  });

  test('a renewal that comes after the end, or after another run took over, changes nothing', async () => {
    const renewal = { ...call('run-1'), renews: true } as const;
    await catalogs[0]!.ask('idempotency.begin', call('run-1'));
    await catalogs[0]!.ask('idempotency.end', { name: 'call-1', run: 'run-1', answer: null });
    await catalogs[1]!.refusal('idempotency.begin', renewal);
    await catalogs[1]!.ask('idempotency.begin', call('run-2'));
    await catalogs[1]!.refusal('idempotency.begin', renewal);
    await catalogs[0]!.ask('idempotency.end', { name: 'call-1', run: 'run-2', answer });
    await catalogs[1]!.refusal('idempotency.begin', renewal);
    expect(await catalogs[1]!.ask('idempotency.begin', call('run-3'))).toEqual({ state: 'answered', answer });
  });

  test('the answer is kept when a renewal is under way at the end', async () => {
    for (let i = 0; i < 20; i++) {
      const name = `call-${i}`;
      await catalogs[0]!.ask('idempotency.begin', { ...call('run-1'), name });
      await Promise.all([
        catalogs[0]!.operations['idempotency.begin']({ ...call('run-1'), name, renews: true }),
        catalogs[1]!.ask('idempotency.end', { name, run: 'run-1', answer }),
        catalogs[1]!.operations['idempotency.begin']({ ...call('run-1'), name, renews: true }),
      ]);
      const kept = await catalogs[1]!.ask('idempotency.begin', { ...call('run-2'), name });
      expect(kept).toEqual({ state: 'answered', answer });
    }
  });

  test('a day later the name is new, and its call makes another thing', async () => {
    const first = await catalogs[0]!.ask('idempotency.begin', call('run-1'));
    await catalogs[0]!.ask('idempotency.end', { name: 'call-1', run: 'run-1', answer });
    waitFor(idempotencyKeepMs - 1);
    expect(await catalogs[0]!.ask('idempotency.begin', call('run-2'))).toMatchObject({ state: 'answered' });
    waitFor(1);
    const again = await catalogs[1]!.ask('idempotency.begin', call('run-3', 'another body'));
    expect(again.state).toBe('begun');
    expect(again).not.toEqual(first);
  });

  test('only expired names are swept', async () => {
    for (let i = 0; i < sweptAtOnceMax + 3; i++) {
      await catalogs[0]!.store.insert(namedCalls, `old-${i}`, {
        callId: 'c',
        run: 'r',
        fingerprint: 'f',
        leaseUntil: 1,
        answer: null,
        expiresAt: catalogs[0]!.clock.time - i,
      });
    }
    await catalogs[0]!.ask('idempotency.begin', call('run-1'));
    const { store, clock } = catalogs[1]!;
    expect(await sweep(store, namedCalls, clock.time)).toBe(sweptAtOnceMax + 3);
    const left = await store.page(namedCalls, { index: 'byExpiry', equal: [], limit: 10 });
    expect(left.documents.map(({ id }) => id)).toEqual(['call-1']);
  });

  test('the thing of a named call is found, not made again', async () => {
    const scope: Scope = await organisationScope(catalogs[0]!);
    const made = { scope, name: 'Hall', doc: tenSeats, callId: 'create-1' };
    const charts = await Promise.all(catalogs.map((catalog) => catalog.ask('charts.create', made)));
    expect(charts[0]!.meta.id).toBe(charts[1]!.meta.id);
    const { id: chartId, updatedAt: expectedUpdatedAt } = charts[0]!.meta;
    const save = { scope, chartId, doc: tenSeats, expectedUpdatedAt, callId: 'save-1' };
    const saved = await catalogs[0]!.ask('charts.update', save);
    expect(await catalogs[1]!.ask('charts.update', save)).toEqual(saved);
    const renamed = await catalogs[0]!.ask('charts.update', { scope, chartId, name: 'Arena', callId: 'save-2' });
    await catalogs[1]!.ask('charts.update', { scope, chartId, name: 'Arena North', callId: 'save-3' });
    const late = await catalogs[0]!.ask('charts.update', { scope, chartId, name: 'Arena', callId: 'save-2' });
    expect([renamed.meta.name, late.meta.name]).toEqual(['Arena', 'Arena North']);
    const copies = await Promise.all(
      catalogs.map((catalog) => catalog.ask('charts.duplicate', { scope, chartId, callId: 'copy-1' })),
    );
    expect(copies[0]!.meta.id).toBe(copies[1]!.meta.id);
    const { charts: listed } = await catalogs[0]!.ask('charts.list', { scope, page: {} });
    expect(listed).toHaveLength(2);
    expect((await catalogs[1]!.ask('charts.get', { scope, chartId })).meta.seatTotal).toBe(10);
  });

  test.each([undefined, 'gala'])('a repeated call finds the event that it has made (slug %s)', async (slug) => {
    const scope = await organisationScope(catalogs[0]!);
    const chartId = await publishedChart(catalogs[0]!, scope);
    const draft = { chartId, ...(slug !== undefined && { slug }) };
    const made = await Promise.all(
      catalogs.map((catalog) => catalog.ask('events.create', { scope, draft, callId: 'create-1' })),
    );
    expect(made[0]!.event).toEqual(made[1]!.event);
    expect((await catalogs[0]!.ask('events.list', { scope, page: {} })).events).toHaveLength(1);
    const other = await catalogs[0]!.operations['events.create']({ scope, draft, callId: 'create-2' });
    expect(other.ok).toBe(slug === undefined);
  });

  test.each([undefined, 'gala'])(
    'a repeated call finds its event even after the chart is archived and the credits are gone (slug %s)',
    async (slug) => {
      const [one, two] = catalogs as [TestCatalog, TestCatalog];
      const scope = await organisationScope(one, { mode: 'live' }, 1);
      const { organisationId } = scope;
      const chartId = await publishedChart(one, scope);
      const create = { scope, draft: { chartId, ...(slug !== undefined && { slug }) }, callId: 'create-1' };
      const made = await one.ask('events.create', create);
      await one.ask('organisations.add-credits', { organisationId, delta: -1, reason: 'spent' });
      expect(await two.ask('events.create', create)).toEqual(made);
      await one.ask('charts.archive', { scope, chartId });
      expect(await two.ask('events.create', create)).toEqual(made);
      const { code } = await two.refusal('events.create', { ...create, callId: 'create-2' });
      expect(code).toBe('chart_not_published');
    },
  );

  test('a repeated call finds its chart even after the workspace is disabled and the source is gone', async () => {
    const [one, two] = catalogs as [TestCatalog, TestCatalog];
    const scope = await organisationScope(one);
    const { workspace } = await one.ask('workspaces.create', { scope, name: 'Annex', callId: 'annex-1' });
    const into = { scope, workspaceId: workspace.id };
    const create = { ...into, name: 'Hall', doc: tenSeats, callId: 'create-1' };
    const made = await one.ask('charts.create', create);
    const copy = { ...into, chartId: made.meta.id, callId: 'copy-1' };
    const copied = await one.ask('charts.duplicate', copy);
    await one.ask('workspaces.update', { ...into, status: 'disabled' });
    expect(await two.ask('charts.create', create)).toEqual(made);
    await one.ask('charts.delete', { scope, chartId: made.meta.id });
    expect(await two.ask('charts.duplicate', copy)).toEqual(copied);
    const again = await two.ask('workspaces.create', { scope, name: 'Annex', callId: 'annex-1' });
    expect(again.workspace).toEqual({ ...workspace, status: 'disabled' });
  });
}
