/** What has happened to an event: its bookings and its log (wire contract 5), and the audit of its channels (6), which the catalog keeps. */
import {
  type BookingState,
  bookingStates,
  type JournalEntry,
  type KeptBooking,
} from '@parterre/shared/catalog/history';
import { pause } from '@parterre/shared/clock';
import { done, type Outcome, refuse } from '@parterre/shared/errors';
import { versionWaitMs } from '@parterre/shared/limits';
import { unitStatus } from '@parterre/shared/records';
import type { KnownEvent } from '../../admission/events-cache.ts';
import { beforeOf, choiceOf, pageOf } from '../../admission/scope.ts';
import { bookingOf, type Plans, planHashesOf } from '../../logs/bookings.ts';
import { entriesFor } from '../../logs/channel-sight.ts';
import { logEntryOf } from '../../logs/event-log.ts';
import { withMoneyFor } from '../../logs/money.ts';
import { ask, planOf } from '../calls/ask.ts';
import { type Call, eventRoute, type Route } from '../calls/route.ts';
import { auditEntryOf } from '../channels/channel-audit.ts';

type HistoryCall = Call<'console', unknown, KnownEvent>;

const BOOKINGS_PER_PAGE = { usual: 50, most: 200 };
const LOG_ENTRIES_PER_PAGE = { usual: 50, most: 200 };

export const historyRoutes: Route[] = [
  eventRoute('GET /v1/events/{key}/bookings', { capability: 'event:view' }, listBookings),
  eventRoute('GET /v1/events/{key}/bookings/{bookingRef}', { capability: 'event:view' }, async (call) => {
    const bookingRef = call.request.params[1]!.trim();
    const found = await call.ports.catalog('history.booking', { ...(await upToNow(call)), bookingRef });
    if (!found.ok) return found;
    const { booking } = found.value;
    const plans = await plansOf(call, booking.entries);
    if (!plans.ok) return plans;
    return done(withMoneyFor(call.principal, bookingOf(plans.value, booking, call.event.event)));
  }),
  eventRoute('GET /v1/events/{key}/log', { capability: 'event:view' }, async (call) => {
    const found = await call.ports.catalog('history.log', await askedPage(call));
    if (!found.ok) return found;
    const { nextBefore } = found.value;
    const plans = await plansOf(call, found.value.entries);
    if (!plans.ok) return plans;
    const entries = entriesFor(call.principal, found.value.entries);
    return done({ entries: entries.map((entry) => logEntryOf(plans.value, entry)), nextBefore });
  }),
  eventRoute('GET /v1/events/{key}/channels/audit', { capability: 'event:channels:view' }, async (call) => {
    const found = await call.ports.catalog('history.audit', await askedPage(call));
    if (!found.ok) return found;
    const { entries, nextBefore } = found.value;
    const plans = await plansOf(
      call,
      entries.filter((entry) => 'record' in entry),
    );
    if (!plans.ok) return plans;
    return done({ entries: entries.map((entry) => auditEntryOf(plans.value, entry)), nextBefore });
  }),
];

async function askedPage(call: HistoryCall) {
  const { query } = call.request;
  const { limit = LOG_ENTRIES_PER_PAGE.usual } = pageOf(query, LOG_ENTRIES_PER_PAGE);
  return { ...(await upToNow(call)), limit, ...beforeOf(query) };
}

async function listBookings(call: HistoryCall): Promise<Outcome<unknown>> {
  const { query } = call.request;
  const q = query.get('q')?.trim() ?? '';
  const chosen = choiceOf(query, 'state', bookingStates, 'There is no such state of a booking.');
  if (!chosen.ok) return chosen;
  const state = chosen.value;
  const page = pageOf(query, BOOKINGS_PER_PAGE);
  const first = q === '' || page.cursor ? null : await bookingWithSeat(call, q, state);
  const found = await call.ports.catalog('history.bookings', {
    ...(await upToNow(call)),
    // A page of one has two where the first is found by its seat: the catalog's cursor begins behind a booking of its own.
    page: first ? { ...page, limit: Math.max(1, (page.limit ?? BOOKINGS_PER_PAGE.usual) - 1) } : page,
    ...(state === undefined ? {} : { state }),
    ...(q === '' ? {} : { q }),
  });
  if (!found.ok) return found;
  const { nextCursor = null } = found.value;
  const bookings = first ? [first, ...found.value.bookings] : found.value.bookings;
  const plans = await plansOf(
    call,
    bookings.flatMap(({ entries }) => entries),
  );
  if (!plans.ok) return plans;
  const shown = bookings.map((booking) => bookingOf(plans.value, booking, call.event.event).booking);
  return done({ bookings: withMoneyFor(call.principal, shown), nextCursor });
}

/** The booking that has the seat of this very label just now, which a search shows first. */
async function bookingWithSeat(
  call: HistoryCall,
  label: string,
  state: BookingState | undefined,
): Promise<KeptBooking | null> {
  const bookingRef = await bookingOfSeat(call, label);
  // One whose reference matches too has its place among the others, on this page or a later one.
  if (bookingRef === null || bookingRef.toLowerCase().includes(label.toLowerCase())) return null;
  const found = await call.ports.catalog('history.booking', { ...(await upToNow(call)), bookingRef });
  if (!found.ok || (state !== undefined && found.value.booking.state !== state)) return null;
  return found.value.booking;
}

/** Null where no booking has it, and where the event's actor does not answer: the search goes on without. */
async function bookingOfSeat(call: HistoryCall, label: string): Promise<string | null> {
  const counted = await ask(call, { type: 'count' });
  const plan = counted.ok ? await planOf(call, counted.value.planHash) : counted;
  const unit = plan.ok ? plan.value.labels.unitOf(label) : undefined;
  if (unit === undefined) return null;
  const told = await ask(call, { type: 'unit-columns', from: unit, most: 1 });
  if (!told.ok || told.value.statuses[0] !== unitStatus.booked) return null;
  return told.value.owners[0] ?? null;
}

/**
 * The event, and its version just now, so that the answer has everything that its caller was told before. Where the actor
 * does not tell it soon, the catalog answers what it has.
 */
async function upToNow(call: HistoryCall): Promise<{ eventKey: string; version: number }> {
  const eventKey = call.event.event.key;
  const late = pause(call.ports.clock, versionWaitMs).then(() => null);
  const counted = await Promise.race([ask(call, { type: 'count' }), late]);
  return { eventKey, version: counted?.ok ? counted.value.version : 0 };
}

/** The plans that the entries name; a catalog that cannot give one is worth another try. */
export async function plansOf(
  { ports, request }: HistoryCall,
  entries: readonly JournalEntry[],
): Promise<Outcome<Plans>> {
  const hashes = [...new Set(entries.flatMap(planHashesOf))];
  try {
    const plans = await Promise.all(hashes.map(async (hash) => [hash, await ports.plans(hash)] as const));
    return done(new Map(plans));
  } catch (error) {
    ports.onFault(error, request.requestId);
    return refuse('catalog_unavailable', 'The chart cannot be read just now. Try again.', { retryable: true });
  }
}
