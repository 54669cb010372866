/** The services that handlers use. `start.ts` wires them; tests give fakes. */
import type { KeyObject } from 'node:crypto';
import type { PlanSource } from '@parterre/shared/charts/plans/plans';
import type { AuditedBy } from '@parterre/shared/protocol/catalog/accounts';
import { isAudited } from '@parterre/shared/protocol/catalog/audited';
import { newId } from '@parterre/shared/protocol/ids';
import type { CatalogClient } from '@parterre/shared/runtime/catalog-client';
import type { Clock } from '@parterre/shared/runtime/clock';
import type { AcceptedKeys } from '@parterre/shared/runtime/deployment-secret';
import type { PartyLimiter } from '@parterre/shared/runtime/limiter';
import {
  type Asker,
  accountOf,
  type Budgets,
  type ClientAddress,
  type EventsCache,
  type IsProxy,
  type LargeBodies,
  type LargeLimiter,
  type Principals,
  type Request,
} from '../../admission/admission.ts';
import type {
  Assets,
  ChartDocuments,
  DemoKeys,
  EventWords,
  GroupsCache,
  PageFiles,
  PublicCharts,
  SeasonsCache,
} from '../../caches/caches.ts';
import type { ChartFiles } from '../../chart-files/chart-files.ts';
import type { DoorsFigures, RefusalTallies, SalesWindows, WebhookLags } from '../../control-room/control-room.ts';
import type { DeploymentStatus } from '../../deployment-status.ts';
import type { Feeds } from '../../feeds/feeds.ts';
import type { Oidc } from '../../oidc/oidc.ts';
import type { UnitLists } from '../../pictures/pictures.ts';
import type { Readiness } from '../../readiness.ts';
import type { ShardClient } from '../../shards/shard-client.ts';
import type { SaleSummaries } from '../../summaries/sale-summaries.ts';
import type { Tickets } from '../../tickets/tickets.ts';
import type { NotifierClient } from './notifier-client.ts';

export type Ports = {
  clock: Clock;
  /** A handler's catalog answers by the deadline of the handler's request. */
  catalog: CatalogClient;
  notifier: NotifierClient;
  shards: ShardClient;
  principals: Principals;
  events: EventsCache;
  groups: GroupsCache;
  seasons: SeasonsCache;
  /** Null if all budgets are lifted. */
  budgets: Budgets | null;
  largeBodies: LargeBodies;
  /** The turns of calls with many labels. */
  bulkLimiter: LargeLimiter;
  clientAddress: ClientAddress;
  isProxy: IsProxy;
  /** Hashes the addresses of public sale's visitors. */
  visitorKey: KeyObject;
  documents: ChartDocuments;
  publicCharts: PublicCharts;
  chartFiles: ChartFiles;
  assets: Assets;
  demo: PageFiles;
  /** Null where no visitor draws. */
  demoKeys(): Promise<DemoKeys | null>;
  designer: PageFiles;
  console: PageFiles;
  /** Seals the origin that may frame the designer. */
  framerKeys: AcceptedKeys;
  plans: PlanSource;
  words: EventWords;
  /** Bounds the events that follow a publish at once (`chartRefreshesAtOnce`). */
  chartRefreshes: PartyLimiter;
  /** Bounds the reports with one line for each unit (`reportFilesAtOnce`, one of an organisation). */
  reportFiles: LargeLimiter;
  feeds: Feeds;
  controlRoom: { refusals: RefusalTallies; sales: SalesWindows; doors: DoorsFigures; webhooks: WebhookLags };
  unitLists: UnitLists;
  tickets: Tickets;
  /** Null without an issuer in the settings. */
  oidc: Oidc | null;
  /** Names holds after an Idempotency-Key, so that nobody else finds the id. */
  holdIdKey: KeyObject;
  /** Makes the addresses of public files and statuses. */
  addressKey: KeyObject;
  summaries: SaleSummaries;
  readiness: Pick<Readiness, 'look' | 'hearCatalog'>;
  /** Asks every member. Takes a second. */
  status(): Promise<DeploymentStatus>;
  /** False while the link to NATS is gone. */
  linked(): boolean;
  loopbackWebhooks: boolean;
  onFault(error: unknown, requestId: string): void;
};

/**
 * The ports of one request. Every request has its own, so they inherit the ports of the front door. The caller goes
 * with each operation that the audit tells.
 */
export function portsOf({ ports, request, principal }: AnyCall): Ports {
  const own: Ports = Object.create(ports);
  const { deadlineAt } = request;
  own.catalog = (operation, input) =>
    isAudited(operation)
      ? ports.catalog(operation, input, deadlineAt, callerOf(principal, request))
      : ports.catalog(operation, input, deadlineAt);
  return own;
}

type AnyCall = { ports: Ports; request: Request; principal: Asker };

function callerOf(asker: Asker, request: Request): AuditedBy {
  const from = { entryId: newId('aud'), address: request.address(), requestId: request.requestId };
  const organisationId = accountOf(asker);
  if (asker === true) return { ...from, kind: 'root', id: null, organisationId };
  if (asker === null) return { ...from, kind: 'nobody', id: null, organisationId };
  if (asker.kind === 'dashboard') return { ...from, kind: 'user', id: asker.userId, organisationId };
  if (asker.kind === 'secret') return { ...from, kind: 'key', id: asker.keyId, organisationId };
  return { ...from, kind: 'session', id: 'sessionId' in asker ? asker.sessionId : null, organisationId };
}
