/**
 * Tickets, the list of an event's units (binary frames name a unit by its place in the list) and the event stream, for
 * buyers and for servers.
 */
import { done } from '@parterre/shared/errors';
import type { z } from 'zod';
import { budgets, credentialHash, endOfAccess, type KnownEvent } from '../../admission/admission.ts';
import { EventStream, hasEtag, preparedJson, unchanged } from '../../answers/answers.ts';
import { type Audience, audienceOf, unitsId } from '../../pictures/pictures.ts';
import { buyerRoute, type Call, eventRoute } from '../calls/calls.ts';
import { emptyBody, ticket } from '../records/records.ts';
import { unitList } from './answers.ts';
import { unitsQuery } from './queries.ts';

export const realtimeRoutes = [
  buyerRoute(
    'GET /pub/events/{key}/units',
    { answer: unitList, query: unitsQuery, budget: budgets.buyerReads },
    (call) => getUnits(call, 'buyer'),
  ),
  eventRoute('GET /v1/events/{key}/units', { answer: unitList, query: unitsQuery, capability: 'event:view' }, (call) =>
    getUnits(call, 'server'),
  ),
  buyerRoute(
    'POST /pub/events/{key}/subscribe-tickets',
    { answer: ticket, body: emptyBody, bodyOptional: true },
    (call) =>
      call.ports.tickets.issue({
        eventKey: call.event.event.key,
        audience: audienceOf(call.principal),
        keyHash: call.principal.keyHash,
        accessEndsAt: endOfAccess(call.principal),
        origin: call.request.origin,
      }),
  ),
  // With an Upgrade header the same address is a WebSocket: see sockets.ts.
  eventRoute('GET /v1/events/{key}/feed', { answer: null, capability: 'event:view' }, async (call) => {
    const replica = await call.ports.feeds.replicaOf(call.event.event);
    if (!replica.ok) return replica;
    const keyHash = credentialHash(call.principal, call.request.authorization);
    const access = { keyHash, expiresAt: endOfAccess(call.principal) };
    return done(new EventStream((reader) => call.ports.feeds.stream(replica.value, access, reader)));
  }),
];

/** A caller that names the list by its id may keep the answer for ever: the list of an id never changes. */
async function getUnits(
  { ports, request, event, query }: Call<'buyer' | 'console', unknown, KnownEvent, z.output<typeof unitsQuery>>,
  words: Audience['words'],
) {
  const replica = await ports.feeds.replicaOf(event.event);
  if (!replica.ok) return replica;
  const { picture } = replica.value;
  const id = unitsId(picture, words);
  const etag = `"${id}"`;
  const isNamed = query.id === id;
  const caching = [
    ['ETag', etag] as const,
    ['Cache-Control', isNamed ? 'private, max-age=31536000, immutable' : 'private, no-cache'] as const,
  ];
  if (hasEtag(request.ifNoneMatch, etag)) return done(unchanged(caching));
  return done(preparedJson(await ports.unitLists.listOf(picture, words), caching));
}
