/**
 * The live map: tickets, the list of an event's units (binary frames name a unit by its place in the list), the event
 * stream and the frames, for buyers and for servers.
 */

import { done } from '@parterre/shared/protocol/errors';
import { activityEntriesMax, activityLabelsMax } from '@parterre/shared/protocol/limits';
import { statusNames } from '@parterre/shared/protocol/records';
import { z } from 'zod';
import { budgets, countedAddress, credentialHash, endOfAccess, type KnownEvent } from '../admission/admission.ts';
import { EventStream, type Header, hasEtag, preparedJson, unchanged } from '../answers/answers.ts';
import { seesMoney } from '../logs/logs.ts';
import { standIn } from '../openapi/openapi.ts';
import { type Audience, audienceOf, publicAudience, serverAudience, unitsId, withMoney } from '../pictures/pictures.ts';
import { originMark } from '../tickets/ticket-token.ts';
import { inTime } from './calls/ask.ts';
import { text } from './calls/query.ts';
import { buyerRoute, type Call, eventRoute } from './calls/route.ts';
import { buyerStatus, count, emptyBody, freePlaces, ok, optional, price, priceUnit, stale, ticket } from './records.ts';
import { logEntry } from './reports.ts';

const unitList = z.object({ id: z.string(), units: z.array(z.string()).describe('Labels by number, from 0.') });

const unitsQuery = z.object({
  id: text("A snapshot's `u`. If the current list has this id, the answer may be kept for ever."),
});

const aboutUnits =
  'The units of the chart that this credential gets, in chart order: floor by floor where the chart has floors, ' +
  'object by object, seat by seat. The list for buyers lacks the units that are hidden from them. A binary snapshot ' +
  'names the `id` of the list for itself and the deltas after it.';

const getBuyerUnits = buyerRoute(
  'GET /pub/events/{key}/units',
  {
    answer: unitList,
    query: unitsQuery,
    budget: budgets.buyerReads,
    description: {
      operationId: 'getBuyerUnits',
      tag: 'Realtime',
      summary: 'The numbers of units in binary frames',
      description: aboutUnits,
      headers: ['ETag'],
      examples: [{ summary: 'The list' }],
    },
  },
  (call) => getUnits(call, 'buyer'),
);

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

const getUnitsRoute = eventRoute(
  'GET /v1/events/{key}/units',
  {
    budget: budgets.serverCalls,
    answer: unitList,
    query: unitsQuery,
    capability: 'event:view',
    description: {
      operationId: 'getUnits',
      tag: 'Realtime',
      summary: "The numbers of units in a server's binary frames",
      description: aboutUnits,
      headers: ['ETag'],
      examples: [{ summary: 'The list' }],
    },
  },
  (call) => getUnits(call, 'server'),
);

const createBuyerTicket = buyerRoute(
  'POST /pub/events/{key}/subscribe-tickets',
  {
    budget: budgets.buyerCalls,
    answer: ticket,
    body: emptyBody,
    bodyOptional: true,
    description: {
      operationId: 'createBuyerTicket',
      tag: 'Realtime',
      summary: 'A ticket for one socket',
      description:
        'Valid once, within 30 seconds, for a page of the origin that asked for it. A ticket is opaque, and of up to ' +
        '1,000 characters.',
      examples: [
        { summary: 'Without a body' },
        { summary: 'With an empty body', body: {} },
        {
          summary: 'Of a live event, with a test key',
          path: { key: standIn.liveEvent },
          answers: 'buyer_access_mode_mismatch',
        },
      ],
    },
  },
  async (call) =>
    call.ports.tickets.issue({
      eventKey: call.event.event.key,
      sees: audienceOf(call.principal).id === publicAudience.id ? 'public' : 'reach',
      keyHash: call.principal.keyHash,
      accessEndsAt: endOfAccess(call.principal),
      origin: originMark(call.request.origin),
    }),
);

