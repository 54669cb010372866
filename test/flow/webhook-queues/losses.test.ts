/** Losses: a full queue tells its owner how many deliveries it dropped, since when and why, and the operator too. */
import type { AttemptReport } from '@parterre/shared/protocol/catalog/deliveries';
import { droppedRowsPerLossMax, lossesMax, lossQuietMs, lossReportMs } from '@parterre/shared/protocol/webhook-limits';
import { pino } from 'pino';
import { expect, it } from 'vitest';
import { createLosses } from '../../../services/notifier/src/deliveries/losses.ts';
import { firstDelivery } from '../../../services/notifier/src/deliveries/rules/delivery.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { settled } from '../../support/replica.ts';

const start = Date.UTC(2026, 0, 1);

function setUp() {
  const clock = new ManualClock(start);
  const reports: AttemptReport[] = [];
  const lines: { msg: string; dropped?: number; reason: string }[] = [];
  const log = pino({ level: 'warn' }, { write: (line) => lines.push(JSON.parse(line)) });
  const losses = createLosses({ record: async (report) => void reports.push(report), clock, log });
  const drop = (subId: string, count = 1): boolean[] =>
    Array.from({ length: count }, (_, n) => {
      const place = { partition: 0, sequence: n + 1, index: 0 };
      const occurrence = { id: `occ_${n}`, name: 'seat.booked', ref: null, place, at: 1, body: '{}' } as const;
      const to = { subId, organisationId: 'org_a', mode: 'live', eventKey: 'gala' } as const;
      return losses.note(firstDelivery(occurrence, to, n), 'subscription');
    });
  const pass = async (ms: number): Promise<void> => {
    for (let passed = 0; passed < ms; passed += lossReportMs) {
      clock.advance(lossReportMs);
      await settled();
    }
  };
  return { losses, reports, lines, drop, pass };
}

it('tells a loss in one growing row, and in a line of the log now and then', async () => {
  const { losses, reports, lines, drop, pass } = setUp();
  expect(drop('whk_1', 1_000).filter(Boolean)).toHaveLength(droppedRowsPerLossMax);
  await pass(lossReportMs);
  drop('whk_1', 500);
  await pass(lossReportMs);
  expect(reports.map(({ dropped }) => dropped)).toEqual([1_000, 1_500]);
  expect(new Set(reports.map(({ deliveryId }) => deliveryId)).size).toBe(1);
  expect(reports[1]).toMatchObject({
    subId: 'whk_1',
    event: 'deliveries.dropped',
    status: 0,
    retryState: 'none',
    body: null,
    errorMessage:
      '1500 deliveries were dropped since 2026-01-01T00:00:00.000Z. Too many deliveries wait for this endpoint: ' +
      'at most 64 MiB may wait. Read the state of your events.',
  });
  expect(lines).toHaveLength(1);
  await pass(2 * lossQuietMs);
  expect(reports).toHaveLength(2);
  expect(lines).toHaveLength(3);
  expect(lines[2]).toMatchObject({ dropped: 1_500, reason: 'subscription' });
  expect(losses.totals()).toEqual({ subscription: 1_500, organisation: 0, deployment: 0 });
});

it('begins another loss after a quiet time', async () => {
  const { reports, drop, pass } = setUp();
  drop('whk_1');
  await pass(2 * lossQuietMs);
  drop('whk_1');
  await pass(lossReportMs);
  expect(reports.map(({ dropped }) => dropped)).toEqual([1, 1]);
  expect(new Set(reports.map(({ deliveryId }) => deliveryId)).size).toBe(2);
});

it('tells every subscription its own loss, also past the bound of losses and at a stop', async () => {
  const { losses, reports, drop } = setUp();
  for (let n = 0; n < lossesMax + 10; n++) drop(`whk_${n}`);
  await losses.stop();
  expect(new Set(reports.map(({ subId }) => subId)).size).toBe(lossesMax + 10);
});
