/** Best available: the event chooses the units. */
import { room } from '../../openapi/endpoints.ts';
import { bestAvailableDescriptions } from './descriptions.ts';
import { bestAvailableRoutes } from './routes.ts';

export const bestAvailableRoom = room(bestAvailableRoutes, bestAvailableDescriptions);
