/**
 * The projections of the journal. A view tells which documents a group concerns, and how groups are counted into each.
 * `seq` of a document is the sequence that was counted last. A group at or before it is not counted (`countNew`), so
 * reading a group again, in any catalog, has no effect. All groups of a sequence are counted into a document in one
 * step, so `seq` is enough.
 *
 * A new projection is a new `View` here, its collection in collections.ts, and a line in project-batches.ts.
 */
import { type BookingState, entryId } from '@parterre/shared/protocol/catalog/history';
import type { EventGroup, JournalRecord } from '@parterre/shared/protocol/records';
import { bookingGroupsMax } from '../../store/rules/bounds.ts';
import type { BookingProjection, CreditProjection, EventProjection } from '../../store/rules/records.ts';
import { emptyProjection, foldGroup } from './event-projection.ts';

/** A group of an event as its partition's stream has it. */
export type Counted = {
  stream: string;
  seq: number;
  eventKey: string;
  group: EventGroup;
  /** The group's bytes. */
  data: Uint8Array;
  /** The organisation that pays for the event's sales; null for test events. */
  payer: string | null;
  /** The owner of the event's list of occurrences; null for an event without a document. */
  owner: string | null;
};

/** A group's part for each document that the group concerns, by the document's id. */
export type Parts<Part> = readonly (readonly [id: string, part: Part])[] | ReadonlyMap<string, Part>;

/** The parts of a group that concerns no document of a view: of most groups in most views. */
export const noParts: readonly never[] = [];

export type View<Value extends { seq: number }, Part> = {
  split(counted: Counted): Parts<Part>;
  /** Whether the document of a first part most likely does not exist yet, so that its read can be saved. */
  begins?(part: Part): boolean;
  /**
   * The document with these parts counted, in the order of the journal; there is one at least. `before` is undefined
   * while there is no document.
   */
  count(before: Value | undefined, parts: readonly Part[]): Value;
};

/** A group's part for a document, with the group's sequence. */
type Numbered = { seq: number };

/** Counts the groups behind the last counted group. Gives `before` itself where there are none. */
export function countNew<Value extends { seq: number }, Part extends Numbered>(
  view: View<Value, Part>,
  before: Value | undefined,
  parts: readonly Part[],
): Value | undefined {
  const fresh = before ? parts.filter(({ seq }) => seq > before.seq) : parts;
  return fresh.length === 0 ? before : view.count(before, fresh);
}

export const eventView: View<EventProjection, Pick<Counted, 'seq' | 'stream' | 'group'>> = {
  split: (counted) => [[counted.eventKey, counted]],
  count(before, parts) {
    const after = { ...emptyProjection, ...before, stream: parts[0]!.stream };
    for (const { seq, group } of parts) foldGroup(after, seq, group);
    return after;
  },
};

/** Booking a unit uses a credit. Unbooking returns none, and an exchange uses none. */
export const creditView: View<CreditProjection, { seq: number; payer: string; units: number }> = {
  split({ stream, seq, group, payer }) {
    if (payer === null) return noParts;
    let units = 0;
    for (const record of group.records) if (record.type === 'booked') units += record.lines.length;
    return units === 0 ? noParts : [[`${payer}/${stream}`, { seq, payer, units }]];
  },
  count(before, parts) {
    const { seq, payer } = parts.at(-1)!;
    const used = parts.reduce((sum, { units }) => sum + units, before?.used ?? 0);
    return { organisationId: payer, used, seq };
  },
};

/** Whether the record is about the units of one booking. */
export function isOfBooking(
  record: JournalRecord,
): record is Extract<JournalRecord, { type: 'booked' | 'unbooked' | 'exchanged' | 'exchanged-with' | 'renumbered' }> {
  const { type } = record;
  return type === 'booked' || type === 'unbooked' || type === 'renumbered' || isExchange(record);
}

function isExchange(record: JournalRecord): record is Extract<JournalRecord, { type: 'exchanged' | 'exchanged-with' }> {
  return record.type === 'exchanged' || record.type === 'exchanged-with';
}

type BookingPart = {
  seq: number;
  eventKey: string;
  bookingRef: string;
  order: number;
  at: number;
  units: number;
  cancelled: number;
  exchanged: number;
  buyerRef: string | null;
};

export const bookingView: View<BookingProjection, BookingPart> = {
  split({ seq, eventKey, group }) {
    let parts: Map<string, BookingPart> | null = null;
    const { records } = group;
    for (let index = 0; index < records.length; index++) {
      const record = records[index]!;
      if (!isOfBooking(record)) continue;
      parts ??= new Map();
      const { bookingRef } = record;
      const id = bookingId(eventKey, bookingRef);
      let part = parts.get(id);
      if (!part) {
        part = {
          seq,
          eventKey,
          bookingRef,
          order: entryId(seq, index),
          at: group.at,
          units: 0,
          cancelled: 0,
          exchanged: 0,
          buyerRef: null,
        };
        parts.set(id, part);
      }
      if (record.type === 'booked') {
        part.units += record.lines.length;
        part.buyerRef = record.buyerRef ?? part.buyerRef;
      }
      // Nothing is cancelled: the units have changed, and their number where a table is among them.
      else if (isExchange(record)) {
        part.units += record.lines.length - record.units.length;
        part.exchanged += record.units.length;
      } else if (record.type === 'renumbered') part.exchanged += record.lines.length;
      else part.cancelled += record.units.length;
    }
    return parts ?? noParts;
  },
  // An exchange alone adds no unit.
  begins: ({ cancelled, units }) => cancelled === 0 && units > 0,
  count: (before, parts) => parts.reduce<BookingProjection | undefined>(countBooking, before)!,
};

function countBooking(before: BookingProjection | undefined, part: BookingPart): BookingProjection {
  const units = (before?.units ?? 0) + part.units;
  const cancelled = (before?.cancelled ?? 0) + part.cancelled;
  const state = bookingStateOf(units, cancelled);
  const groups = before?.groups ?? [];
  const exchanged = (before?.exchanged ?? 0) + part.exchanged;
  const buyerRef = part.buyerRef ?? before?.buyerRef;
  return {
    eventKey: part.eventKey,
    bookingRef: part.bookingRef,
    state,
    order: before?.order ?? part.order,
    bookedAt: before?.bookedAt ?? part.at,
    updatedAt: part.at,
    cancelledAt: state === 'cancelled' ? part.at : null,
    units,
    cancelled,
    ...(exchanged > 0 && { exchanged, due: part.exchanged > 0 || (before?.due ?? null) }),
    ...(buyerRef !== undefined && { buyerRef }),
    seq: part.seq,
    groups: groups.length < bookingGroupsMax ? [...groups, part.seq] : groups,
  };
}

export function groupId(eventKey: string, seq: number): string {
  return `${eventKey}/${seq}`;
}

export function bookingId(eventKey: string, bookingRef: string): string {
  return `${eventKey}/${bookingRef}`;
}

function bookingStateOf(units: number, cancelled: number): BookingState {
  // An exchange has moved every unit to another event.
  if (units === 0) return 'cancelled';
  if (cancelled === 0) return 'booked';
  return cancelled < units ? 'partially_cancelled' : 'cancelled';
}
