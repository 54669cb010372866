/** How a session that ends with its workspace is kept. */
import { done, type Outcome } from '@parterre/shared/errors';
import { newId } from '@parterre/shared/ids';
import { embeddedSessions } from '../collections.ts';
import type { DesignerSessionRecord, ManageSessionRecord } from '../rules/records.ts';
import type { Ports } from './operations.ts';
import { stillActive } from './workspaces.ts';

/** Resolves with the session's id. Looked behind the insert: whichever of it and a disable comes second sees the other. */
export async function insertEmbed(
  { store }: Ports,
  record: ManageSessionRecord | DesignerSessionRecord,
): Promise<Outcome<string>> {
  const id = newId('ses');
  await store.insert(embeddedSessions, id, record);
  const active = await stillActive(store, record.organisationId, record.workspaceId);
  if (active.ok) return done(id);
  await store.delete(embeddedSessions, id, 1);
  return active;
}
