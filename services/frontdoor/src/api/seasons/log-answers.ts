/** Answers of a season's occurrences, amendments, audit and outbox. */
import type { Occurrence } from '@parterre/shared/catalog/seasons';
import { amendmentKinds } from '@parterre/shared/catalog/seasons';
import { z } from 'zod';
import { count, epochMs, idOf, optional, text, textOrNull } from '../records/records.ts';

export const sha256 = z.string().regex(/^[0-9a-f]{64}$/);
const classification = z.enum(['identity_preserving', 'exception']);
const facts = z.object({
  name: text,
  startsAt: epochMs.nullable(),
  endsAt: epochMs.nullable(),
  cancelled: optional(z.literal(true)),
});
const contractOutcome = z.enum(['unchanged', 'operator_exception']);

export const occurrence = z.object({
  eventKey: text,
  position: count.min(1),
  name: text,
  startsAt: epochMs.nullable(),
  venue: textOrNull,
  timezone: textOrNull,
  latestAmendment: z.object({ amendmentId: idOf('sam'), kind: z.enum(amendmentKinds), classification }).nullable(),
});

export const amendment = z.object({
  amendmentId: idOf('sam'),
  revision: count.min(1).describe('Counts the amendments of the season, from 1.'),
  eventKey: text,
  kind: z.enum(amendmentKinds),
  classification,
  planActivationId: idOf('spa').nullable(),
  occurrenceSetSha256: sha256,
  before: facts,
  after: facts,
  state: z.enum(['applied', 'exception']),
  contractOutcomes: z.array(z.object({ contractId: text, outcome: contractOutcome })),
  allocationOutcomes: z.array(z.object({ allocationId: text, eventKey: text, outcome: contractOutcome })),
  createdAt: epochMs,
});

export const auditEntry = z.object({ id: z.int(), action: text, actorKind: text, details: z.unknown(), at: epochMs });

export const outboxOccurrence = z.object({
  occurrenceId: idOf('occ'),
  eventName: text,
  payloadSha256: sha256.describe('Of the payload as JSON text, without spaces.'),
  payload: z.record(text, z.unknown()),
  createdAt: epochMs,
  deliveredAt: epochMs.nullable().describe("The first receiver's 2xx."),
  replayedAt: epochMs.nullable(),
  replayCount: count,
});

const truncated = z.boolean().describe('Older entries are left out.');

export const occurrencesAnswer = z.object({ occurrences: z.array(occurrence) });
export const oneAmendment = z.object({ amendment });
export const amendmentsAnswer = z.object({ amendments: z.array(amendment), truncated });
export const auditAnswer = z.object({ requestId: text, audit: z.array(auditEntry), truncated });
export const outboxAnswer = z.object({
  outbox: z.array(outboxOccurrence),
  undelivered: count.describe('All occurrences that no receiver has accepted.'),
  truncated,
});
export const oneOutboxOccurrence = z.object({ occurrence: outboxOccurrence });

export function occurrenceOf({ event, position, latestAmendment }: Occurrence): z.output<typeof occurrence> {
  const { key: eventKey, name, startsAt, venue, timezone } = event;
  return { eventKey, position, name, startsAt, venue, timezone, latestAmendment };
}
