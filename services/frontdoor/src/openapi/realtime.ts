/** The live map: tickets, the event stream, the frames, and the sockets, which are no rows of the route table. */
import { statusNames } from '@parterre/shared/records';
import { z } from 'zod';
import type { Description } from './description.ts';
import { buyerStatus, count, freePlaces, ok, optional, ticket } from './records.ts';
import { standIn } from './stand-ins.ts';

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
    z.object({ type: z.literal('pong'), protocol }),
  ])
  .describe('snapshotVersion only grows. A viewer that knows a later one than a frame has ignores the frame.');

/** Addresses that are sockets: OpenAPI has no words for what is said on them. */
export const sockets = {
  '/pub/events/{key}/subscribe': {
    operationId: 'subscribe',
    summary: 'The live map as a buyer sees it, over WebSocket',
    description:
      'Offer as subprotocols what subscribe-tickets gave in `protocols`: `parterre.v1`, which is echoed, and `tkt.<ticket>`; and ' +
      '`sv.<n>` to resume after version n. The server sends Frames as text; `{"type":"ping"}` is answered with a pong. It closes ' +
      'with 4401 where access was revoked (do not come back), 4419 where it expired (come back with a fresh session), 4404 where the ' +
      'event was deleted, 4408 where the reader was too slow, 1001 where this front door goes (come back to another one). Query parameters are accepted and ignored. Without a ' +
      'ticket that is good there is nothing here: 404.',
    refusals: [
      'not_found',
      'buyer_access_expired',
      'buyer_access_revoked',
      'catalog_unavailable',
      'overloaded',
      'shard_unavailable',
    ],
  },
} as const;
