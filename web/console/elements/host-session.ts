/**
 * The manage session of an element, whose tokens come from the page around it.
 *
 * States: none → asking → open → renewing (a call met a 401) → open; ended, when the page gives no token or the same
 * again: calls wait until the page sets a new function, or the person tries again. Calls that meet the end together
 * wait for one renewal. Failure at the one await, the page's function: it throws, or gives no text → ended.
 */
import type { SessionEnds } from '../server/calls.ts';

const TOKEN_MS_MAX = 30_000;

export class HostSession implements SessionEnds {
  state: 'none' | 'open' | 'ended' = 'none';
  readonly #ask: () => (() => Promise<string>) | null;
  readonly #changed: () => void;
  #token: string | null = null;
  #renewing: Promise<boolean> | null = null;
  #waiting: ((isBack: boolean) => void)[] = [];
  #isLeft = false;

  /** `ask` gives the function of the page, null without one. */
  constructor(ask: () => (() => Promise<string>) | null, changed: () => void) {
    this.#ask = ask;
    this.#changed = changed;
  }

  bearer(): string | null {
    return this.#token;
  }

  /** The session has no cookie. */
  csrfToken(): string {
    return '';
  }

  /** True once there is a token. */
  open(): Promise<boolean> {
    return this.#token === null ? this.#renew() : Promise.resolve(true);
  }

  async onSignedOut(): Promise<boolean> {
    if (this.#isLeft) return false;
    if (this.state === 'open' && (await this.#renew())) return true;
    return this.#isLeft ? false : new Promise((resolve) => this.#waiting.push(resolve));
  }

  /** The page has another function, or the person tries again. */
  async again(): Promise<boolean> {
    const isBack = await this.#renew();
    if (isBack) for (const resolve of this.#waiting.splice(0)) resolve(true);
    return isBack;
  }

  close(): void {
    this.#isLeft = true;
    for (const resolve of this.#waiting.splice(0)) resolve(false);
  }

  #renew(): Promise<boolean> {
    this.#renewing ??= this.#obtain().finally(() => {
      this.#renewing = null;
    });
    return this.#renewing;
  }

  async #obtain(): Promise<boolean> {
    const token = await inTime(this.#ask()?.() ?? null);
    if (this.#isLeft) return false;
    const isFresh = typeof token === 'string' && token !== '' && token !== this.#token;
    if (isFresh) this.#token = token;
    this.state = isFresh ? 'open' : this.#ask() === null ? 'none' : 'ended';
    this.#changed();
    return isFresh;
  }
}

async function inTime(token: Promise<string> | null): Promise<unknown> {
  try {
    return await Promise.race([token, new Promise((resolve) => setTimeout(resolve, TOKEN_MS_MAX, null))]);
  } catch {
    return null;
  }
}
