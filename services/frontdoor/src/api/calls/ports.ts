/** The services that handlers use. `start.ts` wires them; tests give fakes. */
import type { CatalogClient } from '@parterre/shared/catalog-client';
import type { Clock } from '@parterre/shared/clock';
import type { PlanSource } from '@parterre/shared/plans';
import type { Turns } from '@parterre/shared/turns';
import type { Budgets, ClientAddress, EventsCache, Principals } from '../../admission/admission.ts';
import type { Assets, ChartDocuments, DemoFiles } from '../../caches/caches.ts';
import type { Feeds, Tickets } from '../../feeds/feeds.ts';
import type { UnitLists } from '../../pictures/pictures.ts';
import type { ShardClient } from '../../shards/shards.ts';
import type { SaleSummaries } from '../../summaries/summaries.ts';
import type { NotifierClient } from './notifier-client.ts';

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
