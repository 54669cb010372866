/** The table of all routes. */
import type { Route } from './route.ts';
import { accessRoutes } from './routes-access.ts';
import { accessLinkRoutes } from './routes-access-links.ts';
import { adjustmentRoutes } from './routes-adjustments.ts';
import { adminRoutes } from './routes-admin.ts';
import { availabilityRoutes } from './routes-availability.ts';
import { bestAvailableRoutes } from './routes-best-available.ts';
import { boxOfficeRoutes } from './routes-box-office.ts';
import { buyerHoldRoutes } from './routes-buyer-holds.ts';
import { buyerSessionRoutes } from './routes-buyer-sessions.ts';
import { buyerRoutes } from './routes-buyers.ts';
import { channelRoutes } from './routes-channels.ts';
import { chartRoutes } from './routes-charts.ts';
import { consoleRoutes } from './routes-console.ts';
import { dashboardRoutes } from './routes-dashboard.ts';
import { demoRoutes } from './routes-demo.ts';
import { eventMoveRoutes } from './routes-event-moves.ts';
import { eventRoutes } from './routes-events.ts';
import { historyRoutes } from './routes-history.ts';
import { inventoryRoutes } from './routes-inventory.ts';
import { descriptionRoute } from './routes-openapi.ts';
import { platformRoutes } from './routes-platform.ts';
import { posterRoutes } from './routes-posters.ts';
import { projectionRoutes } from './routes-projections.ts';
import { releaseRoutes } from './routes-releases.ts';
import { reportFileRoutes } from './routes-report-file.ts';
import { resaleRoutes } from './routes-resale.ts';
import { unitRoutes } from './routes-units.ts';
import { webhookRoutes } from './routes-webhooks.ts';
import { workspaceRoutes } from './routes-workspaces.ts';

export const routes: readonly Route[] = [
  descriptionRoute(() => routes),
  ...platformRoutes,
  ...projectionRoutes,
  ...adminRoutes,
  ...dashboardRoutes,
  ...workspaceRoutes,
  ...chartRoutes,
  ...eventRoutes,
  ...eventMoveRoutes,
  ...posterRoutes,
  ...adjustmentRoutes,
  ...inventoryRoutes,
  ...boxOfficeRoutes,
  ...releaseRoutes,
  ...availabilityRoutes,
  ...bestAvailableRoutes,
  ...resaleRoutes,
  ...channelRoutes,
  ...reportFileRoutes,
  ...historyRoutes,
  ...accessRoutes,
  ...accessLinkRoutes,
  ...consoleRoutes,
  ...buyerSessionRoutes,
  ...buyerRoutes,
  ...unitRoutes,
  ...buyerHoldRoutes,
  ...webhookRoutes,
  ...demoRoutes,
];
