/** Answers of an event's bookings and its log. */
import { bookingStates } from '@parterre/shared/catalog/history';
import { z } from 'zod';
import { type LogDetails, logActions } from '../../logs/logs.ts';
import { availabilityRule } from '../availability/availability.ts';
import { sectionStates } from '../events/events.ts';
import {
  callSource,
  channel,
  count,
  droppedPrices,
  durationMs,
  epochMs,
  idOf,
  lineItem,
  ok,
  optional,
  publicSale,
  selectionRules,
  taken,
} from '../records/records.ts';
import { release } from '../releases/releases.ts';

const text = z.string();

const textOrNull = text.nullable();

const labels = z.array(text);

const source = callSource.describe('The role of the actor; timer is the event itself.');

const entryId = count.describe("Grows from entry to entry of an event's log.");

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
  exchangeId: optional(idOf('exc').describe('The exchange that gave the unit up for another one.')),
  resoldTo: optional(text.describe('The booking that the unit was resold to, if a resale cancelled the unit here.')),
});

const booking = z.object({
  eventKey: text,
  eventMode: z.enum(['live', 'test']),
  bookingRef: text,
  state: z.enum(bookingStates),
  bookedAt: epochMs,
  updatedAt: epochMs,
  cancelledAt: epochMs.nullable().describe('Set while the whole booking is cancelled.'),
  source,
  bookedBy: textOrNull.describe('The id of the key, user or session.'),
  lastActor: textOrNull,
  lastSource: source,
  labels,
  objects: z
    .array(bookedObject)
    .describe('All units ever booked under the reference. A unit that was cancelled and booked again appears twice.'),
  quantity: count,
  activeQuantity: count,
  configuredValue: taken,
  activeConfiguredValue: taken,
  currency: textOrNull,
});

const exchange = z.object({ exchangeId: idOf('exc'), from: labels, to: labels });

const activity = z.object({
  id: entryId,
  action: z.enum(['book', 'replay', 'partial_cancel', 'cancel', 'reconcile']).describe('An exchange is `reconcile`.'),
  at: epochMs,
  labels,
  actor: textOrNull,
  source,
  resales: optional(
    z
      .array(z.object({ listingId: idOf('lst'), fromBookingRef: text, toBookingRef: text, labels }))
      .describe('For a cancel, the listing that was sold; for a book, the listings among its units.'),
  ),
  exchange: optional(exchange.describe('The two sides of an exchange; `labels` has both.')),
});

const logDetails = z.object({
  expiresAt: optional(epochMs.describe('The new deadline of the hold.')),
  kept: optional(
    labels.describe(
      'Units that the hold gave up and that are not free: listed for resale, or taken over by the hold that ' +
        'replaces it.',
    ),
  ),
  holdRef: optional(text.describe('The hold that was booked, by its short name.')),
  counter: optional(z.literal(true).describe('Sold at a counter.')),
  listingId: optional(idOf('lst')),
  exchange: optional(exchange.describe('The two sides of an exchange; `labels` of the entry has both.')),
  toBookingRef: optional(text.describe('The booking that has the resold units.')),
  releaseAt: optional(epochMs.describe('When the blocked units become free.')),
  holdTtlMs: optional(durationMs.nullable()),
  currency: optional(text),
  sectionStates: optional(sectionStates),
  selectionRules: optional(selectionRules),
  publicSale: optional(publicSale),
  releases: optional(
    z.array(
      release.omit({ position: true, consumed: true, remaining: true, soldOutAt: true, status: true }).extend({
        closedAt: epochMs.nullable(),
      }),
    ),
  ),
  releaseId: optional(idOf('rel')),
  rules: optional(z.record(text, availabilityRule).describe('Without their labels.')),
  version: optional(count.describe('The version of the rules, or of the allocation to channels.')),
  scopes: optional(z.array(text).describe('The divisions that became open.')),
  chartVersion: optional(count),
  seatTotal: optional(count),
  droppedScopes: optional(z.array(text).describe('Divisions of rules or section states that the new chart lacks.')),
  unblocked: optional(labels.describe('Blocked units that the new chart lacks.')),
  droppedAssignments: optional(
    z.array(z.object({ channelId: text, labels })).describe('Units of channels that the new chart lacks.'),
  ),
  droppedPrices: optional(droppedPrices),
  adjusted: optional(ok.describe('The event got an adjusted chart of the same version.')),
  from: optional(epochMs.describe('The time of the event before it was set back.')),
  channelId: optional(textOrNull.describe('Null is public sale.')),
  destination: optional(text.describe("Where an archived channel's units went: a channel, or `public`.")),
  channel: optional(
    channel.partial().describe('The whole channel in the entry of its creation, later the changed fields.'),
  ),
}) satisfies z.ZodType<LogDetails>;

export const logEntry = z.object({
  id: entryId,
  at: epochMs,
  action: z.enum(logActions),
  labels,
  ref: textOrNull.describe('The booking, or the short name of the hold; for a listing, the booking that offers it.'),
  actor: textOrNull,
  source,
  reason: optional(text.describe("The caller's reason; for a sale at a counter, its note.")),
  passed: optional(
    z.array(text).describe('Divisions that were hidden or closed to buyers, and whose units a server named.'),
  ),
  overridden: optional(
    labels.describe('The labels that an override took from channels. `reason` gives the reason of the override.'),
  ),
  details: optional(logDetails.describe('Settings and results of the action. Absent facts have no field.')),
});

export const listBookingsAnswer = z.object({
  bookings: z.array(booking),
  nextCursor: textOrNull.describe('Asks for the next page; null at the end.'),
});

export const getBookingAnswer = z.object({ booking, activity: z.array(activity), activityTruncated: z.boolean() });

export const getLogAnswer = z.object({ entries: z.array(logEntry), nextBefore: entryId.nullable() });
