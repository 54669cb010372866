/**
 * Reads the body and the query of a request by the schemas of its row. Both are parsed once, and trusted afterwards.
 */
import { isUtf8 } from 'node:buffer';
import { done, type Issue, type Outcome, refuse } from '@parterre/shared/protocol/errors';
import { bodyNestingMax } from '@parterre/shared/protocol/limits';
import '@parterre/shared/protocol/plain-issues';
import { z } from 'zod';
import type { Received, Request, Row } from './route.ts';

const KEY_FORM = /^[A-Za-z0-9._:-]{1,128}$/;
const JSON_TYPE = /^application\/(?:[a-z0-9.+-]+\+)?json\s*(?:;|$)/i;

/** The schema library's own error has a stack, which costs as much as the whole check. */
class Issues {
  constructor(readonly issues: z.core.$ZodIssue[]) {}
}

const check = z.core._safeParse(Issues as never);

/**
 * Checks the key's form, the content type, the JSON and the schema, then the presence of a required key. `dropped`
 * fields of the body are ignored.
 */
export function readBody(route: Row, request: Received, dropped: readonly string[] = []): Outcome<unknown> {
  const opened = openBody(route, request);
  return opened.ok && route.schema !== null ? checkBody(route, request, opened.value, dropped) : opened;
}

/** The first part of `readBody`: the body as JSON. The schema has not seen the value yet. */
export function openBody(route: Row, request: Received): Outcome<unknown> {
  const { idempotencyKey: key } = request;
  if (key !== '' && !KEY_FORM.test(key)) return noKey;
  if (route.rawBody) return done(request.body);
  return route.schema === null ? done(undefined) : readJson(route, request);
}

/** The second part of `readBody`, for a route with a schema. */
export function checkBody(
  route: Row,
  { idempotencyKey: key }: Pick<Received, 'idempotencyKey'>,
  value: unknown,
  dropped: readonly string[],
): Outcome<unknown> {
  const parsed = check(route.schema!, without(value, dropped));
  const missing = route.missingFields.filter((path) => hasField(value, path.split('.')));
  if (parsed.success && missing.length === 0) {
    return key === '' && route.idempotent === 'required' ? noKey : done(parsed.data);
  }
  const notYet = missing.map((path) => ({ path, message: 'This server does not have this field yet. Leave it out.' }));
  const details = { issues: [...(parsed.success ? [] : issuesOf(parsed.error)), ...notYet] };
  return refuse('invalid_request', 'The body does not fit this route. Mend the fields that the issues list.', {
    details,
  });
}

function hasField(value: unknown, [name, ...inner]: readonly string[]): boolean {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name!)) return false;
  const field = (value as Record<string, unknown>)[name!];
  return inner.length === 0 ? field !== undefined : hasField(field, inner);
}

const noKey = refuse(
  'invalid_idempotency_key',
  'Send an Idempotency-Key of 1 to 128 letters, digits, dots, _, : or -.',
);

/** Ignores parameters that the row does not name. If a parameter comes twice, its first value counts. */
export function readQuery({ query }: Row, request: Request): Outcome<unknown> {
  if (query === null) return done(undefined);
  const named: Record<string, string> = {};
  for (const name of Object.keys(query.shape)) {
    const value = request.query.get(name);
    if (value !== null) named[name] = value;
  }
  const parsed = check(query, named);
  if (parsed.success) return done(parsed.data);
  const [first] = parsed.error.issues;
  const message = first?.code === 'custom' ? (first.params?.refusal as string | undefined) : undefined;
  const details = { issues: issuesOf(parsed.error) };
  return refuse(
    'invalid_request',
    message ?? 'The query does not fit this route. Mend the parameters that the issues list.',
    { details },
  );
}

function without(value: unknown, dropped: readonly string[]): unknown {
  if (dropped.length === 0 || typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([name]) => !dropped.includes(name)));
}

