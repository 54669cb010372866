/** The description of exchanges. */
import { type Description, standIn } from '../../openapi/openapi.ts';
import { refusedUnits } from '../inventory/inventory.ts';
import { aboutAccess, ofAccess } from '../records/records.ts';

export const exchangeDescriptions = {
  'POST /v1/events/{key}/exchange': {
    operationId: 'exchangeUnits',
    tag: 'Inventory',
    summary: 'Move booked units of a reference to other units, all or none',
    description:
      'The booking gives up the units of `from` and has the units of `to` instead, in one step. No unit of `from` is ' +
      'free before every unit of `to` is booked. `to` names units (`labels`, or `selections` with tiers), lets the ' +
      'event choose them (`bestAvailable`, with the fields of `POST …/best-available`), or books a hold or a part of ' +
      'it (`holdId`, `labels`). Both sides have as many places: guests of a table that is sold as a whole count one ' +
      'by one. In `from` the label of an area stands for all places that the reference has there, with `quantity` ' +
      'for as many of them; a table is given up with all its guests. A unit in both is refused. The old units keep ' +
      'the values of their sale; the new ones have the prices of a booking now, or those of the hold. ' +
      '`priceDifference` is the new value less the old one, in major units. A sold-out ticket release has no place ' +
      'for the new units, even if the old ones leave one. A listing for resale ends when one of its units is given ' +
      'up. No credit is used. Works while sales are closed, for events of either ownership. A unit of `from` that ' +
      'the reference does not have: 409 with reason `not_owned_by_booking_ref`, which lists every such unit with its ' +
      'status. The log has one entry, `exchanged`; webhooks are `seat.booked` and `seat.released`, both with the ' +
      'reason `exchanged` and the `exchangeId`. The booking shows the old units as cancelled and the new ones as ' +
      'booked, and its activity has one entry, `reconcile`. An Idempotency-Key is required: it names the exchange. ' +
      `${aboutAccess}`,
    refusals: ['booking_not_found', 'hold_not_found', ...refusedUnits, ...ofAccess, 'invalid_event_state'],
    examples: [
      {
        summary: 'To another seat',
        path: { key: standIn.soldEvent },
        headers: { 'Idempotency-Key': 'exchange-1000' },
        body: { bookingRef: 'order-1000', from: ['A-7'], to: { labels: ['B-7'] }, reason: 'A pillar' },
      },
      {
        summary: 'To the best seats',
        path: { key: standIn.soldEvent },
        headers: { 'Idempotency-Key': 'exchange-1001' },
        body: { bookingRef: 'order-1000', from: ['A-7', 'A-8'], to: { bestAvailable: { qty: 2 } } },
      },
      {
        summary: 'At another tier',
        path: { key: standIn.soldEvent },
        headers: { 'Idempotency-Key': 'exchange-1002' },
        body: {
          bookingRef: 'order-1000',
          from: [{ label: 'A-8' }],
          to: { selections: [{ label: 'B-1', tierId: 'child' }] },
        },
      },
      {
        summary: 'A seat of another order',
        path: { key: standIn.soldEvent },
        headers: { 'Idempotency-Key': 'exchange-1003' },
        body: { bookingRef: 'order-1000', from: ['A-9'], to: { labels: ['B-7'] } },
        answers: 'conflict',
      },
      {
        summary: 'To more places than before',
        path: { key: standIn.soldEvent },
        headers: { 'Idempotency-Key': 'exchange-1004' },
        body: { bookingRef: 'order-1000', from: ['A-7'], to: { labels: ['B-7', 'B-8'] } },
        answers: 'invalid_request',
      },
      {
        summary: 'An unknown order',
        headers: { 'Idempotency-Key': 'exchange-1005' },
        body: { bookingRef: 'order-0', from: ['A-7'], to: { labels: ['B-7'] } },
        answers: 'booking_not_found',
      },
      {
        summary: 'Without an Idempotency-Key',
        body: { bookingRef: 'order-1000', from: ['A-7'], to: { labels: ['B-7'] } },
        answers: 'invalid_idempotency_key',
      },
    ],
  },
} as const satisfies Record<string, Description>;
