/** Answers about rights: imports, offers, intents. */
import { type Import, type JudgedRow, type Offer, offerStates } from '@parterre/shared/catalog/rights';
import type { SeasonRecord } from '@parterre/shared/catalog/seasons';
import { z } from 'zod';
import { count, epochMs, idOf, text, textOrNull } from '../records/records.ts';

const labels = z.array(text);

const judgedRow = z.object({
  rowId: text,
  holderRef: text,
  priorPlanActivationId: text,
  priorContractRef: text,
  labels,
  existingBookingRef: textOrNull,
  decision: z.enum(['accepted', 'invalid', 'conflict']),
  errorCode: textOrNull.describe('Why the row is not accepted.'),
  contractId: idOf('sco').nullable().describe('Null for a row that is not accepted, and in a dry run.'),
  rightId: idOf('ssr').nullable(),
});

const importFacts = {
  importId: idOf('shi'),
  dryRun: z.boolean(),
  state: z
    .enum(['running', 'dry_run', 'committed', 'rejected'])
    .describe('`running`: an import of lines goes on. `rejected`: no row was accepted.'),
  successorPlanActivationId: text,
  acceptedCount: count,
  rejectedCount: count,
  receivedCount: count.describe('The rows that have arrived.'),
  writtenCount: count.describe('The accepted rows whose rights are written.'),
  createdAt: epochMs,
  committedAt: epochMs.nullable(),
};

export const oneImport = z.object({ import: z.object({ ...importFacts, rows: z.array(judgedRow) }) });
export const importProgress = z.object({ import: z.object(importFacts) });

export const offer = z.object({
  offerId: idOf('sro'),
  contractId: text,
  rightId: text,
  holderRef: text,
  successorPlanActivationId: text,
  labels,
  state: z.enum(offerStates),
  deadlineAt: epochMs,
  intentId: textOrNull,
  intentAt: epochMs.nullable(),
  commitActionId: textOrNull,
  orderRef: textOrNull,
  bookingRef: textOrNull,
  successorContractId: textOrNull,
  commitOutcomes: z.array(
    z.object({ eventKey: text, state: z.enum(['pending', 'committed', 'failed']), code: textOrNull }),
  ),
  createdAt: epochMs,
  updatedAt: epochMs,
});

export const oneOffer = z.object({ offer });
export const offersAnswer = z.object({
  offers: z.array(offer),
  truncated: z.boolean().describe('Further offers or contracts are left out.'),
});

export const oneIntent = z.object({
  intent: z.object({
    offerId: text,
    intentId: text,
    state: z.literal('intent_received'),
    receivedAt: epochMs,
  }),
});

const renewalSeason = z.object({
  key: text,
  name: text,
  edition: textOrNull,
  venue: textOrNull,
  timezone: textOrNull,
  occurrenceCount: count,
});
export const renewalAnswer = z.object({ offer, season: renewalSeason });

export const additionAnswer = z.object({
  eventKey: text,
  planActivationId: text,
  givable: count,
  withheld: count,
  seats: z.array(
    z.object({
      label: text,
      contractId: text,
      holderRef: text,
      canGive: z.boolean(),
      reason: z.enum(['seat_missing', 'seat_held', 'seat_booked', 'seat_not_for_sale']).nullable(),
    }),
  ),
  nextCursor: z.exactOptional(text.describe('The cursor of the next page; absent at the end.')),
});

export function importOf(value: Import, rows: JudgedRow[]): z.output<typeof oneImport> {
  return { import: { ...value, rows } };
}

export function intentOf({ offerId, intentId, intentAt }: Offer): z.output<typeof oneIntent> {
  return { intent: { offerId, intentId: intentId!, state: 'intent_received', receivedAt: intentAt! } };
}

export function renewalOf(found: Offer, season: SeasonRecord): z.output<typeof renewalAnswer> {
  const { key, name, edition, venue, timezone, eventKeys } = season;
  return { offer: found, season: { key, name, edition, venue, timezone, occurrenceCount: eventKeys.length } };
}
