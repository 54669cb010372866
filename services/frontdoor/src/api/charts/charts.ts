/** Charts: drafts, publishing, archive. */
import { room } from '../../openapi/endpoints.ts';
import { chartDescriptions } from './descriptions.ts';
import { chartRoutes } from './routes.ts';

export const chartsRoom = room(chartRoutes, chartDescriptions);
