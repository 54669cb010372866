/**
 * From an `Outcome` to what goes over the wire: status, headers and body, in one place (wire contract 1).
 * Bodies are serialized here, once.
 */
import { type Outcome, type Refusal, refuse, statusByCode } from '@parterre/shared/errors';

export type Header = readonly [name: string, value: string];

/** Bytes may come in parts, so that what is kept by others is not copied into each body that it is part of. */
export type Body = string | Uint8Array | readonly Uint8Array[];

export type Answer = {
  status: number;
  headers: readonly Header[];
  /** JSON unless `headers` say otherwise. */
  body: Body;
  /** The connection ends with this answer: what follows on it cannot be trusted. */
  close?: true;
  /** A refusal of the origin itself: no page of it may read even this. */
  foreignOrigin?: true;
};

/** Of an address that is none, and of all that is to look like one. */
export const nothingHere = refuse('not_found', 'There is nothing here.');

/** A route's success that is more than a JSON value with the route's usual status. */
export class Prepared {
  constructor(
    readonly status: number,
    readonly headers: readonly Header[],
    readonly body: Body,
  ) {}
}

/** A success that goes on: server-sent events. `start` gets the way to write and returns what to do when the reader leaves. */
export class EventStream {
  constructor(readonly start: (reader: StreamReader) => () => void) {}
}

export type StreamReader = {
  /** False when the reader is too slow and must be let go. */
  write(text: string): boolean;
  end(): void;
};

export const jsonType: Header = ['Content-Type', 'application/json; charset=utf-8'];
export const noStore: Header = ['Cache-Control', 'no-store'];
const jsonHeaders: readonly Header[] = [jsonType];
const retryAfter = (seconds: unknown): readonly Header[] => [jsonType, ['Retry-After', String(seconds)]];
const retryAfterOneSecond = retryAfter(1);

/** `status` is the route's status of success. */
export function answerOf(outcome: Outcome<unknown>, status: number, requestId: string): Answer {
  if (!outcome.ok) return answerOfRefusal(outcome.refusal, requestId);
  const { value } = outcome;
  if (value instanceof Prepared) return value;
  return { status, headers: jsonHeaders, body: JSON.stringify(value) };
}

/** `{ error, code, message, requestId, reason?, retryable?, ...details }`; details never replace the fields before them. */
export function answerOfRefusal(refusal: Refusal, requestId: string): Answer & { body: string } {
  const status = statusByCode[refusal.code];
  const named: Record<string, unknown> = {
    error: refusal.code,
    code: refusal.code,
    message: refusal.message,
    requestId,
  };
  if (status === 409 || status === 422) named.reason = refusal.reason ?? refusal.code;
  else if (refusal.reason !== undefined) named.reason = refusal.reason;
  if (refusal.retryable) named.retryable = true;
  return {
    status,
    headers: headersOf(status, refusal),
    // Named twice: first for the order of reading, last so that no detail replaces them.
    body: JSON.stringify({ ...named, ...refusal.details, ...named }),
    ...(refusal.code === 'buyer_access_origin_mismatch' ? { foreignOrigin: true } : {}),
  };
}

function headersOf(status: number, { details }: Refusal): readonly Header[] {
  const seconds = details?.retryAfterSeconds;
  if (status === 503) return seconds === undefined ? retryAfterOneSecond : retryAfter(seconds);
  return status === 429 && details ? retryAfter(seconds) : jsonHeaders;
}
