/**
 * Best available: the event chooses the seats that a call holds, blocks or books. These calls share one budget with the
 * other holds.
 */

import { accessibilityKinds } from '@parterre/shared/charts/accessibility';
import type { Answers, Parts } from '@parterre/shared/protocol/answers';
import type { Command, SeatQuery } from '@parterre/shared/protocol/commands';
import { done } from '@parterre/shared/protocol/errors';
import {
  alternativesMax,
  bestAvailableCategoriesMax,
  bestAvailableQtyMax,
  idLengthMax,
  labelsPerSaleMax,
  namedCallsKept,
} from '@parterre/shared/protocol/limits';
import type { WordedItem } from '@parterre/shared/protocol/line-items';
import { unitOf } from '@parterre/shared/protocol/money';
import { z } from 'zod';
import { budgets } from '../admission/admission.ts';
import { standIn } from '../openapi/openapi.ts';
import { askWithAccess, callName, holdName, newCallId } from './calls/ask.ts';
import { eventRoute } from './calls/route.ts';
import { access, bookingRef, labels, saleAccess, saysWhy, saysWhyMessage, ttlMs } from './inventory.ts';
import { epochMs, id, idOf, lineItem, moment, ok, optional, priceUnit, reason } from './records.ts';

const labelsOfAnswer = z.array(z.string());

const zoneId = z.string().optional();

/** How the choice came out. */
export const choice = {
  together: z.boolean().describe('Whether all units are one part.'),
  parts: z.array(labelsOfAnswer).describe('The units in parts: neighbours, places of one area, or a whole table.'),
  clamped: optional(ok.describe('The call asked for more than one call gives, and got the most.')),
};

export const kept = optional(
  ok.describe('Nothing better than the hold of `replaceHoldId` was free. The answer tells of this hold, unchanged.'),
);

const holdBestAvailableAnswer = z.object({
  ok,
  holdId: idOf('hld'),
  expiresAt: epochMs,
  items: z.array(lineItem),
  labels: labelsOfAnswer,
  currency: z.string(),
  priceUnit,
  zoneId,
  ...choice,
  kept,
});

/** The answer of a dry choice. */
export const alternativesAnswer = z.object({
  ok,
  alternatives: z
    .array(z.object({ labels: labelsOfAnswer, items: z.array(lineItem), ...choice }))
    .describe('The best first; fewer than asked for where no more are left.'),
  currency: z.string(),
});

const kind = z.enum(accessibilityKinds);

/** As in a chart: true means a wheelchair place. */
const accessible = z
  .union([z.boolean(), kind, z.array(kind).max(accessibilityKinds.length)], {
    error: `Must be true, a kind or a list of kinds: ${accessibilityKinds.join(', ')}.`,
  })
  .transform((asked) => {
    if (asked === true) return ['wheelchair' as const];
    if (asked === false) return [];
    return typeof asked === 'string' ? [asked] : asked;
  });

const unitPrice = z.int().min(0);

/** The search. The answer says so where `qty` is more than one call gives. */
export const query = {
  qty: z
    .int()
    .min(1)
    .describe(`The number of seats; more than ${bestAvailableQtyMax} counts as ${bestAvailableQtyMax}.`),
  categoryKey: optional(id),
  categoryKeys: optional(
    z.array(id).min(1).max(bestAvailableCategoriesMax).describe('Several categories, in place of `categoryKey`.'),
  ),
  zoneId: optional(id),
  sectionId: optional(id.describe('A section, by its own id or its `logicalSectionId`: the choice stays in it.')),
  sectionIds: optional(
    z.array(id).min(1).max(bestAvailableCategoriesMax).describe('Several sections, in place of `sectionId`.'),
  ),
  rowLabels: optional(
    z
      .array(id)
      .min(1)
      .max(bestAvailableCategoriesMax)
      .describe('Rows by their labels, or by their display labels: the choice stays in them.'),
  ),
  minUnitPrice: optional(unitPrice.describe("No place costs less, in the event's `priceUnit`.")),
  maxUnitPrice: optional(unitPrice.describe("No place costs more, in the event's `priceUnit`.")),
  aisle: optional(
    z.boolean().describe('True: each part of the choice is in a row, and begins or ends at a gap or at the end.'),
  ),
  stepFree: optional(z.boolean().describe('True: only places that the chart says are reached without steps.')),
  accessible: optional(accessible),
  accessibleSeats: optional(
    z.int().min(1).describe('The number of places of the kinds that `accessible` names. Without the field: 1.'),
  ),
  preventOrphans: optional(
    z.boolean().describe('False: a choice may leave a single free seat beside it. Without the field: true.'),
  ),
  near: optional(labels(labelsPerSaleMax).describe('The choice is as near to these units as it can be.')),
};

