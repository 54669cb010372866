/** Holds, bookings, blocks and the report of one event, as the description has them. */
import { endedHoldBytesMax } from '@parterre/shared/limits';
import type { Description } from '../../openapi/description.ts';
import { standIn } from '../../openapi/stand-ins.ts';
import { aboutAccess, ofAccess } from '../records/channel-records.ts';
import { refusedHolds } from './refused-holds.ts';

/** A hold or booking names units; each of these says what is wrong with them. */
const ofUnits = [
  'unknown_labels',
  'unknown_tier',
  'invalid_quantity',
  'not_for_sale',
  'ticket_option_not_applicable',
  'companion_pair_required',
  'conflict',
  'event_closed',
  ...ofAccess,
] as const;

const holds = {
  'POST /v1/events/{key}/hold': {
    operationId: 'holdSeats',
    tag: 'Inventory',
    summary: 'Hold units, all of them or none',
    description:
      'Send `labels` or `selections`. An area is named by its label with a `quantity`, and gives its lowest free places; more ' +
      'than it has left, or has at all, is a conflict that tells how many are `available`. In `labels` an area stands for one ' +
      'place each time it is named, where a seat that is named twice is meant once. Price, tier and currency are frozen for as long ' +
      'as the hold lasts: `ttlMs`, else the window of the event, else 15 minutes; an hour at most, and as short as is asked for. ' +
      '`replaceHoldId` names a hold that makes way in the same step, with all that it still holds, or nothing is changed; one that ' +
      'is over or unknown has made way already. Without `tierId` a unit is sold at its default tier, the first that applies to it ' +
      'and is not for companions (at a companion place the first that applies): a tier with an `applicability` is for the units of ' +
      'its `seatLabels` (an area named there stands for its places) and for those of one of its `accessibility` kinds, for both ' +
      'where it names both. A companion tier or a companion place needs, in the same call, a wheelchair place of its own beside it in ' +
      'its row. That place may be given back without its companion, who can then only be given back too. A refusal names every label ' +
      'it is about. An Idempotency-Key names the hold itself: repeating it gives the first answer for as long as the hold is known. ' +
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
        summary: 'A seat that somebody holds',
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
        summary: 'A channel that is not there',
        body: { labels: ['A-1'], channelIds: ['chn_0'] },
        answers: 'invalid_channel_scope',
      },
      { summary: 'Nothing named', body: {}, answers: 'invalid_request' },
    ],
  },
  'POST /v1/events/{key}/extend': {
    operationId: 'extendHold',
    tag: 'Inventory',
    summary: 'Let a hold last longer',
    description:
      'At most three times, and no hold outlives an hour from its creation; none is made shorter. Also while sales are closed, so that who is paying may ' +
      'finish. The `reason` of a refusal is not_found, expired, not_active (booked or released) or extend_limit.',
    refusals: ['cannot_extend', 'invalid_event_state'],
    examples: [
      { summary: 'By the usual window', path: { key: standIn.heldEvent }, body: { holdId: standIn.hold } },
      { summary: 'A hold that is not there', body: { holdId: 'hld_0' }, answers: 'cannot_extend' },
    ],
  },
  'POST /v1/events/{key}/release': {
    operationId: 'releaseHold',
    tag: 'Inventory',
    summary: 'Give back a hold, or some of its units',
    description:
      'What is named and not held by it (any more) is left alone and not listed, so that it may be repeated. The label of an area stands for all places that ' +
      'the hold has there.',
    refusals: ['hold_not_found', 'conflict', 'unknown_labels', 'invalid_event_state'],
    examples: [
      { summary: 'One seat of it', path: { key: standIn.heldEvent }, body: { holdId: standIn.hold, labels: ['A-5'] } },
      { summary: 'All of it', path: { key: standIn.heldEvent }, body: { holdId: standIn.hold } },
      { summary: 'A hold that is not there', body: { holdId: 'hld_0' }, answers: 'hold_not_found' },
    ],
  },
  'GET /v1/events/{key}/holds/{holdId}': {
    operationId: 'getHold',
    tag: 'Inventory',
    summary: 'A hold, for a day after its end too',
    description:
      'Its items are what it holds still; of one that is over what was booked of it, or else what it had at its end, in the currency ' +
      'of that time. A hold of which a part was booked is active until the rest is booked, released or expired, and booked then. ' +
      "`bookingRef` is the last that booked of it. One that is over is known for 24 hours, or less long where an event's ended " +
      `holds take more than ${endedHoldBytesMax / 2 ** 20} MiB: those that ended first are forgotten then.`,
    refusals: ['hold_not_found'],
    examples: [
      { summary: 'An active hold', path: { key: standIn.heldEvent } },
      { summary: 'One that is not there', path: { holdId: 'hld_0' }, answers: 'hold_not_found' },
    ],
  },
} as const satisfies Record<string, Description>;

