/** The description of holds by buyers' browsers. */
import { holdExtendsMax } from '@parterre/shared/limits';
import { type Description, standIn } from '../../openapi/openapi.ts';
import { aboutReplacing } from '../best-available/best-available.ts';
import { refusedHolds, refusedUnits } from '../inventory/inventory.ts';

const ofUnits = [...refusedUnits, 'conflict', 'event_closed'] as const;
/** Further refusals of a session of channels, of one with a bound on its quantity, and of public sale. */
const ofSessions = [
  'channel_access_denied',
  'channel_paused',
  'allocation_exhausted',
  'max_quantity_exceeded',
  'public_limit',
] as const;
const aboutChoices =
  "The event's `selectionRules` bind buyers who choose: a broken rule is 409 `selection_rules_broken`. `problems` lists " +
  'every broken rule (`orphan_seat`, `category_limit`, `tier_limit`) with its `labels`, and `reason` is the first. A ' +
  'seat that was single before is no orphan, and neither is a seat that no choice of as many neighbours in its category ' +
  'would save. With `expectedTotal`, prices that have changed are 409 ' +
  '`price_changed`, with the `items` and `total` of now. A refused hold leaves the replaced hold as it was.';

const whoMayUseHold =
  'A caller may use a hold if it knows the id and has the same reach as the caller that made the hold, for example a ' +
  'fresh session after a reload.';

