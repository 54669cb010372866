/** An event's bookings and its audit log, as the description has them. */
import { bookingStates } from '@parterre/shared/catalog/history';
import { z } from 'zod';
import { activityMax } from '../../logs/bookings.ts';
import { type LogDetails, logActions } from '../../logs/event-log.ts';
import type { Description } from '../../openapi/description.ts';
import { standIn } from '../../openapi/stand-ins.ts';
import { availabilityRule } from '../availability/descriptions.ts';
import { sectionStates } from '../events/descriptions.ts';
import { channel, droppedPrices } from '../records/channel-records.ts';
import { count, durationMs, epochMs, idOf, lineItem, ok, optional, taken } from '../records/records.ts';
import { release } from '../releases/descriptions.ts';

const text = z.string();
const textOrNull = text.nullable();
const labels = z.array(text);
const source = z
  .enum(['server', 'buyer', 'operator', 'timer'])
  .describe('On whose behalf: the timer is the event itself.');
const entryId = count.describe('Grows from entry to entry of an event.');

const bookedObject = lineItem.extend({
  sectionId: textOrNull,
  sectionLabel: textOrNull,
  zoneId: textOrNull,
  unitPrice: taken,
  configuredValue: taken,
  channelExternalRef: textOrNull,
  source,
  state: z.enum(['booked', 'cancelled']),
  bookedAt: epochMs,
  cancelledAt: epochMs.nullable(),
  resoldTo: optional(text.describe('The booking that it was resold to, where that is why it is cancelled.')),
});

const booking = z.object({
  eventKey: text,
  eventMode: z.enum(['live', 'test']),
  bookingRef: text,
  state: z.enum(bookingStates),
  bookedAt: epochMs,
  updatedAt: epochMs,
  cancelledAt: epochMs.nullable().describe('Set while all of it is cancelled.'),
  source,
  bookedBy: textOrNull.describe('The id of the key, user or session.'),
  lastActor: textOrNull,
  lastSource: source,
  labels,
  objects: z
    .array(bookedObject)
    .describe('Everything ever booked under the reference; what was cancelled and booked again stands there twice.'),
  quantity: count,
  activeQuantity: count,
  configuredValue: taken,
  activeConfiguredValue: taken,
  currency: textOrNull,
});

const activity = z.object({
  id: entryId,
  action: z.enum(['book', 'replay', 'partial_cancel', 'cancel', 'reconcile']),
  at: epochMs,
  labels,
  actor: textOrNull,
  source,
  resales: optional(
    z
      .array(z.object({ listingId: idOf('lst'), fromBookingRef: text, toBookingRef: text, labels }))
      .describe('Of a cancel, the listing that was sold; of a book, those that are among what it booked.'),
  ),
});

const logDetails = z.object({
  expiresAt: optional(epochMs.describe('Of the hold, from then on.')),
  kept: optional(
    labels.describe('Let go of by the hold and not free: listed for resale, or kept by the hold that takes its place.'),
  ),
  holdId: optional(idOf('hld').describe('That was booked.')),
  counter: optional(z.literal(true).describe('Sold at a counter.')),
  listingId: optional(idOf('lst')),
  toBookingRef: optional(text.describe('The booking that has what was resold.')),
  releaseAt: optional(epochMs.describe('When the blocked units become free.')),
  holdTtlMs: optional(durationMs.nullable()),
  currency: optional(text),
  sectionStates: optional(sectionStates),
  releases: optional(
    z.array(
      release.omit({ position: true, consumed: true, remaining: true, soldOutAt: true, status: true }).extend({
        closedAt: epochMs.nullable(),
      }),
    ),
  ),
  releaseId: optional(idOf('rel')),
  rules: optional(z.record(text, availabilityRule).describe('Without their labels.')),
  version: optional(count.describe('Of the rules, or of the allocation to channels.')),
  scopes: optional(z.array(text).describe('Open from then on.')),
  chartVersion: optional(count),
  seatTotal: optional(count),
  droppedScopes: optional(z.array(text).describe('Named by rules or section states, and not on the new chart.')),
  unblocked: optional(labels.describe('Blocked until then, and not on the new chart.')),
  droppedAssignments: optional(
    z.array(z.object({ channelId: text, labels })).describe('Of channels until then, and not on the new chart.'),
  ),
  droppedPrices: optional(droppedPrices),
  adjusted: optional(ok.describe('Another chart of its own, of the same version.')),
  channelId: optional(textOrNull.describe('Null is public sale.')),
  destination: optional(text.describe('Of what an archived channel had: a channel, or `public`.')),
  channel: optional(channel.partial().describe('All of it when it was made, then what was changed.')),
}) satisfies z.ZodType<LogDetails>;

