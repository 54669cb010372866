/** The description of holds, bookings and blocks of one event. */
import { endedHoldBytesMax } from '@parterre/shared/limits';
import { type Description, standIn } from '../../openapi/openapi.ts';
import { aboutAccess, ofAccess } from '../records/records.ts';
import { refusedHolds, refusedUnits } from './refused-holds.ts';

/** The refusals of units that a hold or booking names. */
const ofUnits = [...refusedUnits, 'conflict', 'event_closed', ...ofAccess] as const;

const holds = {
  'POST /v1/events/{key}/hold': {
    operationId: 'holdSeats',
    tag: 'Inventory',
    summary: 'Hold units, all of them or none',
    description:
      'Send `labels` or `selections`. An area is named by its label with a `quantity`, and gives its lowest free ' +
      'places. A quantity above the free places is a conflict, which tells how many are `available`. In `labels` ' +
      'an area counts as one place each time it is named; a seat that is named twice counts once. Price, tier and ' +
      "currency are fixed for the life of the hold. The hold lasts for `ttlMs`, else the event's hold window, else " +
      '15 minutes; at most an hour. `replaceHoldId` names a hold that is released in the same step, with ' +
      'everything that it still holds; if the new hold is refused, the old one stays. The new hold ends at most an ' +
      'hour after the creation of the first hold that was replaced, and has its renewals. An ended or unknown hold ' +
      'counts as released. Without `tierId` a unit is sold at its default tier: the first that applies to it and ' +
      'is not for companions (at a companion place the first that applies). A tier with an `applicability` is ' +
      'limited: with `seatLabels` to these units (an area stands for its places), with `accessibility` to units of ' +
      'one of these kinds, with both to units that satisfy both. A companion tier or a companion place needs a ' +
      'wheelchair place beside it in its row, in the same call; each needs its own. The wheelchair place may be ' +
      'released alone; its companion can then only be released. A refusal names every label that caused it. An ' +
      'Idempotency-Key names the hold itself: a repetition gets the first answer for as long as the hold is known. ' +
      `${aboutAccess}`,
    refusals: [...ofUnits, 'invalid_event_state'],
    examples: [
      { summary: 'Two seats', body: { labels: ['A-1', 'A-2'] } },
      {
        summary: 'Tiers, and places of an area',
        body: {
          selections: [
            { label: 'B-1', tierId: 'child' },
            { label: 'Floor', quantity: 3 },
          ],
          ttlMs: 300_000,
        },
        headers: { 'Idempotency-Key': 'cart-2119' },
      },
      {
        summary: 'A held seat',
        path: { key: standIn.heldEvent },
        body: { labels: ['A-5'] },
        answers: 'conflict',
      },
      ...refusedHolds,
      {
        summary: 'A seat of a channel',
        path: { key: standIn.eventWithChannel },
        body: { labels: ['A-1', 'A-9'], channelIds: [standIn.channel] },
      },
      {
        summary: 'A seat of a channel that is not named',
        path: { key: standIn.eventWithChannel },
        body: { labels: ['A-1'] },
        answers: 'channel_access_denied',
      },
      {
        summary: 'An unknown channel',
        body: { labels: ['A-1'], channelIds: ['chn_0'] },
        answers: 'invalid_channel_scope',
      },
      { summary: 'Without units', body: {}, answers: 'invalid_request' },
    ],
  },
  'POST /v1/events/{key}/extend': {
    operationId: 'extendHold',
    tag: 'Inventory',
    summary: 'Extend a hold',
    description:
      'At most three times, and to at most an hour after its creation. With `replaceHoldId` the first hold and its ' +
      'renewals count. A hold never gets shorter. Works while sales are closed, too, so that a buyer at the till ' +
      'can finish. The `reason` of a refusal is not_found, expired, not_active (booked or released) or extend_limit.',
    refusals: ['cannot_extend', 'invalid_event_state'],
    examples: [
      { summary: 'By the usual hold window', path: { key: standIn.heldEvent }, body: { holdId: standIn.hold } },
      { summary: 'An unknown hold', body: { holdId: 'hld_0' }, answers: 'cannot_extend' },
    ],
  },
  'POST /v1/events/{key}/release': {
    operationId: 'releaseHold',
    tag: 'Inventory',
    summary: 'Release a hold, or some of its units',
    description:
      'Named units that the hold does not have (any more) are ignored and not listed, so the call may be repeated. ' +
      'The label of an area stands for all places that the hold has there.',
    refusals: ['hold_not_found', 'conflict', 'unknown_labels', 'invalid_event_state'],
    examples: [
      { summary: 'One seat of it', path: { key: standIn.heldEvent }, body: { holdId: standIn.hold, labels: ['A-5'] } },
      { summary: 'All of it', path: { key: standIn.heldEvent }, body: { holdId: standIn.hold } },
      { summary: 'An unknown hold', body: { holdId: 'hld_0' }, answers: 'hold_not_found' },
    ],
  },
  'GET /v1/events/{key}/holds/{holdId}': {
    operationId: 'getHold',
    tag: 'Inventory',
    summary: 'A hold, up to a day after its end',
    description:
      '`items` are the units of an active hold. For an ended hold they are the units that were booked from it, else ' +
      'the units that it had at its end, in the currency of that time. A partly booked hold is active until the ' +
      'rest is booked, released or expired; then its status is booked. `bookingRef` is the last reference that ' +
      "booked from the hold. An ended hold is known for 24 hours. If an event's ended holds take more than " +
      `${endedHoldBytesMax / 2 ** 20} MiB, the holds that ended first are forgotten earlier.`,
    refusals: ['hold_not_found'],
    examples: [
      { summary: 'An active hold', path: { key: standIn.heldEvent } },
      { summary: 'An unknown hold', path: { holdId: 'hld_0' }, answers: 'hold_not_found' },
    ],
  },
} as const satisfies Record<string, Description>;

