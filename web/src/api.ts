/**
 * Calls to /pub (wire contract 7) and the credential behind them, in one of three ways: a publishable key that is exchanged for a
 * session of its own (bootstrap), the same key as a bearer, or a function of the host's that gives a session's token.
 *
 * States of the credential: none → opening → open → renewing (the token had expired) → open. The failure at each await is a
 * refusal, or no answer at all, and both come back as a `Problem`. A call whose token expired is made once more with a fresh
 * one; callers that find it renewing wait for the same renewal. What a hold names goes under an Idempotency-Key, so that it
 * may be sent again after an answer was lost.
 */
import type { ChartDocument } from '@parterre/shared/chart/document';
import type { Problem } from './rules/words.ts';

export type Access = { publicKey: string; bearer?: boolean } | { token: () => Promise<string> };

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

/** No answer, or `retryable`: tried again after each of these. */
const RETRIES_MS = [300, 900, 2_000];
const ANSWER_MS_MAX = 20_000;

export function createApi(baseUrl: string, eventKey: string, access: Access) {
  const base = `${baseUrl.replace(/\/$/, '')}/pub/events/${encodeURIComponent(eventKey)}`;
  let token: string | null = 'publicKey' in access && access.bearer ? access.publicKey : null;
  let renewing: Promise<Result<Opened | null>> | null = null;

  /** A fresh credential; of a bootstrap also the chart that came with it. */
  function renew(): Promise<Result<Opened | null>> {
    renewing ??= obtain().finally(() => {
      renewing = null;
    });
    return renewing;
  }

  async function obtain(): Promise<Result<Opened | null>> {
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
    // As plain text the request needs no preflight.
    const answer = await patiently(() =>
      ask<Opened & { token: string }>('bootstrap', 'POST', { body, type: 'text/plain' }),
    );
    if (answer.ok) token = answer.value.token;
    return answer;
  }

  async function call<T>(method: 'GET' | 'POST', action: string, options: Options = {}): Promise<Result<T>> {
    if (token === null) {
      const opened = await renew();
      if (!opened.ok) return opened;
    }
    const body = options.body === undefined ? undefined : JSON.stringify(options.body);
    const send = () => ask<T>(action, method, { body, type: 'application/json', token, key: options.key });
    const patient = options.once ? send : () => patiently(send);
    const answer = await patient();
    if (answer.ok || answer.problem.code !== 'buyer_access_expired') return answer;
    const renewed = await renew();
    return renewed.ok ? patient() : renewed;
  }

  type Sent = { body?: string | undefined; type: string; token?: string | null; key?: string | undefined };

  async function ask<T>(action: string, method: string, sent: Sent): Promise<Result<T>> {
    const headers: Record<string, string> = {};
    if (sent.body !== undefined) headers['Content-Type'] = sent.type;
    if (sent.token) headers.Authorization = `Bearer ${sent.token}`;
    if (sent.key) headers['Idempotency-Key'] = sent.key;
    try {
      const signal = AbortSignal.timeout(ANSWER_MS_MAX);
      const init = { method, headers, signal, ...(sent.body === undefined ? {} : { body: sent.body }) };
      const response = await fetch(`${base}/${action}`, init);
      const answer = await response.json();
      if (response.ok) return { ok: true, value: answer as T };
      return { ok: false, status: response.status, problem: { code: 'internal_error', ...answer } };
    } catch {
      return { ok: false, status: 0, problem: { code: 'no_answer' } };
    }
  }

  return {
    call,
    renew,
    socketUrl: `${base.replace(/^http/, 'ws')}/subscribe`,
    /** The event and its chart, with a fresh credential where there is none. */
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

async function patiently<T>(send: () => Promise<Result<T>>): Promise<Result<T>> {
  for (const delay of RETRIES_MS) {
    const answer = await send();
    if (answer.ok || !mayRepeat(answer)) return answer;
    await new Promise((resolve) => setTimeout(resolve, delay));
  }
  return send();
}

function mayRepeat({ status, problem }: { status: number; problem: Problem & { retryable?: true } }): boolean {
  return status === 0 || problem.retryable === true;
}
