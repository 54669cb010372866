/**
 * What was sold in a span of time, from the bookings of an event: sums by category, channel, release and section, and
 * sums by hour or day. Money is in units of the event's `priceUnit`. Pure.
 */
import { dayOf } from '../frame/zoned-time.ts';

export const dimensions = ['category', 'channel', 'release', 'section'] as const;
export type Dimension = (typeof dimensions)[number];

/** A line of a booking: a place, a table, or places of an area. Money is null for those who may not see it. */
export type SoldObject = {
  categoryKey: string;
  categoryLabel: string;
  channelId: string | null;
  releaseId: string | null;
  sectionId: string | null;
  sectionLabel: string | null;
  objectType: string;
  quantity?: number;
  configuredValue: number | null;
  total: number | null;
  bookedAt: number;
  cancelledAt: number | null;
};

/** Epoch ms. `to` is the first moment behind the span. Null: without a bound. */
export type Span = { from: number | null; to: number | null };

export type SoldSums = { booked: number; cancelled: number; value: number | null; fees: number | null };
export type SoldRow = SoldSums & { id: string | null };

const nothing: SoldSums = { booked: 0, cancelled: 0, value: 0, fees: 0 };

/** Places sold in the span. `cancelled` counts those of them that were cancelled since; money is of the others. */
export function soldBy(objects: readonly SoldObject[], span: Span, dimension: Dimension): SoldRow[] {
  const rows = new Map<string | null, SoldSums>();
  for (const object of objects) {
    if (!isWithin(object.bookedAt, span)) continue;
    const id = idOf(object, dimension);
    rows.set(id, added(rows.get(id) ?? nothing, object));
  }
  return [...rows].map(([id, sums]) => ({ id, ...sums })).sort((one, other) => other.booked - one.booked);
}

export function totalOf(rows: readonly SoldSums[]): SoldSums {
  return rows.reduce<SoldSums>(
    (sum, row) => ({
      booked: sum.booked + row.booked,
      cancelled: sum.cancelled + row.cancelled,
      value: plus(sum.value, row.value),
      fees: plus(sum.fees, row.fees),
    }),
    nothing,
  );
}

export type SoldTime = { at: number; booked: number; value: number | null };

const HOUR_MS = 3_600_000;
const HOURS_SHOWN_MAX = 72;

/**
 * What was sold and not cancelled, by hour where the sale took up to three days, else by day of the zone. Times without
 * a sale have no entry. `at` is the first sale of the hour or day.
 */
export function soldOverTime(
  objects: readonly SoldObject[],
  span: Span,
  timezone: string | null,
): { unit: 'hour' | 'day'; times: SoldTime[] } {
  const sold = objects.filter(({ bookedAt, cancelledAt }) => cancelledAt === null && isWithin(bookedAt, span));
  sold.sort((one, other) => one.bookedAt - other.bookedAt);
  const first = sold[0]?.bookedAt ?? 0;
  const last = sold.at(-1)?.bookedAt ?? 0;
  const unit = last - first <= HOURS_SHOWN_MAX * HOUR_MS ? 'hour' : 'day';
  const nameOf = (at: number): string => (unit === 'hour' ? String(Math.floor(at / HOUR_MS)) : dayOf(at, timezone));
  const times = new Map<string, SoldTime>();
  for (const object of sold) {
    const name = nameOf(object.bookedAt);
    const at = unit === 'hour' ? Math.floor(object.bookedAt / HOUR_MS) * HOUR_MS : object.bookedAt;
    const time = times.get(name) ?? { at, booked: 0, value: 0 };
    const value = plus(time.value, object.configuredValue);
    times.set(name, { ...time, booked: time.booked + placesOf(object), value });
  }
  return { unit, times: [...times.values()] };
}

/** A table that is sold as a whole is one place of the report, whatever the number of its guests. */
function placesOf({ objectType, quantity = 1 }: SoldObject): number {
  return objectType === 'table' ? 1 : quantity;
}

function added(sums: SoldSums, object: SoldObject): SoldSums {
  const places = placesOf(object);
  if (object.cancelledAt !== null) {
    return { ...sums, booked: sums.booked + places, cancelled: sums.cancelled + places };
  }
  const fees = object.total === null || object.configuredValue === null ? null : object.total - object.configuredValue;
  return {
    ...sums,
    booked: sums.booked + places,
    value: plus(sums.value, object.configuredValue),
    fees: plus(sums.fees, fees),
  };
}

function idOf(object: SoldObject, dimension: Dimension): string | null {
  if (dimension === 'category') return object.categoryKey;
  if (dimension === 'channel') return object.channelId;
  return dimension === 'release' ? object.releaseId : object.sectionId;
}

function isWithin(at: number, { from, to }: Span): boolean {
  return (from === null || at >= from) && (to === null || at < to);
}

const plus = (one: number | null, other: number | null): number | null =>
  one === null || other === null ? null : one + other;
