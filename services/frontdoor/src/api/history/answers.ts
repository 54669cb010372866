import { bookingStates } from '@parterre/shared/catalog/history';
import { z } from 'zod';
import { type LogDetails, logActions } from '../../logs/event-log.ts';
import { availabilityRule } from '../availability/answers.ts';
import { sectionStates } from '../events/answers.ts';
import { channel, droppedPrices } from '../records/channel-records.ts';
import { callSource, count, durationMs, epochMs, idOf, lineItem, ok, optional, taken } from '../records/records.ts';
import { release } from '../releases/answers.ts';

const text = z.string();

const textOrNull = text.nullable();

const labels = z.array(text);

const source = callSource.describe('On whose behalf: the timer is the event itself.');

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

export const listBookingsAnswer = z.object({
  bookings: z.array(booking),
  nextCursor: textOrNull.describe('Asks for the next page; null at the end.'),
});

export const getBookingAnswer = z.object({ booking, activity: z.array(activity), activityTruncated: z.boolean() });

export const getLogAnswer = z.object({ entries: z.array(logEntry), nextBefore: entryId.nullable() });
