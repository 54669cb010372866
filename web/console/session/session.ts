/**
 * The user's session: who is signed in, and what waits for a sign-in.
 *
 * States: asking → out or in; in → ended (a call met a 401) → in again, by the same user, or by another, who begins
 * anew. Calls that met the end wait for the next sign-in. Failure at each await: no answer → the sign-in says so, and
 * the person tries again; a wrong password → the same; the lock → the same, with its time.
 */
import type { Role } from '@parterre/shared/protocol/catalog/scope';
import type { Right } from '@parterre/shared/protocol/rights';
import type { Result } from '../../src/sale/calls.ts';
import { ask } from '../../src/sale/calls.ts';
import type { Clock } from '../../src/sale/clock.ts';

export type SignedIn = {
  user: { id: string; email: string; role: Role };
  organisation: { id: string; name: string; currency: string; credits: number };
  csrfToken: string;
  expiresAt: number;
};

/** Somebody who works with a view: a user with a role, or a session of a host's page with its rights. */
export type Doer = Omit<SignedIn, 'user'> & {
  user: Omit<SignedIn['user'], 'role'> & { role: Role | readonly Right[] };
};

type State = { kind: 'asking' } | { kind: 'out' } | { kind: 'in'; who: SignedIn } | { kind: 'ended'; who: SignedIn };

const ANSWER_MS_MAX = 15_000;

export class Session {
  #state: State = { kind: 'asking' };
  #waiting: ((isBack: boolean) => void)[] = [];
  readonly #clock: Clock;
  readonly #changed: () => void;
  /** Another user has signed in than the one whose views are open. */
  readonly #begunAnew: () => void;

  constructor(clock: Clock, changed: () => void, begunAnew: () => void) {
    this.#clock = clock;
    this.#changed = changed;
    this.#begunAnew = begunAnew;
  }

  get state(): State {
    return this.#state;
  }

  csrfToken(): string {
    return this.#state.kind === 'in' ? this.#state.who.csrfToken : '';
  }

  bearer(): null {
    return null;
  }

  /** Asks who is signed in already. */
  async open(): Promise<void> {
    const answer = await this.#call<SignedIn>('GET', 'dashboard/me');
    this.#set(answer.ok ? { kind: 'in', who: answer.value } : { kind: 'out' });
  }

  /** Null for a success. */
  async signIn(email: string, password: string): Promise<Extract<Result<never>, { ok: false }> | null> {
    const answer = await this.#call<SignedIn>('POST', 'dashboard/login', { email, password });
    if (!answer.ok) return answer;
    const before = this.#state.kind === 'ended' ? this.#state.who.user.id : null;
    const isBack = before === answer.value.user.id;
    this.#set({ kind: 'in', who: answer.value });
    if (before !== null && !isBack) this.#begunAnew();
    for (const resolve of this.#waiting.splice(0)) resolve(isBack);
    return null;
  }

  /** With a token from an owner or the operator. All sessions of the user end, so nobody is signed in afterwards. */
  setPassword(token: string, password: string): Promise<Result<unknown>> {
    return this.#call('POST', 'dashboard/password-reset', { token, password });
  }

  async signOut(): Promise<void> {
    await this.#call('POST', 'dashboard/logout', {});
    this.#set({ kind: 'out' });
    this.#begunAnew();
    for (const resolve of this.#waiting.splice(0)) resolve(false);
  }

  onSignedOut(): Promise<boolean> {
    if (this.#state.kind === 'in') this.#set({ kind: 'ended', who: this.#state.who });
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  #set(state: State): void {
    this.#state = state;
    this.#changed();
  }

  #call<T>(method: string, path: string, body?: unknown): Promise<Result<T>> {
    return ask<T>('/v1', path, method, {
      body: body === undefined ? undefined : JSON.stringify(body),
      type: 'application/json',
      csrf: this.csrfToken(),
      clock: this.#clock,
      signal: AbortSignal.timeout(ANSWER_MS_MAX),
    });
  }
}
