/**
 * Reservations of one event: an operator keeps units for somebody, under a name, until a time. The event's actor
 * decides (services/inventory-shard/src/rules/reservations). An Idempotency-Key names a call, and `POST` names the
 * reservation by it, so that a repetition gets the first answer (I5). A booking is named by its reference.
 */
import type { ReservationView } from '@parterre/shared/protocol/answers';
import { done, nothingToUpdate } from '@parterre/shared/protocol/errors';
import { idFor } from '@parterre/shared/protocol/ids';
import {
  labelsPerSaleMax,
  noteLengthMax,
  reservationNameLengthMax,
  reservationsPerPageMax,
} from '@parterre/shared/protocol/limits';
import { z } from 'zod';
import { budgets } from '../admission/admission.ts';
import { standIn } from '../openapi/openapi.ts';
import { ask, keyedCall, labelsIn, newCallId } from './calls/ask.ts';
import { choice, cursor, limit } from './calls/query.ts';
import { type EventCall, eventRoute } from './calls/route.ts';
import { bookingRef, labels, soldLabels } from './inventory.ts';
import { epochMs, idOf, keptForGood, lineItem, moment, ok, optional, text } from './records.ts';

const states = ['active', 'booked', 'ended'] as const;

const reservation = z
  .object({
    id: idOf('rsv'),
    name: text,
    labels: z
      .array(text)
      .describe(
        'The units that it has. Of an ended one those at its end, of a booked one all that were booked from it.',
      ),
    until: epochMs.describe('The reservation ends by itself then, and what it still has is free.'),
    note: text.nullable(),
    state: z.enum(states),
    createdAt: epochMs,
    createdBy: text.nullable().describe('The id of the key, user or session.'),
  })
  .describe(
    'Units that an operator keeps for somebody. Consoles see them as blocked, buyers as not for sale.',
  ) satisfies z.ZodType<ReservationView>;

const name = z.string().trim().min(1).max(reservationNameLengthMax);
const note = z.string().trim().max(noteLengthMax).nullable().describe(`For the log. ${keptForGood}`);
const until = moment.describe('At most 400 days from now.');
const named = { budget: budgets.serverCalls, capability: 'event:block' } as const;

const makeReservation = eventRoute(
  'POST /v1/events/{key}/reservations',
  {
    ...named,
    labelsIn,
    status: 201,
    answer: z.object({ reservation }),
    body: z.object({ labels: soldLabels, name, until, note: optional(note) }),
    description: {
      operationId: 'makeReservation',
      tag: 'Inventory',
      summary: 'Reserve units under a name, until a time',
      description:
        'For somebody who pays later, a school class, house seats. All units or none, and free ones alone. The label ' +
        'of an area stands for one place each time it is named. Only calls that name the reservation book, change or ' +
        'free its units. No price is kept: they are booked at the prices of then. Units of channels may be reserved. ' +
        `A webhook \`seat.blocked\` has the \`reservationId\`. An event has at most 5,000 active reservations (409 with ` +
        'reason `too_many_reservations`). With an Idempotency-Key a repetition gets the first answer for a day.',
      refusals: ['unknown_labels', 'conflict', 'invalid_request', 'invalid_event_state'],
      examples: [
        {
          summary: 'A school class',
          body: { labels: ['B-1', 'B-2'], name: 'Class 4b', until: standIn.reservedUntil, note: 'Pays by invoice' },
        },
        {
          summary: 'A held seat',
          path: { key: standIn.heldEvent },
          body: { labels: ['A-5'], name: 'Class 4b', until: standIn.reservedUntil },
          answers: 'conflict',
        },
        {
          summary: 'Until a time in the past',
          body: { labels: ['B-1'], name: 'Class 4b', until: 1 },
          answers: 'invalid_request',
        },
        {
          summary: 'A label that the chart lacks',
          body: { labels: ['Z-9'], name: 'Class 4b', until: standIn.reservedUntil },
          answers: 'unknown_labels',
        },
      ],
    },
  },
  async (call) => {
    const { labels, name, until, note = null } = call.body;
    const named = keyedCall(call, 'make-reservation');
    const reservationId = idFor('rsv', named.callId);
    const answer = await ask(call, { type: 'make-reservation', ...named, reservationId, labels, name, until, note });
    return answer.ok ? done({ reservation: answer.value.reservation }) : answer;
  },
);

