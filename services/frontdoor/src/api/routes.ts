/** The table of all routes. */

import { accessLinkRoutes } from './access/link-routes.ts';
import { accessRoutes } from './access/routes.ts';
import { adjustmentRoutes } from './adjustments/routes.ts';
import { projectionRoutes } from './admin/projection-routes.ts';
import { adminRoutes } from './admin/routes.ts';
import { availabilityRoutes } from './availability/routes.ts';
import { bestAvailableRoutes } from './best-available/routes.ts';
import { buyerHoldRoutes } from './buyers/hold-routes.ts';
import { buyerRoutes } from './buyers/routes.ts';
import { buyerSessionRoutes } from './buyers/session-routes.ts';
import type { Route } from './calls/route.ts';
import { channelRoutes } from './channels/routes.ts';
import { chartRoutes } from './charts/routes.ts';
import { consoleRoutes } from './console/routes.ts';
import { dashboardRoutes } from './dashboard/routes.ts';
import { eventMoveRoutes } from './events/move-routes.ts';
import { eventRoutes } from './events/routes.ts';
import { historyRoutes } from './history/routes.ts';
import { boxOfficeRoutes } from './inventory/box-office-routes.ts';
import { inventoryRoutes } from './inventory/routes.ts';
import { demoRoutes } from './platform/demo-routes.ts';
import { descriptionRoute } from './platform/openapi-route.ts';
import { platformRoutes } from './platform/routes.ts';
import { posterRoutes } from './posters/routes.ts';
import { unitRoutes } from './realtime/unit-routes.ts';
import { releaseRoutes } from './releases/routes.ts';
import { reportFileRoutes } from './reports/routes.ts';
import { resaleRoutes } from './resale/routes.ts';
import { webhookRoutes } from './webhooks/routes.ts';
import { workspaceRoutes } from './workspaces/routes.ts';

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
