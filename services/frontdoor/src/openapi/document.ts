/**
 * Makes the OpenAPI description from the rows and descriptions of all rooms. A request is described by the very schemas
 * that validate it.
 */
import type { z } from 'zod';
import { aboutBudgets } from './budgets.ts';
import { headers, tags } from './description.ts';
import type { Endpoint } from './endpoints.ts';
import { exampleOf } from './example-answers.ts';
import {
  type Json,
  operation,
  operationWithSocket,
  type Socket,
  socketOperation,
  type Webhooks,
  webhookOperation,
} from './operation.ts';
import { createSchemas } from './schemas.ts';
import { meaningOfStandIns, type StandInName, standIn } from './stand-ins.ts';

/** The date of the interface. Package managers take no date with dashes, so `info.version` spells it with dots. */
export const interfaceVersion = '2026-08-01';
export const packageVersion = interfaceVersion.split('-').map(Number).join('.');

/** The input of the generator. */
export type Described = {
  endpoints: readonly Endpoint[];
  /** Schemas that have a name of their own. */
  schemas: Readonly<Record<string, z.ZodType>>;
  /** The examples of schemas whose own examples say more than made ones. */
  examples: Readonly<Record<string, unknown>>;
  /** By path. */
  sockets: Readonly<Record<string, Socket>>;
  webhooks: Webhooks;
};

