/**
 * The sales of an event by the minute, from the records of its journal, over the last hour. Pure.
 *
 * All counts but `holds` and `bookings` are places. A hold that replaces another takes over its places: only new places
 * count as held. A sale of an older system (`imported`) is no sale of this minute.
 */
import type { JournalEntry } from '@parterre/shared/protocol/catalog/history';
import type { JournalRecord } from '@parterre/shared/protocol/records';

export type Minute = {
  /** The minute's beginning, in epoch milliseconds. */
  at: number;
  /** Holds that are new, and the places that they added. */
  holds: number;
  held: number;
  /** Places that left their hold: sold, given back by the buyer or an operator, or past the deadline. */
  bookedFromHolds: number;
  ended: number;
  expired: number;
  bookings: number;
  booked: number;
  cancelled: number;
  /** The value of the bookings of the minute, in the event's unit. Cancelled places take no value with them. */
  bookedValue: number;
};

export type SalesCounts = Omit<Minute, 'at'>;

const nothing: SalesCounts = {
  holds: 0,
  held: 0,
  bookedFromHolds: 0,
  ended: 0,
  expired: 0,
  bookings: 0,
  booked: 0,
  cancelled: 0,
  bookedValue: 0,
};

const MINUTE_MS = 60_000;
export const salesWindowMs = 60 * MINUTE_MS;
/** The time for which the places of each booking are known, for the momentum on the map. */
export const momentumMs = 15 * MINUTE_MS;

/** Places that were sold at once; `plan` names the units. */
export type SoldPlaces = { id: number; at: number; plan: string; units: number[] };

export class SalesMinutes {
  readonly #minutes = new Map<number, Minute>();
  #sold: SoldPlaces[] = [];

  add({ id, at, plan, record }: JournalEntry): void {
    const counts = countsOf(record);
    if (counts === null) return;
    const begins = at - (at % MINUTE_MS);
    const minute = this.#minutes.get(begins) ?? { at: begins, ...nothing };
    this.#minutes.set(begins, minute);
    for (const name of Object.keys(counts) as (keyof SalesCounts)[]) minute[name] += counts[name]!;
    if (counts.booked) this.#sold.push({ id, at, plan, units: linesOf(record).map(({ unit }) => unit) });
  }

  /** Forgets the minutes that ended more than an hour before `now`. */
  forget(now: number): void {
    for (const at of this.#minutes.keys()) if (at + MINUTE_MS <= now - salesWindowMs) this.#minutes.delete(at);
    this.#sold = this.#sold.filter(({ at }) => at > now - momentumMs);
  }

  clear(): void {
    this.#minutes.clear();
    this.#sold = [];
  }

  /** The minutes in which something happened, oldest first. */
  minutes(): Minute[] {
    return [...this.#minutes.values()].sort((one, other) => one.at - other.at);
  }

  /** The sales behind this entry of the journal, oldest first. */
  soldAfter(id: number): SoldPlaces[] {
    return this.#sold.filter((sold) => sold.id > id).sort((one, other) => one.id - other.id);
  }
}

/** Null for a record that is no part of a sale. */
function countsOf(record: JournalRecord): Partial<SalesCounts> | null {
  switch (record.type) {
    case 'held':
      return { holds: record.createdAt === undefined ? 1 : 0, held: record.lines.length };
    case 'released':
      // The kept places are with the hold that replaces this one, or with the booking that lists them for resale.
      return { held: -(record.kept?.length ?? 0), ended: record.units.length - (record.kept?.length ?? 0) };
    case 'expired':
      return { expired: record.units.length };
    case 'booked': {
      if (record.imported) return null;
      const booked = record.lines.length;
      return {
        bookings: 1,
        booked,
        bookedValue: priceOf(record),
        bookedFromHolds: record.holdId === null ? 0 : booked,
      };
    }
    case 'unbooked':
      return { cancelled: record.units.length };
    case 'exchanged':
    case 'exchanged-with':
      return { cancelled: record.units.length, booked: record.lines.length, bookedValue: priceOf(record) };
    default:
      return null;
  }
}

type WithLines = Extract<JournalRecord, { type: 'booked' | 'exchanged' | 'exchanged-with' }>;

const linesOf = (record: JournalRecord): WithLines['lines'] => ('lines' in record ? record.lines : []);

function priceOf({ lines }: WithLines): number {
  return lines.reduce((sum, { price, quantity = 1 }) => sum + price * quantity, 0);
}
