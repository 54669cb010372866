/** The request budgets of the specification ("Request budgets"), what each is counted by, and how its 429 looks. Pure. */

export type Budget = {
  name: string;
  limit: number;
  windowMs: number;
  per: 'key' | 'token' | 'account and chart' | 'address' | 'address and path';
  /** The routes' differences of the specification's "429 response". */
  refusal: 'full' | 'without code' | 'Retry-After only' | 'error only';
  /** Counted by every front door for itself, as the specification says of this one. */
  local?: true;
};

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** The whole table; routes name their row. `per` a key does not count sessions of a dashboard. */
export const budgets = {
  serverHolds: { name: 'server-holds', limit: 600, windowMs: MINUTE_MS, per: 'key', refusal: 'without code' },
  seasons: { name: 'seasons', limit: 600, windowMs: MINUTE_MS, per: 'key', refusal: 'full' },
  manageSessions: {
    name: 'manage-sessions',
    limit: 300,
    windowMs: MINUTE_MS,
    per: 'token',
    refusal: 'Retry-After only',
  },
  panoramaManifests: {
    name: 'panorama-manifests',
    limit: 10,
    windowMs: DAY_MS,
    per: 'account and chart',
    refusal: 'Retry-After only',
  },
  readiness: { name: 'readiness', limit: 30, windowMs: MINUTE_MS, per: 'address', refusal: 'error only', local: true },
  buyerHolds: { name: 'buyer-holds', limit: 120, windowMs: MINUTE_MS, per: 'address', refusal: 'full' },
  buyerReads: { name: 'buyer-reads', limit: 3_000, windowMs: MINUTE_MS, per: 'address', refusal: 'full' },
  seasonSessions: {
    name: 'season-sessions',
    limit: 30,
    windowMs: MINUTE_MS,
    per: 'address and path',
    refusal: 'full',
  },
  groupSessions: { name: 'group-sessions', limit: 30, windowMs: MINUTE_MS, per: 'address and path', refusal: 'full' },
  seasonRenewals: { name: 'season-renewals', limit: 60, windowMs: MINUTE_MS, per: 'address', refusal: 'full' },
} as const satisfies Record<string, Budget>;

/** What is known of a request; null where it came with another kind of credential. */
export type Asking = {
  keyId: string | null;
  /** Names a manage token: its hash, never itself. */
  token: string | null;
  organisationId: string | null;
  address: string;
  /** The first parameter of the path: the chart, season or group. */
  pathKey: string;
};

/** Longer than any key that exists: what only begins alike is counted together, and no caller makes a name long. */
const PATH_KEY_LENGTH_MAX = 128;

/** By what this request is counted, or null when the budget is not for its kind of caller. */
export function countedBy(budget: Budget, { keyId, token, organisationId, address, pathKey }: Asking): string | null {
  const key = pathKey.slice(0, PATH_KEY_LENGTH_MAX);
  switch (budget.per) {
    case 'key':
      return keyId;
    case 'token':
      return token;
    case 'account and chart':
      return organisationId === null ? null : `${organisationId} ${key}`;
    case 'address':
      return address;
    case 'address and path':
      return `${address} ${key}`;
  }
}

export function countsAddress(budget: Budget | null): boolean {
  return budget !== null && (budget.per === 'address' || budget.per === 'address and path');
}

/** Where a budget is counted: hashed to a partition as an event's key is, and like none (a key has no space). */
export function budgetAddress(budget: Budget, countedAs: string): string {
  return `budget ${budget.name} ${countedAs}`;
}
