/** Exchanges of booked units. The Idempotency-Key names the exchange, so a repetition is the same exchange (I5). */
import type { ExchangeTarget } from '@parterre/shared/commands';
import { done } from '@parterre/shared/errors';
import { idFor } from '@parterre/shared/ids';
import type { z } from 'zod';
import { unbudgeted } from '../../admission/admission.ts';
import { queryOf } from '../best-available/best-available.ts';
import { askWithAccess, eventRoute, labelsIn, newCallId, selectionsOf } from '../calls/calls.ts';
import { exchangeAnswer } from './answers.ts';
import { exchangeBody } from './bodies.ts';

export const exchangeRoutes = [
  eventRoute(
    'POST /v1/events/{key}/exchange',
    {
      answer: exchangeAnswer,
      body: exchangeBody,
      budget: unbudgeted.commands,
      labelsIn: ({ from, to }) => from.length + labelsIn(to),
      capability: 'event:boxoffice',
      idempotent: 'required',
    },
    async (call) => {
      const { bookingRef, from, to, reason } = call.body;
      const callId = call.callId ?? newCallId();
      const answer = await askWithAccess(call, {
        type: 'exchange',
        callId,
        exchangeId: idFor('exc', callId),
        bookingRef,
        from,
        to: targetOf(to),
        reason: reason ?? null,
      });
      return answer.ok ? done({ ok: true, ...answer.value }) : answer;
    },
  ),
];

function targetOf({ holdId, labels, selections, bestAvailable }: z.output<typeof exchangeBody>['to']): ExchangeTarget {
  if (bestAvailable) return { query: queryOf(bestAvailable) };
  if (holdId !== undefined) return { holdId, ...(labels && { labels: [...new Set(labels)] }) };
  return { selections: selectionsOf({ ...(labels && { labels }), ...(selections && { selections }) }) };
}