const bookings = {
  'POST /v1/events/{key}/book': {
    operationId: 'bookSeats',
    tag: 'Inventory',
    summary: 'Book a hold, or units by label',
    description:
      "`bookingRef` is the caller's name for the order, and makes a repetition harmless: units that the reference " +
      'already has stay as they are, and `booked` lists the new ones. The same booking again answers 200 with an ' +
      'empty list. Quantities of an area under one reference are totals, not additions: its places of the named ' +
      'tier (or of the default tier) already count. A table that is booked again under its reference keeps its ' +
      'guests. A reference may book more later, and again after it was unbooked, by labels or with a new hold, at ' +
      "current prices. With `holdId`, `labels` name a part of the hold, and an area's label all places that the " +
      'hold has there. A hold is booked once. The reference that booked from it gets 200 with an empty list when it ' +
      'asks again, even if those units were unbooked since; another reference gets 409 `conflict`. An expired or ' +
      'released hold is not booked (reasons `hold_expired`, `hold_released`), even if its units are free; nor is a ' +
      'hold whose rest expired. A companion of a hold is booked in one call with the wheelchair place beside it, or ' +
      'later under the reference that has that place; otherwise 422 `companion_pair_required`. If the hold no ' +
      'longer has the wheelchair place, release the companion. Units of a hold are booked whatever their channel. ' +
      `${aboutAccess}`,
    refusals: ['hold_not_found', ...ofUnits, 'invalid_event_state'],
    examples: [
      { summary: 'A hold', path: { key: standIn.heldEvent }, body: { holdId: standIn.hold, bookingRef: 'order-1001' } },
      { summary: 'Seats without a hold', body: { labels: ['A-9', 'A-10'], bookingRef: 'order-1002' } },
      {
        summary: 'A held seat',
        path: { key: standIn.heldEvent },
        body: { labels: ['A-5'], bookingRef: 'order-1003' },
        answers: 'conflict',
      },
      {
        summary: 'An unknown hold',
        body: { holdId: 'hld_0', bookingRef: 'order-1004' },
        answers: 'hold_not_found',
      },
      {
        summary: 'A seat of a channel, by an override',
        path: { key: standIn.eventWithChannel },
        body: { labels: ['A-1'], bookingRef: 'order-1005', ignoreChannelRestrictions: true, reason: 'House seats' },
      },
      { summary: 'Without a reference', body: { labels: ['A-9'] }, answers: 'invalid_request' },
    ],
  },
  'POST /v1/events/{key}/unbook': {
    operationId: 'unbookSeats',
    tag: 'Inventory',
    summary: 'Cancel booked units of a reference',
    description:
      'Only for events that a platform owns. The label of an area stands for all places that the reference has ' +
      'there. A wheelchair place may be freed without its companion. For 24 hours after a reference has lost its last ' +
      'unit, a repetition is answered with 200. Later calls find no booking: 404 `booking_not_found`. Reads of bookings ' +
      'show a cancelled booking for ever.',
    refusals: ['booking_not_found', 'conflict', 'unknown_labels', 'not_platform_owned', 'invalid_event_state'],
    examples: [
      {
        summary: 'One seat of an order',
        path: { key: standIn.soldEvent },
        body: { bookingRef: 'order-1000', labels: ['A-7'] },
      },
      { summary: 'A whole order', path: { key: standIn.soldEvent }, body: { bookingRef: 'order-1000' } },
      { summary: 'An unknown reference', body: { bookingRef: 'order-0' }, answers: 'booking_not_found' },
    ],
  },
} as const satisfies Record<string, Description>;

