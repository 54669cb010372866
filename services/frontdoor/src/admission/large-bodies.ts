/**
 * Large work of tenants: bodies above `largeBodyBytesMin`, and calls that take long on a loop (bulk calls). This file
 * owns who may send and do such work, so that the work of one tenant costs the other tenants no more than a share.
 * Small bodies are never counted here.
 *
 * A body has three bounds before a byte of it is read. Its length fits the session (`saveBytesMax`). The bytes of its
 * tenant and of its session have room in their budgets (`large-bodies`, `large-bodies-of-session`). Its turn has come:
 * a session sends one large body at a time, and a tenant `largeBodiesOfTenantMax`. A tenant sends more than one body at
 * a time, because a slow sender must not stop its colleagues for a minute. The dear part, reading and storing the body,
 * is done for one body of a tenant at a time (`work`).
 *
 * A tenant is an organisation. A buyer's large bodies count for the buyer's address instead: a visitor with the page's
 * key cannot use up the budget of the organisation's staff. The bytes of a body that is too large for its session count
 * for this session alone, so that one visitor of a demo does not use up the demo's budget.
 *
 * States of a turn: waiting → running → over; waiting → refused, when its wait or its request's deadline is over. A
 * caller that goes away while it waits gets its turn, and gives the turn back at once.
 *
 * Failure at the await: the turn does not come in time, or too many wait → 503 `overloaded`, `retryable`. A person who
 * saves twice waits for the first save. A flood is refused.
 */

import { done, type Outcome, refuse } from '@parterre/shared/protocol/errors';
import {
  largeBodiesAtOnceMax,
  largeBodiesOfTenantMax,
  largeTurnMsMax,
  largeTurnsOfSessionMax,
  largeTurnsOfTenantMax,
  largeTurnsWaitingMax,
  largeWorkAtOnceMax,
} from '@parterre/shared/protocol/limits';
import type { Clock } from '@parterre/shared/runtime/clock';
import type { Spent } from '@parterre/shared/runtime/fixed-windows';
import { createPartyLimiter, type PartyLimiter } from '@parterre/shared/runtime/limiter';
import { KIB } from '@parterre/shared/runtime/units';
import { type BodyThread, createBodyReader } from './body-reader.ts';
import { type Budgets, secondsOf } from './budgets.ts';
import { type Asker, accountOf } from './principal.ts';
import type { LargeBodies, LargeLimiter, Lease } from './route.ts';
import { budgets as table } from './rules/budget.ts';
import { countedAddress } from './rules/client-address.ts';

export function createLargeBodies(clock: Clock, thread: BodyThread): LargeBodies {
  return {
    read: createBodyReader(thread),
    receiving: createLargeLimiter(clock, largeBodiesAtOnceMax, largeBodiesOfTenantMax),
    work: createLargeLimiter(clock, largeWorkAtOnceMax, 1),
  };
}

const tooMany = refuse('overloaded', 'Too much large work of this account waits for its turn. Try again.', {
  retryable: true,
});

/**
 * `atOnce` leases in all, `atOnceOfTenant` of one tenant, one of a session. Tenants take turns. A caller waits for at
 * most `waitMsMax`.
 */
export function createLargeLimiter(
  clock: Clock,
  atOnce: number,
  atOnceOfTenant: number,
  waitMsMax = largeTurnMsMax,
): LargeLimiter {
  const ofTenants = new BoundedLimiter(createPartyLimiter(atOnce, atOnceOfTenant), largeTurnsOfTenantMax);
  const ofSessions = new BoundedLimiter(createPartyLimiter(Number.POSITIVE_INFINITY, 1), largeTurnsOfSessionMax);
  let waiting = 0;

  function acquire(tenant: string, session: string | null, deadlineAt: number): Promise<Outcome<Lease>> {
    if (waiting >= largeTurnsWaitingMax) return Promise.resolve(tooMany);
    waiting++;
    const leaving = new AbortController();
    const now = clock.elapsed();
    const cancel = clock.after(Math.min(deadlineAt, now + waitMsMax) - now, () => leaving.abort());
    return new Promise((resolve) => {
      const settle = (lease: Outcome<Lease>) => {
        cancel();
        waiting--;
        resolve(lease);
      };
      const lend = () => new Promise<'lent'>((resolve) => settle(done({ release: () => resolve('lent') })));
      const inTenant = () => ofTenants.inTurn(tenant, lend, leaving.signal);
      const ended = session === null ? inTenant() : ofSessions.inTurn(session, inTenant, leaving.signal);
      void ended.then((lent) => {
        if (lent === null) settle(tooMany);
      });
    });
  }

  return { acquire };
}

