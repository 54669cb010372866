/** Sales at a counter. */
import { done } from '@parterre/shared/errors';
import { unbudgeted } from '../../admission/admission.ts';
import { askWithAccess, eventRoute, labelsIn, newCallId, selectionsOf } from '../calls/calls.ts';
import { bookAtBoxOfficeAnswer, sellAtBoxOfficeAnswer } from './answers.ts';
import { boxBookBody, boxOfficeSaleBody } from './bodies.ts';

const command = { budget: unbudgeted.commands };

export const boxOfficeRoutes = [
  eventRoute(
    'POST /v1/events/{key}/box-book',
    { ...command, labelsIn, answer: bookAtBoxOfficeAnswer, body: boxBookBody },
    async (call) => {
      const { bookingRef } = call.body;
      const selections = selectionsOf(call.body);
      const answer = await askWithAccess(call, { type: 'box-book', callId: newCallId(), bookingRef, selections });
      return answer.ok ? done({ ok: true, booked: answer.value.booked }) : answer;
    },
  ),
  eventRoute(
    'POST /v1/events/{key}/box-office/sale',
    { ...command, labelsIn, answer: sellAtBoxOfficeAnswer, capability: 'event:boxoffice', body: boxOfficeSaleBody },
    async (call) => {
      const { bookingRef, selections, releaseId, note } = call.body;
      const answer = await askWithAccess(call, {
        type: 'box-office-sale',
        callId: newCallId(),
        bookingRef,
        selections,
        ...(releaseId == null ? {} : { releaseId }),
        ...(note ? { note } : {}),
      });
      if (!answer.ok) return answer;
      const { booked, items, total, currency } = answer.value;
      return done({ ok: true, booked, items, total, currency });
    },
  ),
];
