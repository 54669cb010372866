/** Charts: drafts, publishing, archive. */
import { room } from '../../openapi/openapi.ts';
import { chartDescriptions } from './descriptions.ts';
import { chartRoutes } from './routes.ts';

export const chartsRoom = room(chartRoutes, chartDescriptions);
export { meta } from './answers.ts';
export { chartDocument } from './bodies.ts';
