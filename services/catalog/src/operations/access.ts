/** Access links and designer sessions. None can be made yet: every operation says so. */
import type { AccessOperations } from '@parterre/shared/catalog/access';
import { refuse } from '@parterre/shared/errors';
import type { OperationTable } from './operations.ts';

type AccessOperation = Exclude<keyof AccessOperations, `${'buyer' | 'manage'}-sessions.${string}`>;

export function createAccessOperations(): OperationTable<AccessOperation> {
  const none = () => Promise.resolve(refuse('not_found', 'Embedded sessions cannot be made yet.'));
  return {
    'channel-access.summary': none,
    'channel-access.revoke': none,
    'access-links.create': none,
    'access-links.list': none,
    'access-links.rotate': none,
    'access-links.revoke': none,
    'access-links.redeem': none,
    'designer-sessions.create': none,
    'designer-sessions.revoke': none,
  };
}
