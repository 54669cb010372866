/** Stores a session that rests on its workspace and on the key or user that mints it. */
import type { Scope } from '@parterre/shared/protocol/catalog/scope';
import { done, type Outcome } from '@parterre/shared/protocol/errors';
import { newId, sha256 } from '@parterre/shared/protocol/ids';
import { embedSessionSecondsDefault } from '@parterre/shared/protocol/limits';
import { newSessionToken } from '@parterre/shared/protocol/session-tokens';
import { embeddedSessions } from '../store/collections.ts';
import type { Ports } from '../store/operations.ts';
import type { DesignerSessionRecord, KeptSession, ManageSessionRecord } from '../store/rules/records.ts';
import { stillActive } from '../tenants/tenants.ts';
import { checkMinter } from './minted-access.ts';

type Fresh = keyof KeptSession | 'expiresAt' | 'revokedAt';
type Opened<R> = { id: string; record: R; token: string };

/**
 * `own` is the kind's part of the record; the rest is the same for every fresh session. The workspace and the minter
 * are read after the insert: either this read sees that one of them is void, or its end sees the session.
 */
export async function openEmbed<R extends ManageSessionRecord | DesignerSessionRecord>(
  { store, clock }: Ports,
  scope: Scope,
  own: Omit<R, Fresh>,
  expiresInSeconds = embedSessionSecondsDefault,
): Promise<Outcome<Opened<R>>> {
  const token = newSessionToken(own.kind === 'manage' ? 'mse' : 'dse');
  const createdAt = clock.now();
  const fresh: Pick<R, Fresh> = {
    hash: sha256(token),
    grantVersion: 1,
    createdAt,
    expiresAt: createdAt + expiresInSeconds * 1_000,
    revokedAt: null,
    restsOn: [own.workspaceId, scope.actor],
    mintedBy: scope.actor,
  };
  const record = { ...own, ...fresh } as R;
  const id = newId('ses');
  await store.insert(embeddedSessions, id, record);
  const active = await stillActive(store, record.organisationId, record.workspaceId);
  const standing = active.ok ? await checkMinter(store, scope) : active;
  if (standing.ok) return done({ id, record, token });
  await store.delete(embeddedSessions, id, 1);
  return standing;
}
