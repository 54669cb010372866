/** The live map: tickets, the event stream, the frames, and the sockets, which are no rows of the route table. */
import { activityEntriesMax, activityLabelsMax } from '@parterre/shared/limits';
import { statusNames } from '@parterre/shared/records';
import { z } from 'zod';
import type { Description } from '../../openapi/description.ts';
import { standIn } from '../../openapi/stand-ins.ts';
import { logEntry } from '../history/descriptions.ts';
import { buyerStatus, count, freePlaces, ok, optional, ticket } from '../records/records.ts';

const aboutUnits =
  'The units of the chart that the same credential is given, in its order: with floors floor by floor, object by object, and of an object seat by ' +
  'seat. Buyers are told nothing of what is hidden from them. A binary snapshot has the `id` of the list that it and the deltas after it go by.';
const unitList = z.object({ id: z.string(), units: z.array(z.string()).describe('Labels by number, from 0.') });
const unitsQuery = {
  id: {
    description: "A snapshot's `u`. Where it is the present list's, the answer may be kept for ever.",
    schema: z.string(),
  },
};

export const realtime = {
  'POST /pub/events/{key}/subscribe-tickets': {
    operationId: 'createBuyerTicket',
    tag: 'Realtime',
    summary: 'A ticket for one socket',
    description: 'Good once, and for 30 seconds.',
    answer: ticket,
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
    answer: unitList,
    query: unitsQuery,
    headers: ['ETag', 'Cache-Control'],
    examples: [{ summary: 'The list' }],
  },
  'GET /v1/events/{key}/units': {
    operationId: 'getUnits',
    tag: 'Realtime',
    summary: "How a server's binary frames number the units",
    description: aboutUnits,
    answer: unitList,
    query: unitsQuery,
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
    answer: null,
    mediaTypes: ['text/event-stream'],
    headers: ['Cache-Control'],
    examples: [{ summary: 'Follow it' }],
  },
} as const satisfies Record<string, Description>;

const status = z
  .union([buyerStatus, z.enum(statusNames)])
  .describe('Buyers see not_for_sale where servers see blocked.');
const scopes = z.array(z.string());
const map = { hidden: scopes, closed: scopes, ga: freePlaces };
const protocol = z.literal(1);

/** What sockets and streams carry. */
export const frame = z
  .discriminatedUnion('type', [
    z.object({
      type: z.literal('snapshot'),
      protocol,
      snapshotVersion: count,
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
      resumed: optional(ok.describe('What was missed since the version that sv.<n> named.')),
    }),
    z
      .object({ type: z.literal('hidden'), protocol, hidden: scopes, closed: scopes })
      .describe('What is hidden or closed has changed; buyers get a snapshot next.'),
    z
      .object({ type: z.literal('allocation'), protocol, allocationVersion: count })
      .describe(
        'Seats were assigned to other channels, or a channel was paused or archived; buyers get a snapshot next.',
      ),
    z
      .object({ type: z.literal('activity'), protocol, entries: z.array(logEntry) })
      .describe(
        'To consoles, who have their ticket of /v1: what was done since, newest first, at most twice a second; no more than the ' +
          `latest ${activityEntriesMax} entries, each with ${activityLabelsMax} labels.`,
      ),
    z
      .object({ type: z.literal('presence'), protocol, shoppingSessions: count, activeHolds: count })
      .describe(
        'Buyers who watch, over all front doors, and holds under way. At most every two seconds, and where it changed.',
      ),
    z.object({ type: z.literal('pong'), protocol }),
  ])
  .describe('snapshotVersion only grows. A viewer that knows a later one than a frame has ignores the frame.');

const unitStatus = z.int().min(0).max(3).describe('0 free, 1 held, 2 booked, 3 not_for_sale, to servers blocked.');
const binaryMap = { hidden: scopes, closed: scopes, ga: freePlaces };

/** What sockets of the binary protocol carry, each frame one msgpack map in one binary message. */
export const binaryFrame = z
  .discriminatedUnion('t', [
    z.object({
      t: z.literal('s'),
      v: count.describe('snapshotVersion'),
      u: z
        .string()
        .describe('The id of the list of units, as GET …/units has it, that this and the deltas after it go by.'),
      n: count.describe('How many units.'),
      s: z.unknown().describe('Bytes: 2 bits a unit in the order of the list, four units a byte, lowest bits first.'),
      ...binaryMap,
    }),
    z.object({
      t: z.literal('d'),
      v: count.describe('snapshotVersion'),
      c: z.array(z.union([count, unitStatus])).describe('A unit and its status, by turns.'),
      ga: optional(freePlaces),
      resumed: optional(ok),
    }),
    z.object({ t: z.literal('h'), hidden: scopes, closed: scopes }).describe('hidden'),
    z.object({ t: z.literal('a'), a: count.describe('allocationVersion') }).describe('allocation'),
    z.object({ t: z.literal('p'), shoppingSessions: count, activeHolds: count }).describe('presence'),
    z.object({ t: z.literal('o') }).describe('pong'),
  ])
  .describe('The Frames of parterre.v1.bin as msgpack: snapshot, delta, hidden, allocation, presence and pong.');

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
