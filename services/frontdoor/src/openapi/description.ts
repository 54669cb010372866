/**
 * What is said of a route beside its row of the route table: one `Description` a signature. Method, path, credential,
 * body, budget and status of success come from the row itself, so that they cannot be described otherwise than they are.
 */
import type { RefusalCode } from '@parterre/shared/errors';

export const tags = {
  Health: 'Dependency-aware readiness check, and this description.',
  Operator: "The operator's own surface: organisations, users, keys and credits.",
  Dashboard: 'Sessions of people who sign in with a password.',
  Workspaces: 'Parts of an organisation that charts and events belong to.',
  Charts: 'Seat maps that events are created from.',
  Events: 'Lifecycle and facts of events.',
  Inventory: 'Holds, bookings and blocks of one event.',
  Channels: 'Named allocations of an event, with prices of their own.',
  Reports: 'What an event has sold, and who did what.',
  Webhooks: 'Signed webhook subscriptions, and what became of their deliveries.',
  Access: 'Sessions and links that let pages reach an event or a chart.',
  Buyers: "What buyers' browsers call.",
  Realtime: 'The live seat map.',
} as const;

export type Tag = keyof typeof tags;

/** A call that can be sent as it is once the stand-ins in it are replaced (stand-ins.ts). */
export type Example = {
  summary: string;
  /** Values of the path's parameters that are not the usual stand-in of their name. */
  path?: Record<string, string>;
  query?: Record<string, string>;
  headers?: Record<string, string>;
  body?: unknown;
  /** A body that is not JSON, in base64. */
  bytes?: { mediaType: string; base64: string };
  /** The code of the refusal that it is answered with, where it is an example of one. */
  answers?: RefusalCode;
  /** The status of success, where it is not the route's usual one. */
  status?: number;
};

export type Description = {
  /** Also names the schemas of body and answer: `holdSeats` has HoldSeatsBody and HoldSeatsAnswer. */
  operationId: string;
  tag: Tag;
  summary: string;
  description?: string;
  /** The media types of a success that is not JSON. */
  mediaTypes?: readonly string[];
  /** The media types of a body that is not JSON. */
  takes?: readonly string[];
  /** What a success carries beside X-Request-ID. */
  headers?: readonly HeaderName[];
  /** What it can be refused with, beyond what follows from the row (refusals.ts). */
  refusals?: readonly RefusalCode[];
  /** At least one that succeeds. */
  examples: readonly [Example, ...Example[]];
};

export const headers = {
  'X-Request-ID': {
    description:
      "The caller's X-Request-ID where it has 1 to 128 letters, digits, dots, _, : or -, else a fresh one. Error bodies repeat it.",
    schema: { type: 'string', pattern: '^[A-Za-z0-9._:-]{1,128}$' },
  },
  ETag: {
    description: 'Names this version of the answer; sent back as If-None-Match it spares the body.',
    schema: { type: 'string', pattern: '^"[^"]+"$' },
  },
  'Set-Cookie': {
    description: 'The session, or its end.',
    schema: { type: 'string', pattern: '^__Host-parterre_session=' },
  },
  Location: { description: 'Where to go on.', schema: { type: 'string' } },
  'Cache-Control': { description: 'Who may keep the answer.', schema: { type: 'string' } },
  'Content-Disposition': {
    description: 'Says that the answer is a file, and its name.',
    schema: { type: 'string', pattern: '^attachment; filename="[^"]+"$' },
  },
  'Retry-After': { description: 'Seconds to wait before the same request is worth sending again.', schema: seconds() },
  'RateLimit-Limit': { description: 'Requests that one window allows.', schema: { type: 'string', pattern: '^\\d+$' } },
  'RateLimit-Remaining': {
    description: 'Requests left in this window.',
    schema: { type: 'string', pattern: '^\\d+$' },
  },
  'RateLimit-Reset': { description: 'Seconds until the window ends.', schema: seconds() },
  'RateLimit-Policy': {
    description: 'Limit and window in seconds.',
    schema: { type: 'string', pattern: '^\\d+;w=\\d+$', examples: ['600;w=60'] },
  },
  'Idempotent-Replayed': {
    description: 'On the answer to a repeated call: it was carried out before, and this is what it was answered then.',
    schema: { type: 'string', const: 'true' },
  },
  Allow: { description: 'The methods that this address takes.', schema: { type: 'string' } },
} as const;

export type HeaderName = keyof typeof headers;

function seconds() {
  return { type: 'string', pattern: '^\\d+$' } as const;
}
