/** Operators' consoles: what a page of one origin may do with one event, for a while. They end when their workspace is disabled. */
import { done } from '@parterre/shared/errors';
import { sha256 } from '@parterre/shared/ids';
import { embedSessionSecondsDefault } from '@parterre/shared/limits';
import { newSessionToken } from '@parterre/shared/session-tokens';
import { checkAllowedOrigin, manageSessionOf } from '../rules/embedded-sessions.ts';
import type { ManageSessionRecord } from '../rules/records.ts';
import { insertEmbed } from './embed-inserts.ts';
import { endSession } from './embedded-sessions.ts';
import { findEvent } from './event-access.ts';
import type { OperationTable, Ports } from './operations.ts';

type ManageSessionOperation = 'manage-sessions.create' | 'manage-sessions.revoke';

export function createManageSessionOperations(ports: Ports): OperationTable<ManageSessionOperation> {
  const { store, clock } = ports;
  return {
    async 'manage-sessions.create'({ scope, eventKey, allowedOrigin, capabilities, expiresInSeconds }) {
      const event = await findEvent(store, scope, eventKey);
      if (!event.ok) return event;
      const { organisationId, workspaceId, mode } = event.value;
      const allowed = checkAllowedOrigin(allowedOrigin, mode);
      if (!allowed.ok) return allowed;
      const token = newSessionToken('mse');
      const createdAt = clock.now();
      const record: ManageSessionRecord = {
        kind: 'manage',
        organisationId,
        workspaceId,
        mode,
        eventKey,
        origin: allowedOrigin,
        capabilities,
        hash: sha256(token),
        grantVersion: 1,
        createdAt,
        expiresAt: createdAt + (expiresInSeconds ?? embedSessionSecondsDefault) * 1_000,
        revokedAt: null,
        restsOn: [workspaceId],
      };
      const kept = await insertEmbed(ports, record);
      return kept.ok ? done({ session: manageSessionOf(kept.value, record), token }) : kept;
    },

    async 'manage-sessions.revoke'({ scope, eventKey, sessionId }) {
      const event = await findEvent(store, scope, eventKey);
      if (!event.ok) return event;
      const ended = await endSession(ports, sessionId, (each) => each.kind === 'manage' && each.eventKey === eventKey);
      return ended.ok ? done({ ok: true as const }) : ended;
    },
  };
}