// With an Upgrade header the same address is a WebSocket: see sockets.ts.
const followEvent = eventRoute(
  'GET /v1/events/{key}/feed',
  {
    budget: budgets.serverCalls,
    answer: null,
    capability: 'event:view',
    description: {
      operationId: 'followEvent',
      tag: 'Realtime',
      summary: 'Follow the true statuses of an event',
      description:
        'Server-sent events, each `data` a Frame as JSON: a snapshot, then changes. With an Upgrade header the same ' +
        'address is a WebSocket with frames like /pub/events/{key}/subscribe, and needs no ticket. With the cookie of ' +
        "a session the page's Origin must be the Host of the request; otherwise 403 forbidden.",
      mediaTypes: ['text/event-stream'],
      examples: [{ summary: 'Follow it' }],
    },
  },
  async (call) => {
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
  },
);

const protocol = z.literal(1);

const status = z
  .union([buyerStatus, z.enum(statusNames)])
  .describe('Buyers see not_for_sale where servers see blocked.');

const scopes = z.array(z.string());

const map = { hidden: scopes, closed: scopes, ga: freePlaces };

const bookedValue = z
  .object({ gross: price, priceUnit })
  .describe('The value of all booked units, without fees on top. For servers, and for consoles with event:reports.');

/** The frames of sockets and streams. */
export const frame = z
  .discriminatedUnion('type', [
    z.object({
      type: z.literal('snapshot'),
      protocol,
      snapshotVersion: count,
      stale,
      default: status.describe('The status of every unit that `seats` does not name.'),
      seats: z.record(z.string(), status),
      ...map,
    }),
    z.object({
      type: z.literal('delta'),
      protocol,
      snapshotVersion: count,
      changes: z.array(z.object({ label: z.string(), status })),
      ga: optional(freePlaces),
      bookedValue: optional(bookedValue),
      resumed: optional(ok.describe('Set if the changes begin after the version that sv.<n> named.')),
    }),
    z
      .object({ type: z.literal('hidden'), protocol, hidden: scopes, closed: scopes })
      .describe('The hidden or closed divisions have changed. Buyers get a snapshot next.'),
    z
      .object({ type: z.literal('allocation'), protocol, allocationVersion: count })
      .describe(
        'Seats were assigned to other channels, or a channel was paused or archived. Buyers get a snapshot next.',
      ),
    z
      .object({ type: z.literal('activity'), protocol, entries: z.array(logEntry) })
      .describe(
        'For consoles with a ticket of /v1: the new entries of the log, newest first, at most twice a second. At ' +
          `most the latest ${activityEntriesMax} entries, each with at most ${activityLabelsMax} labels.`,
      ),
    z
      .object({ type: z.literal('presence'), protocol, shoppingSessions: count, activeHolds: count })
      .describe('Buyers who watch, over all front doors, and active holds. Sent on change, at most every two seconds.'),
    z.object({ type: z.literal('pong'), protocol }),
  ])
  .describe('snapshotVersion only grows. A viewer ignores a frame that is older than the version it has.');

const binaryMap = { hidden: scopes, closed: scopes, ga: freePlaces };

/** The frames of the binary protocol, each a msgpack map in one binary message. */
export const binaryFrame = z
  .discriminatedUnion('t', [
    z.object({
      t: z.literal('s'),
      v: count.describe('snapshotVersion'),
      stale,
      u: z
        .string()
        .describe('The id of the list of units for this snapshot and the deltas after it; GET …/units has the list.'),
      n: count.describe('The number of units.'),
      s: z
        .unknown()
        .describe('Bytes: 2 bits for each unit in the order of the list, four units a byte, lowest bits first.'),
      ...binaryMap,
    }),
    z.object({
      t: z.literal('d'),
      v: count.describe('snapshotVersion'),
      c: z
        .array(count)
        .describe(
          'Unit numbers and statuses in turn: 0 free, 1 held, 2 booked, 3 not_for_sale (blocked, for servers).',
        ),
      ga: optional(freePlaces),
      bookedValue: optional(bookedValue),
      resumed: optional(ok),
    }),
    z.object({ t: z.literal('h'), hidden: scopes, closed: scopes }).describe('hidden'),
    z.object({ t: z.literal('a'), a: count.describe('allocationVersion') }).describe('allocation'),
    z.object({ t: z.literal('l'), entries: z.array(logEntry) }).describe('activity'),
    z.object({ t: z.literal('p'), shoppingSessions: count, activeHolds: count }).describe('presence'),
    z.object({ t: z.literal('o') }).describe('pong'),
  ])
  .describe(
    'The Frames of parterre.v1.bin as msgpack: snapshot, delta, hidden, allocation, activity, presence and pong.',
  );

