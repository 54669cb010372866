/**
 * The catalog's operations, as one table of inputs and outputs. A caller publishes the input on `catalog.<operation>`
 * and gets an `Outcome` back. An operation that serves a caller carries the caller's scope. Operations for services and
 * administrators carry none.
 */
import type { AccessOperations } from './catalog/access.ts';
import type { AccountOperations } from './catalog/accounts.ts';
import type { BookingImportOperations } from './catalog/booking-imports.ts';
import type { ChartImportOperations } from './catalog/chart-imports.ts';
import type { ChartOperations } from './catalog/charts.ts';
import type { DeliveryOperations } from './catalog/deliveries.ts';
import type { EventOperations } from './catalog/events.ts';
import type { GroupOperations } from './catalog/groups.ts';
import type { HistoryOperations } from './catalog/history.ts';
import type { IdempotencyOperations } from './catalog/idempotency.ts';
import type { OccurrenceOperations } from './catalog/occurrences.ts';
import type { OverEventsOperations } from './catalog/operations.ts';
import type { OwnerSessionOperations } from './catalog/owner-sessions.ts';
import type { ProjectionOperations } from './catalog/projections.ts';
import type { RightsOperations } from './catalog/rights.ts';
import type { SeasonOutboxOperations } from './catalog/season-outbox.ts';
import type { SeasonSaleOperations } from './catalog/season-sales.ts';
import type { SeasonOperations } from './catalog/seasons.ts';
import type { WebhookOperations } from './catalog/webhooks.ts';
import type { WorkspaceOperations } from './catalog/workspaces.ts';

/** operation → [input, output] */
export type CatalogOperations = AccessOperations &
  AccountOperations &
  BookingImportOperations &
  ChartOperations &
  ChartImportOperations &
  DeliveryOperations &
  EventOperations &
  GroupOperations &
  HistoryOperations &
  IdempotencyOperations &
  OccurrenceOperations &
  OwnerSessionOperations &
  OverEventsOperations &
  ProjectionOperations &
  RightsOperations &
  SeasonOperations &
  SeasonOutboxOperations &
  SeasonSaleOperations &
  WebhookOperations &
  WorkspaceOperations;

export type CatalogOperation = keyof CatalogOperations;
export type CatalogInput<O extends CatalogOperation> = CatalogOperations[O][0];
export type CatalogOutput<O extends CatalogOperation> = CatalogOperations[O][1];

/** Broadcast on `changed`: every service that caches the named thing drops its copy at once. */
export type Changed =
  /** A key, or a session of any kind, by its hash. */
  | { kind: 'key'; hash: string }
  | { kind: 'event'; eventKey: string }
  | { kind: 'season'; seasonKey: string }
  | { kind: 'group'; groupKey: string }
  /** The workspace was disabled, or is active again. */
  | { kind: 'workspace'; organisationId: string; workspaceId: string }
  | { kind: 'webhooks'; organisationId: string }
  /** The settings of the organisation, which go with each of its events. */
  | { kind: 'organisation'; organisationId: string }
  /** The organisation was suspended, or may go on. */
  | { kind: 'suspension'; organisationId: string };
