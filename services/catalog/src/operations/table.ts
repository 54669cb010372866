/** The whole table of operations, by name. */
import { createChartOperations } from './charts.ts';
import { createEventOperations } from './events.ts';
import { createHistoryOperations } from './history.ts';
import { createIdempotencyOperations } from './idempotency.ts';
import { createKeyOperations } from './keys.ts';
import type { OperationTable, Ports } from './operations.ts';
import { createOrganisationOperations } from './organisations.ts';
import { createProjectionOperations } from './projections.ts';
import { createWebhookOperations } from './webhooks.ts';
import { createWorkspaceOperations } from './workspaces.ts';

export function createOperations(ports: Ports, settings: { webhookLoopback: boolean }): OperationTable {
  return {
    ...createOrganisationOperations(ports),
    ...createKeyOperations(ports),
    ...createChartOperations(ports),
    ...createEventOperations(ports),
    ...createHistoryOperations(ports),
    ...createIdempotencyOperations(ports),
    ...createProjectionOperations(ports),
    ...createWebhookOperations(ports, settings.webhookLoopback),
    ...createWorkspaceOperations(ports),
  };
}
