/** The expected projections of a journal, folded from the journal itself, and the projections that HTTP shows. */

import type { Plan } from '@parterre/shared/charts/plan';
import { sha256 } from '@parterre/shared/protocol/ids';
import type { JournalRecord } from '@parterre/shared/protocol/records';
import { type FoldedEvent, foldJournals } from './partition/journal-fold.ts';

/** The history of one event. Bookings come newest first, log entries oldest first. */
export type EventHistory = {
  sold: number;
  bookings: { ref: string; state: string; labels: string[]; active: string[] }[];
  log: { id: number; labels: string[]; ref: string | null }[];
};

/** In the order of `eventKeys`, with the number of units that were ever booked in all of them. */
export async function journalHistories(
  natsUrl: string,
  partitions: number,
  plan: Plan,
  eventKeys: readonly string[],
): Promise<{ events: EventHistory[]; everBooked: number }> {
  const folded = await foldJournals(natsUrl, partitions, () => plan);
  const events = eventKeys.map((eventKey) => folded.get(eventKey)!);
  const records = events.flatMap(({ entries }) => entries.map(({ record }) => record));
  const everBooked = records.reduce((sum, record) => sum + (record.type === 'booked' ? record.lines.length : 0), 0);
  return { events: events.map(historyOf), everBooked };
}

const RECORDS_PER_GROUP = 8_192;

function historyOf({ state, entries }: FoldedEvent): EventHistory {
  const labelsOf = (record: JournalRecord): string[] => {
    const units = [
      ...('units' in record ? record.units : []),
      ...('lines' in record ? record.lines.map(({ unit }) => unit) : []),
    ];
    return units.map((unit) => state.plan.labels.at(unit));
  };
  const bookings = new Map<string, { ever: number; labels: Set<string>; active: Set<string> }>();
  const log: EventHistory['log'] = [];
  let sequence = 0;
  let index = 0;
  for (const { sequence: at, record } of entries) {
    index = at === sequence ? index + 1 : 0;
    sequence = at;
    const labels = labelsOf(record);
    const ref =
      'bookingRef' in record
        ? record.bookingRef
        : 'holdId' in record
          ? `hold:${sha256(record.holdId ?? '').slice(0, 10)}`
          : null;
    log.push({ id: at * RECORDS_PER_GROUP + index, labels, ref });
    if (record.type !== 'booked' && record.type !== 'unbooked' && record.type !== 'exchanged') continue;
    const booking = bookings.get(record.bookingRef) ?? { ever: 0, labels: new Set(), active: new Set() };
    bookings.set(record.bookingRef, booking);
    for (const [nth, label] of labels.entries()) {
      if (record.type !== 'booked' && nth < record.units.length) booking.active.delete(label);
      else booking.active.add(label);
      booking.labels.add(label);
    }
    if (record.type === 'booked') booking.ever += labels.length;
    if (record.type === 'exchanged') booking.ever += record.lines.length - record.units.length;
  }
  const told = [...bookings].map(([ref, { ever, labels, active }]) => ({
    ref,
    state: active.size === 0 ? 'cancelled' : active.size < ever ? 'partially_cancelled' : 'booked',
    labels: [...labels].sort(),
    active: [...active].sort(),
  }));
  return { sold: state.counts[2], bookings: told.reverse(), log };
}

export type Reader = { url: string; token: string };

/** The same history over HTTP. */
export async function toldHistory(reader: Reader, eventKey: string): Promise<EventHistory> {
  const path = `/v1/events/${eventKey}`;
  const bookings = await pagesOf(reader, `${path}/bookings?limit=100`, 'cursor', ({ nextCursor }) => nextCursor);
  const log = await pagesOf(reader, `${path}/log?limit=200`, 'before', ({ nextBefore }) => nextBefore);
  const listed = await pagesOf(reader, '/v1/events?counts=0', 'cursor', ({ nextCursor }) => nextCursor);
  const { sold } = listed.flatMap(({ events }) => events).find(({ key }) => key === eventKey)!;
  return {
    sold,
    bookings: bookings
      .flatMap((page) => page.bookings)
      .map(({ bookingRef, state, labels, objects }) => ({
        ref: bookingRef,
        state,
        labels: [...labels].sort(),
        active: objects
          .filter((each: { state: string }) => each.state === 'booked')
          .map((each: { label: string }) => each.label)
          .sort(),
      })),
    log: log
      .flatMap(({ entries }) => entries)
      .map(({ id, labels, ref }) => ({ id, labels, ref }))
      .reverse(),
  };
}

// biome-ignore lint/suspicious/noExplicitAny: answers are read as clients read them, without types.
type Page = any;

async function pagesOf(
  { url, token }: Reader,
  path: string,
  parameter: string,
  next: (page: Page) => string | number | null | undefined,
): Promise<Page[]> {
  const pages: Page[] = [];
  for (let at: string | number | null | undefined = ''; at !== null && at !== undefined; ) {
    const query = at === '' ? '' : `${path.includes('?') ? '&' : '?'}${parameter}=${at}`;
    const response = await fetch(`${url}${path}${query}`, { headers: { Authorization: `Bearer ${token}` } });
    const page: Page = await response.json();
    if (!response.ok) throw new Error(`GET ${path}: ${response.status} ${JSON.stringify(page)}`);
    pages.push(page);
    at = next(page);
  }
  return pages;
}