/** Only a hold has alternatives. A choice that ignores the field would be a wrong one. */
export const missingInQuery = ['alternatives'];

/** A dry choice for a hold. */
export const alternatives = optional(
  z
    .int()
    .min(1)
    .max(alternativesMax)
    .describe('So many choices, the best first, of which no two have a place in common. Nothing is held.'),
);

/** The tiers of a sale. A block has no prices. */
export const tickets = {
  tickets: optional(
    z
      .array(
        z.object({
          tierId: z.string().min(1).max(idLengthMax).nullable().describe('Null is the default tier of each seat.'),
          qty: z.int().min(1),
        }),
      )
      .min(1)
      .max(bestAvailableQtyMax)
      .describe('The tiers of the seats. The quantities add up to `qty`.'),
  ),
};

type Query = {
  qty: number;
  categoryKey?: string;
  categoryKeys?: string[];
  sectionId?: string;
  sectionIds?: string[];
  minUnitPrice?: number;
  maxUnitPrice?: number;
  accessible?: string[];
  accessibleSeats?: number;
  tickets?: { qty: number }[];
};

export const bestAvailableBody = z
  .object({ ...query, ...tickets, alternatives, ttlMs: optional(ttlMs), replaceHoldId: optional(id), ...saleAccess })
  .superRefine(fitsTogether)
  .refine(saysWhy, saysWhyMessage);

/** Names every field that does not fit the others. */
export function fitsTogether(
  { qty, categoryKey, categoryKeys, sectionId, sectionIds, accessible = [], accessibleSeats, ...more }: Query,
  { addIssue }: Pick<z.RefinementCtx, 'addIssue'>,
): void {
  const report = (field: string, message: string): void => addIssue({ code: 'custom', path: [field], message });
  if (categoryKey !== undefined && categoryKeys) {
    report('categoryKeys', 'Send categoryKey or categoryKeys, not both.');
  }
  if (sectionId !== undefined && sectionIds) report('sectionIds', 'Send sectionId or sectionIds, not both.');
  if (accessibleSeats !== undefined && accessible.length === 0) {
    report('accessibleSeats', 'Send accessible too: it names the kinds of these places.');
  }
  if (accessibleSeats !== undefined && accessibleSeats > Math.min(qty, bestAvailableQtyMax)) {
    report('accessibleSeats', `Must be at most qty, and at most ${bestAvailableQtyMax}.`);
  }
  const { minUnitPrice = 0, maxUnitPrice = minUnitPrice, tickets: asked } = more;
  if (maxUnitPrice < minUnitPrice) report('maxUnitPrice', 'Must be at least minUnitPrice.');
  if (!asked) return;
  const sum = asked.reduce((total, ticket) => total + ticket.qty, 0);
  if (sum !== qty) report('tickets', `The quantities add up to ${sum}, and qty is ${qty}. Make them equal.`);
  else if (sum > bestAvailableQtyMax) report('tickets', `One call gives at most ${bestAvailableQtyMax} seats.`);
}

const aboutTheChoice =
  `The event chooses \`qty\` places. More than ${bestAvailableQtyMax} counts as ${bestAvailableQtyMax}, and the answer ` +
  'says `clamped: true`. Neighbours in one row, or chairs at one table, come first, if they leave no single free ' +
  'seat beside them: of these the run whose middle is nearest to the focal point of its zone, else of its floor, ' +
  'else of the chart; then the lower row id, then the lower seat. Next come runs that leave a single seat ' +
  '(with `preventOrphans: false` both count alike), then one whole table that fits the party, then a split over rows and tables that leaves nobody alone, then one area, ' +
  'then other splits: the longest run first, and the rest near it. Last, seats and places of areas are mixed. `together` says whether the places are one part, and `parts` lists the parts. `near` names units: the ' +
  'choice is as near to their middle as it can be. `categoryKey` or `categoryKeys`, `zoneId`, `sectionId` or `sectionIds`, and `rowLabels` narrow ' +
  'the search. `minUnitPrice` and `maxUnitPrice` bound the price of each place at this moment, the default tier or the tiers of `tickets`. ' +
  '`aisle` asks for rows, with a place of each part at a gap or at the end of its row. `stepFree` asks for places to which no steps lead. ' +
  'A name that the chart lacks is 422 `invalid_request`, with its place in `issues`. Hidden and closed sections are left out. Places with an accessibility kind are chosen only if ' +
  '`accessible` names one of their kinds (true for a wheelchair place, or a kind, or a list of kinds): then ' +
  '`accessibleSeats` of them (1 without the field) and no more, each with its companion place (at any distance in its row, or where the ' +
  "chart's `companionOf` says) or an ordinary neighbour for the rest of the party. Once no other ordinary place is left, " +
  'companion places are for everybody. If nothing is left: 409 `conflict`, `reason` `sold_out`. If fewer are left ' +
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

