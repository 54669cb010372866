/** The operations of the description: routes, sockets and webhooks. */
import type { RefusalCode } from '@parterre/shared/protocol/errors';
import { MIB } from '@parterre/shared/runtime/units';
import type { z } from 'zod';
import type { Budget, Credential, Row } from '../admission/admission.ts';
import { type Description, type Example, type HeaderName, headers } from './description.ts';
import { capital } from './nested-names.ts';
import { shownParameters } from './parameter.ts';
import { byStatus, headersOfRefusal, meaningOfStatus, refusalsOf } from './refusals.ts';
import { inline, type Schemas } from './schemas.ts';
import { usualParameter } from './stand-ins.ts';

export type Json = Record<string, unknown>;

/** The alternatives of credentials. A caller needs all parts of one alternative. */
function securityOf({ credential, method, capabilities, authority }: Row): Json[] {
  const dashboard = method === 'GET' ? { dashboardSession: [] } : { dashboardSession: [], csrfToken: [] };
  const server = [{ secretKey: [] }, dashboard];
  const ways: Record<Credential, Json[]> = {
    none: [],
    operator: [{ rootToken: [] }],
    server,
    editor: [...server, { designerSession: authority === null ? [] : [authority] }],
    designer: [{ designerSession: [] }],
    console: [...server, ...capabilities.map((capability) => ({ manageSession: [capability] }))],
    dashboard: [dashboard],
    buyer: [{ publishableKey: [] }, { buyerSession: [] }],
    'group-buyer': [{ groupBuyerSession: [] }],
    'season-buyer': [{ seasonBuyerSession: [] }],
    // The key is in the body, as the route's description says.
    page: [],
  };
  return ways[credential];
}

export function operation(route: Row, description: Description, schemas: Schemas): Json {
  const { operationId, tag, summary } = description;
  return {
    operationId,
    tags: [tag],
    summary,
    description: description.description,
    security: securityOf(route),
    parameters: parametersOf(route, description),
    ...(route.schema === null ? {} : { requestBody: bodyOf(route, description, schemas) }),
    ...(description.takes ? { requestBody: bytesOf(route, description.takes) } : {}),
    responses: responsesOf(route, description, schemas),
    'x-budget': route.budget?.name ?? null,
    'x-examples': description.examples,
  };
}

function parametersOf(route: Row, { headers: sent = [] }: Description): Json[] {
  return [
    ...pathParametersOf(route.path),
    ...shownParameters(route.query).map(([name, { description, schema }]) => ({
      name,
      in: 'query',
      description,
      schema: inline(schema),
    })),
    ...(route.idempotent || isKeyed(route) ? [keyOf(route)] : []),
    ...(sent.includes('ETag') ? [ifNoneMatch] : []),
    ...(route.credential.endsWith('buyer') ? [origin] : []),
  ];
}

function pathParametersOf(path: string): Json[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
    example: usualParameter(path, name!),
  }));
}

const idempotencyKey = {
  name: 'Idempotency-Key',
  in: 'header',
  description:
    "Names the call, for this credential's organisation, mode, workspace and role: a repetition with the same body, " +
    'byte for byte, within 24 hours gets the first answer and has no second effect. Answers of 500 and more are not ' +
    'kept.',
  schema: { type: 'string', pattern: '^[A-Za-z0-9._:-]{1,128}$' },
};

/** Calls to an event's actor that take an Idempotency-Key. The actor keeps the answer. */
const keyed =
  /\/hold$|^\/(v1|pub)\/events\/\{key\}\/(extend|release|unbook|block|unblock|unblock-all|hold-ttl|resale\/(list|remove))$/;

function isKeyed({ method, path }: Row): boolean {
  return method === 'POST' && keyed.test(path);
}

function keyOf({ idempotent }: Row): Json {
  return idempotent === 'required' ? { ...idempotencyKey, required: true } : idempotencyKey;
}

const ifNoneMatch = {
  name: 'If-None-Match',
  in: 'header',
  description: 'An ETag of an earlier answer. If it is still current, the answer is 304 without a body.',
  schema: { type: 'string' },
};
const origin = {
  name: 'Origin',
  in: 'header',
  description: 'Sent by the browser. A key must be registered for it; a session must be bound to it.',
  schema: { type: 'string' },
};

function bodyOf(route: Row, description: Description, schemas: Schemas): Json {
  const name = `${capital(description.operationId)}Body`;
  const examples = description.examples.filter(
    ({ body, answers }: Example) => body !== undefined && answers === undefined,
  );
  return {
    description: sizeOf(route),
    required: !route.bodyOptional,
    content: {
      'application/json': {
        schema: schemas.refer(route.schema!, name),
        ...(examples.length === 0 ? {} : { examples: namedExamples(examples) }),
      },
    },
  };
}

function sizeOf({ bodyBytesMax }: Row): string {
  return `At most ${bodyBytesMax / MIB} MiB.`;
}

const bytes = { type: 'string', format: 'binary' };

function bytesOf(route: Row, mediaTypes: readonly string[]): Json {
  return {
    description: sizeOf(route),
    required: true,
    content: Object.fromEntries(mediaTypes.map((type) => [type, { schema: bytes }])),
  };
}

/** A socket. OpenAPI has no form for its messages. */
export type Socket = {
  operationId: string;
  summary: string;
  description: string;
  security?: readonly Json[];
  refusals: readonly RefusalCode[];
};

const upgraded = { 101: { description: 'A socket that carries Frames.' } };

/** A route whose address is a socket for a request with an Upgrade header. */
export function operationWithSocket(row: Row, route: Description, socket: Socket, schemas: Schemas): Json {
  const description = [route.description, socket.description].join('\n\n');
  const refusals = [...(route.refusals ?? []), ...socket.refusals];
  const described = operation(row, { ...route, description, refusals }, schemas);
  return { ...described, responses: { ...upgraded, ...(described.responses as Json) } };
}

