/** Resale of booked units, as the description has it. */
import type { Description } from '../../openapi/description.ts';
import { standIn } from '../../openapi/stand-ins.ts';

export const resaleDescriptions = {
  'POST /v1/events/{key}/resale/list': {
    operationId: 'listForResale',
    tag: 'Inventory',
    summary: 'Put booked units up for resale, as one listing',
    description:
      'The units stay booked in statuses and counts, and show as free to buyers, as held while somebody has them in checkout. They ' +
      'are held by their labels, booked and given back all together (else 409 `conflict` with reason `resale_listing_whole`, ' +
      'naming those that are missing), at the price of the moment; no best-available call and no area asked for by quantity gives ' +
      'them. Booking them, through a hold or by labels, takes them out of the booking that offers and tells object.resale.sold. ' +
      'Nobody buys his own listing (reason `own_resale_listing`). Refused with reason `not_owned_by_booking_ref`, or ' +
      '`already_listed`, which names the `listingId` of each label. The very units of a listing that is offered under this ' +
      'reference are answered with that listing, so that the call may be repeated.',
    refusals: ['booking_not_found', 'conflict', 'unknown_labels', 'invalid_event_state'],
    examples: [
      {
        summary: 'Two seats of an order',
        path: { key: standIn.soldEvent },
        body: { labels: ['A-7', 'A-8'], bookingRef: 'order-1000' },
      },
      {
        summary: 'A seat of somebody else',
        path: { key: standIn.soldEvent },
        body: { labels: ['A-9'], bookingRef: 'order-1000' },
        answers: 'conflict',
      },
      {
        summary: 'A label that the chart lacks',
        path: { key: standIn.soldEvent },
        body: { labels: ['Z-9'], bookingRef: 'order-1000' },
        answers: 'unknown_labels',
      },
      {
        summary: 'An order that is not there',
        body: { labels: ['A-7'], bookingRef: 'order-0' },
        answers: 'booking_not_found',
      },
    ],
  },
  'POST /v1/events/{key}/resale/remove': {
    operationId: 'removeFromResale',
    tag: 'Inventory',
    summary: 'Take a listing back',
    description:
      'Not while somebody has it in checkout: 409 `conflict` with reason `resale_in_checkout`, which unbooking a listed unit is refused with too; ' +
      'else unbooking one takes its listing away. The other units stay booked.',
    refusals: ['listing_not_found', 'conflict', 'invalid_event_state'],
    examples: [
      { summary: 'The listing', path: { key: standIn.eventWithListing }, body: { listingId: standIn.listing } },
      { summary: 'One that is not there', body: { listingId: 'lst_0' }, answers: 'listing_not_found' },
    ],
  },
} as const satisfies Record<string, Description>;
