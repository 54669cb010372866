/** Files of charts: imports from other systems, and exports. */
import { room } from '../../openapi/openapi.ts';
import { chartFileDescriptions } from './descriptions.ts';
import { chartFileRoutes } from './routes.ts';

export const chartFilesRoom = room(chartFileRoutes, chartFileDescriptions);
