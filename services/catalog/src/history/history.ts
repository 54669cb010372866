/**
 * The history of an event from its journal: its log, its channel audit, and its bookings with the booked units of each
 * group.
 */
import type { JournalEntry, KeptBooking } from '@parterre/shared/protocol/catalog/history';
import { type BookingState, bookingStates } from '@parterre/shared/protocol/catalog/history';
import { done, refuse } from '@parterre/shared/protocol/errors';
import type { JournalRecord } from '@parterre/shared/protocol/records';
import { linkEntries } from '../access/link-audit.ts';
import { largeGroup, readLastPart, readParts } from '../projections/counted-parts.ts';
import { currentViews } from '../projections/generations.ts';
import { bucketId, groupsIn } from '../projections/rules/group-buckets.ts';
import { bookingId, isOfBooking } from '../projections/rules/views.ts';
import type { Views } from '../store/collections.ts';
import type { OperationTable, Ports } from '../store/operations.ts';
import { bookingsScannedMax, bucketsReadAtOnce, pageLimitMax, unitsPerHistoryPageMax } from '../store/rules/bounds.ts';
import { clampLimit, decodeCursor, encodeCursor } from '../store/rules/paging.ts';
import type { BookingProjection } from '../store/rules/records.ts';
import type { Store } from '../store/store.ts';
import { awaitCounted, createWaits, type Waits } from './await-counted.ts';
import { entriesOf, readAudit, readBooked, readLog } from './log-pages.ts';
import { withLinks } from './rules/link-entries.ts';

type HistoryOperation =
  | 'history.log'
  | 'history.audit'
  | 'history.bookings'
  | 'history.booking'
  | 'history.last-part'
  | 'history.parts';

export function createHistoryOperations(
  ports: Pick<Ports, 'store' | 'clock' | 'hurryProjector'>,
): OperationTable<HistoryOperation> {
  const { store } = ports;
  const waits: Waits = createWaits();
  const isIn = async (views: Views, eventKey: string, stream: string): Promise<boolean> =>
    (await store.get(views.events, eventKey))?.value.stream === stream;
  return {
    async 'history.log'({ eventKey, version, limit, before }) {
      await awaitCounted(ports, waits, { eventKey, version });
      return done(await readLog(store, await currentViews(store), eventKey, { limit, before }));
    },

    async 'history.audit'({ eventKey, version, limit, before }) {
      await awaitCounted(ports, waits, { eventKey, version });
      const asked = { limit, before };
      const [journaled, links] = await Promise.all([
        readAudit(store, await currentViews(store), eventKey, asked),
        linkEntries(store, eventKey, { limit: limit + 1, before }),
      ]);
      return done(withLinks(journaled, links, limit));
    },

    async 'history.bookings'({ eventKey, version, page, state, q }) {
      await awaitCounted(ports, waits, { eventKey, version });
      const views = await currentViews(store);
      const states = state === undefined ? bookingStates : [state];
      const asked = { eventKey, states, q: q?.toLowerCase() ?? '' };
      const after = decodeCursor(page.cursor)?.order;
      const found = await findBookings(store, views, asked, {
        limit: clampLimit(page.limit),
        after: typeof after === 'number' ? after : undefined,
      });
      const bookings = await withEntries(store, views, found.bookings);
      return done({
        bookings,
        ...(found.next === null ? {} : { nextCursor: encodeCursor({ order: found.next, id: '' }) }),
      });
    },

    async 'history.booking'({ eventKey, version, bookingRef }) {
      const isCounted = await awaitCounted(ports, waits, { eventKey, version });
      const views = await currentViews(store);
      const found = await store.get(views.bookings, bookingId(eventKey, bookingRef));
      if (!found) return refuse('booking_not_found', 'There is no such booking on this event. Check its bookingRef.');
      const [booking] = await withEntries(store, views, [found.value]);
      return done({ booking: booking!, isCounted });
    },

    async 'history.last-part'({ eventKey, stream }) {
      const views = await currentViews(store);
      return done((await isIn(views, eventKey, stream)) ? await readLastPart(store, views, eventKey) : null);
    },

    async 'history.parts'({ eventKey, stream, after }) {
      const views = await currentViews(store);
      if (!(await isIn(views, eventKey, stream))) return done({ parts: [], isCut: false });
      return done(await readParts(store, views, eventKey, after));
    },
  };
}

type Booked = Extract<JournalRecord, { type: 'booked' }>;
type BookingQuery = { eventKey: string; states: readonly BookingState[]; q: string };

