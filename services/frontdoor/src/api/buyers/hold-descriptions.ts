/** What a buyer's browser does with seats, as the description has it. */
import { holdExtendsMax } from '@parterre/shared/limits';
import type { Description } from '../../openapi/description.ts';
import { standIn } from '../../openapi/stand-ins.ts';
import { refusedHolds } from '../inventory/refused-holds.ts';

const ofUnits = [
  'unknown_labels',
  'unknown_tier',
  'invalid_quantity',
  'not_for_sale',
  'ticket_option_not_applicable',
  'companion_pair_required',
  'conflict',
  'event_closed',
] as const;
/** What a session of channels, or with a bound, hears besides. */
const ofSessions = [
  'channel_access_denied',
  'channel_paused',
  'allocation_exhausted',
  'max_quantity_exceeded',
] as const;

const ofWhomItIs =
  'A hold belongs to whoever knows its id and has access of the same scope as it was made with (a fresh session, after a reload, will do).';

export const buyerHoldDescriptions = {
  'POST /pub/events/{key}/hold': {
    operationId: 'holdBuyerSeats',
    tag: 'Buyers',
    summary: 'Hold units for a buyer, all of them or none',
    description:
      'As `POST /v1/events/{key}/hold` does, with what buyers may have: seats that are blocked, in a closed section, or outside of ' +
      'what the key or session reaches are in the way with one and the same `status`, `not_for_sale`, and hidden ones are unknown ' +
      'labels. Prices come from the inventory alone. `seats` names each unit with its tier. A seat in reach whose channel is paused ' +
      'is 403 `channel_paused`; more than a session may have in all its holds and bookings 409 `max_quantity_exceeded`, with ' +
      '`maxQuantity` and `used`; places of an area, where a session of channels alone has none left, 409 ' +
      '`allocation_exhausted`. `referral` is checked for its length (120 characters) and not kept. `quantity` is at most 1,000. ' +
      'An Idempotency-Key names the hold among those of the same key or session.',
    refusals: [...ofUnits, ...ofSessions],
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
        summary: 'A seat that somebody holds',
        path: { key: standIn.heldEvent },
        body: { labels: ['A-5'] },
        answers: 'conflict',
      },
      {
        summary: 'In place of a hold from before',
        path: { key: standIn.heldEvent },
        body: { labels: ['A-5', 'A-7'], replaceHoldId: standIn.hold },
      },
      ...refusedHolds,
      { summary: 'Nothing named', body: {}, answers: 'invalid_request' },
    ],
  },
  'POST /pub/events/{key}/best-available': {
    operationId: 'holdBuyerBestAvailable',
    tag: 'Buyers',
    summary: 'Hold the best seats that a buyer may have',
    description:
      'The choice is as for `POST /v1/events/{key}/best-available`, among the seats that the key or session reaches. Where a ' +
      'session of channels alone has none left: 409 `allocation_exhausted`.',
    refusals: ['not_for_sale', 'conflict', 'event_closed', ...ofSessions],
    examples: [
      { summary: 'Two seats', body: { qty: 2 } },
      { summary: 'Of a category', body: { qty: 4, categoryKey: 'balcony', ttlMs: 300_000 } },
      { summary: 'More than there are together', body: { qty: 50, categoryKey: 'balcony' }, answers: 'conflict' },
      {
        summary: 'Of a category that is not for sale',
        body: { qty: 1, categoryKey: 'house' },
        answers: 'not_for_sale',
      },
      {
        summary: 'Of an event that is closed',
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
    description: `${ofWhomItIs} One that is over, or was never, is not found.`,
    refusals: ['hold_not_found'],
    examples: [
      { summary: 'A hold under way', path: { key: standIn.heldEvent }, body: { holdId: standIn.hold } },
      { summary: 'One that is not there', body: { holdId: 'hld_0' }, answers: 'hold_not_found' },
    ],
  },
  'POST /pub/events/{key}/extend': {
    operationId: 'extendBuyerHold',
    tag: 'Buyers',
    summary: "Let a buyer's hold last longer",
    description:
      `${ofWhomItIs} At most ${holdExtendsMax} times, and no hold outlives an hour from its creation. The \`reason\` of a refusal is not_found, expired, ` +
      'not_active (booked or released) or extend_limit; a hold that is not known is 404 `hold_not_found`.',
    refusals: ['cannot_extend', 'hold_not_found', 'event_closed'],
    examples: [
      { summary: 'By the usual window', path: { key: standIn.heldEvent }, body: { holdId: standIn.hold } },
      { summary: 'A hold that is not there', body: { holdId: 'hld_0' }, answers: 'hold_not_found' },
    ],
  },
  'POST /pub/events/{key}/release': {
    operationId: 'releaseBuyerHold',
    tag: 'Buyers',
    summary: 'Give back a hold, or some of its units',
    description:
      `${ofWhomItIs} \`released\` has every label that was named, also where the hold had it no more, so that it may be repeated; an ` +
      'area that is named is there with the places that it gave back.',
    refusals: ['hold_not_found', 'unknown_labels', 'conflict', 'event_closed'],
    examples: [
      { summary: 'One seat of it', path: { key: standIn.heldEvent }, body: { holdId: standIn.hold, labels: ['A-5'] } },
      { summary: 'All of it', path: { key: standIn.heldEvent }, body: { holdId: standIn.hold } },
      { summary: 'A hold that is not there', body: { holdId: 'hld_0' }, answers: 'hold_not_found' },
      {
        summary: 'A label that the chart lacks',
        path: { key: standIn.heldEvent },
        body: { holdId: standIn.hold, labels: ['Z-9'] },
        answers: 'unknown_labels',
      },
    ],
  },
} as const satisfies Record<string, Description>;