const listReservations = eventRoute(
  'GET /v1/events/{key}/reservations',
  {
    ...named,
    answer: z.object({
      reservations: z.array(reservation),
      nextCursor: optional(text.describe('Asks for the next page; absent at the end.')),
    }),
    query: z.object({
      state: choice('Only reservations in this state.', states, 'There is no such state of a reservation.'),
      cursor,
      limit: limit({ usual: 50, most: reservationsPerPageMax }, z.int().default(50), 'At most 200.'),
    }),
    description: {
      operationId: 'listReservations',
      tag: 'Inventory',
      summary: 'Reservations, newest first',
      description:
        'Active ones, and those that were booked or ended in the last 30 days: the latest 2,000 of these. A page may ' +
        'have fewer reservations than asked for although more follow.',
      refusals: ['invalid_request'],
      examples: [
        { summary: 'All of them', path: { key: standIn.eventWithReservation } },
        { summary: 'Active ones', path: { key: standIn.eventWithReservation }, query: { state: 'active' } },
        { summary: 'An unknown state', query: { state: 'paid' }, answers: 'invalid_request' },
      ],
    },
  },
  async (call) => {
    const { state, cursor, limit } = call.query;
    const after = placeOf(cursor);
    const answer = await ask(call, {
      type: 'list-reservations',
      limit,
      ...(state !== undefined && { state }),
      ...(after && { after }),
    });
    if (!answer.ok) return answer;
    const { reservations, hasMore } = answer.value;
    const last = reservations.at(-1);
    return done({ reservations, ...(hasMore && last && { nextCursor: `${last.createdAt}.${last.id}` }) });
  },
);

/** An unreadable cursor starts over. */
function placeOf(cursor = ''): { createdAt: number; id: string } | null {
  const [, createdAt, id] = /^(\d{1,15})\.(\w+)$/.exec(cursor) ?? [];
  return createdAt === undefined ? null : { createdAt: Number(createdAt), id: id! };
}

const unknown = { summary: 'An unknown reservation', path: { id: 'rsv_0' }, answers: 'reservation_not_found' } as const;

const getReservation = eventRoute(
  'GET /v1/events/{key}/reservations/{id}',
  {
    ...named,
    answer: z.object({ reservation }),
    description: {
      operationId: 'getReservation',
      tag: 'Inventory',
      summary: 'One reservation',
      description: 'A reservation that is over is known for 30 days more.',
      refusals: ['reservation_not_found'],
      examples: [{ summary: 'The reservation' }, unknown],
    },
  },
  async (call) => {
    const answer = await ask(call, { type: 'inspect-reservation', reservationId: call.path.id });
    return answer.ok ? done({ reservation: answer.value.reservation }) : answer;
  },
);

const changeBody = z.object({
  name: optional(name),
  labels: optional(soldLabels),
  until: optional(until),
  note: optional(note),
});

const changeReservation = eventRoute(
  'PATCH /v1/events/{key}/reservations/{id}',
  {
    ...named,
    labelsIn,
    answer: z.object({ reservation }),
    body: changeBody,
    description: {
      operationId: 'changeReservation',
      tag: 'Inventory',
      summary: 'Change the name, the units, the end or the note of a reservation',
      description:
        '`labels` names all units that the reservation has from then on: units that it loses are free in the same step, ' +
        'units that it gains must be free. An area gives the places that the reservation has there first. A reservation ' +
        'that is over is 409 `conflict` with reason `reservation_ended` or `reservation_booked`.',
      refusals: [
        'reservation_not_found',
        'nothing_to_update',
        'unknown_labels',
        'conflict',
        'invalid_request',
        'invalid_event_state',
      ],
      examples: [
        { summary: 'Two seats instead of three', body: { labels: ['A-1', 'A-2'] } },
        { summary: 'Another end', body: { until: standIn.reservedUntil, note: null } },
        { summary: 'Nothing', body: {}, answers: 'nothing_to_update' },
        { ...unknown, body: { name: 'Class 4c' } },
      ],
    },
  },
  async (call) => {
    const { id } = call.path;
    if (Object.keys(call.body).length === 0) return nothingToChange(call, id);
    const named = keyedCall(call, 'change-reservation', id);
    const answer = await ask(call, { type: 'change-reservation', ...named, reservationId: id, ...call.body });
    return answer.ok ? done({ reservation: answer.value.reservation }) : answer;
  },
);

