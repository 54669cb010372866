/**
 * Manage sessions (operators' consoles): one page origin's rights on one event, for a while. They end when their
 * workspace is disabled.
 */
import { done } from '@parterre/shared/errors';
import { findEvent } from '../events/event-access.ts';
import type { OperationTable, Ports } from '../store/operations.ts';
import type { ManageSessionRecord } from '../store/rules/records.ts';
import { openEmbed } from './embed-inserts.ts';
import { endSession } from './embedded-sessions.ts';
import { checkAllowedOrigin, manageSessionOf } from './rules/session-states.ts';

type ManageSessionOperation = 'manage-sessions.create' | 'manage-sessions.revoke';

export function createManageSessionOperations(ports: Ports): OperationTable<ManageSessionOperation> {
  const { store } = ports;
  return {
    async 'manage-sessions.create'({ scope, eventKey, allowedOrigin, capabilities, expiresInSeconds }) {
      const event = await findEvent(store, scope, eventKey);
      if (!event.ok) return event;
      const { organisationId, workspaceId, mode } = event.value;
      const allowed = checkAllowedOrigin(allowedOrigin, mode);
      if (!allowed.ok) return allowed;
      const own = { organisationId, workspaceId, mode, eventKey, origin: allowedOrigin, capabilities };
      const opened = await openEmbed<ManageSessionRecord>(ports, { kind: 'manage', ...own }, expiresInSeconds);
      if (!opened.ok) return opened;
      const { id, record, token } = opened.value;
      return done({ session: manageSessionOf(id, record), token });
    },

    async 'manage-sessions.revoke'({ scope, eventKey, sessionId }) {
      const event = await findEvent(store, scope, eventKey);
      if (!event.ok) return event;
      const ended = await endSession(ports, sessionId, (each) => each.kind === 'manage' && each.eventKey === eventKey);
      return ended.ok ? done({ ok: true as const }) : ended;
    },
  };
}
