/** The description of a season's holds and bookings as its platform sees them. */
import { type Description, standIn } from '../../openapi/openapi.ts';
import { known } from '../seasons/seasons.ts';

const ofEvents = ['shard_unavailable', 'overloaded'] as const;
const order = { bookActionId: 'book-3001', bookingRef: 'order-3001' };
const cancel = {
  cancelActionId: 'cancel-3000',
  bookingRef: 'order-3000',
  planActivationId: standIn.soldActivation,
  rightDisposition: 'release',
};
const unknownBooking = { summary: 'An unknown booking', path: { actionId: 'book-0' }, answers: 'not_found' } as const;

export const seasonBookingDescriptions = {
  'GET /v1/seasons/{key}/holds/{operationId}': {
    operationId: 'getSeasonHold',
    tag: 'Seasons',
    summary: 'One hold of a season',
    description: 'A hold stays readable for a day after its end. The items have no prices: a plan sets its own.',
    headers: ['Retry-After'],
    refusals: [...known, 'hold_not_found', ...ofEvents],
    examples: [
      { summary: 'The hold' },
      { summary: 'An unknown hold', path: { operationId: 'sop_0' }, answers: 'not_found' },
    ],
  },
  'POST /v1/seasons/{key}/holds/{operationId}/book': {
    operationId: 'bookSeasonHold',
    tag: 'Seasons',
    summary: 'Book a hold in every occurrence of its plan',
    description:
      'All occurrences are booked, or none. `bookActionId` names the booking: the same action with the same ' +
      '`bookingRef` replays, after the booking too. 202 while an occurrence does not answer: then poll the address in ' +
      '`Location`.',
    headers: ['Location', 'Retry-After'],
    refusals: [...known, 'conflict', ...ofEvents],
    examples: [
      { summary: 'An order', body: order },
      { summary: 'An unknown hold', path: { operationId: 'sop_0' }, body: order, answers: 'not_found' },
    ],
  },
  'GET /v1/seasons/{key}/bookings/{actionId}': {
    operationId: 'getSeasonBooking',
    tag: 'Seasons',
    summary: 'One booking of a season, with its cancellation',
    headers: ['Location', 'Retry-After'],
    refusals: known,
    examples: [{ summary: 'The booking' }, unknownBooking],
  },
  'POST /v1/seasons/{key}/bookings/{actionId}/cancel': {
    operationId: 'cancelSeasonBooking',
    tag: 'Seasons',
    summary: 'Cancel a booking in every occurrence',
    description:
      'Frees the seats that the booking still has. With `preserve` the holder keeps the right to them, with `release` ' +
      'it ends. `cancelActionId` names the cancellation: a repetition finds the first one. The booking stays `booked` ' +
      'while it is being cancelled. 202 while an occurrence does not answer: then poll the address in `Location`.',
    headers: ['Location', 'Retry-After'],
    refusals: [...known, 'conflict', ...ofEvents],
    examples: [
      { summary: 'The booking', body: cancel },
      { summary: 'Under another reference', body: { ...cancel, bookingRef: 'order-9' }, answers: 'conflict' },
      { ...unknownBooking, body: cancel },
    ],
  },
} as const satisfies Record<string, Description>;
