/**
 * The request budgets of the specification ("Request budgets"), what each is counted by, how its 429 looks, and the limits that a
 * deployment or a key has instead of the specification's. Pure.
 */
import type { KeyBudgets } from '@parterre/shared/catalog/accounts';
import { MINUTE_MS } from '@parterre/shared/units';

export type Budget = {
  name: string;
  limit: number;
  windowMs: number;
  per: 'key' | 'token' | 'account and chart' | 'address' | 'address and path';
  /** The routes' differences of the specification's "429 response". */
  refusal: 'full' | 'without code' | 'Retry-After only' | 'error only';
  /** Counted by every front door for itself, as the specification says of this one. */
  local?: true;
  /** What a key may have a limit of its own for. */
  ofKey?: keyof KeyBudgets;
};

const DAY_MS = 24 * 60 * MINUTE_MS;

/** The whole table; routes name their row. `per` a key does not count sessions of a dashboard. */
export const budgets = {
  serverHolds: {
    name: 'server-holds',
    limit: 600,
    windowMs: MINUTE_MS,
    per: 'key',
    refusal: 'without code',
    ofKey: 'serverHolds',
  },
  seasons: { name: 'seasons', limit: 600, windowMs: MINUTE_MS, per: 'key', refusal: 'full', ofKey: 'seasons' },
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
  buyerHolds: {
    name: 'buyer-holds',
    limit: 120,
    windowMs: MINUTE_MS,
    per: 'address',
    refusal: 'full',
    ofKey: 'buyerHolds',
  },
  buyerReads: {
    name: 'buyer-reads',
    limit: 3_000,
    windowMs: MINUTE_MS,
    per: 'address',
    refusal: 'full',
    ofKey: 'buyerReads',
  },
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

/** By the name of a budget, the limit that a deployment has instead; null lifts it. */
export type BudgetLimits = ReadonlyMap<string, number | null>;

/** `server-holds=100000,buyer-holds=off`, or `on` for the usual ones; the fault where it is not of that form. */
export function readBudgetLimits(text: string): BudgetLimits | { fault: string } {
  const names = Object.values(budgets).map(({ name }) => name as string);
  const limits = new Map<string, number | null>();
  if (text === 'on') return limits;
  for (const part of text.split(',').filter((each) => each.trim() !== '')) {
    const [name = '', limit = ''] = part.split('=').map((each) => each.trim());
    if (!names.includes(name)) return { fault: `${name} is none of ${names.join(', ')}` };
    if (limit !== 'off' && !/^[1-9]\d{0,8}$/.test(limit)) return { fault: `${name} is a number from 1, or off` };
    limits.set(name, limit === 'off' ? null : Number(limit));
  }
  return limits;
}

/** The budget with the limit that stands for a request: the key's own, the deployment's, or its usual one. Null where that is lifted. */
export function limitedBudget(budget: Budget, limits: BudgetLimits, ofKey: KeyBudgets | undefined): Budget | null {
  const own = budget.ofKey && ofKey?.[budget.ofKey];
  const limit = own === undefined ? limits.get(budget.name) : own;
  if (limit === undefined) return budget;
  return limit === null ? null : { ...budget, limit };
}

export function hasOwnLimit({ ofKey }: Budget, own: KeyBudgets | undefined): boolean {
  return ofKey !== undefined && own?.[ofKey] !== undefined;
}

/** What is known of a request; null where it came with another kind of credential. */
export type Asking = {
  keyId: string | null;
  /** Names a manage token: its hash, never itself. */
  token: string | null;
  organisationId: string | null;
  address: string;
  /** The first parameter of the path: the chart, season or group. */
  pathKey: string;
  /** The key that has a limit of its own for this budget: what it lets through is counted apart. */
  limitedKey?: string;
};

/** Longer than any key that exists: what only begins alike is counted together, and no caller makes a name long. */
const PATH_KEY_LENGTH_MAX = 128;

/** By what this request is counted, or null when the budget is not for its kind of caller. */
export function countedBy(budget: Budget, asking: Asking): string | null {
  const countedAs = usuallyCountedBy(budget, asking);
  return countedAs === null || asking.limitedKey === undefined ? countedAs : `${countedAs} ${asking.limitedKey}`;
}

function usuallyCountedBy(budget: Budget, asking: Asking): string | null {
  const { keyId, token, organisationId, address, pathKey } = asking;
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
