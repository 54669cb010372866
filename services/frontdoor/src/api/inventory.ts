/**
 * Holds, bookings and blocks of one event by a server, sales at a counter, and reads of them.
 *
 * The bodies of sales are compiled: the schema library writes their checks as one function, which takes a body in a
 * tenth of the time. A body that this function refuses is checked again in the usual way, for its issues.
 */

import type { Answers, CounterSaleAnswer, LineItem } from '@parterre/shared/protocol/answers';
import type { Command } from '@parterre/shared/protocol/commands';
import { done } from '@parterre/shared/protocol/errors';
import {
  bookingRefLengthMax,
  bulkBodyBytesMax,
  channelsPerEventMax,
  endedHoldBytesMax,
  gaCapacityMax,
  idLengthMax,
  labelsPerBulkMax,
  labelsPerSaleMax,
  noteLengthMax,
} from '@parterre/shared/protocol/limits';
import type { Worded, WordedItem } from '@parterre/shared/protocol/line-items';
import { unitOf } from '@parterre/shared/protocol/money';
import { statusNames } from '@parterre/shared/protocol/records';
import { z } from 'zod';
import { budgets, unbudgeted } from '../admission/admission.ts';
import { preparedJson, quoted, type Spelled, spellTexts } from '../answers/answers.ts';
import { holdRef, seesChannels, withMoneyFor } from '../logs/logs.ts';
import { type Example, standIn } from '../openapi/openapi.ts';
import {
  asBulkCall,
  ask,
  askLater,
  askWithAccess,
  callerOf,
  callerWithAccess,
  holdName,
  keyedCall,
  labelsIn,
  newCallId,
  selectionsOf,
} from './calls/ask.ts';
import { type EventCall, eventRoute } from './calls/route.ts';
import {
  aboutAccess,
  accessSource,
  amount,
  count,
  epochMs,
  hold,
  holdTtlMs,
  id,
  idOf,
  inMoney,
  keptForGood,
  lineItem,
  moment,
  moneyOf,
  ofAccess,
  ok,
  optional,
  price,
  priceUnit,
  reason,
  soldItem,
  taken,
  textOrNull,
  unitLabel,
} from './records.ts';

export const labelsOfAnswer = z.array(z.string());

const holdSeatsAnswer = z.object({
  ok,
  holdId: idOf('hld'),
  expiresAt: epochMs,
  items: z.array(lineItem),
  labels: labelsOfAnswer,
  currency: z.string(),
  priceUnit,
});

/**
 * Labels of a sale. A seat that is named twice counts once, an area counts as often as it is named. Only the event can
 * tell a seat from an area, so repetitions stay in the list.
 */
export const soldLabels = z.array(unitLabel).min(1).max(labelsPerSaleMax);

export const saleSelection = z.object({
  label: unitLabel,
  tierId: optional(z.string().max(idLengthMax).nullable()),
  quantity: optional(z.int().min(1).max(gaCapacityMax)),
});

/** A browser never names a price. */
export const pricedSelection = saleSelection.extend({
  price: optional(
    amount.describe(
      'The price of a unit that has none in the chart, under no ticket release and in no channel; without the field ' +
        'such a unit costs 0. A unit with a price is refused with it (422 `invalid_request`).',
    ),
  ),
});

const selections = z.array(pricedSelection).min(1).max(labelsPerSaleMax);

/** The event's actor clamps the value. */
export const ttlMs = z.int().min(1).describe('Milliseconds from now; more than an hour means an hour.');

export const access = {
  channelIds: optional(
    z
      .array(id)
      .max(channelsPerEventMax)
      .describe(
        'Channels whose seats may be sold beside the seats of public sale. A seat of a channel is sold in the name ' +
          'of its channel.',
      ),
  ),
  ignoreChannelRestrictions: optional(z.boolean()),
  reason: optional(reason),
};

/** As `access`, of a sale. */
export const saleAccess = {
  ...access,
  buyerRef: optional(
    z
      .string()
      .min(1)
      .max(idLengthMax)
      .describe(
        `The caller's name for the buyer. The event's \`buyerLimit\` counts the places of a buyer. ${keptForGood}`,
      ),
  ),
};

/** The audit of channels shows each override with its reason. */
export const saysWhy = (body: { ignoreChannelRestrictions?: boolean; reason?: string | null }): boolean =>
  body.ignoreChannelRestrictions !== true || typeof body.reason === 'string';

export const saysWhyMessage = { message: 'Send a reason with ignoreChannelRestrictions.', path: ['reason'] };

