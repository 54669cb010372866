/** The description of a group's holds and bookings as its platform sees them. */
import type { Description } from '../../openapi/openapi.ts';

export const groupBookingDescriptions = {
  'GET /v1/performance-groups/{key}/holds/{operationId}': {
    operationId: 'getGroupHold',
    tag: 'Groups',
    summary: 'One hold of a group',
    headers: ['Retry-After'],
    refusals: ['not_found', 'mode_mismatch', 'shard_unavailable', 'overloaded'],
    examples: [
      { summary: 'The hold' },
      { summary: 'An unknown hold', path: { operationId: 'pghop_0' }, answers: 'not_found' },
    ],
  },
  'POST /v1/performance-groups/{key}/holds/{operationId}/book': {
    operationId: 'bookGroupHold',
    tag: 'Groups',
    summary: 'Book a hold in every performance',
    description:
      'All performances are booked, or none. `bookActionId` names the booking: the same action with the same ' +
      '`bookingRef` replays, after the booking too. 202 while a performance does not answer: then poll the address in ' +
      '`Location`.',
    headers: ['Location', 'Retry-After'],
    refusals: ['not_found', 'mode_mismatch', 'conflict', 'shard_unavailable', 'overloaded'],
    examples: [
      { summary: 'An order', body: { bookActionId: 'book-2001', bookingRef: 'order-2001' } },
      {
        summary: 'An unknown hold',
        path: { operationId: 'pghop_0' },
        body: { bookActionId: 'book-2001', bookingRef: 'order-2001' },
        answers: 'not_found',
      },
    ],
  },
  'GET /v1/performance-groups/{key}/bookings/{actionId}': {
    operationId: 'getGroupBooking',
    tag: 'Groups',
    summary: 'One booking of a group',
    headers: ['Retry-After'],
    refusals: ['not_found', 'mode_mismatch', 'shard_unavailable', 'overloaded'],
    examples: [
      { summary: 'The booking' },
      { summary: 'An unknown booking', path: { actionId: 'book-0' }, answers: 'not_found' },
    ],
  },
} as const satisfies Record<string, Description>;
