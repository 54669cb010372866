/**
 * The operator's calls, with the root token. The token stays in the memory of this page: it is in no storage, address,
 * cookie or log, and a reload forgets it. A refused token (401) is forgotten too.
 */
import { ask, type Result } from '../../src/sale/calls.ts';
import type { Clock } from '../../src/sale/clock.ts';
import type { Sent, Server } from '../server/calls.ts';

const ANSWER_MS_MAX = 30_000;

export function rootServer(token: string, clock: Clock, onRefused: () => void): Server {
  async function call<T>(method: string, path: string, sent: Sent = {}): Promise<Result<T>> {
    const answer = await ask<T>('/v1/admin', path, method, {
      body: sent.body === undefined ? undefined : JSON.stringify(sent.body),
      type: 'application/json',
      token,
      key: sent.key,
      clock,
      signal: sent.signal ?? AbortSignal.timeout(ANSWER_MS_MAX),
    });
    if (!answer.ok && answer.status === 401) onRefused();
    return answer;
  }
  return { get: (path, signal) => call('GET', path, signal ? { signal } : {}), send: call };
}
