/**
 * Pages of a history of deliveries, the newest first. The next page begins before the millisecond of the page's last
 * delivery, which callers know as a timestamp. Where the millisecond has more deliveries, it begins before the last
 * one's microsecond.
 */
import { deliveriesPageDefault, deliveriesPageMax } from '../../store/rules/bounds.ts';
import type { DeliveryRow } from '../../store/rules/webhook-records.ts';
import { createdAt } from './delivery-row.ts';

/** Above every epoch time in milliseconds, and below those in microseconds. */
const microsecondsFrom = 1e14;

/**
 * How many more deliveries than a page are looked at. Only several notifiers fan out deliveries in the same
 * microsecond.
 */
export const tiesLookedAt = 16;

export function deliveryLimit(asked: number | undefined): number {
  if (asked === undefined || Number.isNaN(asked)) return deliveriesPageDefault;
  return Math.min(Math.max(Math.trunc(asked), 1), deliveriesPageMax);
}

/** A delivery of the history with its row. */
export type ShownDelivery = { id: string; value: DeliveryRow };

/** Compares two deliveries: the newest comes first in a list. */
export function newerFirst(one: { id: string; order: number }, other: { id: string; order: number }): number {
  return other.order - one.order || (one.id < other.id ? 1 : -1);
}

/** Rows and deliveries of batches together, the newest first. A delivery that has both is shown by its row. */
export function newestFirst(rows: readonly ShownDelivery[], arrived: readonly ShownDelivery[]): ShownDelivery[] {
  if (arrived.length === 0) return [...rows];
  const ids = new Set(rows.map(({ id }) => id));
  const all = [...rows, ...arrived.filter(({ id }) => !ids.has(id))];
  return all.sort((one, other) => newerFirst(placeOf(one), placeOf(other)));
}

function placeOf({ id, value: { order } }: ShownDelivery) {
  return { id, order };
}

/** The page's orders are below this order, in microseconds. */
export function orderBefore(before: number): number {
  return before < microsecondsFrom ? before * 1_000 : before;
}

/**
 * The number of deliveries in the page, and its `nextBefore`; null at the end. A page does not end between two
 * deliveries of one microsecond, which no number could tell apart. It ends before them, or is longer where it has no
 * others.
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
