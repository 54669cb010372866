/** The history of an event, which the catalog keeps: its bookings and its log. */
import type { BookingState, KeptBooking } from '@parterre/shared/catalog/history';
import { done } from '@parterre/shared/errors';
import { unitStatus } from '@parterre/shared/records';
import type { z } from 'zod';
import { budgets } from '../../admission/admission.ts';
import { bookingOf, entriesFor, logEntryOf, withMoneyFor } from '../../logs/logs.ts';
import { ask, type EventCall, eventRoute, pageOf, planOf } from '../calls/calls.ts';
import { getBookingAnswer, getLogAnswer, listBookingsAnswer } from './answers.ts';
import { bookingsQuery, logQuery } from './queries.ts';
import { logPage, plansOf, upToNow } from './reads.ts';

const counted = { budget: budgets.serverCalls };

export const historyRoutes = [
  eventRoute(
    'GET /v1/events/{key}/bookings',
    { ...counted, answer: listBookingsAnswer, query: bookingsQuery, capability: 'event:view' },
    listBookings,
  ),
  eventRoute(
    'GET /v1/events/{key}/bookings/{bookingRef}',
    { ...counted, answer: getBookingAnswer, capability: 'event:view' },
    async (call) => {
      const bookingRef = call.request.params[1]!.trim();
      const found = await call.ports.catalog('history.booking', { ...(await upToNow(call)), bookingRef });
      if (!found.ok) return found;
      const { booking } = found.value;
      const plans = await plansOf(call, booking.entries);
      if (!plans.ok) return plans;
      return done(withMoneyFor(call.principal, bookingOf(plans.value, booking, call.event.event)));
    },
  ),
  eventRoute(
    'GET /v1/events/{key}/log',
    { ...counted, answer: getLogAnswer, query: logQuery, capability: 'event:view' },
    async (call) => {
      const found = await call.ports.catalog('history.log', await logPage(call));
      if (!found.ok) return found;
      const { nextBefore } = found.value;
      const plans = await plansOf(call, found.value.entries);
      if (!plans.ok) return plans;
      const entries = entriesFor(call.principal, found.value.entries);
      return done({ entries: entries.map((entry) => logEntryOf(plans.value, entry)), nextBefore });
    },
  ),
];

async function listBookings(call: EventCall<unknown, z.output<typeof bookingsQuery>>) {
  const { state, limit } = call.query;
  const q = call.query.q?.trim() ?? '';
  const page = pageOf(call.query);
  const first = q === '' || page.cursor ? null : await bookingWithSeat(call, q, state);
  const found = await call.ports.catalog('history.bookings', {
    ...(await upToNow(call)),
    // With limit 1 the page then has two bookings: the catalog's cursor can begin only after a booking of the catalog.
    page: first ? { ...page, limit: Math.max(1, limit - 1) } : page,
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

/** The booking that now has the seat with exactly this label. A search shows it first. */
async function bookingWithSeat(
  call: EventCall,
  label: string,
  state: BookingState | undefined,
): Promise<KeptBooking | null> {
  const bookingRef = await bookingOfSeat(call, label);
  // A booking whose reference matches too has its place among the others, on this page or a later one.
  if (bookingRef === null || bookingRef.toLowerCase().includes(label.toLowerCase())) return null;
  const found = await call.ports.catalog('history.booking', { ...(await upToNow(call)), bookingRef });
  if (!found.ok || (state !== undefined && found.value.booking.state !== state)) return null;
  return found.value.booking;
}

/**
 * Null if no booking has the seat, or if the event's actor does not answer. The search then goes on without the seat.
 */
async function bookingOfSeat(call: EventCall, label: string): Promise<string | null> {
  const counted = await ask(call, { type: 'count' });
  const plan = counted.ok ? await planOf(call, counted.value.planHash) : counted;
  const unit = plan.ok ? plan.value.labels.unitOf(label) : undefined;
  if (unit === undefined) return null;
  const told = await ask(call, { type: 'unit-columns', from: unit, most: 1 });
  if (!told.ok || told.value.statuses[0] !== unitStatus.booked) return null;
  return told.value.owners[0] ?? null;
}