/** Sells blocked units, too. */
export const fromBlock = optional(
  z
    .boolean()
    .describe(
      'With true, blocked units that the call names are sold, too, and blocked places of an area count as free. ' +
        'Needs a `reason`. Units of a reservation or of an offer are never sold so.',
    ),
);

export const saysWhyFromBlock = (body: { fromBlock?: boolean; reason?: string | null }): boolean =>
  body.fromBlock !== true || typeof body.reason === 'string';

export const saysWhyFromBlockMessage = { message: 'Send a reason with fromBlock.', path: ['reason'] };

/** Commands take no false. */
export function fromBlockOf({ fromBlock }: { fromBlock?: boolean }): { fromBlock?: true } {
  return fromBlock === true ? { fromBlock } : {};
}

type NamedUnitsBody = { labels?: string[]; selections?: z.output<typeof selections> };

export const namesUnitsOnce = (body: NamedUnitsBody) => (body.labels === undefined) !== (body.selections === undefined);

export const namesUnitsOnceMessage = { message: 'Send exactly one of labels and selections.', path: ['labels'] };

export const holdBody = z.compile(
  z
    .object({
      labels: optional(soldLabels),
      selections: optional(selections),
      ttlMs: optional(ttlMs),
      replaceHoldId: optional(id),
      ...saleAccess,
    })
    .refine(saysWhy, saysWhyMessage)
    .refine(namesUnitsOnce, namesUnitsOnceMessage),
);

const serverHolds = { budget: budgets.serverHolds };

const newHold = { ...serverHolds, labelsIn };

/**
 * Refusals of units that a call names, and examples of refused holds.
 *
 * The chart, or the terms of the sale, lack what the call asks of a unit.
 */
export const refusedUnits = [
  'unknown_labels',
  'unknown_tier',
  'invalid_quantity',
  'not_for_sale',
  'ticket_option_not_applicable',
  'companion_pair_required',
  'buyer_limit',
] as const;

/** The refusals of units that a hold or booking names. */
const refusalsOfUnits = [...refusedUnits, 'conflict', 'event_closed', ...ofAccess] as const;

export const refusedHolds = [
  { summary: 'A label that the chart lacks', body: { labels: ['Z-9'] }, answers: 'unknown_labels' },
  {
    summary: 'A tier that the category lacks',
    body: { selections: [{ label: 'B-1', tierId: 'senior' }] },
    answers: 'unknown_tier',
  },
  {
    summary: 'Two of one seat',
    body: { selections: [{ label: 'B-1', quantity: 2 }] },
    answers: 'invalid_quantity',
  },
  {
    summary: 'A tier for other seats',
    body: { selections: [{ label: 'B-1', tierId: 'loop' }] },
    answers: 'ticket_option_not_applicable',
  },
  {
    summary: 'A companion without a wheelchair place',
    body: { selections: [{ label: 'B-1', tierId: 'companion' }] },
    answers: 'companion_pair_required',
  },
  { summary: 'A seat that is not for sale', body: { labels: ['C-1'] }, answers: 'not_for_sale' },
  {
    summary: 'Of a closed event',
    path: { key: standIn.closedEvent },
    body: { labels: ['A-1'] },
    answers: 'event_closed',
  },
] as const satisfies readonly Example[];

