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
import { createGroupLifecycle, type GroupLifecycles } from './groups/group-lifecycle.ts';
import { createGroupOperations } from './groups/groups.ts';
import { createHistoryOperations } from './history/history.ts';
import { createOverEventsOperations } from './operations/operations.ts';
import { createProjectionOperations } from './projections/rebuild-operations.ts';
import { createRightsOperations, createRightsWork, type RightsWork } from './rights/rights.ts';
import { createSeasonLifecycle, type SeasonLifecycles } from './seasons/season-lifecycle.ts';
import { createSeasonOperations } from './seasons/seasons.ts';
import { createIdempotencyOperations } from './store/idempotency.ts';
import type { OperationTable, Ports } from './store/operations.ts';
import { createDeliveryOperations } from './webhooks/deliveries.ts';
import { createWebhookOperations } from './webhooks/subscriptions.ts';

type Settings = { passwordLogN: number };

/** The lifecycles that the operations begin, and that this process watches. */
export type CatalogLifecycles = { groups: GroupLifecycles; seasons: SeasonLifecycles; rights: RightsWork };

export function createCatalogLifecycles(ports: Ports): CatalogLifecycles {
  return {
    groups: createGroupLifecycle(ports),
    seasons: createSeasonLifecycle(ports),
    rights: createRightsWork(ports),
  };
}

export function createOperations(
  ports: Ports,
  settings: Settings,
  lifecycles: CatalogLifecycles = createCatalogLifecycles(ports),
): OperationTable {
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
    ...createGroupOperations(ports, lifecycles.groups),
    ...createHistoryOperations(ports),
    ...createAssetOperations(ports),
    ...createIdempotencyOperations(ports),
    ...createOverEventsOperations(ports),
    ...createProjectionOperations(ports),
    ...createRightsOperations(ports, lifecycles.rights),
    ...createSeasonOperations(ports, lifecycles.seasons),
    ...createWebhookOperations(ports),
    ...createWorkspaceOperations(ports),
  };
}
