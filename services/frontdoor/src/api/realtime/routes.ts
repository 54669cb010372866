/**
 * Tickets, the list of an event's units (binary frames name a unit by its place in the list) and the event stream, for
 * buyers and for servers.
 */
import { done } from '@parterre/shared/errors';
import type { z } from 'zod';
import { budgets, countedAddress, credentialHash, endOfAccess, type KnownEvent } from '../../admission/admission.ts';
import { EventStream, type Header, hasEtag, preparedJson, unchanged } from '../../answers/answers.ts';
import { seesMoney } from '../../logs/logs.ts';
import {
  type Audience,
  audienceOf,
  publicAudience,
  serverAudience,
  unitsId,
  withMoney,
} from '../../pictures/pictures.ts';
import { originMark } from '../../tickets/tickets.ts';
import { buyerRoute, type Call, eventRoute, inTime } from '../calls/calls.ts';
import { emptyBody, ticket } from '../records/records.ts';
import { unitList } from './answers.ts';
import { unitsQuery } from './queries.ts';

const counted = { budget: budgets.serverCalls };
const pageCalls = { budget: budgets.buyerCalls };

export const realtimeRoutes = [
  buyerRoute(
    'GET /pub/events/{key}/units',
    { answer: unitList, query: unitsQuery, budget: budgets.buyerReads },
    (call) => getUnits(call, 'buyer'),
  ),
  eventRoute(
    'GET /v1/events/{key}/units',
    { ...counted, answer: unitList, query: unitsQuery, capability: 'event:view' },
    (call) => getUnits(call, 'server'),
  ),
  buyerRoute(
    'POST /pub/events/{key}/subscribe-tickets',
    { ...pageCalls, answer: ticket, body: emptyBody, bodyOptional: true },
    async (call) =>
      call.ports.tickets.issue({
        eventKey: call.event.event.key,
        sees: audienceOf(call.principal).id === publicAudience.id ? 'public' : 'reach',
        keyHash: call.principal.keyHash,
        accessEndsAt: endOfAccess(call.principal),
        origin: originMark(call.request.origin),
      }),
  ),
  // With an Upgrade header the same address is a WebSocket: see sockets.ts.
  eventRoute('GET /v1/events/{key}/feed', { ...counted, answer: null, capability: 'event:view' }, async (call) => {
    const { feeds } = call.ports;
    const replica = await inTime(call, feeds.replicaOf(call.event.event));
    if (!replica.ok) return replica;
    const keyHash = credentialHash(call.principal, call.request.authorization);
    const audience = seesMoney(call.principal) ? withMoney(serverAudience) : serverAudience;
    const viewer = { audience, wire: 'text', shopper: null, keyHash, expiresAt: endOfAccess(call.principal) } as const;
    // The budgets of a load test are off, and all its viewers come from one machine.
    const address = call.ports.budgets && countedAddress(call.request.address());
    const refused = feeds.refusalOf(replica.value, viewer, address);
    if (refused) return refused;
    return done(new EventStream((reader) => feeds.stream(replica.value, viewer, address, reader)));
  }),
];

/** A caller that names the list by its id may keep the answer for ever: the list of an id never changes. */
async function getUnits(
  call: Call<'buyer' | 'console', unknown, KnownEvent, z.output<typeof unitsQuery>>,
  words: Audience['words'],
) {
  const { ports, request, event, query } = call;
  const replica = await inTime(call, ports.feeds.replicaOf(event.event));
  if (!replica.ok) return replica;
  const { picture } = replica.value;
  const id = unitsId(picture, words);
  const etag = `"${id}"`;
  const isNamed = query.id === id;
  const caching: Header[] = [['ETag', etag]];
  if (isNamed) caching.push(['Cache-Control', 'private, max-age=31536000, immutable']);
  if (hasEtag(request.ifNoneMatch, etag)) return done(unchanged(caching));
  return done(preparedJson(await ports.unitLists.listOf(picture, words), caching));
}
