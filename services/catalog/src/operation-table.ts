/** All operations by name. */

import { createAccessOperations } from './access/access.ts';
import { createCredentialOperations } from './accounts/credentials.ts';
import { createKeyOperations } from './accounts/keys.ts';
import { createOrganisationOperations } from './accounts/organisations.ts';
import { createPasswords } from './accounts/passwords.ts';
import { createSessionOperations } from './accounts/user-sessions.ts';
import { createUserOperations } from './accounts/users.ts';
import { createWorkspaceOperations } from './accounts/workspaces.ts';
import { createAdjustmentOperations } from './charts/chart-adjustments.ts';
import { createChartOperations } from './charts/charts.ts';
import { createAssetOperations } from './events/assets.ts';
import { createEventOperations } from './events/events.ts';
import { createHistoryOperations } from './history/history.ts';
import { createProjectionOperations } from './projections/rebuild-operations.ts';
import { createSeasonOperations } from './seasons/seasons.ts';
import { createIdempotencyOperations } from './store/idempotency.ts';
import type { OperationTable, Ports } from './store/operations.ts';
import { createDeliveryOperations } from './webhooks/deliveries.ts';
import { createWebhookOperations } from './webhooks/subscriptions.ts';

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
    ...createSeasonOperations(ports),
    ...createWebhookOperations(ports),
    ...createWorkspaceOperations(ports),
  };
}
