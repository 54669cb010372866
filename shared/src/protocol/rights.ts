/**
 * What each role of a dashboard user may do. docs/roles.md has the same table for readers, and a test compares both.
 * The server upholds it; the console hides what a role may not do. Pure.
 */
import type { Role } from './catalog/scope.ts';

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

/** A session without a role has a list of rights instead. */
export function roleHas(role: Role | readonly Right[], right: Right): boolean {
  return (typeof role === 'string' ? rightsOfRole[role] : role).includes(right);
}
