/** Login to the dashboard, and logout. */
import { room } from '../../openapi/openapi.ts';
import { dashboardDescriptions } from './descriptions.ts';
import { dashboardRoutes } from './routes.ts';

export const dashboardRoom = room(dashboardRoutes, dashboardDescriptions);
