/** Embedded sessions and access links. None can be made yet: every operation says so. */
import type { AccessOperations } from '@parterre/shared/catalog/access';
import { refuse } from '@parterre/shared/errors';
import type { OperationTable } from './operations.ts';

type AccessOperation = keyof AccessOperations;

export function createAccessOperations(): OperationTable<AccessOperation> {
  const none = () => Promise.resolve(refuse('not_found', 'Embedded sessions cannot be made yet.'));
  return {
    'buyer-sessions.create': none,
    'buyer-sessions.open-public': none,
    'buyer-sessions.list': none,
    'buyer-sessions.revoke': none,
    'channel-access.summary': none,
    'channel-access.revoke': none,
    'access-links.create': none,
    'access-links.list': none,
    'access-links.rotate': none,
    'access-links.revoke': none,
    'access-links.redeem': none,
    'manage-sessions.create': none,
    'manage-sessions.revoke': none,
    'designer-sessions.create': none,
    'designer-sessions.revoke': none,
  };
}
