/** The description of resale. */
import { type Description, standIn } from '../../openapi/openapi.ts';

export const resaleDescriptions = {
  'POST /v1/events/{key}/resale/list': {
    operationId: 'listForResale',
    tag: 'Inventory',
    summary: 'List booked units for resale, as one listing',
    description:
      'The units stay booked in statuses and counts. Buyers see them as free, and as held while a buyer has them in ' +
      'checkout. The units of a listing are held by label, booked and given back all together, at the current ' +
      'price; otherwise 409 `conflict` with reason `resale_listing_whole`, which names the missing units. No ' +
      'best-available call and no quantity of an area ever takes them. A booking of listed units, through a hold ' +
      'or by labels, takes the units out of the booking that offers them, and sends object.resale.sold. An order ' +
      'cannot buy its own listing (reason `own_resale_listing`). A refusal has reason `not_owned_by_booking_ref`, ' +
      'or `already_listed`, which names the `listingId` of each label. A repeated call with exactly the units of a ' +
      'current listing of this reference is answered with this listing.',
    refusals: ['booking_not_found', 'conflict', 'unknown_labels', 'invalid_event_state'],
    examples: [
      {
        summary: 'Two seats of an order',
        path: { key: standIn.soldEvent },
        body: { labels: ['A-7', 'A-8'], bookingRef: 'order-1000' },
      },
      {
        summary: 'A seat of another order',
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
        summary: 'An unknown order',
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
      'The units stay booked. While a buyer has the listing in checkout the answer is 409 `conflict` with reason ' +
      '`resale_in_checkout`. Unbooking a listed unit is then refused with the same reason; at other times it ends ' +
      'the listing.',
    refusals: ['listing_not_found', 'conflict', 'invalid_event_state'],
    examples: [
      { summary: 'The listing', path: { key: standIn.eventWithListing }, body: { listingId: standIn.listing } },
      { summary: 'An unknown listing', body: { listingId: 'lst_0' }, answers: 'listing_not_found' },
    ],
  },
} as const satisfies Record<string, Description>;
