/**
 * Fixed windows of budgets: a window begins at a caller's first request and ends after its length. They are kept in
 * memory and bounded (I8): past `windowsMax` the oldest are forgotten, which only ever allows more requests.
 */
import type { Clock } from './clock.ts';
import { RecentMap } from './recent-map.ts';

/** The budget after a request. A request with `allowed` false must not be done, and was not counted. */
export type Spent = { allowed: boolean; remaining: number; resetAfterMs: number };

type Window = { endsAt: number; count: number };

export class FixedWindows {
  readonly #clock: Clock;
  readonly #windowsMax: number;
  readonly #byLength = new Map<number, RecentMap<Window>>();

  /** `windowsMax` bounds the windows of each length. */
  constructor(clock: Clock, windowsMax: number) {
    this.#clock = clock;
    this.#windowsMax = windowsMax;
  }

  /** Counts one request of `caller`, which may make `limit` requests in `windowMs`. */
  spend(caller: string, limit: number, windowMs: number): Spent {
    const { granted, ...spent } = this.spendMany(caller, limit, windowMs, 1);
    return spent;
  }

  /**
   * As `spend` for a request that counts as `weight`: the window counts all of it, or nothing. A weight above the limit
   * takes a whole new window.
   */
  spendWhole(caller: string, limit: number, windowMs: number, weight: number): Spent {
    const counted = Math.min(weight, limit);
    const { window, now } = this.#openWindow(caller, windowMs);
    const allowed = window.count + counted <= limit;
    if (allowed) window.count += counted;
    return { allowed, remaining: limit - window.count, resetAfterMs: window.endsAt - now };
  }

  /** As `spend` for `amount` requests, or for as many of them as the window has left. */
  spendMany(caller: string, limit: number, windowMs: number, amount: number): Spent & { granted: number } {
    const { window, now } = this.#openWindow(caller, windowMs);
    const granted = Math.min(amount, Math.max(0, limit - window.count));
    window.count += granted;
    const remaining = limit - window.count;
    return { allowed: granted === amount, remaining, resetAfterMs: window.endsAt - now, granted };
  }

  /** Takes back one request of `caller` that turned out not to count. A window that has ended stays as it is. */
  giveBack(caller: string, windowMs: number): void {
    const window = this.#windowsOf(windowMs).get(caller);
    if (window !== undefined && window.count > 0) window.count--;
  }

  #openWindow(caller: string, windowMs: number): { window: Window; now: number } {
    const now = this.#clock.elapsed();
    const windows = this.#windowsOf(windowMs);
    let window = windows.get(caller);
    if (window === undefined || now >= window.endsAt) {
      window = { endsAt: now + windowMs, count: 0 };
      windows.set(caller, window);
    }
    return { window, now };
  }

  #windowsOf(windowMs: number): RecentMap<Window> {
    let windows = this.#byLength.get(windowMs);
    if (windows === undefined) {
      windows = new RecentMap(this.#clock, { entriesMax: this.#windowsMax, keepMs: windowMs });
      this.#byLength.set(windowMs, windows);
    }
    return windows;
  }
}