export const logEntry = z.object({
  id: entryId,
  at: epochMs,
  action: z.enum(logActions),
  labels,
  ref: textOrNull.describe('The hold or booking; of a listing, the booking that offers it.'),
  actor: textOrNull,
  source,
  reason: optional(text.describe('What the caller gave as one; of a sale at a counter its note.')),
  passed: optional(z.array(text).describe('Scopes that were hidden or closed to buyers, whose units a server named.')),
  overridden: optional(
    labels.describe('Private seats among the labels that were had by an override; the reason is why.'),
  ),
  details: optional(logDetails.describe('What was set, or came of it; only what there is to tell.')),
});

const projectionState = z.object({
  generation: z.int().min(1).describe('Which generation is read; it grows by one with each rebuild.'),
  building: z
    .int()
    .nullable()
    .describe('The generation that is being built, which takes its place when it has counted as far.'),
  partitions: z
    .array(z.object({ stream: text, counted: count, rebuilt: count.nullable() }))
    .describe('How far each journal is counted, as sequences of its stream.'),
});

export const projections = {
  'GET /v1/admin/projections': {
    operationId: 'getProjections',
    tag: 'Operator',
    summary: 'How far sold counts, bookings, logs and credits are counted',
    answer: projectionState,
    examples: [{ summary: 'The state' }],
  },
  'POST /v1/admin/projections/rebuild': {
    operationId: 'rebuildProjections',
    tag: 'Operator',
    summary: 'Count sold counts, bookings, logs and credits anew, from the first record of every journal',
    description:
      'All go on being read as they are until the new ones have counted as far. Asked again meanwhile it begins no other.',
    answer: projectionState,
    examples: [{ summary: 'Begin' }],
  },
} as const satisfies Record<string, Description>;

const limit = { description: 'At most 200.', schema: z.int().default(50) };
export const logQuery = {
  limit,
  before: { description: 'The nextBefore of the page before: only entries with lower ids.', schema: z.int() },
};
const lag =
  'Has everything that was answered before it was asked for, unless the catalog is more than a second behind.';

export const history = {
  'GET /v1/events/{key}/bookings': {
    operationId: 'listBookings',
    tag: 'Reports',
    summary: 'Bookings, newest first',
    description: `${lag} A page may have fewer bookings than asked for although more follow.`,
    answer: z.object({
      bookings: z.array(booking),
      nextCursor: textOrNull.describe('Asks for the next page; null at the end.'),
    }),
    query: {
      q: {
        description:
          'Only those whose bookingRef has this in it, in either case; and first, beside them, the booking that has the seat of this very label just now.',
        schema: z.string(),
      },
      state: { description: 'Only those in this state.', schema: z.enum(bookingStates) },
      cursor: { description: 'The nextCursor of the page before.', schema: z.string() },
      limit,
    },
    refusals: ['invalid_request'],
    examples: [
      { summary: 'All of them', path: { key: standIn.soldEvent } },
      {
        summary: 'Those still booked, by reference',
        path: { key: standIn.soldEvent },
        query: { q: '1000', state: 'booked' },
      },
      { summary: 'A state that is none', query: { state: 'paid' }, answers: 'invalid_request' },
    ],
  },
  'GET /v1/events/{key}/bookings/{bookingRef}': {
    operationId: 'getBooking',
    tag: 'Reports',
    summary: 'One booking, with what was done to it',
    description:
      `${lag} Activity is newest first, ${activityMax} entries at most. The actions replay and reconcile are named for readers of ` +
      'other servers: here a repeated call changes nothing and is not journaled.',
    answer: z.object({ booking, activity: z.array(activity), activityTruncated: z.boolean() }),
    refusals: ['booking_not_found'],
    examples: [
      { summary: 'A booking', path: { key: standIn.soldEvent, bookingRef: 'order-1000' } },
      { summary: 'One that is not there', path: { bookingRef: 'order-0' }, answers: 'booking_not_found' },
    ],
  },
  'GET /v1/events/{key}/log': {
    operationId: 'getLog',
    tag: 'Reports',
    summary: 'Who did what, newest first, back to the beginning',
    description:
      `${lag} A page may have fewer entries than asked for, or none, although more follow: go on while nextBefore is not null. A ` +
      'manage session without event:channels:view is told nothing of channels: what was done to them is left out, and of other ' +
      "entries what a chart took from them, and overrides with their reasons; `channelId` of a hold's or booking's items is told to " +
      'all.',
    answer: z.object({ entries: z.array(logEntry), nextBefore: entryId.nullable() }),
    query: logQuery,
    examples: [
      { summary: 'The latest', path: { key: standIn.soldEvent } },
      { summary: 'Some of them', path: { key: standIn.soldEvent }, query: { limit: '1' } },
    ],
  },
} as const satisfies Record<string, Description>;
