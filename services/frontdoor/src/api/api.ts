/** The table of all routes, and the description that is generated from it. */
import { describeApi, endpointsOf } from '../openapi/openapi.ts';
import { accessRoutes, accessSchemas } from './access.ts';
import { adminRoutes } from './admin.ts';
import { availabilityRoutes, releasesRoutes, releasesSchemas } from './availability.ts';
import { bestAvailableRoutes } from './best-available.ts';
import { bookingImportsRoutes } from './booking-imports.ts';
import { buyersRoutes } from './buyers.ts';
import { callerRoutes } from './caller.ts';
import type { Route } from './calls/route.ts';
import { channelsRoutes } from './channels.ts';
import { chartFilesRoutes } from './chart-files.ts';
import { chartUpdatesRoutes } from './chart-updates.ts';
import { chartsRoutes, exampleHall, templatesRoutes } from './charts.ts';
import { consoleRoutes } from './console.ts';
import { controlRoomRoutes } from './control-room.ts';
import { dashboardRoutes, workspacesRoutes } from './dashboard.ts';
import { draftsRoutes } from './drafts.ts';
import { eventBatchesRoutes } from './event-batches.ts';
import { eventConfigurationRoutes, eventConfigurationSchemas } from './event-configuration.ts';
import { adjustmentsRoutes, eventsRoutes, postersRoutes } from './events.ts';
import { exchangeRoutes, resaleRoutes } from './exchange.ts';
import { groupSalesRoutes, groupSalesSchemas } from './group-sales.ts';
import { groupsRoutes, groupsSchemas } from './groups.ts';
import { houseRoutes } from './house.ts';
import { inventoryRoutes } from './inventory.ts';
import { occurrencesRoutes } from './occurrences.ts';
import { oidcRoutes } from './oidc.ts';
import { groupSessionRoutes, seasonSessionRoutes } from './owner-sessions.ts';
import { peopleRoutes } from './people.ts';
import { descriptionRoute, platformRoutes } from './platform.ts';
import { publicChartsRoutes } from './public-charts.ts';
import { realtimeRoutes, realtimeSchemas, sockets } from './realtime.ts';
import { namedSchemas } from './records.ts';
import { historyRoutes, reportsRoutes } from './reports.ts';
import { reservationsRoutes, reservationsSchemas } from './reservations.ts';
import { seasonRightsRoutes, seasonRightsSchemas } from './season-rights.ts';
import { seasonSalesRoutes, seasonSalesSchemas } from './season-sales.ts';
import { seasonsRoutes, seasonsSchemas } from './seasons.ts';
import { occurrences, webhookAnswers, webhookHeaders, webhooksRoutes } from './webhooks.ts';

export const routes: readonly Route[] = [
  descriptionRoute(() => describedApi()),
  ...platformRoutes,
  ...adminRoutes,
  ...callerRoutes,
  ...dashboardRoutes,
  ...peopleRoutes,
  ...houseRoutes,
  ...oidcRoutes,
  ...workspacesRoutes,
  ...chartsRoutes,
  ...chartFilesRoutes,
  ...templatesRoutes,
  ...draftsRoutes,
  ...eventsRoutes,
  ...chartUpdatesRoutes,
  ...eventBatchesRoutes,
  ...postersRoutes,
  ...adjustmentsRoutes,
  ...eventConfigurationRoutes,
  ...inventoryRoutes,
  ...reservationsRoutes,
  ...releasesRoutes,
  ...availabilityRoutes,
  ...bestAvailableRoutes,
  ...resaleRoutes,
  ...exchangeRoutes,
  ...bookingImportsRoutes,
  ...channelsRoutes,
  ...reportsRoutes,
  ...historyRoutes,
  ...accessRoutes,
  ...consoleRoutes,
  ...controlRoomRoutes,
  ...buyersRoutes,
  ...publicChartsRoutes,
  ...groupsRoutes,
  ...groupSessionRoutes,
  ...groupSalesRoutes,
  ...seasonsRoutes,
  ...seasonSessionRoutes,
  ...seasonSalesRoutes,
  ...seasonRightsRoutes,
  ...realtimeRoutes,
  ...webhooksRoutes,
  ...occurrencesRoutes,
];

/** Throws if two routes have one signature. The front door then does not start. */
export const endpoints = endpointsOf(routes);

const schemas = Object.assign(
  {},
  namedSchemas,
  releasesSchemas,
  reservationsSchemas,
  accessSchemas,
  eventConfigurationSchemas,
  groupsSchemas,
  groupSalesSchemas,
  seasonsSchemas,
  seasonSalesSchemas,
  seasonRightsSchemas,
  realtimeSchemas,
);

export function describedApi(): ReturnType<typeof describeApi> {
  return describeApi({
    endpoints,
    schemas,
    examples: { ChartDocument: exampleHall },
    sockets,
    webhooks: { occurrences, headers: webhookHeaders, answers: webhookAnswers },
  });
}
