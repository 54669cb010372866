import { activityMax } from '../../logs/bookings.ts';
import type { Description } from '../../openapi/description.ts';
import { standIn } from '../../openapi/stand-ins.ts';

const lag =
  'Has everything that was answered before it was asked for, unless the catalog is more than a second behind.';

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
        summary: 'Those still booked, by reference',
        path: { key: standIn.soldEvent },
        query: { q: '1000', state: 'booked' },
      },
      { summary: 'A state that is none', query: { state: 'paid' }, answers: 'invalid_request' },
    ],
  },
  'GET /v1/events/{key}/bookings/{bookingRef}': {
    operationId: 'getBooking',
    tag: 'Reports',
    summary: 'One booking, with what was done to it',
    description:
      `${lag} Activity is newest first, ${activityMax} entries at most. The actions replay and reconcile are named for readers of ` +
      'other servers: here a repeated call changes nothing and is not journaled.',
    refusals: ['booking_not_found'],
    examples: [
      { summary: 'A booking', path: { key: standIn.soldEvent, bookingRef: 'order-1000' } },
      { summary: 'One that is not there', path: { bookingRef: 'order-0' }, answers: 'booking_not_found' },
    ],
  },
  'GET /v1/events/{key}/log': {
    operationId: 'getLog',
    tag: 'Reports',
    summary: 'Who did what, newest first, back to the beginning',
    description:
      `${lag} A page may have fewer entries than asked for, or none, although more follow: go on while nextBefore is not null. A ` +
      'manage session without event:channels:view is told nothing of channels: what was done to them is left out, and of other ' +
      "entries what a chart took from them, and overrides with their reasons; `channelId` of a hold's or booking's items is told to " +
      'all.',
    examples: [
      { summary: 'The latest', path: { key: standIn.soldEvent } },
      { summary: 'Some of them', path: { key: standIn.soldEvent }, query: { limit: '1' } },
    ],
  },
} as const satisfies Record<string, Description>;
