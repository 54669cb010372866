/** An event's bookings and its log. */
import { room } from '../../openapi/endpoints.ts';
import { historyDescriptions } from './descriptions.ts';
import { historyRoutes } from './routes.ts';

export const historyRoom = room(historyRoutes, historyDescriptions);
