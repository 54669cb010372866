/**
 * The description of a route beside its row of the route table: one `Description` for each signature. Method, path,
 * credential, body, query, answer, budget and status of success come from the row itself, so the description cannot
 * contradict the row.
 */
import type { RefusalCode } from '@parterre/shared/protocol/errors';

export const tags = {
  Health: 'The readiness check, and this description.',
  Operator: "The operator's own calls: organisations, users, keys and credits.",
  Dashboard: 'Sessions of users who sign in with a password.',
  Workspaces: 'Parts of an organisation that charts and events belong to.',
  Charts: 'Seat maps that events are created from.',
  Events: 'Lifecycle and facts of events.',
  Inventory: 'Holds, bookings and blocks of one event.',
  Channels: 'Named stocks of an event, with their own prices.',
  Reports: 'The sales of an event, and its log.',
  Webhooks: 'Signed webhook subscriptions, and their deliveries.',
  Access: 'Sessions and links that let pages reach an event or a chart.',
  Buyers: "The calls of buyers' browsers.",
  Groups: 'Performance groups: the same seats of several events, sold all or none.',
  Seasons: 'Seasons: the same seats of many events, sold as one, with plans and amendments.',
  Realtime: 'The live seat map.',
  'Webhook events': 'The posts that a receiver gets.',
} as const;

export type Tag = keyof typeof tags;

/** A call that can be sent as soon as its stand-ins are replaced (stand-ins.ts). */
export type Example = {
  summary: string;
  /** Values of path parameters that differ from the usual stand-in. */
  path?: Record<string, string>;
  query?: Record<string, string>;
  headers?: Record<string, string>;
  body?: unknown;
  /** A body that is not JSON, in base64. */
  bytes?: { mediaType: string; base64: string };
  /** The code of the refusal, for an example of a refusal. */
  answers?: RefusalCode;
  /** The status of success, if it differs from the route's usual status. */
  status?: number;
};

export type Description = {
  /** The id also names the schemas of body and answer: `holdSeats` has HoldSeatsBody and HoldSeatsAnswer. */
  operationId: string;
  tag: Tag;
  summary: string;
  description: string;
  /** The media types of a success that is not JSON. */
  mediaTypes?: readonly string[];
  /** The media types of a body that is not JSON. */
  takes?: readonly string[];
  /** The headers of a success, besides X-Request-ID. */
  headers?: readonly HeaderName[];
  /** The refusals beyond the refusals that follow from the row (refusals.ts). */
  refusals?: readonly RefusalCode[];
  /** At least one example succeeds. */
  examples: readonly [Example, ...Example[]];
};

export const headers = {
  'X-Request-ID': {
    description:
      "The caller's X-Request-ID if it has 1 to 128 letters, digits, dots, _, : or -, else a fresh one. Error " +
      'bodies repeat it.',
    schema: { type: 'string', pattern: '^[A-Za-z0-9._:-]{1,128}$' },
  },
  ETag: {
    description:
      'Names this version of the answer. A caller that sends it back as If-None-Match gets no body if nothing ' +
      'changed.',
    schema: { type: 'string', pattern: '^"[^"]+"$' },
  },
  'Set-Cookie': {
    description: 'Sets the cookie of a session or of a begun sign-in, or ends it.',
    schema: { type: 'string', pattern: '^__Host-parterre_(session|sign_in)=' },
  },
  Location: { description: 'The address to continue at.', schema: { type: 'string' } },
  'Content-Disposition': {
    description: 'Marks the answer as a file, with its name.',
    schema: { type: 'string', pattern: '^attachment; filename="[^"]+"$' },
  },
  'Left-Out': {
    description: 'The parts of the chart that the file has no place for; `nothing` where it is complete.',
    schema: { type: 'string' },
  },
  'Retry-After': { description: 'Seconds to wait before the same request is sent again.', schema: seconds() },
  'RateLimit-Limit': {
    description: "The number of requests that a window of the operation's budget allows.",
    schema: { type: 'string', pattern: '^\\d+$' },
  },
  'RateLimit-Remaining': {
    description: 'Requests left in this window.',
    schema: { type: 'string', pattern: '^\\d+$' },
  },
  'RateLimit-Reset': { description: 'Seconds until the window ends.', schema: seconds() },
  'RateLimit-Policy': {
    description: 'The limit, and the window in seconds.',
    schema: { type: 'string', pattern: '^\\d+;w=\\d+$', examples: ['600;w=60'] },
  },
  'Idempotent-Replayed': {
    description:
      'Marks the answer to a repeated call: the call was carried out before, and the answer is its first answer.',
    schema: { type: 'string', const: 'true' },
  },
  Allow: { description: 'The methods that this address takes.', schema: { type: 'string' } },
} as const;

export type HeaderName = keyof typeof headers;

function seconds() {
  return { type: 'string', pattern: '^\\d+$' } as const;
}