/** A body without a field is judged after the reservation that the path names. */
async function nothingToChange(call: EventCall, reservationId: string) {
  const known = await ask(call, { type: 'inspect-reservation', reservationId });
  return known.ok ? nothingToUpdate(Object.keys(changeBody.shape)) : known;
}

const endReservation = eventRoute(
  'DELETE /v1/events/{key}/reservations/{id}',
  {
    ...named,
    answer: z.object({ ok, freed: z.array(text) }),
    description: {
      operationId: 'endReservation',
      tag: 'Inventory',
      summary: 'End a reservation',
      description:
        'Its units are free. A reservation that has ended before frees nothing. A booked one is 409 `conflict` with ' +
        'reason `reservation_booked`.',
      refusals: ['reservation_not_found', 'conflict', 'invalid_event_state'],
      examples: [{ summary: 'The reservation' }, unknown],
    },
  },
  async (call) => {
    const { id } = call.path;
    const named = keyedCall(call, 'end-reservation', id);
    const answer = await ask(call, { type: 'end-reservation', ...named, reservationId: id });
    return answer.ok ? done({ ok: true as const, freed: answer.value.freed }) : answer;
  },
);

const bookReservation = eventRoute(
  'POST /v1/events/{key}/reservations/{id}/book',
  {
    ...named,
    labelsIn,
    answer: z.object({
      ok,
      booked: z.array(text).describe('The newly booked units. Empty for a repetition.'),
      labels: z.array(text).describe('All units that the call names, in a repetition too.'),
      items: z.array(lineItem),
      bookingRef: text,
      reservation,
    }),
    body: z.object({ bookingRef, labels: optional(labels(labelsPerSaleMax)) }),
    description: {
      operationId: 'bookReservation',
      tag: 'Inventory',
      summary: 'Book units of a reservation',
      description:
        'Without `labels` all that it has; otherwise the rest stays reserved. The units are sold at the prices of now, ' +
        'also while sales are closed. `bookingRef` makes a repetition harmless, as for `POST …/book`. Units that the ' +
        'reservation does not have are 409 with reason `not_in_reservation`; one that is over is 409 with reason ' +
        '`reservation_ended` or `reservation_booked`. Units of a channel are sold in its name by an override, whose ' +
        'reason in the audit of channels is the name of the reservation.',
      refusals: [
        'reservation_not_found',
        'unknown_labels',
        'not_for_sale',
        'ticket_option_not_applicable',
        'conflict',
        'invalid_event_state',
      ],
      examples: [
        { summary: 'A part of it', body: { bookingRef: 'invoice-17', labels: ['A-1'] } },
        { summary: 'All of it', body: { bookingRef: 'invoice-18' } },
        {
          summary: 'A seat that it does not have',
          body: { bookingRef: 'invoice-19', labels: ['B-1'] },
          answers: 'conflict',
        },
        { ...unknown, body: { bookingRef: 'invoice-20' } },
      ],
    },
  },
  async (call) => {
    const { bookingRef, labels: chosen } = call.body;
    const answer = await ask(call, {
      type: 'book-reservation',
      callId: newCallId(),
      reservationId: call.path.id,
      bookingRef,
      ...(chosen && { labels: chosen }),
    });
    if (!answer.ok) return answer;
    const { booked, items, reservation } = answer.value;
    const labels = items.flatMap((item) => item.labels ?? [item.label]);
    return done({ ok: true as const, booked, labels, items, bookingRef, reservation });
  },
);

/** The names of reservations by the labels of their units. Empty where the event does not answer. */
export async function reservedPlaces(call: EventCall): Promise<Map<string, string>> {
  const answer = await ask(call, { type: 'reserved-places' });
  const places = answer.ok ? answer.value.places : [];
  return new Map(places.flatMap(({ name, labels }) => labels.map((label) => [label, name] as const)));
}

export const reservationsSchemas = { Reservation: reservation };

export const reservationsRoutes = [
  makeReservation,
  listReservations,
  getReservation,
  changeReservation,
  endReservation,
  bookReservation,
];
