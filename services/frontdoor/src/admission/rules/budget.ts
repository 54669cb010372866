/**
 * The request budgets: the fact that each budget counts by, the form of its 429, and the limits that a deployment or a
 * key sets in place of the usual limits. Every route names its budget, or the reason why it has none. The OpenAPI
 * description lists both. Pure.
 */
import type { KeyBudgets } from '@parterre/shared/protocol/catalog/scope';
import { MINUTE_MS } from '@parterre/shared/runtime/units';
import { countedAddress } from './client-address.ts';

export type Budget = {
  name: string;
  limit: number;
  windowMs: number;
  /** An IPv6 address counts as its network of 64 bits. */
  per: 'key' | 'token' | 'caller' | 'account' | 'account and chart' | 'address' | 'address and path';
  /** The form of the 429 answer. */
  refusal: 'full' | 'without code' | 'Retry-After only' | 'error only';
  /** Each front door counts this budget by itself. */
  local?: true;
  /**
   * Each front door counts by itself while the owner of the budget does not answer. For reads of what is shown here.
   */
  localWithoutOwner?: true;
  /** The name of a key's own limit for this budget. */
  ofKey?: keyof KeyBudgets;
};

const DAY_MS = 24 * 60 * MINUTE_MS;

/**
 * All budgets. A budget per key does not count dashboard sessions. The specification has the limits of all budgets that
 * the front doors count together, and of `readiness`. The other limits are ours: far above the needs of a page or a
 * server, and counted without a round trip.
 */
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
  chartImports: {
    name: 'chart-imports',
    limit: 10,
    windowMs: 60 * MINUTE_MS,
    per: 'account',
    refusal: 'full',
  },
  /** An export takes seconds of a core. A demo lets everybody export a chart of its own organisation. */
  chartExports: {
    name: 'chart-exports',
    limit: 30,
    windowMs: MINUTE_MS,
    per: 'account',
    refusal: 'full',
    local: true,
  },
  /** Counts the labels of calls that name more than `labelsUncountedMax`, not requests (bulk-calls.ts). */
  labels: { name: 'labels', limit: 2_000_000, windowMs: MINUTE_MS, per: 'account', refusal: 'full' },
  /** A file of 100,000 places takes a tenth of a second of a core. */
  reportFiles: {
    name: 'report-files',
    limit: 60,
    windowMs: MINUTE_MS,
    per: 'account',
    refusal: 'full',
    local: true,
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
    localWithoutOwner: true,
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
  /**
   * The buyers' calls that are neither a hold nor a read. A page sends them for a hold that it has, or to reconnect.
   */
  buyerCalls: {
    name: 'buyer-calls',
    limit: 3_000,
    windowMs: MINUTE_MS,
    per: 'address',
    refusal: 'full',
    local: true,
    ofKey: 'buyerCalls',
  },
  /**
   * The calls of servers and dashboards that are no command of a sale. They reach the catalog or make a long answer.
   */
  serverCalls: {
    name: 'server-calls',
    limit: 30_000,
    windowMs: MINUTE_MS,
    per: 'caller',
    refusal: 'full',
    local: true,
  },
  /** Each login takes most of a second of a core (passwords.ts of the catalog). */
  logins: { name: 'logins', limit: 60, windowMs: MINUTE_MS, per: 'address', refusal: 'full', local: true },
  /** Charts that visitors of a demo draw without an account. A few addresses alone cannot fill the demo. */
  demoDrafts: { name: 'demo-drafts', limit: 30, windowMs: DAY_MS, per: 'address', refusal: 'full' },
  /** Sales of such charts. */
  demoSales: { name: 'demo-sales', limit: 60, windowMs: 10 * MINUTE_MS, per: 'address', refusal: 'full' },
  /** Counts KiB of bodies above `largeBodyBytesMin`, not requests (large-bodies.ts): 120 MiB. */
  largeBodies: {
    name: 'large-bodies',
    limit: 122_880,
    windowMs: MINUTE_MS,
    per: 'account',
    refusal: 'Retry-After only',
    local: true,
  },
  /** The share of one session: 60 MiB. */
  largeBodiesOfSession: {
    name: 'large-bodies-of-session',
    limit: 61_440,
    windowMs: MINUTE_MS,
    per: 'token',
    refusal: 'Retry-After only',
    local: true,
  },
  /** Pages, pictures and documents for everybody. */
  publicFiles: {
    name: 'public-files',
    limit: 3_000,
    windowMs: MINUTE_MS,
    per: 'address',
    refusal: 'full',
    local: true,
  },
} as const satisfies Record<string, Budget>;

