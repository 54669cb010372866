/** The whole table of operations, by name. */
import { createPasswords } from '../passwords.ts';
import { createAccessOperations } from './access.ts';
import { createAssetOperations } from './assets.ts';
import { createAdjustmentOperations } from './chart-adjustments.ts';
import { createChartOperations } from './charts.ts';
import { createCredentialOperations } from './credentials.ts';
import { createDeliveryOperations } from './deliveries.ts';
import { createEventOperations } from './events.ts';
import { createHistoryOperations } from './history.ts';
import { createIdempotencyOperations } from './idempotency.ts';
import { createKeyOperations } from './keys.ts';
import type { OperationTable, Ports } from './operations.ts';
import { createOrganisationOperations } from './organisations.ts';
import { createProjectionOperations } from './projections.ts';
import { createSessionOperations } from './sessions.ts';
import { createUserOperations } from './users.ts';
import { createWebhookOperations } from './webhooks.ts';
import { createWorkspaceOperations } from './workspaces.ts';

type Settings = { passwordLogN: number };

export function createOperations(ports: Ports, settings: Settings): OperationTable {
  const passwords = createPasswords(settings.passwordLogN);
  return {
    ...createAccessOperations(ports),
    ...createOrganisationOperations(ports),
    ...createKeyOperations(ports),
    ...createUserOperations(ports, passwords),
    ...createSessionOperations(ports, passwords),
    ...createCredentialOperations(ports),
    ...createDeliveryOperations(ports),
    ...createChartOperations(ports),
    ...createAdjustmentOperations(ports),
    ...createEventOperations(ports),
    ...createHistoryOperations(ports),
    ...createAssetOperations(ports),
    ...createIdempotencyOperations(ports),
    ...createProjectionOperations(ports),
    ...createWebhookOperations(ports),
    ...createWorkspaceOperations(ports),
  };
}
