/**
 * Reads the body and the query of a request by the schemas of its row. Both are parsed once, and trusted afterwards.
 */
import { isUtf8 } from 'node:buffer';
import { done, type Issue, type Outcome, refuse } from '@parterre/shared/errors';
import '@parterre/shared/plain-issues';
import { z } from 'zod';
import type { Request, Row } from './route.ts';

const KEY_FORM = /^[A-Za-z0-9._:-]{1,128}$/;
const JSON_TYPE = /^application\/(?:[a-z0-9.+-]+\+)?json\s*(?:;|$)/i;

/** The schema library's own error has a stack, which costs as much as the whole check. */
class Issues {
  constructor(readonly issues: z.core.$ZodIssue[]) {}
}

const check = z.core._safeParse(Issues as never);

/**
 * Checks the key's form, the content type, the JSON and the schema, then the presence of a required key. `dropped` fields of
 * the body are ignored.
 */
export function readBody(route: Row, request: Request, dropped: readonly string[] = []): Outcome<unknown> {
  const { idempotencyKey: key } = request;
  if (key !== '' && !KEY_FORM.test(key)) return noKey;
  if (route.rawBody) return done(request.body);
  if (route.schema === null) return done(undefined);
  const read = readJson(route, request);
  if (!read.ok) return read;
  const parsed = check(route.schema, without(read.value, dropped));
  if (parsed.success) return key === '' && route.idempotent === 'required' ? noKey : done(parsed.data);
  const details = { issues: issuesOf(parsed.error) };
  return refuse('invalid_request', 'The body does not fit this route. Mend the fields that the issues list.', {
    details,
  });
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

function readJson(route: Row, request: Request): Outcome<unknown> {
  const { body } = request;
  if (body.length === 0 && route.bodyOptional) return done({});
  if (body.length > 0 && !route.anyType && !JSON_TYPE.test(request.contentType)) {
    return refuse('unsupported_media_type', 'Send JSON, with Content-Type: application/json.');
  }
  try {
    if (isUtf8(body)) {
      const text = body.toString('utf8');
      const value: unknown = JSON.parse(text);
      if (!HALF_PAIR_PERHAPS.test(text) || isWellFormed(value)) return done(value);
    }
  } catch {
    // Refused below. A parser's own message helps no caller.
  }
  return refuse('invalid_json', 'The body is not valid JSON in UTF-8. Send one JSON value.');
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
