/** Resale of booked units: list units, and take a listing back. The sale itself is an ordinary booking. */
import { done } from '@parterre/shared/errors';
import { newId } from '@parterre/shared/ids';
import { unbudgeted } from '../../admission/admission.ts';
import { ask, eventRoute, labelsIn, newCallId } from '../calls/calls.ts';
import { answer } from './answers.ts';
import { listResaleBody, removeResaleBody } from './bodies.ts';

const command = { budget: unbudgeted.commands };

export const resaleRoutes = [
  eventRoute(
    'POST /v1/events/{key}/resale/list',
    { ...command, labelsIn, answer: answer, body: listResaleBody },
    async (call) => {
      const { labels, bookingRef } = call.body;
      const listingId = newId('lst');
      const answer = await ask(call, { type: 'list-resale', callId: newCallId(), listingId, bookingRef, labels });
      return answer.ok ? done({ ok: true, listingId: answer.value.listingId, labels: answer.value.labels }) : answer;
    },
  ),
  eventRoute(
    'POST /v1/events/{key}/resale/remove',
    { ...command, answer: answer, body: removeResaleBody },
    async (call) => {
      const { listingId } = call.body;
      const answer = await ask(call, { type: 'remove-resale', callId: newCallId(), listingId });
      return answer.ok ? done({ ok: true, listingId, labels: answer.value.labels }) : answer;
    },
  ),
];
