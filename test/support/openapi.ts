/**
 * Checks answers against the OpenAPI description: status, headers and body. The check is stricter than the description:
 * a field that the description does not name is a problem, since somebody forgot to describe it.
 */
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';

// biome-ignore lint/suspicious/noExplicitAny: a client reads the description without types.
export type Json = any;

export type Operation = { method: string; path: string; described: Json };

export type Received = { status: number; headers: Headers; mediaType: string; text: string };

/** The answers that others than their reader may keep, or that their reader keeps for ever. */
const ownCaching: Record<string, readonly string[]> = {
  'GET /': ['no-cache'],
  'GET /openapi.json': ['no-cache'],
  'GET /demo': ['no-cache'],
  'GET /demo/{file}': ['no-cache', 'public, max-age=31536000, immutable'],
  'GET /console': ['no-cache'],
  'GET /console/{file}': ['no-cache', 'public, max-age=31536000, immutable'],
  'GET /designer': ['no-cache'],
  'GET /designer/{file}': ['no-cache', 'public, max-age=31536000, immutable'],
  'GET /pub/charts/{hash}': ['public, max-age=31536000, immutable'],
  'GET /pub/statuses/{audienceId}': ['public, max-age=1, stale-while-revalidate=5'],
  'GET /pub/assets/{assetId}': ['public, max-age=31536000, immutable'],
  'GET /pub/events/{key}/assets/{assetId}': ['public, max-age=31536000, immutable'],
  'GET /pub/events/{key}/units': ['private, no-cache', 'private, max-age=31536000, immutable'],
  'GET /v1/events/{key}/assets/{assetId}': ['private, max-age=31536000, immutable'],
  'GET /v1/events/{key}/units': ['private, no-cache', 'private, max-age=31536000, immutable'],
};

/** The problems of the headers that tell caches and browsers how to keep an answer. Every answer has them. */
export function cachingProblems(
  { method, path }: Operation,
  { status, headers }: Pick<Received, 'status' | 'headers'>,
) {
  const own = status < 400 ? ownCaching[`${method} ${path}`] : undefined;
  const usual = headers.has('etag') ? 'private, no-cache' : 'private, no-store';
  const told = headers.get('cache-control') ?? 'nothing';
  const varies = headers.get('vary') ?? '';
  return [
    ...((own ?? [usual]).includes(told) ? [] : [`Cache-Control is ${told}`]),
    ...(told === 'private, no-cache' && !varies.includes('Authorization, Cookie') ? [`Vary is ${varies}`] : []),
    ...(headers.get('x-content-type-options') === 'nosniff' ? [] : ['X-Content-Type-Options is missing']),
  ];
}

export function operationsOf(document: Json): Operation[] {
  return Object.entries<Json>(document.paths).flatMap(([path, item]) =>
    Object.entries<Json>(item).map(([method, described]) => ({ method: method.toUpperCase(), path, described })),
  );
}

/** The refusal codes that a response of the description lists; none for a success. */
export function codesOf(document: Json, response: Json): string[] {
  const name = response.content?.['application/json']?.schema.$ref?.split('/').at(-1);
  const parts: Json[] = document.components.schemas[name]?.allOf ?? [];
  return parts.flatMap((part) => part.properties?.code?.enum ?? []);
}