/** Of every route that holds places of the event's choice. */
export const aboutAlternatives =
  'With `alternatives` the call holds nothing and answers with so many choices instead, the best first. Each further ' +
  'choice is the one that the event would make if the choices before it were sold, so that no two have a place in ' +
  'common. Fewer choices come where no more are left. Hold the `labels` of a choice by name.';

const ofChoice = ['unknown_labels', 'not_for_sale', 'conflict', 'channel_paused', 'invalid_channel_scope'] as const;

const ofTickets = ['unknown_tier', 'companion_pair_required'] as const;

const holdBestAvailable = eventRoute(
  'POST /v1/events/{key}/best-available',
  {
    answer: z.union([holdBestAvailableAnswer, alternativesAnswer]),
    body: bestAvailableBody,
    budget: budgets.serverHolds,
    description: {
      operationId: 'holdBestAvailable',
      tag: 'Inventory',
      summary: 'Hold the best available seats',
      description:
        `${aboutTheChoice} ${aboutTickets} ${aboutReplacing} ${aboutAlternatives} Prices and the name of the hold are as in ` +
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
        { summary: 'Outside the sections', body: { qty: 2, sectionId: '__ungrouped__' } },
        { summary: 'In an unknown section', body: { qty: 2, sectionIds: ['east'] }, answers: 'invalid_request' },
        { summary: 'Up to a price', body: { qty: 2, maxUnitPrice: 60 } },
        { summary: 'Three choices, nothing held', body: { qty: 2, rowLabels: ['A', 'B'], alternatives: 3 } },
        { summary: 'In an unknown row', body: { qty: 2, rowLabels: ['ZZ'] }, answers: 'invalid_request' },
        {
          summary: 'Between prices that leave nothing between them',
          body: { qty: 2, minUnitPrice: 60, maxUnitPrice: 30 },
          answers: 'invalid_request',
        },
        {
          summary: 'Without steps, where the chart knows of no way',
          body: { qty: 1, stepFree: true },
          answers: 'conflict',
        },
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
  },
  async (call) => {
    const { body } = call;
    const dry = dryChoice(body);
    if (dry) {
      const chosen = await askWithAccess(call, dry);
      return chosen.ok ? done(alternativesBody(body, chosen.value)) : chosen;
    }
    const answer = await askWithAccess(call, {
      type: 'hold-best',
      ...holdName(call),
      query: queryOf(body),
      ...holdTerms(body),
    });
    if (!answer.ok) return answer;
    const { holdId, expiresAt, items, labels, currency, kept } = answer.value;
    const priceUnit = unitOf(call.event.event);
    const held = { ok: true as const, holdId, expiresAt, items, labels, currency, priceUnit, ...zoneOf(body) };
    return done({ ...held, ...choiceOf(body, answer.value), ...(kept && { kept }) });
  },
);

/** The command of a call that asks for alternatives; null for a call that holds. */
export function dryChoice(
  body: SeatQuery & { alternatives?: number; replaceHoldId?: string },
): (Command & { type: 'choose-best' }) | null {
  const { alternatives: choices, replaceHoldId } = body;
  if (choices === undefined) return null;
  const replaces = replaceHoldId === undefined ? {} : { replaceHoldId };
  return { type: 'choose-best', query: queryOf(body), count: choices, ...replaces };
}

export function alternativesBody(body: { qty: number }, chosen: Answers['choose-best']) {
  const choices = chosen.alternatives.map(({ labels: its, items, parts }) => ({
    labels: its,
    items: items as WordedItem[],
    ...choiceOf(body, { parts }),
  }));
  return { ok: true as const, alternatives: choices, currency: chosen.currency };
}

/** The fields of the search alone. */
export function queryOf(body: SeatQuery): SeatQuery {
  const { qty, categoryKey, categoryKeys, zoneId, accessible, accessibleSeats, preventOrphans, near, tickets } = body;
  const { sectionId, sectionIds, rowLabels, minUnitPrice, maxUnitPrice, aisle, stepFree } = body;
  return {
    qty: Math.min(qty, bestAvailableQtyMax),
    ...(categoryKey === undefined ? {} : { categoryKey }),
    ...(categoryKeys === undefined ? {} : { categoryKeys }),
    ...(zoneId === undefined ? {} : { zoneId }),
    ...(sectionId === undefined ? {} : { sectionId }),
    ...(sectionIds === undefined ? {} : { sectionIds }),
    ...(rowLabels === undefined ? {} : { rowLabels }),
    ...(minUnitPrice === undefined ? {} : { minUnitPrice }),
    ...(maxUnitPrice === undefined ? {} : { maxUnitPrice }),
    ...(aisle && { aisle }),
    ...(stepFree && { stepFree }),
    ...(accessible === undefined ? {} : { accessible }),
    ...(accessibleSeats === undefined ? {} : { accessibleSeats }),
    ...(preventOrphans === undefined ? {} : { preventOrphans }),
    ...(near === undefined ? {} : { near }),
    ...(tickets === undefined ? {} : { tickets }),
  };
}

/** The terms of a hold whose units the event chooses. */
export function holdTerms({ ttlMs, replaceHoldId }: { ttlMs?: number; replaceHoldId?: string }): {
  ttlMs?: number;
  replaceHoldId?: string;
} {
  return {
    ...(ttlMs === undefined ? {} : { ttlMs }),
    ...(replaceHoldId === undefined ? {} : { replaceHoldId }),
  };
}

/** The zone that the call named. Without one the seats may be of several zones. */
function zoneOf({ zoneId }: { zoneId?: string }): { zoneId?: string } {
  return zoneId === undefined ? {} : { zoneId };
}

/** How the choice came out, as every answer tells it. */
export function choiceOf(
  { qty }: { qty: number },
  { parts }: Parts,
): { together: boolean; parts: string[][]; clamped?: true } {
  const isClamped = qty > bestAvailableQtyMax;
  return { together: parts.length === 1, parts, ...(isClamped && { clamped: true as const }) };
}

const blockBestAvailableAnswer = z.object({ ok, labels: labelsOfAnswer, blocked: labelsOfAnswer, ...choice });

const bestAvailableBlockBody = z
  .object({ ...query, ...access, releaseAt: optional(moment.nullable()), reason: optional(reason.nullable()) })
  .superRefine(fitsTogether)
  .refine(saysWhy, saysWhyMessage);

const blockBestAvailable = eventRoute(
  'POST /v1/events/{key}/best-available-block',
  {
    answer: blockBestAvailableAnswer,
    capability: 'event:block',
    body: bestAvailableBlockBody,
    missingFields: missingInQuery,
    budget: budgets.serverHolds,
    description: {
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
  },
  async (call) => {
    const { body } = call;
    const answer = await askWithAccess(call, {
      type: 'block-best',
      ...callName(call),
      query: queryOf(body),
      releaseAt: body.releaseAt ?? null,
      reason: body.reason ?? null,
    });
    if (!answer.ok) return answer;
    const { blocked } = answer.value;
    return done({ ok: true, labels: blocked, blocked, ...choiceOf(body, answer.value) });
  },
);

const bookBestAvailableAnswer = z.object({
  ok,
  labels: labelsOfAnswer,
  items: z.array(lineItem),
  bookingRef: z.string(),
  zoneId,
  ...choice,
});

const bestAvailableBookBody = z
  .object({ ...query, ...tickets, bookingRef, ...saleAccess })
  .superRefine(fitsTogether)
  .refine(saysWhy, saysWhyMessage);

const bookBestAvailable = eventRoute(
  'POST /v1/events/{key}/best-available-book',
  {
    answer: bookBestAvailableAnswer,
    body: bestAvailableBookBody,
    missingFields: missingInQuery,
    budget: budgets.serverHolds,
    description: {
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
  },
  async (call) => {
    const { body } = call;
    const { bookingRef } = body;
    const answer = await askWithAccess(call, {
      type: 'book-best',
      callId: newCallId(),
      bookingRef,
      query: queryOf(body),
    });
    if (!answer.ok) return answer;
    const { labels, items } = answer.value;
    return done({ ok: true, labels, items, bookingRef, ...zoneOf(body), ...choiceOf(body, answer.value) });
  },
);

export const bestAvailableRoutes = [holdBestAvailable, blockBestAvailable, bookBestAvailable];
