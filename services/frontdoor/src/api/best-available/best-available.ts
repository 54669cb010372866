/** Best available: the event chooses the units. */
import { room } from '../../openapi/openapi.ts';
import { bestAvailableDescriptions } from './descriptions.ts';
import { bestAvailableRoutes } from './routes.ts';

export const bestAvailableRoom = room(bestAvailableRoutes, bestAvailableDescriptions);
export { accessible, query } from './bodies.ts';
export { queryOf } from './routes.ts';