export function describeApi({ endpoints, schemas: named, examples, sockets, webhooks: told }: Described) {
  const schemas = createSchemas(named);
  const paths: Record<string, Json> = {};
  for (const { row, description } of endpoints) {
    const socket = row.method === 'GET' ? sockets[row.path] : undefined;
    const described = socket
      ? operationWithSocket(row, description, socket, schemas)
      : operation(row, description, schemas);
    paths[row.path] = { ...paths[row.path], [row.method.toLowerCase()]: described };
  }
  for (const [path, socket] of Object.entries(sockets)) paths[path] ??= { get: socketOperation(path, socket, schemas) };
  const webhooks = Object.fromEntries(
    told.occurrences.map((occurrence) => [occurrence.name, { post: webhookOperation(occurrence, told, schemas) }]),
  );
  const components = schemas.all();
  return {
    openapi: '3.1.1' as const,
    info: {
      title: 'Parterre',
      version: packageVersion,
      'x-interface-version': interfaceVersion,
      summary: 'Live seat inventory over HTTP, WebSocket and signed webhooks.',
      description: inShort,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    'x-conventions': conventions,
    'x-budgets': aboutBudgets(endpoints.map(({ row }) => row)),
    servers: [{ url: '/' }],
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    paths: withExamples(paths, { schemas: components, examples }),
    webhooks,
    components: { schemas: components, headers: headerComponents, securitySchemes },
    'x-stand-ins': Object.entries(meaningOfStandIns).map(([name, meaning]) => ({
      name,
      value: standIn[name as StandInName],
      meaning,
    })),
  };
}

/** Each answer of JSON gets an example. */
function withExamples(paths: Record<string, Json>, components: Parameters<typeof exampleOf>[1]): Record<string, Json> {
  const operations = Object.values(paths).flatMap(
    (item) => Object.values(item) as { responses: Record<string, Json> }[],
  );
  for (const { responses } of operations) {
    for (const [status, { content = {} }] of Object.entries(responses)) {
      const json = (content as Record<string, Json>)['application/json'];
      if (json && Number(status) < 300) json.example = exampleOf(json.schema as Json, components);
    }
  }
  return paths;
}

const inShort = `Times are epoch milliseconds, and money is an integer in units of \`priceUnit\`: whole units of the
stated currency, or its minor units. Ids are opaque. New versions only add fields and values: ignore unknown fields, and expect unknown values. A refusal is an
Error with a \`code\`. \`x-conventions\` has the rules of all operations, and \`x-budgets\` the request budgets.`;

const conventions = `Times are epoch milliseconds; a name that ends in \`Ms\` or \`Seconds\` is a time span. Money is
an integer in units of \`priceUnit\`: whole units of the stated currency, or its minor units. Ids are opaque. New
versions only add fields: ignore unknown fields.
The server ignores unknown fields of a body and unknown query parameters.

A refusal is an Error. Its \`code\` names the refusal, and each status lists its possible codes. \`retryable\` is
present exactly if the same request may succeed unchanged, and a repeat does no harm. \`outcome: "unknown"\` is present
if the call may have been carried out, and a repeat could do harm: \`message\` says where to look. An address that does
not take the method answers 405 with \`Allow\`. A request line with headers of more than 4,096 bytes is answered 431,
without an Error, and its connection closes. A list's \`limit\` is clamped, and an unreadable \`cursor\` starts from the
beginning.

Every request may have an \`X-Request-ID\` and an \`Idempotency-Key\`. The form of an Idempotency-Key is always
checked; operations that do not list the header ignore it. Under /pub an answer names its exact origin in
\`Access-Control-Allow-Origin\`, and preflights are answered. Under /v1 an answer to the token of an embedded session
(mse_, dse_) names the origin if the session is bound to this origin, even if the session has expired. Answers to
other credentials have no such header, so that no page can read answers to a secret key. A preflight has no
credential. It is answered for any origin at the addresses that an embedded session can call, and grants nothing.

Every answer has \`Cache-Control\` and \`X-Content-Type-Options: nosniff\`. An answer is private. With an \`ETag\` it
says \`private, no-cache\`: its reader may keep it, and asks before each use. Without an \`ETag\`, and for every
refusal, it says \`private, no-store\`. Pages, pictures and this description are public, and say how long caches may
keep them. The list of units of a named id never changes: it is private, and kept for ever.

A manage session needs the capability that an operation names (any one, if it names several), else 403
\`capability_required\`. If an operation names none, the answer is 403 \`forbidden\`. Without event:reports the
session sees no revenue: \`bookedValue\` of reports, and \`unitPrice\` and the configured values of bookings, are
null. Line items of holds and of sales at a counter have prices, since sellers need them. All calls of one manage
token share one budget of 300 requests in 60 seconds, whose 429 has \`Retry-After\` and no \`RateLimit-*\` headers.

Every operation has \`x-examples\`: whole calls, with the code of the refusal if they are refused. The ids and keys in
examples stand for values that a server makes; \`x-stand-ins\` gives the meaning of each.`;

const securitySchemes = {
  secretKey: {
    type: 'http',
    scheme: 'bearer',
    description: 'A secret key (sk_test_…, sk_live_…), from a trusted server only.',
  },
  publishableKey: {
    type: 'http',
    scheme: 'bearer',
    description: 'A publishable key (pk_test_…, pk_live_…) from a browser whose Origin is registered for it.',
  },
  buyerSession: {
    type: 'http',
    scheme: 'bearer',
    description:
      'The access session of a buyer (bse_…) for one event, from a browser with the Origin that it is bound to.',
  },
  groupBuyerSession: {
    type: 'http',
    scheme: 'bearer',
    description:
      'The access session of a buyer (bgs_…) for one performance group, from a browser with the Origin that it is ' +
      'bound to.',
  },
  seasonBuyerSession: {
    type: 'http',
    scheme: 'bearer',
    description:
      'The access session of a buyer (bss_…) for one season, from a browser with the Origin that it is bound to.',
  },
  manageSession: {
    type: 'http',
    scheme: 'bearer',
    description:
      'A manage session (mse_…) for one event with its capabilities, from a browser with the Origin that it is ' +
      'bound to.',
  },
  designerSession: {
    type: 'http',
    scheme: 'bearer',
    description:
      'A designer session (dse_…) for one chart with its authority (read-only, edit or publish), from a browser ' +
      'with the Origin that it is bound to, or from the page at its `designerUrl`.',
  },
  dashboardSession: {
    type: 'apiKey',
    in: 'cookie',
    name: '__Host-parterre_session',
    description:
      'The cookie of POST /v1/dashboard/login. The session sees both modes. A call with the header `Parterre-Mode: ' +
      'live` or `test` reaches that mode alone: the other mode is `mode_mismatch`, lists leave it out, and a new event ' +
      'gets it. An Authorization header takes precedence over the cookie.',
  },
  csrfToken: {
    type: 'apiKey',
    in: 'header',
    name: 'X-CSRF-Token',
    description: "The csrfToken of the login's answer. Send it with every call that has the cookie, except a GET.",
  },
  rootToken: { type: 'http', scheme: 'bearer', description: "The operator's root token, of 32 characters or more." },
};

/** A 429 has the RateLimit headers only if the operation's own budget is used up. */
const isSometimesAbsent = (name: string) => name === 'Idempotent-Replayed' || name.startsWith('RateLimit-');
const headerComponents = Object.fromEntries(
  Object.entries(headers).map(([name, header]) => [name, { ...header, required: !isSometimesAbsent(name) }]),
);
