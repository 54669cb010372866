/** The description of an event's bookings and its log. */
import { activityMax } from '../../logs/logs.ts';
import { type Description, standIn } from '../../openapi/openapi.ts';

const lag =
  'Includes everything that was answered before this request, unless the catalog is more than a second behind.';

export const historyDescriptions = {
  'GET /v1/events/{key}/bookings': {
    operationId: 'listBookings',
    tag: 'Reports',
    summary: 'Bookings, newest first',
    description: `${lag} A page may have fewer bookings than asked for although more follow.`,
    refusals: ['invalid_request'],
    examples: [
      { summary: 'All of them', path: { key: standIn.soldEvent } },
      {
        summary: 'Current bookings, by reference',
        path: { key: standIn.soldEvent },
        query: { q: '1000', state: 'booked' },
      },
      { summary: 'An unknown state', query: { state: 'paid' }, answers: 'invalid_request' },
    ],
  },
  'GET /v1/events/{key}/bookings/{bookingRef}': {
    operationId: 'getBooking',
    tag: 'Reports',
    summary: 'One booking, with its activity',
    description:
      `${lag} Activity is newest first, at most ${activityMax} entries. The actions replay and reconcile exist only ` +
      'for clients of other servers: on this server a repeated call changes nothing and is not journaled.',
    refusals: ['booking_not_found'],
    examples: [
      { summary: 'A booking', path: { key: standIn.soldEvent, bookingRef: 'order-1000' } },
      { summary: 'An unknown booking', path: { bookingRef: 'order-0' }, answers: 'booking_not_found' },
    ],
  },
  'GET /v1/events/{key}/log': {
    operationId: 'getLog',
    tag: 'Reports',
    summary: 'The whole log of an event, newest first',
    description:
      `${lag} A page may have fewer entries than asked for, or none, although more follow: go on while nextBefore is ` +
      'not null. A manage session without event:channels:view sees nothing of channels. Entries about channels are ' +
      'left out. Other entries show neither the units that a new chart took from channels, nor overrides and their ' +
      'reasons. The `channelId` of items of a hold or booking is visible to all. A hold has a short name here, for a ' +
      'hold id acts like a secret: `hold:` and the first ten characters of the SHA-256 of the id in base64url.',
    examples: [
      { summary: 'The latest', path: { key: standIn.soldEvent } },
      { summary: 'Some of them', path: { key: standIn.soldEvent }, query: { limit: '1' } },
    ],
  },
} as const satisfies Record<string, Description>;
