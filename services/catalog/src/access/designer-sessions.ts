/** Designer sessions: one page origin's rights on one chart, for a while. They end when their workspace is disabled. */
import { done } from '@parterre/shared/protocol/errors';
import { chartUnknown, findChart } from '../charts/chart-access.ts';
import { embeddedSessions } from '../store/collections.ts';
import { listPage, type OperationTable, type Ports } from '../store/operations.ts';
import type { DesignerSessionRecord } from '../store/rules/records.ts';
import { activeWorkspace } from '../tenants/tenants.ts';
import { openEmbed } from './embed-inserts.ts';
import { endSession } from './embedded-sessions.ts';
import {
  checkAllowedOrigin,
  designerListName,
  designerListNames,
  designerSessionInfoOf,
  designerSessionOf,
} from './rules/session-states.ts';

type DesignerSessionOperation = 'designer-sessions.create' | 'designer-sessions.list' | 'designer-sessions.revoke';

export function createDesignerSessionOperations(ports: Ports): OperationTable<DesignerSessionOperation> {
  const { store, clock } = ports;
  return {
    async 'designer-sessions.create'(draft) {
      const { scope, workspaceId, chartId, allowedOrigin, expiresInSeconds, isOwnPage, ...may } = draft;
      const workspace = await activeWorkspace(store, scope, workspaceId);
      if (!workspace.ok) return workspace;
      const chart = await findChart(store, scope, chartId);
      if (!chart.ok) return chart;
      if (chart.value.value.workspaceId !== workspaceId) return chartUnknown();
      // A chart has no mode. The key's mode decides; a dashboard's session is trusted like a live one.
      const allowed = checkAllowedOrigin(allowedOrigin, scope.mode ?? 'live');
      if (!allowed.ok && !isOwnPage) return allowed;
      const { organisationId, mode } = scope;
      const own = { organisationId, workspaceId, mode, chartId, origin: allowedOrigin, ...may };
      const fresh = { kind: 'designer' as const, ...own, listedIn: designerListNames(own) };
      const opened = await openEmbed<DesignerSessionRecord>(ports, scope, fresh, expiresInSeconds);
      if (!opened.ok) return opened;
      const { id, record, token } = opened.value;
      return done({ session: designerSessionOf(id, record), token });
    },

    async 'designer-sessions.list'({ scope, chartId, page }) {
      if (chartId !== undefined) {
        const chart = await findChart(store, scope, chartId);
        if (!chart.ok) return chart;
      }
      const list = { index: 'byEvent', equal: [designerListName(scope, chartId)], descending: true };
      const now = clock.now();
      const { items, more } = await listPage(store, embeddedSessions, list, page, ({ id, value }) =>
        designerSessionInfoOf(id, value as DesignerSessionRecord, now),
      );
      return done({ sessions: items, ...more });
    },

    async 'designer-sessions.revoke'({ scope, sessionId }) {
      const { organisationId, workspaceId } = scope;
      const ended = await endSession(
        ports,
        sessionId,
        (each) =>
          each.kind === 'designer' &&
          each.organisationId === organisationId &&
          (workspaceId === null || each.workspaceId === workspaceId),
      );
      return ended.ok ? done({ ok: true as const }) : ended;
    },
  };
}
