/**
 * The console's calls to its server, with the session's cookie, or with the token of a manage session (elements/).
 *
 * States of a call: sent → answered, refused or silent. A refusal of the session (401) ends it: `onSignedOut` hears of
 * it, the call waits for the next sign-in, and is sent once more. So nothing that a person typed is lost. A call
 * without an answer has status 0, and its outcome is unknown. A call that changes something takes a `key`, which makes
 * its repetition the same act.
 *
 * Every call names the mode of the address, and the server refuses what belongs to the other mode.
 */
import { ask, type Result } from '../../src/sale/calls.ts';
import type { Clock } from '../../src/sale/clock.ts';
import type { Mode } from '../address.ts';

export type Sent = { body?: unknown; key?: string; signal?: AbortSignal };

export type Server = {
  /** The server's time, in epoch milliseconds, as its answers tell it. */
  now(): number;
  /** The origin of the server, for its pictures and sockets. */
  origin: string;
  get<T>(path: string, signal?: AbortSignal): Promise<Result<T>>;
  /** As `get`; null where the answer still has the ETag `known`. */
  news<T>(path: string, known: string | null, signal?: AbortSignal): Promise<Result<T | null>>;
  send<T>(method: 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string, sent?: Sent): Promise<Result<T>>;
  /** A file as it is. */
  upload<T>(path: string, file: Blob): Promise<Result<T>>;
};

export type SessionEnds = {
  /** The token that every write echoes; '' before the first sign-in. */
  csrfToken(): string;
  /** The token of the Authorization header; null for a session with a cookie. */
  bearer(): string | null;
  /** Resolves when the same user has signed in again; false when the view is left instead. */
  onSignedOut(): Promise<boolean>;
};

const ANSWER_MS_MAX = 30_000;
const UPLOAD_MS_MAX = 300_000;

type AskedCall = { method: string; body?: string | Blob; type?: string; key?: string; known?: string | null };

/**
 * `mode` is that of the present address; null leaves it to the credential. `base` is the address of the server, '' for
 * the page's own.
 */
export function createServer(clock: Clock, session: SessionEnds, mode: () => Mode | null, base = ''): Server {
  async function call<T>(path: string, asked: AskedCall, msMax: number, left?: AbortSignal): Promise<Result<T>> {
    const { method, body, type = 'application/json', key, known = null } = asked;
    const once = (): Promise<Result<T>> => {
      const late = AbortSignal.timeout(msMax);
      const signal = left ? AbortSignal.any([left, late]) : late;
      const sent = {
        body,
        type,
        key,
        known,
        token: session.bearer(),
        csrf: session.csrfToken(),
        mode: mode() ?? undefined,
        clock,
        signal,
      };
      return ask<T>(`${base}/v1`, path, method, sent);
    };
    const answer = await once();
    if (answer.ok || answer.status !== 401) return answer;
    return (await session.onSignedOut()) ? once() : answer;
  }

  return {
    now: clock.now,
    origin: base === '' ? location.origin : base,
    get: (path, signal) => call(path, { method: 'GET' }, ANSWER_MS_MAX, signal),
    news: (path, known, signal) => call(path, { method: 'GET', known }, ANSWER_MS_MAX, signal),
    send(method, path, { body, key, signal } = {}) {
      const json = body === undefined ? {} : { body: JSON.stringify(body) };
      return call(path, { method, ...json, ...(key !== undefined && { key }) }, ANSWER_MS_MAX, signal);
    },
    upload: (path, body) => call(path, { method: 'POST', body, type: 'application/octet-stream' }, UPLOAD_MS_MAX),
  };
}
