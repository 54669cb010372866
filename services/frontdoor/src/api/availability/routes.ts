/** The availability of an event to buyers, by section and zone. */
import { bulkBodyBytesMax } from '@parterre/shared/limits';
import type { z } from 'zod';
import { budgets } from '../../admission/admission.ts';
import { ask, eventRoute, newCallId } from '../calls/calls.ts';
import { availabilityView } from './answers.ts';
import { availabilityBody } from './bodies.ts';

const counted = { budget: budgets.serverCalls };

const long = { bodyBytesMax: bulkBodyBytesMax };

export const availabilityRoutes = [
  eventRoute(
    'GET /v1/events/{key}/availability',
    { ...counted, answer: availabilityView, capability: ['event:view', 'event:block'] },
    (call) => ask(call, { type: 'availability' }),
  ),
  eventRoute(
    'POST /v1/events/{key}/availability',
    {
      ...counted,
      answer: availabilityView,
      capability: 'event:block',
      body: availabilityBody,
      labelsIn: labelsOfRules,
      ...long,
    },
    (call) => {
      const { rules, version } = call.body;
      const named = version === undefined ? {} : { version };
      return ask(call, { type: 'set-availability', callId: newCallId(), rules, ...named });
    },
  ),
];

function labelsOfRules({ rules }: z.output<typeof availabilityBody>): number {
  return Object.values(rules).reduce((sum, { labels = [] }) => sum + labels.length, 0);
}
