/**
 * The recorder: reports of attempts go to the catalog many at a time, each once, through every failure of the catalog.
 */
import type { AttemptReport } from '@parterre/shared/protocol/catalog/deliveries';
import { done, type Outcome, refuse } from '@parterre/shared/protocol/errors';
import {
  deliveryBodyBytesMax,
  historyFlushMs,
  historyWaitMsMax,
  reportBytesPerCallMax,
  reportCallsAtOnce,
  reportsPerCallMax,
  reportsWaitingMax,
} from '@parterre/shared/protocol/webhook-limits';
import type { CatalogClient } from '@parterre/shared/runtime/catalog-client';
import { pino } from 'pino';
import { beforeEach, describe, expect, it } from 'vitest';
import { createRecorder, type Recorder } from '../../../services/notifier/src/catalog/recorder.ts';
import { reportOf } from '../../support/attempt-reports.ts';
import { ManualClock } from '../../support/manual-clock.ts';

const log = pino({ level: 'silent' });
const away = refuse('catalog_unavailable', 'Away.', { retryable: true });

type Call = { reports: AttemptReport[]; answer: (outcome: Outcome<{ ok: true }>) => void };

let clock: ManualClock;
let calls: Call[];
let recorder: Recorder;

beforeEach(() => {
  clock = new ManualClock();
  calls = [];
  const catalog = ((_operation, { reports }: { reports: AttemptReport[] }) =>
    new Promise((answer) => calls.push({ reports, answer }))) as CatalogClient;
  recorder = createRecorder(catalog, clock, log);
});

/** Recorded reports, resolved in their order. */
function recordAll(reports: AttemptReport[]): { told: Set<string>; all: Promise<unknown> } {
  const told = new Set<string>();
  const all = reports.map((report) => recorder.record(report).then(() => void told.add(report.deliveryId)));
  return { told, all: Promise.all(all) };
}

