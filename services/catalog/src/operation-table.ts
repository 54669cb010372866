/** All operations by name. */

import { createAccessOperations } from './access/access.ts';
import { audited, createAuditOperations } from './accounts/audit.ts';
import { createCredentialOperations } from './accounts/credentials.ts';
import { createCreditOperations } from './accounts/credit-movements.ts';
import { createExternalSignIns } from './accounts/external-sign-ins.ts';
import { createKeyOperations } from './accounts/keys.ts';
import { createOrganisationOperations } from './accounts/organisations.ts';
import { createPasswordOperations } from './accounts/password-changes.ts';
import { createPasswords } from './accounts/passwords.ts';
import { createSessionOperations } from './accounts/user-sessions.ts';
import { createUserOperations } from './accounts/users.ts';
import { createWorkspaceOperations } from './accounts/workspaces.ts';
import { createEventBatches, type EventBatches } from './batches/event-batches.ts';
import {
  type BookingImportWork,
  createBookingImportOperations,
  createBookingImportWork,
} from './booking-imports/booking-imports.ts';
import type { ChartPorts } from './charts/chart-access.ts';
import { createAdjustmentOperations } from './charts/chart-adjustments.ts';
import { createChartImportOperations } from './charts/chart-imports.ts';
import { createChartOperations } from './charts/charts.ts';
import { createAssetOperations } from './events/assets.ts';
import { createEventOperations } from './events/events.ts';
import { createUntoldFacts, type UntoldFacts } from './events/untold-facts.ts';
import { createGroupLifecycle, type GroupLifecycles } from './groups/group-lifecycle.ts';
import { createGroupOperations } from './groups/groups.ts';
import { createHistoryOperations } from './history/history.ts';
import { createOccurrenceOperations } from './history/occurrences.ts';
import { createFollowing, type Following } from './operations/follow.ts';
import { createOverEventsOperations } from './operations/operations.ts';
import { createOrphans, type Orphans } from './operations/orphans.ts';
import { createPinnedExchanges, type PinnedExchanges } from './operations/pinned-exchanges.ts';
import { createToldOperations, type ToldOperations } from './operations/told-operations.ts';
import { createProjectionOperations, type ProjectionPorts } from './projections/rebuild-operations.ts';
import {
  createBookingContracts,
  createImportWork,
  createOfferWork,
  createRightsOperations,
  type ImportWork,
  type OfferWork,
} from './rights/rights.ts';
import { type Cancellations, createCancellations } from './season-sales/cancellations.ts';
import { createGroupCancellations, type GroupCancellations } from './season-sales/group-cancellations.ts';
import { createSaleNotes } from './season-sales/sale-notes.ts';
import { createSeasonSaleOperations } from './season-sales/season-sales.ts';
import { createSeasonLifecycle, type SeasonLifecycles } from './seasons/season-lifecycle.ts';
import { createSeasonOperations } from './seasons/seasons.ts';
import { createIdempotencyOperations } from './store/idempotency.ts';
import type { OperationTable, Ports } from './store/operations.ts';
import { createDeliveryOperations } from './webhooks/deliveries.ts';
import { createRecoveryOperations } from './webhooks/recoveries.ts';
import { createWebhookOperations } from './webhooks/subscriptions.ts';

type Settings = {
  passwordLogN: number;
  /** How long an entry of the audit stays. */
  auditKeepMs: number;
};

/** The work that operations begin, and that this process watches. */
export type CatalogLifecycles = {
  groups: GroupLifecycles;
  seasons: SeasonLifecycles;
  cancellations: Cancellations;
  groupCancellations: GroupCancellations;
  following: { engine: Following };
  toldOperations: ToldOperations;
  orphans: { engine: Orphans };
  pinnedExchanges: { engine: PinnedExchanges };
  offers: { engine: OfferWork };
  imports: { engine: ImportWork };
  bookingImports: { engine: BookingImportWork };
  untoldFacts: { engine: UntoldFacts };
  batches: EventBatches;
};

export function createCatalogLifecycles(ports: Ports): CatalogLifecycles {
  const contracts = createBookingContracts(ports);
  const followers = {
    ofOperations: [createSaleNotes(ports.store), contracts.follower],
    ofExchanged: contracts.exchanged,
  };
  return {
    groups: createGroupLifecycle(ports),
    seasons: createSeasonLifecycle(ports),
    cancellations: createCancellations(ports, contracts.end),
    groupCancellations: createGroupCancellations(ports),
    following: { engine: createFollowing(ports, followers) },
    toldOperations: createToldOperations(ports),
    orphans: { engine: createOrphans(ports) },
    pinnedExchanges: { engine: createPinnedExchanges(ports) },
    offers: { engine: createOfferWork(ports) },
    imports: { engine: createImportWork(ports) },
    bookingImports: { engine: createBookingImportWork(ports) },
    untoldFacts: { engine: createUntoldFacts(ports) },
    batches: createEventBatches(ports),
  };
}

export function createOperations(
  ports: Ports & ChartPorts & ProjectionPorts,
  settings: Settings,
  lifecycles: CatalogLifecycles = createCatalogLifecycles(ports),
): OperationTable {
  const passwords = createPasswords(settings.passwordLogN, ports.clock);
  const charts = createChartOperations(ports);
  const operations = {
    ...createAccessOperations(ports),
    ...createOrganisationOperations(ports),
    ...createCreditOperations(ports),
    ...createAuditOperations(ports),
    ...createKeyOperations(ports),
    ...createUserOperations(ports, passwords),
    ...createSessionOperations(ports, passwords),
    ...createPasswordOperations(ports, passwords),
    ...createExternalSignIns(ports),
    ...createCredentialOperations(ports),
    ...createDeliveryOperations(ports),
    ...charts,
    ...createChartImportOperations(ports, charts['charts.create']),
    ...createBookingImportOperations(ports, lifecycles.bookingImports.engine),
    ...createAdjustmentOperations(ports),
    ...createEventOperations(ports),
    ...lifecycles.batches.operations,
    ...createGroupOperations(ports, lifecycles.groups),
    ...createHistoryOperations(ports),
    ...createOccurrenceOperations(ports),
    ...createAssetOperations(ports),
    ...createIdempotencyOperations(ports),
    ...createOverEventsOperations(ports, lifecycles.following.engine),
    ...lifecycles.toldOperations.operations,
    ...createProjectionOperations(ports),
    ...createRightsOperations(ports, {
      offers: lifecycles.offers.engine,
      imports: lifecycles.imports.engine,
      following: lifecycles.following.engine,
    }),
    ...createSeasonOperations(ports, lifecycles.seasons),
    ...createSeasonSaleOperations(lifecycles.cancellations, lifecycles.groupCancellations),
    ...createWebhookOperations(ports),
    ...createRecoveryOperations(ports),
    ...createWorkspaceOperations(ports),
  };
  return audited(operations, ports, settings.auditKeepMs);
}
