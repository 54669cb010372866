/** API keys: made and shown once, kept as SHA-256 only, resolved to principals, revoked for good. */
import type { KeyInfo } from '@parterre/shared/catalog/accounts';
import type { Principal } from '@parterre/shared/catalog/scope';
import { done, refuse } from '@parterre/shared/errors';
import { newId, randomText, sha256 } from '@parterre/shared/ids';
import { keys, organisations } from '../collections.ts';
import { findOne, type Stored } from '../outbound/store.ts';
import { originIssues } from '../rules/origins.ts';
import type { KeyRecord } from '../rules/records.ts';
import { change, type OperationTable, type Ports } from './operations.ts';
import { organisationUnknown } from './organisations.ts';
import { activeWorkspace } from './workspaces.ts';

type KeyOperation = 'keys.create' | 'keys.revoke' | 'keys.resolve';

const SECRET_LENGTH = 32;
/** `sk_test_` and four characters: enough to tell keys apart in a list, far too little to guess one. */
const PREFIX_LENGTH = 12;

export function createKeyOperations({ store, clock, announce }: Ports): OperationTable<KeyOperation> {
  return {
    async 'keys.create'({ organisationId, kind, mode, environment = null, workspaceId = null, origins = [] }) {
      if (!(await store.get(organisations, organisationId))) return organisationUnknown();
      if (workspaceId !== null) {
        const workspace = await activeWorkspace(store, { organisationId }, workspaceId);
        if (!workspace.ok) return workspace;
      }
      const issues = originIssues(origins, mode);
      if (issues.length > 0)
        return refuse('invalid_request', 'An origin cannot be registered.', { details: { issues } });
      const secret = `${kind === 'secret' ? 'sk' : 'pk'}_${mode}_${randomText(SECRET_LENGTH)}`;
      const key: KeyRecord = {
        organisationId,
        prefix: secret.slice(0, PREFIX_LENGTH),
        kind,
        mode,
        environment,
        workspaceId,
        origins,
        createdAt: clock.now(),
        hash: sha256(secret),
        revokedAt: null,
      };
      const id = newId('key');
      await store.insert(keys, id, key);
      return done({ key: keyInfoOf({ id, version: 1, value: key }), secret });
    },

    /** Revoking again is harmless, and tells the caches again. */
    async 'keys.revoke'({ organisationId, keyId }) {
      const changed = await change(store, keys, keyId, keyUnknown, (key) => {
        if (key.organisationId !== organisationId) return keyUnknown();
        return done(key.revokedAt === null ? { ...key, revokedAt: clock.now() } : key);
      });
      if (!changed.ok) return changed;
      announce({ kind: 'key', hash: changed.value.value.hash });
      return done({ ok: true });
    },

    async 'keys.resolve'({ hash }) {
      const key = await findOne(store, keys, 'byHash', [hash]);
      if (!key || key.value.revokedAt !== null) return refuse('unauthorized', 'The key is unknown or revoked.');
      return done(principalOf(key));
    },
  };
}

function keyUnknown() {
  return refuse('not_found', 'There is no such key.');
}

function keyInfoOf({ id, value }: Stored<KeyRecord>): KeyInfo {
  const { organisationId: _, hash: __, revokedAt: ___, ...info } = value;
  return { id, ...info };
}

function principalOf({ id: keyId, value }: Stored<KeyRecord>): Principal {
  const { kind, organisationId, mode, environment, workspaceId, origins } = value;
  return kind === 'secret'
    ? { kind, keyId, organisationId, mode, environment, workspaceId }
    : { kind, keyId, organisationId, mode, origins };
}
