/**
 * Access links (wire contract 6): hosted links to one channel, each redeemed for buyers' sessions. A manage session may read and manage
 * them as it may the channels. A capability is in its answer and nowhere else.
 */
import { done, type Outcome } from '@parterre/shared/errors';
import type { z } from 'zod';
import type { KnownEvent } from '../events-cache.ts';
import { accessLinkUrl } from '../rules/public-address.ts';
import { accessLinkBody, rotationBody } from './bodies-access.ts';
import { checkChannelExists, checkChannels } from './known-channels.ts';
import { type Call, eventRoute, type Route } from './route.ts';
import { scopeOf } from './scope.ts';
import { secretOnce } from './secret-once.ts';

type EventCall<Body = unknown> = Call<'console', Body, KnownEvent>;

const view = { capability: 'event:channels:view' } as const;
const manage = { capability: 'event:channels:manage' } as const;

export const accessLinkRoutes: Route[] = [
  eventRoute('GET /v1/events/{key}/channels/{id}/access-links', view, async (call) => {
    const where = channelOf(call);
    const known = await checkChannelExists(call, where.channelId);
    return known.ok ? call.ports.catalog('access-links.list', where) : known;
  }),
  eventRoute(
    'POST /v1/events/{key}/channels/{id}/access-links',
    { ...manage, body: accessLinkBody, bodyOptional: true, status: 201 },
    createLink,
  ),
  eventRoute(
    'POST /v1/events/{key}/channels/{id}/access-links/{linkId}/rotate',
    { ...manage, body: rotationBody },
    async (call) => {
      const { endActiveSessions } = call.body;
      const rotated = await call.ports.catalog('access-links.rotate', { ...linkOf(call), endActiveSessions });
      if (!rotated.ok) return rotated;
      const { link, previous, endedSessions, capability } = rotated.value;
      return secretOnce({ link, previous, endedSessions, ...revealed(call, capability) }, 200);
    },
  ),
  eventRoute('DELETE /v1/events/{key}/channels/{id}/access-links/{linkId}', manage, async (call) => {
    const endActiveSessions = isYes(call.request.query.get('endActiveSessions'));
    const ended = await call.ports.catalog('access-links.revoke', { ...linkOf(call), endActiveSessions });
    return ended.ok ? done({ ok: true, ...ended.value }) : ended;
  }),
];

async function createLink(call: EventCall<z.infer<typeof accessLinkBody>>): Promise<Outcome<unknown>> {
  const { reason: _, ...draft } = call.body;
  const where = channelOf(call);
  const known = await checkChannels(call, [where.channelId]);
  if (!known.ok) return known;
  const created = await call.ports.catalog('access-links.create', { ...where, draft });
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

function revealed({ request, event }: EventCall, capability: string) {
  return { url: accessLinkUrl(request, event.event.key, capability), capability, revealedOnce: true };
}

function isYes(text: string | null): boolean {
  return text === '1' || text === 'true';
}
