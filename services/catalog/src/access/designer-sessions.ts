/** Designer sessions: one page origin's rights on one chart, for a while. They end when their workspace is disabled. */
import { done } from '@parterre/shared/errors';
import { activeWorkspace } from '../accounts/workspaces.ts';
import { chartUnknown, findChart } from '../charts/chart-access.ts';
import type { OperationTable, Ports } from '../store/operations.ts';
import type { DesignerSessionRecord } from '../store/rules/records.ts';
import { openEmbed } from './embed-inserts.ts';
import { endSession } from './embedded-sessions.ts';
import { checkAllowedOrigin, designerSessionOf } from './rules/session-states.ts';

type DesignerSessionOperation = 'designer-sessions.create' | 'designer-sessions.revoke';

export function createDesignerSessionOperations(ports: Ports): OperationTable<DesignerSessionOperation> {
  const { store } = ports;
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
      const opened = await openEmbed<DesignerSessionRecord>(ports, { kind: 'designer', ...own }, expiresInSeconds);
      if (!opened.ok) return opened;
      const { id, record, token } = opened.value;
      return done({ session: designerSessionOf(id, record), token });
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
