/**
 * Calls to /pub with a session's token.
 *
 * States of the token: none → opening → open → renewing (the token had expired) → open. Each await may fail with a
 * refusal or without an answer. Both become a `Problem`. A call with an expired token is made once more with a fresh
 * one; calls during a renewal wait for the same renewal. Unless `once` is set, a call without an answer is made again,
 * so its repetition must be harmless.
 */
import type { Problem } from '../messages/problems.ts';
import type { Clock } from './clock.ts';
import { takeEarly } from './early.ts';

/** `etag` is the answer's. */
export type Result<T> = { ok: true; value: T; etag?: string | null } | { ok: false; status: number; problem: Problem };

export type CallOptions = { body?: unknown; once?: true; key?: string };

type Token<Opened> = {
  /** Before the first call; null for none. */
  first: string | null;
  /** Gets a fresh token, and what comes with it. */
  obtain(previous: string | null): Promise<Result<{ token: string; opened: Opened | null }>>;
};

/** The least pauses between tries, after a missing answer or a `retryable` refusal. */
const RETRIES_MS = [300, 900, 2_000];
/** A pause is longer by up to this part, so that pages that were refused together come back one by one. */
const SPREAD = 0.5;
/** From the first try of a call. */
export const ANSWER_MS_MAX = 12_000;

/** `base` is the address of an event or a performance group under /pub. */
export function createCalls<Opened>(base: string, clock: Clock, { first, obtain }: Token<Opened>) {
  let token = first;
  let renewing: Promise<Result<Opened | null>> | null = null;

  /** Gets a fresh token. */
  function renew(): Promise<Result<Opened | null>> {
    renewing ??= replace().finally(() => {
      renewing = null;
    });
    return renewing;
  }

  async function replace(): Promise<Result<Opened | null>> {
    const obtained = await obtain(token);
    if (!obtained.ok) return obtained;
    token = obtained.value.token;
    return { ok: true, value: obtained.value.opened };
  }

  /** Gets a token if there is none. */
  function open(): Promise<Result<Opened | null>> {
    return token === null ? renew() : Promise.resolve({ ok: true, value: null });
  }

  async function withToken<T>(send: (token: string) => Promise<Result<T>>): Promise<Result<T>> {
    const opened = await open();
    if (!opened.ok) return opened;
    const answer = await send(token!);
    if (answer.ok || answer.problem.code !== 'buyer_access_expired') return answer;
    const renewed = await renew();
    return renewed.ok ? send(token!) : renewed;
  }

  function call<T>(method: 'GET' | 'POST', action: string, options: CallOptions = {}): Promise<Result<T>> {
    const body = options.body === undefined ? undefined : JSON.stringify(options.body);
    return withToken((bearer) => {
      const send = (signal: AbortSignal) => {
        const sent = { body, type: 'application/json', token: bearer, key: options.key, clock, signal };
        return ask<T>(base, action, method, sent);
      };
      return options.once ? send(AbortSignal.timeout(ANSWER_MS_MAX)) : patiently(send);
    });
  }

  /** Null if the answer still has the ETag `known`. */
  function news<T>(action: string, known: string | null): Promise<Result<T | null>> {
    return withToken((bearer) => {
      const sent = { type: '', token: bearer, known, clock, signal: AbortSignal.timeout(ANSWER_MS_MAX) };
      return ask<T | null>(base, action, 'GET', sent);
    });
  }

  return { open, renew, call, news };
}

type Sent = {
  body?: string | Blob | undefined;
  type: string;
  token?: string | null;
  key?: string | undefined;
  known?: string | null;
  /** Of a page with the session's cookie. */
  csrf?: string;
  /** The mode that such a page shows: the call reaches no other. */
  mode?: string | undefined;
  clock: Clock;
  signal: AbortSignal;
};

export async function ask<T>(base: string, action: string, method: string, sent: Sent): Promise<Result<T>> {
  const headers: Record<string, string> = {};
  if (sent.body !== undefined) headers['Content-Type'] = sent.type;
  if (sent.token) headers.Authorization = `Bearer ${sent.token}`;
  if (sent.csrf) headers['X-CSRF-Token'] = sent.csrf;
  if (sent.mode) headers['Parterre-Mode'] = sent.mode;
  if (sent.key) headers['Idempotency-Key'] = sent.key;
  if (sent.known) headers['If-None-Match'] = sent.known;
  const { body, signal, clock } = sent;
  return answerOf(`${base}/${action}`, { method, headers, signal, ...(body === undefined ? {} : { body }) }, clock);
}

/**
 * A public file: no credential, and no header that needs a preflight. A cache may have kept the answer, so its date
 * tells no time. `no-cache` asks the server whether the kept answer is still right.
 */
export const load = <T>(
  url: string,
  init: { signal: AbortSignal; cache: 'default' | 'no-cache' },
): Promise<Result<T>> => answerOf(url, { ...init, credentials: 'omit' }, null);

async function answerOf<T>(url: string, init: RequestInit, clock: Clock | null): Promise<Result<T>> {
  const now = clock?.local ?? Date.now;
  try {
    const early = takeEarly(url, init);
    const sentAt = early?.sentAt ?? now();
    const response = await (early?.response ?? fetch(url, init));
    const arrivedAt = early?.arrivedAt ?? now();
    clock?.heardDate(response.headers.get('Date'), sentAt, arrivedAt);
    if (response.status === 304 || response.status === 204) return { ok: true, value: null as T };
    const answer = await response.json();
    // The answer to an opening has the time within its availability.
    const serverTime = answer.serverTime ?? answer.availability?.serverTime;
    if (typeof serverTime === 'number') clock?.heardTime(serverTime, sentAt, arrivedAt);
    if (response.ok) return { ok: true, value: answer as T, etag: response.headers.get('ETag') };
    return { ok: false, status: response.status, problem: { code: 'internal_error', ...answer } };
  } catch {
    return { ok: false, status: 0, problem: { code: 'no_answer' } };
  }
}

/**
 * All tries together share the deadline of one. A busy server names the least pause. An answer behind which no pause
 * fits is the last.
 */
export async function patiently<T>(send: (signal: AbortSignal) => Promise<Result<T>>): Promise<Result<T>> {
  const signal = AbortSignal.timeout(ANSWER_MS_MAX);
  const until = performance.now() + ANSWER_MS_MAX;
  let answer = await send(signal);
  for (const least of RETRIES_MS) {
    if (answer.ok || !mayRepeat(answer)) return answer;
    const asked = (answer.problem.retryAfterSeconds ?? 0) * 1_000;
    const pauseMs = Math.max(least, asked) * (1 + SPREAD * Math.random());
    if (signal.aborted || performance.now() + pauseMs >= until) return answer;
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
    answer = await send(signal);
  }
  return answer;
}

function mayRepeat({ status, problem }: { status: number; problem: Problem & { retryable?: true } }): boolean {
  return status === 0 || problem.retryable === true;
}

/** The token of the host's own session. A host that fails counts as no answer. */
export async function hostsToken(token: () => Promise<string>): Promise<Result<{ token: string; opened: null }>> {
  try {
    return { ok: true, value: { token: await token(), opened: null } };
  } catch {
    return { ok: false, status: 0, problem: { code: 'no_answer' } };
  }
}
