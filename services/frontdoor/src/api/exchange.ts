/**
 * Exchanges: a booking gives units up and has others instead, in one step; two bookings swap their units; a booking
 * moves to another event. The Idempotency-Key names the exchange, so a repetition is the same exchange (I5). Resale:
 * list booked units, and take a listing back. The sale of a listing is an ordinary booking.
 */

import type { ExchangeAnswer, SwapAnswer, SwappedSide } from '@parterre/shared/protocol/answers';
import type { EventRecord } from '@parterre/shared/protocol/catalog/events';
import type { Caller, Command, ExchangeTarget } from '@parterre/shared/protocol/commands';
import { done, type Outcome, refuse } from '@parterre/shared/protocol/errors';
import { idFor, newId } from '@parterre/shared/protocol/ids';
import { bestAvailableQtyMax, gaCapacityMax, labelsPerSaleMax } from '@parterre/shared/protocol/limits';
import type { Worded } from '@parterre/shared/protocol/line-items';
import { unitOf } from '@parterre/shared/protocol/money';
import {
  type ExchangeOverEvents,
  exchangeOverEvents,
  quoteExchange,
} from '@parterre/shared/protocol/operations/exchanges';
import { priceMax } from '@parterre/shared/protocol/page-limits';
import { z } from 'zod';
import { knownInTime, unbudgeted, unknownEvent } from '../admission/admission.ts';
import { standIn } from '../openapi/openapi.ts';
import { fitsTogether, missingInQuery, query, queryOf, tickets } from './best-available.ts';
import {
  ask,
  askActor,
  askWithAccess,
  callerWithAccess,
  keyedCall,
  labelsIn,
  newCallId,
  selectionsOf,
} from './calls/ask.ts';
import { type EventCall, eventRoute } from './calls/route.ts';
import {
  access,
  bookingRef,
  fromBlock,
  labels,
  pricedSelection,
  refusedUnits,
  saysWhy,
  saysWhyFromBlock,
  saysWhyFromBlockMessage,
  saysWhyMessage,
  soldLabels,
} from './inventory.ts';
import {
  aboutAccess,
  id,
  idOf,
  inMoney,
  lineItem,
  ofAccess,
  ok,
  optional,
  reason,
  text,
  unitLabel,
} from './records.ts';

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
  fee: optional(z.int().min(0).describe('The fee of the call.')),
  waivedDifference: optional(
    z
      .object({ amount: z.int(), reason: text })
      .describe('The price difference that the customer neither pays nor gets back.'),
  ),
  amountDue: z
    .int()
    .describe('The fee, and the price difference unless it is waived. Negative: the customer gets this sum back.'),
  fromEventKey: optional(text.describe('Of an exchange over events: the event of `from`.')),
  toEventKey: optional(text.describe('Of an exchange over events: the event of `to`.')),
  ...inMoney,
});

const swappedSide = z.object({
  bookingRef: text,
  from: z.array(text).describe('The units that the booking gave up.'),
  items: z.array(lineItem).describe('The units that the booking has instead, at the prices of their sale.'),
  priceDifference: z.int().describe('The value of `items` less the value of `from`. Those of both sides add up to 0.'),
});

/** The answer to a swap. */
const swapAnswer = z.object({ ok, exchangeId: idOf('exc'), a: swappedSide, b: swappedSide, ...inMoney });

const part = z.object({ label: unitLabel, quantity: optional(z.int().min(1).max(gaCapacityMax)) });

/** A larger party is not clamped here: it would lose seats. */
const qty = z.int().min(1).max(bestAvailableQtyMax).describe('As many places as `from` gives up.');

const swapSide = z.object({
  bookingRef,
  labels: soldLabels.describe('Units of the booking. The label of an area stands for all places that it has there.'),
});

/** The request body of a swap. */
const swapBody = z.object({
  swap: z.literal(true).describe('Two bookings give each other their units.'),
  a: swapSide,
  b: swapSide,
  reason: access.reason,
  dryRun: optional(z.boolean().describe('The answer without effects.')),
});

