/** All rooms of the API: the table of routes, and the description that is generated from them. */
import { describeApi, endpointsOf } from '../openapi/openapi.ts';
import { accessRoom } from './access/access.ts';
import { adjustmentsRoom } from './adjustments/adjustments.ts';
import { adminRoom } from './admin/admin.ts';
import { availabilityRoom } from './availability/availability.ts';
import { bestAvailableRoom } from './best-available/best-available.ts';
import { buyersRoom } from './buyers/buyers.ts';
import type { Route } from './calls/calls.ts';
import { channelsRoom } from './channels/channels.ts';
import { chartFilesRoom } from './chart-files/chart-files.ts';
import { chartsRoom } from './charts/charts.ts';
import { consoleRoom } from './console/console.ts';
import { dashboardRoom } from './dashboard/dashboard.ts';
import { draftsRoom } from './drafts/drafts.ts';
import { eventsRoom } from './events/events.ts';
import { exchangeRoom } from './exchange/exchange.ts';
import { groupSalesRoom } from './group-sales/group-sales.ts';
import { groupsRoom } from './groups/groups.ts';
import { historyRoom } from './history/history.ts';
import { inventoryRoom } from './inventory/inventory.ts';
import { platformRoom } from './platform/platform.ts';
import { postersRoom } from './posters/posters.ts';
import { realtimeRoom, sockets } from './realtime/realtime.ts';
import { namedSchemas } from './records/records.ts';
import { releasesRoom } from './releases/releases.ts';
import { reportsRoom } from './reports/reports.ts';
import { resaleRoom } from './resale/resale.ts';
import { seasonRightsRoom } from './season-rights/season-rights.ts';
import { seasonSalesRoom } from './season-sales/season-sales.ts';
import { seasonsRoom } from './seasons/seasons.ts';
import { templatesRoom } from './templates/templates.ts';
import { occurrences, webhookAnswers, webhookHeaders, webhooksRoom } from './webhooks/webhooks.ts';
import { workspacesRoom } from './workspaces/workspaces.ts';

const rooms = [
  platformRoom(() => describedApi()),
  adminRoom,
  dashboardRoom,
  workspacesRoom,
  chartsRoom,
  chartFilesRoom,
  templatesRoom,
  draftsRoom,
  eventsRoom,
  postersRoom,
  adjustmentsRoom,
  inventoryRoom,
  releasesRoom,
  availabilityRoom,
  bestAvailableRoom,
  resaleRoom,
  exchangeRoom,
  channelsRoom,
  reportsRoom,
  historyRoom,
  accessRoom,
  consoleRoom,
  buyersRoom,
  groupsRoom,
  groupSalesRoom,
  seasonsRoom,
  seasonSalesRoom,
  seasonRightsRoom,
  realtimeRoom,
  webhooksRoom,
];

export const routes: readonly Route[] = rooms.flatMap((room): readonly Route[] => room.routes);

/** Throws if routes and descriptions do not match. The front door then does not start. */
export const endpoints = endpointsOf(rooms);

export function describedApi(): ReturnType<typeof describeApi> {
  return describeApi({
    endpoints,
    schemas: Object.assign({}, namedSchemas, ...rooms.map(({ schemas }) => schemas)),
    sockets,
    webhooks: { occurrences, headers: webhookHeaders, answers: webhookAnswers },
  });
}