const bookings = {
  'POST /v1/events/{key}/book': {
    operationId: 'bookSeats',
    tag: 'Inventory',
    summary: 'Book a hold, or units by name',
    description:
      '`bookingRef` is the order at the caller, and what makes a repetition harmless: what the reference has already is left as it ' +
      'is, and `booked` lists what is new, so that booking the same again answers 200 with an empty list. Quantities of an area ' +
      'under one reference are totals, not additions: the places that it has there already count, those of the tier that is named, or ' +
      'of the default tier where none is. Guests of a table that is booked again under its reference stay as they are. A reference ' +
      'may book more later, and again after it was unbooked: by labels or with a new hold, at the prices of then. With `holdId`, ' +
      '`labels` name a part of the hold, and the label of an area all places that the hold has there. A hold is booked once: asked ' +
      'again under the reference that booked of it, the answer is 200 with an empty list, also where that was unbooked since; under ' +
      'another one 409 `conflict`. A hold that expired or was released is not booked (reasons `hold_expired`, `hold_released`), ' +
      'even where its units are free, nor one of which the rest expired. Of a hold a companion is booked in one call with the ' +
      'wheelchair place beside it, or later under the reference that has that place: else the answer is 422 ' +
      '`companion_pair_required`, and where the hold has that place no more its companion is to be released. Of a hold, whatever ' +
      `channel its seats are of is booked. ${aboutAccess}`,
    refusals: ['hold_not_found', ...ofUnits, 'invalid_event_state'],
    examples: [
      { summary: 'A hold', path: { key: standIn.heldEvent }, body: { holdId: standIn.hold, bookingRef: 'order-1001' } },
      { summary: 'Seats without a hold', body: { labels: ['A-9', 'A-10'], bookingRef: 'order-1002' } },
      {
        summary: 'A seat that somebody holds',
        path: { key: standIn.heldEvent },
        body: { labels: ['A-5'], bookingRef: 'order-1003' },
        answers: 'conflict',
      },
      {
        summary: 'A hold that is not there',
        body: { holdId: 'hld_0', bookingRef: 'order-1004' },
        answers: 'hold_not_found',
      },
      {
        summary: 'A seat of a channel, past all channels',
        path: { key: standIn.eventWithChannel },
        body: { labels: ['A-1'], bookingRef: 'order-1005', ignoreChannelRestrictions: true, reason: 'House seats' },
      },
      { summary: 'Without a reference', body: { labels: ['A-9'] }, answers: 'invalid_request' },
    ],
  },
  'POST /v1/events/{key}/unbook': {
    operationId: 'unbookSeats',
    tag: 'Inventory',
    summary: 'Free booked units by the reference that owns them',
    description:
      'Only on events that a platform owns. The label of an area stands for all places that the reference has there. A wheelchair ' +
      'place may be freed without its companion.',
    refusals: ['booking_not_found', 'conflict', 'unknown_labels', 'not_platform_owned', 'invalid_event_state'],
    examples: [
      {
        summary: 'One seat of an order',
        path: { key: standIn.soldEvent },
        body: { bookingRef: 'order-1000', labels: ['A-7'] },
      },
      { summary: 'A whole order', path: { key: standIn.soldEvent }, body: { bookingRef: 'order-1000' } },
      { summary: 'A reference that books nothing', body: { bookingRef: 'order-0' }, answers: 'booking_not_found' },
    ],
  },
} as const satisfies Record<string, Description>;

const blocks = {
  'POST /v1/events/{key}/block': {
    operationId: 'blockSeats',
    tag: 'Inventory',
    summary: 'Take units out of sale',
    description:
      'With `releaseAt` they come back by themselves. The label of an area stands for all its places: they are blocked if none of ' +
      'them is held or booked, else the conflict tells how many are `available`.',
    refusals: ['unknown_labels', 'conflict', 'invalid_event_state'],
    examples: [
      { summary: 'For the press', body: { labels: ['A-11', 'A-12'], reason: 'Press' } },
      {
        summary: 'A seat that somebody holds',
        path: { key: standIn.heldEvent },
        body: { labels: ['A-5'] },
        answers: 'conflict',
      },
      { summary: 'Until a moment that is past', body: { labels: ['A-11'], releaseAt: 1 }, answers: 'invalid_request' },
      { summary: 'A label that the chart lacks', body: { labels: ['Z-9'] }, answers: 'unknown_labels' },
    ],
  },
  'POST /v1/events/{key}/unblock': {
    operationId: 'unblockSeats',
    tag: 'Inventory',
    summary: 'Bring blocked units back into sale',
    description:
      'What is named and not blocked is left alone and not listed. The label of an area stands for all its places.',
    refusals: ['unknown_labels', 'invalid_event_state'],
    examples: [
      { summary: 'Two seats', body: { labels: ['A-11', 'A-12'] } },
      { summary: 'A label that the chart lacks', body: { labels: ['Z-9'] }, answers: 'unknown_labels' },
    ],
  },
  'POST /v1/events/{key}/unblock-all': {
    operationId: 'unblockAllSeats',
    tag: 'Inventory',
    summary: 'Bring every blocked unit back into sale',
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
    examples: [{ summary: 'Ask for it' }],
  },
  'POST /v1/events/{key}/hold-ttl': {
    operationId: 'setHoldTtl',
    tag: 'Events',
    summary: "Set the event's hold window",
    description: 'Clamped to 1 to 60 minutes; null goes back to the default. Holds that stand keep their end.',
    refusals: ['invalid_event_state'],
    examples: [
      { summary: 'Ten minutes', body: { holdTtlMs: 600_000 } },
      { summary: 'The default', body: { holdTtlMs: null } },
      { summary: 'A word', body: { holdTtlMs: 'long' }, answers: 'invalid_request' },
    ],
  },
} as const satisfies Record<string, Description>;

export const inventoryDescriptions = { ...holds, ...holdWindow, ...bookings, ...blocks };