const some = (count: number, from = 0) => Array.from({ length: count }, (_, n) => reportOf(from + n));
const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('the recorder', () => {
  it('gathers reports for a moment, and resolves when the catalog has them', async () => {
    const { told, all } = recordAll(some(3));
    clock.advance(historyFlushMs - 1);
    expect(calls).toHaveLength(0);
    clock.advance(1);
    expect(calls.map(({ reports }) => reports.length)).toEqual([3]);
    await settled();
    expect(told.size).toBe(0);
    calls[0]!.answer(done({ ok: true }));
    await all;
    expect(told.size).toBe(3);
  });

  it('does not wait where a call is full, and has few under way', async () => {
    const count = reportsPerCallMax * (reportCallsAtOnce + 2);
    const { all } = recordAll(some(count));
    expect(calls).toHaveLength(reportCallsAtOnce);
    for (let at = 0; at < reportCallsAtOnce + 2; at++) {
      calls[at]!.answer(done({ ok: true }));
      await settled();
    }
    await all;
    expect(calls.map(({ reports }) => reports.length)).toEqual(Array(reportCallsAtOnce + 2).fill(reportsPerCallMax));
    expect(new Set(calls.flatMap(({ reports }) => reports.map(({ deliveryId }) => deliveryId))).size).toBe(count);
  });

  it('keeps a call within the size of a message', () => {
    const body = `{"data":"${'x'.repeat(deliveryBodyBytesMax - 100)}"}`;
    void recordAll(some(100).map((report) => ({ ...report, body })));
    clock.advance(historyFlushMs);
    for (const { reports } of calls) {
      expect(reports.reduce((sum, report) => sum + report.body!.length, 0)).toBeLessThan(reportBytesPerCallMax);
      expect(reports.length).toBeGreaterThan(10);
    }
  });

  it.each([
    ['is away', away],
    ['fails', refuse('internal_error', 'The store is away.')],
  ])('repeats the same call while the catalog %s, and no delivery waits for it meanwhile', async (_what, refusal) => {
    const { told, all } = recordAll(some(2));
    clock.advance(historyFlushMs);
    for (let times = 0; times < 12; times++) {
      calls.at(-1)!.answer(refusal);
      await settled();
      clock.advance(10_000);
      await settled();
    }
    await all;
    expect(told.size).toBe(2);
    expect(calls).toHaveLength(13);
    expect(calls.at(-1)!.reports).toEqual(calls[0]!.reports);
    const meanwhile = recordAll(some(1, 5));
    await meanwhile.all;
    clock.advance(historyFlushMs);
    calls.at(-1)!.answer(refusal);
    expect(calls.at(-1)!.reports).toEqual([reportOf(5)]);
    // Once the history keeps up again, a delivery waits for its report.
    for (let times = 0; times < 2; times++) {
      for (const { answer } of calls) answer(done({ ok: true }));
      await settled();
      clock.advance(10_000);
      await settled();
    }
    const later = recordAll(some(1, 9));
    await settled();
    expect(later.told.size).toBe(0);
    expect(recorder.lost()).toBe(0);
  });

  it('holds no delivery up for long while the catalog is silent', async () => {
    const { told, all } = recordAll(some(reportsPerCallMax * (reportCallsAtOnce + 1)));
    clock.advance(historyWaitMsMax - 1);
    await settled();
    expect(told.size).toBe(0);
    clock.advance(1);
    await all;
    expect(calls).toHaveLength(reportCallsAtOnce);
  });

  it('gives up reports that the catalog refuses for good, and goes on', async () => {
    const first = recordAll(some(1));
    clock.advance(historyFlushMs);
    for (let times = 0; times < 3; times++) {
      calls.at(-1)!.answer(refuse('payload_too_large', 'Too much.'));
      await settled();
      clock.advance(10_000);
      await settled();
    }
    await first.all;
    const second = recordAll(some(1, 5));
    clock.advance(historyFlushMs);
    expect(calls.at(-1)!.reports).toEqual([reportOf(5)]);
    calls.at(-1)!.answer(done({ ok: true }));
    await second.all;
  });

  it('bounds the waiting reports while the catalog does not answer', async () => {
    const under = reportCallsAtOnce * reportsPerCallMax;
    const { told } = recordAll(some(under + reportsWaitingMax));
    await settled();
    expect(told.size).toBe(0);
    // Resolved, though the report is dropped.
    await recorder.record(reportOf(99_999));
    expect(recorder.lost()).toBe(1);
  });

  it('sends waiting reports when it stops, at once and once more where the catalog is away', async () => {
    const { told, all } = recordAll(some(2));
    const stopped = recorder.stop();
    expect(calls).toHaveLength(1);
    calls[0]!.answer(done({ ok: true }));
    await stopped;
    await all;
    expect(told.size).toBe(2);

    const late = recordAll(some(1, 5));
    expect(calls).toHaveLength(2);
    calls[1]!.answer(away);
    await late.all;
    expect(calls).toHaveLength(2);
  });

  it('stops though the catalog stays away', async () => {
    const { all } = recordAll(some(2));
    clock.advance(historyFlushMs);
    calls[0]!.answer(away);
    await settled();
    const stopped = recorder.stop();
    await settled();
    calls[1]!.answer(away);
    await stopped;
    await all;
  });

  it('reports the envelope of a long body, and nothing of a missing body', async () => {
    const long = JSON.stringify({
      occurrenceId: 'occ_1',
      externalRef: 'a,"data":',
      data: 'é'.repeat(deliveryBodyBytesMax / 2),
    });
    void recordAll([reportOf(1, { body: long }), reportOf(2, { body: null })]);
    clock.advance(historyFlushMs);
    const [first, second] = calls[0]!.reports;
    expect(first!.body).toBeNull();
    expect(JSON.parse(first!.envelope!)).toEqual({ occurrenceId: 'occ_1', externalRef: 'a,"data":', truncated: true });
    expect(second).toEqual(reportOf(2, { body: null }));
  });
});