/** Turns of parties, of which at most `waitingMax` of a party wait. Counts of nobody are not kept. */
class BoundedLimiter {
  readonly #limiter: PartyLimiter;
  readonly #waitingMax: number;
  readonly #waitingOf = new Map<string, number>();

  constructor(limiter: PartyLimiter, waitingMax: number) {
    this.#limiter = limiter;
    this.#waitingMax = waitingMax;
  }

  /** Null: too many wait, or `leaving` was aborted before the turn came. */
  async inTurn<T>(party: string, run: () => Promise<T>, leaving: AbortSignal): Promise<T | null> {
    const waiting = this.#waitingOf.get(party) ?? 0;
    if (waiting >= this.#waitingMax) return null;
    this.#waitingOf.set(party, waiting + 1);
    let waits = true;
    const leave = () => {
      if (waits) this.#leave(party);
      waits = false;
    };
    const ended = await this.#limiter(
      party,
      () => {
        leave();
        return run();
      },
      leaving,
    );
    leave();
    return ended;
  }

  #leave(party: string): void {
    const left = this.#waitingOf.get(party)! - 1;
    if (left > 0) this.#waitingOf.set(party, left);
    else this.#waitingOf.delete(party);
  }
}

/** The account or address that large work counts for. */
export type Party = { tenant: string; session: string | null };

export function partyOf(asker: Asker, request: { address(): string }): Party {
  if (asker === true) return { tenant: 'operator', session: null };
  const tenant = accountOf(asker);
  return tenant === null
    ? { tenant: countedAddress(request.address()), session: null }
    : { tenant, session: sessionOf(asker) };
}

function sessionOf(asker: Asker): string | null {
  if (asker === null || asker === true) return null;
  if (asker.kind === 'dashboard') return asker.userId;
  return asker.kind === 'manage' || asker.kind === 'designer' ? asker.keyHash : null;
}

/** The longest body that the caller's session may send. */
export function bodyBytesMaxOf(asker: Asker): number {
  const isBound = asker !== null && asker !== true && asker.kind === 'designer';
  return isBound ? (asker.saveBytesMax ?? Number.POSITIVE_INFINITY) : Number.POSITIVE_INFINITY;
}

const MESSAGE = 'This account has sent too many bytes in large bodies. This request did nothing. Wait, then repeat it.';

/**
 * Counts the bytes of a large body. The refusal if a budget has no room left; else null, and the budgets have counted
 * the body, the last one perhaps past its limit. `isOfSession`: a session's bytes count for the session alone.
 */
export function overBytes(
  budgets: Budgets | null,
  { tenant, session }: Party,
  bytes: number,
  isOfSession = false,
): Outcome<never> | null {
  if (budgets === null) return null;
  const amount = Math.ceil(bytes / KIB);
  if (session !== null) {
    const ofSession = budgets.charge(table.largeBodiesOfSession, session, amount);
    if (ofSession?.allowed === false) return tooManyBytes(ofSession);
    if (isOfSession) return null;
  }
  const ofTenant = budgets.charge(table.largeBodies, tenant, amount);
  return ofTenant?.allowed === false ? tooManyBytes(ofTenant) : null;
}

function tooManyBytes({ resetAfterMs }: Spent): Outcome<never> {
  return refuse('rate_limited', MESSAGE, { details: { retryAfterSeconds: secondsOf(resetAfterMs) } });
}
