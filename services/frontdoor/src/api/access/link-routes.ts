/**
 * Access links: hosted links to one channel, each redeemed for buyers' sessions. A manage session may read and manage
 * links if it may read and manage channels. A capability appears only in the answer that creates it.
 */
import type { LinkCause } from '@parterre/shared/catalog/access';
import { done } from '@parterre/shared/errors';
import type { z } from 'zod';
import { budgets, type KnownEvent, scopeOf } from '../../admission/admission.ts';
import { accessLinkUrl, secretOnce } from '../../answers/answers.ts';
import { type Call, eventRoute } from '../calls/calls.ts';
import { checkChannelOfPath } from '../channels/channels.ts';
import { accessLinkBody, rotationBody } from './bodies.ts';
import {
  createAccessLinkAnswer,
  listAccessLinksAnswer,
  revokeAccessLinkAnswer,
  rotateAccessLinkAnswer,
} from './link-answers.ts';
import { endOfLinkQuery } from './queries.ts';

const counted = { budget: budgets.serverCalls };

type EventCall<Body = unknown> = Call<'console', Body, KnownEvent>;

const view = { capability: 'event:channels:view' } as const;
const manage = { capability: 'event:channels:manage' } as const;

export const accessLinkRoutes = [
  eventRoute(
    'GET /v1/events/{key}/channels/{id}/access-links',
    { ...counted, ...view, answer: listAccessLinksAnswer },
    async (call) => {
      const where = channelOf(call);
      const known = await checkChannelOfPath(call, where.channelId, true);
      return known.ok ? call.ports.catalog('access-links.list', where) : known;
    },
  ),
  eventRoute(
    'POST /v1/events/{key}/channels/{id}/access-links',
    { ...counted, answer: createAccessLinkAnswer, ...manage, body: accessLinkBody, bodyOptional: true, status: 201 },
    createLink,
  ),
  eventRoute(
    'POST /v1/events/{key}/channels/{id}/access-links/{linkId}/rotate',
    { ...counted, answer: rotateAccessLinkAnswer, ...manage, body: rotationBody },
    async (call) => {
      const { endActiveSessions, reason = null } = call.body;
      const input = { ...linkOf(call), endActiveSessions, by: causeOf(call, reason) };
      const rotated = await call.ports.catalog('access-links.rotate', input);
      if (!rotated.ok) return rotated;
      const { link, previous, endedSessions, capability } = rotated.value;
      return secretOnce({ link, previous, endedSessions, ...revealed(call, capability) }, 200);
    },
  ),
  eventRoute(
    'DELETE /v1/events/{key}/channels/{id}/access-links/{linkId}',
    { ...counted, ...manage, answer: revokeAccessLinkAnswer, query: endOfLinkQuery },
    async (call) => {
      const { endActiveSessions, reason } = call.query;
      const input = { ...linkOf(call), endActiveSessions, by: causeOf(call, reason) };
      const ended = await call.ports.catalog('access-links.revoke', input);
      return ended.ok ? done({ ok: true, ...ended.value }) : ended;
    },
  ),
];

async function createLink(call: EventCall<z.infer<typeof accessLinkBody>>) {
  const { reason = null, ...draft } = call.body;
  const where = channelOf(call);
  const known = await checkChannelOfPath(call, where.channelId);
  if (!known.ok) return known;
  const created = await call.ports.catalog('access-links.create', {
    ...{ ...where, draft, by: causeOf(call, reason) },
    version: known.value,
  });
  if (!created.ok) return created;
  const { link, capability } = created.value;
  return secretOnce({ link, ...revealed(call, capability) });
}

function channelOf({ principal, event, request }: EventCall) {
  return { scope: scopeOf(principal), eventKey: event.event.key, channelId: request.params[1]! };
}

function linkOf(call: EventCall) {
  return { ...channelOf(call), linkId: call.request.params[2]! };
}

function causeOf({ principal }: EventCall, reason: string | null): LinkCause {
  return { source: principal.kind === 'secret' ? 'server' : 'operator', reason };
}

function revealed({ request, event }: EventCall, capability: string) {
  return { url: accessLinkUrl(request, event.event.key, capability), capability, revealedOnce: true as const };
}