export function socketOperation(path: string, { refusals, ...described }: Socket, schemas: Schemas): Json {
  const response = (status: number, codes: readonly string[]) => {
    const sent: HeaderName[] = status === 503 || status === 429 ? ['X-Request-ID', 'Retry-After'] : ['X-Request-ID'];
    return refusalResponse(
      { operationId: described.operationId, status, codes, headers: headerReferences(sent) },
      schemas,
    );
  };
  return {
    security: [],
    ...described,
    tags: ['Realtime'],
    parameters: pathParametersOf(path),
    responses: {
      ...upgraded,
      ...Object.fromEntries([...byStatus(refusals)].map(([status, codes]) => [status, response(status, codes)])),
    },
  };
}

type Occurrence = { name: string; summary: string; body: z.ZodType };

export type Webhooks = {
  occurrences: readonly Occurrence[];
  /** Header → its meaning. */
  headers: Readonly<Record<string, string>>;
  /** Status → its meaning for the delivery. */
  answers: Readonly<Record<string, string>>;
};

export function webhookOperation(
  { name, summary, body }: Occurrence,
  { headers, answers }: Webhooks,
  schemas: Schemas,
): Json {
  const words = capital(name.replace('.*', '.any'));
  return {
    operationId: `on${words}`,
    tags: ['Webhook events'],
    summary,
    security: [],
    parameters: Object.entries(headers).map(([header, description]) => ({
      name: header,
      in: 'header',
      required: true,
      description,
      schema: { type: 'string' },
    })),
    requestBody: {
      required: true,
      content: { 'application/json': { schema: schemas.refer(body, `${words}Webhook`) } },
    },
    responses: Object.fromEntries(Object.entries(answers).map(([status, description]) => [status, { description }])),
  };
}

function namedExamples(examples: readonly Example[]): Json {
  return Object.fromEntries(
    examples.map(({ summary, body }) => [summary.replace(/\W+/g, '-').toLowerCase(), { summary, value: body }]),
  );
}

function responsesOf(route: Row, description: Description, schemas: Schemas): Json {
  const sent = description.headers ?? [];
  const success = {
    headers: { ...headersOf(route, sent), ...ifUnfinished(sent) },
    content: contentOf(route, description, schemas),
  };
  const mayGoOn = sent.includes('Retry-After') && route.method !== 'GET';
  const responses: Json = {
    [route.status]: { description: 'Success.', ...success },
    ...(mayGoOn ? { 202: { description: 'The work goes on. Poll the address in `Location`.', ...success } } : {}),
    ...(sent.includes('ETag') ? { 304: { description: 'Unchanged.', headers: headersOf(route, sent) } } : {}),
  };
  for (const [status, codes] of refusalsOf(route, description)) {
    const sentWith = headersOf(route, headersOfRefusal(status, route));
    const response = refusalResponse(
      { operationId: description.operationId, status, codes, headers: sentWith },
      schemas,
    );
    const isOfBudget = status === 429 && route.budget !== null && codes.includes('rate_limited');
    responses[status] = isOfBudget ? { ...response, description: budgetOf(route.budget!) } : response;
  }
  return responses;
}

function budgetOf({ name, limit, windowMs, per }: Budget): string {
  return (
    `Too many requests. This request did nothing. The budget \`${name}\`: ${limit} in ${windowMs / 1000} seconds, ` +
    `counted by ${per}.`
  );
}

type Answered = { operationId: string; status: number; codes: readonly string[]; headers: Json };

/**
 * The 429 of a budget has its own form. Every other refusal is an Error with one of the codes. The 429 of a login is an
 * Error too: it has all fields of an Error, which the other budgets' 429 has not.
 */
function refusalResponse({ operationId, status, codes, headers: sent }: Answered, schemas: Schemas): Json {
  const isOfBudget = codes.length === 1 && codes[0] === 'rate_limited';
  return {
    description: `${meaningOfStatus[status]} Codes: ${codes.map((code) => `\`${code}\``).join(', ')}.`,
    headers: sent,
    content: {
      'application/json': {
        schema: isOfBudget ? { $ref: '#/components/schemas/RateLimited' } : schemas.refusal(codes, operationId, status),
      },
    },
  };
}

function contentOf({ answer }: Row, { operationId, mediaTypes = [] }: Description, schemas: Schemas): Json {
  // A file of JSON follows the schema of another system, or one that its description names.
  const ofFile = (type: string) => ({
    schema: type === 'application/json' ? { type: 'object' } : /^text/.test(type) ? { type: 'string' } : bytes,
  });
  if (answer === null) return Object.fromEntries(mediaTypes.map((type) => [type, ofFile(type)]));
  return { 'application/json': { schema: schemas.refer(answer, `${capital(operationId)}Answer`) } };
}

/** A success tells where and when to ask again only if it shows something unfinished. */
function ifUnfinished(sent: readonly HeaderName[]): Json {
  if (!sent.includes('Retry-After')) return {};
  const named = sent.filter((name) => name === 'Retry-After' || name === 'Location');
  return Object.fromEntries(named.map((name) => [name, { ...headers[name], required: false }]));
}

/** Every answer has X-Request-ID; only a repeated answer has Idempotent-Replayed. */
function headersOf(route: Row, names: readonly HeaderName[]): Json {
  const all: HeaderName[] = ['X-Request-ID', ...names, ...(route.idempotent ? (['Idempotent-Replayed'] as const) : [])];
  return headerReferences(all);
}

function headerReferences(names: readonly HeaderName[]): Json {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