export function createJudge(document: Json) {
  const open = compiler(document);
  const closed = compiler(closeObjects(document));
  const apiHeaders = Object.keys(document.components.headers);

  const place = ({ method, path }: Operation, ...rest: string[]): string =>
    ['/paths', path, method.toLowerCase(), ...rest].map(escaped).join('/');

  return {
    /** The problems of a request's body. */
    body(operation: Operation, body: unknown): string[] {
      const content = place(operation, 'requestBody', 'content', 'application/json', 'schema');
      return problems('body', open(content), body);
    },
    /** The problems of an answer. */
    answer(operation: Operation, received: Received): string[] {
      const { status, headers, mediaType, text } = received;
      const response = operation.described.responses[status];
      const caching = cachingProblems(operation, received);
      if (caching.length > 0) return caching;
      if (!response) return [`status ${status} is not described: ${text.slice(0, 500)}`];
      const at = ['responses', String(status)];
      const described = response.headers ?? {};
      const wrongHeaders = apiHeaders.flatMap((name) => {
        const value = headers.get(name);
        const header = described[name];
        if (value === null) return header && required(document, header) ? [`header ${name} is missing`] : [];
        if (!header) return [`header ${name} is not described`];
        const named = header.$ref
          ? `/components/headers/${name}/schema`
          : place(operation, ...at, 'headers', name, 'schema');
        return problems(`header ${name}`, closed(named), value);
      });
      const types = Object.keys(response.content ?? {});
      if (types.length === 0) return [...wrongHeaders, ...(text === '' ? [] : ['has a body, and none is described'])];
      if (!types.includes(mediaType)) return [...wrongHeaders, `media type ${mediaType} is not described`];
      if (mediaType !== 'application/json') return wrongHeaders;
      const schema = place(operation, ...at, 'content', mediaType, 'schema');
      return [...wrongHeaders, ...problems('body', closed(schema), JSON.parse(text))];
    },
    /** The problems of the example of an answer. */
    example(operation: Operation, status: string, example: unknown): string[] {
      return problems(
        'example',
        closed(place(operation, 'responses', status, 'content', 'application/json', 'schema')),
        example,
      );
    },
    /** The problems of a value of a named schema. */
    named: (name: string, value: unknown): string[] => problems(name, closed(`/components/schemas/${name}`), value),
    /** The problems of a webhook's body. */
    webhook(body: Json): string[] {
      const name = webhookNamed(body.event);
      const { content } = document.webhooks[name]?.post.requestBody ?? missing(`webhooks/${name}`);
      return problems(name, closed(content['application/json'].schema.$ref.slice(1)), body);
    },
  };
}

/** The name under which the description has a webhook. */
export function webhookNamed(event: string): string {
  return event.startsWith('season.') ? 'season.*' : event;
}

function required(document: Json, header: Json): boolean {
  return (header.$ref ? document.components.headers[header.$ref.split('/').at(-1)] : header).required === true;
}

/** Finds schemas by their place in the document. */
function compiler(document: Json): (place: string) => ValidateFunction {
  // Not strict: the document around the schemas has keywords that are not JSON Schema.
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  ajv.addSchema({ ...document, $id: 'description' });
  return (place) => ajv.getSchema(`description#${encodeURI(place)}`) ?? missing(place);
}

function missing(place: string): never {
  throw new Error(`the description has nothing at ${place}`);
}

function escaped(segment: string): string {
  return segment.startsWith('/paths') ? segment : segment.replaceAll('~', '~0').replaceAll('/', '~1');
}

/**
 * A copy in which no object accepts fields that its schema does not name. A `$ref` is closed in the schema that it
 * refers to.
 */
function closeObjects(node: Json, isPart = false): Json {
  if (Array.isArray(node)) return node.map((each) => closeObjects(each, isPart));
  if (typeof node !== 'object' || node === null) return node;
  const copy = Object.fromEntries(
    Object.entries(node).map(([name, value]) => [name, closeObjects(value, name === 'allOf')]),
  );
  // A part of `allOf` names some fields of a value, and the other parts name the rest.
  const isClosable = node.type === 'object' && node.properties && node.additionalProperties === undefined && !isPart;
  return isClosable ? { ...copy, additionalProperties: false } : copy;
}

function problems(what: string, validate: ValidateFunction, value: unknown): string[] {
  if (validate(value)) return [];
  return validate.errors!.map(
    ({ instancePath, message, params }) => `${what}${instancePath} ${message} ${JSON.stringify(params)}`,
  );
}
