/**
 * Exchanges: a booking gives units up and has others instead, in one step. The Idempotency-Key names the exchange, so a
 * repetition is the same exchange (I5). Resale: list booked units, and take a listing back. The sale of a listing is an
 * ordinary booking.
 */

import type { ExchangeTarget } from '@parterre/shared/protocol/commands';
import { done } from '@parterre/shared/protocol/errors';
import { idFor, newId } from '@parterre/shared/protocol/ids';
import { bestAvailableQtyMax, gaCapacityMax, labelsPerSaleMax } from '@parterre/shared/protocol/limits';
import { unitOf } from '@parterre/shared/protocol/money';
import { z } from 'zod';
import { unbudgeted } from '../admission/admission.ts';
import { standIn } from '../openapi/openapi.ts';
import { fitsTogether, missingInQuery, query, queryOf, tickets } from './best-available.ts';
import { ask, askWithAccess, keyedCall, labelsIn, newCallId, selectionsOf } from './calls/ask.ts';
import { eventRoute } from './calls/route.ts';
import {
  access,
  bookingRef,
  labels,
  pricedSelection,
  refusedUnits,
  saysWhy,
  saysWhyMessage,
  soldLabels,
} from './inventory.ts';
import { aboutAccess, id, idOf, inMoney, lineItem, ofAccess, ok, optional, text, unitLabel } from './records.ts';

/** The answer to an exchange. */
const exchangeAnswer = z.object({
  ok,
  exchangeId: idOf('exc'),
  bookingRef: text,
  from: z.array(text).describe('The units that are free now.'),
  to: z.array(text).describe('The units that the booking has instead.'),
  items: z.array(lineItem).describe('The new units with their prices.'),
  priceDifference: z
    .int()
    .describe(
      'The value of the new units less the value of the old ones, with all fees, in units of `priceUnit`. Negative when the ' +
        'new units are cheaper.',
    ),
  ...inMoney,
});

const part = z.object({ label: unitLabel, quantity: optional(z.int().min(1).max(gaCapacityMax)) });

/** A larger party is not clamped here: it would lose seats. */
const qty = z.int().min(1).max(bestAvailableQtyMax).describe('As many places as `from` gives up.');

type To = { labels?: unknown; selections?: unknown; bestAvailable?: unknown; holdId?: unknown };

const to = z
  .object({
    labels: optional(soldLabels),
    selections: optional(z.array(pricedSelection).min(1).max(labelsPerSaleMax)),
    bestAvailable: optional(z.object({ ...query, ...tickets, qty }).superRefine(fitsTogether)),
    holdId: optional(id),
  })
  .refine(namesOneTarget, {
    message: 'Send exactly one of labels, selections, bestAvailable and holdId. Only a hold takes labels beside it.',
  });

function namesOneTarget({ labels, selections, bestAvailable, holdId }: To): boolean {
  const named = [holdId === undefined ? labels : undefined, selections, bestAvailable, holdId];
  return named.filter((each) => each !== undefined).length === 1;
}

/** The request body of an exchange. */
const exchangeBody = z
  .object({
    bookingRef,
    from: z
      .array(z.union([unitLabel.transform((named) => ({ label: named })), part]))
      .min(1)
      .max(labelsPerSaleMax)
      .describe(
        'Units of the booking. The label of an area stands for all places that the booking has there, with a ' +
          '`quantity` for as many of them.',
      ),
    to,
    ...access,
  })
  .refine(saysWhy, saysWhyMessage);

const exchangeUnits = eventRoute(
  'POST /v1/events/{key}/exchange',
  {
    answer: exchangeAnswer,
    body: exchangeBody,
    budget: unbudgeted.commands,
    labelsIn: ({ from, to }) => from.length + labelsIn(to),
    capability: 'event:boxoffice',
    idempotent: 'required',
    missingFields: [
      'to.eventKey',
      'dryRun',
      'swap',
      'fee',
      'waiveDifference',
      'to.fromBlock',
      ...missingInQuery.map((field) => `to.bestAvailable.${field}`),
    ],
    description: {
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
        '`priceDifference` is the new value less the old one, with all fees. A sold-out ticket release has no place ' +
        'for the new units, even if the old ones leave one. A listing for resale ends when one of its units is given ' +
        'up. No credit is used. Works while sales are closed, for events of either ownership. A unit of `from` that ' +
        'the reference does not have: 409 with reason `not_owned_by_booking_ref`, which lists every such unit with its ' +
        'status. The log has one entry, `exchanged`; webhooks are `seat.booked` and `seat.released`, both with the ' +
        'reason `exchanged` and the `exchangeId`. The booking shows the old units as cancelled and the new ones as ' +
        'booked, and its activity has one entry, `reconcile`. An Idempotency-Key is required: it names the exchange. ' +
        'A repetition gets the first answer for a day; a refusal is not kept. ' +
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
          summary: 'To another event',
          path: { key: standIn.soldEvent },
          headers: { 'Idempotency-Key': 'exchange-1009' },
          body: { bookingRef: 'order-1000', from: ['A-8'], to: { eventKey: 'gala-2', labels: ['B-7'] } },
          answers: 'invalid_request',
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
  },
  async (call) => {
    const { bookingRef, from, to, reason } = call.body;
    const callId = call.callId ?? newCallId();
    const answer = await askWithAccess(call, {
      type: 'exchange',
      callId,
      exchangeId: idFor('exc', callId),
      bookingRef,
      from,
      to: targetOf(to),
      reason: reason ?? null,
    });
    return answer.ok ? done({ ok: true, ...answer.value, priceUnit: unitOf(call.event.event) }) : answer;
  },
);

function targetOf({ holdId, labels, selections, bestAvailable }: z.output<typeof exchangeBody>['to']): ExchangeTarget {
  if (bestAvailable) return { query: queryOf(bestAvailable) };
  if (holdId !== undefined) return { holdId, ...(labels && { labels: [...new Set(labels)] }) };
  return { selections: selectionsOf({ ...(labels && { labels }), ...(selections && { selections }) }) };
}

const answer = z.object({ ok, listingId: idOf('lst'), labels: z.array(text) });

const listResaleBody = z.object({ labels: labels(labelsPerSaleMax), bookingRef });

const listForResale = eventRoute(
  'POST /v1/events/{key}/resale/list',
  {
    budget: unbudgeted.commands,
    labelsIn,
    answer: answer,
    body: listResaleBody,
    description: {
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
  },
  async (call) => {
    const { labels, bookingRef } = call.body;
    const listingId = newId('lst');
    const answer = await ask(call, {
      type: 'list-resale',
      ...keyedCall(call, 'list-resale'),
      listingId,
      bookingRef,
      labels,
    });
    return answer.ok ? done({ ok: true, listingId: answer.value.listingId, labels: answer.value.labels }) : answer;
  },
);

const removeResaleBody = z.object({ listingId: id });

const removeFromResale = eventRoute(
  'POST /v1/events/{key}/resale/remove',
  {
    budget: unbudgeted.commands,
    answer: answer,
    body: removeResaleBody,
    description: {
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
  },
  async (call) => {
    const { listingId } = call.body;
    const answer = await ask(call, { type: 'remove-resale', ...keyedCall(call, 'remove-resale'), listingId });
    return answer.ok ? done({ ok: true, listingId, labels: answer.value.labels }) : answer;
  },
);

export const exchangeRoutes = [exchangeUnits];

export const resaleRoutes = [listForResale, removeFromResale];
