/** Ticket releases of an event: read the list, replace it, close one of them. */
import type { ReleaseDraft } from '@parterre/shared/commands';
import { newId } from '@parterre/shared/ids';
import type { z } from 'zod';
import { budgets } from '../../admission/admission.ts';
import { ask, eventRoute, newCallId } from '../calls/calls.ts';
import { releaseList } from './answers.ts';
import { releasesBody } from './bodies.ts';

const counted = { budget: budgets.serverCalls };

export const releaseRoutes = [
  eventRoute('GET /v1/events/{key}/releases', { ...counted, answer: releaseList, capability: 'event:view' }, (call) =>
    ask(call, { type: 'releases' }),
  ),
  eventRoute('PUT /v1/events/{key}/releases', { ...counted, answer: releaseList, body: releasesBody }, (call) => {
    const releases = call.body.releases.map(draftOf);
    return ask(call, { type: 'set-releases', callId: newCallId(), releases });
  }),
  eventRoute('POST /v1/events/{key}/releases/{id}/close', { ...counted, answer: releaseList }, (call) =>
    ask(call, { type: 'close-release', callId: newCallId(), releaseId: call.request.params[1]! }),
  ),
];

function draftOf(release: z.output<typeof releasesBody>['releases'][number]): ReleaseDraft {
  const { id, name, price, action } = release;
  const { previousPrice = null, quota = null, startsAt = null, endsAt = null } = release;
  const { categoryKey = null, actionUrl = null } = release;
  const named = id == null ? { id: newId('rel'), isNew: true } : { id, isNew: false };
  return { ...named, name, price, previousPrice, quota, startsAt, endsAt, categoryKey, action, actionUrl };
}
