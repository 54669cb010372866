/**
 * The calls of a performance group's buyers and the session behind them: a publishable key opens one, or the host's
 * function gives one. A hold belongs to its session, so a tab keeps its token over a reload, and a fresh session takes
 * over the holds of the one before it.
 *
 * Failure at each await: no session, or no answer about the adoption → the call's answer, and the next call begins
 * again; a refused adoption → the fresh session goes on without the earlier holds. If the first call with a kept token
 * is refused, the page opens a fresh session: the deployment may have forgotten the old one.
 */
import { type Access, type PageStorage, tailOf } from '../sale/access.ts';
import { ask, createCalls, hostsToken, patiently, type Result } from '../sale/calls.ts';
import type { Clock } from '../sale/clock.ts';

export type GroupApi = ReturnType<typeof createGroupApi>;

export type GroupAccess = Exclude<Access, { capability: string }>;

/** `holder` is the buyer, when a host's sessions belong to persons. */
export function createGroupApi(
  baseUrl: string,
  key: string,
  access: GroupAccess,
  clock: Clock,
  storage: PageStorage,
  holder = '',
) {
  const base = `${baseUrl.replace(/\/$/, '')}/pub/performance-groups/${encodeURIComponent(key)}`;
  const way = 'publicKey' in access ? `key-${tailOf(access.publicKey)}` : 'session';
  const name = `parterre:session:${key}:${way}:${holder}`;
  const kept = storage?.getItem(name) ?? null;
  // Only the host knows whether its buyer is still the same.
  const calls = createCalls<never>(base, clock, { first: 'publicKey' in access ? kept : null, obtain });

  async function obtain(before: string | null): Promise<Result<{ token: string; opened: null }>> {
    const opened = 'publicKey' in access ? await open(access.publicKey) : await hostsToken(access.token);
    if (!opened.ok) return opened;
    const { token } = opened.value;
    const previous = before ?? kept;
    if (previous !== null && previous !== token) {
      const adopted = await adopt(token, previous);
      if (!adopted.ok && (adopted.status === 0 || adopted.status >= 500)) return adopted;
    }
    storage?.setItem(name, token);
    return opened;
  }

  async function open(publicKey: string): Promise<Result<{ token: string; opened: null }>> {
    const body = JSON.stringify({ publicKey });
    // A plain-text request needs no preflight.
    const answer = await patiently((signal) =>
      ask<{ token: string }>(base, 'sessions', 'POST', { body, type: 'text/plain', clock, signal }),
    );
    return answer.ok ? { ok: true, value: { token: answer.value.token, opened: null } } : answer;
  }

  function adopt(token: string, previousToken: string): Promise<Result<unknown>> {
    const body = JSON.stringify({ previousToken });
    return patiently((signal) =>
      ask(base, 'session/adopt', 'POST', { body, type: 'application/json', token, clock, signal }),
    );
  }

  return {
    ...calls,
    /** The first read of a page. */
    async enter<T>(action: string): Promise<Result<T>> {
      const answer = await calls.call<T>('GET', action);
      if (answer.ok || kept === null || !answer.problem.code.startsWith('buyer_access_')) return answer;
      const renewed = await calls.renew();
      return renewed.ok ? calls.call<T>('GET', action) : renewed;
    },
  };
}
