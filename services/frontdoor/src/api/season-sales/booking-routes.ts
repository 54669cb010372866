/** The holds and bookings of a season as its platform reads, books and cancels them. */
import { done, type Outcome } from '@parterre/shared/errors';
import { type Header, preparedJson, spell } from '../../answers/answers.ts';
import { serverRoute } from '../calls/calls.ts';
import { again, coordinatorOf, deadlineOf, isUnfinished } from '../operations/operations.ts';
import { isOpenBooking, oneSeasonBooking, type SeasonBookingAnswer } from '../season-bookings/season-bookings.ts';
import { counted, target } from '../seasons/seasons.ts';
import { seasonBookBody, seasonCancelBody } from './bodies.ts';
import { oneSeasonHold, seasonHoldOf } from './hold-answers.ts';
import { bookHold, cancelBooking, operationNamed, readBooking, type ServerCall } from './season-bookings.ts';

export const seasonBookingRoutes = [
  serverRoute('GET /v1/seasons/{key}/holds/{operationId}', { ...counted, answer: oneSeasonHold }, async (call) => {
    const found = await call.ports.catalog('seasons.get', target(call));
    if (!found.ok) return found;
    const { season } = found.value;
    const known = await operationNamed(call, season, call.request.params[1]!);
    if (!known.ok) return known;
    const view = await coordinatorOf(call).inspect(known.value.ref, deadlineOf(call));
    if (!view.ok) return view;
    const headers = isUnfinished(view.value) ? [again] : [];
    return done(preparedJson(spell({ hold: seasonHoldOf(season, view.value) }), headers));
  }),
  serverRoute(
    'POST /v1/seasons/{key}/holds/{operationId}/book',
    { ...counted, answer: oneSeasonBooking, body: seasonBookBody },
    async (call) => told(call, await bookHold(call)),
  ),
  serverRoute('GET /v1/seasons/{key}/bookings/{actionId}', { ...counted, answer: oneSeasonBooking }, async (call) =>
    told(call, await readBooking(call)),
  ),
  serverRoute(
    'POST /v1/seasons/{key}/bookings/{actionId}/cancel',
    { ...counted, answer: oneSeasonBooking, body: seasonCancelBody },
    async (call) => told(call, await cancelBooking(call)),
  ),
];

/** 202 for a call whose work goes on: then `Location` is polled. */
function told({ request }: Pick<ServerCall, 'request'>, booking: Outcome<SeasonBookingAnswer>) {
  if (!booking.ok) return booking;
  const isOpen = isOpenBooking(booking.value);
  const names = [request.params[0]!, booking.value.actionId].map(encodeURIComponent);
  const headers: Header[] = isOpen ? [['Location', `/v1/seasons/${names[0]}/bookings/${names[1]}`], again] : [];
  const status = isOpen && request.method === 'POST' ? 202 : 200;
  return done(preparedJson(spell({ booking: booking.value }), headers, status));
}
