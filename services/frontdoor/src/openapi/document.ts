/**
 * The OpenAPI description, made of the rows and descriptions that the rooms hand over. A request is described by the very schemas that
 * validate it.
 */
import type { z } from 'zod';
import { aboutBudgets } from './budgets.ts';
import { headers, tags } from './description.ts';
import type { Endpoint } from './endpoints.ts';
import { type Json, operation, type Socket, socketOperation, type Webhooks, webhookOperation } from './operation.ts';
import { createSchemas } from './schemas.ts';
import { meaningOfStandIns, type StandInName, standIn } from './stand-ins.ts';

export const apiVersion = '2026-08-01';

/** All that the generator is handed. */
export type Described = {
  endpoints: readonly Endpoint[];
  /** Schemas that have a name of their own. */
  schemas: Readonly<Record<string, z.ZodType>>;
  /** By path. */
  sockets: Readonly<Record<string, Socket>>;
  webhooks: Webhooks;
};

export function describeApi({ endpoints, schemas: named, sockets, webhooks: told }: Described): Json {
  const schemas = createSchemas(named);
  const paths: Record<string, Json> = {};
  for (const { row, description } of endpoints) {
    paths[row.path] = { ...paths[row.path], [row.method.toLowerCase()]: operation(row, description, schemas) };
  }
  for (const [path, socket] of Object.entries(sockets)) paths[path] = { get: socketOperation(path, socket) };
  const webhooks = Object.fromEntries(
    told.occurrences.map((occurrence) => [occurrence.name, { post: webhookOperation(occurrence, told, schemas) }]),
  );
  return {
    openapi: '3.1.1',
    info: {
      title: 'Parterre',
      version: apiVersion,
      summary: 'Live seat inventory over HTTP, WebSocket and signed webhooks.',
      description: `${conventions}\n\n${aboutBudgets(endpoints.map(({ row }) => row))}`,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    paths,
    webhooks,
    components: { schemas: schemas.all(), headers: headerComponents, securitySchemes },
    'x-stand-ins': Object.entries(meaningOfStandIns).map(([name, meaning]) => ({
      name,
      value: standIn[name as StandInName],
      meaning,
    })),
  };
}

const conventions = `Times are epoch milliseconds; a name that ends in \`Ms\` or \`Seconds\` is a time span. Money is an integer in major units of the stated currency.
Ids are opaque. Fields are only ever added: ignore those you do not know. Unknown fields of a body and unknown query parameters are
ignored here, too.

A refusal is an Error: its \`code\` says which, and each status names the codes that it can have. \`retryable\` stands there exactly when the same
request may succeed unchanged. An address that is there and does not take a method answers 405 with \`Allow\`. A list's \`limit\` is clamped, and
a \`cursor\` that cannot be read means from the start.

Every request may carry an \`X-Request-ID\`, and an \`Idempotency-Key\`, which is looked at for its form and ignored where an operation does not
list it. Under /pub an answer names the exact origin it is for in \`Access-Control-Allow-Origin\`, and preflights are answered. Under
/v1 an answer to the token of an embedded session (mse_, dse_) does so where the origin is the one that the session is bound to, also when the session has
expired; every other credential's answers have no such header, so that no page can read what a secret key is told. A preflight, which carries no credential, is
answered there for any origin at the addresses that such a session can call; it grants nothing.

A manage session needs the capability that an operation names (any of them, where it names several), else 403 \`capability_required\`; where an operation
names none, 403 \`forbidden\`. Without event:reports it is told no money that was taken: \`bookedValue\` of reports, and \`unitPrice\` and the configured
values of bookings, are null. Line items of holds and of sales at the counter have their prices, which whoever sells must know. All that is called with one
manage token has one budget of 300 requests in 60 seconds, whose 429 has \`Retry-After\` and no \`RateLimit-*\` headers.

Every operation has \`x-examples\`: whole calls, with the code of the refusal where they are refused. Ids and keys in them stand for what a
server makes; \`x-stand-ins\` says what each of them is.`;

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
      'The access session of a buyer (bse_…), from a browser with the Origin that it is bound to; one event.',
  },
  manageSession: {
    type: 'http',
    scheme: 'bearer',
    description:
      'A manage session (mse_…), from a browser with the Origin that it is bound to; one event, and what its capabilities allow.',
  },
  designerSession: {
    type: 'http',
    scheme: 'bearer',
    description:
      'A designer session (dse_), from a browser with the Origin that it is bound to; one chart, as far as its authority goes: read-only, edit, publish.',
  },
  dashboardSession: {
    type: 'apiKey',
    in: 'cookie',
    name: '__Host-parterre_session',
    description: 'The cookie of POST /v1/dashboard/login. It sees both modes. An Authorization header wins over it.',
  },
  csrfToken: {
    type: 'apiKey',
    in: 'header',
    name: 'X-CSRF-Token',
    description: "The csrfToken of the login's answer, which every call with the cookie but a GET sends too.",
  },
  rootToken: { type: 'http', scheme: 'bearer', description: "The operator's root token, of 32 characters or more." },
};

const headerComponents = Object.fromEntries(
  Object.entries(headers).map(([name, header]) => [name, { ...header, required: name !== 'Idempotent-Replayed' }]),
);