type To = { labels?: unknown; selections?: unknown; bestAvailable?: unknown; holdId?: unknown };

const to = z
  .object({
    eventKey: optional(
      z
        .string()
        .min(1)
        .max(128)
        .describe(
          'Another event of the same organisation, mode, workspace and currency, whose places the booking has ' +
            'instead. [the event of the path]',
        ),
    ),
    labels: optional(soldLabels),
    selections: optional(z.array(pricedSelection).min(1).max(labelsPerSaleMax)),
    bestAvailable: optional(z.object({ ...query, ...tickets, qty }).superRefine(fitsTogether)),
    holdId: optional(id),
    fromBlock,
  })
  .refine(
    ({ fromBlock, labels, selections, holdId }) =>
      fromBlock !== true || (holdId === undefined && (labels ?? selections) !== undefined),
    {
      message: 'Only labels and selections name blocked units.',
      path: ['fromBlock'],
    },
  )
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
    swap: optional(z.literal(false)),
    fee: optional(
      z.int().min(0).max(priceMax).describe('A fee for the exchange, in the unit of the prices. Told, not collected.'),
    ),
    waiveDifference: optional(
      z.object({ reason }).describe('The customer neither pays nor gets the price difference, for this reason.'),
    ),
    dryRun: optional(z.boolean().describe('The answer without effects.')),
    ...access,
  })
  .refine(saysWhy, saysWhyMessage)
  .refine(
    ({ to, reason }) => saysWhyFromBlock({ ...to, ...(reason !== undefined && { reason }) }),
    saysWhyFromBlockMessage,
  );

type ExchangeBody = z.output<typeof exchangeBody>;
type SwapBody = z.output<typeof swapBody>;

const body = z.discriminatedUnion('swap', [swapBody, exchangeBody]);