const holdSeats = eventRoute(
  'POST /v1/events/{key}/hold',
  {
    answer: holdSeatsAnswer,
    body: holdBody,
    ...newHold,
    description: {
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
        'one of these kinds, with both to units that satisfy both. A companion place needs its wheelchair place in the same ' +
        'call, or in the booking of the `bookingRef`: the next one in its row at any distance, or the one that ' +
        '`companionOf` names; a wheelchair place takes up to three. A companion tier at another place needs a ' +
        'wheelchair place beside it. A unit without a price in the chart takes the `price` of its ' +
        'selection, else 0; buyers cannot have it. With a `reason` a server or operator sells a companion place alone, and once no ' +
        'other ordinary place is left, everybody may have it. The wheelchair place may be released or unbooked alone; ' +
        'a held companion can then only be released, and a booked one stays booked. A refusal names every label that caused it. An ' +
        'Idempotency-Key names the hold itself: a repetition gets the first answer for as long as the hold is known. ' +
        `${aboutAccess}`,
      refusals: [...refusalsOfUnits, 'invalid_event_state'],
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
  },
  (call) => {
    const { body, event } = call;
    const name = holdName(call);
    const hold: Command & { type: 'hold' } = { type: 'hold', holdId: name.holdId, selections: selectionsOf(body) };
    if (name.fingerprint !== undefined) hold.fingerprint = name.fingerprint;
    if (body.ttlMs !== undefined) hold.ttlMs = body.ttlMs;
    if (body.replaceHoldId !== undefined) hold.replaceHoldId = body.replaceHoldId;
    const caller = callerWithAccess(call);
    const refused = call.ports.shards.refusalOf(event.event, caller, hold);
    if (refused) return refused;
    return askLater(call, caller, hold, ({ holdId, expiresAt, labels, currency }, items) => {
      const fields =
        `"holdId":${quoted(holdId)},"expiresAt":${expiresAt},"items":${items},"labels":${spellTexts(labels)},` +
        `"currency":${quoted(currency ?? event.event.currency)},"priceUnit":"${unitOf(event.event)}"`;
      return preparedJson<z.output<typeof holdSeatsAnswer>>(`{"ok":true,${fields}}`);
    });
  },
);

const extendHoldAnswer = z.object({
  ok,
  holdId: idOf('hld'),
  expiresAt: epochMs,
  extends: count,
  items: z.array(lineItem),
});

export const extendBody = z.compile(
  z.object({ holdId: id, ttlMs: optional(ttlMs), ...access }).refine(saysWhy, saysWhyMessage),
);

const extendHold = eventRoute(
  'POST /v1/events/{key}/extend',
  {
    answer: extendHoldAnswer,
    body: extendBody,
    budget: budgets.serverHolds,
    description: {
      operationId: 'extendHold',
      tag: 'Inventory',
      summary: 'Extend a hold',
      description:
        'At most three times, and to at most an hour after its creation. With `replaceHoldId` the first hold and its ' +
        'renewals count. A hold never gets shorter: a call that would not lengthen it changes nothing, and uses no ' +
        'renewal. An Idempotency-Key makes the call one act for a day, however often it is repeated. Works while sales ' +
        'are closed, too, so that a buyer at the till can finish. The `reason` of a refusal is not_found, expired, not_active (booked or released) or extend_limit.',
      refusals: ['cannot_extend', 'invalid_event_state'],
      examples: [
        { summary: 'By the usual hold window', path: { key: standIn.heldEvent }, body: { holdId: standIn.hold } },
        { summary: 'An unknown hold', body: { holdId: 'hld_0' }, answers: 'cannot_extend' },
      ],
    },
  },
  async (call) => {
    const { holdId, ttlMs } = call.body;
    const answer = await ask(call, {
      type: 'extend',
      holdId,
      ...keyedCall(call, 'extend'),
      ...(ttlMs === undefined ? {} : { ttlMs }),
    });
    if (!answer.ok) return answer;
    const { expiresAt, extends: renewals, items } = answer.value;
    return done({ ok: true, holdId: answer.value.holdId, expiresAt, extends: renewals, items });
  },
);

const command = { budget: unbudgeted.commands };

/** A call that may name many labels. */
const sale = { ...command, labelsIn };

const releaseHoldAnswer = z.object({ ok, released: labelsOfAnswer });

export const releaseBody = z.compile(z.object({ holdId: id, labels: optional(labels(labelsPerSaleMax)) }));

/** A label that is named twice counts once. */
export function labels(most: number) {
  return z
    .array(unitLabel)
    .min(1)
    .max(most)
    .transform((named) => (named.length === 1 ? named : [...new Set(named)]));
}

const releaseHold = eventRoute(
  'POST /v1/events/{key}/release',
  {
    ...sale,
    answer: releaseHoldAnswer,
    body: releaseBody,
    description: {
      operationId: 'releaseHold',
      tag: 'Inventory',
      summary: 'Release a hold, or some of its units',
      description:
        'Named units that the hold does not have (any more) are ignored and not listed, so the call may be repeated. ' +
        'The label of an area stands for all places that the hold has there.',
      refusals: ['hold_not_found', 'conflict', 'unknown_labels', 'invalid_event_state'],
      examples: [
        {
          summary: 'One seat of it',
          path: { key: standIn.heldEvent },
          body: { holdId: standIn.hold, labels: ['A-5'] },
        },
        { summary: 'All of it', path: { key: standIn.heldEvent }, body: { holdId: standIn.hold } },
        { summary: 'An unknown hold', body: { holdId: 'hld_0' }, answers: 'hold_not_found' },
      ],
    },
  },
  (call) => {
    const { holdId, labels } = call.body;
    const release: Command & { type: 'release' } = {
      type: 'release',
      holdId,
      ...keyedCall(call, 'release'),
    };
    if (labels !== undefined) release.labels = labels;
    return askLater(call, callerOf(call.principal), release, ({ released }) => ({ ok: true as const, released }));
  },
);

const bookSeatsAnswer = z.object({
  ok,
  booked: labelsOfAnswer.describe('The newly booked units. Empty for a repetition.'),
  labels: labelsOfAnswer.describe('All units that the call names, in a repetition too.'),
  items: z.array(lineItem).describe('Their items. Those of a hold have the prices of the hold.'),
  bookingRef: z.string(),
  holdId: idOf('hld').nullable(),
});

export const bookingRef = z
  .string()
  .trim()
  .min(1)
  .max(bookingRefLengthMax)
  .describe(`The caller's name for the order, which owns the booked units. Trimmed. ${keptForGood}`);

const note = z.string().trim().max(noteLengthMax).nullable().describe(`For the log. ${keptForGood}`);

export const bookBody = z.compile(
  z
    .object({
      holdId: optional(id),
      labels: optional(soldLabels),
      selections: optional(selections),
      bookingRef,
      fromBlock,
      note: optional(note),
      ...saleAccess,
    })
    .refine(saysWhy, saysWhyMessage)
    .refine(saysWhyFromBlock, saysWhyFromBlockMessage)
    .refine((body) => body.fromBlock !== true || body.holdId === undefined, {
      message: 'A hold has no blocked units. Leave fromBlock out.',
      path: ['fromBlock'],
    })
    .refine((body) => body.holdId !== undefined || namesUnitsOnce(body), {
      message: 'Send holdId, or exactly one of labels and selections.',
      path: ['holdId'],
    })
    .refine((body) => body.holdId === undefined || body.selections === undefined, {
      message: 'A hold has its selections already. Choose a part of it with labels.',
      path: ['selections'],
    }),
);

/** A shard of an earlier build tells no items. The answers of sales are texts, since a sale has no time for objects. */
function bookedAs(bookingRef: string, holdId: string | null) {
  return ({ booked, items: sold = [] }: Answers['book'], items: Spelled<WordedItem[], string>) => {
    const labels = sold.length === 0 ? booked : labelsOf(sold);
    const fields =
      `"booked":${spellTexts(booked)},"labels":${spellTexts(labels)},"items":${items},` +
      `"bookingRef":${quoted(bookingRef)},"holdId":${holdId === null ? 'null' : quoted(holdId)}`;
    return preparedJson<z.output<typeof bookSeatsAnswer>>(`{"ok":true,${fields}}`);
  };
}

/** An area names its places. A loop, since `flatMap` took 1.5 % of the CPU of a front door that sells. */
function labelsOf(items: readonly LineItem[]): string[] {
  const all: string[] = [];
  for (const { label, labels } of items) {
    if (labels === undefined) all.push(label);
    else for (const place of labels) all.push(place);
  }
  return all;
}

const bookSeats = eventRoute(
  'POST /v1/events/{key}/book',
  {
    ...sale,
    answer: bookSeatsAnswer,
    body: bookBody,
    description: {
      operationId: 'bookSeats',
      tag: 'Inventory',
      summary: 'Book a hold, or units by label',
      description:
        "`bookingRef` is the caller's name for the order, and makes a repetition harmless: units that the reference " +
        'already has stay as they are, and `booked` lists the new ones. The same booking again answers 200 with an ' +
        'empty `booked`; `labels` and `items` are those of the first answer. Quantities of an area under one reference are totals, not additions: its places of the named ' +
        'tier (or of the default tier) already count. A table that is booked again under its reference keeps its ' +
        'guests. A reference may book more later, and again after it was unbooked, by labels or with a new hold, at ' +
        "current prices. With `holdId`, `labels` name a part of the hold, and an area's label all places that the " +
        'hold has there. A hold is booked once. The reference that booked from it gets 200 with an empty list when it ' +
        'asks again, even if those units were unbooked since; another reference gets 409 `conflict` with reason ' +
        '`hold_booked` and the `bookingRef` that has booked the hold. An expired or ' +
        'released hold is not booked (reasons `hold_expired`, `hold_released`), even if its units are free; nor is a ' +
        'hold whose rest expired. A companion of a hold is booked in one call with the wheelchair place beside it, or ' +
        'later under the reference that has that place; otherwise 422 `companion_pair_required`. If the hold no ' +
        'longer has the wheelchair place, release the companion. Units of a hold are booked whatever their channel. ' +
        `${aboutAccess}`,
      refusals: ['hold_not_found', ...refusalsOfUnits, 'invalid_event_state'],
      examples: [
        {
          summary: 'A hold',
          path: { key: standIn.heldEvent },
          body: { holdId: standIn.hold, bookingRef: 'order-1001' },
        },
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
        {
          summary: 'A blocked seat without a reason',
          body: { labels: ['A-9'], bookingRef: 'order-1006', fromBlock: true },
          answers: 'invalid_request',
        },
        { summary: 'Without a reference', body: { labels: ['A-9'] }, answers: 'invalid_request' },
      ],
    },
  },
  (call) => {
    const { holdId, labels, bookingRef, note, buyerRef } = call.body;
    const callId = newCallId();
    if (holdId === undefined) {
      const selections = selectionsOf(call.body);
      const direct = { type: 'book-direct' as const, callId, bookingRef, selections, ...fromBlockOf(call.body) };
      const noted = note ? { ...direct, note } : direct;
      return askLater(call, callerWithAccess(call), noted, bookedAs(bookingRef, null));
    }
    const book: Command & { type: 'book' } = { type: 'book', callId, bookingRef, holdId };
    if (labels !== undefined) book.labels = labels;
    if (note) book.note = note;
    const caller = callerOf(call.principal);
    if (buyerRef !== undefined) caller.buyerRef = buyerRef;
    return askLater(call, caller, book, bookedAs(bookingRef, holdId));
  },
);

const unbookSeatsAnswer = z.object({ ok, unbooked: labelsOfAnswer });

const unbookBody = z.object({ bookingRef, labels: optional(labels(labelsPerSaleMax)) });

const unbookSeats = eventRoute(
  'POST /v1/events/{key}/unbook',
  {
    ...sale,
    answer: unbookSeatsAnswer,
    capability: 'event:cancel',
    body: unbookBody,
    description: {
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
  },
  async (call) => {
    const { bookingRef, labels } = call.body;
    const answer = await ask(call, {
      type: 'unbook',
      ...keyedCall(call, 'unbook'),
      bookingRef,
      ...(labels === undefined ? {} : { labels }),
    });
    return answer.ok ? done({ ok: true, unbooked: answer.value.unbooked }) : answer;
  },
);

export const blockSeatsAnswer = z.object({ ok, blocked: labelsOfAnswer });

/**
 * Labels of a bulk call. The event counts a unit once, however often it is named. Its labels stay as they are here: a
 * set of 50,000 texts takes as long as all other checks of the body.
 */
export const bulkLabels = z.array(unitLabel).min(1).max(labelsPerBulkMax);

const blockBody = z.compile(
  z.object({
    labels: bulkLabels,
    releaseAt: optional(moment.nullable()),
    reason: optional(reason.nullable()),
  }),
);

const blockSeats = eventRoute(
  'POST /v1/events/{key}/block',
  {
    ...sale,
    answer: blockSeatsAnswer,
    capability: 'event:block',
    body: blockBody,
    bodyBytesMax: bulkBodyBytesMax,
    description: {
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
  },
  async (call) => {
    const { labels, releaseAt, reason } = call.body;
    const answer = await ask(call, {
      type: 'block',
      ...keyedCall(call, 'block'),
      labels,
      releaseAt: releaseAt ?? null,
      reason: reason ?? null,
    });
    return answer.ok ? done({ ok: true, blocked: answer.value.blocked }) : answer;
  },
);

const unblockSeatsAnswer = z.object({ ok, unblocked: labelsOfAnswer });

const unblockBody = z.compile(z.object({ labels: bulkLabels }));

const unblockSeats = eventRoute(
  'POST /v1/events/{key}/unblock',
  {
    ...sale,
    answer: unblockSeatsAnswer,
    capability: 'event:block',
    body: unblockBody,
    bodyBytesMax: bulkBodyBytesMax,
    description: {
      operationId: 'unblockSeats',
      tag: 'Inventory',
      summary: 'Put blocked units back on sale',
      description:
        'Named units that are not blocked are ignored and not listed, units of reservations and offers too. The label ' +
        'of an area stands for all its places.',
      refusals: ['unknown_labels', 'invalid_event_state'],
      examples: [
        { summary: 'Two seats', body: { labels: ['A-11', 'A-12'] } },
        { summary: 'A label that the chart lacks', body: { labels: ['Z-9'] }, answers: 'unknown_labels' },
      ],
    },
  },
  async (call) => {
    const answer = await ask(call, { type: 'unblock', ...keyedCall(call, 'unblock'), labels: call.body.labels });
    return answer.ok ? done({ ok: true, unblocked: answer.value.unblocked }) : answer;
  },
);

const endHoldsAnswer = z.object({ ok, released: labelsOfAnswer });

const endHoldsBody = z.object({ labels: labels(labelsPerSaleMax), reason });

const endHolds = eventRoute(
  'POST /v1/events/{key}/holds/end',
  {
    ...sale,
    answer: endHoldsAnswer,
    capability: 'event:block',
    body: endHoldsBody,
    description: {
      operationId: 'endHolds',
      tag: 'Inventory',
      summary: 'End the holds of units that somebody has abandoned',
      description:
        'Ends the places of the holds, whoever made them; a hold keeps its other units. Named units that nobody holds ' +
        'are ignored and not listed. The label of an area stands for all places that are held there. The buyer finds ' +
        'the units released. Webhooks are `hold.released`, and `seat.released` with the reason `operator`; the log has ' +
        'the `reason`. A unit that a sale over several events holds is 409 with reason `held_over_events`: that sale ' +
        'releases it.',
      refusals: ['unknown_labels', 'conflict', 'invalid_event_state'],
      examples: [
        {
          summary: 'A hold by its seat',
          path: { key: standIn.heldEvent },
          body: { labels: ['A-5'], reason: 'The buyer has left' },
        },
        { summary: 'Without a reason', body: { labels: ['A-5'] }, answers: 'invalid_request' },
        {
          summary: 'A label that the chart lacks',
          body: { labels: ['Z-9'], reason: 'The buyer has left' },
          answers: 'unknown_labels',
        },
      ],
    },
  },
  async (call) => {
    const { labels, reason } = call.body;
    const answer = await ask(call, { type: 'end-holds', ...keyedCall(call, 'end-holds'), labels, reason });
    return answer.ok ? done({ ok: true, released: answer.value.released }) : answer;
  },
);

const getHoldersBody = z.object({ labels: labels(labelsPerSaleMax) });

const holder = z.object({
  label: unitLabel,
  status: z.enum(statusNames),
  channelId: textOrNull.describe(
    'The channel that it is assigned to; null for public sale, and for a manage session without event:channels:view.',
  ),
  unitPrice: taken.describe('The price under which it is booked or else held; null for any other unit.'),
  tierId: textOrNull,
  bookingRef: z.string().nullable(),
  hold: z
    .object({
      holdRef: z.string().describe('The short name of the hold, as the log has it.'),
      labels: labelsOfAnswer.describe('All units that the hold has.'),
      createdAt: epochMs,
      expiresAt: epochMs,
      extends: count,
      accessSource,
      buyerRef: z.string().nullable(),
      partnerRef: z.string().nullable(),
    })
    .nullable()
    .describe('The active hold.'),
  reservation: z.object({ id: idOf('rsv'), name: z.string(), until: epochMs }).nullable(),
  listing: z
    .object({ listingId: idOf('lst'), labels: labelsOfAnswer })
    .nullable()
    .describe('The listing for resale, with all its units.'),
});

const getHolders = eventRoute(
  'POST /v1/events/{key}/holders',
  {
    budget: budgets.serverCalls,
    labelsIn,
    answer: z.object({ holders: z.array(holder), ...inMoney }),
    capability: 'event:view',
    body: getHoldersBody,
    description: {
      operationId: 'getHolders',
      tag: 'Inventory',
      summary: 'Who has these units until when: a hold, a booking, a reservation, a listing, a channel',
      description:
        'A read. The label of an area stands for all its places. A listed unit in checkout has its booking and the ' +
        'hold of the next buyer. The hold has its short name alone, since a hold id acts like a secret. An answer that ' +
        'would have more than 50,000 labels is refused with `invalid_request`: name fewer places.',
      refusals: ['unknown_labels'],
      examples: [
        { summary: 'A held seat', path: { key: standIn.heldEvent }, body: { labels: ['A-5'] } },
        { summary: 'A booked seat', path: { key: standIn.soldEvent }, body: { labels: ['A-7', 'A-9'] } },
        { summary: 'A label that the chart lacks', body: { labels: ['Z-9'] }, answers: 'unknown_labels' },
      ],
    },
  },
  async (call) => {
    const answer = await ask(call, { type: 'inspect-holders', labels: call.body.labels });
    if (!answer.ok) return answer;
    const seesChannel = seesChannels(call.principal);
    const holders = answer.value.holders.map(({ hold, status, channelId, ...more }) => {
      const { holdId, ...terms } = hold ?? { holdId: '' };
      return {
        ...more,
        status: status as (typeof statusNames)[number],
        channelId: seesChannel ? channelId : null,
        hold: hold ? { ...(terms as Omit<typeof hold, 'holdId'>), holdRef: holdRef(holdId) } : null,
      };
    });
    return done(withMoneyFor(call.principal, { holders, ...moneyOf(call.event.event) }));
  },
);

const unblockAllSeatsAnswer = z.object({ ok, freed: labelsOfAnswer });

const unblockAllSeats = eventRoute(
  'POST /v1/events/{key}/unblock-all',
  // The body names no label: the event tells how many units are blocked.
  {
    budget: unbudgeted.commands,
    labelsIn: () => 0,
    answer: unblockAllSeatsAnswer,
    capability: 'event:block',
    description: {
      operationId: 'unblockAllSeats',
      tag: 'Inventory',
      summary: 'Put all blocked units back on sale',
      description:
        'Every blocked unit of the event becomes free in one step, whoever blocked it. Units of reservations and ' +
        'offers stay as they are. The answer names the units.',
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
  },
  async (call) => {
    const counted = await ask(call, { type: 'count' });
    if (!counted.ok) return counted;
    return asBulkCall(call, counted.value.counts.blocked, async () => {
      const answer = await ask(call, { type: 'unblock', ...keyedCall(call, 'unblock', 'all'), labels: null });
      return answer.ok ? done({ ok: true as const, freed: answer.value.unblocked }) : answer;
    });
  },
);

const getHoldTtlAnswer = z.object({ holdTtlMs });

const getHoldTtl = eventRoute(
  'GET /v1/events/{key}/hold-ttl',
  {
    budget: unbudgeted.commands,
    answer: getHoldTtlAnswer,
    capability: ['event:view', 'event:block'],
    description: {
      operationId: 'getHoldTtl',
      tag: 'Events',
      summary: "The event's hold window",
      description: 'Milliseconds, or null where the event has no window of its own: a hold then lasts 15 minutes.',
      examples: [{ summary: 'The hold window' }],
    },
  },
  async (call) => {
    const answer = await ask(call, { type: 'count' });
    return answer.ok ? done({ holdTtlMs: answer.value.holdTtlMs }) : answer;
  },
);

const setHoldTtlAnswer = z.object({ ok, holdTtlMs });

const holdTtlBody = z.object({
  holdTtlMs: z.int().nullable().describe('Milliseconds, clamped to 1 to 60 minutes; null is the default.'),
});

const setHoldTtl = eventRoute(
  'POST /v1/events/{key}/hold-ttl',
  {
    budget: unbudgeted.commands,
    answer: setHoldTtlAnswer,
    capability: 'event:block',
    body: holdTtlBody,
    description: {
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
  },
  async (call) => {
    const answer = await ask(call, {
      type: 'set-hold-ttl',
      ...keyedCall(call, 'set-hold-ttl'),
      holdTtlMs: call.body.holdTtlMs,
    });
    return answer.ok ? done({ ok: true, holdTtlMs: answer.value.holdTtlMs }) : answer;
  },
);

const getHoldAnswer = hold.extend({ items: z.array(soldItem) });

const getHold = eventRoute(
  'GET /v1/events/{key}/holds/{holdId}',
  {
    budget: unbudgeted.commands,
    answer: getHoldAnswer,
    capability: 'event:view',
    description: {
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
  },
  async (call) => {
    const answer = await ask(call, { type: 'inspect-hold', holdId: call.path.holdId });
    if (!answer.ok) return answer;
    const { key, mode, externalRef, workspaceId } = call.event.event;
    const owner = { priceUnit: unitOf(call.event.event), eventKey: key, mode, externalRef, workspaceId };
    const hold = { buyerRef: null, partnerRef: null, ...answer.value, ...owner };
    return done(hold.status === 'booked' ? withMoneyFor(call.principal, hold) : hold);
  },
);

const counterSaleAnswer = z.object({
  ok,
  booked: labelsOfAnswer,
  items: z.array(lineItem),
  total: price.describe('With all fees.'),
  ...inMoney,
});

const dryRun = optional(z.boolean().describe('The answer without effects: the price before the sale.'));

const boxBookBody = z
  .object({
    labels: optional(soldLabels),
    selections: optional(selections),
    bookingRef,
    note: optional(note),
    dryRun,
    fromBlock,
    ...saleAccess,
  })
  .refine(saysWhy, saysWhyMessage)
  .refine(saysWhyFromBlock, saysWhyFromBlockMessage)
  .refine(namesUnitsOnce, namesUnitsOnceMessage);

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

const bookAtBoxOffice = eventRoute(
  'POST /v1/events/{key}/box-book',
  {
    budget: unbudgeted.commands,
    labelsIn,
    answer: counterSaleAnswer,
    body: boxBookBody,
    description: {
      operationId: 'bookAtBoxOffice',
      tag: 'Inventory',
      summary: 'Book units of a platform-owned event at a counter',
      description:
        'Like a booking without a hold, but also while sales are closed. `items` and `total` cover all units that the ' +
        'call names. The note goes into the log. `dryRun` tells the answer, and sells nothing. ' +
        `${aboutAccess}`,
      refusals: [...ofUnits, 'not_platform_owned', 'invalid_event_state'],
      examples: [
        {
          summary: 'Two seats while sales are closed',
          path: { key: standIn.closedEvent },
          body: { labels: ['A-1', 'A-2'], bookingRef: 'counter-1' },
        },
        {
          summary: 'The price of a child before the sale',
          body: { selections: [{ label: 'B-1', tierId: 'child' }], bookingRef: 'counter-4', dryRun: true },
        },
        {
          summary: 'Of a managed event',
          path: { key: standIn.managedEvent },
          body: { labels: ['A-1'], bookingRef: 'counter-2' },
          answers: 'not_platform_owned',
        },
      ],
    },
  },
  async (call) => {
    const sale = counterSaleOf(call.body);
    const answer = call.body.dryRun
      ? await askWithAccess(call, { type: 'quote-sale', of: 'box-book', ...sale })
      : await askWithAccess(call, { type: 'box-book', ...sale, ...namedSaleOf(call.body) });
    return answer.ok ? done(soldAtCounter(call, answer.value)) : answer;
  },
);

/** The part of a command that both sales at a counter have, and their quotes. */
function counterSaleOf(body: { bookingRef: string; fromBlock?: boolean } & Partial<NamedUnitsBody>) {
  return { bookingRef: body.bookingRef, selections: selectionsOf(body), ...fromBlockOf(body) };
}

/** The part that a quote has not. */
function namedSaleOf({ note }: { note?: string | null }) {
  return { callId: newCallId(), ...(note && { note }) };
}

function soldAtCounter(call: EventCall, { booked, items, total, currency }: Worded<CounterSaleAnswer>) {
  return { ok: true as const, booked, items, total, currency, priceUnit: unitOf(call.event.event) };
}

const boxOfficeSaleBody = z
  .object({
    selections,
    bookingRef,
    releaseId: optional(id.nullable()),
    note: optional(note),
    dryRun,
    fromBlock,
    ...saleAccess,
  })
  .refine(saysWhy, saysWhyMessage)
  .refine(saysWhyFromBlock, saysWhyFromBlockMessage);

const sellAtBoxOffice = eventRoute(
  'POST /v1/events/{key}/box-office/sale',
  {
    budget: unbudgeted.commands,
    labelsIn,
    answer: counterSaleAnswer,
    capability: 'event:boxoffice',
    body: boxOfficeSaleBody,
    description: {
      operationId: 'sellAtBoxOffice',
      tag: 'Inventory',
      summary: 'Sell units of an event with managed ticketing at a counter',
      description:
        'Works while sales are closed, too. `releaseId` chooses a `buy` ticket release of the list, active or not. All ' +
        'units are sold under it or none, and its quota is binding (409 with reason `release_sold_out`; `conflicts` ' +
        'lists the units that did not fit). `booked` lists the newly booked units. `items` and `total` cover all ' +
        'units that the call names, so a repetition under the same `bookingRef` shows the result of the first call. ' +
        "The note goes into the log. `dryRun` tells the answer, and sells nothing. The price of the ticket release takes precedence over a channel's price. " +
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
  },
  async (call) => {
    const { releaseId, dryRun } = call.body;
    const sale = { ...counterSaleOf(call.body), ...(releaseId == null ? {} : { releaseId }) };
    const answer = dryRun
      ? await askWithAccess(call, { type: 'quote-sale', of: 'box-office-sale', ...sale })
      : await askWithAccess(call, { type: 'box-office-sale', ...sale, ...namedSaleOf(call.body) });
    return answer.ok ? done(soldAtCounter(call, answer.value)) : answer;
  },
);

/** The total that a buyer's page has shown for its hold. */
export const expectedTotal = optional(
  count.describe(
    'The price of all places that the page has shown, with all fees, in units of `priceUnit`. Another total is 409 `price_changed`.',
  ),
);

export const inventoryRoutes = [
  holdSeats,
  extendHold,
  releaseHold,
  bookSeats,
  unbookSeats,
  blockSeats,
  unblockSeats,
  unblockAllSeats,
  endHolds,
  getHolders,
  getHoldTtl,
  setHoldTtl,
  getHold,
  bookAtBoxOffice,
  sellAtBoxOffice,
];
