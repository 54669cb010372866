/**
 * The history of deliveries and the health of subscriptions, on two catalogs that share one database. Runs on both
 * adapters.
 */
import { setImmediate as turn } from 'node:timers/promises';
import type { AttemptReport } from '@parterre/shared/protocol/catalog/deliveries';
import type { Scope } from '@parterre/shared/protocol/catalog/scope';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { collections, deliveries, webhookHealth } from '../../services/catalog/src/store/collections.ts';
import {
  beforePauseMs,
  deliveriesDeletedAtOnce,
  deliveriesKept,
  deliveryHistoryMs,
  recoveryLeaseMs,
} from '../../services/catalog/src/store/rules/bounds.ts';
import type { Collection } from '../../services/catalog/src/store/store.ts';
import { sweep } from '../../services/catalog/src/store/sweeper.ts';
import {
  deleteHistory,
  forgetHealth,
  healthOf,
  noteEnabled,
  trimHistory,
} from '../../services/catalog/src/webhooks/health-store.ts';
import type { MakeDatabase, TestDatabase } from './adapters.ts';
import { organisationScope, type TestCatalog, testCatalog } from './test-catalog.ts';

const start = 1_800_000_000_000;

export function deliveriesContract(makeDatabase: MakeDatabase): void {
  let database: TestDatabase;
  let catalogs: TestCatalog[];
  let scope: Scope;
  let subId: string;
  beforeEach(async () => {
    database = await makeDatabase(collections as readonly Collection<object>[]);
    catalogs = [testCatalog(await database.connect()), testCatalog(await database.connect())];
    scope = await organisationScope(catalogs[0]!);
    const { sub } = await catalogs[0]!.ask('webhooks.create', {
      scope,
      url: 'https://example.com/hook',
      events: ['seat.booked'],
    });
    subId = sub.id;
  });
  afterEach(() => database.remove());

  /** The report of the first attempt of delivery `n`, which succeeds unless `more` says otherwise. */
  function reportOf(n: number, more: Partial<AttemptReport> = {}): AttemptReport {
    const occurrenceId = `occ_${n}`;
    const body = JSON.stringify({ occurrenceId, event: 'seat.booked', data: { n } });
    return {
      deliveryId: `dlv_${subId}_${n}`,
      subId,
      organisationId: scope.organisationId,
      occurrenceId,
      body,
      event: 'seat.booked',
      eventKey: 'gala',
      ref: `order-${n}`,
      place: { partition: 0, sequence: n, index: 0 },
      order: (start + n) * 1_000,
      attempt: 1,
      manual: false,
      at: start + n + 1,
      status: 200,
      responseBody: 'ok',
      errorMessage: null,
      retryState: 'delivered',
      nextAttemptAt: null,
      ...more,
    };
  }
  const failed = { status: 500, retryState: 'scheduled', nextAttemptAt: start + 5_000 } as const;
  const record = (reports: AttemptReport[], through = 0) => catalogs[through]!.ask('deliveries.record', { reports });
  const list = (more: object = {}, through = 1) => catalogs[through]!.ask('deliveries.list', { scope, subId, ...more });
  const health = async () => (await catalogs[1]!.store.get(webhookHealth, subId))?.value;
  const counts = async () => {
    const hours = (await health())?.hours ?? [];
    const sum = (offset: number) => hours.reduce((all, each, at) => (at % 3 === offset ? all + each : all), 0);
    return { delivered: sum(1), failed: sum(2) };
  };

  test('a delivery is listed as it was reported, newest first', async () => {
    await record([reportOf(1), reportOf(2, { ...failed, responseBody: 'no', errorMessage: null })]);
    const { deliveries: told, nextBefore } = await list();
    expect(nextBefore).toBeNull();
    expect(told).toEqual([
      {
        id: `dlv_${subId}_2`,
        at: start + 2,
        event: 'seat.booked',
        ref: 'order-2',
        status: 500,
        attempt: 1,
        maxAttempts: 8,
        willRetry: true,
        retryState: 'scheduled',
        nextAttemptAt: start + 5_000,
        occurrenceId: 'occ_2',
        payload: { occurrenceId: 'occ_2', event: 'seat.booked', data: { n: 2 } },
        responseBody: 'no',
        errorMessage: null,
        lastAttemptAt: start + 3,
      },
      expect.objectContaining({ id: `dlv_${subId}_1`, status: 200, willRetry: false, retryState: 'delivered' }),
    ]);
    expect((await list({ status: 'ok' })).deliveries.map(({ occurrenceId }) => occurrenceId)).toEqual(['occ_1']);
    expect((await list({ status: 'failed' })).deliveries.map(({ occurrenceId }) => occurrenceId)).toEqual(['occ_2']);
  });

  test('attempts that are reported twice, late and out of order, through several catalogs at once, count once each', async () => {
    const numbers = Array.from({ length: 300 }, (_, n) => n);
    const first = numbers.map((n) => reportOf(n, n % 3 === 0 ? failed : {}));
    const second = numbers
      .filter((n) => n % 3 === 0)
      .map((n) => reportOf(n, { attempt: 2, at: start + 6_000 + n, order: (start + n) * 1_000 }));
    const batches = [first, second, first.slice(0, 200), second.slice(50), first.slice(100)];
    await Promise.all(batches.map((batch, at) => record(batch, at % 2)));
    expect(await counts()).toEqual({ delivered: 300, failed: 100 });
    const { deliveries: told } = await list({ limit: 50 });
    expect(told.every(({ retryState }) => retryState === 'delivered')).toBe(true);
    const retried = told.filter(({ occurrenceId }) => Number(occurrenceId.slice(4)) % 3 === 0);
    expect(retried.map(({ attempt, status }) => [attempt, status])).toEqual(Array(retried.length).fill([2, 200]));
  });

  test('pages are contiguous, also within one millisecond', async () => {
    const reports = Array.from({ length: 25 }, (_, n) =>
      reportOf(n, { order: (start + Math.floor(n / 10)) * 1_000 + n, ...(n % 2 ? failed : {}) }),
    );
    await record(reports);
    const seen: string[] = [];
    const cursors: (number | null)[] = [];
    for (let before: number | undefined; ; ) {
      const page = await list({ limit: 5, ...(before !== undefined && { before }) });
      seen.push(...page.deliveries.map(({ occurrenceId }) => occurrenceId));
      cursors.push(page.nextBefore);
      if (page.nextBefore === null) break;
      before = page.nextBefore;
    }
    expect(seen).toEqual(Array.from({ length: 25 }, (_, n) => `occ_${24 - n}`));
    expect(cursors).toEqual([start + 2, start * 1000 + 1000 + 15, start + 1, start * 1000 + 5, null]);
  });

  test('a limit is clamped, 20 without one', async () => {
    await record(Array.from({ length: 60 }, (_, n) => reportOf(n)));
    expect((await list()).deliveries).toHaveLength(20);
    expect((await list({ limit: 500 })).deliveries).toHaveLength(50);
    expect((await list({ limit: 0 })).deliveries).toHaveLength(1);
  });

  test('a body that is not stored is shown by its envelope', async () => {
    const envelope = JSON.stringify({ occurrenceId: 'occ_1', event: 'seat.booked', truncated: true });
    await record([reportOf(1, { body: null, envelope }), reportOf(2, { body: null })]);
    const { deliveries: told } = await list();
    expect(told[1]!.payload).toEqual({ occurrenceId: 'occ_1', event: 'seat.booked', truncated: true });
    expect(told[0]!.payload).toMatchObject({ occurrenceId: 'occ_2', event: 'seat.booked', truncated: true });
    const got = await catalogs[1]!.ask('deliveries.get', { subId, deliveryId: `dlv_${subId}_1` });
    expect(got.kept).toMatchObject({ body: null, place: { partition: 0, sequence: 1, index: 0 }, attempt: 1 });
  });

  test("a receiver's answer is stored up to 2 KiB of whole characters", async () => {
    const responseBody = `a\0b${'é'.repeat(3_000)}`;
    await record([reportOf(1, { responseBody }), reportOf(2, { responseBody: `${'x'.repeat(2_046)}\ud83d\ude00` })]);
    const [second, first] = (await list()).deliveries;
    expect(first!.responseBody).toBe(`a\0b${'é'.repeat(1_022)}`);
    expect(second!.responseBody).toBe('x'.repeat(2_046));
  });

  test('deliveries of a subscription outside the scope are unknown', async () => {
    await record([reportOf(1)]);
    const stranger = await organisationScope(catalogs[0]!);
    const deliveryId = `dlv_${subId}_1`;
    expect(await catalogs[0]!.refusal('deliveries.list', { scope: stranger, subId })).toMatchObject({
      code: 'not_found',
    });
    const asked = { scope: stranger, subId, deliveryId };
    expect(await catalogs[0]!.refusal('deliveries.get', asked)).toMatchObject({ code: 'not_found' });
    const live = { ...scope, mode: 'live' } as const;
    expect(await catalogs[0]!.refusal('deliveries.list', { scope: live, subId })).toMatchObject({ code: 'not_found' });
    const other = { subId: 'whk_other', deliveryId };
    expect(await catalogs[0]!.refusal('deliveries.get', other)).toMatchObject({ code: 'not_found' });
    const gone = { subId, deliveryId: 'dlv_none' };
    expect(await catalogs[0]!.refusal('deliveries.get', gone)).toMatchObject({ code: 'not_found' });
  });

  test('the health of a subscription follows from its attempts', async () => {
    const { clock, store } = catalogs[0]!;
    await record([reportOf(1), reportOf(2), reportOf(3, failed)]);
    expect((await healthOf(store, [subId, 'whk_quiet'], clock.time)).get(subId)).toEqual({
      lastStatus: 500,
      lastAt: start + 4,
      uptime7d: 0.6667,
      lastDroppedAt: null,
    });
    const later = clock.time + 8 * 24 * 3_600_000;
    expect((await healthOf(store, [subId], later)).get(subId)).toMatchObject({ uptime7d: null, lastStatus: 500 });
  });

  test('a loss is one row whose number grows, and marks its subscription, in any order of reports', async () => {
    const lossOf = (dropped: number): AttemptReport => ({
      ...reportOf(9, { ...failed, attempt: 0, status: 0, retryState: 'none', nextAttemptAt: null, body: null }),
      event: 'deliveries.dropped',
      dropped,
      at: start + dropped,
      errorMessage: `${dropped} were dropped`,
    });
    await record([lossOf(2), lossOf(5)]);
    await Promise.all([record([lossOf(9), lossOf(5)], 1), record([lossOf(7)])]);
    const { deliveries: told } = await list({ status: 'failed' });
    expect(told).toHaveLength(1);
    expect(told[0]).toMatchObject({ event: 'deliveries.dropped', errorMessage: '9 were dropped', attempt: 0 });
    expect(told[0]).toMatchObject({ willRetry: false, payload: { truncated: true } });
    expect(await sub()).toMatchObject({ lastDroppedAt: start + 9, lastStatus: null, uptime7d: null });
  });

  const day = 24 * 3_600_000;
  const sub = async () => (await catalogs[1]!.ask('webhooks.list', { scope })).subs[0]!;
  const failedAt = (n: number, at: number, status = 500) => reportOf(n, { ...failed, at, status });

  test('five days with only failures pause a subscription, and a success starts the days anew', async () => {
    await record([failedAt(1, start), failedAt(2, start + 4 * day)]);
    await record([reportOf(3, { at: start + 4.5 * day }), failedAt(4, start + 4.6 * day)]);
    await record([failedAt(5, start + 9.5 * day)]);
    expect(await sub()).toMatchObject({ disabled: false, pausedReason: null });
    catalogs[0]!.announced.length = 0;
    await record([failedAt(6, start + 9.6 * day)]);
    expect(await sub()).toMatchObject({ disabled: true, pausedReason: 'failing' });
    expect(catalogs[0]!.announced).toEqual([{ kind: 'webhooks', organisationId: scope.organisationId }]);
  });

  test('a receiver that answers 410 pauses its subscription, unless it was enabled since', async () => {
    const gone = { status: 410, retryState: 'none' } as const;
    catalogs[0]!.clock.time = start + day;
    await record([reportOf(1, { at: start })]);
    await noteEnabled(catalogs[0]!, subId);
    await record([reportOf(2, { ...gone, at: start + day - 1 })]);
    expect((await sub()).disabled).toBe(false);
    await record([reportOf(3, { ...gone, at: start + day + 1 })]);
    expect(await sub()).toMatchObject({ disabled: true, pausedReason: 'gone' });
    expect((await list()).deliveries[0]).toMatchObject({ status: 410, retryState: 'none', willRetry: false });
  });

  test('the newest deliveries are kept, and all expire', async () => {
    const more = 30;
    const all = Array.from({ length: deliveriesKept + more }, (_, n) => reportOf(n, n % 4 === 0 ? failed : {}));
    for (let at = 0; at < all.length; at += 1_000) await record(all.slice(at, at + 1_000));
    const { store, clock } = catalogs[0]!;
    await trimHistory(store, subId);
    const count = (delivered: boolean) =>
      store.count(deliveries, { index: 'byOutcome', equal: [subId, delivered], above: 0 });
    expect((await count(true)) + (await count(false))).toBe(deliveriesKept);
    expect((await list({ before: start + more + 1 })).deliveries.map(({ occurrenceId }) => occurrenceId)).toEqual([
      `occ_${more}`,
    ]);
    await sweep(store, deliveries, clock.time + deliveryHistoryMs + more + 9);
    expect((await count(true)) + (await count(false))).toBe(deliveriesKept - 10);
    expect((await list({ before: start + more + 20 })).deliveries).toHaveLength(10);
  }, 60_000);

  test('the history of a deleted subscription is deleted, and later reports are dropped', async () => {
    const { store } = catalogs[0]!;
    await record(Array.from({ length: 40 }, (_, n) => reportOf(n)));
    await forgetHealth(catalogs[0]!, subId);
    await deleteHistory(store, subId);
    await record([reportOf(77)], 1);
    expect(await store.count(deliveries, { index: 'byOutcome', equal: [subId, true], above: 0 })).toBe(0);
    expect((await healthOf(store, [subId], start)).get(subId)).toMatchObject({ lastStatus: null, uptime7d: null });
  });

  test('other work runs while the history of a deleted subscription is deleted', async () => {
    const { store } = catalogs[0]!;
    const many = 500;
    await record(Array.from({ length: many }, (_, n) => reportOf(n)));
    let turns = 0;
    let over = false;
    const other = (async () => {
      for (; !over; turns++) await turn();
    })();
    await deleteHistory(store, subId);
    over = true;
    await other;
    expect(turns).toBeGreaterThanOrEqual(many / deliveriesDeletedAtOnce);
    expect(await store.count(deliveries, { index: 'byOutcome', equal: [subId, true], above: 0 })).toBe(0);
  });

  test('a subscription is deleted before its history is, and nothing of it is shown', async () => {
    // The other catalog counts: its connection stands ready and carries nothing else.
    const { store } = catalogs[1]!;
    await record(Array.from({ length: 500 }, (_, n) => reportOf(n)));
    await list();
    const left = () => store.count(deliveries, { index: 'byOutcome', equal: [subId, true], above: 0 });
    expect(await catalogs[0]!.ask('webhooks.delete', { scope, id: subId })).toEqual({ ok: true });
    expect(await left()).toBeGreaterThan(0);
    await expect(list()).rejects.toThrow('not_found');
    await expect.poll(left).toBe(0);
  });

  test('parallel changes of one organisation are all made', async () => {
    const urls = Array.from({ length: 60 }, (_, n) => `https://example.com/${n}`);
    const changed = await Promise.all(
      urls.map((url) => catalogs[0]!.ask('webhooks.update', { scope, id: subId, changes: { url } })),
    );
    expect(changed.map(({ sub }) => sub.url)).toEqual(urls);
    const { subs } = await catalogs[1]!.ask('webhooks.list', { scope });
    // The store decides which change came last.
    expect(urls).toContain(subs[0]!.url);
  });

  const due = async () => (await catalogs[0]!.ask('webhooks.take-recoveries', {})).due;

  test('a receiver that answers again after an outage gets what is scheduled; one failure is no outage', async () => {
    await record([reportOf(1, { ...failed, attempt: 1 })]);
    await record([reportOf(2)], 1);
    expect(await due()).toEqual([]);
    // In one call, in any order.
    await record([reportOf(5), reportOf(3, failed), reportOf(4, failed)]);
    const [recovery, ...others] = await due();
    expect(others).toEqual([]);
    expect(recovery).toMatchObject({ subId, mode: 'test', since: null, asked: 1, rows: null, cursor: null });
    expect(await due()).toEqual([]);
    const { kept, next } = await catalogs[0]!.ask('deliveries.undelivered', { subId, since: null, after: null });
    expect(kept.map(({ occurrenceId, retryState }) => [occurrenceId, retryState])).toEqual([
      ['occ_1', 'scheduled'],
      ['occ_3', 'scheduled'],
      ['occ_4', 'scheduled'],
    ]);
    expect(next).toBeNull();
    await catalogs[1]!.ask('webhooks.note-recovery', { subId, asked: 1, rows: 'done', cursor: null, dueInMs: null });
    catalogs[0]!.clock.time += recoveryLeaseMs;
    expect(await due()).toEqual([]);
  });

  test('a recovery goes on from its last note, begins anew when it is asked for again, and waits for a pause', async () => {
    const asked = (since: number) => catalogs[0]!.ask('webhooks.recover', { scope, id: subId, since });
    const note = (number: number, cursor: string) =>
      catalogs[1]!.ask('webhooks.note-recovery', { subId, asked: number, rows: 'done', cursor });
    await asked(start - 5);
    expect(await due()).toMatchObject([{ asked: 1, since: start - 5 }]);
    await note(1, 'a');
    catalogs[0]!.clock.time += recoveryLeaseMs;
    expect(await due()).toMatchObject([{ asked: 1, rows: 'done', cursor: 'a' }]);
    await asked(start);
    await note(1, 'b');
    expect(await due()).toMatchObject([{ asked: 2, since: start - 5, rows: null, cursor: null }]);
    await catalogs[0]!.ask('webhooks.update', { scope, id: subId, changes: { disabled: true } });
    catalogs[0]!.clock.time += recoveryLeaseMs;
    expect(await due()).toEqual([]);
    const pausedAt = catalogs[0]!.clock.time - recoveryLeaseMs;
    await catalogs[0]!.ask('webhooks.update', { scope, id: subId, changes: { disabled: false } });
    expect(await due()).toMatchObject([{ asked: 3, since: Math.min(start - 5, pausedAt - beforePauseMs) }]);
  });
}
