/** The description of best available. */
import { namedCallsKept } from '@parterre/shared/limits';
import { type Description, standIn } from '../../openapi/openapi.ts';

const ofChoice = ['not_for_sale', 'conflict', 'channel_paused', 'invalid_channel_scope'] as const;

const aboutTheChoice =
  'The event chooses `qty` seats, at most 50: neighbours in one row that leave no single free seat beside them, and ' +
  'of these the run whose middle is nearest to the focal point of its zone, else of its floor, else of the chart. ' +
  'Next come runs that leave a single seat, then the nearest seats anywhere. `categoryKey` and `zoneId` narrow the ' +
  'search. Hidden and closed sections are left out, and so are tables that are sold as a whole. If no searched row ' +
  'has a seat left, the chairs of tables and booths are searched in the same way. If these have none either, the ' +
  'nearest area with enough places gives its lowest free places. If nothing is left: 409 `conflict`, `reason` ' +
  '`sold_out`. If fewer are left than asked for: `reason` `not_enough_together`; chairs never complete a row, nor ' +
  'areas a group of chairs. The choice is among the units of public sale, or with `channelIds` among the seats of ' +
  'these channels only; with `ignoreChannelRestrictions` and a `reason` among all units.';

export const bestAvailableDescriptions = {
  'POST /v1/events/{key}/best-available': {
    operationId: 'holdBestAvailable',
    tag: 'Inventory',
    summary: 'Hold the best available seats',
    description:
      `${aboutTheChoice} Seats with an accessibility kind are chosen only if \`accessible\` names one of their kinds ` +
      '(true for a wheelchair place, or a kind, or a list of kinds). Such a call gets at least one of these seats, ' +
      'with ordinary seats beside it if more seats are asked for. If none of these seats is left, the call is ' +
      'refused (`sold_out`). Tiers, prices and the name of the hold are as in `POST …/hold`. `zoneId` is repeated ' +
      'in the answer if it was named.',
    refusals: [...ofChoice, 'event_closed', 'invalid_event_state'],
    examples: [
      { summary: 'Two seats', body: { qty: 2 } },
      {
        summary: 'Of a category, for five minutes',
        body: { qty: 4, categoryKey: 'balcony', ttlMs: 300_000 },
        headers: { 'Idempotency-Key': 'cart-2120' },
      },
      {
        summary: 'Of a category that is not for sale',
        body: { qty: 1, categoryKey: 'house' },
        answers: 'not_for_sale',
      },
      { summary: 'More than there are together', body: { qty: 50, categoryKey: 'balcony' }, answers: 'conflict' },
      { summary: 'Of an unknown zone', body: { qty: 2, zoneId: 'east' }, answers: 'invalid_request' },
      { summary: 'Zero seats', body: { qty: 0 }, answers: 'invalid_request' },
      {
        summary: 'Of a closed event',
        path: { key: standIn.closedEvent },
        body: { qty: 2 },
        answers: 'event_closed',
      },
    ],
  },
  'POST /v1/events/{key}/best-available-block': {
    operationId: 'blockBestAvailable',
    tag: 'Inventory',
    summary: 'Take the best available seats off sale',
    description:
      `${aboutTheChoice} An Idempotency-Key names the block for 24 hours (an event knows its last ${namedCallsKept} ` +
      'such calls). A repetition under the key is answered with the same seats. Another body under the key is 409 ' +
      '`conflict`, `reason` `idempotency_key_reused`. Seats can be blocked while the event is closed for sale.',
    refusals: [...ofChoice, 'invalid_event_state'],
    examples: [
      {
        summary: 'Four seats for the press',
        body: { qty: 4, reason: 'Press' },
        headers: { 'Idempotency-Key': 'press-2120' },
      },
      {
        summary: 'Of an event in the archive',
        path: { key: standIn.archivedEvent },
        body: { qty: 2 },
        answers: 'invalid_event_state',
      },
      {
        summary: 'Of a category that is not for sale',
        body: { qty: 1, categoryKey: 'house' },
        answers: 'not_for_sale',
      },
      { summary: 'More than there are together', body: { qty: 50, categoryKey: 'balcony' }, answers: 'conflict' },
    ],
  },
  'POST /v1/events/{key}/best-available-book': {
    operationId: 'bookBestAvailable',
    tag: 'Inventory',
    summary: 'Book the best available seats',
    description:
      `${aboutTheChoice} A \`bookingRef\` names one such choice. The same request (\`qty\`, \`categoryKey\`, ` +
      '`zoneId`) under the same reference books nothing more: its answer has the seats of the first call that are ' +
      'still booked. If all of them were cancelled: 409 `conflict`, `reason` `booking_cancelled`. Another request ' +
      'under the reference: `reason` `booking_ref_in_use`. If the reference has booked seats only by other calls, ' +
      'the chosen seats come in addition. A reference whose last seat was cancelled is free again after 24 hours.',
    refusals: [...ofChoice, 'event_closed', 'invalid_event_state'],
    examples: [
      { summary: 'Two seats', body: { qty: 2, bookingRef: 'order-1100' } },
      {
        summary: 'Of a closed event',
        path: { key: standIn.closedEvent },
        body: { qty: 2, bookingRef: 'order-1101' },
        answers: 'event_closed',
      },
      {
        summary: 'Of a category that is not for sale',
        body: { qty: 1, categoryKey: 'house', bookingRef: 'order-1102' },
        answers: 'not_for_sale',
      },
      {
        summary: 'More than there are together',
        body: { qty: 50, categoryKey: 'balcony', bookingRef: 'order-1103' },
        answers: 'conflict',
      },
      { summary: 'Without a reference', body: { qty: 2 }, answers: 'invalid_request' },
    ],
  },
} as const satisfies Record<string, Description>;
