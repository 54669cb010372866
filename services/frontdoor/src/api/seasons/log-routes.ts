/** A season's occurrences and amendments, its audit, and the outbox of its own webhook occurrences. */
import type { Amendment } from '@parterre/shared/catalog/seasons';
import { done } from '@parterre/shared/errors';
import type { z } from 'zod';
import { callIdOf } from '../../admission/admission.ts';
import { serverRoute } from '../calls/calls.ts';
import { amendmentBody } from './bodies.ts';
import {
  type amendment,
  amendmentsAnswer,
  auditAnswer,
  occurrenceOf,
  occurrencesAnswer,
  oneAmendment,
  oneOutboxOccurrence,
  outboxAnswer,
} from './log-answers.ts';
import { counted, target } from './routes.ts';

export const seasonLogRoutes = [
  serverRoute('GET /v1/seasons/{key}/occurrences', { ...counted, answer: occurrencesAnswer }, async (call) => {
    const found = await call.ports.catalog('seasons.occurrences', target(call));
    return found.ok ? done({ occurrences: found.value.occurrences.map(occurrenceOf) }) : found;
  }),
  serverRoute(
    'POST /v1/seasons/{key}/amendments',
    { ...counted, answer: oneAmendment, body: amendmentBody, status: 201, idempotent: true },
    async (call) => {
      const input = { ...target(call), draft: call.body, ...callIdOf(call) };
      const made = await call.ports.catalog('seasons.amend', input);
      if (!made.ok) return made;
      call.ports.events.drop(call.body.eventKey);
      return done({ amendment: amendmentOf(made.value.amendment) });
    },
  ),
  serverRoute('GET /v1/seasons/{key}/amendments', { ...counted, answer: amendmentsAnswer }, async (call) => {
    const found = await call.ports.catalog('seasons.amendments', target(call));
    if (!found.ok) return found;
    const { amendments, truncated } = found.value;
    return done({ amendments: amendments.map(amendmentOf), truncated });
  }),
  serverRoute('GET /v1/seasons/{key}/amendments/{amendmentId}', { ...counted, answer: oneAmendment }, async (call) => {
    const amendmentId = call.request.params[1]!;
    const found = await call.ports.catalog('seasons.amendment', { ...target(call), amendmentId });
    return found.ok ? done({ amendment: amendmentOf(found.value.amendment) }) : found;
  }),
  serverRoute('GET /v1/seasons/{key}/audit', { ...counted, answer: auditAnswer }, async (call) => {
    const found = await call.ports.catalog('seasons.audit', target(call));
    return found.ok ? done({ requestId: call.request.requestId, ...found.value }) : found;
  }),
  serverRoute('GET /v1/seasons/{key}/outbox', { ...counted, answer: outboxAnswer }, (call) =>
    call.ports.catalog('seasons.outbox', target(call)),
  ),
  serverRoute(
    'POST /v1/seasons/{key}/outbox/{occurrenceId}/replay',
    { ...counted, answer: oneOutboxOccurrence },
    (call) => call.ports.catalog('seasons.replay', { ...target(call), occurrenceId: call.request.params[1]! }),
  ),
];

/** An amendment changes no contract and no seat, so there is no outcome to tell. */
export function amendmentOf(record: Amendment): z.output<typeof amendment> {
  return { ...record, contractOutcomes: [], allocationOutcomes: [] };
}
