import type { Description } from '../../openapi/description.ts';
import { standIn } from '../../openapi/stand-ins.ts';

const aboutUnits =
  'The units of the chart that the same credential is given, in its order: with floors floor by floor, object by object, and of an object seat by ' +
  'seat. Buyers are told nothing of what is hidden from them. A binary snapshot has the `id` of the list that it and the deltas after it go by.';
export const realtimeDescriptions = {
  'POST /pub/events/{key}/subscribe-tickets': {
    operationId: 'createBuyerTicket',
    tag: 'Realtime',
    summary: 'A ticket for one socket',
    description: 'Good once, and for 30 seconds.',
    refusals: ['overloaded'],
    examples: [
      { summary: 'Without a body' },
      { summary: 'With an empty one', body: {} },
      {
        summary: 'Of a live event, with a key for tests',
        path: { key: standIn.liveEvent },
        answers: 'buyer_access_mode_mismatch',
      },
    ],
  },
  'GET /pub/events/{key}/units': {
    operationId: 'getBuyerUnits',
    tag: 'Realtime',
    summary: 'How binary frames number the units',
    description: aboutUnits,
    headers: ['ETag', 'Cache-Control'],
    examples: [{ summary: 'The list' }],
  },
  'GET /v1/events/{key}/units': {
    operationId: 'getUnits',
    tag: 'Realtime',
    summary: "How a server's binary frames number the units",
    description: aboutUnits,
    headers: ['ETag', 'Cache-Control'],
    examples: [{ summary: 'The list' }],
  },
  'GET /v1/events/{key}/feed': {
    operationId: 'followEvent',
    tag: 'Realtime',
    summary: 'Follow the true statuses of an event',
    description:
      'Server-sent events, each `data` a Frame as JSON: a snapshot, then what changes. With an Upgrade header the same ' +
      'address is a WebSocket with the frames as text messages, as at /pub/events/{key}/subscribe, and needs no ticket. ' +
      'With the cookie of a session the Origin of the page must be of the Host that it calls, else 403 forbidden.',
    mediaTypes: ['text/event-stream'],
    headers: ['Cache-Control'],
    examples: [{ summary: 'Follow it' }],
  },
} as const satisfies Record<string, Description>;

/** Addresses that are sockets: OpenAPI has no words for what is said on them. */
export const sockets = {
  '/pub/events/{key}/subscribe': {
    operationId: 'subscribe',
    summary: 'The live map as a buyer sees it, over WebSocket',
    description:
      'Offer as subprotocols what subscribe-tickets gave in `protocols`, as it is: `parterre.v1` and `tkt.<ticket>`. The server echoes the first ' +
      'name that ends in `.v1`, and sends Frames as JSON in text messages; with `parterre.v1.bin` offered before it that one is echoed, and ' +
      'frames are BinaryFrames, msgpack in binary messages. `sv.<n>` resumes after version n, with access of the same reach: the answer is ' +
      'the delta since then, `resumed: true`, where it is still known, else a snapshot. A first snapshot may be some moments old, and the delta ' +
      'since follows at once. Changes of up to 50 ms are one frame. What is not in reach of the access shows as `not_for_sale`, and its ' +
      'changes are told to nobody. A ping, `{"type":"ping"}` as JSON or msgpack, is answered with a pong. ' +
      'The server closes with 4401 where access was revoked (do not come back), 4419 where it expired (come back with fresh access), 4404 where the ' +
      'event was deleted, 4408 where the reader was too slow (come back and resume), 1001 where this front door goes (come back to another one); ' +
      'a client that does not answer the pings of the protocol is let go within a minute. `viewerId` names a buyer for presence, so that one who has several ' +
      'sockets is counted once; `surface` and `pv` are accepted and ignored. Without a ticket that is good there is nothing here: 404.',
    refusals: [
      'not_found',
      'buyer_access_expired',
      'buyer_access_revoked',
      'catalog_unavailable',
      'overloaded',
      'shard_unavailable',
    ],
  },
  '/v1/events/{key}/feed': {
    operationId: 'feed',
    summary: 'The live map with the true statuses, over WebSocket',
    description:
      'For servers and consoles (a manage session needs event:view), with their credential in the request that opens the socket; from ' +
      'a page with the cookie, of this host alone. What is said on it, its subprotocols and its closes are those of ' +
      '/pub/events/{key}/subscribe, without a ticket. A manage session has one budget for all that it calls, this too.',
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
