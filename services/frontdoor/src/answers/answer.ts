/** Turns an `Outcome` into status, headers and body, in one place. A body is serialized here, once. */
import { type Outcome, type Refusal, refuse, statusByCode } from '@parterre/shared/protocol/errors';

export type Header = readonly [name: string, value: string];

/** Bytes may come in parts, so that cached bytes are not copied into each body that contains them. */
export type Body = string | Uint8Array | readonly Uint8Array[];

export type Answer = {
  status: number;
  headers: readonly Header[];
  /** JSON unless `headers` say otherwise. */
  body: Body;
  /** The refusal that the answer spells, for the access log. */
  refusal?: Refusal;
};

/** The refusal of an unknown address, and of every request that must look like one. */
export const nothingHere = refuse(
  'not_found',
  'There is nothing at this address. GET /openapi.json lists the addresses of this server.',
);

/** The refusal of a request that met an exception. */
export const internalFault = refuse(
  'internal_error',
  'The server has a fault. The fault is logged under the requestId of this answer.',
);

type NoJson = 'no JSON';

/** A success with its own status, headers or a body that is not the JSON of a value. */
export class Prepared<Value = NoJson> {
  /** For the compiler alone: the value that the body spells. */
  declare readonly spells?: Value;

  constructor(
    readonly status: number,
    readonly headers: readonly Header[],
    readonly body: Body,
  ) {}
}

/** 304: the reader has the body already. */
export function unchanged(headers: readonly Header[]): Prepared<never> {
  return new Prepared<never>(304, headers, '');
}

/**
 * A success whose body goes on: server-sent events. `start` gets the reader to write to, and returns the function to
 * call when the reader leaves.
 */
export class EventStream {
  constructor(readonly start: (reader: StreamReader) => () => void) {}
}

export type StreamReader = {
  /** False if the reader is too slow and must be dropped. */
  write(text: string): boolean;
  end(): void;
};

export const jsonType: Header = ['Content-Type', 'application/json; charset=utf-8'];
/** A page of any origin may read the answer, and caches need not keep one for each origin. */
export const forEveryOrigin: Header = ['Access-Control-Allow-Origin', '*'];
export const jsonHeaders: readonly Header[] = [jsonType];
const retryAfter = (seconds: unknown): readonly Header[] => [jsonType, ['Retry-After', String(seconds)]];
const retryAfterOneSecond = retryAfter(1);

/** `status` is the route's status of success. */
export function answerOf(outcome: Outcome<unknown>, status: number, requestId: string): Answer {
  if (!outcome.ok) return answerOfRefusal(outcome.refusal, requestId);
  const { value } = outcome;
  if (value instanceof Prepared) return value;
  return { status, headers: jsonHeaders, body: JSON.stringify(value) };
}

/**
 * `{ error, code, message, requestId, reason?, retryable?, outcome?, ...details }`. Details never replace the other
 * fields.
 */
export function answerOfRefusal(refusal: Refusal, requestId: string): Answer & { body: string } {
  const status = statusByCode[refusal.code];
  const kept = spelled.get(refusal);
  const body = kept ? kept[0] + requestId + kept[1] : bodyOf(refusal, status, requestId);
  return { status, headers: headersOf(status, refusal), body, refusal };
}

/** The bodies of refusals that many callers get, before and behind the request's id. */
const spelled = new WeakMap<Refusal, readonly [before: string, behind: string]>();
const beforeId = '"requestId":"';

/**
 * Call this for a refusal that many callers get. Its body is then spelled once. The refusal must not change any more.
 */
export function spellOnce(refusal: Refusal): void {
  const body = bodyOf(refusal, statusByCode[refusal.code], '');
  // The fields before the id are texts, in which a quotation mark has a backslash.
  const at = body.indexOf(beforeId) + beforeId.length;
  spelled.set(refusal, [body.slice(0, at), body.slice(at)]);
}

function bodyOf(refusal: Refusal, status: number, requestId: string): string {
  const named: Record<string, unknown> = {
    error: refusal.code,
    code: refusal.code,
    message: refusal.message,
    requestId,
  };
  if (status === 409 || status === 422) named.reason = refusal.reason ?? refusal.code;
  else if (refusal.reason !== undefined) named.reason = refusal.reason;
  if (refusal.retryable) named.retryable = true;
  if (refusal.outcome) named.outcome = refusal.outcome;
  const { details = {} } = refusal;
  for (const name of Object.keys(details)) if (!Object.hasOwn(named, name)) named[name] = details[name];
  return JSON.stringify(named);
}

function headersOf(status: number, { code, details }: Refusal): readonly Header[] {
  // Only an operator ends this state.
  if (code === 'journal_lost_records') return jsonHeaders;
  const seconds = details?.retryAfterSeconds;
  if (status === 503) return seconds === undefined ? retryAfterOneSecond : retryAfter(seconds);
  return status === 429 && details ? retryAfter(seconds) : jsonHeaders;
}
