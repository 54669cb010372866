/** The last hour of sales by the minute, read from the log page by page, and what is left by category and section. */
import { compilePlan } from '@parterre/shared/charts/compile';
import type { JournalEntry } from '@parterre/shared/protocol/catalog/history';
import { done, refuse } from '@parterre/shared/protocol/errors';
import type { JournalRecord } from '@parterre/shared/protocol/records';
import type { CatalogClient } from '@parterre/shared/runtime/catalog-client';
import { MINUTE_MS } from '@parterre/shared/runtime/units';
import { expect, test } from 'vitest';
import { placesLeft, SalesWindows } from '../../../../services/frontdoor/src/control-room/control-room.ts';
import { SalesMinutes } from '../../../../services/frontdoor/src/control-room/rules/sales-minutes.ts';
import { chart, point, rectangle, row, section } from '../../../support/charts.ts';
import { ManualClock } from '../../../support/manual-clock.ts';

const by = { source: 'server', actor: null } as const;
const linesOf = (units: number[]) => units.map((unit) => ({ unit, price: 20 }));
const entry = (id: number, at: number, record: object): JournalEntry => {
  return { id, at, plan: 'hash', record: { by, ...record } as unknown as JournalRecord };
};
const held = (id: number, at: number, ...units: number[]) =>
  entry(id, at, { type: 'held', holdId: `hld_${id}`, expiresAt: 0, accessSource: 'public', lines: linesOf(units) });
const booked = (id: number, at: number, ...units: number[]) =>
  entry(id, at, { type: 'booked', bookingRef: 'r', callId: 'c', holdId: 'hld_1', lines: linesOf(units) });

test('holds, bookings and their ends count by the minute, in places', () => {
  const minutes = new SalesMinutes();
  minutes.add(held(1, 5, 1, 2, 3));
  minutes.add(booked(2, 10, 1));
  minutes.add(entry(3, 20, { type: 'released', holdId: 'hld_1', units: [2] }));
  minutes.add(entry(4, 30, { type: 'expired', holdId: 'hld_1', expiresAt: 0, units: [3] }));
  minutes.add(entry(5, MINUTE_MS + 1, { type: 'unbooked', bookingRef: 'r', callId: 'c', units: [1] }));
  minutes.add(entry(6, MINUTE_MS + 2, { type: 'blocked', units: [4], releaseAt: null, reason: null }));
  expect(minutes.minutes()).toEqual([
    {
      at: 0,
      holds: 1,
      held: 3,
      bookedFromHolds: 1,
      ended: 1,
      expired: 1,
      bookings: 1,
      booked: 1,
      cancelled: 0,
      bookedValue: 20,
    },
    expect.objectContaining({ at: MINUTE_MS, cancelled: 1, booked: 0 }),
  ]);
  expect(minutes.soldAfter(0)).toEqual([{ id: 2, at: 10, plan: 'hash', units: [1] }]);
  expect(minutes.soldAfter(2)).toEqual([]);
});

test('a hold that takes over places of another adds only its new places, and an import is no sale', () => {
  const minutes = new SalesMinutes();
  minutes.add(held(1, 0, 1, 2));
  minutes.add(entry(2, 0, { type: 'released', holdId: 'hld_1', units: [1, 2], kept: [2] }));
  minutes.add(entry(3, 0, { ...held(3, 0, 2, 3).record, createdAt: 0 }));
  minutes.add(entry(4, 0, { ...booked(4, 0, 9).record, imported: true }));
  expect(minutes.minutes()[0]).toMatchObject({ holds: 1, held: 3, ended: 1, bookings: 0, booked: 0 });
});

/** A log of these entries, newest first, in pages of so many. */
function logOf(entries: JournalEntry[], pageSize: number) {
  const asked: (number | undefined)[] = [];
  const log = { fails: false };
  const catalog = (async (_: string, { before }: { before?: number }) => {
    asked.push(before);
    if (log.fails) return refuse('catalog_unavailable', 'Silent.');
    const older = entries.filter(({ id }) => before === undefined || id < before).sort((a, b) => b.id - a.id);
    const page = older.slice(0, pageSize);
    return done({ entries: page, nextBefore: older.length > pageSize ? page.at(-1)!.id : null });
  }) as unknown as CatalogClient;
  return { asked, catalog, log };
}

test('a window reads the hour page by page, then only what is new, and survives a silent log', async () => {
  const clock = new ManualClock(1_000_000_000);
  const now = clock.now();
  const entries = Array.from({ length: 25 }, (_, at) => booked(at + 1, now - (25 - at) * MINUTE_MS, at));
  entries.unshift(booked(0, now - 61 * MINUTE_MS, 99));
  const { asked, catalog, log } = logOf(entries, 2);
  const window = new SalesWindows(catalog, clock).of('gala');
  await Promise.all([window.read(), window.read()]);
  expect(asked).toHaveLength(10);
  expect(window.since).toBe(now - 20 * MINUTE_MS);
  clock.advance(1_000);
  await window.read();
  expect(window.since).toBe(clock.now() - 60 * MINUTE_MS);
  expect(window.minutes.minutes().reduce((sum, minute) => sum + minute.booked, 0)).toBe(25);
  log.fails = true;
  entries.push(booked(30, clock.now(), 40));
  const readAt = window.readAt;
  clock.advance(1_000);
  await window.read();
  expect([window.readAt, window.newest?.id]).toEqual([readAt, 25]);
  log.fails = false;
  clock.advance(1_000);
  asked.length = 0;
  await window.read();
  expect([asked, window.newest?.id]).toEqual([[undefined], 30]);
});

test('a window begins anew where more has happened than one reading has pages for', async () => {
  const clock = new ManualClock(1_000_000_000);
  const entries = [booked(1, clock.now(), 1)];
  const { catalog } = logOf(entries, 2);
  const window = new SalesWindows(catalog, clock).of('gala');
  await window.read();
  for (let id = 2; id < 100; id++) entries.push(booked(id, clock.now() + id, id));
  clock.advance(2_000);
  await window.read();
  const sum = () => window.minutes.minutes().reduce((places, minute) => places + minute.booked, 0);
  expect(sum()).toBe(20);
  for (let reading = 0; reading < 5; reading++) {
    clock.advance(1_000);
    await window.read();
  }
  expect(sum()).toBe(99);
});

test('what is left counts by category and section, and places that are not for sale count as blocked', () => {
  const plan = compilePlan(
    chart([
      section({ id: 'stalls', outline: rectangle(-10, -10, 300, 20) }),
      row({ seatCount: 4 }),
      row({ id: 'row-b', label: 'B', origin: point(0, 500), seatCount: 2 }),
    ]),
    'hash',
  );
  const statuses = Uint8Array.from([0, 1, 2, 3, 0, 0]);
  const left = placesLeft(plan, statuses);
  expect(left.totals).toEqual({ free: 3, held: 1, booked: 1, blocked: 1 });
  expect(left.bySection.map(({ sectionId, free }) => [sectionId, free]).sort()).toEqual([
    ['__ungrouped__', 2],
    ['stalls', 1],
  ]);
  const closed = { ...plan, categories: plan.categories.map((category) => ({ ...category, notForSale: true })) };
  expect(placesLeft(closed, statuses).totals).toEqual({ free: 0, held: 1, booked: 1, blocked: 4 });
});
