/** Sales at a counter, as the description shows them. */
import type { Description } from '../../openapi/description.ts';
import { standIn } from '../../openapi/stand-ins.ts';
import { aboutAccess, ofAccess } from '../records/channel-records.ts';

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
    summary: 'Book units at a counter, of an event that a platform owns',
    description: `As a booking without a hold, also while sales are closed. Kept for older callers. ${aboutAccess}`,
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
    summary: 'Sell units at a counter, of an event with managed ticketing',
    description:
      'Also while sales are closed. `releaseId` chooses a `buy` release of the list, whether or not it is active just now: every ' +
      'unit is sold under it or none, and its quota binds (409 with reason `release_sold_out`, and `conflicts` that list what did ' +
      'not fit). `booked` lists what is new; `items` and `total` are of all that the call names, so that a repetition under the ' +
      'same `bookingRef` shows what the first call did. The note goes into the log. The release goes before a channel’s price. ' +
      aboutAccess,
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
        summary: 'A release that the event has not',
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
