/** Ticket releases and sales at a counter, as the description has them. */
import type { ReleaseView } from '@parterre/shared/answers';
import { z } from 'zod';
import type { Description } from '../../openapi/description.ts';
import { standIn } from '../../openapi/stand-ins.ts';
import { aboutAccess, ofAccess } from '../records/channel-records.ts';
import { count, currency, epochMs, idOf, lineItem, ok, price, text, textOrNull } from '../records/records.ts';

export const release = z.object({
  id: idOf('rel'),
  name: text,
  price,
  previousPrice: price.nullable(),
  quota: count.nullable().describe('Units that may be held and booked under it at one time; null is no bound.'),
  startsAt: epochMs.nullable(),
  endsAt: epochMs.nullable(),
  categoryKey: textOrNull.describe('Null: every category without tiers.'),
  action: z.enum(['buy', 'apply', 'invoice']),
  actionUrl: textOrNull,
  position: count,
  consumed: count.describe('Units held and booked under it just now.'),
  remaining: count.nullable().describe('Null without a quota.'),
  soldOutAt: epochMs.nullable().describe('When its units came to the quota, while they are at it.'),
  status: z
    .enum(['upcoming', 'active', 'ended', 'closed'])
    .describe('A release whose category the chart has not any more, or with tiers now, has ended.'),
}) satisfies z.ZodType<ReleaseView>;

const releaseList = z.object({ releases: z.array(release).describe('In the order in which they price.') });

const lists = {
  'GET /v1/events/{key}/releases': {
    operationId: 'getReleases',
    tag: 'Inventory',
    summary: 'The ticket releases of an event',
    answer: releaseList,
    examples: [{ summary: 'All of them', path: { key: standIn.eventWithReleases } }],
  },
  'PUT /v1/events/{key}/releases': {
    operationId: 'setReleases',
    tag: 'Inventory',
    summary: 'Set all ticket releases of an event',
    description:
      'The whole list anew, the last one to write wins. A release that names its `id` is the one that the event has; without one it is new. ' +
      'A unit is priced when it is held, or booked without a hold: by the first active `buy` release whose category it is of and whose ' +
      'quota has a unit left, else by its tier or category. What is held or booked keeps its price and its release whatever becomes of the list. ' +
      'A closed release stays closed until it is sent with another `endsAt`.',
    answer: releaseList,
    refusals: ['invalid_event_state'],
    examples: [
      {
        summary: 'An early price for ten of the stalls, another for all, and a form for groups',
        body: {
          releases: [
            { name: 'Early bird', price: 12, previousPrice: 20, quota: 10, categoryKey: 'stalls' },
            { name: 'Advance', price: 16, startsAt: 1_785_542_400_000, endsAt: 1_788_220_800_000 },
            { name: 'Groups', price: 10, action: 'apply', actionUrl: 'https://theatre.example/groups' },
          ],
        },
      },
      {
        summary: 'One that is there, renamed',
        path: { key: standIn.eventWithReleases },
        body: { releases: [{ id: standIn.release, name: 'Very early bird', price: 12 }] },
      },
      { summary: 'None', body: { releases: [] } },
      {
        summary: 'Of a category with tiers',
        body: { releases: [{ name: 'Balcony', price: 12, categoryKey: 'balcony' }] },
        answers: 'invalid_request',
      },
      {
        summary: 'One that the event has not',
        body: { releases: [{ id: 'rel_0', name: 'Gone', price: 12 }] },
        answers: 'invalid_request',
      },
      {
        summary: 'Of an event in the archive',
        path: { key: standIn.archivedEvent },
        body: { releases: [] },
        answers: 'invalid_event_state',
      },
    ],
  },
  'POST /v1/events/{key}/releases/{id}/close': {
    operationId: 'closeRelease',
    tag: 'Inventory',
    summary: 'End a ticket release now',
    description: 'It stays in the list. What is closed already stays as it is.',
    answer: releaseList,
    refusals: ['invalid_event_state'],
    examples: [
      { summary: 'The release', path: { key: standIn.eventWithReleases } },
      { summary: 'One that is not there', path: { id: 'rel_0' }, answers: 'not_found' },
    ],
  },
} as const satisfies Record<string, Description>;

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

const counters = {
  'POST /v1/events/{key}/box-book': {
    operationId: 'bookAtBoxOffice',
    tag: 'Inventory',
    summary: 'Book units at a counter, of an event that a platform owns',
    description: `As a booking without a hold, also while sales are closed. Kept for older callers. ${aboutAccess}`,
    answer: z.object({ ok, booked: z.array(text) }),
    refusals: [...ofUnits, 'not_platform_owned', 'invalid_event_state'],
    examples: [
      {
        summary: 'Two seats while sales are closed',
        path: { key: standIn.closedEvent },
        body: { labels: ['A-1', 'A-2'], bookingRef: 'counter-1' },
      },
      {
        summary: 'Of a managed event',
        path: { key: standIn.managedEvent },
        body: { labels: ['A-1'], bookingRef: 'counter-2' },
        answers: 'not_platform_owned',
      },
    ],
  },
  'POST /v1/events/{key}/box-office/sale': {
    operationId: 'sellAtBoxOffice',
    tag: 'Inventory',
    summary: 'Sell units at a counter, of an event with managed ticketing',
    description:
      'Also while sales are closed. `releaseId` chooses a `buy` release of the list, whether or not it is active just now: every ' +
      'unit is sold under it or none, and its quota binds (409 with reason `release_sold_out`, and `conflicts` that list what did ' +
      'not fit). `booked` lists what is new; `items` and `total` are of all that the call names, so that a repetition under the ' +
      'same `bookingRef` shows what the first call did. The note goes into the log. The release goes before a channel’s price. ' +
      aboutAccess,
    answer: z.object({ ok, booked: z.array(text), items: z.array(lineItem), total: price, currency }),
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
        summary: 'A release that the event has not',
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
} as const satisfies Record<string, Description>;

export const releases = { ...lists, ...counters };
