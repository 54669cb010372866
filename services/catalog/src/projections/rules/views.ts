/**
 * The projections of the journal. A view tells which documents a group concerns, and how the group is counted into
 * each. `seq` of a document is the last counted group. A group at or before it changes nothing, so reading a group
 * again, in any catalog, has no effect. A group is counted into a document in one step, so `seq` is enough.
 *
 * A new projection is a new `View` here, its collection in collections.ts, and a line in project-batches.ts.
 */
import { type BookingState, entryId } from '@parterre/shared/catalog/history';
import type { Group } from '@parterre/shared/records';
import { bookingGroupsMax } from '../../store/rules/bounds.ts';
import type { BookingProjection, CreditProjection, EventProjection } from '../../store/rules/records.ts';
import { emptyProjection, project } from './event-projection.ts';

/** A group of an event as its partition's stream has it. */
export type Counted = {
  stream: string;
  seq: number;
  eventKey: string;
  group: Group;
  /** The group's bytes. */
  data: Uint8Array;
  /** The organisation that pays for the event's sales; null for test events. */
  payer: string | null;
};

export type View<Value extends { seq: number }, Part> = {
  /** The group's part for each document it concerns, at most one for each. */
  split(counted: Counted): Iterable<[id: string, part: Part]>;
  /** Whether the document of a first part most likely does not exist yet, so that its read can be saved. */
  begins?(part: Part): boolean;
  /** The document with the group's part counted. `before` is undefined while there is no document. */
  count(before: Value | undefined, seq: number, part: Part): Value;
};

export const eventView: View<EventProjection, Pick<Counted, 'stream' | 'group'>> = {
  split: (counted) => [[counted.eventKey, counted]],
  count(before, seq, { stream, group }) {
    return project(before?.stream === stream ? before : { ...emptyProjection, ...before, stream }, seq, group);
  },
};

/** Booking a unit uses a credit. Unbooking returns none. */
export const creditView: View<CreditProjection, { payer: string; units: number }> = {
  split({ stream, group, payer }) {
    if (payer === null) return [];
    let units = 0;
    for (const record of group.records) if (record.type === 'booked') units += record.lines.length;
    return units === 0 ? [] : [[`${payer}/${stream}`, { payer, units }]];
  },
  count(before, seq, { payer, units }) {
    if (before && seq <= before.seq) return before;
    return { organisationId: payer, used: (before?.used ?? 0) + units, seq };
  },
};

type BookingPart = {
  eventKey: string;
  bookingRef: string;
  order: number;
  at: number;
  units: number;
  cancelled: number;
};

export const bookingView: View<BookingProjection, BookingPart> = {
  split({ seq, eventKey, group }) {
    const parts = new Map<string, BookingPart>();
    for (const [index, record] of group.records.entries()) {
      if (record.type !== 'booked' && record.type !== 'unbooked') continue;
      const { bookingRef } = record;
      const id = bookingId(eventKey, bookingRef);
      let part = parts.get(id);
      if (!part) {
        part = { eventKey, bookingRef, order: entryId(seq, index), at: group.at, units: 0, cancelled: 0 };
        parts.set(id, part);
      }
      if (record.type === 'booked') part.units += record.lines.length;
      else part.cancelled += record.units.length;
    }
    return parts;
  },
  begins: ({ cancelled }) => cancelled === 0,
  count(before, seq, part) {
    if (before && seq <= before.seq) return before;
    const units = (before?.units ?? 0) + part.units;
    const cancelled = (before?.cancelled ?? 0) + part.cancelled;
    const state = bookingStateOf(units, cancelled);
    const groups = before?.groups ?? [];
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
      seq,
      groups: groups.length < bookingGroupsMax ? [...groups, seq] : groups,
    };
  },
};

export function groupId(eventKey: string, seq: number): string {
  return `${eventKey}/${seq}`;
}

export function bookingId(eventKey: string, bookingRef: string): string {
  return `${eventKey}/${bookingRef}`;
}

function bookingStateOf(units: number, cancelled: number): BookingState {
  if (cancelled === 0) return 'booked';
  return cancelled < units ? 'partially_cancelled' : 'cancelled';
}