const blocks = {
  'POST /v1/events/{key}/block': {
    operationId: 'blockSeats',
    tag: 'Inventory',
    summary: 'Take units off sale',
    description:
      'With `releaseAt` the units return to sale by themselves. The label of an area stands for all its places: ' +
      'they are blocked if none of them is held or booked; otherwise the conflict tells how many are `available`.',
    refusals: ['unknown_labels', 'conflict', 'invalid_event_state'],
    examples: [
      { summary: 'For the press', body: { labels: ['A-11', 'A-12'], reason: 'Press' } },
      {
        summary: 'A held seat',
        path: { key: standIn.heldEvent },
        body: { labels: ['A-5'] },
        answers: 'conflict',
      },
      { summary: 'Until a time in the past', body: { labels: ['A-11'], releaseAt: 1 }, answers: 'invalid_request' },
      { summary: 'A label that the chart lacks', body: { labels: ['Z-9'] }, answers: 'unknown_labels' },
    ],
  },
  'POST /v1/events/{key}/unblock': {
    operationId: 'unblockSeats',
    tag: 'Inventory',
    summary: 'Put blocked units back on sale',
    description:
      'Named units that are not blocked are ignored and not listed. The label of an area stands for all its places.',
    refusals: ['unknown_labels', 'invalid_event_state'],
    examples: [
      { summary: 'Two seats', body: { labels: ['A-11', 'A-12'] } },
      { summary: 'A label that the chart lacks', body: { labels: ['Z-9'] }, answers: 'unknown_labels' },
    ],
  },
  'POST /v1/events/{key}/unblock-all': {
    operationId: 'unblockAllSeats',
    tag: 'Inventory',
    summary: 'Put all blocked units back on sale',
    refusals: ['invalid_event_state'],
    examples: [
      { summary: 'All of them' },
      {
        summary: 'Of an event in the archive',
        path: { key: standIn.archivedEvent },
        answers: 'invalid_event_state',
      },
    ],
  },
} as const satisfies Record<string, Description>;

const holdWindow = {
  'GET /v1/events/{key}/hold-ttl': {
    operationId: 'getHoldTtl',
    tag: 'Events',
    summary: "The event's hold window",
    examples: [{ summary: 'The hold window' }],
  },
  'POST /v1/events/{key}/hold-ttl': {
    operationId: 'setHoldTtl',
    tag: 'Events',
    summary: "Set the event's hold window",
    description: 'Clamped to 1 to 60 minutes; null restores the default. Active holds keep their deadline.',
    refusals: ['invalid_event_state'],
    examples: [
      { summary: 'Ten minutes', body: { holdTtlMs: 600_000 } },
      { summary: 'The default', body: { holdTtlMs: null } },
      { summary: 'A word', body: { holdTtlMs: 'long' }, answers: 'invalid_request' },
    ],
  },
} as const satisfies Record<string, Description>;

export const inventoryDescriptions = { ...holds, ...holdWindow, ...bookings, ...blocks };
