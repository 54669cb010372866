/**
 * The right that each route needs, and the refusal of a role that lacks it. Keys and embedded sessions have no role.
 * docs/roles.md tells it to readers. Pure.
 */
import type { Role } from '@parterre/shared/protocol/catalog/scope';
import { done, type Outcome, refuse } from '@parterre/shared/protocol/errors';
import { type Right, roleHas } from '@parterre/shared/protocol/rights';

/** The first that fits. */
const rightsOfWrites: readonly (readonly [RegExp, Right])[] = [
  [/^\/v1\/(webhooks|workspaces)(\/|$)/, 'administer'],
  [/\/(subscribe-tickets|validate|preview|holders)$/, 'see'],
  [/^\/v1\/events\/\{key\}\/(best-available|best-available-block|best-available-book)$/, 'sell'],
  [/^\/v1\/events\/\{key\}\/(block|unblock|unblock-all|book|box-book|unbook|table-booking)$/, 'sell'],
  [/^\/v1\/events\/\{key\}\/(hold|extend|release|exchange)$/, 'sell'],
  [/^\/v1\/events\/\{key\}\/(holds|box-office|resale|reservations)(\/|$)/, 'sell'],
  [/\/bookings\/\{actionId\}\/cancel$/, 'sell'],
  [/^\/v1\/seasons\/\{key\}\/renewal-offers/, 'sell'],
  [/^\/v1\/events\/\{key\}\/(channels|releases|buyer-access-sessions)(\/|$)/, 'market'],
];

/** The keys, people and credits of the organisation, and its audit: reads too. */
const ofOwners = [
  /^\/v1\/dashboard\/(keys|credits|credits\.csv|audit)(\/|$)/,
  /^\/v1\/dashboard\/users(\/\{userId\}(\/password-reset)?)?$/,
];

/** Calls about the own session and password need no right. Their handlers look at owners' calls themselves. */
export function rightOf({ method, path }: { method: string; path: string }): Right | null {
  if (ofOwners.some((pattern) => pattern.test(path))) return 'administer';
  if (path.startsWith('/v1/dashboard/')) return null;
  if (method === 'GET') return 'see';
  return rightsOfWrites.find(([pattern]) => pattern.test(path))?.[1] ?? 'manage';
}

const allowed = done(null);

/** The refusal of a dashboard user whose role may not call this route. */
export function mayPerform(role: Role, route: { method: string; path: string }): Outcome<null> {
  const right = rightOf(route);
  if (right === null || roleHas(role, right)) return allowed;
  const message = `Your role (${role}) lacks the right "${right}". Ask an owner of your organisation.`;
  return refuse('forbidden', message, { reason: right });
}
