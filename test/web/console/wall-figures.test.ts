/** The figures of the control room, from one answer of the server. */
import { expect, test } from 'vitest';
import {
  byUrgency,
  funnelOf,
  isSoldOut,
  type Live,
  paceOf,
  seriesOf,
  soldShare,
  withSold,
} from '../../../web/console/wall/figures.ts';
import { heatOf } from '../../../web/console/wall/momentum.ts';

const MINUTE_MS = 60_000;
const now = 1_000 * MINUTE_MS + 30_000;
const minute = (back: number, counts: object) => ({
  at: now - 30_000 - back * MINUTE_MS,
  holds: 0,
  held: 0,
  bookedFromHolds: 0,
  ended: 0,
  expired: 0,
  bookings: 0,
  booked: 0,
  cancelled: 0,
  bookedValue: 0,
  ...counts,
});
const live = (more: Partial<Live> = {}): Live => ({
  at: now,
  event: { name: 'Gala', status: 'active', salesPaused: false, timezone: null },
  currency: 'EUR',
  priceUnit: 'major',
  totals: { free: 50, held: 10, booked: 40, blocked: 7 },
  bookedValue: { gross: 400 },
  byCategory: [],
  bySection: [],
  presence: { shoppingSessions: 3, activeHolds: 5 },
  sales: {
    since: now - 60 * MINUTE_MS,
    readAt: now,
    minutes: [
      minute(10, { holds: 9, held: 18, bookings: 3, booked: 6, bookedFromHolds: 6, ended: 2 }),
      minute(1, { holds: 4, held: 8, bookings: 9, booked: 9, expired: 3 }),
    ],
  },
  sold: null,
  refusals: { since: now, doors: 1, byReason: [] },
  budgets: null,
  lag: { changedAt: now, feedMs: 0, isStale: false, logMs: 0, webhooks: null },
  ...more,
});

test('the graph has a point for each of sixty minutes, and none for a minute that is not known', () => {
  const series = seriesOf(live());
  expect([series.at.length, series.booked.at(-2), series.booked.at(-11), series.booked.at(-1)]).toEqual([60, 9, 6, 0]);
  const late = seriesOf(live({ sales: { ...live().sales!, since: now - 5 * MINUTE_MS } }));
  expect([late.booked.at(-11), late.booked.at(-2)]).toEqual([null, 9]);
  expect(seriesOf(live({ sales: null })).held.every((each) => each === null)).toBe(true);
});

test('the pace is of the last five minutes, and of the known part of them', () => {
  expect(paceOf(live())).toEqual({ bookings: 2, holds: 4 / 4.5 });
  const short = live({ sales: { ...live().sales!, since: now - 90_000 } });
  expect(paceOf(short)).toEqual({ bookings: 6, holds: 4 / 1.5 });
  expect(paceOf(live({ sales: null }))).toBe(null);
});

test('the funnel adds up the hour, and never shows less than nothing', () => {
  expect(funnelOf(live())).toEqual({ held: 26, booked: 6, ended: 2, expired: 3, open: 10 });
  const replaced = live({ sales: { ...live().sales!, minutes: [minute(0, { held: -2 })] } });
  expect(funnelOf(replaced)?.held).toBe(0);
});

test('a part is sold out when nothing of it is free or held, and the fullest part stands on top', () => {
  const parts = [
    { key: 'empty', free: 9, held: 0, booked: 1, blocked: 0 },
    { key: 'gone', free: 0, held: 0, booked: 10, blocked: 0 },
    { key: 'nearly', free: 0, held: 1, booked: 9, blocked: 0 },
  ];
  expect(byUrgency(parts).map(({ key }) => key)).toEqual(['nearly', 'empty', 'gone']);
  expect(parts.map(isSoldOut)).toEqual([false, true, false]);
  expect(soldShare({ free: 0, held: 0, booked: 0, blocked: 3 })).toBe(0);
});

test('sold places are kept for a quarter of an hour, the latest sale of each', () => {
  const sold = { upTo: 9, places: [{ at: now - 5, labels: ['A-1', 'A-2'] }] };
  const known = new Map([
    ['A-1', now - 10 * MINUTE_MS],
    ['B-1', now - 14 * MINUTE_MS],
    ['C-1', now - 16 * MINUTE_MS],
  ]);
  const next = withSold(known, live({ sold }), 15 * MINUTE_MS);
  expect([...next].sort()).toEqual([
    ['A-1', now - 5],
    ['A-2', now - 5],
    ['B-1', now - 14 * MINUTE_MS],
  ]);
  expect([0, 3, 10, 16].map((back) => heatOf(now - back * MINUTE_MS, now))).toEqual([0, 1, 2, null]);
});
