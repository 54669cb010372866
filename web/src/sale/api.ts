/**
 * Calls to /pub and the credential behind them, in one of four ways: a publishable key that is exchanged for a session
 * of its own (bootstrap), the same key as a bearer, the capability of an access link, or the host's function that gives
 * a session's token. A link is redeemed once for a tab: its session is kept over reloads, and the link is redeemed
 * again only when the session has ended.
 *
 * States of the credential: none → opening → open → renewing (the token had expired) → open. Each await may fail with a
 * refusal or without an answer. Both become a `Problem`. A redemption is never repeated automatically, since each one
 * counts. A call with an expired token is made once more with a fresh one; calls during a renewal wait for the same
 * renewal. Calls to hold carry an Idempotency-Key, so they may be repeated after a lost answer.
 */
import type { ChartDocument } from '@parterre/shared/chart/document';
import type { Problem } from '../rules/words.ts';
import { type Access, type Kept, tailOf } from './access.ts';

export type Result<T> = { ok: true; value: T } | { ok: false; status: number; problem: Problem };

export type BuyerEvent = {
  key: string;
  name: string;
  status: string;
  salesClosed: boolean;
  venue: string | null;
  startsAt: number | null;
  timezone: string | null;
  locale: string | null;
  currency: string;
};

export type Opened = { event: BuyerEvent; doc: ChartDocument };

export type Api = ReturnType<typeof createApi>;

type Options = { body?: unknown; once?: true; key?: string };

/** The pauses between tries, after a missing answer or a `retryable` refusal. */
const RETRIES_MS = [300, 900, 2_000];
/** From the first try of a call. */
const ANSWER_MS_MAX = 12_000;

export function createApi(baseUrl: string, eventKey: string, access: Access, storage: Kept = null) {
  const base = `${baseUrl.replace(/\/$/, '')}/pub/events/${encodeURIComponent(eventKey)}`;
  let token: string | null = 'publicKey' in access && access.bearer ? access.publicKey : null;
  const session = 'capability' in access ? sessionOf(storage, eventKey, access.capability) : null;
  token ??= session?.get() ?? null;
  let renewing: Promise<Result<Opened | null>> | null = null;

  /** Gets a fresh credential; a bootstrap also gives the chart. */
  function renew(): Promise<Result<Opened | null>> {
    renewing ??= obtain().finally(() => {
      renewing = null;
    });
    return renewing;
  }

  async function obtain(): Promise<Result<Opened | null>> {
    if ('capability' in access) return redeem(access.capability);
    if (!('publicKey' in access)) {
      try {
        token = await access.token();
        return { ok: true, value: null };
      } catch {
        return { ok: false, status: 0, problem: { code: 'no_answer' } };
      }
    }
    if (access.bearer) return { ok: true, value: null };
    const body = JSON.stringify({ publicKey: access.publicKey });
    // A plain-text request needs no preflight.
    const answer = await patiently((signal) =>
      ask<Opened & { token: string }>(base, 'bootstrap', 'POST', { body, type: 'text/plain', signal }),
    );
    if (answer.ok) token = answer.value.token;
    return answer;
  }

  async function redeem(capability: string): Promise<Result<Opened | null>> {
    const body = JSON.stringify({ capability });
    const sent = { body, type: 'text/plain', signal: AbortSignal.timeout(ANSWER_MS_MAX) };
    const answer = await ask<Opened & { token: string }>(base, 'access-links/redeem', 'POST', sent);
    if (!answer.ok) {
      session?.set(null);
      return { ...answer, problem: { ...answer.problem, ofLink: true } };
    }
    token = answer.value.token;
    session?.set(token);
    return answer;
  }

  async function call<T>(method: 'GET' | 'POST', action: string, options: Options = {}): Promise<Result<T>> {
    if (token === null) {
      const opened = await renew();
      if (!opened.ok) return opened;
    }
    const body = options.body === undefined ? undefined : JSON.stringify(options.body);
    const send = (signal: AbortSignal) =>
      ask<T>(base, action, method, { body, type: 'application/json', token, key: options.key, signal });
    const patient = () => (options.once ? send(AbortSignal.timeout(ANSWER_MS_MAX)) : patiently(send));
    const answer = await patient();
    if (answer.ok || answer.problem.code !== 'buyer_access_expired') return answer;
    const renewed = await renew();
    return renewed.ok ? patient() : renewed;
  }

  return {
    call,
    renew,
    socketUrl: `${base.replace(/^http/, 'ws')}/subscribe`,
    /** The event and its chart, with a fresh credential when there is none. */
    async open(): Promise<Result<Opened>> {
      if (token === null) {
        const opened = await renew();
        if (!opened.ok) return opened;
        if (opened.value) return { ok: true, value: opened.value };
      }
      return call<Opened>('GET', 'chart');
    },
  };
}

type Sent = {
  body?: string | undefined;
  type: string;
  token?: string | null;
  key?: string | undefined;
  signal: AbortSignal;
};

async function ask<T>(base: string, action: string, method: string, sent: Sent): Promise<Result<T>> {
  const headers: Record<string, string> = {};
  if (sent.body !== undefined) headers['Content-Type'] = sent.type;
  if (sent.token) headers.Authorization = `Bearer ${sent.token}`;
  if (sent.key) headers['Idempotency-Key'] = sent.key;
  try {
    const init = { method, headers, signal: sent.signal, ...(sent.body === undefined ? {} : { body: sent.body }) };
    const response = await fetch(`${base}/${action}`, init);
    const answer = await response.json();
    if (response.ok) return { ok: true, value: answer as T };
    return { ok: false, status: response.status, problem: { code: 'internal_error', ...answer } };
  } catch {
    return { ok: false, status: 0, problem: { code: 'no_answer' } };
  }
}

/** All tries together share the deadline of one. */
async function patiently<T>(send: (signal: AbortSignal) => Promise<Result<T>>): Promise<Result<T>> {
  const signal = AbortSignal.timeout(ANSWER_MS_MAX);
  let answer = await send(signal);
  for (const delay of RETRIES_MS) {
    if (answer.ok || signal.aborted || !mayRepeat(answer)) return answer;
    await new Promise((resolve) => setTimeout(resolve, delay));
    answer = await send(signal);
  }
  return answer;
}

/** The storage key of a link's session; another link of the same event has its own. */
function sessionOf(storage: Kept, eventKey: string, capability: string) {
  const name = `parterre:session:${eventKey}:${tailOf(capability)}`;
  return {
    get: () => storage?.getItem(name) ?? null,
    set: (token: string | null) => (token === null ? storage?.removeItem(name) : storage?.setItem(name, token)),
  };
}

function mayRepeat({ status, problem }: { status: number; problem: Problem & { retryable?: true } }): boolean {
  return status === 0 || problem.retryable === true;
}