function readJson(route: Row, request: Received): Outcome<unknown> {
  const { body } = request;
  if (body.length === 0) return route.bodyOptional ? done({}) : emptyBody(route);
  if (!route.anyType && !isJson(request.contentType)) {
    return refuse('unsupported_media_type', 'Send JSON, with Content-Type: application/json.');
  }
  try {
    if (isUtf8(body)) {
      const text = body.toString('utf8');
      const deepField = fieldThatNestsDeeper(text, bodyNestingMax);
      if (deepField !== null) return tooDeep(deepField);
      const value: unknown = JSON.parse(text);
      if (!HALF_PAIR_PERHAPS.test(text) || isWellFormed(value)) return done(value);
    }
  } catch {
    // Refused below. A parser's own message helps no caller.
  }
  return refuse('invalid_json', 'The body is not valid JSON in UTF-8. Send one JSON value.');
}

/** Most callers send the usual name, and pay for no expression. */
function isJson(contentType: string): boolean {
  return contentType === 'application/json' || JSON_TYPE.test(contentType);
}

function emptyBody({ schema }: Row): Outcome<never> {
  const { shape = {} } = schema as { shape?: Record<string, z.ZodType> };
  const required = Object.entries(shape).flatMap(([name, field]) => (field._zod.optin === undefined ? name : []));
  const fields = required.length > 0 ? ` with ${required.join(', ')}` : '';
  return refuse('invalid_json', `The body is empty. Send a JSON object${fields}, and Content-Type: application/json.`);
}

function tooDeep(field: string): Outcome<never> {
  const message = `Must nest at most ${bodyNestingMax} levels deep.`;
  return refuse('invalid_request', 'The body nests too deep. Mend the fields that the issues list.', {
    details: { issues: [{ path: field, message }] },
  });
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/**
 * The field of a JSON text whose lists and objects nest deeper than `depthMax`, counted from the whole; null if none
 * does, and '' for a text that is no object. Checks, and the writers of answers and messages,
 * walk a value by recursion, and a deep value would end them with an exhausted stack. A short text cannot nest deep, so
 * most bodies cost one comparison. A text that is no JSON may get either answer.
 */
export function fieldThatNestsDeeper(text: string, depthMax: number): string | null {
  if (text.length <= 2 * depthMax) return null;
  let depth = 0;
  let nameFrom = 0;
  let nameTo = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      const end = endOfText(text, at);
      if (depth === 1) {
        nameFrom = at + 1;
        nameTo = end;
      }
      at = end;
    }
    // [ and {, ] and } differ in one bit.
    else if ((code | 0x20) === 0x7b) {
      if (++depth > depthMax) return text.slice(nameFrom, Math.min(nameTo, nameFrom + FIELD_NAME_LENGTH_MAX));
    } else if ((code | 0x20) === 0x7d) depth--;
  }
  return null;
}

const FIELD_NAME_LENGTH_MAX = 128;

/** The place of the quotation mark that ends the text at `start`, or the end of the whole. */
function endOfText(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text.charCodeAt(at) !== QUOTE) at += text.charCodeAt(at) === BACKSLASH ? 2 : 1;
  return at;
}

/**
 * In UTF-8 only an escape can spell half a surrogate pair. Few bodies have such an escape, and only these bodies are
 * searched.
 */
const HALF_PAIR_PERHAPS = /\\u[dD][89a-fA-F]/;
const HALF_PAIR = /\p{Surrogate}/u;

/** Storage would turn every half pair into the same character. Two different booking references could become equal. */
function isWellFormed(value: unknown): boolean {
  if (typeof value === 'string') return !HALF_PAIR.test(value);
  if (value === null || typeof value !== 'object') return true;
  return Object.entries(value).every(([name, field]) => !HALF_PAIR.test(name) && isWellFormed(field));
}

const ISSUES_MAX = 100;

function issuesOf(error: Issues): Issue[] {
  return error.issues.slice(0, ISSUES_MAX).map(({ path, message }) => ({ path: path.join('.'), message }));
}
