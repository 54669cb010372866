/** Answers about the sales of a season, for the people who look after it: report, operations, look-ups, export. */
import type { KeptBookingAction, KeptOperation } from '@parterre/shared/catalog/operations';
import type { SeasonRecord } from '@parterre/shared/catalog/seasons';
import { z } from 'zod';
import { ownerHoldId } from '../operations/operations.ts';
import { count, epochMs, idOf, text, textOrNull } from '../records/records.ts';
import { seasonBooking } from '../season-bookings/season-bookings.ts';
import { amendment, auditEntry, occurrence, outboxOccurrence, sha256 } from './log-answers.ts';
import { seasonDetail } from './season-answers.ts';

const byName = z.record(text, count);

const operation = z.object({
  operationId: text.describe('The name that the caller gave to the hold.'),
  kind: z.enum(['hold', 'booking']),
  state: text,
  holdId: text,
  bookingRef: textOrNull,
  allocations: z.array(z.object({ eventId: text, state: text })),
});

/** Offers as their own calls show them, and contracts as the catalog has them. */
const ofRights = z.array(z.record(text, z.unknown()));

export const operationsAnswer = z.object({ operations: z.array(operation), truncated: z.boolean() });

export const lookupAnswer = z.object({
  requestId: text,
  lookup: z.object({
    bookingRef: textOrNull,
    holderRef: textOrNull,
    bookings: z.array(seasonBooking),
    offers: ofRights,
    contracts: ofRights,
  }),
});

export const reportAnswer = z.object({
  report: z.object({
    seasonKey: text,
    generatedAt: epochMs,
    inventory: z.object({
      occurrenceCount: count,
      bookings: count,
      booked: count,
      cancelled: count.describe('Bookings, not seats.'),
    }),
    renewals: byName.describe('Offers by state.'),
    operations: byName,
    allocations: z.object({ total: count, byState: byName, bySource: byName }),
    stuckOperations: count.describe('Operations that have stood unfinished for a minute or more.'),
    webhooks: z.object({
      undelivered: count,
      delivered: count,
      deliveryDefinition: z.literal('at_least_one_receiver_2xx'),
      attempts: count,
      successfulAttempts: count,
      failedAttempts: count,
      lastEventName: textOrNull,
    }),
  }),
});

export const rehearsalAnswer = z.object({
  season: seasonDetail,
  rehearsal: z.object({
    ready: z.literal(true),
    holdOperationId: text,
    bookActionId: text,
    cancelActionId: text,
    subscriptionId: idOf('whk').describe('The subscription that has received all three.'),
    occurrenceIds: z.array(idOf('occ')).describe('Of hold, booking and cancellation, in this order.'),
    payloadSha256: z.array(sha256),
  }),
});

export const exportAnswer = z.object({
  requestId: text,
  export: z.object({
    version: z.literal('season-support-export.v1'),
    exportedAt: epochMs,
    season: seasonDetail,
    occurrences: z.array(occurrence),
    amendments: z.array(amendment),
    operations: z.array(operation),
    offers: ofRights,
    contracts: ofRights.describe('The active contracts of the plans.'),
    outbox: z.array(outboxOccurrence),
    audit: z.array(auditEntry),
    truncated: z.boolean().describe('One of the lists has more entries than the export.'),
  }),
});

/** `eventIds` is by event key. */
export function operationOf(
  { key }: SeasonRecord,
  kept: KeptOperation,
  eventIds: ReadonlyMap<string, string>,
): z.output<typeof operation> {
  const booked = standingAction(kept);
  return {
    operationId: kept.operationId,
    kind: booked ? 'booking' : 'hold',
    state: kept.state,
    holdId: ownerHoldId({ kind: 'season', key }, kept.operationId),
    bookingRef: booked?.bookingRef ?? null,
    allocations: kept.parts.map(({ eventKey, state }) => ({ eventId: eventIds.get(eventKey) ?? eventKey, state })),
  };
}

/** The booking that stands, or is under way. */
export function standingAction({ actions }: KeptOperation): KeptBookingAction | null {
  return actions.find(({ state }) => state !== 'refused') ?? null;
}
