/**
 * The OpenAPI description, made of the route table and what stands beside it in this folder. What a request must look
 * like comes from the very schemas that validate it.
 */
import type { Credential, Route } from '../inbound/route.ts';
import { type Description, type Example, type HeaderName, headers, tags } from './description.ts';
import { descriptions } from './descriptions.ts';
import { headersOfRefusal, meaningOfStatus, refusalsOf } from './refusals.ts';
import { createSchemas, inline, type Schemas } from './schemas.ts';
import { meaningOfStandIns, type StandInName, standIn, usualParameter } from './stand-ins.ts';

export const apiVersion = '2026-08-01';

export type Json = Record<string, unknown>;

export function describeApi(routes: readonly Route[]): Json {
  const schemas = createSchemas();
  const paths: Record<string, Json> = {};
  for (const route of routes) {
    const description = descriptions[`${route.method} ${route.path}`];
    if (!description) continue;
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: operation(route, description, schemas) };
  }
  return {
    openapi: '3.1.1',
    info: {
      title: 'Parterre',
      version: apiVersion,
      summary: 'Live seat inventory over HTTP, WebSocket and signed webhooks.',
      description: conventions,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    paths,
    components: { schemas: schemas.all(), headers: headerComponents, securitySchemes },
    'x-stand-ins': Object.entries(meaningOfStandIns).map(([name, meaning]) => ({
      name,
      value: standIn[name as StandInName],
      meaning,
    })),
  };
}

const conventions = `Times are epoch milliseconds unless a name ends in \`Seconds\`. Money is an integer in major units of the stated currency.
Ids are opaque. Fields are only ever added: ignore those you do not know. Unknown fields of a body and unknown query parameters are
ignored here, too.

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
  rootToken: { type: 'http', scheme: 'bearer', description: "The operator's root token, of 32 characters or more." },
};

const securityOf: Record<Credential, Json[]> = {
  none: [],
  operator: [{ rootToken: [] }],
  server: [{ secretKey: [] }],
  publishable: [{ publishableKey: [] }],
};

function operation(route: Route, description: Description, schemas: Schemas): Json {
  const { operationId, tag, summary } = description;
  return {
    operationId,
    tags: [tag],
    summary,
    ...(description.description === undefined ? {} : { description: description.description }),
    security: securityOf[route.credential],
    parameters: parametersOf(route, description),
    ...(route.schema === null ? {} : { requestBody: bodyOf(route, description, schemas) }),
    responses: responsesOf(route, description, schemas),
    'x-examples': description.examples,
  };
}

function parametersOf(route: Route, { query = {}, headers: sent = [] }: Description): Json[] {
  const named = [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);
  return [
    ...named.map((name) => ({
      name,
      in: 'path',
      required: true,
      schema: { type: 'string' },
      example: usualParameter(route.path, name),
    })),
    ...Object.entries(query).map(([name, { description, schema }]) => ({
      name,
      in: 'query',
      description,
      schema: inline(schema),
    })),
    ...(route.idempotent || route.path.endsWith('/hold') ? [idempotencyKey] : []),
    ...(sent.includes('ETag') ? [ifNoneMatch] : []),
    ...(route.credential === 'publishable' ? [origin] : []),
  ];
}

const idempotencyKey = {
  name: 'Idempotency-Key',
  in: 'header',
  description:
    'Names the call: a repetition with the same body within 24 hours gets the first answer and has no second effect.',
  schema: { type: 'string', pattern: '^[A-Za-z0-9._:-]{1,128}$' },
};
const ifNoneMatch = {
  name: 'If-None-Match',
  in: 'header',
  description: 'An ETag from before; where it still holds the answer is 304 without a body.',
  schema: { type: 'string' },
};
const origin = {
  name: 'Origin',
  in: 'header',
  description: 'Sent by the browser; it must be registered for the key.',
  schema: { type: 'string' },
};

function bodyOf(route: Route, description: Description, schemas: Schemas): Json {
  const name = `${capital(description.operationId)}Body`;
  const examples = description.examples.filter(
    ({ body, answers }: Example) => body !== undefined && answers === undefined,
  );
  return {
    required: !route.bodyOptional,
    content: {
      'application/json': {
        schema: schemas.refer(route.schema!, name),
        ...(examples.length === 0 ? {} : { examples: namedExamples(examples) }),
      },
    },
  };
}

function namedExamples(examples: readonly Example[]): Json {
  return Object.fromEntries(
    examples.map(({ summary, body }) => [summary.replace(/\W+/g, '-').toLowerCase(), { summary, value: body }]),
  );
}

function responsesOf(route: Route, description: Description, schemas: Schemas): Json {
  const sent = description.headers ?? [];
  const responses: Json = {
    [route.status]: {
      description: 'Success.',
      headers: headersOf(route, sent),
      content: contentOf(description, schemas),
    },
    ...(sent.includes('ETag') ? { 304: { description: 'Unchanged.', headers: headersOf(route, sent) } } : {}),
  };
  for (const [status, codes] of refusalsOf(route, description)) {
    responses[status] = {
      description: `${meaningOfStatus[status]} Codes: ${codes.map((code) => `\`${code}\``).join(', ')}.`,
      headers: headersOf(route, headersOfRefusal(status, route)),
      content: { 'application/json': { schema: refusalSchema(status, codes) } },
    };
  }
  return responses;
}

/** A 429 has a form of its own; every other refusal is an Error with one of the codes. */
function refusalSchema(status: number, codes: readonly string[]): Json {
  if (status === 429) return { $ref: '#/components/schemas/RateLimited' };
  return { $ref: '#/components/schemas/Error', properties: { code: { enum: codes } } };
}

function contentOf({ operationId, answer, mediaType }: Description, schemas: Schemas): Json {
  if (answer === null) return mediaType === undefined ? {} : { [mediaType]: { schema: { type: 'string' } } };
  return { 'application/json': { schema: schemas.refer(answer, `${capital(operationId)}Answer`) } };
}

/** X-Request-ID stands on every answer; Idempotent-Replayed only on an answer that is repeated. */
function headersOf(route: Route, names: readonly HeaderName[]): Json {
  const all: HeaderName[] = ['X-Request-ID', ...names, ...(route.idempotent ? (['Idempotent-Replayed'] as const) : [])];
  return Object.fromEntries(all.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

const headerComponents = Object.fromEntries(
  Object.entries(headers).map(([name, header]) => [name, { ...header, required: name !== 'Idempotent-Replayed' }]),
);

function capital(name: string): string {
  return name[0]!.toUpperCase() + name.slice(1);
}
