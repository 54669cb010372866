/** Request budgets as fixed windows: counting starts at the first request and resets when the window ends. Pure. */

export type Budget = {
  name: 'server-holds' | 'readiness' | 'buyer-reads';
  limit: number;
  windowMs: number;
  per: 'key' | 'address';
};

const MINUTE_MS = 60_000;

/** The table of the specification's "Request budgets" that is in force so far. */
export const budgets = {
  serverHolds: { name: 'server-holds', limit: 600, windowMs: MINUTE_MS, per: 'key' },
  readiness: { name: 'readiness', limit: 30, windowMs: MINUTE_MS, per: 'address' },
  buyerReads: { name: 'buyer-reads', limit: 3_000, windowMs: MINUTE_MS, per: 'address' },
} as const satisfies Record<string, Budget>;

export type Window = { startedAt: number; count: number };

/** What is left after this request; `allowed` false means that the request must not be done. */
export type Spent = { window: Window; allowed: boolean; remaining: number; resetAfterMs: number };

export function spend(budget: Budget, before: Window | undefined, now: number): Spent {
  const running = before !== undefined && now < before.startedAt + budget.windowMs;
  const window = running ? before : { startedAt: now, count: 0 };
  const allowed = window.count < budget.limit;
  const count = allowed ? window.count + 1 : window.count;
  return {
    window: { startedAt: window.startedAt, count },
    allowed,
    remaining: budget.limit - count,
    resetAfterMs: window.startedAt + budget.windowMs - now,
  };
}

/** Seconds a caller waits before it tries again, at least one. */
export function retryAfterSeconds(spent: Spent): number {
  return Math.max(1, Math.ceil(spent.resetAfterMs / 1000));
}
