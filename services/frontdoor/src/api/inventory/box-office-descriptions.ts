/** The description of sales at a counter. */
import { type Description, standIn } from '../../openapi/openapi.ts';
import { aboutAccess, ofAccess } from '../records/records.ts';

const ofUnits = [
  'unknown_labels',
  'unknown_tier',
  'ticket_option_not_applicable',
  'companion_pair_required',
  'invalid_quantity',
  'not_for_sale',
  'conflict',
  ...ofAccess,
] as const;

export const boxOfficeDescriptions = {
  'POST /v1/events/{key}/box-book': {
    operationId: 'bookAtBoxOffice',
    tag: 'Inventory',
    summary: 'Book units of a platform-owned event at a counter',
    description: `Like a booking without a hold, but also while sales are closed. For older callers. ${aboutAccess}`,
    refusals: [...ofUnits, 'not_platform_owned', 'invalid_event_state'],
    examples: [
      {
        summary: 'Two seats while sales are closed',
        path: { key: standIn.closedEvent },
        body: { labels: ['A-1', 'A-2'], bookingRef: 'counter-1' },
      },
      {
        summary: 'Of a managed event',
        path: { key: standIn.managedEvent },
        body: { labels: ['A-1'], bookingRef: 'counter-2' },
        answers: 'not_platform_owned',
      },
    ],
  },
  'POST /v1/events/{key}/box-office/sale': {
    operationId: 'sellAtBoxOffice',
    tag: 'Inventory',
    summary: 'Sell units of an event with managed ticketing at a counter',
    description:
      'Works while sales are closed, too. `releaseId` chooses a `buy` ticket release of the list, active or not. All ' +
      'units are sold under it or none, and its quota is binding (409 with reason `release_sold_out`; `conflicts` ' +
      'lists the units that did not fit). `booked` lists the newly booked units. `items` and `total` cover all ' +
      'units that the call names, so a repetition under the same `bookingRef` shows the result of the first call. ' +
      "The note goes into the log. The price of the ticket release takes precedence over a channel's price. " +
      `${aboutAccess}`,
    refusals: [...ofUnits, 'not_managed', 'invalid_event_state'],
    examples: [
      {
        summary: 'Two seats and two places of an area',
        path: { key: standIn.managedEvent },
        body: {
          selections: [{ label: 'A-1' }, { label: 'A-2' }, { label: 'Floor', quantity: 2 }],
          bookingRef: 'counter-1',
          note: 'Paid in cash',
        },
      },
      {
        summary: 'An unknown ticket release',
        path: { key: standIn.managedEvent },
        body: { selections: [{ label: 'A-1' }], bookingRef: 'counter-2', releaseId: 'rel_0' },
        answers: 'invalid_request',
      },
      {
        summary: 'Of an event that a platform owns',
        body: { selections: [{ label: 'A-1' }], bookingRef: 'counter-3' },
        answers: 'not_managed',
      },
    ],
  },
} as const satisfies Record<string, Description>;
