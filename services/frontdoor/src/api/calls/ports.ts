/** The services that handlers use. `start.ts` wires them; tests give fakes. */
import type { CatalogClient } from '@parterre/shared/catalog-client';
import type { Clock } from '@parterre/shared/clock';
import type { PlanSource } from '@parterre/shared/plans';
import type { Turns } from '@parterre/shared/turns';
import type { Budgets } from '../../admission/budgets.ts';
import type { ClientAddress } from '../../admission/client-address.ts';
import type { EventsCache } from '../../admission/events-cache.ts';
import type { Principals } from '../../admission/principals.ts';
import type { Assets } from '../../caches/assets.ts';
import type { ChartDocuments } from '../../caches/chart-documents.ts';
import type { DemoFiles } from '../../caches/demo-files.ts';
import type { Feeds } from '../../feeds/feeds.ts';
import type { Tickets } from '../../feeds/tickets.ts';
import type { NotifierClient } from '../../notifier-client.ts';
import type { UnitLists } from '../../pictures/units.ts';
import type { ShardClient } from '../../shards/shard-client.ts';
import type { SaleSummaries } from '../../summaries/sale-summaries.ts';

export type Ports = {
  clock: Clock;
  catalog: CatalogClient;
  notifier: NotifierClient;
  shards: ShardClient;
  principals: Principals;
  events: EventsCache;
  /** Null if all budgets are lifted. */
  budgets: Budgets | null;
  clientAddress: ClientAddress;
  documents: ChartDocuments;
  assets: Assets;
  demo: DemoFiles;
  plans: PlanSource;
  /** Bounds the events that follow a publish at once (`chartRefreshesAtOnce`). */
  chartRefreshes: Turns;
  /** Bounds the reports with one line for each unit (`reportFilesAtOnce`). */
  reportFiles: Turns;
  feeds: Feeds;
  unitLists: UnitLists;
  tickets: Tickets;
  summaries: SaleSummaries;
  /** False while the link to NATS is gone. */
  linked(): boolean;
  loopbackWebhooks: boolean;
  onFault(error: unknown, requestId: string): void;
};
