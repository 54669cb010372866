/** The description of the live map: tickets, the event stream, and the sockets, which are not routes. */
import { type Description, standIn } from '../../openapi/openapi.ts';

const aboutUnits =
  'The units of the chart that this credential gets, in chart order: floor by floor where the chart has floors, ' +
  'object by object, seat by seat. The list for buyers lacks the units that are hidden from them. A binary snapshot ' +
  'names the `id` of the list for itself and the deltas after it.';
export const realtimeDescriptions = {
  'POST /pub/events/{key}/subscribe-tickets': {
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
  'GET /pub/events/{key}/units': {
    operationId: 'getBuyerUnits',
    tag: 'Realtime',
    summary: 'The numbers of units in binary frames',
    description: aboutUnits,
    headers: ['ETag'],
    examples: [{ summary: 'The list' }],
  },
  'GET /v1/events/{key}/units': {
    operationId: 'getUnits',
    tag: 'Realtime',
    summary: "The numbers of units in a server's binary frames",
    description: aboutUnits,
    headers: ['ETag'],
    examples: [{ summary: 'The list' }],
  },
  'GET /v1/events/{key}/feed': {
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
} as const satisfies Record<string, Description>;

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
      'the delta since follows at once. Changes of up to 50 ms are one frame. The first change after a quiet time waits 20 ms, so that ' +
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
      'overloaded',
      'shard_unavailable',
    ],
  },
} as const;