/** Newest first. `next` is the continuation. */
async function findBookings(
  store: Store,
  views: Views,
  asked: BookingQuery,
  { limit, after }: { limit: number; after: number | undefined },
): Promise<{ bookings: BookingProjection[]; next: number | null }> {
  const bookings: BookingProjection[] = [];
  let units = 0;
  let scanned = 0;
  let from = after;
  const read = asked.states.includes('booked') ? newestBookings : newestChanged;
  while (scanned < bookingsScannedMax) {
    const found = await read(store, views, asked, from);
    for (const booking of found.bookings) {
      if (isAsked(booking, asked.q)) {
        units += booking.units + (booking.exchanged ?? 0);
        const isFull = bookings.length === limit || (bookings.length > 0 && units > unitsPerHistoryPageMax);
        if (isFull) return { bookings, next: from! };
        bookings.push(booking);
      }
      from = booking.order;
    }
    if (found.next === null) return { bookings, next: null };
    from = found.next;
    if (found.isCut) break;
    scanned += found.scanned;
  }
  return { bookings, next: from! };
}

function isAsked({ bookingRef, buyerRef = '' }: BookingProjection, q: string): boolean {
  return q === '' || bookingRef.toLowerCase().includes(q) || buyerRef.toLowerCase().includes(q);
}

/**
 * `next` is where the older bookings begin; null: there are no more. `scanned` is the number of bookings that were
 * looked at. `isCut`: the read ended early, with enough bytes for one answer.
 */
type Newest = { bookings: BookingProjection[]; next: number | null; scanned: number; isCut: boolean };

/**
 * Bookings in any of these states. The journal has their order: a booking stands where its first record does. A booking
 * of several records is found there alone.
 */
async function newestBookings(
  store: Store,
  views: Views,
  { eventKey, states }: BookingQuery,
  before: number | undefined,
): Promise<Newest> {
  const page = await readBooked(store, views, eventKey, { limit: pageLimitMax, before });
  const idOf = ({ record }: JournalEntry): string => bookingId(eventKey, (record as Booked).bookingRef);
  const ids = new Set(page.entries.map(idOf));
  const known = new Map((await store.getMany(views.bookings, [...ids])).map(({ id, value }) => [id, value]));
  const bookings = page.entries.flatMap((entry) => {
    const booking = known.get(idOf(entry));
    return booking?.order === entry.id && states.includes(booking.state) ? [booking] : [];
  });
  const scanned = page.entries.length;
  return { bookings, next: page.nextBefore, scanned, isCut: scanned < pageLimitMax };
}

/** Bookings that were cancelled, in whole or in part. Each state has its own range of the index. */
async function newestChanged(
  store: Store,
  views: Views,
  { eventKey, states }: BookingQuery,
  before: number | undefined,
): Promise<Newest> {
  const position = before === undefined ? {} : { after: { order: before, id: '' } };
  const query = { index: 'byState', descending: true, limit: pageLimitMax, ...position };
  const pages = await Promise.all(
    states.map((state) => store.page(views.bookings, { ...query, equal: [eventKey, state] })),
  );
  const bookings = pages
    .flatMap(({ documents }) => documents.map(({ value }) => value))
    .sort((one, other) => other.order - one.order)
    .slice(0, pageLimitMax);
  const next = bookings.length < pageLimitMax ? null : bookings.at(-1)!.order;
  return { bookings, next, scanned: bookings.length, isCut: false };
}

/** Each booking with its records, from the groups that it names. */
async function withEntries(store: Store, views: Views, bookings: readonly BookingProjection[]): Promise<KeptBooking[]> {
  const kept = bookings.map(({ bookingRef, state, bookedAt, updatedAt, cancelledAt }): KeptBooking => {
    return { bookingRef, state, bookedAt, updatedAt, cancelledAt, entries: [] };
  });
  const byRef = new Map(kept.map((booking) => [booking.bookingRef, booking]));
  const wanted = new Set(bookings.flatMap(({ groups }) => groups));
  const ids = [...new Set(bookings.flatMap(({ eventKey, groups }) => groups.map((seq) => bucketId(eventKey, seq))))];
  for (let at = 0; at < ids.length; at += bucketsReadAtOnce) {
    for (const { value } of await store.getMany(views.groups, ids.slice(at, at + bucketsReadAtOnce))) {
      for (const { seq, data } of groupsIn(value)) {
        if (!wanted.has(seq)) continue;
        for (const entry of entriesOf(seq, data ?? (await largeGroup(store, views, value.eventKey, seq)))) {
          const { record } = entry;
          if (isOfBooking(record)) byRef.get(record.bookingRef)?.entries.push(entry);
          if (record.type === 'unbooked' && record.resale) byRef.get(record.resale.toBookingRef)?.entries.push(entry);
        }
      }
    }
  }
  for (const { entries } of kept) entries.sort((one, other) => one.id - other.id);
  return kept;
}
