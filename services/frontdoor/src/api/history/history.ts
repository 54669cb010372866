/** An event's bookings and its log. */
import { room } from '../../openapi/openapi.ts';
import { historyDescriptions } from './descriptions.ts';
import { historyRoutes } from './routes.ts';

export const historyRoom = room(historyRoutes, historyDescriptions);
export { logEntry } from './answers.ts';
export { logQuery } from './queries.ts';
export { logPage, plansOf } from './reads.ts';