/**
 * The budgets of requests with a refused credential, on every route (budgets.ts). `failed-credentials` counts all of
 * them. `unknown-credentials` counts the credentials that the catalog was asked for in vain.
 */
export const credentialBudgets = {
  failed: {
    name: 'failed-credentials',
    limit: 3_000,
    windowMs: MINUTE_MS,
    per: 'address',
    refusal: 'Retry-After only',
    local: true,
  },
  unknown: {
    name: 'unknown-credentials',
    limit: 300,
    windowMs: MINUTE_MS,
    per: 'address',
    refusal: 'Retry-After only',
    local: true,
  },
} as const satisfies Record<string, Budget>;

export const allBudgets: readonly Budget[] = [...Object.values(budgets), ...Object.values(credentialBudgets)];

/** The reason why a route has no budget. */
export type Unbudgeted = { none: string };

export const unbudgeted = {
  commands: {
    none:
      'A sale may need any number of these calls. Organisations share the commands in flight, and a flood of one ' +
      'organisation is refused alone with 503:',
  },
  operator: { none: 'Only the operator of the deployment has the root token:' },
} as const satisfies Record<string, Unbudgeted>;

/** A deployment's own limits by budget name; null lifts the budget. */
export type BudgetLimits = ReadonlyMap<string, number | null>;

/**
 * Reads a text like `server-holds=100000,buyer-holds=off`; `on` keeps the usual limits. Returns the fault of a text in
 * another form.
 */
export function readBudgetLimits(text: string): BudgetLimits | { fault: string } {
  const names = allBudgets.map(({ name }) => name);
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

/**
 * The budget with the limit that applies to a request: the key's own limit, else the deployment's, else the usual
 * limit. Null if the applying limit lifts the budget.
 */
export function limitedBudget(budget: Budget, limits: BudgetLimits, ofKey: KeyBudgets | undefined): Budget | null {
  const own = budget.ofKey && ofKey?.[budget.ofKey];
  const limit = own === undefined ? limits.get(budget.name) : own;
  if (limit === undefined) return budget;
  return limit === null ? null : { ...budget, limit };
}

/** The limits of a key without its own. Null where the deployment lifts the budget. */
export function budgetsOfEveryKey(limits: BudgetLimits): KeyBudgets {
  const every: KeyBudgets = {};
  for (const budget of allBudgets) {
    if (budget.ofKey) every[budget.ofKey] = limitedBudget(budget, limits, undefined)?.limit ?? null;
  }
  return every;
}

export function hasOwnLimit({ ofKey }: Budget, own: KeyBudgets | undefined): boolean {
  return ofKey !== undefined && own?.[ofKey] !== undefined;
}

/** The facts of a request that budgets count by. A fact is null if the request's credential lacks it. */
export type Asking = {
  keyId: string | null;
  /** The hash of a session's token, never the token itself. */
  token: string | null;
  /** The user of a dashboard session. */
  userId: string | null;
  organisationId: string | null;
  address: string;
  /** The path's first parameter: the chart, season or group. */
  pathKey: string;
  /** The key that has its own limit for this budget. Its requests are counted apart. */
  limitedKey?: string;
};

/**
 * Longer than any existing key. Longer texts with the same beginning count together, so that no caller can make a
 * counter's name long.
 */
const PATH_KEY_LENGTH_MAX = 128;

/** The name under which this request is counted; null if the budget does not apply to this kind of caller. */
export function countedBy(budget: Budget, asking: Asking): string | null {
  const countedAs = usuallyCountedBy(budget, asking);
  return countedAs === null || asking.limitedKey === undefined ? countedAs : `${countedAs} ${asking.limitedKey}`;
}

function usuallyCountedBy(budget: Budget, asking: Asking): string | null {
  const { keyId, token, userId, organisationId, address, pathKey } = asking;
  const key = pathKey.slice(0, PATH_KEY_LENGTH_MAX);
  switch (budget.per) {
    case 'key':
      return keyId;
    case 'token':
      return token;
    case 'caller':
      return keyId ?? userId ?? token;
    case 'account':
      return organisationId;
    case 'account and chart':
      return organisationId === null ? null : `${organisationId} ${key}`;
    case 'address':
      return countedAddress(address);
    case 'address and path':
      return `${countedAddress(address)} ${key}`;
  }
}

export function countsAddress({ per }: Budget): boolean {
  return per === 'address' || per === 'address and path';
}

/**
 * The address of a budget's counter. Like an event's key it is hashed to a partition. It never equals an event's key,
 * since a key has no space.
 */
export function budgetAddress(budget: Budget, countedAs: string): string {
  return `budget ${budget.name} ${countedAs}`;
}
