/** The description of best available. */
import { bestAvailableQtyMax, namedCallsKept } from '@parterre/shared/limits';
import { type Description, standIn } from '../../openapi/openapi.ts';

const ofChoice = ['unknown_labels', 'not_for_sale', 'conflict', 'channel_paused', 'invalid_channel_scope'] as const;
const ofTickets = ['unknown_tier', 'companion_pair_required'] as const;

const aboutTheChoice =
  `The event chooses \`qty\` places. More than ${bestAvailableQtyMax} counts as ${bestAvailableQtyMax}, and the answer ` +
  'says `clamped: true`. Neighbours in one row, or chairs at one table, come first, if they leave no single free ' +
  'seat beside them: of these the run whose middle is nearest to the focal point of its zone, else of its floor, ' +
  'else of the chart; then the lower row id, then the lower seat. Next come runs that leave a single seat ' +
  '(with `preventOrphans: false` both count alike), then one whole table that fits the party, then one area. Last the party is split, so that nobody sits alone needlessly: the longest run first, and the rest ' +
  'near it. `together` says whether the places are one part, and `parts` lists the parts. `near` names units: the ' +
  'choice is as near to their middle as it can be. `categoryKey` or `categoryKeys`, and `zoneId`, narrow the ' +
  'search. Hidden and closed sections are left out. Places with an accessibility kind are chosen only if ' +
  '`accessible` names one of their kinds (true for a wheelchair place, or a kind, or a list of kinds): then ' +
  '`accessibleSeats` of them (1 without the field) and no more, each with its companion place or an ordinary ' +
  'neighbour for the rest of the party. If nothing is left: 409 `conflict`, `reason` `sold_out`. If fewer are left ' +
  'than asked for: `reason` `not_enough_together`. The choice is among the units of public sale, or with ' +
  '`channelIds` among the seats of these channels only; with `ignoreChannelRestrictions` and a `reason` among all ' +
  'units.';

const aboutTickets =
  '`tickets` gives tiers to the places: as many of each tier as it says, `qty` in all. Only categories with these ' +
  'tiers are searched. Tiers for some places, and for companions, go to places that they fit. A tier that no ' +
  'searched category has is 422 `unknown_tier`. If the places left do not fit the tickets: 409 `conflict`, `reason` ' +
  '`not_enough_together`.';

/** Of every route that holds places of the event's choice. */
export const aboutReplacing =
  'With `replaceHoldId` the places of this hold count as free for the choice, and the new hold takes its place. If ' +
  'the choice is the same places, or no better than those of the hold, the hold stays untouched: same places, prices ' +
  'and expiry. The answer then tells of this hold, with `kept: true`. A refusal leaves the hold as it is too.';

export const bestAvailableDescriptions = {
  'POST /v1/events/{key}/best-available': {
    operationId: 'holdBestAvailable',
    tag: 'Inventory',
    summary: 'Hold the best available seats',
    description:
      `${aboutTheChoice} ${aboutTickets} ${aboutReplacing} Prices and the name of the hold are as in ` +
      '`POST …/hold`. `zoneId` is repeated in the answer if it was named.',
    refusals: [...ofChoice, ...ofTickets, 'event_closed', 'invalid_event_state'],
    examples: [
      { summary: 'Two seats', body: { qty: 2 } },
      {
        summary: 'Of a category, for five minutes',
        body: { qty: 4, categoryKey: 'balcony', ttlMs: 300_000 },
        headers: { 'Idempotency-Key': 'cart-2120' },
      },
      {
        summary: 'Of two categories, beside a seat',
        body: { qty: 2, categoryKeys: ['stalls', 'balcony'], near: ['A-5'], preventOrphans: false },
      },
      {
        summary: 'With tickets',
        body: {
          qty: 3,
          tickets: [
            { tierId: 'adult', qty: 2 },
            { tierId: 'child', qty: 1 },
          ],
        },
      },
      {
        summary: 'In place of an earlier hold',
        path: { key: standIn.heldEvent },
        body: { qty: 2, replaceHoldId: standIn.hold },
      },
      {
        summary: 'With a tier that no category has',
        body: { qty: 1, tickets: [{ tierId: 'senior', qty: 1 }] },
        answers: 'unknown_tier',
      },
      { summary: 'Near a label that the chart lacks', body: { qty: 1, near: ['Z-9'] }, answers: 'unknown_labels' },
      {
        summary: 'With tickets for other numbers',
        body: { qty: 3, tickets: [{ tierId: 'adult', qty: 2 }] },
        answers: 'invalid_request',
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
      `${aboutTheChoice} ${aboutTickets} A \`bookingRef\` names one such choice. The same request under the same ` +
      'reference books nothing more: its answer has the seats of the first call that are still booked. If all of them were cancelled: 409 `conflict`, `reason` `booking_cancelled`. Another request ' +
      'under the reference: `reason` `booking_ref_in_use`. If the reference has booked seats only by other calls, ' +
      'the chosen seats come in addition. A reference whose last seat was cancelled is free again after 24 hours.',
    refusals: [...ofChoice, ...ofTickets, 'event_closed', 'invalid_event_state'],
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
