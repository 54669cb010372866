/** Resale of booked units. */
import { room } from '../../openapi/endpoints.ts';
import { resaleDescriptions } from './descriptions.ts';
import { resaleRoutes } from './routes.ts';

export const resaleRoom = room(resaleRoutes, resaleDescriptions);
