/** What the routes work with. `main.ts` wires them; tests give fakes. */
import type { CatalogClient } from '@parterre/shared/catalog-client';
import type { Clock } from '@parterre/shared/clock';
import type { PlanSource } from '@parterre/shared/plans';
import type { Turns } from '@parterre/shared/turns';
import type { Budgets } from './budgets.ts';
import type { EventsCache } from './events-cache.ts';
import type { Feeds } from './feeds/feeds.ts';
import type { Tickets } from './feeds/tickets.ts';
import type { UnitLists } from './feeds/units.ts';
import type { Assets } from './outbound/assets.ts';
import type { ChartDocuments } from './outbound/chart-documents.ts';
import type { DemoFiles } from './outbound/demo-files.ts';
import type { NotifierClient } from './outbound/notifier-client.ts';
import type { ShardClient } from './outbound/shard-client.ts';
import type { Principals } from './principals.ts';
import type { ClientAddress } from './rules/client-address.ts';
import type { SaleSummaries } from './sale-summaries.ts';

export type Ports = {
  clock: Clock;
  catalog: CatalogClient;
  notifier: NotifierClient;
  shards: ShardClient;
  principals: Principals;
  events: EventsCache;
  /** Null when they are lifted. */
  budgets: Budgets | null;
  clientAddress: ClientAddress;
  documents: ChartDocuments;
  assets: Assets;
  demo: DemoFiles;
  plans: PlanSource;
  /** For events that follow a publish, `chartRefreshesAtOnce`. */
  chartRefreshes: Turns;
  /** For reports with a line a unit, `reportFilesAtOnce`. */
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
