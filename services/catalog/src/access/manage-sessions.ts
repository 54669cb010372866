/**
 * Manage sessions (operators' consoles): one page origin's rights on one event, for a while. They end when their
 * workspace is disabled.
 */
import { done } from '@parterre/shared/protocol/errors';
import { findEvent } from '../events/event-access.ts';
import { embeddedSessions } from '../store/collections.ts';
import { listPage, type OperationTable, type Ports } from '../store/operations.ts';
import type { ManageSessionRecord } from '../store/rules/records.ts';
import { openEmbed } from './embed-inserts.ts';
import { endSession } from './embedded-sessions.ts';
import { checkAllowedOrigin, manageListName, manageSessionInfoOf, manageSessionOf } from './rules/session-states.ts';

type ManageSessionOperation = 'manage-sessions.create' | 'manage-sessions.list' | 'manage-sessions.revoke';

export function createManageSessionOperations(ports: Ports): OperationTable<ManageSessionOperation> {
  const { store, clock } = ports;
  return {
    async 'manage-sessions.create'({ scope, eventKey, allowedOrigin, capabilities, expiresInSeconds }) {
      const event = await findEvent(store, scope, eventKey);
      if (!event.ok) return event;
      const { organisationId, workspaceId, mode } = event.value;
      const allowed = checkAllowedOrigin(allowedOrigin, mode);
      if (!allowed.ok) return allowed;
      const own = { organisationId, workspaceId, mode, eventKey, origin: allowedOrigin, capabilities };
      const fresh = { kind: 'manage' as const, ...own, listedIn: manageListName(eventKey) };
      const opened = await openEmbed<ManageSessionRecord>(ports, scope, fresh, expiresInSeconds);
      if (!opened.ok) return opened;
      const { id, record, token } = opened.value;
      return done({ session: manageSessionOf(id, record), token });
    },

    async 'manage-sessions.list'({ scope, eventKey, page }) {
      const event = await findEvent(store, scope, eventKey);
      if (!event.ok) return event;
      const list = { index: 'byEvent', equal: [manageListName(eventKey)], descending: true };
      const now = clock.now();
      const { items, more } = await listPage(store, embeddedSessions, list, page, ({ id, value }) =>
        manageSessionInfoOf(id, value as ManageSessionRecord, now),
      );
      return done({ sessions: items, ...more });
    },

    async 'manage-sessions.revoke'({ scope, eventKey, sessionId }) {
      const event = await findEvent(store, scope, eventKey);
      if (!event.ok) return event;
      const ended = await endSession(ports, sessionId, (each) => each.kind === 'manage' && each.eventKey === eventKey);
      return ended.ok ? done({ ok: true as const }) : ended;
    },
  };
}
