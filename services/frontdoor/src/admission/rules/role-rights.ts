/**
 * What each role of a dashboard user may do, and the right that each route needs. docs/roles.md has the same table for
 * readers, and a test compares both. Keys and embedded sessions have no role. Pure.
 */
import type { Role } from '@parterre/shared/protocol/catalog/scope';
import { done, type Outcome, refuse } from '@parterre/shared/protocol/errors';

/**
 * - `see`: reads, and the live map.
 * - `sell`: holds, bookings, blocks, exchanges, reservations, cancellations, renewals.
 * - `market`: channels with their links and sessions, ticket releases.
 * - `manage`: charts, events, groups, seasons, consoles, and everything that is not named here.
 * - `administer`: webhooks, workspaces, the people of the organisation, the audit.
 */
export const rights = ['see', 'sell', 'market', 'manage', 'administer'] as const;
export type Right = (typeof rights)[number];

const rightsOfRole: Record<Role, readonly Right[]> = {
  owner: rights,
  manager: ['see', 'sell', 'market', 'manage'],
  box_office: ['see', 'sell'],
  marketing: ['see', 'market'],
  door: ['see'],
  viewer: ['see'],
  admin: rights,
  member: ['see'],
};

/** The first that fits. */
const rightsOfWrites: readonly (readonly [RegExp, Right])[] = [
  [/^\/v1\/(webhooks|workspaces)(\/|$)/, 'administer'],
  [/\/(subscribe-tickets|validate|preview)$/, 'see'],
  [/^\/v1\/events\/\{key\}\/(best-available|best-available-block|best-available-book)$/, 'sell'],
  [/^\/v1\/events\/\{key\}\/(block|unblock|unblock-all|book|box-book|unbook|table-booking)$/, 'sell'],
  [/^\/v1\/events\/\{key\}\/(hold|extend|release|exchange)$/, 'sell'],
  [/^\/v1\/events\/\{key\}\/(holds|box-office|resale|reservations)(\/|$)/, 'sell'],
  [/\/bookings\/\{actionId\}\/cancel$/, 'sell'],
  [/^\/v1\/seasons\/\{key\}\/renewal-offers/, 'sell'],
  [/^\/v1\/events\/\{key\}\/(channels|releases|buyer-access-sessions)(\/|$)/, 'market'],
];

/** Calls about the own session and password need no right. Their handlers look at owners' calls themselves. */
export function rightOf({ method, path }: { method: string; path: string }): Right | null {
  if (path.startsWith('/v1/dashboard/')) return null;
  if (method === 'GET') return 'see';
  return rightsOfWrites.find(([pattern]) => pattern.test(path))?.[1] ?? 'manage';
}

export function roleHas(role: Role, right: Right): boolean {
  return rightsOfRole[role].includes(right);
}

const allowed = done(null);

/** The refusal of a dashboard user whose role may not call this route. */
export function mayPerform(role: Role, route: { method: string; path: string }): Outcome<null> {
  const right = rightOf(route);
  if (right === null || roleHas(role, right)) return allowed;
  const message = `Your role (${role}) lacks the right "${right}". Ask an owner of your organisation.`;
  return refuse('forbidden', message, { reason: right });
}
