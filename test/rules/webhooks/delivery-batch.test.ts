/** Batches of the history: what they take, where they end, and that nothing of a report is lost in them. */
import type { AttemptReport } from '@parterre/shared/protocol/catalog/deliveries';
import { describe, expect, it } from 'vitest';
import {
  batchBytesMax,
  batchDeliveriesMax,
  batchSpanMicros,
  deliveryHistoryMs,
} from '../../../services/catalog/src/store/rules/bounds.ts';
import {
  batchesOf,
  isArrived,
  oldestWithin,
  rowsOf,
} from '../../../services/catalog/src/webhooks/rules/delivery-batch.ts';
import { noteReport } from '../../../services/catalog/src/webhooks/rules/delivery-row.ts';
import { reportOf as firstReportOf } from '../../support/attempt-reports.ts';

const start = 1_800_000_000_000;

function reportOf(n: number, more: Partial<AttemptReport> = {}): AttemptReport {
  return firstReportOf(n, {
    ref: n % 2 === 0 ? `order-${n}` : null,
    place: { partition: 3, sequence: 2 ** 40 + n, index: n % 7 },
    body: `{"occurrenceId":"occ_${n}","data":{"name":"Ä"}}`,
    order: start * 1_000 + n,
    at: start + n,
    status: 204,
    responseBody: n % 3 === 0 ? 'yes' : '',
    ...more,
  });
}

const some = (count: number, more: (n: number) => Partial<AttemptReport> = () => ({})) =>
  Array.from({ length: count }, (_, n) => reportOf(n, more(n)));
const sizesOf = (reports: AttemptReport[]) => batchesOf(reports, 0).map(({ batch }) => batch.deliveryIds.length);

describe('a batch of deliveries', () => {
  it('takes first attempts that arrived, and no other report', () => {
    const failed = { status: 500, retryState: 'scheduled' } as const;
    const others: Partial<AttemptReport>[] = [
      failed,
      { attempt: 2 },
      { manual: true },
      { errorMessage: 'cut off' },
      { dropped: 1 },
      { season: { key: 'sea_1', workspaceId: null, environment: null } as never },
    ];
    expect(isArrived(reportOf(1))).toBe(true);
    expect(others.map((more) => isArrived(reportOf(1, more)))).toEqual(others.map(() => false));
  });

  it('gives each delivery the row that its report alone would make, in the order of the deliveries', () => {
    const long = { body: null, envelope: '{"truncated":true}' };
    const reports = some(40, (n) => (n === 5 ? long : n === 6 ? { responseBody: 'é'.repeat(3_000) } : {}));
    const [only, ...others] = batchesOf(reports.toReversed(), 100);
    expect(others).toEqual([]);
    const { batch } = only!;
    const rowAt = rowsOf(batch);
    for (const [at, report] of reports.entries()) {
      expect(batch.deliveryIds[at]).toBe(report.deliveryId);
      expect(rowAt(at)).toEqual(noteReport(null, report)!.row);
    }
    expect(batch).toMatchObject({ order: start * 1_000, arrivedUpTo: 140, expiresAt: start + deliveryHistoryMs });
  });

  it('ends at its number of deliveries, its bytes, and its time', () => {
    expect(sizesOf(some(batchDeliveriesMax * 2 + 1))).toEqual([batchDeliveriesMax, batchDeliveriesMax, 1]);
    const body = 'x'.repeat(batchBytesMax / 4);
    expect(sizesOf(some(9, () => ({ body, responseBody: null })))).toEqual([4, 4, 1]);
    expect(sizesOf(some(2, () => ({ body: body.repeat(5) })))).toEqual([1, 1]);
    const apart = (n: number) => ({ order: start * 1_000 + n * (batchSpanMicros / 2) });
    expect(sizesOf(some(7, apart))).toEqual([3, 3, 1]);
    expect(batchesOf(some(7, apart), 10).map(({ batch }) => batch.arrivedUpTo)).toEqual([13, 16, 17]);
  });
});

describe('the oldest deliveries', () => {
  const row = (order: number) => ({ value: { order } }) as never;
  const batch = (order: number, count: number) => ({ value: { order, orders: Array(count).fill(order) } }) as never;

  it.each([
    ['rows before a batch', [row(1), row(2), row(9)], [batch(5, 3)], 5, [2, 1, 3]],
    ['no part of a batch', [row(1), row(2), row(9)], [batch(5, 3)], 4, [2, 0, 0]],
    ['no more than the limit', [row(1), row(2), row(3)], [], 2, [2, 0, 0]],
    ['nothing beyond a page of batches', [row(9)], [batch(1, 2), batch(2, 2)], 50, [0, 2, 4]],
    ['nothing beyond a page of rows', [row(1)], [batch(2, 2)], 50, [1, 0, 0]],
    ['batches alone', [], [batch(1, 2), batch(2, 2)], 50, [0, 2, 4]],
    ['nothing', [], [], 50, [0, 0, 0]],
  ] as const)('are %s', (_name, rows, batches, limit, expected) => {
    const oldest = oldestWithin([...rows] as never[], [...batches] as never[], limit);
    expect([oldest.rows.length, oldest.batches.length, oldest.batched]).toEqual(expected);
  });
});
