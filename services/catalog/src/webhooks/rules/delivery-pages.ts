/**
 * Pages of a history of deliveries, the newest first, and where the next one goes on: before the millisecond of a page's last delivery,
 * which is what callers know as a timestamp, or before its microsecond where the millisecond has more of them.
 */
import { deliveriesPageDefault, deliveriesPageMax } from '../../store/rules/bounds.ts';
import { createdAt } from './delivery-record.ts';

/** Above every epoch time in milliseconds, and below those in microseconds. */
const microsecondsFrom = 1e14;

/** How many more than a page are looked at: only several notifiers can make out deliveries in one microsecond. */
export const tiesLookedAt = 16;

export function deliveryLimit(asked: number | undefined): number {
  if (asked === undefined || Number.isNaN(asked)) return deliveriesPageDefault;
  return Math.min(Math.max(Math.trunc(asked), 1), deliveriesPageMax);
}

/** The order, in microseconds, that a page is to be below. */
export function orderBefore(before: number): number {
  return before < microsecondsFrom ? before * 1_000 : before;
}

/**
 * How many of these make a page, and the `nextBefore` of it; null when they are all. A page does not end between two of one microsecond,
 * which no number could tell apart: it ends before them, or is longer where it has no others.
 */
export function cutDeliveries(orders: readonly number[], limit: number): { count: number; nextBefore: number | null } {
  if (orders.length <= limit) return { count: orders.length, nextBefore: null };
  let count = limit;
  while (count > 0 && orders[count] === orders[count - 1]) count -= 1;
  if (count === 0) {
    count = orders.findIndex((order) => order !== orders[0]);
    if (count < 0) return { count: orders.length, nextBefore: orders[0]! };
  }
  const last = orders[count - 1]!;
  const sharesMs = createdAt(orders[count]!) === createdAt(last);
  return { count, nextBefore: sharesMs ? last : createdAt(last) };
}
