/**
 * The console's calls to its server, with the session's cookie, or with the token of a manage session (elements/).
 *
 * States of a call: sent → answered, refused or silent. A refusal of the session (401) ends it: `onSignedOut` hears of
 * it, the call waits for the next sign-in, and is sent once more. So nothing that a person typed is lost. A call
 * without an answer has status 0, and its outcome is unknown. A call that changes something takes a `key`, which makes
 * its repetition the same act.
 */
import { ask, type Result } from '../../src/sale/calls.ts';
import type { Clock } from '../../src/sale/clock.ts';

export type Sent = { body?: unknown; key?: string; signal?: AbortSignal };

export type Server = {
  /** The origin of the server, for its pictures and sockets. */
  origin: string;
  get<T>(path: string, signal?: AbortSignal): Promise<Result<T>>;
  send<T>(method: 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string, sent?: Sent): Promise<Result<T>>;
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

/** `base` is the address of the server, '' for the page's own. */
export function createServer(clock: Clock, session: SessionEnds, base = ''): Server {
  async function call<T>(method: string, path: string, sent: Sent = {}): Promise<Result<T>> {
    const once = (): Promise<Result<T>> =>
      ask<T>(`${base}/v1`, path, method, {
        body: sent.body === undefined ? undefined : JSON.stringify(sent.body),
        type: 'application/json',
        token: session.bearer(),
        csrf: session.csrfToken(),
        key: sent.key,
        clock,
        signal: sent.signal ?? AbortSignal.timeout(ANSWER_MS_MAX),
      });
    const answer = await once();
    if (answer.ok || answer.status !== 401) return answer;
    return (await session.onSignedOut()) ? once() : answer;
  }

  return {
    origin: base === '' ? location.origin : base,
    get: (path, signal) => call('GET', path, signal ? { signal } : {}),
    send: call,
  };
}