const exchangeUnits = eventRoute(
  'POST /v1/events/{key}/exchange',
  {
    answer: z.union([exchangeAnswer, swapAnswer]),
    body,
    budget: unbudgeted.commands,
    labelsIn: (sent) =>
      isSwap(sent) ? sent.a.labels.length + sent.b.labels.length : sent.from.length + labelsIn(sent.to),
    capability: 'event:boxoffice',
    idempotent: 'required',
    missingFields: [...missingInQuery.map((field) => `to.bestAvailable.${field}`)],
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
        'for as many of them; a table is given up with all its guests. A unit in both stays as it was sold, so a set ' +
        'may be permuted; the answer leaves it out. The old units keep ' +
        'the values of their sale; the new ones have the prices of a booking now, or those of the hold. ' +
        '`priceDifference` is the new value less the old one, with all fees. A sold-out ticket release has no place ' +
        'for the new units, even if the old ones leave one. A listing for resale ends when one of its units is given ' +
        'up. No credit is used. Works while sales are closed, for events of either ownership. A unit of `from` that ' +
        'the reference does not have: 409 with reason `not_owned_by_booking_ref`, which lists every such unit with its ' +
        "status. With `to.eventKey` the units of `to` are another event's, all or none: the booking has the same " +
        'reference there. Until the exchange is done its old units are pinned (409, reason `exchange_pending`). ' +
        'With `swap` two bookings give each other the units of `a` and `b`, as many places on both sides, at the ' +
        'prices of their sale. `dryRun` tells the answer, and does nothing. The log has one entry, `exchanged`; webhooks are `seat.booked` and `seat.released`, both with the ' +
        'reason `exchanged` and the `exchangeId`. The booking shows the old units as cancelled and the new ones as ' +
        'booked, and its activity has one entry, `reconcile`. An Idempotency-Key is required: it names the exchange. ' +
        'A repetition gets the first answer for a day; a refusal is not kept. ' +
        `${aboutAccess}`,
      refusals: [
        'booking_not_found',
        'hold_not_found',
        ...refusedUnits,
        ...ofAccess,
        'invalid_event_state',
        'incompatible_events',
      ],
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
          summary: 'To another event: the difference first',
          path: { key: standIn.soldEvent },
          headers: { 'Idempotency-Key': 'exchange-1009' },
          body: {
            bookingRef: 'order-1000',
            from: ['A-8'],
            to: { eventKey: standIn.event, labels: ['B-7'] },
            fee: 5,
            dryRun: true,
          },
        },
        {
          summary: 'To an event of the other mode',
          path: { key: standIn.soldEvent },
          headers: { 'Idempotency-Key': 'exchange-1012' },
          body: { bookingRef: 'order-1000', from: ['A-8'], to: { eventKey: standIn.liveEvent, labels: ['B-7'] } },
          answers: 'incompatible_events',
        },
        {
          summary: 'To an unknown event',
          path: { key: standIn.soldEvent },
          headers: { 'Idempotency-Key': 'exchange-1010' },
          body: { bookingRef: 'order-1000', from: ['A-8'], to: { eventKey: 'elsewhere', labels: ['B-7'] } },
          answers: 'not_found',
        },
        {
          summary: 'Two orders swap',
          path: { key: standIn.soldEvent },
          headers: { 'Idempotency-Key': 'exchange-1011' },
          body: {
            swap: true,
            a: { bookingRef: 'order-1000', labels: ['A-8'] },
            b: { bookingRef: 'order-0', labels: ['B-7'] },
          },
          answers: 'booking_not_found',
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
  (call) => (isSwap(call.body) ? swapUnits(call, call.body) : exchangeIn(call, call.body)),
);

function isSwap(sent: ExchangeBody | SwapBody): sent is SwapBody {
  return sent.swap === true;
}

async function swapUnits(call: EventCall, { a, b, reason, dryRun }: SwapBody) {
  const callId = call.callId ?? newCallId();
  const swapped = await ask(call, {
    type: 'swap',
    callId,
    exchangeId: idFor('exc', callId),
    a: swapSideOf(a),
    b: swapSideOf(b),
    reason: reason ?? null,
    ...(dryRun && { isDry: true as const }),
  });
  if (!swapped.ok) return swapped;
  const told = swapped.value as SwapAnswer;
  // The items of an answer get their words; these stand in its sides.
  const words = (side: SwappedSide) =>
    new Promise<void>((said) => call.ports.words.add(call.event.event, side.items, said));
  await Promise.all([words(told.a), words(told.b)]);
  return done({
    ok: true as const,
    priceUnit: unitOf(call.event.event),
    ...(told as SwapAnswer & { a: Worded<SwappedSide>; b: Worded<SwappedSide> }),
  });
}

function swapSideOf({ bookingRef, labels }: SwapBody['a']) {
  return { bookingRef, from: [...new Set(labels)].map((label) => ({ label })) };
}

async function exchangeIn(call: EventCall, sent: ExchangeBody) {
  const { key } = call.event.event;
  if (sent.to.eventKey !== undefined && sent.to.eventKey !== key) return exchangeOver(call, sent, sent.to.eventKey);
  const { bookingRef, from, to, reason, fee, waiveDifference, dryRun } = sent;
  const callId = call.callId ?? newCallId();
  const terms = {
    callId,
    exchangeId: idFor('exc', callId),
    bookingRef,
    from,
    to: targetOf(to),
    reason: reason ?? null,
  };
  const charge = { ...(fee !== undefined && { fee }), ...(waiveDifference && { waiveDifference }) };
  const isPlain = !dryRun && Object.keys(charge).length === 0;
  const asked = { ...call, body: sent };
  const answer = isPlain
    ? await askWithAccess(asked, { type: 'exchange', ...terms })
    : await askWithAccess(asked, {
        type: 'exchange-on-terms',
        ...terms,
        ...charge,
        ...(dryRun && { isDry: true as const }),
      });
  return answer.ok ? done(toldOf(answer.value, call.event.event)) : answer;
}

/**
 * An exchange over two events.
 *
 * Failure at each await: the other event cannot be read → nothing was done; those of the exchange stand in
 * operations/exchanges.ts.
 */
async function exchangeOver(call: EventCall, sent: ExchangeBody, toEventKey: string) {
  const { ports, request, event } = call;
  const other = await otherEvent(call, toEventKey);
  if (!other.ok) return other;
  const records = new Map([event.event, other.value].map((record) => [record.key, record]));
  const callId = call.callId ?? newCallId();
  const exchangeId = idFor('exc', callId);
  const { bookingRef, from, to, reason, fee, waiveDifference, dryRun } = sent;
  const exchange: ExchangeOverEvents = {
    exchangeId,
    pinId: `${exchangeId}.${newCallId()}`,
    fromEventKey: event.event.key,
    toEventKey,
    bookingRef,
    from,
    to: targetOf(to),
    reason: reason ?? null,
    ...(fee !== undefined && { fee }),
    ...(waiveDifference && { waiveDifference }),
  };
  const coordinator = {
    now: ports.clock.now,
    ask: <C extends Command>(eventKey: string, command: C, asker: Caller, deadlineAt: number) =>
      askActor(ports, records.get(eventKey)!, asker, command, deadlineAt),
  };
  const run = dryRun ? quoteExchange : exchangeOverEvents;
  const caller = callerWithAccess({ ...call, body: sent });
  const answer = await run(coordinator, exchange, caller, request.deadlineAt);
  if (!answer.ok) return answer;
  return done({
    ...toldOf(answer.value as Worded<ExchangeAnswer>, event.event),
    fromEventKey: event.event.key,
    toEventKey,
  });
}

/** The other event, if the caller may sell there and the two events fit. */
async function otherEvent(call: EventCall, eventKey: string): Promise<Outcome<EventRecord>> {
  const { ports, request, principal, event } = call;
  if (principal.kind === 'manage') return notForSession;
  const found = await knownInTime(ports, eventKey, request.deadlineAt);
  if (!found.ok) return found;
  const own = event.event;
  const other = found.value.event;
  if (other.organisationId !== own.organisationId || other.status === 'deleted') return unknownEvent;
  const differs = (['mode', 'workspaceId', 'currency'] as const).filter((field) => own[field] !== other[field]);
  if (unitOf(own) !== unitOf(other)) return incompatible(['priceUnit']);
  return differs.length === 0 ? done(other) : incompatible(differs);
}

const notForSession = refuse(
  'forbidden',
  'This manage session is for one event. Exchange to another event with a secret key, or in the dashboard.',
);

function incompatible(fields: readonly string[]): ReturnType<typeof refuse> {
  const issues = fields.map((field) => ({ path: 'to.eventKey', message: `The events differ in ${field}.` }));
  const why =
    'The two events differ in mode, workspace, currency or unit of prices, so a booking cannot move between them.';
  return refuse('incompatible_events', why, { details: { issues } });
}

/** The answer as callers read it. */
function toldOf({ waived, ...told }: Worded<ExchangeAnswer>, event: EventRecord) {
  const { fee = 0, priceDifference } = told;
  return {
    ok: true as const,
    ...told,
    ...(waived && { waivedDifference: waived }),
    amountDue: fee + (waived ? 0 : priceDifference),
    priceUnit: unitOf(event),
  };
}

function targetOf({
  holdId,
  labels,
  selections,
  bestAvailable,
  fromBlock,
}: z.output<typeof exchangeBody>['to']): ExchangeTarget {
  if (bestAvailable) return { query: queryOf(bestAvailable) };
  if (holdId !== undefined) return { holdId, ...(labels && { labels: [...new Set(labels)] }) };
  return {
    selections: selectionsOf({ ...(labels && { labels }), ...(selections && { selections }) }),
    ...(fromBlock && { fromBlock }),
  };
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
