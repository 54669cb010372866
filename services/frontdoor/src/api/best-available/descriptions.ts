/** Best-available, as the description has it. */
import { namedCallsKept } from '@parterre/shared/limits';
import type { Description } from '../../openapi/description.ts';
import { standIn } from '../../openapi/stand-ins.ts';

const ofChoice = ['not_for_sale', 'conflict', 'channel_paused', 'invalid_channel_scope'] as const;

const aboutTheChoice =
  'The event chooses `qty` seats, 50 at most: neighbours in one row that leave no single free seat beside them, and of these the ' +
  'run whose middle is nearest to the focal point of its zone, else of its floor, else of the chart; then runs that strand a single ' +
  'seat; then the nearest seats wherever they are. `categoryKey` and `zoneId` narrow the search. Hidden and closed sections are ' +
  'left out, and so are tables sold as a whole. Where no row that is searched has a seat left, the chairs of tables and booths are ' +
  'searched in the same way, and where these have none either the areas, of which the nearest with as many gives its lowest free ' +
  'places. Nothing at all: 409 `conflict`, `reason` `sold_out`. Some, but fewer than asked for: `reason` ' +
  '`not_enough_together`; rows with too few seats are not made up from chairs, nor chairs from areas. The choice is among what is ' +
  'of public sale, or where `channelIds` are named among the seats of these channels alone; with `ignoreChannelRestrictions` and ' +
  'a `reason` among all.';

export const bestAvailableDescriptions = {
  'POST /v1/events/{key}/best-available': {
    operationId: 'holdBestAvailable',
    tag: 'Inventory',
    summary: 'Hold the best seats that are left',
    description:
      `${aboutTheChoice} Seats with an accessibility kind are chosen only where \`accessible\` names one of theirs (true is a ` +
      'wheelchair place, or a kind, or a list of kinds); such a call gets one at the least, with ordinary seats beside it where more ' +
      'are asked for, and is refused (`sold_out`) where none is left. Tiers, prices and the name of the hold are as in `POST ' +
      '…/hold`; `zoneId` is told again where it was named.',
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
      { summary: 'Of a zone that the chart lacks', body: { qty: 2, zoneId: 'east' }, answers: 'invalid_request' },
      { summary: 'No seats', body: { qty: 0 }, answers: 'invalid_request' },
      {
        summary: 'Of an event that is closed',
        path: { key: standIn.closedEvent },
        body: { qty: 2 },
        answers: 'event_closed',
      },
    ],
  },
  'POST /v1/events/{key}/best-available-block': {
    operationId: 'blockBestAvailable',
    tag: 'Inventory',
    summary: 'Take the best seats that are left out of sale',
    description:
      `${aboutTheChoice} An Idempotency-Key names the block for 24 hours (of an event the last ${namedCallsKept} such calls are ` +
      'known): repeated under it the call is answered with the same seats, and another body under it is 409 `conflict`, `reason` ' +
      '`idempotency_key_reused`. An event that is closed for sale can still be blocked.',
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
    summary: 'Book the best seats that are left',
    description:
      `${aboutTheChoice} A \`bookingRef\` has one such choice. The same request (\`qty\`, \`categoryKey\`, \`zoneId\`) under it again gets what it ` +
      'still has of the seats it got first, and books nothing more; where all of them were cancelled since: 409 `conflict`, `reason` `booking_cancelled`. ' +
      'Another request under it: `reason` `booking_ref_in_use`. A reference that has only booked seats by other calls books these beside them.',
    refusals: [...ofChoice, 'event_closed', 'invalid_event_state'],
    examples: [
      { summary: 'Two seats', body: { qty: 2, bookingRef: 'order-1100' } },
      {
        summary: 'Of an event that is closed',
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