/** The sockets. OpenAPI has no form for their messages. */
export const sockets = {
  '/pub/events/{key}/subscribe': {
    operationId: 'subscribe',
    summary: 'The live map for a buyer, over WebSocket',
    description:
      'Offer the `protocols` of subscribe-tickets as subprotocols, unchanged: `parterre.v1` and `tkt.<ticket>`. The ' +
      'server echoes the first name that ends in `.v1`, and sends Frames as JSON in text messages. If ' +
      '`parterre.v1.bin` is offered before it, the server echoes that name, and sends BinaryFrames, msgpack in ' +
      'binary messages. `sv.<n>` resumes after version n, with access of the same reach: the answer is the delta ' +
      'since then with `resumed: true` if it is still known, else a snapshot. A first snapshot may be a moment old; ' +
      'the delta since follows at once. Changes of up to 50 ms are one frame; where many watch, or a reader is slow, ' +
      'frames are fewer and larger. The first change after a quiet time waits 20 ms, so that ' +
      'a page reads the answer to its own hold first. Units outside the reach show as ' +
      '`not_for_sale`, and no frame tells their changes. A ping, `{"type":"ping"}` as JSON or msgpack, is answered ' +
      'with a pong. The server closes with 4401 if access was revoked (do not come back), 4419 if it expired (come ' +
      'back with fresh access), 4404 if the event was deleted, 4408 if the reader was too slow (come back and ' +
      'resume), 4429 if the client sent too many frames or bytes in a second (32 frames, 16 KiB), 1001 if this front ' +
      'door shuts down or has no room left (come back, perhaps to another one). A client that does not answer the ' +
      "protocol's pings is dropped within a minute. `viewerId` names a buyer for presence, so that a buyer with " +
      'several sockets counts once. `surface` and `pv` are accepted and ignored. Without a valid ticket the answer ' +
      'is 404.',
    refusals: [
      'not_found',
      'buyer_access_expired',
      'buyer_access_revoked',
      'rate_limited',
      'catalog_unavailable',
      'journal_lost_records',
      'overloaded',
      'shard_unavailable',
    ],
  },
  '/v1/events/{key}/feed': {
    operationId: 'feed',
    summary: 'The live map with true statuses, over WebSocket',
    description:
      'For servers and consoles (a manage session needs event:view), with their credential in the request that ' +
      'opens the socket. With the cookie only a page of this host may open it. Messages, subprotocols and closes ' +
      'are those of /pub/events/{key}/subscribe, without a ticket. A manage session has one budget for all its ' +
      'calls, this one included. For other credentials the call counts in `server-calls`.',
    security: [{ secretKey: [] }, { manageSession: [] }, { dashboardSession: [] }],
    refusals: [
      'unauthorized',
      'forbidden',
      'capability_required',
      'mode_mismatch',
      'not_found',
      'rate_limited',
      'catalog_unavailable',
      'journal_lost_records',
      'overloaded',
      'shard_unavailable',
    ],
  },
} as const;

export const realtimeRoutes = [getBuyerUnits, getUnitsRoute, createBuyerTicket, followEvent];

export const realtimeSchemas = { Frame: frame, BinaryFrame: binaryFrame };
