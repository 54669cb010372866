/**
 * A further night for the holders of a plan: tells seat by seat whether another event can give its holders their seats.
 * Writes nothing. The organisation then publishes a plan with the event in a season that has it, and offers it.
 */
import { done } from '@parterre/shared/errors';
import { unitStatus } from '@parterre/shared/records';
import { SECOND_MS } from '@parterre/shared/units';
import { z } from 'zod';
import { eventInScope, knownInTime } from '../../admission/admission.ts';
import { cursor, limit, pageOf, serverRoute } from '../calls/calls.ts';
import { counted, target } from '../seasons/seasons.ts';
import { additionAnswer } from './answers.ts';
import { additionBody } from './bodies.ts';
import { codeOf, type Seats } from './row-judge.ts';
import { seatsOf } from './seat-sight.ts';

const additionQuery = z.object({ limit: limit({ usual: 100, most: 200 }), cursor });

export const additionRoutes = [
  serverRoute(
    'POST /v1/seasons/{key}/additions/validate',
    { ...counted, answer: additionAnswer, body: additionBody, query: additionQuery, deadlineMs: 30 * SECOND_MS },
    async (call) => {
      const { eventKey, planActivationId } = call.body;
      const found = await call.ports.catalog('seasons.get', target(call));
      if (!found.ok) return found;
      const event = await knownInTime(call.ports, eventKey, call.request.deadlineAt);
      const known = event.ok ? eventInScope(event, call.principal) : event;
      if (!known.ok) return known;
      const published = found.value.season.plans.filter(({ activationId }) => activationId !== null);
      const latest = published.sort((one, other) => other.publishedRevision! - one.publishedRevision!)[0];
      const plan = planActivationId ?? latest?.activationId ?? '';
      const [seats, contracts] = await Promise.all([
        seatsOf(call, [eventKey]),
        call.ports.catalog('rights.contracts', {
          ...target(call),
          versions: [],
          planActivationId: plan,
          page: pageOf(call.query),
        }),
      ]);
      if (!seats.ok) return seats;
      if (!contracts.ok) return contracts;
      const judged = contracts.value.contracts.flatMap(({ contractId, holderRef, labels }) =>
        labels.map((label) => ({ label, contractId, holderRef, ...judge(seats.value, label) })),
      );
      const givable = judged.filter(({ canGive }) => canGive).length;
      const { nextCursor } = contracts.value;
      return done({
        ...{ eventKey, planActivationId: plan, givable, withheld: judged.length - givable, seats: judged },
        ...(nextCursor !== undefined && { nextCursor }),
      });
    },
  ),
];

type Judged = { canGive: boolean; reason: 'seat_missing' | ReturnType<typeof codeOf> | null };

function judge(seats: Seats, label: string): Judged {
  const sight = seats(label);
  if (sight === null) return { canGive: false, reason: 'seat_missing' };
  if (sight.status === unitStatus.free) return { canGive: true, reason: null };
  return { canGive: false, reason: codeOf(sight.status) };
}