export const buyerHoldDescriptions = {
  'POST /pub/events/{key}/hold': {
    operationId: 'holdBuyerSeats',
    tag: 'Buyers',
    summary: 'Hold units for a buyer, all of them or none',
    description:
      'Like `POST /v1/events/{key}/hold`, for the units that a buyer may have. Units that are blocked, hidden or in a ' +
      'closed section are conflicts with the same `status`, `not_for_sale`. Units outside the reach of the key or ' +
      'session are 403 `channel_access_denied`, units of a paused channel within it 403 `channel_paused`, both with ' +
      '`labels`. Prices come from the inventory only. `seats` names each unit with its tier. More than a session may have in all its ' +
      'holds and bookings is 409 `max_quantity_exceeded`, with `maxQuantity` and `used`. A key, and a session that a key ' +
      'opened, have the bounds of `publicSale`: more places in one hold, or held at one time by one session or address, ' +
      'are 409 `public_limit` with `limit`, `left` and `reason` (`max_per_hold`, `max_held_per_session`, ' +
      '`max_held_per_address`). Their `ttlMs` counts up to the hold TTL of the event. They may hold the same places for ' +
      'an hour, with pauses of less than 15 minutes; then `reason` is `hold_time`. Places of an area of which ' +
      'a session of channels only has none left are 409 `allocation_exhausted`. `referral` is checked for its ' +
      'length (120 characters) and not kept. `quantity` is at most 1,000. An Idempotency-Key names the hold within ' +
      `the same key or session. ${aboutChoices}`,
    refusals: [...ofUnits, ...ofSessions, 'selection_rules_broken', 'price_changed'],
    examples: [
      { summary: 'Two seats', body: { labels: ['A-1', 'A-2'] } },
      {
        summary: 'Tiers, and places of an area',
        body: {
          selections: [
            { label: 'B-1', tierId: 'child' },
            { label: 'Floor', quantity: 3 },
          ],
          referral: 'newsletter',
        },
        headers: { 'Idempotency-Key': 'visit-7f3a' },
      },
      {
        summary: 'A held seat',
        path: { key: standIn.heldEvent },
        body: { labels: ['A-5'] },
        answers: 'conflict',
      },
      {
        summary: 'In place of an earlier hold',
        path: { key: standIn.heldEvent },
        body: { labels: ['A-5', 'A-7'], replaceHoldId: standIn.hold },
      },
      {
        summary: 'A choice that leaves a single seat, with too many children',
        path: { key: standIn.eventWithSelectionRules },
        body: {
          selections: [
            { label: 'A-2' },
            { label: 'B-1', tierId: 'child' },
            { label: 'B-2', tierId: 'child' },
            { label: 'B-3', tierId: 'child' },
          ],
        },
        answers: 'selection_rules_broken',
      },
      {
        summary: 'At a price that was shown before',
        body: { labels: ['B-5'], expectedTotal: 1 },
        answers: 'price_changed',
      },
      ...refusedHolds,
      { summary: 'Without units', body: {}, answers: 'invalid_request' },
    ],
  },
  'POST /pub/events/{key}/best-available': {
    operationId: 'holdBuyerBestAvailable',
    tag: 'Buyers',
    summary: "Hold the best seats within a buyer's reach",
    description:
      'The choice works like `POST /v1/events/{key}/best-available`, among the seats within the reach of the key or ' +
      'session, with the same fields but those of access. If no seat is left for a session of channels only: 409 ' +
      `\`allocation_exhausted\`. ${aboutReplacing} The limits of the event's \`selectionRules\` narrow the search to the ` +
      'categories that may have the whole party; 409 `selection_rules_broken` if there is none.',
    refusals: [
      'unknown_labels',
      'not_for_sale',
      'unknown_tier',
      'companion_pair_required',
      'conflict',
      'selection_rules_broken',
      'event_closed',
      ...ofSessions,
    ],
    examples: [
      { summary: 'Two seats', body: { qty: 2 } },
      { summary: 'Of a category', body: { qty: 4, categoryKey: 'balcony', ttlMs: 300_000 } },
      {
        summary: 'Of two categories, with tickets',
        body: { qty: 2, categoryKeys: ['stalls', 'balcony'], tickets: [{ tierId: 'child', qty: 2 }] },
      },
      {
        summary: 'In place of an earlier hold',
        path: { key: standIn.heldEvent },
        body: { qty: 2, replaceHoldId: standIn.hold },
      },
      { summary: 'More than there are together', body: { qty: 50, categoryKey: 'balcony' }, answers: 'conflict' },
      {
        summary: 'Of a category that is not for sale',
        body: { qty: 1, categoryKey: 'house' },
        answers: 'not_for_sale',
      },
      {
        summary: 'Of a closed event',
        path: { key: standIn.closedEvent },
        body: { qty: 2 },
        answers: 'event_closed',
      },
    ],
  },
  'POST /pub/events/{key}/hold/resume': {
    operationId: 'resumeBuyerHold',
    tag: 'Buyers',
    summary: 'Find a hold again, after a reload',
    description:
      `${whoMayUseHold} An ended or unknown hold is not found. For a day after its end the refusal has the ` +
      '`status` of the hold: released, expired or booked.',
    refusals: ['hold_not_found'],
    examples: [
      { summary: 'An active hold', path: { key: standIn.heldEvent }, body: { holdId: standIn.hold } },
      { summary: 'An unknown hold', body: { holdId: 'hld_0' }, answers: 'hold_not_found' },
    ],
  },
  'POST /pub/events/{key}/extend': {
    operationId: 'extendBuyerHold',
    tag: 'Buyers',
    summary: "Extend a buyer's hold",
    description:
      `${whoMayUseHold} At most ${holdExtendsMax} times, and no hold lasts beyond an hour after its creation. ` +
      'With `replaceHoldId` the first hold and its renewals count. The `reason` of a refusal is not_found, expired, ' +
      'not_active (booked or released) or extend_limit, and `status` is that of the hold. An unknown ' +
      'hold is 404 `hold_not_found`.',
    refusals: ['cannot_extend', 'hold_not_found', 'event_closed'],
    examples: [
      { summary: 'By the usual hold window', path: { key: standIn.heldEvent }, body: { holdId: standIn.hold } },
      { summary: 'An unknown hold', body: { holdId: 'hld_0' }, answers: 'hold_not_found' },
    ],
  },
  'POST /pub/events/{key}/release': {
    operationId: 'releaseBuyerHold',
    tag: 'Buyers',
    summary: 'Release a hold, or some of its units',
    description:
      `${whoMayUseHold} \`released\` has every named label, even if the hold no longer had it, so the call may be ` +
      'repeated. A named area appears with the places that it gave back.',
    refusals: ['hold_not_found', 'unknown_labels', 'conflict', 'event_closed'],
    examples: [
      { summary: 'One seat of it', path: { key: standIn.heldEvent }, body: { holdId: standIn.hold, labels: ['A-5'] } },
      { summary: 'All of it', path: { key: standIn.heldEvent }, body: { holdId: standIn.hold } },
      { summary: 'An unknown hold', body: { holdId: 'hld_0' }, answers: 'hold_not_found' },
      {
        summary: 'A label that the chart lacks',
        path: { key: standIn.heldEvent },
        body: { holdId: standIn.hold, labels: ['Z-9'] },
        answers: 'unknown_labels',
      },
    ],
  },
} as const satisfies Record<string, Description>;
