/**
 * The operations that administration's audit tells, with the action that an entry names. A front door sends its caller
 * with each of them, and the catalog writes the entry (accounts/audit.ts).
 */
import type { CatalogOperation } from '../catalog-api.ts';

export const auditedActions = {
  'organisations.create': 'organisation.create',
  'organisations.change': 'organisation.change',
  'organisations.add-credits': 'credits.add',
  'keys.create': 'key.create',
  'keys.change': 'key.change',
  'keys.revoke': 'key.revoke',
  'users.create': 'user.create',
  'users.change-role': 'user.role',
  'users.delete': 'user.delete',
  'sessions.create': 'login',
  'sessions.open-external': 'login',
  'sessions.end': 'logout',
  'sessions.end-some': 'sessions.end',
  'passwords.change': 'password.change',
  'passwords.begin-reset': 'password.begin-reset',
  'passwords.reset': 'password.reset',
  'webhooks.create': 'webhook.create',
  'webhooks.update': 'webhook.update',
  'webhooks.rotate-secret': 'webhook.rotate-secret',
  'webhooks.delete': 'webhook.delete',
  'workspaces.create': 'workspace.create',
  'workspaces.update': 'workspace.update',
  'projections.rebuild': 'projections.rebuild',
} as const satisfies Partial<Record<CatalogOperation, string>>;

export type AuditedOperation = keyof typeof auditedActions;

export function isAudited(operation: CatalogOperation): operation is AuditedOperation {
  return Object.hasOwn(auditedActions, operation);
}
