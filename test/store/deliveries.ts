/**
 * The history of deliveries and the health of subscriptions, on two catalogs that share one database. Runs on both
 * adapters.
 */
import { setImmediate as turn } from 'node:timers/promises';
import type { AttemptReport } from '@parterre/shared/protocol/catalog/deliveries';
import type { Scope } from '@parterre/shared/protocol/catalog/scope';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  collections,
  deliveries,
  deliveryBatches,
  webhookHealth,
} from '../../services/catalog/src/store/collections.ts';
import {
  batchDeliveriesMax,
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

  /** The numbers of all deliveries that the history has, in order, without repetitions. */
  async function storedNumbers(): Promise<number[]> {
    const { store } = catalogs[1]!;
    const numbers = new Set<number>();
    const note = (id: string) => numbers.add(Number(id.split('_').at(-1)));
    for (const delivered of [true, false]) {
      const query = { index: 'byOutcome', equal: [subId, delivered], limit: 20_000 };
      for (const { id } of (await store.page(deliveries, query)).documents) note(id);
    }
    const query = { index: 'bySubscription', equal: [subId], limit: 20_000 };
    for (const { value } of (await store.page(deliveryBatches, query)).documents) value.deliveryIds.forEach(note);
    return [...numbers].sort((one, other) => one - other);
  }

  test('the newest deliveries are kept, with the whole of their oldest batch, and all expire', async () => {
    const more = 300;
    const all = Array.from({ length: deliveriesKept + more }, (_, n) => reportOf(n, n % 4 === 0 ? failed : {}));
    for (let at = 0; at < all.length; at += 1_000) await record(all.slice(at, at + 1_000));
    const { store } = catalogs[0]!;
    await trimHistory(store, subId);
    const kept = await storedNumbers();
    expect(kept.length).toBeGreaterThanOrEqual(deliveriesKept);
    expect(kept.length).toBeLessThan(deliveriesKept + batchDeliveriesMax);
    // Every fourth is a row, and the others share batches: a batch reaches over a third more numbers.
    const slack = 2 * batchDeliveriesMax;
    expect(kept[0]).toBeGreaterThan(more - slack);
    expect(kept.slice(slack)).toEqual(Array.from({ length: kept.length - slack }, (_, at) => at + kept[slack]!));
    await trimHistory(store, subId);
    expect(await storedNumbers()).toEqual(kept);
    const sweepAt = async (n: number) => {
      for (const collection of [deliveries, deliveryBatches]) {
        await sweep(store, collection, start + n + deliveryHistoryMs);
      }
      return storedNumbers();
    };
    const left = await sweepAt(5_000);
    expect(left[0]).toBeGreaterThan(5_000 - slack);
    expect(left.at(-1)).toBe(all.length - 1);
    expect(await sweepAt(all.length)).toEqual([]);
  }, 60_000);

  test('the history of a deleted subscription is deleted, and later reports are dropped', async () => {
    const { store } = catalogs[0]!;
    await record(Array.from({ length: 40 }, (_, n) => reportOf(n, n % 2 === 0 ? failed : {})));
    await forgetHealth(catalogs[0]!, subId);
    await deleteHistory(store, subId);
    await record([reportOf(77), reportOf(78, failed)], 1);
    expect(await storedNumbers()).toEqual([]);
    expect((await healthOf(store, [subId], start)).get(subId)).toMatchObject({ lastStatus: null, uptime7d: null });
  });

  test('other work runs while the history of a deleted subscription is deleted', async () => {
    const { store } = catalogs[0]!;
    const many = 500;
    await record(Array.from({ length: many }, (_, n) => reportOf(n, failed)));
    let turns = 0;
    let over = false;
    const other = (async () => {
      for (; !over; turns++) await turn();
    })();
    await deleteHistory(store, subId);
    over = true;
    await other;
    expect(turns).toBeGreaterThanOrEqual(many / deliveriesDeletedAtOnce);
    expect(await storedNumbers()).toEqual([]);
  });

  test('a subscription is deleted before its history is, and nothing of it is shown', async () => {
    // The other catalog counts: its connection stands ready and carries nothing else.
    const { store } = catalogs[1]!;
    await record(Array.from({ length: 500 }, (_, n) => reportOf(n, failed)));
    await list();
    const left = () => store.count(deliveries, { index: 'byOutcome', equal: [subId, false], above: 0 });
    expect(await catalogs[0]!.ask('webhooks.delete', { scope, id: subId })).toEqual({ ok: true });
    expect(await left()).toBeGreaterThan(0);
    await expect(list()).rejects.toThrow('not_found');
    await expect.poll(left).toBe(0);
  });

  /** The numbers of all deliveries that the pages of a list show, in their order. */
  async function listedNumbers(more: object = {}): Promise<number[]> {
    const numbers: number[] = [];
    for (let before: number | undefined; ; ) {
      const page = await list({ limit: 50, ...more, ...(before !== undefined && { before }) });
      numbers.push(...page.deliveries.map(({ occurrenceId }) => Number(occurrenceId.slice(4))));
      if (page.nextBefore === null) return numbers;
      before = page.nextBefore;
    }
  }

  test('deliveries that arrive at the first attempt share documents, and each is found', async () => {
    const { store } = catalogs[1]!;
    await record(Array.from({ length: 200 }, (_, n) => reportOf(n)));
    const documents = await store.count(deliveryBatches, { index: 'bySubscription', equal: [subId], above: 0 });
    expect(documents).toBe(Math.ceil(200 / batchDeliveriesMax));
    expect(await store.count(deliveries, { index: 'byOutcome', equal: [subId, true], above: 0 })).toBe(0);
    const { kept, delivery } = await catalogs[1]!.ask('deliveries.get', { subId, deliveryId: `dlv_${subId}_77` });
    const { retryState, attempt, deliveryId, order, body, place, ref } = kept;
    expect({ retryState, attempt }).toEqual({ retryState: 'delivered', attempt: 1 });
    expect(reportOf(77)).toMatchObject({ deliveryId, order, body, place, ref });
    expect(delivery).toMatchObject({ payload: JSON.parse(reportOf(77).body!), responseBody: 'ok', status: 200 });
    const ids = ['dlv_none', `dlv_${subId}_3`, `dlv_${subId}_199`];
    const { known } = await catalogs[1]!.ask('deliveries.known', { ids });
    expect(known.toSorted()).toEqual(ids.slice(1).toSorted());
  });

  test('first attempts that are reported again in other batches, through several catalogs at once, count once', async () => {
    const all = Array.from({ length: 300 }, (_, n) => reportOf(n));
    const pieces = [all.slice(0, 200), all.slice(50), all.slice(120, 130), all.toReversed(), all.slice(199, 201)];
    await Promise.all(pieces.map((piece, at) => record(piece, at % 2)));
    await record(all.slice(290).concat(reportOf(300)), 1);
    expect(await counts()).toEqual({ delivered: 301, failed: 0 });
    expect(await listedNumbers()).toEqual(Array.from({ length: 301 }, (_, at) => 300 - at));
  });

  test('a delivery of a batch that is retried by hand is listed once, with both attempts', async () => {
    await record(Array.from({ length: 10 }, (_, n) => reportOf(n)));
    const asked = { manual: true, attempt: 2, at: start + 900, status: 503, responseBody: 'no' };
    const again = reportOf(4, { ...asked, retryState: 'none' });
    await Promise.all([0, 1].map((through) => record([again], through)));
    expect(await counts()).toEqual({ delivered: 10, failed: 1 });
    expect(await listedNumbers({ status: 'ok' })).toEqual([9, 8, 7, 6, 5, 4, 3, 2, 1, 0]);
    expect(await listedNumbers({ status: 'failed' })).toEqual([]);
    const shown = { attempt: 2, status: 503, retryState: 'delivered', responseBody: 'no', at: start + 4 };
    expect((await list({ before: start + 5, limit: 1 })).deliveries).toMatchObject([shown]);
    // A report of the first attempt that comes once more changes nothing.
    await record([reportOf(4), again], 1);
    expect(await counts()).toEqual({ delivered: 10, failed: 1 });
  });

  test('the list has one order, whatever calls and batches have reported its deliveries', async () => {
    // Backlogs report late: each call has old and new deliveries, and calls overlap.
    const orderOf = (n: number) => (start + ((n * 7_919) % 400) * 777) * 1_000 + n;
    const reports = Array.from({ length: 400 }, (_, n) => reportOf(n, { order: orderOf(n), ...(n % 5 ? {} : failed) }));
    for (let at = 0; at < 400; at += 37) await record(reports.slice(at, at + 37), at % 2);
    const expected = reports.map((_, n) => n).sort((one, other) => orderOf(other) - orderOf(one));
    expect(await listedNumbers()).toEqual(expected);
    expect(await listedNumbers({ status: 'ok', limit: 7 })).toEqual(expected.filter((n) => n % 5 !== 0));
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
